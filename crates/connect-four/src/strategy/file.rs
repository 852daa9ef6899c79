//! Strategy files: lines of text, compressed with zstd.
//!
//! The format is described in `docs/strategies.md`.

use std::fmt::Write as _;
use std::io::{self, BufRead, Read, Seek, Write};
use std::path::Path;
use std::str::FromStr;

use zstd::bulk::Compressor;

use super::grid::{Grid, each_cell};
use super::plan::{Claim, Side};
use super::{Plan, PlannedPosition, Strategy};
use everyply_core::games::line::notation::{IndexBase, parse_moves_from, write_moves};
use everyply_core::games::line::{LineGame, Size, Stones};
use everyply_files::reading::open_regular;

/// The first line of every strategy.
const HEADLINE: &str = "everyply strategy 1";
/// The beginning of the first line in every version.
const NAME: &[u8] = b"everyply strategy ";
/// The most bytes of a line of text: enough for any board of 64 bits.
const LONGEST_LINE: u64 = 1024;
/// The longest line of stones that a file may name; no board has room for a longer one.
const LONGEST_ROW: u8 = 99;
/// The most positions that are read.
const MOST_POSITIONS: usize = 1 << 24;
/// Positions and headlines allowed in any file, and more for each of its bytes: a position of a
/// large strategy takes seven bytes. Without a limit, a small file of many equal lines would fill
/// the memory.
const FREE_POSITIONS: u64 = 1 << 16;
const POSITIONS_PER_BYTE: u64 = 4;

/// Errors of reading a strategy file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An invalid line: its number, from 1, and the expected content.
    #[error("line {0}: expected {1}")]
    Line(usize, String),
}

/// Writes strategies one after the other.
///
/// # Errors
/// If `out` cannot be written, or there is no memory to compress them.
pub fn write(strategies: &[Strategy], mut out: impl Write) -> io::Result<()> {
    let text = to_text(strategies)?;
    let compressed = |level| {
        let mut compressor = Compressor::new(level)?;
        compressor.include_checksum(true)?;
        compressor.compress(text.as_bytes())
    };
    // Level 19 needs some 90 MiB for a large text, level 1 little. A level fails only if the
    // process may not use that much.
    let bytes = compressed(19).or_else(|_| compressed(3)).or_else(|_| compressed(1))?;
    out.write_all(&bytes)?;
    out.flush()
}

fn to_text(strategies: &[Strategy]) -> io::Result<String> {
    let mut text = String::new();
    for strategy in strategies {
        let grid = Grid::new(strategy.size).map_err(io::Error::other)?;
        let mut lines: Vec<String> =
            strategy.positions.iter().map(|planned| position_line(&grid, planned)).collect();
        lines.sort_unstable();
        let Strategy { size, claim, moves, .. } = strategy;
        let _ = writeln!(
            text,
            "{HEADLINE}\nboard {}\nline {}\nside {}\nscore {}\nmoves {moves}\npositions {}",
            size.board(),
            size.line,
            claim.side.name(),
            claim.at_least,
            lines.len()
        );
        for line in lines {
            text.push_str(&line);
            text.push('\n');
        }
    }
    Ok(text)
}

/// Returns the name of a cell, given as a bit number: its column letter and its row from the bottom.
pub fn cell_name(size: Size, cell: u32) -> String {
    let stride = u32::from(size.height) + 1;
    format!("{}{}", column_letter(cell / stride), cell % stride + 1)
}

/// Returns the letter of a column: `a` for the first.
pub fn column_letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

fn position_line(grid: &Grid, planned: &PlannedPosition) -> String {
    let (first, second) = planned.position.by_player();
    let mut line = String::new();
    for column in 0..grid.width {
        if column > 0 {
            line.push('/');
        }
        for cell in each_cell(grid.column(column)) {
            if first & cell != 0 {
                line.push('x');
            } else if second & cell != 0 {
                line.push('o');
            }
        }
    }
    line.push(' ');
    if planned.plan.exits == 0 {
        line.push('-');
    }
    line.extend((0..grid.width).filter(|c| planned.plan.exits >> c & 1 == 1).map(column_letter));
    for (cell, column) in planned.plan.answers() {
        let _ = write!(line, " {}{}", cell_name(grid.game.size(), cell), column_letter(column));
    }
    line
}

/// Reads strategies that [`write()`] wrote.
///
/// Only the format is checked here; see [`check`](super::check()) for the strategy itself.
///
/// # Errors
/// If the file cannot be read, or a line is not valid; the error names the line.
pub fn read(bytes: &[u8]) -> Result<Vec<Strategy>, FileError> {
    read_of(bytes, bytes.len() as u64)
}

fn read_of(input: impl io::Read, bytes: u64) -> Result<Vec<Strategy>, FileError> {
    let decoder = zstd::Decoder::new(input)?;
    let room = FREE_POSITIONS.saturating_add(bytes.saturating_mul(POSITIONS_PER_BYTE));
    let mut lines = Lines { input: io::BufReader::new(decoder), number: 0, room };
    let mut strategies = Vec::new();
    while let Some(line) = lines.next()? {
        if line != HEADLINE {
            return Err(lines.expected(format!("`{HEADLINE}`")));
        }
        lines.take_room()?;
        strategies.push(lines.strategy()?);
    }
    if strategies.is_empty() {
        return Err(lines.expected(format!("`{HEADLINE}`")));
    }
    Ok(strategies)
}

/// Returns true if a file holds strategies of any version, judged by its first line. A damaged file
/// whose first line cannot be unpacked counts as well: no other file of this program is a bare zstd
/// frame.
///
/// # Errors
/// If the file cannot be opened or read.
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
/// If the file cannot be read, or a line is not valid.
pub fn open(path: &Path) -> Result<Vec<Strategy>, FileError> {
    let file = open_regular(path)?;
    let bytes = file.metadata()?.len();
    read_of(file.take(bytes), bytes)
}

struct Lines<R> {
    input: io::BufReader<R>,
    number: usize,
    /// Positions and headlines still allowed.
    room: u64,
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
                text.map(Some).map_err(|_| self.expected("plain text"))
            }
            Some(_) => Err(self.expected(format!("a line of at most {LONGEST_LINE} characters"))),
        }
    }

    fn expected(&self, expected: impl Into<String>) -> FileError {
        FileError::Line(self.number, expected.into())
    }

    /// Reads the next line, which begins with a word, and returns the rest of it.
    fn after(&mut self, word: &str) -> Result<String, FileError> {
        let line = self.next()?.unwrap_or_default();
        match line.strip_prefix(word) {
            Some("") => Ok(String::new()),
            Some(rest) if rest.starts_with(' ') => Ok(rest[1..].to_owned()),
            _ => Err(self.expected(format!("`{word}` and its value"))),
        }
    }

    fn take_room(&mut self) -> Result<(), FileError> {
        self.room = self.room.checked_sub(1).ok_or_else(|| {
            self.expected(format!(
                "at most {FREE_POSITIONS} positions and {POSITIONS_PER_BYTE} for each byte of the file"
            ))
        })?;
        Ok(())
    }

    fn number<N: FromStr>(&mut self, word: &str) -> Result<N, FileError> {
        let text = self.after(word)?;
        plain(&text).ok_or_else(|| self.expected(format!("`{word}` and a number")))
    }

    fn strategy(&mut self) -> Result<Strategy, FileError> {
        let board = self.after("board")?;
        let board = board.split_once('x').and_then(|(w, h)| Some((plain(w)?, plain(h)?)));
        let (width, height) =
            board.ok_or_else(|| self.expected("`board` and a size such as 7x6"))?;
        let line = self.number("line")?;
        if line > LONGEST_ROW {
            return Err(self.expected(format!("a line of at most {LONGEST_ROW}")));
        }
        let misfit = |error| self.expected(format!("a board that fits ({error})"));
        let size = Size::new(width, height, line).map_err(misfit)?;
        let grid = Grid::new(size).map_err(misfit)?;
        let side = match self.after("side")?.as_str() {
            "first" => Side::First,
            "second" => Side::Second,
            _ => return Err(self.expected("`side first` or `side second`")),
        };
        let at_least = self.number("score")?;
        if !(-64..=64).contains(&at_least) {
            return Err(self.expected("a score of the board"));
        }
        let moves = self.after("moves")?;
        let written = parse_moves_from(&grid.game, &moves, IndexBase::One)
            .map(|(_, played)| write_moves(&grid.game, &played));
        if written.is_ok_and(|written| written != moves) {
            return Err(self.expected("moves such as 4453, or 4,10 on more than nine columns"));
        }
        let positions: usize = self.number("positions")?;
        if positions > MOST_POSITIONS {
            return Err(self.expected(format!("at most {MOST_POSITIONS} positions")));
        }
        let mut read = Vec::new();
        let mut last = String::new();
        for _ in 0..positions {
            let line = self.next()?.ok_or_else(|| self.expected("another position"))?;
            self.take_room()?;
            if line <= last {
                return Err(self.expected("positions in order"));
            }
            let position = read_position(&grid, &line, side).ok_or_else(|| {
                self.expected(
                    "a position: its columns of x and o, divided by `/`; its exits, or `-`; and \
                     answers such as d3e to empty cells, in order and without those on top",
                )
            })?;
            read.push(position);
            last = line;
        }
        read.sort_unstable_by_key(|p: &PlannedPosition| (p.position.other, p.position.own));
        Ok(Strategy { size, claim: Claim { side, at_least }, moves, positions: read })
    }
}

/// Parses a number; `None` if it has a superfluous sign or leading zeros.
fn plain<N: FromStr>(text: &str) -> Option<N> {
    let digits = text.strip_prefix('-').filter(|digits| *digits != "0").unwrap_or(text);
    let is_plain = digits == "0" || digits.starts_with(|digit| matches!(digit, '1'..='9'));
    text.parse().ok().filter(|_| is_plain)
}

/// Reads the line of a position; `None` unless [`position_line`] writes the same line.
fn read_position(grid: &Grid, line: &str, side: Side) -> Option<PlannedPosition> {
    let mut words = line.split(' ');
    let position = stones_of(grid, words.next()?, side)?;
    let mut plan = Plan::default();
    for letter in words.next()?.bytes().filter(|letter| *letter != b'-') {
        plan.exits |= 1 << column_of(grid, letter)?;
    }
    for word in words {
        let (cell, column) = answer_of(grid, word)?;
        if grid.column_of(cell) == column || position.occupied() >> cell & 1 == 1 {
            return None;
        }
        plan.set(cell, column);
    }
    let planned = PlannedPosition { position, plan };
    (position_line(grid, &planned) == line).then_some(planned)
}

/// Reads the columns of stones; columns may be missing, which [`position_line`] never writes.
fn stones_of(grid: &Grid, text: &str, side: Side) -> Option<Stones> {
    let (mut first, mut second) = (0, 0);
    for (column, stones) in (0..).zip(text.split('/')) {
        if column >= grid.width || stones.len() > grid.height as usize {
            return None;
        }
        for (row, stone) in (0..).zip(stones.bytes()) {
            let cell = 1 << (column * grid.stride + row);
            match stone {
                b'x' => first |= cell,
                b'o' => second |= cell,
                _ => return None,
            }
        }
    }
    // The attacker, who moves, is the other side.
    let (own, other) = if side == Side::First { (second, first) } else { (first, second) };
    Some(Stones { own, other })
}

fn column_of(grid: &Grid, letter: u8) -> Option<u32> {
    letter.checked_sub(b'a').map(u32::from).filter(|column| *column < grid.width)
}

fn answer_of(grid: &Grid, word: &str) -> Option<(u32, u32)> {
    let (&from, rest) = word.as_bytes().split_first()?;
    let (&to, row) = rest.split_last()?;
    let row: u32 = std::str::from_utf8(row).ok()?.parse().ok()?;
    if !(1..=grid.height).contains(&row) {
        return None;
    }
    Some((column_of(grid, from)? * grid.stride + row - 1, column_of(grid, to)?))
}
