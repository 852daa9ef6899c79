//! Pages of strategies: one position each, with the follower's last move and its replies to every
//! move of the attacker. The visitor can play the attacker.

mod board;

use axum::extract::Path;

use super::links::{button, step};
use super::{error_page, not_found, page};
use crate::web::prelude::*;
use crate::web::text::sentence;
use everyply_connect_four::strategy::{ActivePlan, FollowedPosition, Follower, Reply, Turn};
use everyply_core::game::{Game, Move};
use everyply_core::games::line::LineGame;
use everyply_core::games::line::notation::{IndexBase, parse_moves_from, write_moves};
use everyply_core::statistics::{counted, grouped};

/// `/strategy`: the first position of a strategy; `/strategy/MOVES`: a position of a game against
/// it.
pub async fn walk(
    explorer: Shared,
    moves: Option<Path<String>>,
    headers: HeaderMap,
    query: ReadQuery,
) -> Response {
    if explorer.strategies.is_empty() {
        return not_found(&explorer, &headers);
    }
    let moves = moves.as_ref().map(|Path(moves)| &moves[..]);
    match query.and_then(|query| Walk::read(&explorer.strategies, query, moves)) {
        Ok(walk) => page(&headers, StatusCode::OK, &title(walk.follower), &main(&walk)),
        Err(refused) => error_page(&headers, refused),
    }
}

/// A game against the follower of a strategy.
struct Walk<'s> {
    follower: &'s Follower,
    number: usize,
    moves: Vec<Move>,
    standings: Vec<FollowedPosition>,
}

impl<'s> Walk<'s> {
    fn read(
        strategies: &'s [Follower],
        mut query: Query,
        moves: Option<&str>,
    ) -> Result<Self, ApiError> {
        let number = query.number("number", 1..=strategies.len())?.unwrap_or(1);
        query.done()?;
        let follower = &strategies[number - 1];
        let moves = match moves {
            Some(moves) => {
                let parsed = parse_moves_from(follower.game(), moves, IndexBase::One);
                parsed.map_err(|error| ApiError::refused(format!("moves: {error}")))?.1
            }
            None => follower.root().map_or_else(|| follower.start().to_vec(), |(_, moves)| moves),
        };
        let standings = follower.replay(&moves);
        Ok(Self { follower, number, moves, standings })
    }

    fn here(&self) -> &FollowedPosition {
        &self.standings[self.standings.len() - 1]
    }

    /// Finds the follower's last move by the strategy, and its number.
    fn replied(&self) -> Option<(usize, Reply)> {
        let mut moves = self.moves.iter().enumerate().rev();
        moves.find_map(|(at, m)| match self.standings[at].turn {
            Turn::Follower(Some(reply)) if reply.column == *m => Some((at, reply)),
            _ => None,
        })
    }

    fn url(&self, moves: &[Move]) -> String {
        let number =
            if self.number > 1 { format!("?number={}", self.number) } else { String::new() };
        if moves.is_empty() {
            return format!("/strategy{number}");
        }
        format!("/strategy/{}{number}", write_moves(self.follower.game(), moves))
    }

    /// Plays a move of the attacker and the follower's reply to it.
    fn after(&self, column: Move) -> (FollowedPosition, Vec<Move>) {
        let mut moves = self.moves.clone();
        moves.push(column);
        let standing = self.follower.position_after(&moves);
        if let Turn::Follower(Some(reply)) = standing.turn {
            moves.push(reply.column);
        }
        (standing, moves)
    }

    fn exits(&self, active: ActivePlan) -> Vec<Move> {
        let is_exit = |column: &Move| self.follower.is_exit(active, column.0.into());
        if active.exits_open {
            self.columns().into_iter().filter(is_exit).collect()
        } else {
            Vec::new()
        }
    }

    fn columns(&self) -> Vec<Move> {
        let game = self.follower.game();
        let is_over = matches!(self.here().turn, Turn::Over(_));
        if is_over { Vec::new() } else { game.moves(self.here().position).into_iter().collect() }
    }
}

fn main(walk: &Walk<'_>) -> Markup {
    let follower = walk.follower;
    let size = follower.game().size();
    let explored = format!(
        "/{}?size={}&line={}&moves={}",
        follower.game().name(),
        size.board(),
        size.line,
        write_moves(follower.game(), &walk.moves)
    );
    html! {
        div.columns {
            div.head {
                div #state {}
                h1 { (title(follower)) " " small { (counts(follower)) } }
                p #status role="status" { (status(walk)) }
            }
            div.table {
                div.scroll tabindex="-1" { (board::board(walk)) }
                p #notice role="status" {}
                @if let Turn::Follower(Some(reply)) = walk.here().turn {
                    @let moves: Vec<Move> = walk.moves.iter().copied().chain([reply.column]).collect();
                    p { a.button href=(walk.url(&moves)) { "Let " (follower.strategy().claim.side.stone()) " move" } }
                }
                div.controls {
                    @let before = before(walk);
                    (button("undo", "Undo", "u", before.map(|moves| walk.url(&moves))))
                    (button("new", "Start", "n", Some(walk.url(&[]))))
                    a.button href=(explored) { "Exact values" }
                }
                (board::legend(walk))
            }
            div.side {
                (replies(walk))
                (record(walk))
            }
        }
    }
}

fn before(walk: &Walk<'_>) -> Option<Vec<Move>> {
    let mut plies = (0..walk.moves.len()).rev();
    let at = plies.find(|at| walk.standings[*at].turn == Turn::Attacker)?;
    Some(walk.moves[..at].to_vec()).filter(|moves| !moves.is_empty())
}

fn title(follower: &Follower) -> String {
    sentence(&follower.strategy().title())
}

fn counts(follower: &Follower) -> String {
    let strategy = follower.strategy();
    format!(
        "{}, {} of them settled by a plan",
        counted(strategy.positions.len() as u64, "position"),
        grouped(strategy.settled() as u64)
    )
}

/// The follower's last move, and the side to move.
fn status(walk: &Walk<'_>) -> String {
    let side = walk.follower.strategy().claim.side;
    let (own, other) = (side.stone(), side.opponent().stone());
    let done = match walk.replied() {
        Some((at, reply)) if at + 2 >= walk.moves.len() => {
            format!("{own} played {}: {}. ", reply.column.number(), reply.reason)
        }
        _ => String::new(),
    };
    let now = match walk.here().turn {
        Turn::Over(None) => "The game is over: a draw.".to_owned(),
        Turn::Over(Some(winner)) => format!("The game is over: {} wins.", winner.stone()),
        Turn::Follower(Some(reply)) => {
            format!("{own} to move: {} {}.", reply.column.number(), reply.reason)
        }
        Turn::Follower(None) => format!(
            "{own} to move, outside the strategy: a move of {own} was not the strategy's, or the game \
             has not reached its start."
        ),
        Turn::Attacker => match walk.here().active {
            None => format!("{other} to move, in a position outside the strategy."),
            Some(active) => match walk.exits(active).len() as u64 {
                0 => format!("{other} to move: settled, the plan answers every move from here."),
                n => format!("{other} to move: a position with {}.", counted(n, "exit")),
            },
        },
    };
    done + &now
}

fn record(walk: &Walk<'_>) -> Markup {
    if walk.moves.is_empty() {
        return html! {};
    }
    html! {
        section.panel {
            h2 { "Moves" }
            ol.steps #record {
                @for at in 1..=walk.moves.len() {
                    @let (side, name) = if at % 2 == 1 { (Side::First, "X") } else { (Side::Second, "O") };
                    @let label = walk.moves[at - 1].number().to_string();
                    (step(&walk.url(&walk.moves[..at]), Some((side, name)), &label, at == walk.moves.len()))
                }
            }
        }
    }
}

fn replies(walk: &Walk<'_>) -> Markup {
    if walk.here().turn != Turn::Attacker {
        return html! {};
    }
    let side = walk.follower.strategy().claim.side;
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
                        @let (answer, why) = match after.turn {
                            Turn::Follower(Some(Reply { column, reason })) => {
                                (column.number().to_string(), reason.to_string())
                            }
                            Turn::Follower(None) => (String::new(), "outside the strategy".to_owned()),
                            Turn::Over(Some(winner)) => {
                                (String::new(), format!("{} has completed a line", winner.stone()))
                            }
                            Turn::Over(None) | Turn::Attacker => {
                                (String::new(), "fills the board".to_owned())
                            }
                        };
                        tr {
                            td { a href=(walk.url(&moves)) { (column.number()) } }
                            td { (answer) }
                            td { (why) }
                        }
                    }
                }
            }
        }
    }
}

/// Links to the strategies, for the first page.
pub fn cards(explorer: &Shared) -> Markup {
    html! {
        @if !explorer.strategies.is_empty() {
            h2 { "Strategies" }
            ul.cards #strategies {
                @for (i, follower) in explorer.strategies.iter().enumerate() {
                    @let number = if i > 0 { format!("?number={}", i + 1) } else { String::new() };
                    li { a href={ "/strategy" (number) } { b { (title(follower)) } " " (counts(follower)) } }
                }
            }
        }
    }
}
