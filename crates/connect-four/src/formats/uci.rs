//! Rows of the data sets `connect-4.data` (John Tromp, 1995) and `tic-tac-toe.data` (David Aha, 1991) of
//! the UCI Machine Learning Repository: cells of x (first player), o (second) and b (blank), then a class.
//!
//! ```text
//! 6 . . . . . . .     42 cells a1,a2,...,a6,b1,...,g6: column by column, bottom up;
//! :                   then win, loss or draw, for the FIRST player
//! 1 . . . . . . .
//!   a b c d e f g
//!
//! 1 2 3               9 cells of a board at the end of a game, row by row from the top;
//! 4 5 6               then positive, if the FIRST player has won, or negative: a loss OR a draw
//! 7 8 9
//! ```

use std::collections::HashSet;

use super::rows::{Marks, dimensions, mark_of};
use super::{Record, RecordError};
use everyply_core::game::{Game, Move, Outcome, PartialValue, Ply, Symmetric};
use everyply_core::games::line::notation::{beginning, position_of_players};
use everyply_core::games::line::{ConnectFour, LineGame, Rules, Size, Stones};

/// The board of `connect-4.data`.
pub const SIZE: Size = Rules::ConnectFour.usual();

/// The plies played in every position of `connect-4.data`.
pub const PLY: Ply = Ply(8);

pub(super) const ROWS: usize = 67_557;

const MARKS: Marks = ["b", "x", "o"];

pub(super) fn check_game(game: &impl LineGame) -> Result<(), RecordError> {
    RecordError::check_usual(game, "uci")
}

/// Returns the column and row of a cell of a row, counted from 0 at the top left.
fn place(game: &impl LineGame, cell: usize) -> (usize, usize) {
    let (width, height) = dimensions(game);
    match game.rules() {
        Rules::ConnectFour => (cell / height, height - 1 - cell % height),
        Rules::Mnk => (cell % width, cell / width),
    }
}

/// Returns the name of a cell in its data set.
pub fn cell_name(game: &impl LineGame, cell: usize) -> String {
    let (column, row) = place(game, cell);
    match game.rules() {
        Rules::ConnectFour => {
            format!("{}{}", char::from(b'a' + column as u8), dimensions(game).1 - row)
        }
        Rules::Mnk => {
            let row = ["top", "middle", "bottom"][row];
            format!("{row}-{}-square", ["left", "middle", "right"][column])
        }
    }
}

/// Returns true if a line looks like a row of either data set, perhaps recoded.
pub(super) fn is_row(game: &impl LineGame, line: &str) -> bool {
    let fields: Vec<&str> = line.split(',').collect();
    let cells = game.size().cells() as usize;
    let is_recoded = fields.len() > cells && are_recoded(&fields[..cells]);
    is_recoded || fields.len() > 8 && MARKS.contains(&fields[0])
}

fn are_recoded(cells: &[&str]) -> bool {
    cells.iter().all(|cell| cell.parse::<i8>().is_ok())
}

pub(super) fn read(game: &impl LineGame, text: &str) -> Result<Record, RecordError> {
    check_game(game)?;
    let cells = game.size().cells() as usize;
    let fields: Vec<&str> = text.split(',').collect();
    if fields.len() != cells && fields.len() != cells + 1 {
        let remedy = match game.rules() {
            Rules::ConnectFour => {
                "a row is 42 cells of x, o and b, a1 to a6, b1 to g6, and win, loss or draw"
            }
            Rules::Mnk => "a row is 9 cells of x, o and b, row by row, and positive or negative",
        };
        let expected = format_args!("{cells} and a class");
        return Err(RecordError::count("fields", fields.len(), expected, remedy));
    }
    let (board, class) = fields.split_at(cells);
    if are_recoded(board) {
        let why = "its cells are digits, as in OpenML's copy, which does not say what they stand \
                   for: take the file of UCI, with x, o and b";
        return Err(RecordError::Invalid(why.to_owned()));
    }
    let mut players = [0; 2];
    for (cell, text) in board.iter().enumerate() {
        let mark = MARKS.iter().position(|mark| mark == text).ok_or_else(|| {
            let field = format!("field {} ({})", cell + 1, cell_name(game, cell));
            let expected = "x (first player), o (second player) or b (blank)";
            let text = beginning(text, 40);
            RecordError::Invalid(format!("{field} ('{text}') is no cell: {expected}"))
        })?;
        if let Some(player) = mark.checked_sub(1) {
            let (column, row) = place(game, cell);
            players[player] |= game.cell(column as u32, row as u32);
        }
    }
    let (position, moves) = position_of_players(game, players[0], players[1])?;
    let mut record = Record { position, moves, value: None };
    if let [class] = class {
        let outcome = outcome_of_class(game, position, class)?;
        record.value = Some(PartialValue::of_outcome(first_players(position, outcome)));
    }
    Ok(record)
}

/// Returns the outcome for the first player, from the class of a row.
fn outcome_of_class(
    game: &impl LineGame,
    position: Stones,
    class: &str,
) -> Result<Outcome, RecordError> {
    let none = |expected| RecordError::field("class", class, expected);
    if game.rules().stones_fall() {
        let expected = "win, loss or draw, for the first player";
        return Outcome::of_word(class).ok_or_else(|| none(expected));
    }
    match (class, game.result(position)) {
        ("positive" | "negative", None) => {
            let why = "the game is not over: a row with a class is a board at the end of a game";
            Err(RecordError::Invalid(why.to_owned()))
        }
        ("positive", _) => Ok(Outcome::Win),
        ("negative", Some(Outcome::Draw)) => Ok(Outcome::Draw),
        ("negative", _) => Ok(Outcome::Loss),
        _ => Err(none("positive (X has won) or negative (O has won, or neither side)")),
    }
}

pub(super) fn write(game: &impl LineGame, record: &Record) -> Result<String, RecordError> {
    check_game(game)?;
    let cells = game.size().cells() as usize;
    let mut text = String::with_capacity(2 * cells + 8);
    for cell in 0..cells {
        text.push_str(mark_of(game, record.position, MARKS, place(game, cell)));
        text.push(',');
    }
    let outcome = record.value.map(|value| value.outcome);
    let class = match (game.rules(), game.result(record.position)) {
        (Rules::ConnectFour, _) => {
            outcome.map(|known| first_players(record.position, known).word())
        }
        (Rules::Mnk, None) => None,
        (Rules::Mnk, Some(result)) => {
            match first_players(record.position, outcome.unwrap_or(result)) {
                Outcome::Win => Some("positive"),
                Outcome::Draw | Outcome::Loss => Some("negative"),
            }
        }
    };
    match class {
        Some(class) => text.push_str(class),
        // Cells alone, as a classifier takes them.
        None => drop(text.pop()),
    }
    Ok(text)
}

/// Converts an outcome for the side to move to an outcome for the first player, or back.
fn first_players(position: Stones, outcome: Outcome) -> Outcome {
    if position.ply().is_second_players_turn() { -outcome } else { outcome }
}

/// Returns true if a position qualifies for `connect-4.data`: the game is not over, and neither side
/// could complete a line with the next stone.
pub(super) fn is_quiet(game: &ConnectFour, position: Stones) -> bool {
    let over = game.result(position).is_some();
    let others_turn = Stones { own: position.other, other: position.own };
    !over && game.winning_moves(position).is_empty() && game.winning_moves(others_turn).is_empty()
}

/// Returns the positions of `connect-4.data` in the order of its rows, each as the row shows it and not
/// as its mirror image.
///
/// The order and the images follow from one rule: play every game of eight plies, columns in the
/// order d, c, e, b, f, a, g, and write down a quiet position when it or its mirror image occurs
/// for the first time. The rule is inferred from the published file. It reproduces all rows that
/// were compared: the first 13 in order, and 19 more from its end in the same image.
pub fn positions() -> Vec<Stones> {
    let game = ConnectFour::new(SIZE).expect("the standard board fits");
    let mut positions = Vec::with_capacity(ROWS);
    let mut seen = HashSet::new();
    visit(&game, game.initial(), &mut seen, &mut positions);
    positions
}

fn visit(
    game: &ConnectFour,
    position: Stones,
    seen: &mut HashSet<u64>,
    positions: &mut Vec<Stones>,
) {
    // If a position or its image was seen, so were all positions below it.
    if !seen.insert(game.canonical(position).0.0) || game.result(position).is_some() {
        return;
    }
    if position.ply() == PLY {
        if is_quiet(game, position) {
            positions.push(position);
        }
        return;
    }
    let moves = game.moves(position);
    for &m in game.centre_first().iter().filter(|&&m: &&Move| moves.contains(m)) {
        visit(game, game.play(position, m), seen, positions);
    }
}
