//! Solution files: the value of every position of a board, read where it is.
//!
//! They are read, not mapped: a file that is cut while it is mapped would end the process by a
//! signal, a file that is read gives an error.

mod batch;
#[cfg(test)]
mod crashes;
mod error;
mod layout;
mod ranked_codes;
mod write;

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use zstd::bulk::Decompressor;

pub use error::SolutionError;
pub use layout::SolutionDetail;
use layout::{Fault, Layout, ProfileEntry, Unread};
use write::each_block;
pub use write::{WrittenSolution, finish, make, solve};

use super::board::{Board, Profile};
use super::code::Codes;
use super::counts::{Extent, run};
use super::making::{Maker, PassError};
use super::plan::BLOCK_RANKS;
use super::run::Harvest;
use super::storage::Storage;
use super::unit::{Content, Unit};
use crate::control::{Control, Stopped};
use crate::disk::{self, Disk, DiskFile, Kind, Opening};
use crate::game::{Game, Keyed, Move, Outcome, PartialValue, Ply, Remoteness, Value};
use crate::games::line::{LineGame, Size, Stones};

/// What [`SolutionFile::verify`] looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Profiles in the file.
    pub profiles: u64,
    /// Compressed blocks whose checksums are right.
    pub blocks: u64,
    /// Colourings whose bytes are those that follow from the values of their children; each
    /// stands for its mirror image too.
    pub colourings: u64,
    /// Reachable positions of the board, all of whose values are right.
    pub positions: u64,
}

/// Unpacked blocks that are kept.
const CACHED: usize = 64;

/// A block's number and its bytes.
type Cached = Mutex<Option<(u64, Arc<[u8]>)>>;

/// A solution file, open for questions from any number of threads.
#[derive(Debug)]
pub struct SolutionFile {
    path: PathBuf,
    file: Box<dyn DiskFile>,
    layout: Layout,
    board: Board,
    codes: Codes,
    /// Unpacked blocks, each at its number modulo the length.
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

    /// As [`open`](Self::open), on any disk.
    pub(crate) fn open_on(disk: &dyn Disk, path: &Path) -> Result<Self, SolutionError> {
        let failed = |source| SolutionError::File { path: path.to_owned(), source };
        let not_a_solution = || SolutionError::NotASolution { path: path.to_owned() };
        // Opening a pipe would wait for its other end.
        if disk.kind(path).map_err(failed)?.is_some_and(|kind| kind != Kind::File) {
            return Err(not_a_solution());
        }
        let file = disk.open(path, Opening::Read).map_err(failed)?;
        let damaged =
            |what: &str| SolutionError::Damaged { path: path.to_owned(), what: what.into() };
        let layout = Layout::read(&*file).map_err(|unread| match unread {
            Unread::Io(source) => failed(source),
            Unread::Fault(Fault::NotASolution) => not_a_solution(),
            Unread::Fault(Fault::Version(found)) => {
                SolutionError::OtherVersion { path: path.to_owned(), found }
            }
            Unread::Fault(Fault::Damaged(what)) => damaged(what),
        })?;
        let Size { width, height, line } = layout.size;
        let board = Size::new(width, height, line).and_then(Board::new);
        let board = board.map_err(|error| damaged(&error.to_string()))?;
        let codes = Codes::new(board.size());
        let cache = (0..CACHED).map(|_| Mutex::new(None)).collect();
        Ok(Self { path: path.to_owned(), file, layout, board, codes, cache })
    }

    /// The board, with the rules.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// What the file says of a position.
    #[must_use]
    pub const fn detail(&self) -> SolutionDetail {
        self.layout.detail
    }

    /// The value of a position that a game can reach; `None` if the stones are no position of
    /// the board at all. (Of stones that could lie so but that no game leads to, the answer means
    /// nothing.)
    ///
    /// # Errors
    /// If the file is damaged, or holds no remoteness.
    pub fn value(&self, position: Stones) -> Result<Option<Value>, SolutionError> {
        let Some(found) = self.look_up(position)? else { return Ok(None) };
        match found {
            Found::Value(value) => Ok(Some(value)),
            Found::Byte(ply, code) if self.detail() == SolutionDetail::Remoteness => {
                Ok(Some(self.codes.value(ply, code)))
            }
            Found::Byte(..) => Err(SolutionError::NoRemoteness { path: self.path.clone() }),
        }
    }

    /// The outcome of a position that a game can reach, as [`value`](Self::value).
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn outcome(&self, position: Stones) -> Result<Option<Outcome>, SolutionError> {
        Ok(self.look_up(position)?.map(|found| self.partial(found).outcome))
    }

    /// The value of a position that a game can reach, as far as such a file tells it.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn partial_value(&self, position: Stones) -> Result<Option<PartialValue>, SolutionError> {
        Ok(self.look_up(position)?.map(|found| self.partial(found)))
    }

    /// What a byte means.
    pub(super) fn partial(&self, found: Found) -> PartialValue {
        match (found, self.detail()) {
            (Found::Value(value), SolutionDetail::Remoteness) => value.into(),
            (Found::Byte(ply, code), SolutionDetail::Remoteness) => {
                self.codes.value(ply, code).into()
            }
            (Found::Value(value), SolutionDetail::Outcome) => {
                PartialValue::of_outcome(value.outcome)
            }
            (Found::Byte(_, 0), SolutionDetail::Outcome) => PartialValue::of_outcome(Outcome::Loss),
            (Found::Byte(_, 1), SolutionDetail::Outcome) => PartialValue::of_outcome(Outcome::Draw),
            (Found::Byte(..), SolutionDetail::Outcome) => PartialValue::of_outcome(Outcome::Win),
        }
    }

    fn look_up(&self, position: Stones) -> Result<Option<Found>, SolutionError> {
        self.read(self.place(position)?)
    }

    /// Where the value of a position is.
    pub(super) fn place(&self, position: Stones) -> Result<Place, SolutionError> {
        let game = self.board.game();
        if game.position_of(game.key(position)) != Some(position) {
            return Ok(Place::Nowhere);
        }
        if let Some(value) = near(game, position) {
            return Ok(Place::Known(value));
        }
        let (profile, rank) = self.board.canonical_rank(position);
        let block = self.first_block(profile, position.ply())? + rank / BLOCK_RANKS as u64;
        Ok(Place::In { block, at: (rank % BLOCK_RANKS as u64) as usize, ply: position.ply() })
    }

    pub(super) fn read(&self, place: Place) -> Result<Option<Found>, SolutionError> {
        match place {
            Place::Nowhere => Ok(None),
            Place::Known(value) => Ok(Some(Found::Value(value))),
            Place::In { block, at, ply } => {
                let block = self.block(block)?;
                let byte = block.get(at);
                let byte = *byte.ok_or_else(|| self.damaged("a block is too short".into()))?;
                Ok(Some(Found::Byte(ply, byte)))
            }
        }
    }

    fn damaged(&self, what: String) -> SolutionError {
        SolutionError::Damaged { path: self.path.clone(), what }
    }

    /// The number of the first block of a profile.
    fn first_block(&self, profile: Profile, ply: Ply) -> Result<u64, SolutionError> {
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

    fn unpack(&self, number: u64) -> Result<Vec<u8>, SolutionError> {
        let entry = usize::try_from(number).ok().and_then(|i| self.layout.blocks.get(i));
        let entry = entry.ok_or_else(|| self.damaged(format!("block {number} is missing")))?;
        let at = entry.offset;
        let mut packed = vec![0; entry.length as usize];
        self.file.read_exact_at(&mut packed, at).map_err(|source| match source.kind() {
            io::ErrorKind::UnexpectedEof => {
                self.damaged(format!("block {number} at byte {at} was cut off since it was opened"))
            }
            _ => SolutionError::File { path: self.path.clone(), source },
        })?;
        if crc32fast::hash(&packed) != entry.checksum {
            return Err(self.damaged(format!("block {number} at byte {at} has a wrong checksum")));
        }
        decompressed(&packed)
            .map_err(|error| self.damaged(format!("block {number} cannot be unpacked: {error}")))
    }

    /// Checks the checksum of every block, and that it can be unpacked; gives the number of blocks.
    ///
    /// # Errors
    /// The first block that is damaged; or if the control stops it.
    pub fn check(&self, control: &Control) -> Result<u64, SolutionError> {
        let blocks = 0..self.layout.blocks.len() as u64;
        let wrong = blocks.clone().into_par_iter().find_map_first(|number| {
            let checked = control.check().map_err(|stopped| SolutionError::Pass(stopped.into()));
            control.advance(1);
            checked.and_then(|()| self.unpack(number)).err()
        });
        wrong.map_or(Ok(blocks.end), Err)
    }

    /// Checks every checksum, and that every value in the file follows from the values of its
    /// children, back from the finished games, by solving the board once more beside it.
    ///
    /// # Errors
    /// The first thing that is wrong, by name; or if the control stops it or the storage fails.
    pub fn verify(
        &self,
        storage: &dyn Storage,
        control: &Control,
    ) -> Result<Verified, SolutionError> {
        let blocks = self.check(control)?;
        let checking = Checking { file: self, wrong: Mutex::default() };
        let extent = Extent::WholeWithValues;
        let counts = run(&self.board, extent, storage, control, Some(&checking));
        let wrong = checking.wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, error)) = wrong {
            return Err(error);
        }
        let profiles = &self.layout.profiles;
        let colourings = profiles.iter().map(|entry| self.layout.order(entry.profile).0);
        Ok(Verified {
            profiles: profiles.len() as u64,
            blocks,
            colourings: colourings.map(|stones| self.board.colourings(Ply(stones as u8))).sum(),
            positions: counts?.plies.iter().filter_map(|ply| ply.positions).sum(),
        })
    }
}

/// Compares the blocks of a file with those that follow from the values of a run.
struct Checking<'a> {
    file: &'a SolutionFile,
    /// The first block that was found to be wrong, and why.
    wrong: Mutex<Option<(u64, SolutionError)>>,
}

impl Harvest for Checking<'_> {
    fn content(&self) -> Content {
        Content::Checked
    }

    fn is_made(&self, summary: &[u64]) -> bool {
        // Checked for this file, not for another one.
        summary == [self.file.layout.fingerprint()]
    }

    fn make(&self, maker: &Maker<'_>, unit: Unit) -> Result<(), PassError> {
        let file = self.file;
        each_block(maker, unit, file.detail(), &|profile, i, expected| {
            let first =
                file.first_block(profile, unit.ply).map_err(|error| self.wrong(0, error))?;
            let number = first + i;
            let found = file.unpack(number).map_err(|error| self.wrong(number, error))?;
            if found == expected {
                return Ok(());
            }
            let (ply, profile) = (unit.ply, profile.0);
            let what = format!(
                "block {number} (ply {ply}, profile {profile}) holds a value that does not follow \
                 from those of its children"
            );
            Err(self.wrong(number, file.damaged(what)))
        })?;
        Ok(maker.storage.keep_bytes(unit, Vec::new(), &[file.layout.fingerprint()])?)
    }
}

impl Checking<'_> {
    /// Notes what is wrong with a block, and ends the run.
    fn wrong(&self, number: u64, error: SolutionError) -> PassError {
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        if wrong.as_ref().is_none_or(|(first, _)| number < *first) {
            *wrong = Some((number, error));
        }
        PassError::Stopped(Stopped)
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

/// Where the value of a position is.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// Nowhere: the stones are no position.
    Nowhere,
    /// The rules tell it.
    Known(Value),
    /// In a block of the file, at an index.
    In { block: u64, at: usize, ply: Ply },
}

impl Place {
    /// The number of the block, for those who sort by it.
    pub(super) const fn block(self) -> Option<u64> {
        match self {
            Self::In { block, .. } => Some(block),
            Self::Nowhere | Self::Known(_) => None,
        }
    }
}

/// Where a value was found.
#[derive(Clone, Copy)]
pub(super) enum Found {
    /// By the rules.
    Value(Value),
    /// In the file, at a ply.
    Byte(Ply, u8),
}

/// The value of a position if the rules alone give it within [`NEAR`](layout::NEAR) plies,
/// or if it is over.
fn near(game: &crate::games::line::ConnectFour, position: Stones) -> Option<Value> {
    if let Some(outcome) = game.result(position) {
        return Some(Value::new(outcome, Remoteness(0)));
    }
    let wins = |p: Stones| !game.winning_moves(p).is_empty();
    // Lost in two: whatever is played, the other side completes a line; on a full board it is
    // a draw, and no move wins.
    let lost = |p: Stones| game.moves(p).into_iter().all(|m| wins(game.play(p, m)));
    let play = |m: Move| game.play(position, m);
    if wins(position) {
        Some(Value::new(Outcome::Win, Remoteness(1)))
    } else if lost(position) {
        Some(Value::new(Outcome::Loss, Remoteness(2)))
    } else if game
        .moves(position)
        .into_iter()
        .map(play)
        .any(|p| game.result(p).is_none() && !wins(p) && lost(p))
    {
        Some(Value::new(Outcome::Win, Remoteness(3)))
    } else {
        None
    }
}
