//! The first moves of a game on its board, each with its value.

use std::fmt::Write;

use super::colour::of_outcome;
use super::figure::{Figure, Table};
use crate::game::{Move, PartialValue};
use crate::games::line::{AnyGame, LineGame};
use crate::oracle::{SourcedValue, best_of};

/// Side of a cell.
const CELL: u32 = 64;

/// The board with what every first move leads to.
pub fn first_moves(id: String, game: &AnyGame, told: &[(Move, SourcedValue)]) -> Figure {
    let size = game.size();
    let mut table = Table::new(&["move", "outcome", "remoteness", "best"]);
    let best = best_of(told).unzip().1.unwrap_or_default();
    for (m, known) in told {
        table.rows.push(vec![
            m.number().to_string(),
            known.value.outcome.to_string(),
            super::figure::cell(known.value.remoteness),
            if best.contains(*m) { "yes".to_owned() } else { "no".to_owned() },
        ]);
    }
    let falls = game.rules().stones_fall();
    let rows = u32::from(size.height);
    let (width, height) = (u32::from(size.width) * CELL, rows * CELL);
    let mut svg = format!(
        "<svg role=\"img\" aria-label=\"First moves with their values\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"-1 -1 {} {}\" xmlns=\"http://www.w3.org/2000/svg\">\n",
        width + 2,
        height + 2
    );
    for row in 0..rows {
        for column in 0..u32::from(size.width) {
            let m = if falls { column } else { row * u32::from(size.width) + column };
            let m = Move(m as u8);
            let playable = !falls || row == rows - 1;
            let known = told.iter().find(|(other, _)| playable && *other == m);
            cell(&mut svg, column, row, known.map(|(_, known)| known.value), best.contains(m));
        }
    }
    svg.push_str("</svg>\n");
    let place = if falls { "column" } else { "cell" };
    Figure {
        id,
        title: "First moves".to_owned(),
        note: format!(
            "What every first move leads to for the side that makes it, and in how many plies \
             with best play; the best moves have a thick frame. Moves are numbered by {place}."
        ),
        svg: Some(svg),
        table,
    }
}

fn cell(svg: &mut String, column: u32, row: u32, known: Option<PartialValue>, best: bool) {
    let (x, y) = (column * CELL, row * CELL);
    let (inset, frame) = if known.is_some() && best { (3, 4) } else { (1, 1) };
    let side = CELL - 2 * inset;
    // A tint, on which the text of the page can be read.
    let fill = known.map_or_else(
        || "fill=\"none\"".to_owned(),
        |known| format!("fill=\"{}\" fill-opacity=\"0.2\"", of_outcome(known.outcome).light),
    );
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"6\" {fill} \
         stroke=\"#000000\" stroke-width=\"{frame}\"/>",
        x + inset,
        y + inset
    );
    let Some(known) = known else { return };
    let middle = x + CELL / 2;
    let text = |svg: &mut String, y: u32, size: u32, text: &str| {
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"{size}\" \
             text-anchor=\"middle\" fill=\"#000000\">{text}</text>"
        );
    };
    text(svg, y + CELL / 2 - 4, 15, known.outcome.word());
    let plies = known.remoteness.map_or_else(String::new, |r| r.to_string());
    text(svg, y + CELL / 2 + 18, 20, &plies);
}
