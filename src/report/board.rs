//! First moves of a game on its board, each with its value.

use maud::html;

use super::colour::of_outcome;
use super::figure::{Figure, Table, cell};
use crate::game::Move;
use crate::games::line::{AnyGame, LineGame};
use crate::oracle::{SourcedValue, best_of};
use crate::svg::{Font, cells, decimal, picture, text};

/// Side of a cell.
const SIDE: f64 = 64.0;

/// Draws the board with the values of the first moves.
pub fn first_moves(id: String, game: &AnyGame, values: &[(Move, SourcedValue)]) -> Figure {
    let mut table = Table::new(&["move", "outcome", "remoteness", "best"]);
    let best = best_of(values).unzip().1.unwrap_or_default();
    for (m, known) in values {
        table.rows.push(vec![
            m.number().to_string(),
            known.value.outcome.to_string(),
            cell(known.value.remoteness),
            if best.contains(*m) { "yes".to_owned() } else { "no".to_owned() },
        ]);
    }
    let size = game.size();
    let falls = game.rules().stones_fall();
    let drawn = |column: u8, row: u8, [x, y]: [f64; 2]| {
        let m = Move(if falls { column } else { row * size.width + column });
        let is_playable = !falls || row + 1 == size.height;
        let known = values.iter().find(|(other, _)| is_playable && *other == m);
        let known = known.map(|(_, known)| known.value);
        let (inset, frame) = if known.is_some() && best.contains(m) { (3.0, 4) } else { (1.0, 1) };
        let side = decimal(SIDE - 2.0 * inset);
        let corner = [x, y].map(|middle| decimal(middle - SIDE / 2.0 + inset));
        let font = |size| Font { size, anchor: "middle" };
        html! {
            // A tint, on which the text of the page can be read.
            rect x=(corner[0]) y=(corner[1]) width=(side) height=(side) rx="6" stroke="#000000"
                stroke-width=(frame) fill=(known.map_or("none", |v| of_outcome(v.outcome).light))
                fill-opacity="0.2" {}
            @if let Some(known) = known {
                (text([x, y - 4.0], font(15), "#000000", known.outcome.word()))
                (text([x, y + 18.0], font(20), "#000000", &cell(known.remoteness)))
            }
        }
    };
    let [width, height] = [size.width, size.height].map(|cells| f64::from(cells) * SIDE);
    let board = cells([size.width, size.height], SIDE, drawn);
    let place = if falls { "column" } else { "cell" };
    Figure {
        id,
        title: "First moves".to_owned(),
        note: format!(
            "The outcome of every first move for the side that makes it, and the plies to the end \
             with best play. The best moves have a thick frame. Moves are numbered by {place}."
        ),
        svg: Some(picture(
            "First moves with their values",
            [-1.0, -1.0, width + 2.0, height + 2.0],
            &board,
        )),
        table,
    }
}
