//! Opening books: the exact values of all positions up to a ply, small enough to build one into the
//! program.
//!
//! No keys are stored. A position's index is its rank among the colourings of its column heights
//! (`profiles`). Nearly all colourings occur in openings: of the 206,780 that are possible after 8
//! plies of 7x6, play reaches 184,275. The others are marked, so that a book never has a value for
//! a position that no game reaches.

#[cfg(all(test, feature = "solutions"))]
mod tests;

use std::fmt;
#[cfg(feature = "solutions")]
use std::io::{self, Read};
#[cfg(feature = "solutions")]
use std::path::Path;
#[cfg(not(feature = "book"))]
use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::profiles::{Board, Profile};
use everyply_core::game::{Game, Key, Outcome, Ply, Remoteness, Symmetric, Value};
use everyply_core::games::line::{Size, SizeError, Stones, Word};
#[cfg(feature = "solutions")]
use everyply_files::reading::open_regular;

const VERSION: u32 = 1;
/// The most bytes of a book in memory.
const MAX_BYTES: u64 = 1 << 30;

/// The reason why an opening book is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// A file without the magic bytes of a book.
    #[error("no opening book")]
    NotABook,
    #[error("version {0} of the format, but this program reads {VERSION}")]
    OtherVersion(u32),
    #[error("damaged: {0}")]
    Damaged(&'static str),
    #[error(transparent)]
    Size(#[from] SizeError),
    #[error("an opening book to ply {0} takes more than a gigabyte: choose fewer plies")]
    TooLarge(Ply),
}

/// The book installed in a program that was built without one.
#[cfg(not(feature = "book"))]
static INSTALLED: RwLock<Option<&'static OpeningBook>> = RwLock::new(None);

/// The exact values of all positions of a board up to a ply.
pub struct OpeningBook {
    board: Board,
    plies: Ply,
    /// The index of the first byte of each profile.
    starts: FxHashMap<Profile, usize>,
    /// [Bytes of values](byte_of) by profile and rank; 0 for unreachable and finished positions.
    values: Vec<u8>,
}

impl fmt::Debug for OpeningBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpeningBook({}, {} plies)", self.size(), self.plies)
    }
}

/// Encodes a value in one byte: outcome in the upper two bits, never zero; remoteness, at most 63
/// on a board of 64 bits, in the lower six.
const fn byte_of(value: Value) -> u8 {
    debug_assert!(value.remoteness.0 < 64);
    ((value.outcome.sign() + 2) as u8) << 6 | value.remoteness.0
}

/// Decodes a [byte](byte_of); `None` for zero.
const fn value_of(byte: u8) -> Option<Value> {
    let outcome = match byte >> 6 {
        1 => Outcome::Loss,
        2 => Outcome::Draw,
        3 => Outcome::Win,
        _ => return None,
    };
    Some(Value::new(outcome, Remoteness(byte & 63)))
}

impl OpeningBook {
    /// Installs this book in a program built without one. Solvers created earlier do not use it.
    #[cfg(not(feature = "book"))]
    pub fn install(self) {
        *INSTALLED.write().unwrap_or_else(PoisonError::into_inner) =
            Some(Box::leak(Box::new(self)));
    }

    /// Returns the built-in or installed book, if it is for a board of this size.
    pub fn builtin(size: Size) -> Option<&'static Self> {
        #[cfg(feature = "book")]
        {
            use everyply_core::games::line::Rules;
            use std::sync::LazyLock;
            static BOOK: LazyLock<OpeningBook> = LazyLock::new(|| {
                let bytes = include_bytes!("../../data/connect4-7x6.book");
                OpeningBook::from_bytes(bytes).expect("the book is sound")
            });
            (size == Rules::ConnectFour.usual()).then(|| &*BOOK)
        }
        #[cfg(not(feature = "book"))]
        {
            let installed = *INSTALLED.read().unwrap_or_else(PoisonError::into_inner);
            installed.filter(|book| book.size() == size)
        }
    }

    /// Creates a book. From canonical keys `value` should return the values of the reachable
    /// positions in which the game is not over, and `None` for all others.
    ///
    /// # Errors
    /// If the board does not fit 64 bits, or the book would be too large.
    pub fn new(
        size: Size,
        plies: Ply,
        value: impl Fn(Key) -> Option<Value>,
    ) -> Result<Self, OpeningError> {
        let mut book = Self::empty(size, plies)?;
        let game = *book.board.game();
        for (profile, start) in &book.starts {
            let colourings = book.board.positions(*profile);
            for (position, byte) in colourings.zip(&mut book.values[*start..]) {
                if game.result(position).is_none() {
                    *byte = value(game.canonical(position).0).map_or(0, byte_of);
                }
            }
        }
        Ok(book)
    }

    /// Checks that a book of a board up to this ply is possible, before its values are known.
    ///
    /// # Errors
    /// If the board does not fit 64 bits, or the book would be too large.
    pub fn check(size: Size, plies: Ply) -> Result<(), OpeningError> {
        offsets(&Board::new(size)?, plies).map(drop)
    }

    fn empty(size: Size, plies: Ply) -> Result<Self, OpeningError> {
        let board = Board::new(size)?;
        let plies = plies.min(board.last_ply());
        let (starts, end) = offsets(&board, plies)?;
        Ok(Self { board, plies, starts, values: vec![0; end] })
    }

    pub const fn board(&self) -> &Board {
        &self.board
    }

    pub fn size(&self) -> Size {
        self.board.size()
    }

    pub const fn plies(&self) -> Ply {
        self.plies
    }

    /// Returns the canonical keys and values, in no particular order; in symmetric profiles
    /// each image of a position yields its key.
    pub fn iter(&self) -> impl Iterator<Item = (Key, Value)> {
        self.starts.iter().flat_map(|(profile, start)| {
            let positions = self.board.positions(*profile);
            positions.zip(&self.values[*start..]).filter_map(|(position, byte)| {
                let key = self.board.game().canonical(position).0;
                value_of(*byte).map(|value| (key, value))
            })
        })
    }

    /// Returns the value of a position; `None` if it lies beyond the last ply of the book, its game
    /// is over, or no game reaches it.
    pub fn value<W: Word>(&self, position: Stones<W>) -> Option<Value> {
        // The board of a book has at most 64 bits.
        let [own, other] = [position.own, position.other].map(|stones| stones.to_u128() as u64);
        let position = Stones { own, other };
        if position.ply() > self.plies {
            return None;
        }
        let (profile, rank) = self.board.canonical_rank(position);
        let start = *self.starts.get(&profile)?;
        value_of(self.values[start + rank as usize])
    }
}

/// Bytes of the header: magic, version, CRC-32 of the rest, columns, rows, line length, plies.
const HEADER: usize = 20;
/// The offset of the first byte that the checksum covers.
const COVERED: usize = 16;

#[cfg(feature = "solutions")]
impl OpeningBook {
    /// The first bytes of a book's file.
    pub const MAGIC: [u8; 8] = *b"everbook";

    /// Reads the book in a file.
    ///
    /// # Errors
    /// If the file cannot be read, is no book, has another version, or is damaged; an
    /// [`OpeningError`] has the kind [`InvalidData`](io::ErrorKind::InvalidData).
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut bytes = Vec::new();
        open_regular(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// Returns the bytes of the book's file.
    ///
    /// # Errors
    /// If there is no memory to compress it.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let Size { width, height, line } = self.size();
        let mut covered = vec![width, height, line, self.plies.0];
        covered.extend(zstd::bulk::compress(&self.values, 19)?);
        let mut bytes = Self::MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(crc32fast::hash(&covered).to_le_bytes());
        bytes.extend(covered);
        Ok(bytes)
    }

    /// Reads a book from the bytes of a file.
    ///
    /// # Errors
    /// If the file is no book, has another version, or is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, OpeningError> {
        if bytes.get(..8) != Some(&Self::MAGIC) {
            return Err(OpeningError::NotABook);
        }
        let Some(&[width, height, line, plies]) = bytes.get(COVERED..HEADER) else {
            return Err(OpeningError::Damaged("the file was cut"));
        };
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
        if word(8) != VERSION {
            return Err(OpeningError::OtherVersion(word(8)));
        }
        if word(12) != crc32fast::hash(&bytes[COVERED..]) {
            return Err(OpeningError::Damaged("its checksum is wrong"));
        }
        let mut book = Self::empty(Size::new(width, height, line)?, Ply(plies))?;
        let values = zstd::bulk::decompress(&bytes[HEADER..], book.values.len());
        match values {
            Ok(values) if values.len() == book.values.len() => book.values = values,
            _ => return Err(OpeningError::Damaged("its length is wrong")),
        }
        Ok(book)
    }
}

/// Returns the index of the first byte of each profile of a book, and the number of bytes.
fn offsets(board: &Board, plies: Ply) -> Result<(FxHashMap<Profile, usize>, usize), OpeningError> {
    let mut starts = FxHashMap::default();
    let mut end = 0;
    for (ply, profiles) in (0..=plies.0).map(Ply).zip(board.canonical_profiles()) {
        for profile in profiles {
            starts.insert(profile, end as usize);
            end += board.colourings(ply);
            if end > MAX_BYTES {
                return Err(OpeningError::TooLarge(plies));
            }
        }
    }
    Ok((starts, end as usize))
}
