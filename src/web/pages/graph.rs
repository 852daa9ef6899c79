//! Graph of the game's value over its plies, with mistakes.

use super::view::View;
use crate::svg::decimal;
use crate::web::api::{MoveError, move_errors, record_values};
use crate::web::prelude::*;
use crate::web::text::sentence;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 108.0;
const RIGHT: f64 = 16.0;
const MIDDLE: f64 = 92.0;
/// Height from a draw to an immediate win.
const REACH: f64 = 76.0;
/// The part of it between a draw and a win at the last ply.
const LATE: f64 = 0.35;

/// The value of a position if it is known, and the error of the move to it.
type Annotation = (Option<PartialValue>, Option<MoveError>);

/// The panel of a view; `None` if it needs a search and none is wanted.
pub async fn graph(
    explorer: &Shared,
    view: &View,
    search: bool,
    limit: Option<Duration>,
) -> Result<Option<Markup>, ApiError> {
    let positions = 0..=view.record.length();
    let known = positions.map(|at| explorer.oracle.known(view.record.course.position_at(at)));
    let mut known: Vec<_> = known.collect::<Result<_, _>>()?;
    if known.iter().any(Option::is_none) {
        if !search {
            return Ok(None);
        }
        known = record_values(explorer, &view.record, limit).await?;
    }
    Ok(Some(panel(view, &known)))
}

fn panel(view: &View, known: &[Option<SourcedValue>]) -> Markup {
    let move_errors = move_errors(known, |at| view.record.keeps_turn(at));
    let values = known.iter().map(|known| known.map(|known| known.value));
    let annotations: Vec<Annotation> = values.zip(move_errors).collect();
    let missing = known.iter().filter(|known| known.is_none()).count();
    let mistakes = annotations.iter().filter(|(_, r)| *r == Some(MoveError::Mistake)).count();
    let (visitor, other) = (view.name(view.visitor()), view.name(view.visitor().other()));
    html! {
        h2 { "The game so far, for " (visitor) }
        @if view.record.length() == 0 {
            p { "No move has been played." }
        } @else {
            (lesson(view, &annotations))
            (drawn(view, &annotations))
            p.help #axis {
                "Above the line " (visitor) " wins, below it " (other) " wins, on it the \
                 game is drawn. The farther from the line, the sooner the game ends. A click on \
                 the graph opens that ply."
            }
        }
        p #mistakes data-mistakes=(mistakes) data-missing=(missing) {
            @match mistakes {
                0 => @if missing == 0 { "No move has changed the outcome." },
                1 => { "One move has changed the outcome for the worse." }
                n => { (n) " moves have changed the outcome for the worse." }
            }
            @if missing > 0 {
                " " (missing) " positions were not solved within the time limit."
            }
        }
        (errors(view, &annotations))
    }
}

/// The last move that cost the loser the game, once it is over; in a drawn game the last one that cost
/// a win. It links to the position before.
fn lesson(view: &View, annotations: &[Annotation]) -> Markup {
    let last = annotations.len() - 1;
    let end = annotations[last].0.filter(|value| value.remoteness == Some(Remoteness(0)));
    let to_move = view.record.side_at(last);
    let loser = match end.map(|value| value.outcome) {
        None => return html! {},
        Some(Outcome::Draw) => None,
        Some(Outcome::Loss) => Some(to_move),
        Some(Outcome::Win) => Some(to_move.other()),
    };
    let erred = (1..=last).rev().find(|&at| {
        let is_losers = loser.is_none() || view.mover(at) == loser;
        is_losers && annotations[at].1 == Some(MoveError::Mistake)
    });
    let before = erred.and_then(|at| Some((at, annotations[at - 1].0?.outcome)));
    html! {
        @match (before, loser) {
            (Some((at, outcome)), _) => p #lesson {
                b { (move_in_words(view, at)) ", lost a " (outcome) ". " }
                a href=(view.url_at(at - 1)) { "Play again from there" }
            },
            (None, Some(loser)) => p #lesson { b { (sentence(view.name(loser))) " was lost from the start." } },
            (None, None) => {}
        }
    }
}

/// A list of errors: side, move, loss, and a link to the position after the move.
fn errors(view: &View, annotations: &[Annotation]) -> Markup {
    let erred = annotations.iter().enumerate().filter_map(|(at, &(after, error))| {
        let (before, keeps_turn) =
            (annotations.get(at.checked_sub(1)?)?.0?, view.record.keeps_turn(at));
        Some((at, before, after?.one_ply_earlier(keeps_turn), error?))
    });
    let erred: Vec<_> = erred.collect();
    let words = |value| view.start().value_in_words(value);
    html! {
        @if !erred.is_empty() {
            ul #errors {
                @for &(at, before, after, error) in &erred {
                    @let class = if error == MoveError::Mistake { "mistake" } else { "inexact" };
                    li class=(class) {
                        a href=(view.url_at(at)) { (move_in_words(view, at)) }
                        ": " (words(before)) " → " (words(after))
                    }
                }
            }
        }
    }
}

/// The move to a position in words: `X's 5th move, 3`.
fn move_in_words(view: &View, at: usize) -> String {
    let by = view.mover(at);
    let number = (1..=at).filter(|&earlier| view.mover(earlier) == by).count();
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    let by = by.map_or("-", |side| view.name(side));
    sentence(&format!("{by}'s {number}{ending} move, {}", view.label(at)))
}

/// The height of a value in the graph: sooner ends lie further from the middle.
fn height(view: &View, most: f64, at: usize, value: PartialValue) -> f64 {
    let end = value.remoteness.map_or(most, |Remoteness(r)| at as f64 + f64::from(r));
    let soon = LATE + (1.0 - LATE) * (1.0 - end / (most + 1.0)).clamp(0.0, 1.0);
    let seen = |outcome: Outcome| {
        if view.record.side_at(at) == view.visitor() { outcome } else { -outcome }
    };
    MIDDLE - REACH * soon * f64::from(seen(value.outcome).sign())
}

fn drawn(view: &View, annotations: &[Annotation]) -> Markup {
    let last = (annotations.len() - 1).max(1) as f64;
    let x = |ply: usize| LEFT + (WIDTH - LEFT - RIGHT) * ply as f64 / last;
    let known: Vec<(usize, PartialValue, Option<MoveError>)> = annotations
        .iter()
        .enumerate()
        .filter_map(|(ply, &(value, error))| Some((ply, value?, error)))
        .collect();
    // Without a bound on plies, the graph is as long as the longest known play.
    let ends =
        known.iter().filter_map(|&(ply, value, _)| Some(ply + usize::from(value.remoteness?.0)));
    let most = ends.max().unwrap_or(0).max(view.start().plies_left().unwrap_or(0) as usize) as f64;
    let points: Vec<String> = known
        .iter()
        .map(|&(ply, known, _)| [x(ply), height(view, most, ply, known)].map(decimal).join(","))
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
                "Value of the game for " (view.name(view.visitor())) " over its plies"
            } {
            @for (word, y) in words { text x="4" y=(decimal(y + 7.0)) { (word) } }
            line.axis x1=(LEFT) x2=(WIDTH - RIGHT) y1=(MIDDLE) y2=(MIDDLE) {}
            text x=(WIDTH - RIGHT) y=(HEIGHT - 6.0) text-anchor="end" {
                "ply " (annotations.len() - 1)
            }
            text x=(LEFT) y=(HEIGHT - 6.0) { "0" }
            polyline.course points=(points.join(" ")) {}
            @for &(ply, value, error) in &known {
                @let (x, y) = (x(ply), height(view, most, ply, value));
                @let (class, radius) = match error {
                    Some(MoveError::Mistake) => ("mistake", 7.0),
                    _ if ply == view.at => ("current", 6.0),
                    _ => ("point", 3.5),
                };
                @let words = view.words(value, view.record.side_at(ply));
                @let label = format!("ply {ply}, {}: {words}", view.label(ply));
                a href=(view.url_at(ply)) aria-label=(label) {
                    // The whole height of the ply is the link.
                    rect.hit x=(decimal(x - step / 2.0)) y="0"
                        width=(decimal(step)) height=(HEIGHT - 24.0) {}
                    circle class=(class) cx=(decimal(x)) cy=(decimal(y)) r=(radius) {}
                    @if class == "mistake" {
                        text.sign x=(decimal(x)) y=(decimal(y - 10.0)) { "?" }
                    }
                    title { (label) }
                }
            }
        }
    }
}
