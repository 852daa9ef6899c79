//! Moves of the attacker with the follower's replies, and the positions of the strategy below.

use maud::{Markup, html};

use super::Walk;
use crate::connect_four::strategy::{ActivePlan, Turn};
use crate::game::Move;
use crate::statistics::counted;

/// Levels of exits that unfold below a page's position; deeper ones have pages of their own.
const LEVELS: u32 = 3;

/// Every move of the attacker with the follower's reply.
pub fn replies(walk: &Walk<'_>) -> Markup {
    let side = walk.follower().strategy().claim.side;
    if walk.here().turn != Turn::Attacker {
        return html! {};
    }
    html! {
        section.panel #replies {
            h2 { "Every move of " (side.opponent().stone()) }
            table.data {
                thead {
                    tr { th { (side.opponent().stone()) } th { (side.stone()) } th { "why" } }
                }
                tbody {
                    @for column in walk.columns() {
                        @let (after, moves) = walk.after(column);
                        tr {
                            td { a href=(walk.url(&moves)) { (column.number()) } }
                            @match after.turn {
                                Turn::Follower(Some(reply)) => {
                                    td { (reply.column.number()) }
                                    td { (reply.reason) }
                                }
                                Turn::Follower(None) => {
                                    td {}
                                    td { "outside the strategy" }
                                }
                                Turn::Over(Some(winner)) => {
                                    td {}
                                    td { (winner.stone()) " has completed a line" }
                                }
                                Turn::Over(None) | Turn::Attacker => {
                                    td {}
                                    td { "fills the board" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The tree of exits from the position.
pub fn unfolded(walk: &Walk<'_>) -> Markup {
    let here = walk.here();
    let active = here.active.filter(|f| f.exits_open && here.turn == Turn::Attacker);
    let Some(active) = active else { return html! {} };
    if !walk.follower().exits(active).iter().any(|exit| exit.next.is_some()) {
        return html! {};
    }
    html! {
        section.panel #tree {
            h2 { "Positions below" }
            (exits(walk, active, &walk.moves, LEVELS))
        }
    }
}

fn exits(walk: &Walk<'_>, active: ActivePlan, moves: &[Move], levels: u32) -> Markup {
    html! {
        ul.exits {
            @for exit in walk.follower().exits(active) {
                @let pair = [Some(exit.column), exit.reply.map(|reply| reply.column)];
                @let moves: Vec<Move> = moves.iter().copied().chain(pair.into_iter().flatten()).collect();
                li {
                    @match (exit.next, exit.reply) {
                        (Some(next), _) => (branch(walk, next, &moves, levels - 1)),
                        (None, reply) => {
                            a href=(walk.url(&moves)) { (label(&moves)) } " "
                            @match reply {
                                Some(reply) => (reply.reason),
                                None => "outside the strategy",
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The last two moves.
fn label(moves: &[Move]) -> String {
    let last = &moves[moves.len().saturating_sub(2)..];
    last.iter().map(|m| m.number().to_string()).collect::<Vec<_>>().join(" → ")
}

fn branch(walk: &Walk<'_>, next: ActivePlan, moves: &[Move], levels: u32) -> Markup {
    let link = html! { a href=(walk.url(moves)) { (label(moves)) } };
    let below = walk.served.reachable[next.index] - 1;
    html! {
        @if below == 0 {
            (link) " "
            @if walk.follower().exits(next).is_empty() { "settled" } @else { "wins at every exit" }
        } @else if levels == 0 {
            (link) " " (counted(below.into(), "position")) " below"
        } @else {
            details {
                summary { (link) " " (counted(below.into(), "position")) " below" }
                (exits(walk, next, moves, levels))
            }
        }
    }
}
