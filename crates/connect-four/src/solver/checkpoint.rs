//! Checkpoints: the data with which another process can continue a search.
//!
//! A table holds only proved bounds, so entries read while the threads continue to search are
//! right. A solver that has learnt them asks the questions of the first search again: its table
//! answers the settled ones, and the search continues at the first open one.
//!
//! ```text
//!  0  8  "everychk"
//!  8  4  version of this layout and of the keys: 1
//! 12  3  columns, rows, stones in a line
//! 15  1  words in a key: 1 or 2
//! 16 16  canonical key of the position that is searched
//! 32  8  nodes so far
//! 40  8  milliseconds so far
//! 48  2  proved lower and upper bound of the position's score, signed, on Pons' scale
//! 50     entries of the table, for each: the words of its key in as few bytes as hold the board's
//!        bits, its bounds (a byte each, signed), and the binary logarithm of the nodes behind it
//!        (a byte)
//! -4  4  checksum (CRC-32) of all bytes before it
//! ```
//!
//! All numbers are little-endian.

use std::io;
use std::time::Duration;

use super::board::{Board, KeyKind, TableKey, key_of};
use super::layout::Layout;
use super::score::{Interval, Score};
use super::table::{MOST_WORK, least_mib};
use super::{Solver, SolverWord, all_scores};
use everyply_core::game::{Key, Keyed, Symmetric, ValueBounds};
use everyply_core::games::line::notation::picture;
use everyply_core::games::line::{LineGame, Size, Stones, Word};

const MAGIC: [u8; 8] = *b"everychk";
/// The version of the layout. A change of [`key_of`] needs a new version too.
const VERSION: u32 = 1;
/// Bytes of the header.
const HEADER: usize = 50;
/// The most entries of a checkpoint, up to 150 MB. The entries left out have the smallest subtrees,
/// which take little time to search again.
const MOST_ENTRIES: u64 = 1 << 22;

/// The progress of a search, without the entries of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Proved bounds of the position, if there are any.
    pub bounds: Option<ValueBounds>,
    /// Positions searched, in all processes.
    pub nodes: u64,
    /// The time of the search, in all processes.
    pub elapsed: Duration,
}

/// The reason why a checkpoint is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A file that is no checkpoint.
    #[error("it is no checkpoint of a search: choose another file")]
    NotACheckpoint,
    /// A checkpoint of another version, with other keys.
    #[error("it is of version {0} and this program reads version {VERSION}: remove it")]
    OtherVersion(u32),
    /// A checkpoint of another board.
    #[error("it is of {} with {} in a row: choose another file, or remove it", .0.board(), .0.line)]
    OtherBoard(Size),
    /// A checkpoint of another position of the board.
    #[error("it is of the position {0}: choose another file, or remove it")]
    OtherPosition(String),
    /// A table without room for the keys of the checkpoint.
    #[error("it needs a table of at least {0} MiB: choose a larger table")]
    Table(u64),
    /// A damaged file.
    #[error("it is damaged ({0}): remove it, and the search begins anew")]
    Damaged(&'static str),
    /// A file that cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Checkpoint {
    /// The most bytes of a file, if every entry has two words of 128 bits.
    pub const MOST_BYTES: u64 = HEADER as u64 + MOST_ENTRIES * (2 * 16 + 3) + 4;
}

impl<W: SolverWord> Solver<W> {
    /// Returns a checkpoint, from which another solver can [continue](Self::resume) the search of a
    /// position: the progress, and up to four million entries of the table that took the most nodes
    /// to prove. Searches may continue meanwhile.
    pub fn checkpoint(&self, position: Stones<W>, so_far: &Checkpoint) -> Vec<u8> {
        let (l, table) = (self.engine.layout(), self.engine.table());
        let words = words_of(table.key_kind());
        let Size { width, height, line } = self.game.size();
        let empties = self.empties(position);
        let known = so_far.bounds.map(|bounds| Interval::of_bounds(bounds, empties));
        let known = known.unwrap_or(all_scores(empties));
        let elapsed = u64::try_from(so_far.elapsed.as_millis()).unwrap_or(u64::MAX);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([width, height, line, words]);
        bytes.extend(self.game.canonical(position).0.0.to_u128().to_le_bytes());
        bytes.extend([so_far.nodes, elapsed].map(u64::to_le_bytes).concat());
        bytes.extend([known.lower as i8 as u8, known.upper as i8 as u8]);
        let word_bytes = l.bits().div_ceil(8) as usize;
        for (key, proved, work) in table.entries(l, least_work(&table.count_by_work())) {
            for word in [key.own, key.other].iter().take(words.into()) {
                bytes.extend_from_slice(&word.to_u128().to_le_bytes()[..word_bytes]);
            }
            bytes.extend([proved.lower as i8 as u8, proved.upper as i8 as u8, work as u8]);
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Learns the bounds in a [checkpoint](Self::checkpoint) of this position, made with a table of
    /// any size. Returns the progress of that search.
    ///
    /// # Errors
    /// If the checkpoint is of another position, the table has no room for its keys, or it is
    /// damaged. Nothing is learnt then, except entries before an invalid one.
    pub fn resume(
        &mut self,
        position: Stones<W>,
        checkpoint: &[u8],
    ) -> Result<Checkpoint, CheckpointError> {
        if !checkpoint.starts_with(&MAGIC) {
            return Err(CheckpointError::NotACheckpoint);
        }
        let damaged = || CheckpointError::Damaged("its checksum is wrong");
        let (header, rest) = checkpoint.split_first_chunk::<HEADER>().ok_or_else(damaged)?;
        let version = u32::from_le_bytes(std::array::from_fn(|i| header[8 + i]));
        if version != VERSION {
            return Err(CheckpointError::OtherVersion(version));
        }
        let (entries, checksum) = rest.split_last_chunk().ok_or_else(damaged)?;
        if crc32fast::hash(&checkpoint[..HEADER + entries.len()]) != u32::from_le_bytes(*checksum) {
            return Err(damaged());
        }
        let (kind, so_far) = self.read_header(position, header)?;
        let l = *self.engine.layout();
        let length = usize::from(words_of(kind)) * l.bits().div_ceil(8) as usize + 3;
        for entry in entries.chunks(length) {
            self.read_entry(&l, kind, entry)?;
        }
        if let Some(bounds) = so_far.bounds {
            self.learn(position, bounds);
        }
        Ok(so_far)
    }

    fn read_header(
        &self,
        position: Stones<W>,
        header: &[u8; HEADER],
    ) -> Result<(KeyKind, Checkpoint), CheckpointError> {
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| header[at + i]));
        let size = Size { width: header[12], height: header[13], line: header[14] };
        if size != self.game.size() {
            return Err(CheckpointError::OtherBoard(size));
        }
        let key = u128::from(number(24)) << 64 | u128::from(number(16));
        if key != self.game.canonical(position).0.0.to_u128() {
            let other = self.game.position_of(Key(W::narrow(key)));
            let other = other.map(|other| picture(&self.game, other));
            return Err(other.map_or(
                CheckpointError::Damaged("its key is of no position of the board"),
                CheckpointError::OtherPosition,
            ));
        }
        let kind = match (header[15], self.engine.table().key_kind()) {
            (1, _) => KeyKind::Narrow,
            (_, KeyKind::Wide) => KeyKind::Wide,
            (_, KeyKind::Narrow) => {
                return Err(CheckpointError::Table(least_mib(2 * self.engine.layout().bits())));
            }
        };
        let empties = self.empties(position);
        let known = interval(header[48], header[49], all_scores(empties))?;
        let bounds = (known != all_scores(empties)).then(|| known.bounds(empties));
        let elapsed = Duration::from_millis(number(40));
        Ok((kind, Checkpoint { bounds, nodes: number(32), elapsed }))
    }

    fn read_entry(
        &self,
        l: &Layout<W>,
        kind: KeyKind,
        entry: &[u8],
    ) -> Result<(), CheckpointError> {
        let invalid = CheckpointError::Damaged("an entry is invalid");
        let Some((words, [lower, upper, work])) = entry.split_last_chunk() else {
            return Err(invalid);
        };
        let mut words = words.chunks(l.bits().div_ceil(8) as usize).map(|word| {
            word.iter().rev().fold(0u128, |number, &byte| number << 8 | u128::from(byte))
        });
        let [own, other] = [words.next().unwrap_or(0), words.next().unwrap_or(0)];
        if (own | other) > W::ones(l.bits()).to_u128() || u32::from(*work) > MOST_WORK {
            return Err(invalid);
        }
        let key = TableKey { own: W::narrow(own), other: W::narrow(other) };
        let table = self.engine.table();
        let key = match (kind, table.key_kind()) {
            (KeyKind::Narrow, KeyKind::Wide) => widened(l, key.own).ok_or(invalid)?,
            _ => key,
        };
        let proved = interval(*lower, *upper, all_scores(l.cells()))?;
        table.store(table.slot(l, key), proved, 1 << work);
        Ok(())
    }
}

const fn words_of(kind: KeyKind) -> u8 {
    match kind {
        KeyKind::Narrow => 1,
        KeyKind::Wide => 2,
    }
}

/// Returns the least work of the entries to write, so that they are at most [`MOST_ENTRIES`].
fn least_work(counts: &[u64]) -> u32 {
    let mut rest = MOST_ENTRIES;
    for work in (0..counts.len()).rev() {
        match rest.checked_sub(counts[work]) {
            Some(less) => rest = less,
            None => return work as u32 + 1,
        }
    }
    0
}

fn interval(lower: u8, upper: u8, most: Interval) -> Result<Interval, CheckpointError> {
    let [lower, upper] = [lower, upper].map(|score| Score::from(score as i8));
    if most.lower <= lower && lower <= upper && upper <= most.upper {
        return Ok(Interval { lower, upper });
    }
    Err(CheckpointError::Damaged("scores do not fit the board"))
}

/// Converts a narrow key to the wide key of the same position; `None` if no position has it.
pub(super) fn widened<W: Word>(l: &Layout<W>, narrow: W) -> Option<TableKey<W>> {
    let (columns, rows) = (u32::from(l.size.width), u32::from(l.size.height));
    let packed = l.bits() / columns;
    let (mut own, mut other) = (W::ZERO, W::ZERO);
    for c in 0..columns {
        let marks = (narrow >> (c * packed) & W::ones(packed)).to_u128();
        let guard = 1 << marks.checked_ilog2().filter(|&stones| stones <= rows)?;
        let stones = marks ^ guard;
        let at = c * (rows + 1);
        own |= W::narrow(stones) << at;
        other |= W::narrow((guard - 1) ^ stones) << at;
    }
    Some(key_of(l, KeyKind::Wide, &Board::new(l, Stones { own, other })))
}
