//! Table of a position's moves by result, the best first.

use std::cmp::Ordering;

use super::view::View;
use crate::web::api::MoveValues;
use crate::web::prelude::*;

pub fn values(view: &View, found: &MoveValues) -> Markup {
    let branches = view.position().branches();
    let mut known: Vec<(&Branch, SourcedValue)> =
        branches.iter().filter_map(|branch| Some((branch, found.value(branch)?))).collect();
    // Stable: equal and incomparable moves stay in ascending order.
    known.sort_by(|(_, a), (_, b)| {
        let by_outcome = b.value.outcome.cmp(&a.value.outcome);
        by_outcome.then(b.value.preference(a.value).unwrap_or(Ordering::Equal))
    });
    let is_scored = known.iter().any(|(_, known)| score(view, *known).is_some());
    let open = branches.len() - known.len();
    html! {
        h2 { "Moves by result" }
        @if branches.is_empty() {
            p { "The game is over." }
        } @else {
            table.data.results {
                thead {
                    tr {
                        th scope="col" { (view.start().info().move_style.word()) }
                        th scope="col" { "value" }
                        @if is_scored {
                            th scope="col" title="Pons' score: how many stones before the \
                                last one the winner completes a line" { "score" }
                        }
                    }
                }
                @for group in known.chunk_by(|(_, a), (_, b)| a.value.outcome == b.value.outcome) {
                    (rows(view, group, found, is_scored))
                }
            }
            @if open > 0 {
                p { (open) @if open == 1 { " move is" } @else { " moves are" }
                    " not solved within the time limit." }
            }
        }
    }
}

/// Pons' score of a move, or its final points.
fn score(view: &View, known: SourcedValue) -> Option<i32> {
    let falls = view.record.rules().is_some_and(Rules::stones_fall);
    let exact = Some(known.value).filter(|_| falls).and_then(PartialValue::exact);
    let empties = view.position().plies_left().unwrap_or_default() as i32;
    exact.map(|value| score_of(value, empties)).or(known.points)
}

/// The rows of moves with one outcome, under its heading.
fn rows(
    view: &View,
    group: &[(&Branch, SourcedValue)],
    found: &MoveValues,
    is_scored: bool,
) -> Markup {
    let (outcome, best): (Outcome, _) = (group[0].1.value.outcome, found.marked());
    html! {
        tbody class={ "v-" (outcome) } {
            tr {
                th colspan=(if is_scored { 3 } else { 2 }) scope="rowgroup" {
                    (outcome) ": " (group.len())
                    @if group.len() == 1 { " move" } @else { " moves" }
                }
            }
            @for (branch, known) in group {
                tr {
                    td {
                        // On the machine's turn there is no link.
                        @if view.is_machines_turn() { (branch.text) }
                        @else { a href=(view.url_after(&[&branch.text])) { (branch.text) } }
                        @if best.has(branch.bit) {
                            " " span title="best" { "★" } span.spoken { " best" }
                        }
                    }
                    td { (view.words(known.value, view.side_to_move())) }
                    @if is_scored {
                        td {
                            @match score(view, *known) {
                                // The score of a draw has no sign.
                                Some(0) => "0",
                                Some(score) => (format!("{score:+}")),
                                None => {}
                            }
                        }
                    }
                }
            }
        }
    }
}
