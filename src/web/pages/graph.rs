//! The game's value over its plies, with the mistakes.

use maud::{Markup, html};

use super::view::View;
use crate::game::{Outcome, PartialValue};
use crate::games::line::LineGame;
use crate::games::line::notation::side_to_move;
use crate::web::Shared;
use crate::web::api::{Annotation, ApiError, Remark, annotations};
use crate::web::text::value_in_words;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 16.0;
const MIDDLE: f64 = 92.0;
/// From a draw to a win at once.
const REACH: f64 = 76.0;

/// The graph of a view, with its table.
pub async fn graph(explorer: &Shared, view: &View) -> Result<Markup, ApiError> {
    let annotations = annotations(explorer, view.record()).await?;
    let missing = annotations.iter().filter(|annotations| annotations.known.is_none()).count();
    let mistakes = annotations.iter().filter(|j| j.remark == Some(Remark::Mistake)).count();
    Ok(html! {
        h2 { "The game so far, for " (view.visitor()) }
        @if view.moves.is_empty() {
            p { "No move has been played." }
        } @else {
            (drawn(view, &annotations))
        }
        p #mistakes data-mistakes=(mistakes) data-missing=(missing) {
            @match mistakes {
                0 => @if missing == 0 { "No move has changed the outcome." },
                1 => { "One move has changed the outcome for the worse." }
                n => { (n) " moves have changed the outcome for the worse." }
            }
            @if missing > 0 {
                " " (missing) " positions were not solved in the time there is."
            }
        }
        (table(view, &annotations))
    })
}

/// The value of a ply for one side: the outcome seen from there.
fn seen_from(view: &View, ply: usize, known: PartialValue) -> Outcome {
    let to_move = side_to_move(view.record().position_at(ply));
    if to_move == view.visitor() { known.outcome } else { -known.outcome }
}

/// How high a value is drawn: sooner ends lie further out.
fn height(view: &View, ply: usize, known: PartialValue) -> f64 {
    let cells = f64::from(view.game.size().cells());
    let end = known.remoteness.map_or(cells, |r| ply as f64 + f64::from(r.0));
    let soon = 0.35 + 0.65 * (1.0 - end / (cells + 1.0)).clamp(0.0, 1.0);
    MIDDLE - REACH * soon * f64::from(seen_from(view, ply, known).sign())
}

fn drawn(view: &View, annotations: &[Annotation]) -> Markup {
    let last = (annotations.len() - 1).max(1) as f64;
    let x = |ply: usize| LEFT + (WIDTH - LEFT - RIGHT) * ply as f64 / last;
    let side = view.visitor();
    let known: Vec<(usize, PartialValue, Option<Remark>)> = annotations
        .iter()
        .enumerate()
        .filter_map(|(ply, annotations)| Some((ply, annotations.known?.value, annotations.remark)))
        .collect();
    let points: Vec<String> = known
        .iter()
        .map(|&(ply, known, _)| format!("{:.1},{:.1}", x(ply), height(view, ply, known)))
        .collect();
    let words = [("win", MIDDLE - REACH * 0.7), ("draw", MIDDLE), ("loss", MIDDLE + REACH * 0.7)];
    html! {
        svg.graph viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="group"
            aria-label={
                "Value of the game for " (side) " over its plies; the table below says the same"
            } {
            @for (word, y) in words { text x="4" y=(format!("{:.0}", y + 7.0)) { (word) } }
            line.axis x1=(LEFT) x2=(WIDTH - RIGHT) y1=(MIDDLE) y2=(MIDDLE) {}
            text x=(WIDTH - RIGHT) y=(HEIGHT - 6.0) text-anchor="end" {
                "ply " (annotations.len() - 1)
            }
            text x=(LEFT) y=(HEIGHT - 6.0) { "0" }
            polyline.course points=(points.join(" ")) {}
            @for &(ply, value, remark) in &known {
                @let (x, y) = (format!("{:.1}", x(ply)), height(view, ply, value));
                @let (class, radius) = match remark {
                    Some(Remark::Mistake) => ("mistake", 7.0),
                    _ if ply == view.at => ("current", 6.0),
                    _ => ("point", 3.5),
                };
                a href=(view.at(ply).url()) aria-label={ "ply " (ply) } {
                    circle class=(class) cx=(x) cy=(format!("{y:.1}")) r=(radius) {}
                    @if class == "mistake" {
                        text.sign x=(x) y=(format!("{:.1}", y - 10.0)) { "?" }
                    }
                    title {
                        "ply " (ply) ": " (seen_from(view, ply, value)) " for " (side)
                    }
                }
            }
        }
    }
}

fn table(view: &View, annotations: &[Annotation]) -> Markup {
    html! {
        details {
            summary { "As a table" }
            table.data {
                thead {
                    tr {
                        @for column in ["ply", "move", "by", "value", "remark"] {
                            th scope="col" { (column) }
                        }
                    }
                }
                tbody {
                    @for (ply, annotation) in annotations.iter().enumerate() {
                        (row(view, ply, annotation))
                    }
                }
            }
        }
    }
}

fn row(view: &View, ply: usize, annotation: &Annotation) -> Markup {
    let (m, by) = match ply.checked_sub(1) {
        Some(i) => (view.moves[i].number().to_string(), if ply % 2 == 1 { 'X' } else { 'O' }),
        None => ("-".to_owned(), '-'),
    };
    let to_move = side_to_move(view.record().position_at(ply));
    html! {
        tr {
            td { a href=(view.at(ply).url()) aria-label={ "to ply " (ply) } { (ply) } }
            td { (m) }
            td { (by) }
            td {
                @match annotation.known {
                    Some(known) => { (value_in_words(known.value)) " for " (to_move) }
                    None => { "not solved" }
                }
            }
            td {
                @match annotation.remark {
                    None => {}
                    Some(Remark::Mistake) => { "mistake" }
                    Some(Remark::Inexact(plies)) => { (plies) " plies lost" }
                }
            }
        }
    }
}
