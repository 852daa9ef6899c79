//! Line formats: one position on each line, and the reader of such files.

use std::io::BufRead;

use super::{InterchangeError, Record, RecordError, pons, rows, uci};
use everyply_core::game::{Key, Move};
use everyply_core::games::line::notation::{
    IndexBase, parse_moves_from, parse_picture, picture, picture_rows, some_moves_to,
    write_moves_from,
};
use everyply_core::games::line::{LineGame, Stones};
use everyply_files::reading::{TextLines, text_of};

worded! {
    /// A format of one position on a line.
    pub enum LineFormat,
    name:
    Moves1 "moves1",
    Moves0 "moves0",
    Picture "picture",
    Uci "uci",
    Pons "pons",
    Openspiel "openspiel",
    Kaggle "kaggle",
    Key "key",
}

impl LineFormat {
    /// Returns true if a line includes the value.
    pub const fn has_value(self) -> bool {
        matches!(self, Self::Uci | Self::Pons)
    }

    /// Checks that the format has positions of the game.
    ///
    /// # Errors
    /// If it has none.
    pub fn check_game(self, game: &impl LineGame) -> Result<(), RecordError> {
        match self {
            Self::Uci => uci::check_game(game),
            Self::Pons | Self::Openspiel | Self::Kaggle => {
                RecordError::check_falling(game, self.name())
            }
            Self::Moves1 | Self::Moves0 | Self::Picture | Self::Key => Ok(()),
        }
    }

    /// Reads a line without its line feed.
    ///
    /// # Errors
    /// If the line is not of this format, or no game reaches the position.
    pub fn read(self, game: &impl LineGame, text: &str) -> Result<Record, RecordError> {
        let (position, moves) = match self {
            Self::Moves1 => parse_moves_from(game, text, IndexBase::One)?,
            Self::Moves0 => parse_moves_from(game, text, IndexBase::Zero)?,
            Self::Picture | Self::Openspiel | Self::Kaggle => parse_picture(game, text)?,
            Self::Uci => return uci::read(game, text),
            Self::Pons => return pons::read(game, text),
            Self::Key => read_key(game, text)?,
        };
        Ok(Record { position, moves, value: None })
    }

    /// Writes a line without its line feed.
    ///
    /// # Errors
    /// If the format needs a value and the record has none.
    pub fn write(self, game: &impl LineGame, record: &Record) -> Result<String, RecordError> {
        Ok(match self {
            Self::Moves1 => write_moves_from(game, &record.moves, IndexBase::One),
            Self::Moves0 => write_moves_from(game, &record.moves, IndexBase::Zero),
            Self::Picture => picture(game, record.position),
            Self::Uci => uci::write(game, record)?,
            Self::Pons => pons::write(game, record)?,
            Self::Openspiel => rows::write_open_spiel(game, record.position),
            Self::Kaggle => rows::write_kaggle(game, record.position),
            Self::Key => game.key(record.position).0.to_string(),
        })
    }
}

fn read_key(game: &impl LineGame, text: &str) -> Result<(Stones, Vec<Move>), RecordError> {
    let expected = "a decimal number without a sign, as `analyze export` writes it";
    let digits = text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    let key = digits.ok_or_else(|| RecordError::field("key", text, expected))?;
    let position = game.position_of(Key(key)).ok_or_else(|| {
        let board = game.size().board();
        RecordError::Invalid(format!("no position of a {board} board has this key ({key})"))
    })?;
    Ok((position, some_moves_to(game, position)?))
}

/// The lines of a record, and the number of the first.
type RecordLines = (u64, Vec<Vec<u8>>);

/// An iterator over the positions of a text file, each with the number of its line.
#[derive(Debug)]
pub struct Records<'g, G, R> {
    game: &'g G,
    format: LineFormat,
    name: String,
    lines: TextLines<R>,
    ended: bool,
}

impl<'g, G: LineGame, R: BufRead> Records<'g, G, R> {
    /// Creates a reader of this format; `name` is the file in messages.
    pub fn new(game: &'g G, format: LineFormat, name: impl Into<String>, input: R) -> Self {
        Self { game, format, name: name.into(), lines: TextLines::new(input), ended: false }
    }

    pub const fn input(&mut self) -> &mut R {
        self.lines.input()
    }

    /// Returns the next line without its line feed; `None` at the end.
    fn line(&mut self) -> Result<Option<&[u8]>, InterchangeError> {
        self.lines.next_line().map_err(|error| InterchangeError::of_line(error, &self.name))
    }

    /// Returns the lines of the next record.
    fn record_lines(&mut self) -> Result<Option<RecordLines>, InterchangeError> {
        let Some(line) = self.line()? else { return Ok(None) };
        let mut lines = vec![line.to_vec()];
        if !matches!(self.format, LineFormat::Moves0 | LineFormat::Moves1) {
            // An empty line is the empty board in formats of moves; others skip it.
            while lines[0].trim_ascii().is_empty() {
                match self.line()? {
                    Some(next) => lines[0] = next.to_vec(),
                    None => return Ok(None),
                }
            }
        }
        let first = self.lines.number();
        let size = self.game.size();
        let is_row = || {
            let rows = picture_rows(&String::from_utf8_lossy(&lines[0]));
            rows.len() == 1 && rows[0].len() == usize::from(size.width)
        };
        if matches!(self.format, LineFormat::Picture | LineFormat::Openspiel | LineFormat::Kaggle)
            && is_row()
        {
            for _ in 1..size.height {
                let Some(row) = self.line()? else { break };
                lines.push(row.to_vec());
            }
        }
        Ok(Some((first, lines)))
    }

    fn record(&mut self) -> Result<Option<(u64, Record)>, InterchangeError> {
        let Some((number, lines)) = self.record_lines()? else { return Ok(None) };
        let text = |(number, line): (u64, &Vec<u8>)| {
            text_of(line).map(str::to_owned).map_err(|error| {
                let why = RecordError::Invalid(error.to_string());
                InterchangeError::of_record(&self.name, "line", number, why)
            })
        };
        let texts: Vec<String> = (number..).zip(&lines).map(text).collect::<Result<_, _>>()?;
        let record = self.format.read(self.game, &texts.join("\n"));
        let record =
            record.map_err(|why| InterchangeError::of_record(&self.name, "line", number, why))?;
        Ok(Some((number, record)))
    }
}

impl<G: LineGame, R: BufRead> Iterator for Records<'_, G, R> {
    type Item = Result<(u64, Record), InterchangeError>;

    /// Returns the next record. After a wrong record the iterator continues; after a read error it
    /// ends.
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.record().transpose();
        self.ended = match &next {
            Some(Err(error)) => !error.is_of_one_record(),
            next => next.is_none(),
        };
        next
    }
}
