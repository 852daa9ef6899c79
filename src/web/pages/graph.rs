//! The game's value over its plies, with the mistakes.

use maud::{Markup, html};

use super::line::side;
use super::view::View;
use crate::game::{Outcome, PartialValue};
use crate::games::line::notation::side_to_move;
use crate::oracle::Valued;
use crate::web::Shared;
use crate::web::api::{Annotation, ApiError, Remark, annotations};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 108.0;
const RIGHT: f64 = 16.0;
const MIDDLE: f64 = 92.0;
/// From a draw to a win at once.
const REACH: f64 = 76.0;
/// The part of it that lies between a draw and a win at the last ply.
const LATE: f64 = 0.35;

/// The graph of a view, with its table.
pub async fn graph<G: Valued>(explorer: &Shared, view: &View<G>) -> Result<Markup, ApiError> {
    let annotations = annotations(explorer, view.record()).await?;
    let missing = annotations.iter().filter(|annotations| annotations.known.is_none()).count();
    let mistakes = annotations.iter().filter(|j| j.remark == Some(Remark::Mistake)).count();
    let other = if view.second { 'X' } else { 'O' };
    Ok(html! {
        h2 { "The game so far, for " (view.visitor()) }
        @if view.moves.is_empty() {
            p { "No move has been played." }
        } @else {
            (drawn(view, &annotations))
            p.help #axis {
                "Above the line " (view.visitor()) " wins, below it " (other) " does, on it the \
                 game is drawn; the farther from the line, the sooner it ends. A click on the \
                 graph leads to that ply."
            }
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
        (errors(view, &annotations))
        (table(view, &annotations))
    })
}

/// Who erred and by how much, each with a link to the position after the move.
fn errors<G: Valued>(view: &View<G>, annotations: &[Annotation]) -> Markup {
    let erred = annotations.iter().enumerate().filter_map(|(ply, annotation)| {
        annotation.remark?;
        let before = annotations.get(ply.checked_sub(1)?)?.known?.value;
        Some((ply, before, annotation.known?.value.for_parent(), annotation.remark?))
    });
    let erred: Vec<_> = erred.collect();
    html! {
        @if !erred.is_empty() {
            ul #errors {
                @for &(ply, before, after, remark) in &erred {
                    @let class = if remark == Remark::Mistake { "mistake" } else { "inexact" };
                    li class=(class) {
                        a href=(view.at(ply).url()) { (move_in_words(view, ply)) }
                        ": " (before) " → " (after)
                    }
                }
            }
        }
    }
}

/// The move to a ply: `X's 5th move, 3`.
fn move_in_words<G: Valued>(view: &View<G>, ply: usize) -> String {
    let number = ply.div_ceil(2);
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    let by = side(ply).unwrap_or('-');
    format!("{by}'s {number}{ending} move, {}", view.moves[ply - 1].number())
}

/// The value of a ply for one side: the outcome seen from there.
fn seen_from<G: Valued>(view: &View<G>, ply: usize, known: PartialValue) -> Outcome {
    let to_move = side_to_move(view.record().position_at(ply));
    if to_move == view.visitor() { known.outcome } else { -known.outcome }
}

/// How high a value is drawn: sooner ends lie further out.
fn height<G: Valued>(view: &View<G>, ply: usize, known: PartialValue) -> f64 {
    let cells = f64::from(view.game.size().cells());
    let end = known.remoteness.map_or(cells, |r| ply as f64 + f64::from(r.0));
    let soon = LATE + (1.0 - LATE) * (1.0 - end / (cells + 1.0)).clamp(0.0, 1.0);
    MIDDLE - REACH * soon * f64::from(seen_from(view, ply, known).sign())
}

fn drawn<G: Valued>(view: &View<G>, annotations: &[Annotation]) -> Markup {
    let last = (annotations.len() - 1).max(1) as f64;
    let x = |ply: usize| LEFT + (WIDTH - LEFT - RIGHT) * ply as f64 / last;
    let known: Vec<(usize, PartialValue, Option<Remark>)> = annotations
        .iter()
        .enumerate()
        .filter_map(|(ply, annotations)| Some((ply, annotations.known?.value, annotations.remark)))
        .collect();
    let points: Vec<String> = known
        .iter()
        .map(|&(ply, known, _)| format!("{:.1},{:.1}", x(ply), height(view, ply, known)))
        .collect();
    let words = [
        ("early win", MIDDLE - REACH),
        ("late win", MIDDLE - REACH * LATE),
        ("draw", MIDDLE),
        ("late loss", MIDDLE + REACH * LATE),
        ("early loss", MIDDLE + REACH),
    ];
    let step = (WIDTH - LEFT - RIGHT) / last;
    html! {
        svg.graph viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="group"
            aria-label={
                "Value of the game for " (view.visitor())
                " over its plies; the table below says the same"
            } {
            @for (word, y) in words { text x="4" y=(format!("{:.0}", y + 7.0)) { (word) } }
            line.axis x1=(LEFT) x2=(WIDTH - RIGHT) y1=(MIDDLE) y2=(MIDDLE) {}
            text x=(WIDTH - RIGHT) y=(HEIGHT - 6.0) text-anchor="end" {
                "ply " (annotations.len() - 1)
            }
            text x=(LEFT) y=(HEIGHT - 6.0) { "0" }
            polyline.course points=(points.join(" ")) {}
            @for &(ply, value, remark) in &known {
                @let (x, y) = (x(ply), height(view, ply, value));
                @let (class, radius) = match remark {
                    Some(Remark::Mistake) => ("mistake", 7.0),
                    _ if ply == view.at => ("current", 6.0),
                    _ => ("point", 3.5),
                };
                a href=(view.at(ply).url()) aria-label={ "ply " (ply) } {
                    // All of its height leads there.
                    rect.hit x=(format!("{:.1}", x - step / 2.0)) y="0"
                        width=(format!("{step:.1}")) height=(HEIGHT - 24.0) {}
                    circle class=(class) cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r=(radius) {}
                    @if class == "mistake" {
                        text.sign x=(format!("{x:.1}")) y=(format!("{:.1}", y - 10.0)) { "?" }
                    }
                    title {
                        "ply " (ply) ": "
                        (value.words_for(side_to_move(view.record().position_at(ply))))
                    }
                }
            }
        }
    }
}

fn table<G: Valued>(view: &View<G>, annotations: &[Annotation]) -> Markup {
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

fn row<G: Valued>(view: &View<G>, ply: usize, annotation: &Annotation) -> Markup {
    let m =
        ply.checked_sub(1).map_or_else(|| "-".to_owned(), |i| view.moves[i].number().to_string());
    let by = side(ply).unwrap_or('-');
    let to_move = side_to_move(view.record().position_at(ply));
    html! {
        tr {
            td { a href=(view.at(ply).url()) aria-label={ "to ply " (ply) } { (ply) } }
            td { (m) }
            td { (by) }
            td {
                @match annotation.known {
                    Some(known) => { (known.value.words_for(to_move)) }
                    None => { "not solved" }
                }
            }
            td {
                @match annotation.remark {
                    None => {}
                    Some(Remark::Mistake) => { "mistake" }
                    Some(Remark::Inexact(1)) => { "1 ply lost" }
                    Some(Remark::Inexact(plies)) => { (plies) " plies lost" }
                }
            }
        }
    }
}
