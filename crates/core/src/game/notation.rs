//! Games, positions and moves as text.

use std::fmt::Display;

use super::Game;

/// The position of a picture, with moves that lead to it if they are easy to find.
pub type Pictured<P, M> = (P, Option<Vec<M>>);

/// The position of a text, if it is a picture; or the reason why no game reaches it.
pub type ReadPicture<P, M> = Result<Option<Pictured<P, M>>, Unreadable>;

/// A game that people can read and write.
pub trait Notation: Game {
    /// The thing that a move chooses, and the way it is written.
    const MOVE_STYLE: MoveStyle = MoveStyle::Text;

    /// The description of the text that [`parse_position`](Self::parse_position) reads.
    const POSITION_HELP: &'static str = "the moves played, separated by commas or spaces";

    /// Three numbers from 1 to 255 that distinguish the boards of a game: the columns `width`,
    /// `height` and `line` of a database. A key means the same position in every game with this name
    /// and these numbers. The last numbers are 1 if a game needs fewer than three.
    fn parameters(&self) -> [u8; 3];

    /// The game as people call it, with its board: `Dots and boxes, 3x3 boxes`.
    fn title(&self) -> String;

    /// A move as people write it, without spaces and commas; no two moves of a position look the
    /// same.
    fn write_move(&self, m: Self::Move) -> String;

    /// True if a word is the move, written by [`write_move`](Self::write_move) or in another way.
    fn is_written(&self, m: Self::Move, word: &str) -> bool {
        self.write_move(m) == word
    }

    /// The position drawn on one line, rows separated by `/`.
    fn picture(&self, position: Self::Position) -> String;

    /// The position of a [`picture`](Self::picture), which play need not reach; `None` if the text is no
    /// picture.
    fn of_picture(&self, text: &str) -> Option<Self::Position> {
        let _ = text;
        None
    }

    /// The side to move, as pictures name it: `X`, which moves first, or `O`; `None` if either side may
    /// be to move in the position.
    fn to_move(&self, _: Self::Position) -> Option<char> {
        None
    }

    /// Reads a position: by default the moves that lead to it from the start, as
    /// [`parse_moves`] takes them.
    ///
    /// # Errors
    /// If the text is no position of this game: what is wrong, where, and what is possible.
    fn parse_position(&self, text: &str) -> Result<Self::Position, Unreadable> {
        parse_moves(self, self.initial(), text)
    }

    /// Reads moves played from the start: by default separated by commas or spaces.
    ///
    /// # Errors
    /// If one of them cannot be played: which one, and what is possible.
    fn parse_line(&self, text: &str) -> Result<Vec<Self::Move>, Unreadable> {
        play_moves(self, self.initial(), text).map(|(_, moves)| moves)
    }

    /// The text between two moves of a line of moves.
    fn separator(&self) -> &'static str {
        ","
    }

    /// Writes moves played from the start as [`parse_line`](Self::parse_line) reads them.
    fn write_line(&self, moves: &[Self::Move]) -> String {
        let mut texts = Vec::with_capacity(moves.len());
        for m in moves {
            texts.push(self.write_move(*m));
        }
        texts.join(self.separator())
    }

    /// Reads a picture, with moves that lead to it if they are easy to find; `None` if the text is no picture.
    ///
    /// # Errors
    /// If no game reaches the position, or if the game has a reason why the text is no picture.
    fn parse_picture(&self, text: &str) -> ReadPicture<Self::Position, Self::Move> {
        Ok(self.of_picture(&on_one_line(text)).map(|position| (position, None)))
    }

    /// Refuses positions that have a key but that no game reaches. By default it refuses none: a
    /// game overrides it if it can decide within microseconds.
    ///
    /// # Errors
    /// If no game reaches the position: the rule that it breaks.
    fn check_reached(&self, _: Self::Position) -> Result<(), Unreadable> {
        Ok(())
    }
}

/// Joins the rows of a picture, if they are on lines of their own.
fn on_one_line(picture: &str) -> String {
    let rows: Vec<&str> = picture.trim().lines().map(str::trim_end).collect();
    rows.join("/")
}

/// The thing that a move chooses, and the way it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveStyle {
    /// A cell, by its number from 1 row by row.
    Cell,
    /// A column, by its number from 1.
    Column,
    /// Anything else, in the words of the game.
    Text,
}

impl MoveStyle {
    /// The word for the thing that a move chooses.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cell => "cell",
            Self::Column => "column",
            Self::Text => "move",
        }
    }
}

/// The reason why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// Writes moves, or an item for each of them, as in CSV files: `[4 4 5 3]`, and `[]` for none.
///
/// Programs that guess types read a single move as a number, three numbers divided by spaces as a
/// date, and an empty text as a missing value; text in brackets they read as text.
///
/// ```
/// # use everyply_core as everyply;
/// use everyply::game::{bracketed, csv_list};
/// assert_eq!(csv_list("4453".chars()), "[4 4 5 3]");
/// assert_eq!(bracketed("[4 4 5 3] -2"), Some(("4 4 5 3", " -2")));
/// ```
pub fn csv_list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(" "))
}

/// Writes moves that are joined by a separator, which may be empty, like [`csv_list`].
#[must_use]
pub fn csv_list_of(moves: &str, separator: &str) -> String {
    match separator {
        "" => csv_list(moves.chars()),
        _ => csv_list(moves.split(separator).filter(|item| !item.is_empty())),
    }
}

/// The moves in brackets that a text begins with, as [`csv_list`] writes them, and the rest of the
/// text; `None` if there are no brackets.
#[must_use]
pub fn bracketed(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('[')?.split_once(']')
}

/// The moves of a text that is one list in brackets.
pub(crate) fn unbracketed(text: &str) -> Option<&str> {
    bracketed(text).and_then(|(moves, rest)| rest.is_empty().then_some(moves))
}

/// The position after these moves, which are separated by commas or spaces.
///
/// # Errors
/// If one of them cannot be played.
pub fn parse_moves<G: Notation>(
    game: &G,
    from: G::Position,
    text: &str,
) -> Result<G::Position, Unreadable> {
    play_moves(game, from, text).map(|(position, _)| position)
}

/// The position after these moves, and the moves.
fn play_moves<G: Notation>(
    game: &G,
    from: G::Position,
    text: &str,
) -> Result<(G::Position, Vec<G::Move>), Unreadable> {
    let (mut position, mut played) = (from, Vec::new());
    play_words(text, &mut |word| {
        let mut possible = Vec::new();
        if game.result(position).is_some() {
            return Some(possible);
        }
        for m in game.moves(position) {
            possible.push(game.write_move(m));
            if game.is_written(m, word) {
                position = game.play(position, m);
                played.push(m);
                return None;
            }
        }
        Some(possible)
    })?;
    Ok((position, played))
}

/// Plays the words of a text one after the other; `play` returns the possible moves if a word is none of
/// them: an empty list if the game is over.
fn play_words(
    text: &str,
    play: &mut dyn FnMut(&str) -> Option<Vec<String>>,
) -> Result<(), Unreadable> {
    let list = unbracketed(text);
    if text.is_empty() || list == Some("") {
        return Ok(());
    }
    let words = list.unwrap_or(text).split(|c: char| c == ',' || c.is_whitespace());
    for (i, word) in words.enumerate() {
        let number = i + 1;
        if word.is_empty() {
            return Err(Unreadable(format!(
                "move {number} is empty: separate moves by one comma or space each"
            )));
        }
        let reason = match play(word) {
            None => continue,
            Some(none) if none.is_empty() => {
                format!("one too many: the game is over after move {i}")
            }
            Some(all) => format!("not possible there: choose one of {}", all.join(" ")),
        };
        return Err(Unreadable(format!("move {number}, '{word}', is {reason}")));
    }
    Ok(())
}
