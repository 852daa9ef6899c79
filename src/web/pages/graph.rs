//! The game's value over its plies, with the mistakes.

use std::fmt::Write;

use super::view::View;
use crate::game::{Outcome, PartialValue};
use crate::games::line::LineGame;
use crate::games::line::notation::side_to_move;
use crate::html::escaped;
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
pub async fn graph(explorer: &Shared, view: &View) -> Result<String, ApiError> {
    let annotations = annotations(explorer, view.record()).await?;
    let missing = annotations.iter().filter(|annotations| annotations.known.is_none()).count();
    let side = view.visitor();
    let mut html = format!("<h2>The game so far, for {side}</h2>");
    if view.moves.is_empty() {
        html.push_str("<p>No move has been played.</p>");
    } else {
        html.push_str(&drawn(view, &annotations));
    }
    let mistakes = annotations.iter().filter(|j| j.remark == Some(Remark::Mistake)).count();
    let _ = write!(
        html,
        "<p id=\"mistakes\" data-mistakes=\"{mistakes}\" data-missing=\"{missing}\">{}{}</p>",
        match mistakes {
            0 if missing == 0 => "No move has changed the outcome.".to_owned(),
            0 => String::new(),
            1 => "One move has changed the outcome for the worse.".to_owned(),
            n => format!("{n} moves have changed the outcome for the worse."),
        },
        if missing > 0 {
            format!(" {missing} positions were not solved in the time there is.")
        } else {
            String::new()
        }
    );
    html.push_str(&table(view, &annotations));
    Ok(html)
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

fn drawn(view: &View, annotations: &[Annotation]) -> String {
    let last = (annotations.len() - 1).max(1) as f64;
    let x = |ply: usize| LEFT + (WIDTH - LEFT - RIGHT) * ply as f64 / last;
    let side = view.visitor();
    let mut svg = format!(
        "<svg class=\"graph\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"group\" \
         aria-label=\"Value of the game for {side} over its plies; the table below says the same\">"
    );
    for (word, y) in
        [("win", MIDDLE - REACH * 0.7), ("draw", MIDDLE), ("loss", MIDDLE + REACH * 0.7)]
    {
        let _ = write!(svg, "<text x=\"4\" y=\"{:.0}\">{word}</text>", y + 7.0);
    }
    let _ = write!(
        svg,
        "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{MIDDLE}\" y2=\"{MIDDLE}\"/>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">ply {}</text>\
         <text x=\"{LEFT}\" y=\"{}\">0</text>",
        WIDTH - RIGHT,
        WIDTH - RIGHT,
        HEIGHT - 6.0,
        annotations.len() - 1,
        HEIGHT - 6.0
    );
    let known: Vec<(usize, PartialValue, Option<Remark>)> = annotations
        .iter()
        .enumerate()
        .filter_map(|(ply, annotations)| Some((ply, annotations.known?.value, annotations.remark)))
        .collect();
    let points: Vec<String> = known
        .iter()
        .map(|&(ply, known, _)| format!("{:.1},{:.1}", x(ply), height(view, ply, known)))
        .collect();
    let _ = write!(svg, "<polyline class=\"course\" points=\"{}\"/>", points.join(" "));
    for &(ply, value, remark) in &known {
        let (x, y) = (x(ply), height(view, ply, value));
        let (class, radius) = match remark {
            Some(Remark::Mistake) => ("mistake", 7.0),
            _ if ply == view.at => ("current", 6.0),
            _ => ("point", 3.5),
        };
        let sign = if class == "mistake" {
            format!("<text class=\"sign\" x=\"{x:.1}\" y=\"{:.1}\">?</text>", y - 10.0)
        } else {
            String::new()
        };
        let _ = write!(
            svg,
            "<a href=\"{}\" aria-label=\"ply {ply}\"><circle class=\"{class}\" cx=\"{x:.1}\" \
             cy=\"{y:.1}\" r=\"{radius}\"/>{sign}<title>ply {ply}: {} for {side}</title></a>",
            escaped(&view.at(ply).url()),
            seen_from(view, ply, value)
        );
    }
    svg.push_str("</svg>");
    svg
}

fn table(view: &View, annotations: &[Annotation]) -> String {
    let mut rows = String::new();
    for (ply, annotations) in annotations.iter().enumerate() {
        let mover = if ply % 2 == 1 { 'X' } else { 'O' };
        let (m, by) = match ply.checked_sub(1) {
            Some(i) => (view.moves[i].number().to_string(), mover.to_string()),
            None => ("-".to_owned(), "-".to_owned()),
        };
        let to_move = side_to_move(view.record().position_at(ply));
        let value = annotations.known.map_or_else(
            || "not solved".to_owned(),
            |known| format!("{} for {to_move}", value_in_words(known.value)),
        );
        let remark = match annotations.remark {
            None => String::new(),
            Some(Remark::Mistake) => "mistake".to_owned(),
            Some(Remark::Inexact(plies)) => format!("{plies} plies lost"),
        };
        let url = escaped(&view.at(ply).url());
        let _ = write!(
            rows,
            "<tr><td><a href=\"{url}\" aria-label=\"to ply {ply}\">{ply}</a></td><td>{m}</td>\
             <td>{by}</td><td>{value}</td><td>{remark}</td></tr>"
        );
    }
    format!(
        "<details><summary>As a table</summary><table class=\"data\"><thead><tr>\
         <th scope=\"col\">ply</th><th scope=\"col\">move</th><th scope=\"col\">by</th>\
         <th scope=\"col\">value</th><th scope=\"col\">remark</th></tr></thead>\
         <tbody>{rows}</tbody></table></details>"
    )
}
