//! First moves of a game, each with its value, in a table and on the board.

use maud::html;

use super::colour::of_outcome;
use super::figure::{DataTable, Figure, cell, cells};
use crate::game::PartialValue;
use crate::oracle::{Origin, ValuedMove, best_of_moves};
use crate::registry::{ShownBoard, Study};
use crate::svg::{Font, cells, decimal, picture, text};

/// Side of a cell.
const SIDE: f64 = 64.0;

/// Makes the figure of the first moves, from the values of the positions after them; `None` if one
/// of these is unknown, because then the best moves are too.
pub fn first_moves<E>(
    stem: &str,
    start: &dyn Study,
    mut value_of: impl FnMut(&dyn Study) -> Result<Option<PartialValue>, E>,
) -> Result<Option<Figure>, E> {
    let mut moves = Vec::new();
    for branch in start.branches() {
        let Some(value) = value_of(branch.to.as_ref())? else { return Ok(None) };
        let value = Origin::Database.says(value.one_ply_earlier(branch.keeps_turn));
        moves.push(ValuedMove { branch, value });
    }
    let Some((best, _)) = best_of_moves(&moves) else { return Ok(None) };
    let is_best = |m: &ValuedMove| m.value.value.attains(best.value);
    let mut table = DataTable::new(&["move", "outcome", "remoteness", "best"]);
    for m in &moves {
        let (value, best) = (m.value.value, if is_best(m) { "yes" } else { "no" });
        table.rows.push(cells![m.branch.text, value.outcome, cell(value.remoteness), best]);
    }
    let svg = drawn(&start.board(), &moves, is_best);
    let endless = if start.plies_left().is_none() { ", if play ends" } else { "" };
    let frame = if svg.is_some() { "; the best moves have a thick frame" } else { "" };
    Ok(Some(Figure {
        id: format!("{stem}-first-moves"),
        title: match svg {
            Some(_) => "First moves".to_owned(),
            None => format!("First moves of {}", start.picture()),
        },
        note: format!(
            "The outcome of every first move for the side that makes it, and the plies to the end \
             with best play{endless}{frame}."
        ),
        svg,
        table,
    }))
}

/// Draws the values on the board, if every move leads to a cell of its own.
fn drawn(
    board: &ShownBoard,
    moves: &[ValuedMove],
    is_best: impl Fn(&ValuedMove) -> bool,
) -> Option<String> {
    let of_bit = |bit: u32| moves.iter().find(|m| m.branch.bit == bit);
    let mut landings = Vec::new();
    for (bit, squares) in &board.moves {
        let landing = *squares.last()?;
        if landings.iter().any(|(other, _)| *other == landing) {
            return None;
        }
        landings.push((landing, of_bit(*bit)?));
    }
    let size = [board.rows[0].len() as u8, board.rows.len() as u8];
    let font = |size| Font { size, anchor: "middle" };
    let one = |column: u8, row: u8, [x, y]: [f64; 2]| {
        let valued = landings.iter().find(|(at, _)| *at == (column, row)).map(|(_, m)| *m);
        let (inset, frame) = if valued.is_some_and(&is_best) { (3.0, 4) } else { (1.0, 1) };
        let side = decimal(SIDE - 2.0 * inset);
        let corner = [x, y].map(|middle| decimal(middle - SIDE / 2.0 + inset));
        let value = valued.map(|m| m.value.value);
        let mark = board.rows[usize::from(row)].get(usize::from(column)).filter(|c| **c != '.');
        html! {
            // A tint, on which the text of the page can be read.
            rect x=(corner[0]) y=(corner[1]) width=(side) height=(side) rx="6" stroke="#000000"
                stroke-width=(frame) fill=(value.map_or("none", |v| of_outcome(v.outcome).light))
                fill-opacity="0.2" {}
            @if let Some(value) = value {
                (text([x, y - 4.0], font(15), "#000000", value.outcome.word()))
                (text([x, y + 18.0], font(20), "#000000", &cell(value.remoteness)))
            } @else if let Some(mark) = mark {
                (text([x, y + 9.0], font(26), "#000000", &mark.to_string()))
            }
        }
    };
    let [width, height] = size.map(|cells| f64::from(cells) * SIDE + 2.0);
    let view = [-1.0, -1.0, width, height];
    Some(picture("First moves with their values", view, &cells(size, SIDE, one)))
}
