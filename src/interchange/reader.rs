//! Files of one position a line, read as they come.

use std::io::{BufRead, Read};

use super::open_spiel::LINE_FEED;
use super::{Form, InterchangeError, Record};
use crate::game::{ConnectFour, Game};

/// No line of any form is nearly as long.
const LONGEST: u64 = 1 << 16;

/// The positions of a text file, one after the other, each with the number of its line.
#[derive(Debug)]
pub struct Records<'g, R> {
    game: &'g ConnectFour,
    form: Form,
    name: String,
    input: R,
    line: u64,
    ended: bool,
}

impl<'g, R: BufRead> Records<'g, R> {
    /// Reads a file of this form; `name` is the file in messages.
    pub fn new(game: &'g ConnectFour, form: Form, name: impl Into<String>, input: R) -> Self {
        Self { game, form, name: name.into(), input, line: 0, ended: false }
    }

    /// The next line without its line feed; `None` at the end.
    fn line(&mut self) -> Result<Option<String>, InterchangeError> {
        let mut bytes = Vec::new();
        let read = (&mut self.input)
            .take(LONGEST)
            .read_until(b'\n', &mut bytes)
            .map_err(|source| InterchangeError::Io { name: self.name.clone(), source })?;
        if read == 0 {
            return Ok(None);
        }
        self.line += 1;
        let no_text = |reason| InterchangeError::NotText {
            name: self.name.clone(),
            number: self.line,
            reason,
        };
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
            if bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
        } else if bytes.len() as u64 == LONGEST {
            return Err(no_text("it is longer than any position: this is another kind of file"));
        }
        String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| no_text("it is no UTF-8 text: this is another kind of file"))
    }

    /// The next record's text, and the number of its (first) line.
    fn text(&mut self) -> Result<Option<(u64, String)>, InterchangeError> {
        let Some(mut text) = self.line()? else { return Ok(None) };
        if self.form != Form::Openspiel {
            return Ok(Some((self.line, text)));
        }
        // Boards as OpenSpiel prints them may have empty lines between them.
        while text.is_empty() {
            match self.line()? {
                Some(next) => text = next,
                None => return Ok(None),
            }
        }
        let first = self.line;
        if !text.contains(LINE_FEED) {
            for _ in 1..self.game.size().height {
                let Some(row) = self.line()? else { break };
                text.push_str(LINE_FEED);
                text.push_str(&row);
            }
        }
        Ok(Some((first, text)))
    }

    fn record(&mut self) -> Result<Option<(u64, Record)>, InterchangeError> {
        let Some((number, text)) = self.text()? else { return Ok(None) };
        let record = self.form.read(self.game, &text).map_err(|source| {
            let (name, source) = (self.name.clone(), Box::new(source));
            InterchangeError::Record { name, unit: "line", number, source }
        })?;
        Ok(Some((number, record)))
    }
}

impl<R: BufRead> Iterator for Records<'_, R> {
    type Item = Result<(u64, Record), InterchangeError>;

    /// The first error ends it.
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.record().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}
