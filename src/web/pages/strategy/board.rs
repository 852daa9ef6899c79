//! Board of a strategy page: every empty cell shows the follower's answer to the attacker's stone
//! there.

use super::Walk;
use crate::web::prelude::*;
use everyply_connect_four::strategy::{ActivePlan, AnswerRule, Cell, Turn};
use everyply_core::game::Move;
use everyply_core::games::line::LineGame;

pub fn board(walk: &Walk<'_>) -> Markup {
    let size = walk.follower.game().size();
    let class = if size.width > 9 { "large" } else { "medium" };
    let columns = walk.columns();
    html! {
        table class={ "board falls " (class) } id="board" aria-label="Board" tabindex="-1"
            data-none={ "there is no column #: choose one of 1 to " (size.width) } {
            thead {
                tr {
                    @for column in (0..size.width).map(Move) {
                        th scope="col" { (head(walk, column, columns.contains(&column))) }
                    }
                }
            }
            tbody {
                @for row in (0..u32::from(size.height)).rev() {
                    tr {
                        @for column in 0..u32::from(size.width) {
                            td { (cell(walk, Cell { column, row })) }
                        }
                    }
                }
            }
        }
    }
}

/// The head of a column: a link to the game after this move and the follower's reply.
fn head(walk: &Walk<'_>, column: Move, is_open: bool) -> Markup {
    let number = column.number();
    if !is_open || !matches!(walk.here().turn, Turn::Attacker) {
        return html! { span class="place off" { (number) } };
    }
    let (after, moves) = walk.after(column);
    let answer = match after.turn {
        Turn::Follower(Some(reply)) => format!("→ {}", reply.column.number()),
        Turn::Follower(None) => "?".to_owned(),
        Turn::Over(_) | Turn::Attacker => "over".to_owned(),
    };
    let is_exit = walk.here().active.is_some_and(|active| walk.exits(active).contains(&column));
    let class = if is_exit { "place exit" } else { "place" };
    html! {
        a class=(class) data-move=(number) href=(walk.url(&moves)) {
            span.spoken { "column " }
            span.number { (number) }
            span.value { span.spoken { ": " } b { (answer) } }
            @if is_exit { span.number { "exit" } }
        }
    }
}

fn cell(walk: &Walk<'_>, cell: Cell) -> Markup {
    let standing = walk.here();
    let (first, second) = standing.position.by_player();
    let game = walk.follower.game();
    let bit = game.cell(cell.column, u32::from(game.size().height) - 1 - cell.row);
    let side = match (first & bit != 0, second & bit != 0) {
        (true, _) => 'X',
        (_, true) => 'O',
        _ => return hole(walk, cell, standing.active),
    };
    let before = walk.standings.len().checked_sub(2).map(|at| walk.standings[at].position);
    let is_last = before.is_some_and(|before| before.occupied() & bit == 0);
    let class =
        format!("stone {}{}", side.to_ascii_lowercase(), if is_last { " last" } else { "" });
    html! { span class=(class) role="img" aria-label=(side) { (side) } }
}

fn hole(walk: &Walk<'_>, cell: Cell, active: Option<ActivePlan>) -> Markup {
    let Some(active) = active.filter(|active| is_drawn(walk, *active)) else {
        return html! { span.hole aria-hidden="true" {} };
    };
    let answer = walk.follower.planned_answer(active, cell);
    let sign = match answer {
        AnswerRule::OnTop | AnswerRule::OnTopOf(_) => "↑".to_owned(),
        AnswerRule::InColumn(column) => column.number().to_string(),
        AnswerRule::FirstWithRoom { .. } => "·".to_owned(),
    };
    html! { span class="hole plan" title={ (cell) ": " (answer) } { (sign) } }
}

/// True if some column is not an exit, so that the plan answers in it.
fn is_drawn(walk: &Walk<'_>, active: ActivePlan) -> bool {
    walk.exits(active).len() < walk.columns().len()
}

pub fn legend(walk: &Walk<'_>) -> Markup {
    let side = walk.follower.strategy().claim.side;
    let (own, other) = (side.stone(), side.opponent().stone());
    let Some(active) = walk.here().active else { return html! {} };
    if !is_drawn(walk, active) {
        return html! {
            p.help {
                "Every column is an exit: after each, " (own) " moves to another position of the \
                 strategy."
            }
        };
    }
    let resort = if active.is_mirrored { "last" } else { "first" };
    html! {
        p.help {
            "An empty cell shows where " (own) " answers if " (other) " takes it: ↑ is on top, a \
             number is a column, · is the " (resort) " column with room. Before that, " (own)
            " completes a line if it can, and blocks a line if it must. Exits are the columns that \
             the plan does not meet: after them " (own) " moves to another position of the strategy."
        }
    }
}
