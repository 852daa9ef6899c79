//! Bounded input: regular files, and lines of limited length.

use std::fs::File;
use std::io::{self, BufRead};
use std::path::Path;

/// The most bytes of a line. No line of any format is nearly as long; without a bound, an input
/// without line ends would fill the memory.
pub const LONGEST_LINE: usize = 1 << 16;

/// The mark that some systems write at the beginning of a text in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Opens a regular file, which has an end and can be read again: no pipe, device or directory.
///
/// Opening a pipe without a writer would block.
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

/// The reason why the next line cannot be read.
#[derive(Debug)]
pub enum LineError {
    Io(io::Error),
    TooLong {
        number: u64,
    },
    /// A file that is no text: its apparent kind, and the remedy.
    NoText(&'static str),
}

/// The message about a line that is too long.
pub const TOO_LONG: &str =
    "it is longer than 64 KiB, which no position is: this is another kind of file";

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {place} (0x{value:02x}) is no UTF-8 text: save the file as UTF-8")]
pub struct NotText {
    /// The place of the first invalid byte, counted from 1.
    place: usize,
    value: u8,
}

/// Returns the apparent kind, with the remedy, of a file whose first bytes are not text.
pub fn kind_of(start: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 7] = [
        (b"PK\x03\x04", "it seems to be a spreadsheet or an archive: save the positions as text"),
        (b"\x1f\x8b", "it seems to be a compressed file: unpack it first"),
        (b"\x28\xb5\x2f\xfd", "it seems to be a compressed file: unpack it first"),
        (
            b"SQLite format 3",
            "it seems to be a database: `analyze query` and `export` read those of everyply",
        ),
        (b"PAR1", "it seems to be a Parquet file: save the positions as text"),
        (b"\xff\xfe", "it seems to be text in UTF-16: save it as UTF-8"),
        (b"\xfe\xff", "it seems to be text in UTF-16: save it as UTF-8"),
    ];
    let known = KINDS.iter().find(|(first, _)| start.starts_with(first)).map(|(_, kind)| *kind);
    let is_control = |&b: &u8| b < b' ' && !b"\t\r\n\x0c".contains(&b);
    let is_binary = start.iter().any(is_control) && text_of(start).is_err();
    known.or_else(|| is_binary.then_some("it seems to be a binary file, such as a book, not text"))
}

pub fn text_of(line: &[u8]) -> Result<&str, NotText> {
    std::str::from_utf8(line).map_err(|error| {
        let at = error.valid_up_to();
        NotText { place: at + 1, value: line[at] }
    })
}

/// The lines of an input, one after the other, each within a bound.
#[derive(Debug)]
pub struct TextLines<R> {
    input: R,
    number: u64,
    line: Vec<u8>,
    /// True if the bytes read so far end with `\r`, so that a `\n` may follow.
    after_return: bool,
}

impl<R: BufRead> TextLines<R> {
    pub const fn new(input: R) -> Self {
        Self { input, number: 0, line: Vec::new(), after_return: false }
    }

    pub const fn number(&self) -> u64 {
        self.number
    }

    pub const fn input(&mut self) -> &mut R {
        &mut self.input
    }

    /// Returns the next line without its end, which is `\n`, `\r\n`, `\r` or the input's end, and
    /// without the byte order mark that a text may begin with; `None` after the last.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, LineError> {
        self.line.clear();
        let mut has_end = false;
        while !has_end {
            let bytes = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes.map_err(LineError::Io)?,
            };
            // The `\n` of a line end whose `\r` ended the bytes before.
            let skipped = usize::from(self.after_return && bytes.first() == Some(&b'\n'));
            if bytes.is_empty() {
                break;
            }
            let end = bytes[skipped..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (from, to) = (skipped, end.map_or(bytes.len(), |at| skipped + at));
            self.line.extend_from_slice(&bytes[from..to]);
            has_end = end.is_some();
            // A `\r\n` is consumed whole, so that nothing is left of the line.
            let is_pair = bytes[to..].starts_with(b"\r\n");
            self.after_return = bytes[to..] == *b"\r";
            self.input.consume(to + usize::from(has_end) + usize::from(is_pair));
            if self.line.len() > LONGEST_LINE {
                return Err(LineError::TooLong { number: self.number + 1 });
            }
        }
        if self.line.is_empty() && !has_end {
            return Ok(None);
        }
        self.number += 1;
        if self.number == 1
            && let Some(kind) = kind_of(&self.line)
        {
            return Err(LineError::NoText(kind));
        }
        if self.number == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
            self.line.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some(&self.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_text_files_do() {
        let mut lines = TextLines::new(&b"\xef\xbb\xbfone\r\ntwo\n\r\nthree\r\rfour"[..]);
        for (number, expected) in (1..).zip(["one", "two", "", "three", "", "four"]) {
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
        for (start, kind) in [
            (&b"PK\x03\x04 of a table"[..], "a spreadsheet"),
            (b"\xff\xfe4\0\n", "UTF-16"),
            (b"\xaf\x03\x80\n", "a binary file"),
        ] {
            let mut lines = TextLines::new(start);
            let error = lines.next_line().unwrap_err();
            assert!(matches!(error, LineError::NoText(found) if found.contains(kind)), "{error:?}");
        }
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
