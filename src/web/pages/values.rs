//! The moves of a position by what they lead to, the best first.

use maud::{Markup, html};

use super::model::Model;
use super::view::View;
use crate::connect_four::solver::score_of;
use crate::game::{Move, Outcome, PartialValue};
use crate::oracle::{SourcedValue, Valued, best_of};
use crate::web::Shared;
use crate::web::api::{ApiError, move_results};

/// A move, with what it leads to as far as that is known.
pub struct Row {
    pub label: String,
    /// The page after the move, where the visitor may make it.
    pub url: Option<String>,
    pub value: Option<PartialValue>,
    pub is_best: bool,
    /// Pons' score.
    pub score: Option<i32>,
}

/// The panel of a view, with what is found in the time there is.
pub async fn values<G: Valued>(explorer: &Shared, view: &View<G>) -> Result<Markup, ApiError> {
    let (results, complete) = move_results(explorer, view.game, view.position(), None).await?;
    Ok(of_view(view, &results, complete))
}

/// The panel of a view with these values.
pub fn of_view<G: Valued>(
    view: &View<G>,
    results: &[(Move, SourcedValue)],
    complete: bool,
) -> Markup {
    let position = view.position();
    let best = best_of(results).filter(|_| complete).unzip().1.unwrap_or_default();
    let empties = view.game.plies_left(position) as i32;
    let falls = view.game.rules().stones_fall();
    let is_over = view.game.result(position).is_some();
    let moves = view.game.moves(position).into_iter().filter(|_| !is_over);
    let rows = moves.map(|m| {
        let value = results.iter().find(|(other, _)| *other == m).map(|(_, known)| known.value);
        Row {
            label: m.number().to_string(),
            url: (!view.is_machines_turn()).then(|| view.playing(m).url()),
            value,
            is_best: best.contains(m),
            score: value
                .and_then(PartialValue::exact)
                .filter(|_| falls)
                .map(|v| score_of(v, empties)),
        }
    });
    table(&view.model(), rows.collect())
}

/// The panel of these moves, which are all there are.
pub fn table(model: &Model, rows: Vec<Row>) -> Markup {
    let is_over = rows.is_empty();
    let (mut known, open): (Vec<Row>, Vec<Row>) =
        rows.into_iter().partition(|row| row.value.is_some());
    // Stable, so that equals stay by ascending move; of what is not comparable the order is kept.
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
                        th scope="col" { (model.word) }
                        th scope="col" { "value" }
                        @if scored {
                            th scope="col" title="Pons' score: how many stones before the last \
                                one the winner completes his line" { "score" }
                        }
                    }
                }
                @for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
                    (group(model, outcome, &known, scored))
                }
            }
            @if !open.is_empty() {
                p { (open.len()) @if open.len() == 1 { " move is" } @else { " moves are" }
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
fn group(model: &Model, outcome: Outcome, known: &[Row], scored: bool) -> Markup {
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
                        td { (model.words(value, model.here().to_move)) }
                        @if scored {
                            td { @if let Some(score) = row.score { (signed(score)) } }
                        }
                    }
                }
            }
        }
    }
}
