//! Table of a position's moves by result, the best first.

use maud::{Markup, html};

use super::view::View;
use crate::web::api::MoveValues;
use everyply_connect_four::solver::score_of;
use everyply_core::game::{Outcome, PartialValue};
use everyply_core::games::line::Rules;

/// A move and its value, if that is known.
struct ResultRow {
    label: String,
    /// The page after the move, if the visitor may make it.
    url: Option<String>,
    value: Option<PartialValue>,
    is_best: bool,
    /// Pons' score, or the final points.
    score: Option<i32>,
}

pub fn values(view: &View, found: &MoveValues) -> Markup {
    let study = view.study();
    let best = found.marked();
    let empties = study.plies_left().unwrap_or_default() as i32;
    let is_scored = view.record.rules().is_some_and(Rules::stones_fall);
    let rows = study.branches().into_iter().map(|branch| {
        let known = found.value(&branch);
        let value = known.map(|known| known.value);
        let exact = value.and_then(PartialValue::exact).filter(|_| is_scored);
        ResultRow {
            url: (!view.is_machines_turn()).then(|| view.url_after(&[&branch.text])),
            value,
            is_best: best.has(branch.bit),
            score: exact
                .map(|value| score_of(value, empties))
                .or(known.and_then(|known| known.points)),
            label: branch.text,
        }
    });
    table(view, rows.collect())
}

fn table(view: &View, rows: Vec<ResultRow>) -> Markup {
    let is_over = rows.is_empty();
    let (mut known, open): (Vec<ResultRow>, Vec<ResultRow>) =
        rows.into_iter().partition(|row| row.value.is_some());
    // Stable: equal and incomparable moves stay in ascending order.
    known.sort_by(|a, b| {
        let (Some(a), Some(b)) = (a.value, b.value) else { return std::cmp::Ordering::Equal };
        let by_outcome = b.outcome.cmp(&a.outcome);
        by_outcome.then(b.preference(a).unwrap_or(std::cmp::Ordering::Equal))
    });
    let scored = known.iter().any(|row| row.score.is_some());
    html! {
        h2 { "Moves by result" }
        @if is_over {
            p { "The game is over." }
        } @else {
            table.data.results {
                thead {
                    tr {
                        th scope="col" { (view.start().info().move_style.word()) }
                        th scope="col" { "value" }
                        @if scored {
                            th scope="col" title="Pons' score: how many stones before the \
                                last one the winner completes a line" { "score" }
                        }
                    }
                }
                @for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
                    (group(view, outcome, &known, scored))
                }
            }
            @if !open.is_empty() {
                p { (open.len()) @if open.len() == 1 { " move is" } @else { " moves are" }
                    " not solved within the time limit." }
            }
        }
    }
}

/// A score with its sign; the score of a draw has none.
fn signed(score: i32) -> String {
    if score == 0 { "0".to_owned() } else { format!("{score:+}") }
}

/// The rows of moves with one outcome, under its heading.
fn group(view: &View, outcome: Outcome, known: &[ResultRow], scored: bool) -> Markup {
    let with_value = known.iter().filter_map(|row| Some((row, row.value?)));
    let group: Vec<_> = with_value.filter(|(_, value)| value.outcome == outcome).collect();
    html! {
        @if !group.is_empty() {
            tbody class={ "v-" (outcome) } {
                tr {
                    th colspan=(if scored { 3 } else { 2 }) scope="rowgroup" {
                        (outcome) ": " (group.len())
                        @if group.len() == 1 { " move" } @else { " moves" }
                    }
                }
                @for &(row, value) in &group {
                    tr {
                        td {
                            @match &row.url {
                                Some(url) => a href=(url) { (row.label) },
                                None => (row.label),
                            }
                            @if row.is_best {
                                " " span title="best" { "★" } span.spoken { " best" }
                            }
                        }
                        td { (view.words(value, view.side_to_move())) }
                        @if scored {
                            td { @if let Some(score) = row.score { (signed(score)) } }
                        }
                    }
                }
            }
        }
    }
}
