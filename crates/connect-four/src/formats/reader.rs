//! The reader of files with one position on each line.

use std::io::BufRead;

use super::open_spiel::LINE_FEED;
use super::{InterchangeError, LineFormat, Record, RecordError};
use crate::games::line::{ConnectFour, LineGame};
use crate::reading::{TextLines, text_of};

/// The lines of a record, and the number of the first.
type RecordLines = (u64, Vec<Vec<u8>>);

/// An iterator over the positions of a text file, each with the number of its line.
#[derive(Debug)]
pub struct Records<'g, R> {
    game: &'g ConnectFour,
    format: LineFormat,
    name: String,
    lines: TextLines<R>,
    ended: bool,
}

impl<'g, R: BufRead> Records<'g, R> {
    /// Creates a reader of this format; `name` is the file in messages.
    pub fn new(
        game: &'g ConnectFour,
        format: LineFormat,
        name: impl Into<String>,
        input: R,
    ) -> Self {
        Self { game, format, name: name.into(), lines: TextLines::new(input), ended: false }
    }

    /// Returns the input.
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
        if self.format == LineFormat::Openspiel {
            // Boards as OpenSpiel prints them may have empty lines between them.
            while lines[0].is_empty() {
                match self.line()? {
                    Some(next) => lines[0] = next.to_vec(),
                    None => return Ok(None),
                }
            }
        }
        let first = self.lines.number();
        let feed = LINE_FEED.as_bytes();
        let is_row = !lines[0].windows(feed.len()).any(|part| part == feed);
        if self.format == LineFormat::Openspiel && is_row {
            for _ in 1..self.game.size().height {
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
        let record = self.format.read(self.game, &texts.join(LINE_FEED));
        let record =
            record.map_err(|why| InterchangeError::of_record(&self.name, "line", number, why))?;
        Ok(Some((number, record)))
    }
}

impl<R: BufRead> Iterator for Records<'_, R> {
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
