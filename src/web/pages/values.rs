//! The moves of a position by what they lead to, the best first.

use maud::{Markup, html};

use super::falls;
use super::view::View;
use crate::connect_four::solver::score_of;
use crate::game::{Move, Outcome, PartialValue};
use crate::oracle::{SourcedValue, Valued, best_of};
use crate::web::Shared;
use crate::web::api::{ApiError, move_results};

/// The panel of a view, with what is found in the time there is.
pub async fn values<G: Valued>(explorer: &Shared, view: &View<G>) -> Result<Markup, ApiError> {
    let (results, complete) = move_results(explorer, view.game, view.position(), None).await?;
    Ok(table(view, &results, complete))
}

/// The panel with these values.
pub fn table<G: Valued>(
    view: &View<G>,
    results: &[(Move, SourcedValue)],
    complete: bool,
) -> Markup {
    let mut moves: Vec<(Move, PartialValue)> =
        results.iter().map(|(m, known)| (*m, known.value)).collect();
    // Stable, so that equals stay by ascending move; of what is not comparable the order is kept.
    moves.sort_by(|(_, a), (_, b)| {
        let by_outcome = b.outcome.cmp(&a.outcome);
        by_outcome.then(b.preference(*a).unwrap_or(std::cmp::Ordering::Equal))
    });
    let best = best_of(results).filter(|_| complete).unzip().1.unwrap_or_default();
    let open = (view.game.moves(view.position()).len() as usize).saturating_sub(moves.len());
    html! {
        h2 { "Moves by result" }
        @if view.game.result(view.position()).is_some() {
            p { "The game is over." }
        } @else {
            table.data.results {
                thead {
                    tr {
                        th scope="col" { (if falls(view) { "column" } else { "cell" }) }
                        th scope="col" { "value" }
                        @if falls(view) {
                            th scope="col" title="Pons' score: how many stones before the last \
                                one the winner completes his line" { "score" }
                        }
                    }
                }
                @for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
                    (group(view, outcome, &moves, |m| best.contains(m)))
                }
            }
            @if open > 0 {
                p { (open) @if open == 1 { " move is" } @else { " moves are" }
                    " not solved in the time there is." }
            }
        }
    }
}

/// A score that says for whom it is; that of a draw is for nobody.
fn signed(score: i32) -> String {
    if score == 0 { "0".to_owned() } else { format!("{score:+}") }
}

/// The moves that lead to one outcome; nothing if there are none.
fn group<G: Valued>(
    view: &View<G>,
    outcome: Outcome,
    moves: &[(Move, PartialValue)],
    is_best: impl Fn(Move) -> bool,
) -> Markup {
    let group: Vec<_> = moves.iter().filter(|(_, value)| value.outcome == outcome).collect();
    let empties = view.game.plies_left(view.position()) as i32;
    html! {
        @if !group.is_empty() {
            tbody class={ "v-" (outcome) } {
                tr {
                    th colspan=(if falls(view) { 3 } else { 2 }) scope="rowgroup" {
                        (outcome) ": " (group.len())
                        @if group.len() == 1 { " move" } @else { " moves" }
                    }
                }
                @for &&(m, value) in &group {
                    tr {
                        td {
                            @if view.is_machines_turn() {
                                (m.number())
                            } @else {
                                a href=(view.playing(m).url()) { (m.number()) }
                            }
                            @if is_best(m) {
                                " " span title="best" { "★" } span.spoken { " best" }
                            }
                        }
                        td { (value.words_for(view.side_to_move())) }
                        @if falls(view) {
                            td {
                                @if let Some(value) = value.exact() {
                                    (signed(score_of(value, empties)))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
