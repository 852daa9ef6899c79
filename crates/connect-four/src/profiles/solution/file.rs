//! Values looked up in a solution file.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use zstd::bulk::Decompressor;

use super::super::board::{Board, Profile};
use super::super::code::Codes;
use super::super::plan::BLOCK_RANKS;
use super::error::SolutionError;
use super::layout::{Fault, Layout, LayoutError, ProfileEntry, SolutionDetail};
use super::near_end;
use crate::disk::{self, Disk, DiskFile, Kind, OpenMode};
use crate::game::{Keyed, Outcome, PartialValue, Ply, Value};
use crate::games::line::Stones;

/// The number of cached unpacked blocks.
const CACHED: usize = 64;

/// A block's number and its bytes.
type Cached = Mutex<Option<(u64, Arc<[u8]>)>>;

/// An open solution file, for look-ups from any number of threads.
#[derive(Debug)]
pub struct SolutionFile {
    path: PathBuf,
    file: Box<dyn DiskFile>,
    pub(super) layout: Layout,
    pub(super) board: Board,
    codes: Codes,
    /// Unpacked blocks, each at its number modulo the length of the cache.
    cache: Vec<Cached>,
}

impl SolutionFile {
    /// Opens a file and checks its header and tables; blocks are checked when they are used.
    ///
    /// # Errors
    /// If the file cannot be read, is no solution file, of another version, or damaged.
    pub fn open(path: &Path) -> Result<Self, SolutionError> {
        Self::open_on(&*disk::real(), path)
    }

    /// Opens a file on any disk, like [`open`](Self::open).
    pub fn open_on(disk: &dyn Disk, path: &Path) -> Result<Self, SolutionError> {
        let failed = |source| SolutionError::File { path: path.to_owned(), source };
        let not_a_solution = || SolutionError::NotASolution { path: path.to_owned() };
        // Opening a pipe would wait for its writer.
        if disk.kind(path).map_err(failed)?.is_some_and(|kind| kind != Kind::File) {
            return Err(not_a_solution());
        }
        let file = disk.open(path, OpenMode::Read).map_err(failed)?;
        let damaged =
            |what: &str| SolutionError::Damaged { path: path.to_owned(), what: what.into() };
        let layout = Layout::read(&*file).map_err(|error| match error {
            LayoutError::Io(source) => failed(source),
            LayoutError::Fault(Fault::NotASolution) => not_a_solution(),
            LayoutError::Fault(Fault::Version(found)) => {
                SolutionError::OtherVersion { path: path.to_owned(), found }
            }
            LayoutError::Fault(Fault::Board(error)) => damaged(&error.to_string()),
            LayoutError::Fault(Fault::Damaged(what)) => damaged(what),
        })?;
        let board = Board::new(layout.size).map_err(|error| damaged(&error.to_string()))?;
        let codes = Codes::new(board.size());
        let cache = (0..CACHED).map(|_| Mutex::new(None)).collect();
        Ok(Self { path: path.to_owned(), file, layout, board, codes, cache })
    }

    /// The board, with the rules.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The detail of the values in the file.
    #[must_use]
    pub const fn detail(&self) -> SolutionDetail {
        self.layout.detail
    }

    /// The value of a reachable position; `None` if the stones are no position of the board. For a
    /// position that no game reaches, the value is meaningless.
    ///
    /// # Errors
    /// If the file is damaged, or holds no remoteness.
    pub fn value(&self, position: Stones) -> Result<Option<Value>, SolutionError> {
        let Some(found) = self.look_up(position)? else { return Ok(None) };
        match found {
            StoredValue::Value(value) => Ok(Some(value)),
            StoredValue::Byte(ply, code) if self.detail() == SolutionDetail::Remoteness => {
                Ok(Some(self.codes.value(ply, code)))
            }
            StoredValue::Byte(..) => Err(SolutionError::NoRemoteness { path: self.path.clone() }),
        }
    }

    /// The outcome of a reachable position, like [`value`](Self::value).
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn outcome(&self, position: Stones) -> Result<Option<Outcome>, SolutionError> {
        Ok(self.look_up(position)?.map(|found| self.partial(found).outcome))
    }

    /// The value of a reachable position, as far as the file holds it.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn partial_value(&self, position: Stones) -> Result<Option<PartialValue>, SolutionError> {
        Ok(self.look_up(position)?.map(|found| self.partial(found)))
    }

    /// The partial value of a stored value.
    pub(super) fn partial(&self, found: StoredValue) -> PartialValue {
        match (found, self.detail()) {
            (StoredValue::Value(value), SolutionDetail::Remoteness) => value.into(),
            (StoredValue::Byte(ply, code), SolutionDetail::Remoteness) => {
                self.codes.value(ply, code).into()
            }
            (StoredValue::Value(value), SolutionDetail::Outcome) => {
                PartialValue::of_outcome(value.outcome)
            }
            (StoredValue::Byte(_, 0), SolutionDetail::Outcome) => {
                PartialValue::of_outcome(Outcome::Loss)
            }
            (StoredValue::Byte(_, 1), SolutionDetail::Outcome) => {
                PartialValue::of_outcome(Outcome::Draw)
            }
            (StoredValue::Byte(..), SolutionDetail::Outcome) => {
                PartialValue::of_outcome(Outcome::Win)
            }
        }
    }

    fn look_up(&self, position: Stones) -> Result<Option<StoredValue>, SolutionError> {
        self.read(self.locate(position)?)
    }

    /// Finds the location of the value of a position.
    pub(super) fn locate(&self, position: Stones) -> Result<Location, SolutionError> {
        let game = self.board.game();
        if game.position_of(game.key(position)) != Some(position) {
            return Ok(Location::Nowhere);
        }
        if let Some(value) = near_end::value(game, position) {
            return Ok(Location::Known(value));
        }
        let (profile, rank) = self.board.canonical_rank(position);
        let block = self.first_block(profile, position.ply())? + rank / BLOCK_RANKS as u64;
        Ok(Location::In { block, at: (rank % BLOCK_RANKS as u64) as usize, ply: position.ply() })
    }

    pub(super) fn read(&self, location: Location) -> Result<Option<StoredValue>, SolutionError> {
        match location {
            Location::Nowhere => Ok(None),
            Location::Known(value) => Ok(Some(StoredValue::Value(value))),
            Location::In { block, at, ply } => {
                let block = self.block(block)?;
                let byte = block.get(at);
                let byte = *byte.ok_or_else(|| self.damaged("a block is too short".into()))?;
                Ok(Some(StoredValue::Byte(ply, byte)))
            }
        }
    }

    pub(super) fn damaged(&self, what: String) -> SolutionError {
        SolutionError::Damaged { path: self.path.clone(), what }
    }

    /// The number of the first block of a profile.
    pub(super) fn first_block(&self, profile: Profile, ply: Ply) -> Result<u64, SolutionError> {
        let profiles = &self.layout.profiles;
        let wanted = (u32::from(ply.0), profile);
        let order = |entry: &ProfileEntry| self.layout.order(entry.profile);
        let at = profiles.binary_search_by(|entry| order(entry).cmp(&wanted));
        let at = at.map_err(|_| self.damaged(format!("profile {} is missing", profile.0)))?;
        Ok(profiles[at].block)
    }

    /// The bytes of a block.
    fn block(&self, number: u64) -> Result<Arc<[u8]>, SolutionError> {
        let mut place = self.cache[(number % CACHED as u64) as usize]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((cached, bytes)) = &*place
            && *cached == number
        {
            return Ok(Arc::clone(bytes));
        }
        let bytes: Arc<[u8]> = self.unpack(number)?.into();
        *place = Some((number, Arc::clone(&bytes)));
        Ok(bytes)
    }

    pub(super) fn unpack(&self, number: u64) -> Result<Vec<u8>, SolutionError> {
        let entry = usize::try_from(number).ok().and_then(|i| self.layout.blocks.get(i));
        let entry = entry.ok_or_else(|| self.damaged(format!("block {number} is missing")))?;
        let at = entry.offset;
        let mut packed = vec![0; entry.length as usize];
        self.file.read_exact_at(&mut packed, at).map_err(|source| match source.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged(format!(
                "block {number} at byte {at} was cut off after the file was opened"
            )),
            _ => SolutionError::File { path: self.path.clone(), source },
        })?;
        if crc32fast::hash(&packed) != entry.checksum {
            return Err(self.damaged(format!("block {number} at byte {at} has a wrong checksum")));
        }
        decompressed(&packed)
            .map_err(|error| self.damaged(format!("block {number} cannot be unpacked: {error}")))
    }
}

/// Unpacks a block.
fn decompressed(packed: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        /// Making a decompressor takes longer than unpacking a block.
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    DECOMPRESSOR.with_borrow_mut(|decompressor| {
        let decompressor = match decompressor {
            Some(decompressor) => decompressor,
            None => decompressor.insert(Decompressor::new()?),
        };
        decompressor.decompress(packed, BLOCK_RANKS)
    })
}

/// The location of the value of a position.
#[derive(Clone, Copy)]
pub(super) enum Location {
    /// No location: the stones are no position.
    Nowhere,
    /// No location: the rules give the value.
    Known(Value),
    /// In a block of the file, at an index.
    In { block: u64, at: usize, ply: Ply },
}

impl Location {
    /// The number of the block, as a sort key.
    pub(super) const fn block(self) -> Option<u64> {
        match self {
            Self::In { block, .. } => Some(block),
            Self::Nowhere | Self::Known(_) => None,
        }
    }
}

/// A value as it was found.
#[derive(Clone, Copy)]
pub(super) enum StoredValue {
    /// A value that the rules give.
    Value(Value),
    /// The ply of the position, and the byte in the file.
    Byte(Ply, u8),
}
