//! The values of a board as bytes by rank, in the compressed chunks of its solution file.
//!
//! The *rank* of a position counts all colourings of the stored profiles of its ply: profile by
//! profile, and within a profile in the order of `combinadic`, the engine's order without the
//! padding of blocks.

use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use zstd::bulk::Compressor;

use super::board::Board;
use super::code::{Codes, MAX_PLANES};
use super::combinadic::choose;
use super::counts::{Counts, Extent, gather, run, run_plan};
use super::lane::Lane;
use super::making::{Fetched, Maker};
use super::piece::Geometry;
use super::plan::{Packed, Plan};
use super::scheduler::{Consumer, Scheduler};
use super::storage::Storage;
use super::unit::{Content, PassError, StorageError, Unit};
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Game, Outcome, Ply, Remoteness, Value};
use everyply_core::games::line::{ConnectFour, LineGame, Stones};

/// The plies to the end within which the rules alone give values, which are not stored: a win by a
/// move that completes a line, a loss to two such moves, a win by making two of them.
const NEAR_END: u8 = 3;

/// The level of the compressor: a higher level gains little on this data and takes much longer.
const LEVEL: i32 = 3;

/// Makes all units of a solution file. [`packed`] then returns its chunks.
///
/// The chunks are the same for any number of threads, any storage, and any number of interruptions.
///
/// # Errors
/// If the control asks to stop, or the storage cannot keep a unit.
pub fn solve(plan: &Plan<'_>, storage: &dyn Storage, control: &Control) -> Result<(), PassError> {
    let maker = Maker::new(plan, storage, control);
    run_plan(&Scheduler { maker, consumer: Some(&Packing) }, Extent::WholeWithValues)
}

/// Returns the counts of a plan whose units are made.
///
/// # Errors
/// If a unit is missing, or the storage cannot be read.
pub fn counts(plan: &Plan<'_>, storage: &dyn Storage) -> Result<Counts, PassError> {
    gather(&Maker::new(plan, storage, &Control::default()), true)
}

/// Returns the lengths of the chunks that a unit holds, and their bytes.
///
/// # Errors
/// If the unit is missing or damaged, or the storage cannot be read.
pub fn packed(storage: &dyn Storage, unit: Unit) -> Result<(Vec<u64>, Arc<[u8]>), PassError> {
    let lengths = storage.summary(unit)?.ok_or(StorageError::Missing(unit))?;
    let bytes = storage.bytes(unit)?;
    match lengths.iter().sum::<u64>() == bytes.len() as u64 {
        true => Ok((lengths, bytes)),
        false => Err(StorageError::Missing(unit).into()),
    }
}

/// A check of the bytes of a chunk, which is named by its ply and its number in the ply.
pub type ChunkCheck<'a> = dyn Fn(Ply, u64, &[u8]) -> Result<(), Stopped> + Sync + 'a;

/// Solves a board again and checks the bytes of every chunk of a file; an interrupted check of a
/// file with the same mark continues.
///
/// # Errors
/// If the check or the control asks to stop, or the storage fails.
pub fn verify(
    board: &Board,
    storage: &dyn Storage,
    control: &Control,
    mark: u64,
    check: &ChunkCheck<'_>,
) -> Result<Counts, PassError> {
    run(board, Extent::WholeWithValues, storage, control, Some(&Checking { mark, check }))
}

/// A consumer that compresses the chunks packed with a unit.
struct Packing;

impl Consumer for Packing {
    fn content(&self) -> Content {
        Content::Packed
    }

    fn make(&self, maker: &Maker<'_>, unit: Unit) -> Result<(), PassError> {
        let chunks = each_chunk(maker, unit, &|_, bytes| {
            compressed(bytes)
                .map_err(|source| PassError::from(StorageError::Memory(bytes.len(), source)))
        })?;
        let lengths: Vec<u64> = chunks.iter().map(|chunk| chunk.len() as u64).collect();
        Ok(maker.storage.keep_bytes(unit, chunks.concat(), &lengths)?)
    }
}

/// A consumer that compares the chunks of a file with the values of a run.
struct Checking<'a> {
    mark: u64,
    check: &'a ChunkCheck<'a>,
}

impl Consumer for Checking<'_> {
    fn content(&self) -> Content {
        Content::Verified
    }

    fn is_made(&self, summary: &[u64]) -> bool {
        // The unit must be checked for this file, not for another.
        summary == [self.mark]
    }

    fn make(&self, maker: &Maker<'_>, unit: Unit) -> Result<(), PassError> {
        each_chunk(maker, unit, &|chunk, bytes| Ok((self.check)(unit.ply, chunk, bytes)?))?;
        Ok(maker.storage.keep_bytes(unit, Vec::new(), &[self.mark])?)
    }
}

/// Work on a chunk, by its number in the tier and its bytes.
type WithChunk<'a, R> = dyn Fn(u64, &[u8]) -> Result<R, PassError> + Sync + 'a;

/// Does work on every chunk packed with a unit; returns the results in order.
fn each_chunk<R: Send>(
    maker: &Maker<'_>,
    unit: Unit,
    work: &WithChunk<'_, R>,
) -> Result<Vec<R>, PassError> {
    let Maker { plan, storage, control, .. } = *maker;
    let [non_terminal, codes] = [Content::NonTerminal, Content::Values]
        .map(|content| maker.arrays(content, unit.ply.index()));
    let (tier, chunks) = (codes.tier, plan.chunks(unit));
    let lanes = |packed: &Packed| packed.lanes_of_tier(plan.board, tier);
    let fetch = |arrays| {
        let ranges = plan.packed(unit.ply, chunks.clone()).map(|packed| lanes(&packed));
        Fetched::new(storage, arrays, ranges.collect())
    };
    let (non_terminal, codes) = (fetch(&non_terminal)?, fetch(&codes)?);
    let chunk = |chunk: u64| {
        control.check()?;
        let mut bytes = ChunkBytes::default();
        for packed in plan.packed(unit.ply, chunk..chunk + 1) {
            let lanes = lanes(&packed);
            let (codes, non_terminal) = (codes.lanes(&lanes), non_terminal.lanes(&lanes));
            RankedCodes::new(plan.board, &packed, codes, non_terminal).append_to(&mut bytes);
        }
        work(chunk, &bytes.filled())
    };
    chunks.clone().into_par_iter().map(chunk).collect()
}

/// Compresses a chunk; only a lack of memory can fail.
fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        /// Making a compressor takes longer than compressing a small chunk.
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    COMPRESSOR.with_borrow_mut(|compressor| {
        let compressor = match compressor {
            Some(compressor) => compressor,
            None => compressor.insert(Compressor::new(LEVEL)?),
        };
        compressor.compress(bytes)
    })
}

/// The bytes of a chunk so far. A rank whose value need not be stored repeats the byte before it
/// or, at the beginning, the first byte that must be stored.
#[derive(Default)]
struct ChunkBytes {
    bytes: Vec<u8>,
    /// The last stored byte, and the number of bytes up to it.
    last: Option<u8>,
    filled: usize,
}

impl ChunkBytes {
    fn store(&mut self, at: usize, byte: u8) {
        if self.filled < at {
            self.bytes[self.filled..at].fill(self.last.unwrap_or(byte));
        }
        self.bytes[at] = byte;
        (self.filled, self.last) = (at + 1, Some(byte));
    }

    fn filled(mut self) -> Vec<u8> {
        self.bytes[self.filled..].fill(self.last.unwrap_or(0));
        self.bytes
    }
}

/// The codes of some colourings of a profile, by block of the engine.
struct RankedCodes<'a> {
    /// The lane of the profile at which `codes` and `non_terminal` begin.
    first: usize,
    codes: &'a [Lane],
    non_terminal: &'a [Lane],
    planes: usize,
    /// Marks the codes that need not be stored.
    nearest: [bool; 1 << MAX_PLANES],
    /// The first rank and first lane of every block that has some of the ranks, and of the next
    /// block.
    blocks: Vec<(u64, usize)>,
    ranks: Range<u64>,
}

impl<'a> RankedCodes<'a> {
    /// Takes the codes of packed ranks from the lanes of their profile that hold them.
    fn new(board: &Board, packed: &Packed, codes: &'a [Lane], non_terminal: &'a [Lane]) -> Self {
        let Packed { profile, ref ranks } = *packed;
        let geometry = Geometry::new(board, profile);
        let values = Codes::new(board.size());
        let nearest = values.nearest(Ply(geometry.n as u8), NEAR_END);
        let mut list = List { board, geometry: &geometry, ranks, blocks: Vec::new() };
        let end = list.node(geometry.n, geometry.ones(), (0, 0));
        list.blocks.push(end);
        let (blocks, ranks) = (list.blocks, ranks.clone());
        let first = packed.lanes(board).start;
        Self { first, codes, non_terminal, planes: values.planes(), nearest, blocks, ranks }
    }

    /// Appends the bytes of all ranks to a chunk.
    fn append_to(&self, chunk: &mut ChunkBytes) {
        let begun = chunk.bytes.len();
        let Range { start: first, end } = self.ranks;
        chunk.bytes.resize(begun + (end - first) as usize, 0);
        let mut block = self.blocks.partition_point(|&(rank, _)| rank <= first) - 1;
        let mut rank = first;
        while rank < end {
            let (begin, lane) = self.blocks[block];
            let stop = self.blocks[block + 1].0.min(end);
            while rank < stop {
                // One word: 64 ranks, fewer at the ends.
                let within = rank - begin;
                let (word, bit) = ((within / 64) as usize, within % 64);
                let count = (64 - bit).min(stop - rank);
                let mut non_terminal =
                    self.non_terminal[lane + word / 8 - self.first].0[word % 8] >> bit;
                if count < 64 {
                    non_terminal &= (1 << count) - 1;
                }
                while non_terminal != 0 {
                    let i = u64::from(non_terminal.trailing_zeros());
                    non_terminal &= non_terminal - 1;
                    let code = self.code(lane, word, bit + i);
                    if !self.nearest[code] {
                        chunk.store(begun + (rank + i - first) as usize, code as u8);
                    }
                }
                rank += count;
            }
            block += 1;
        }
    }

    /// Returns the code at a bit of a word, counted from the first word of a lane.
    #[inline(always)]
    fn code(&self, lane: usize, word: usize, bit: u64) -> usize {
        let lane = lane + word / 8 - self.first;
        let planes = &self.codes[lane * self.planes..][..self.planes];
        let mut code = 0;
        for plane in planes.iter().rev() {
            code = code << 1 | (plane.0[word % 8] >> bit & 1) as usize;
        }
        code
    }
}

/// A builder of the list of the engine's blocks that hold some ranks.
struct List<'a> {
    board: &'a Board,
    geometry: &'a Geometry,
    ranks: &'a Range<u64>,
    /// The first rank and first lane of each block.
    blocks: Vec<(u64, usize)>,
}

impl List<'_> {
    /// Appends the blocks below a node that begins at this rank and lane; returns the rank and lane
    /// after the last block appended or skipped.
    fn node(&mut self, left: usize, ones: usize, at: (u64, usize)) -> (u64, usize) {
        let Geometry { block, .. } = *self.geometry;
        let lanes = self.board.sizes.lanes(block, left, ones);
        if lanes == 0 || at.0 >= self.ranks.end {
            return at;
        }
        let end = (at.0 + choose(left, ones), at.1 + lanes);
        if end.0 <= self.ranks.start {
            return end;
        }
        if left == block {
            self.blocks.push(at);
            return end;
        }
        let at = self.node(left - 1, ones, at);
        if ones > 0 { self.node(left - 1, ones - 1, at) } else { at }
    }
}

/// Returns the value of a position if the rules alone give it within `NEAR_END` plies, or if the
/// game is over. Files do not store such values.
pub fn value_near_end(game: &ConnectFour, position: Stones) -> Option<Value> {
    if let Some(outcome) = game.result(position) {
        return Some(Value::over(outcome));
    }
    let wins = |p: Stones| !game.winning_moves(p).is_empty();
    // Lost in two: after every move the other side completes a line. A full board is a draw, and no
    // move wins there.
    let lost = |p: Stones| game.moves(p).into_iter().all(|m| wins(game.play(p, m)));
    let mut children = game.moves(position).into_iter().map(|m| game.play(position, m));
    if wins(position) {
        Some(Value::new(Outcome::Win, Remoteness(1)))
    } else if lost(position) {
        Some(Value::new(Outcome::Loss, Remoteness(2)))
    } else if children.any(|p| game.result(p).is_none() && !wins(p) && lost(p)) {
        Some(Value::new(Outcome::Win, Remoteness(3)))
    } else {
        None
    }
}
