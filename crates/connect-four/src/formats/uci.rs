//! Rows of the data set `connect-4.data` (John Tromp, UCI Machine Learning Repository, 1995).
//!
//! ```text
//! 6 . . . . . . .     42 cells a1,a2,...,a6,b1,...,g6: column by column, bottom up;
//! :                   x first player, o second, b blank; then the class for the FIRST player:
//! 1 . . . . . . .     win, loss or draw
//!   a b c d e f g
//! ```

use std::collections::HashSet;

use super::rows::{Marks, dimensions, mark_of, read_cells};
use super::{Record, RecordError};
use everyply_core::game::{Game, Move, Outcome, PartialValue, Ply, Symmetric};
use everyply_core::games::line::{ConnectFour, LineGame, Rules, Size, Stones};

pub const SIZE: Size = Rules::ConnectFour.usual();

/// The plies played in every position of the data set.
pub const PLY: Ply = Ply(8);

pub(super) const ROWS: usize = 67_557;

const MARKS: Marks = ["b", "x", "o"];

pub(super) fn check_board(game: &ConnectFour) -> Result<(), RecordError> {
    RecordError::check_standard(game, "UCI rows")
}

pub(super) fn read(game: &ConnectFour, text: &str) -> Result<Record, RecordError> {
    check_board(game)?;
    let (width, height) = dimensions(game);
    let fields = text.split(',').count();
    let cells = width * height;
    if fields != cells && fields != cells + 1 {
        let remedy = "a row is 42 cells of x, o and b, a1 to a6, b1 to g6, and win, loss or draw";
        let expected = format_args!("{cells} and a class");
        return Err(RecordError::count("fields", fields, expected, remedy));
    }
    let board = text.split(',').take(cells).enumerate();
    let board = board.map(|(i, found)| (found, i / height, height - 1 - i % height));
    let expected = "x (first player), o (second player) or b (blank)";
    let mut record = read_cells(game, (MARKS, expected), board, |i| {
        let letter = char::from(b'a' + (i / height) as u8);
        format!("field {} ({letter}{})", i + 1, i % height + 1)
    })?;
    if let Some(class) = text.split(',').nth(cells) {
        let expected = "win, loss or draw, for the first player";
        let outcome =
            Outcome::of_word(class).ok_or_else(|| RecordError::field("class", class, expected))?;
        record.value = Some(PartialValue::of_outcome(first_players(record.position, outcome)));
    }
    Ok(record)
}

pub(super) fn write(game: &ConnectFour, record: &Record) -> Result<String, RecordError> {
    check_board(game)?;
    let (width, height) = dimensions(game);
    let mut text = String::with_capacity(2 * width * height + 4);
    for i in 0..width * height {
        let cell = (i / height, height - 1 - i % height);
        text.push_str(mark_of(game, record.position, MARKS, cell));
        text.push(',');
    }
    match record.value {
        Some(value) => text.push_str(first_players(record.position, value.outcome).word()),
        // Cells alone, as a classifier takes them.
        None => drop(text.pop()),
    }
    Ok(text)
}

/// Converts an outcome for the side to move to the one for the first player, or back.
fn first_players(position: Stones, outcome: Outcome) -> Outcome {
    if position.ply().is_second_players_turn() { -outcome } else { outcome }
}

/// Returns true if a position qualifies for the data set: the game is not over, and neither side
/// could complete a line with the next stone.
pub(super) fn is_quiet(game: &ConnectFour, position: Stones) -> bool {
    let over = game.result(position).is_some();
    let others_turn = Stones { own: position.other, other: position.own };
    !over && game.winning_moves(position).is_empty() && game.winning_moves(others_turn).is_empty()
}

/// Returns the positions of the data set in the order of its rows, each as the row shows it and not
/// as its mirror image.
///
/// The order and the images follow from one rule: play every game of eight plies, columns in the
/// order d, c, e, b, f, a, g, and write down a quiet position when it or its mirror image occurs
/// for the first time. The rule is inferred from the published file. It reproduces all rows that
/// were compared: the first 13 in order, and 19 more from its end in the same image.
pub fn positions() -> Vec<Stones> {
    let game = ConnectFour::new(SIZE).expect("the standard board fits");
    let mut found = Vec::with_capacity(ROWS);
    let mut seen = HashSet::new();
    visit(&game, game.initial(), &mut seen, &mut found);
    found
}

fn visit(game: &ConnectFour, position: Stones, seen: &mut HashSet<u64>, found: &mut Vec<Stones>) {
    // The positions below a position seen before, or below its image, were seen too.
    if !seen.insert(game.canonical(position).0.0) || game.result(position).is_some() {
        return;
    }
    if position.ply() == PLY {
        if is_quiet(game, position) {
            found.push(position);
        }
        return;
    }
    let moves = game.moves(position);
    for &m in game.centre_first().iter().filter(|&&m: &&Move| moves.contains(m)) {
        visit(game, game.play(position, m), seen, found);
    }
}
