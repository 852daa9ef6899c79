//! First moves of a game, each with its value, in a table and on the board or in a list.

use maud::html;

use super::colour::{INK, of_outcome};
use super::drawing::Drawing;
use super::figure::{DataTable, Figure, Subject, cell, cells};
use super::plot::{LETTER, LETTERS};
use crate::game::PartialValue;
use crate::oracle::{Origin, ValuedMove, best_of_moves};
use crate::registry::{ShownBoard, Study};
use crate::svg::{Font, cells, decimal, text};

/// The kind of the figure.
pub const FIRST_MOVES: &str = "first-moves";

/// Side of a cell.
const SIDE: f64 = 60.0;

/// Makes the figure of the first moves, from the values of the positions after them; `None` if one
/// of these is unknown, because then the best moves are too.
pub fn first_moves<E>(
    about: &Subject,
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
    let is_best = |m: &ValuedMove| is_best(m) && !moves.iter().all(&is_best);
    let drawing = on_board(&start.board(), &moves, is_best);
    let endless = if start.plies_left().is_none() { ", if play ends" } else { "" };
    let all = if moves.iter().any(is_best) { "" } else { "; all moves are equally good" };
    let note = format!(
        "The outcome of every move for the side that makes it, and the plies to the end with best \
         play{endless}{all}."
    );
    Ok(Some(Figure {
        drawing: Some(drawing.unwrap_or_else(|| listed(&moves, is_best))),
        ..Figure::listed(about, FIRST_MOVES, "First moves", &note, table)
    }))
}

/// Draws the values on the board, if every move leads to a cell of its own, and all that the board
/// shows are cells.
fn on_board(
    board: &ShownBoard,
    moves: &[ValuedMove],
    is_best: impl Fn(&ValuedMove) -> bool,
) -> Option<Drawing> {
    if board.rows.iter().flatten().any(|cell| !(cell.is_alphanumeric() || *cell == '.')) {
        return None;
    }
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
            rect x=(corner[0]) y=(corner[1]) width=(side) height=(side) rx="6" stroke=(INK)
                stroke-width=(frame) fill=(value.map_or("none", |v| of_outcome(v.outcome).light))
                fill-opacity="0.2" {}
            @if let Some(value) = value {
                (text([x, y - 4.0], font(15), INK, value.outcome.word()))
                (text([x, y + 18.0], font(20), INK, &cell(value.remoteness)))
            } @else if let Some(mark) = mark {
                (text([x, y + 9.0], font(26), INK, &mark.to_string()))
            }
        }
    };
    let inside = cells(size, SIDE, one);
    Some(Drawing { size: size.map(|cells| f64::from(cells) * SIDE), inside })
}

/// Lists the values, at most twelve below each other.
fn listed(moves: &[ValuedMove], is_best: impl Fn(&ValuedMove) -> bool) -> Drawing {
    const ROWS: usize = 12;
    const STEP: f64 = 34.0;
    let longest = |text: fn(&ValuedMove) -> String| {
        moves.iter().map(|m| text(m).chars().count()).max().unwrap_or(0) as f64 * LETTER
    };
    let [name, value] =
        [longest(|m| m.branch.text.clone()), longest(|m| m.value.value.to_string()) + 20.0];
    let width = name + value + 48.0;
    let font = |anchor| Font { size: LETTERS, anchor };
    let inside = html! {
        @for (number, m) in moves.iter().enumerate() {
            @let [x, y] = [width * (number / ROWS) as f64 + name, STEP * (number % ROWS) as f64];
            @let colour = of_outcome(m.value.value.outcome).light;
            (text([x, y + 21.0], font("end"), INK, &m.branch.text))
            rect x=(decimal(x + 10.0)) y=(decimal(y + 2.0)) width=(decimal(value)) height=(decimal(STEP - 6.0))
                rx="6" fill=(colour) fill-opacity="0.2" stroke=(INK)
                stroke-width=(if is_best(m) { 3 } else { 0 }) {}
            (text([x + 10.0 + value / 2.0, y + 21.0], font("middle"), INK, &m.value.value.to_string()))
            @if is_best(m) { (text([x + value + 18.0, y + 21.0], font("start"), INK, "★")) }
        }
    };
    let [columns, rows] = [moves.len().div_ceil(ROWS), moves.len().min(ROWS)];
    Drawing { size: [width * columns as f64, STEP * rows as f64], inside }
}
