//! Strategies as files: lines of text, compressed with zstd.
//!
//! The format is described in `docs/strategies.md`.

use std::fmt::Write as _;
use std::io::{self, BufRead, Read, Seek, Write};
use std::path::Path;

use super::claim::{Claim, Side};
use super::field::{Field, each};
use super::{Entry, Plan, Strategy};
use crate::games::line::{LineGame, Size, Stones};
use crate::reading::open_regular;

/// The first line of every strategy.
const HEADLINE: &str = "everyply strategy 1";
/// What the first line of every version begins with.
const NAME: &[u8] = b"everyply strategy ";
/// No line of a board of 64 bits is longer.
const LONGEST_LINE: u64 = 1024;
/// More positions are not read.
const MOST_POSITIONS: usize = 1 << 24;

/// Why a file is not read as strategies.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not what is wanted there.
    #[error("line {line}: {wanted} is wanted")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What should stand there.
        wanted: String,
    },
}

/// Writes strategies one after the other.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(strategies: &[Strategy], out: impl Write) -> io::Result<()> {
    let mut encoder = zstd::Encoder::new(out, 19)?;
    encoder.include_checksum(true)?;
    for strategy in strategies {
        let field = Field::new(strategy.size).map_err(io::Error::other)?;
        let mut lines: Vec<String> =
            strategy.entries.iter().map(|entry| line_of(&field, entry)).collect();
        lines.sort_unstable();
        let Strategy { size, claim, moves, .. } = strategy;
        writeln!(
            encoder,
            "{HEADLINE}\nboard {}\nline {}\nside {}\nscore {}\nmoves {moves}\npositions {}",
            size.board(),
            size.line,
            claim.side.word(),
            claim.at_least,
            lines.len()
        )?;
        for line in lines {
            writeln!(encoder, "{line}")?;
        }
    }
    encoder.finish()?.flush()
}

/// A cell of a board, given as a bit number: its column as a letter and its row from the bottom.
#[must_use]
pub fn cell_name(size: Size, cell: u32) -> String {
    let stride = u32::from(size.height) + 1;
    format!("{}{}", column_letter(cell / stride), cell % stride + 1)
}

pub(crate) fn column_letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

fn line_of(field: &Field, entry: &Entry) -> String {
    let (first, second) = entry.position.by_player();
    let mut line = String::new();
    for column in 0..field.width {
        if column > 0 {
            line.push('/');
        }
        for cell in each(field.column(column)) {
            if first & cell != 0 {
                line.push('x');
            } else if second & cell != 0 {
                line.push('o');
            }
        }
    }
    line.push(' ');
    if entry.plan.exits == 0 {
        line.push('-');
    }
    line.extend((0..field.width).filter(|c| entry.plan.exits >> c & 1 == 1).map(column_letter));
    for (cell, column) in entry.plan.answers() {
        let _ = write!(line, " {}{}", cell_name(field.game.size(), cell), column_letter(column));
    }
    line
}

/// Reads what [`write()`] wrote.
///
/// That the lines say what they should is all that is looked at; whether the strategy is right,
/// [`check`](super::check()) tells.
///
/// # Errors
/// If it cannot be read, or a line is not what it should be; the error names the line.
pub fn read(input: impl io::Read) -> Result<Vec<Strategy>, FileError> {
    let decoder = zstd::Decoder::new(input)?;
    let mut lines = Lines { input: io::BufReader::new(decoder), number: 0 };
    let mut strategies = Vec::new();
    while let Some(line) = lines.next()? {
        if line != HEADLINE {
            return Err(lines.wanted(format_args!("`{HEADLINE}`")));
        }
        strategies.push(lines.strategy()?);
    }
    if strategies.is_empty() {
        return Err(lines.wanted(format_args!("`{HEADLINE}`")));
    }
    Ok(strategies)
}

/// True if a file holds strategies, of whatever version, told by its first line. A damaged one
/// that no line of can be unpacked passes for one, since nothing else that is written is a bare
/// zstd frame.
///
/// # Errors
/// If it cannot be opened or read.
pub fn is_strategy(path: &Path) -> io::Result<bool> {
    let mut file = open_regular(path)?;
    let mut magic = Vec::new();
    Read::take(&mut file, 4).read_to_end(&mut magic)?;
    if magic != zstd::zstd_safe::MAGICNUMBER.to_le_bytes() {
        return Ok(false);
    }
    file.rewind()?;
    let mut name = Vec::new();
    let text = zstd::Decoder::new(file)?;
    let unpacked = text.take(NAME.len() as u64).read_to_end(&mut name);
    Ok(unpacked.is_err() || name == NAME)
}

/// Reads the strategies of a file.
///
/// # Errors
/// As [`read()`].
pub fn open(path: &Path) -> Result<Vec<Strategy>, FileError> {
    read(open_regular(path)?)
}

struct Lines<R> {
    input: io::BufReader<R>,
    number: usize,
}

impl<R: io::Read> Lines<R> {
    fn next(&mut self) -> Result<Option<String>, FileError> {
        let mut bytes = Vec::new();
        self.number += 1;
        io::Read::take(&mut self.input, LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        match bytes.pop() {
            None => Ok(None),
            Some(b'\n') => {
                let text = String::from_utf8(bytes);
                text.map(Some).map_err(|_| self.wanted(format_args!("plain text")))
            }
            Some(_) => {
                Err(self.wanted(format_args!("a line of at most {LONGEST_LINE} characters")))
            }
        }
    }

    fn wanted(&self, wanted: std::fmt::Arguments<'_>) -> FileError {
        FileError::Line { line: self.number, wanted: wanted.to_string() }
    }

    /// What follows a word at the beginning of the next line.
    fn after(&mut self, word: &str) -> Result<String, FileError> {
        let line = self.next()?.unwrap_or_default();
        match line.strip_prefix(word) {
            Some("") => Ok(String::new()),
            Some(rest) if rest.starts_with(' ') => Ok(rest[1..].to_owned()),
            _ => Err(self.wanted(format_args!("`{word}` and its value"))),
        }
    }

    fn number<N: std::str::FromStr>(&mut self, word: &str) -> Result<N, FileError> {
        let text = self.after(word)?;
        text.parse().map_err(|_| self.wanted(format_args!("`{word}` and a number")))
    }

    fn strategy(&mut self) -> Result<Strategy, FileError> {
        let board = self.after("board")?;
        let board =
            board.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        let (width, height) =
            board.ok_or_else(|| self.wanted(format_args!("`board` and a size, as 7x6")))?;
        let line = self.number("line")?;
        let size = Size::new(width, height, line)
            .map_err(|error| self.wanted(format_args!("a board that fits ({error})")))?;
        let field = Field::new(size)
            .map_err(|error| self.wanted(format_args!("a board that fits ({error})")))?;
        let side = match self.after("side")?.as_str() {
            "first" => Side::First,
            "second" => Side::Second,
            _ => return Err(self.wanted(format_args!("`side first` or `side second`"))),
        };
        let at_least = self.number("score")?;
        if !(-64..=64).contains(&at_least) {
            return Err(self.wanted(format_args!("a score of the board")));
        }
        let moves = self.after("moves")?;
        let positions: usize = self.number("positions")?;
        if positions > MOST_POSITIONS {
            return Err(self.wanted(format_args!("at most {MOST_POSITIONS} positions")));
        }
        let mut entries = Vec::new();
        let mut last = String::new();
        for _ in 0..positions {
            let line = self.next()?.ok_or_else(|| self.wanted(format_args!("another position")))?;
            if line <= last {
                return Err(self.wanted(format_args!("a position after the one before, in order")));
            }
            let entry = entry_of(&field, &line, side);
            entries.push(entry.map_err(|wanted| self.wanted(format_args!("{wanted}")))?);
            last = line;
        }
        entries.sort_unstable_by_key(|entry: &Entry| (entry.position.other, entry.position.own));
        Ok(Strategy { size, claim: Claim { side, at_least }, moves, entries })
    }
}

/// Reads a line, or says what is wanted.
fn entry_of(field: &Field, line: &str, side: Side) -> Result<Entry, &'static str> {
    let mut words = line.split(' ');
    let position = position_of(field, words.next().unwrap_or(""), side)
        .ok_or("a position, its columns of x and o divided by `/`,")?;
    let exits = words.next().unwrap_or("");
    let mut plan = Plan::default();
    if exits != "-" {
        let mut least = 0;
        if exits.is_empty() {
            return Err("the exits, or `-`,");
        }
        for byte in exits.bytes() {
            let column = column_of(field, byte).filter(|c| *c >= least);
            let column = column.ok_or("the exits, ascending columns from a, or `-`,")?;
            least = column + 1;
            plan.exits |= 1 << column;
        }
    }
    let mut least = 0;
    for word in words {
        let (cell, column) = answer_of(field, word).ok_or("a cell and a column, as in d3e,")?;
        if cell < least || field.column_of(cell) == column {
            return Err("answers in order of their cells, those on top left out,");
        }
        if position.occupied() >> cell & 1 == 1 {
            return Err("an answer to a cell that is empty");
        }
        least = cell + 1;
        plan.set(cell, column);
    }
    Ok(Entry { position, plan })
}

fn position_of(field: &Field, text: &str, side: Side) -> Option<Stones> {
    let (mut first, mut second) = (0, 0);
    let mut columns = 0;
    for (column, stones) in text.split('/').enumerate() {
        let column = u32::try_from(column).ok().filter(|c| *c < field.width)?;
        columns += 1;
        if stones.len() > field.height as usize {
            return None;
        }
        for (row, stone) in stones.bytes().enumerate() {
            let cell = 1 << (column * field.stride + row as u32);
            match stone {
                b'x' => first |= cell,
                b'o' => second |= cell,
                _ => return None,
            }
        }
    }
    // The attacker, who moves, is the other side.
    let (own, other) = if side == Side::First { (second, first) } else { (first, second) };
    (columns == field.width).then_some(Stones { own, other })
}

fn column_of(field: &Field, letter: u8) -> Option<u32> {
    letter.checked_sub(b'a').map(u32::from).filter(|column| *column < field.width)
}

fn answer_of(field: &Field, word: &str) -> Option<(u32, u32)> {
    let (&from, rest) = word.as_bytes().split_first()?;
    let (&to, row) = rest.split_last()?;
    let row = std::str::from_utf8(row).ok().filter(|row| !row.starts_with(['0', '+']))?;
    let row: u32 = row.parse().ok().filter(|row| (1..=field.height).contains(row))?;
    Some((column_of(field, from)? * field.stride + row - 1, column_of(field, to)?))
}
