//! Value files: files of positions with their values, in any supported format.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use super::bit_bully::{BitBullyBook, BookRecords};
use super::{InterchangeError, LineFormat, Record, RecordError, Records, uci};
use everyply_core::control::Control;
use everyply_core::game::{PartialValue, Ply};
use everyply_core::games::line::LineGame;
use everyply_core::games::line::notation::{ScoreField, beginning, moves_and_score};
use everyply_files::reading::{BYTE_ORDER_MARK, kind_of, open_regular};

worded! {
    pub enum ValueFormat,
    name:
    Uci "uci",
    Pons "pons",
    BitBully8 "bitbully-8",
    BitBully12 "bitbully-12",
    BitBully12Distances "bitbully-12-distances",
}

enum Encoding {
    Lines(LineFormat),
    Book(BitBullyBook),
}

impl ValueFormat {
    const fn encoding(self) -> Encoding {
        match self {
            Self::Uci => Encoding::Lines(LineFormat::Uci),
            Self::Pons => Encoding::Lines(LineFormat::Pons),
            Self::BitBully8 => Encoding::Book(BitBullyBook::Ply8),
            Self::BitBully12 => Encoding::Book(BitBullyBook::Ply12),
            Self::BitBully12Distances => Encoding::Book(BitBullyBook::Ply12Distances),
        }
    }

    /// Returns the ply that a file of this format covers, and the value of its unfinished positions
    /// that the file leaves out; `None` for a format of any positions.
    pub const fn absent(self) -> Option<(Ply, PartialValue)> {
        match self.encoding() {
            Encoding::Book(book) => Some((book.ply(), book.absent())),
            Encoding::Lines(_) => None,
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
    /// another game or board.
    pub fn open(
        path: &Path,
        format: Option<ValueFormat>,
        game: &impl LineGame,
    ) -> Result<Self, InterchangeError> {
        let format = match format {
            Some(format) => format,
            None => detect(path, game)?,
        };
        let fits = match format.encoding() {
            Encoding::Lines(format) => format.check_game(game),
            Encoding::Book(_) => RecordError::check_falling(game, format.name())
                .and_then(|()| RecordError::check_usual(game, format.name())),
        };
        fits.map_err(|error| invalid(path, error.to_string()))?;
        // An unreadable file is refused before any work.
        open(path)?;
        Ok(Self { path: path.to_owned(), format })
    }

    pub const fn format(&self) -> ValueFormat {
        self.format
    }

    /// Calls `visit` with every record, in the order of the file. Returns the number of records.
    ///
    /// # Errors
    /// At the first wrong line or record, or if the control stops the visit.
    pub fn visit(
        &self,
        game: &impl LineGame,
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

fn ambiguous(path: &Path, reason: impl Into<String>) -> InterchangeError {
    InterchangeError::Ambiguous(path.display().to_string(), reason.into())
}

fn detect(path: &Path, game: &impl LineGame) -> Result<ValueFormat, InterchangeError> {
    let fail = |source| InterchangeError::Io(path.display().to_string(), source);
    let mut start = Vec::new();
    open(path)?.take(4096).read_to_end(&mut start).map_err(fail)?;
    if start.is_empty() {
        return Err(invalid(path, "the file is empty"));
    }
    let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&start);
    let is_text = start.iter().all(|&b| b.is_ascii_graphic() || b" \t\r\n".contains(&b));
    if !is_text {
        return detect_book(path, start, game);
    }
    let text = String::from_utf8_lossy(start);
    let lines = text.split(['\n', '\r']);
    let line = lines.into_iter().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if uci::is_row(game, line) {
        return Ok(ValueFormat::Uci);
    }
    if let Ok((moves, Some(score))) = moves_and_score(game, line, ScoreField::Required)
        && moves.bytes().all(|b| b.is_ascii_digit() || b", ".contains(&b))
        && !moves.ends_with(',')
        && score.trim().parse::<i32>().is_ok()
    {
        return Ok(ValueFormat::Pons);
    }
    let reason = format!(
        "its first line ('{}') is of no known format (UCI rows, Pons lines): convert it, \
         or name its format",
        beginning(line, 40)
    );
    Err(ambiguous(path, reason))
}

/// Detects the book from the first bytes of a file: all whole records have to fit.
fn detect_book(
    path: &Path,
    start: &[u8],
    game: &impl LineGame,
) -> Result<ValueFormat, InterchangeError> {
    let fits = |format: &ValueFormat| {
        let Encoding::Book(book) = format.encoding() else { return false };
        let whole = &start[..start.len() - start.len() % book.record()];
        game.size() == uci::SIZE
            && !whole.is_empty()
            && BookRecords::new(game, book, "", whole).all(|record| record.is_ok())
    };
    let mut formats = ValueFormat::ALL.into_iter().filter(fits);
    match (formats.next(), formats.next()) {
        (Some(format), None) => Ok(format),
        (None, _) => Err(match kind_of(start) {
            Some(kind) => invalid(path, kind),
            None => ambiguous(path, "it is neither text nor a BitBully book: name its format"),
        }),
        (Some(_), Some(_)) => Err(ambiguous(path, "it fits more than one format: name its format")),
    }
}
