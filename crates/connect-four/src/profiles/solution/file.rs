//! Values looked up in a solution file.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use zstd::bulk::Decompressor;

use super::super::board::{Board, Profile};
use super::super::code::Codes;
use super::super::plan::BLOCK_RANKS;
use super::layout::{Layout, ProfileEntry, SolutionError};
use everyply_core::game::{Game, Keyed, Move, Outcome, Ply, Remoteness, Value};
use everyply_core::games::line::{ConnectFour, LineGame, Stones};
use everyply_files::disk::{self, Disk, DiskFile, Kind, OpenMode};

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
        let failed = |source| SolutionError::File(path.to_owned(), source);
        // Opening a pipe would wait for its writer.
        if disk.kind(path).map_err(failed)?.is_some_and(|kind| kind != Kind::File) {
            return Err(SolutionError::NotASolution(path.to_owned()));
        }
        let file = disk.open(path, OpenMode::Read).map_err(failed)?;
        let layout = Layout::read(&*file, path)?;
        let board = Board::new(layout.size).expect("the layout is of a board that fits");
        let codes = Codes::new(board.size());
        let cache = (0..CACHED).map(|_| Mutex::new(None)).collect();
        Ok(Self { path: path.to_owned(), file, layout, board, codes, cache })
    }

    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The value of a reachable position; `None` if the stones are no position of the board. For a
    /// position that no game reaches, the value is meaningless.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn value(&self, position: Stones) -> Result<Option<Value>, SolutionError> {
        self.value_at(self.locate(position)?)
    }

    pub(super) fn locate(&self, position: Stones) -> Result<Location, SolutionError> {
        let game = self.board.game();
        if game.position_of(game.key(position)) != Some(position) {
            return Ok(Location::Nowhere);
        }
        if let Some(value) = value_near_end(game, position) {
            return Ok(Location::Known(value));
        }
        let (profile, rank) = self.board.canonical_rank(position);
        let block = self.first_block(profile, position.ply())? + rank / BLOCK_RANKS as u64;
        Ok(Location::In { block, at: (rank % BLOCK_RANKS as u64) as usize, ply: position.ply() })
    }

    fn value_at(&self, location: Location) -> Result<Option<Value>, SolutionError> {
        let (block, at, ply) = match location {
            Location::Nowhere => return Ok(None),
            Location::Known(value) => return Ok(Some(value)),
            Location::In { block, at, ply } => (block, at, ply),
        };
        let code = self.block(block)?.get(at).copied();
        let code = code.ok_or_else(|| self.damaged("a block is too short".into()))?;
        Ok(Some(self.codes.value(ply, code)))
    }

    pub(super) fn damaged(&self, what: String) -> SolutionError {
        SolutionError::Damaged(self.path.clone(), what)
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
            _ => SolutionError::File(self.path.clone(), source),
        })?;
        if crc32fast::hash(&packed) != entry.checksum {
            return Err(self.damaged(format!("block {number} at byte {at} has a wrong checksum")));
        }
        decompressed(&packed)
            .map_err(|error| self.damaged(format!("block {number} cannot be unpacked: {error}")))
    }

    /// The values of many reachable positions, in their order, as [`value`](Self::value) gives them
    /// one by one. It is much faster for scattered positions, since each block is unpacked about
    /// once. It runs on the current rayon pool.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn values(&self, positions: &[Stones]) -> Result<Vec<Option<Value>>, SolutionError> {
        let numbered = positions.par_iter().enumerate().with_min_len(STRETCH);
        let mut order: Vec<(Location, usize)> = numbered
            .map(|(i, position)| Ok((self.locate(*position)?, i)))
            .collect::<Result<_, SolutionError>>()?;
        order.par_sort_unstable_by_key(|(location, _)| location.block());
        let found: Vec<(usize, Option<Value>)> = order
            .par_iter()
            .with_min_len(STRETCH)
            .map(|&(location, i)| Ok((i, self.value_at(location)?)))
            .collect::<Result<_, SolutionError>>()?;
        let mut values = vec![None; positions.len()];
        found.into_iter().for_each(|(i, value)| values[i] = value);
        Ok(values)
    }
}

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

/// The least number of positions that one thread looks up.
const STRETCH: usize = 4096;

/// The value of a position if the rules alone give it within [`NEAR_END`](super::layout::NEAR_END)
/// plies, or if it is over.
fn value_near_end(game: &ConnectFour, position: Stones) -> Option<Value> {
    if let Some(outcome) = game.result(position) {
        return Some(Value::new(outcome, Remoteness(0)));
    }
    let wins = |p: Stones| !game.winning_moves(p).is_empty();
    // Lost in two: after every move the other side completes a line. A full board is a draw, and no
    // move wins there.
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

#[cfg(test)]
mod tests {
    use crate::profiles::{Board, Memory, SolutionFile, solve};
    use everyply_core::control::Control;
    use everyply_core::game::{Game, MoveSet};
    use everyply_core::games::line::{Size, Stones};
    use everyply_core::random::Random;

    #[test]
    fn many_values_are_those_of_each() {
        let board = Board::new(Size::new(5, 4, 4).unwrap()).unwrap();
        let game = *board.game();
        let mut random = Random::new(5);
        let mut positions: Vec<Stones> = Vec::new();
        while positions.len() < 20_000 {
            let mut position = game.initial();
            while game.result(position).is_none() {
                let moves: MoveSet = game.moves(position);
                let which = random.below(moves.into_iter().count() as u32) as usize;
                position = game.play(position, moves.into_iter().nth(which).unwrap());
                positions.push(position);
            }
        }
        // Stones of one side on every bit are no position.
        positions.push(Stones { own: u64::MAX, other: 0 });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("solution");
        solve(&board, &Memory::new(), &path, &Control::default()).unwrap();
        let file = SolutionFile::open(&path).unwrap();
        let values = file.values(&positions).unwrap();
        assert_eq!(values.last(), Some(&None));
        for (position, value) in positions.iter().zip(&values) {
            assert_eq!(file.value(*position).unwrap(), *value, "{position:?}");
        }
    }
}
