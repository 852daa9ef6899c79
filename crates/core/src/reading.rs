//! Bounded input: regular files, and lines of limited length.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// The most bytes of a line. No line of any format is nearly as long; without a bound, an input
/// without line ends would fill the memory.
pub const LONGEST_LINE: usize = 1 << 16;

/// Opens a regular file, which has an end and can be read again: no pipe, device or directory.
///
/// Opening a pipe without a writer would wait for ever.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is a pipe or a device, not a file: save what it delivers as a file first",
        ));
    }
    File::open(path)
}

/// The reason for a missing next line before the end of the text.
#[derive(Debug)]
pub enum LineError {
    Io(io::Error),
    TooLong { number: u64 },
}

/// The message about a line that is too long.
pub const TOO_LONG: &str =
    "it is longer than 64 KiB, which no position is: this is another kind of file";

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {place} (0x{found:02x}) is no UTF-8 text: save the file as UTF-8")]
pub struct NotText {
    /// The place of the first invalid byte, counted from 1.
    place: usize,
    found: u8,
}

pub fn text_of(line: &[u8]) -> Result<&str, NotText> {
    std::str::from_utf8(line).map_err(|error| {
        let at = error.valid_up_to();
        NotText { place: at + 1, found: line[at] }
    })
}

/// The lines of an input, one after the other, each within a bound.
#[derive(Debug)]
pub struct TextLines<R> {
    input: R,
    number: u64,
    line: Vec<u8>,
}

impl<R: BufRead> TextLines<R> {
    pub const fn new(input: R) -> Self {
        Self { input, number: 0, line: Vec::new() }
    }

    pub const fn number(&self) -> u64 {
        self.number
    }

    pub const fn input(&mut self) -> &mut R {
        &mut self.input
    }

    /// The next line without its end, which is `\n`, `\r\n` or the input's end; `None` after the
    /// last.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, LineError> {
        self.line.clear();
        (&mut self.input)
            .take(LONGEST_LINE as u64 + 1)
            .read_until(b'\n', &mut self.line)
            .map_err(LineError::Io)?;
        if self.line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
            if self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
        } else if self.line.len() > LONGEST_LINE {
            return Err(LineError::TooLong { number: self.number });
        }
        Ok(Some(&self.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_text_files_do() {
        let mut lines = TextLines::new(&b"one\r\ntwo\n\nthree"[..]);
        for (number, expected) in (1..).zip(["one", "two", "", "three"]) {
            assert_eq!(lines.next_line().unwrap(), Some(expected.as_bytes()));
            assert_eq!(lines.number(), number);
        }
        assert_eq!(lines.next_line().unwrap(), None);
    }

    #[test]
    fn a_line_without_end_takes_no_more_than_the_bound() {
        let longest = [vec![b'x'; LONGEST_LINE], b"\n4".to_vec()].concat();
        let mut lines = TextLines::new(&longest[..]);
        assert_eq!(lines.next_line().unwrap().map(<[u8]>::len), Some(LONGEST_LINE));
        assert_eq!(lines.next_line().unwrap(), Some(&b"4"[..]));
        let mut lines = TextLines::new(io::BufReader::new(io::repeat(0)));
        assert!(matches!(lines.next_line(), Err(LineError::TooLong { number: 1 })));
        assert!(lines.line.capacity() <= 4 * LONGEST_LINE);
    }

    #[test]
    fn bytes_that_are_no_text_are_named_with_their_place() {
        assert_eq!(text_of(b"4453"), Ok("4453"));
        let error = text_of(b"44\xff3").unwrap_err();
        assert_eq!(error.to_string(), "byte 3 (0xff) is no UTF-8 text: save the file as UTF-8");
        assert!(text_of(b"4\xe2\x82").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn only_files_are_opened_as_files() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        std::fs::write(&file, "4453\n").unwrap();
        assert!(open_regular(&file).is_ok());
        for other in [directory.path(), Path::new("/dev/null"), Path::new("/dev/zero")] {
            assert!(open_regular(other).is_err(), "{}", other.display());
        }
    }
}
