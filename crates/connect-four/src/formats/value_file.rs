//! Value files: files of positions with their values, in any supported format.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use super::bit_bully::{BitBullyBook, BookRecords, FixedRecords};
use super::cadot::CadotRecords;
use super::{InterchangeError, LineFormat, MissingChoice, Record, RecordError, Records, pons, uci};
use crate::control::Control;
use crate::game::{Outcome, PartialValue, Ply};
use crate::games::line::{ConnectFour, LineGame};
use crate::reading::{TextLines, open_regular};

worded! {
    /// A format of value files.
    pub enum ValueFormat,
    /// Returns the name.
    name:
    /// UCI's connect-4.data
    Uci "uci",
    /// Pons' test lines, columns counted from 1
    Pons "pons",
    /// Pons' test lines, columns counted from 0
    Pons0 "pons0",
    /// Böck's opening book
    Boeck "boeck",
    /// BitBully's book_8ply.dat
    BitBully8 "bitbully-8",
    /// BitBully's book_12ply.dat
    BitBully12 "bitbully-12",
    /// BitBully's book_12ply_distances.dat
    BitBully12Distances "bitbully-12-distances",
    /// Cadot's whole boards
    Cadot "cadot",
}

/// Positions in Böck's book of the 7x6 board: all of 8 plies that are no draws.
const WHOLE_BOECK: u64 = 169_599;

/// The encoding of a value format.
enum Encoding {
    Lines(LineFormat),
    Book(BitBullyBook),
    Cadot,
}

impl ValueFormat {
    const fn encoding(self) -> Encoding {
        match self {
            Self::Uci => Encoding::Lines(LineFormat::Uci),
            Self::Pons => Encoding::Lines(LineFormat::Pons),
            Self::Pons0 => Encoding::Lines(LineFormat::Pons0),
            Self::Boeck => Encoding::Lines(LineFormat::Boeck),
            Self::BitBully8 => Encoding::Book(BitBullyBook::Ply8),
            Self::BitBully12 => Encoding::Book(BitBullyBook::Ply12),
            Self::BitBully12Distances => Encoding::Book(BitBullyBook::Ply12Distances),
            Self::Cadot => Encoding::Cadot,
        }
    }

    /// Returns the value of all positions that are not in a file with this number of records, are of
    /// a ply and not over; `None` if it is unknown.
    ///
    /// BitBully's books are complete by their format. Böck's leave out draws; an absent position is
    /// known to be drawn only if the file has all other positions.
    pub const fn absent(self, records: u64) -> Option<(Ply, PartialValue)> {
        match self.encoding() {
            Encoding::Book(book) => Some((book.ply(), book.absent())),
            Encoding::Lines(LineFormat::Boeck) if records == WHOLE_BOECK => {
                Some((Ply(8), PartialValue::of_outcome(Outcome::Draw)))
            }
            Encoding::Lines(_) | Encoding::Cadot => None,
        }
    }
}

/// The location of a record in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordLocation {
    /// The unit that is counted: `line` or `record`.
    pub unit: &'static str,
    /// The number, counted from 1.
    pub number: u64,
}

impl fmt::Display for RecordLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.unit, self.number)
    }
}

/// A file of values.
#[derive(Clone, Debug)]
pub struct ValueFile {
    path: PathBuf,
    format: ValueFormat,
}

impl ValueFile {
    /// Opens the file at a path, in this format or in the one detected from its content.
    ///
    /// # Errors
    /// If the file cannot be read, its content fits no format or several, or the format is for
    /// another board.
    pub fn open(
        path: &Path,
        format: Option<ValueFormat>,
        game: &ConnectFour,
    ) -> Result<Self, InterchangeError> {
        let format = match format {
            Some(format) => format,
            None => detect(path, game)?,
        };
        let fits = match format.encoding() {
            Encoding::Lines(format) => format.check_board(game),
            Encoding::Book(_) => RecordError::check_standard(game, "BitBully's books"),
            Encoding::Cadot => CadotRecords::new(game).map(drop),
        };
        fits.map_err(|error| invalid(path, error.to_string()))?;
        // An unreadable file is refused before any work.
        open(path)?;
        Ok(Self { path: path.to_owned(), format })
    }

    /// Returns the format.
    pub const fn format(&self) -> ValueFormat {
        self.format
    }

    /// Calls `visit` with every record, in the order of the file. Returns the number of records.
    ///
    /// # Errors
    /// At the first wrong line or record, or if a stop is asked for.
    pub fn visit(
        &self,
        game: &ConnectFour,
        control: &Control,
        mut visit: impl FnMut(RecordLocation, Record, PartialValue),
    ) -> Result<u64, InterchangeError> {
        let name = self.path.display().to_string();
        let input = open(&self.path)?;
        let mut count = 0;
        let mut take = |unit, next: Result<(u64, Record), InterchangeError>| {
            if count % 1024 == 0 {
                control.check()?;
            }
            let (number, record) = next?;
            let value = record.value.ok_or_else(|| {
                let (has, remedy) = ("and this one does not", "give a file with the classes");
                let needs = "a row of the data set ends with its class";
                let why = RecordError::NoValue { needs, has, remedy };
                InterchangeError::of_record(&name, unit, number, why)
            })?;
            count += 1;
            control.advance(1);
            visit(RecordLocation { unit, number }, record, value);
            Ok::<(), InterchangeError>(())
        };
        match self.format.encoding() {
            Encoding::Lines(format) => {
                Records::new(game, format, &name, input).try_for_each(|next| take("line", next))
            }
            Encoding::Book(book) => {
                BookRecords::new(game, book, &name, input).try_for_each(|next| take("record", next))
            }
            Encoding::Cadot => {
                let records =
                    CadotRecords::new(game).map_err(|why| invalid(&self.path, why.to_string()))?;
                BookRecords::new(game, records, &name, input)
                    .try_for_each(|next| take("record", next))
            }
        }?;
        Ok(count)
    }
}

fn open(path: &Path) -> Result<BufReader<File>, InterchangeError> {
    let fail = |source| InterchangeError::Io(path.display().to_string(), source);
    let file = open_regular(path).map_err(fail)?;
    Ok(BufReader::with_capacity(1 << 16, file))
}

fn invalid(path: &Path, reason: impl Into<String>) -> InterchangeError {
    InterchangeError::Invalid(path.display().to_string(), reason.into())
}

fn ambiguous(path: &Path, missing: MissingChoice, reason: impl Into<String>) -> InterchangeError {
    InterchangeError::Ambiguous { name: path.display().to_string(), reason: reason.into(), missing }
}

/// Detects the format from the content.
fn detect(path: &Path, game: &ConnectFour) -> Result<ValueFormat, InterchangeError> {
    let fail = |source| InterchangeError::Io(path.display().to_string(), source);
    let mut start = Vec::new();
    open(path)?.take(4096).read_to_end(&mut start).map_err(fail)?;
    if start.is_empty() {
        return Err(invalid(path, "the file is empty"));
    }
    let is_text = start.iter().all(|&b| b.is_ascii_graphic() || b" \t\r\n".contains(&b));
    if !is_text {
        return detect_book(path, &start, game);
    }
    let text = String::from_utf8_lossy(&start);
    let line = text.lines().next().unwrap_or_default();
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let whole = |text: &str| digits(text.strip_prefix('-').unwrap_or(text)) && !text.is_empty();
    if line.split(',').count() > 40 && line.starts_with(['x', 'o', 'b']) {
        return Ok(ValueFormat::Uci);
    }
    if let Some((moves, score)) = pons::fields(line)
        && moves.bytes().all(|b| b.is_ascii_digit() || b", ".contains(&b))
        && !moves.ends_with(',')
        && whole(score.trim())
    {
        return detect_base(path, game);
    }
    match line.split_once(',') {
        Some((key, value)) if digits(key.trim()) && whole(value.trim()) => Ok(ValueFormat::Boeck),
        _ => Err(ambiguous(
            path,
            MissingChoice::Format,
            format!(
                "its first line ('{}') is of no format that is known (UCI rows, Pons lines, \
                 Böck's books): convert it, or say which it is",
                super::error::abbreviated(line)
            ),
        )),
    }
}

/// Detects whether lines of moves count columns from 0 or from 1: a line that plays column 0 or the
/// last column counted from 1 decides.
fn detect_base(path: &Path, game: &ConnectFour) -> Result<ValueFormat, InterchangeError> {
    let width = u32::from(game.size().width);
    let (mut zero, mut last) = (false, false);
    let mut lines = TextLines::new(open(path)?);
    let fail = |error| InterchangeError::of_line(error, &path.display().to_string());
    while let Some(line) = lines.next_line().map_err(fail)? {
        let line = String::from_utf8_lossy(line);
        let moves = pons::fields(&line).map_or(&*line, |(moves, _)| moves);
        let numbers: Vec<u32> = if moves.contains([',', ' ']) {
            moves.split([',', ' ']).filter_map(|number| number.parse().ok()).collect()
        } else {
            moves.chars().filter_map(|c| c.to_digit(10)).collect()
        };
        zero |= numbers.contains(&0);
        last |= numbers.contains(&width);
    }
    match (zero, last) {
        (true, false) => Ok(ValueFormat::Pons0),
        (false, true) => Ok(ValueFormat::Pons),
        (true, true) => Err(ambiguous(
            path,
            MissingChoice::Board,
            format!(
                "it plays both column 0 and column {width}, so its columns are counted neither \
                 from 0 nor from 1: mend it, or choose the board it was made for"
            ),
        )),
        (false, false) => Err(ambiguous(
            path,
            MissingChoice::Format,
            format!(
                "no line plays column 0 or column {width}, so its columns may be counted from 0 \
                 or from 1: say which, pons (from 1) or pons0 (from 0)"
            ),
        )),
    }
}

/// Detects the book from the first bytes of a file.
fn detect_book(
    path: &Path,
    start: &[u8],
    game: &ConnectFour,
) -> Result<ValueFormat, InterchangeError> {
    let of_books = |reason| ambiguous(path, MissingChoice::Format, reason);
    let fits = |format: &ValueFormat| match format.encoding() {
        Encoding::Lines(_) => false,
        Encoding::Book(book) => game.size() == uci::SIZE && all_fit(game, book, start),
        Encoding::Cadot => CadotRecords::new(game).is_ok_and(|book| all_fit(game, book, start)),
    };
    let mut formats = ValueFormat::ALL.into_iter().filter(fits);
    match (formats.next(), formats.next()) {
        (Some(format), None) => Ok(format),
        (None, _) => Err(of_books(
            "it is neither text nor a book of BitBully's nor a board of Cadot's: name its format",
        )),
        (Some(_), Some(_)) => Err(of_books("it fits more than one format: name its format")),
    }
}

/// Returns true if the whole records at the start of a file fit a format.
fn all_fit(game: &ConnectFour, format: impl FixedRecords, start: &[u8]) -> bool {
    let whole = start.len() - start.len() % format.length();
    whole > 0 && BookRecords::new(game, format, "", &start[..whole]).all(|record| record.is_ok())
}
