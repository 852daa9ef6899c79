//! Writing a solution file: codes as bytes by rank.
//!
//! The *rank* of a colouring is its index among the colourings of its profile, see `combinadic`:
//! the order of the engine without the padding of blocks.

use std::cell::RefCell;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use zstd::bulk::Compressor;

use super::super::board::{Board, Profile};
use super::super::code::{Codes, MAX_PLANES};
use super::super::combinadic::choose;
use super::super::counts::{Counts, Extent, gather, run_plan};
use super::super::lane::Lane;
use super::super::making::{Fetched, Maker};
use super::super::piece::Geometry;
use super::super::plan::{BLOCK_RANKS, Packed};
use super::super::run::{Consumer, Run};
use super::super::storage::Storage;
use super::super::unit::{Content, PassError, StorageError, Unit};
use super::layout::{BlockEntry, Layout, NEAR_END, ProfileEntry, SolutionError};
use everyply_core::control::Control;
use everyply_core::game::Ply;
use everyply_files::disk::{FileError, NewFile};

/// The level of the compressor: a higher level gains little on this data and takes much longer.
const LEVEL: i32 = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenSolution {
    pub counts: Counts,
    pub bytes: u64,
}

/// Solves a board and writes the value of every position to a file, which appears whole or not
/// at all.
///
/// The bytes are the same for any number of threads, any storage, and any number of interruptions.
///
/// # Errors
/// If the control asks to stop, or the storage or the file cannot be written.
pub fn solve(
    board: &Board,
    storage: &dyn Storage,
    path: &Path,
    control: &Control,
) -> Result<WrittenSolution, SolutionError> {
    // The file is created before any work, so that an unwritable path is refused at once.
    solve_into(board, storage, NewFile::create(path)?, control)
}

/// Solves a board like [`solve`], into a file in the making.
pub(super) fn solve_into(
    board: &Board,
    storage: &dyn Storage,
    file: NewFile,
    control: &Control,
) -> Result<WrittenSolution, SolutionError> {
    let extent = Extent::WholeWithValues;
    let plan = extent.plan(board, storage);
    let maker = Maker::new(&plan, storage, control);
    let run = Run { maker, consumer: Some(&Packing) };
    run_plan(&run, extent)?;
    finish_into(&run.maker, file)
}

/// Makes all units of a board in its storage, so that [`solve`] has only the file to write. Any number of
/// processes may work in one storage.
///
/// # Errors
/// If the control asks to stop, or the storage cannot be used.
pub fn fill(board: &Board, storage: &dyn Storage, control: &Control) -> Result<(), PassError> {
    let extent = Extent::WholeWithValues;
    let plan = extent.plan(board, storage);
    let maker = Maker::new(&plan, storage, control);
    run_plan(&Run { maker, consumer: Some(&Packing) }, extent)
}

fn finish_into(maker: &Maker<'_>, mut file: NewFile) -> Result<WrittenSolution, SolutionError> {
    // The tables of the file take memory as well.
    maker.storage.free_spare();
    let counts = gather(maker, true)?;
    let bytes = write(maker, &mut file)?;
    file.commit()?;
    Ok(WrittenSolution { counts, bytes })
}

/// A consumer that compresses the blocks packed with a unit.
pub(super) struct Packing;

impl Consumer for Packing {
    fn content(&self) -> Content {
        Content::Packed
    }

    fn make(&self, maker: &Maker<'_>, unit: Unit) -> Result<(), PassError> {
        let blocks = each_block(maker, unit, &|_, _, bytes| {
            compressed(bytes)
                .map_err(|source| PassError::from(StorageError::Memory(bytes.len(), source)))
        })?;
        let summary: Vec<u64> = blocks.iter().map(|block| BlockEntry::summary(block)).collect();
        Ok(maker.storage.keep_bytes(unit, blocks.concat(), &summary)?)
    }
}

/// Work on a block, given its profile, its number within the profile, and its bytes.
type WithBlock<'a, R> = dyn Fn(Profile, u64, &[u8]) -> Result<R, PassError> + Sync + 'a;

/// Does work on every block packed with a unit; returns the results in order.
pub(super) fn each_block<R: Send>(
    maker: &Maker<'_>,
    unit: Unit,
    work: &WithBlock<'_, R>,
) -> Result<Vec<R>, PassError> {
    let Maker { plan, storage, control, .. } = *maker;
    let [non_terminal, codes] = [Content::NonTerminal, Content::Values]
        .map(|content| maker.arrays(content, unit.ply.index()));
    let tier = codes.tier;
    let packed: Vec<_> = plan.packed(unit).collect();
    let lanes = |packed: &Packed| packed.lanes_of_tier(plan.board, tier);
    let fetch = |arrays| Fetched::new(storage, arrays, packed.iter().map(lanes).collect());
    let (non_terminal, codes) = (fetch(&non_terminal)?, fetch(&codes)?);
    let blocks = packed.par_iter().map(|packed| {
        let lanes = lanes(packed);
        let (codes, non_terminal) = (codes.lanes(&lanes), non_terminal.lanes(&lanes));
        let ranked = RankedCodes::new(plan.board, packed, codes, non_terminal);
        let blocks =
            packed.ranks.start / BLOCK_RANKS as u64..packed.ranks.end.div_ceil(BLOCK_RANKS as u64);
        let block = |block: u64| {
            control.check()?;
            let bytes = ranked.bytes(block * BLOCK_RANKS as u64, BLOCK_RANKS);
            work(packed.profile, block, &bytes)
        };
        blocks.into_par_iter().map(block).collect::<Result<Vec<_>, PassError>>()
    });
    Ok(blocks.collect::<Result<Vec<_>, PassError>>()?.into_iter().flatten().collect())
}

/// Compresses a block; only a lack of memory can fail.
fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        /// Making a compressor takes longer than compressing a block.
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

/// The summary and the blocks of a packed unit.
fn packed(storage: &dyn Storage, unit: Unit) -> Result<(Vec<u64>, Arc<[u8]>), PassError> {
    let summary = storage.summary(unit)?.ok_or(StorageError::Missing(unit))?;
    let blocks = storage.bytes(unit)?;
    match summary.iter().map(|&block| u64::from(block as u32)).sum::<u64>() {
        length if length == blocks.len() as u64 => Ok((summary, blocks)),
        _ => Err(StorageError::Missing(unit).into()),
    }
}

fn put(file: &mut NewFile, bytes: &[u8]) -> Result<(), SolutionError> {
    file.write_all(bytes).map_err(|source| failed(file, &source))
}

/// The error of a file that cannot be written. Its source is reduced to a kind, since the text of
/// the source names the file as well.
fn failed(file: &NewFile, source: &io::Error) -> SolutionError {
    FileError::Write { path: file.path().to_owned(), source: source.kind().into() }.into()
}

/// Concatenates the packed units, with header and tables.
fn write(maker: &Maker<'_>, out: &mut NewFile) -> Result<u64, SolutionError> {
    let Maker { plan, storage, .. } = *maker;
    let mut layout = Layout::new(plan.board.size());
    put(out, &layout.header())?;
    for (ply, tier) in plan.tiers.iter().enumerate() {
        let ply = Ply(ply as u8);
        let blocks = plan.board.colourings(ply).div_ceil(BLOCK_RANKS as u64);
        let first = layout.blocks.len() as u64;
        let entry = |(profile, i)| ProfileEntry { profile, block: first + i * blocks };
        layout.profiles.extend(tier.profiles.iter().copied().zip(0..).map(entry));
        for unit in plan.units(Content::Packed, ply) {
            let (summary, bytes) = packed(storage, unit)?;
            summary.into_iter().for_each(|block| layout.push(block));
            put(out, &bytes)?;
        }
    }
    put(out, &layout.tables())?;
    out.write_over(0, &layout.header()).map_err(|source| failed(out, &source))?;
    Ok(layout.file_bytes())
}

/// The codes of some colourings of a profile, by block of the engine.
pub(super) struct RankedCodes<'a> {
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
    /// The codes of packed ranks, from the lanes of their profile that hold them.
    pub(super) fn new(
        board: &Board,
        packed: &Packed,
        codes: &'a [Lane],
        non_terminal: &'a [Lane],
    ) -> Self {
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

    /// The bytes of at most `most` ranks from `first` on. A rank whose value need not be stored
    /// repeats the byte before it or, at the beginning, the first byte that must be stored.
    pub(super) fn bytes(&self, first: u64, most: usize) -> Vec<u8> {
        let end = self.ranks.end.min(first + most as u64);
        let mut bytes = vec![0; (end - first) as usize];
        // The number of bytes filled, and the last stored byte.
        let (mut filled, mut last) = (0, None);
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
                        let byte = code as u8;
                        let at = (rank + i - first) as usize;
                        if filled < at {
                            bytes[filled..at].fill(last.unwrap_or(byte));
                        }
                        bytes[at] = byte;
                        (filled, last) = (at + 1, Some(byte));
                    }
                }
                rank += count;
            }
            block += 1;
        }
        bytes[filled..].fill(last.unwrap_or(0));
        bytes
    }

    /// The code at a bit of a word, counted from the first word of a lane.
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

/// The list, being built, of the engine's blocks that hold some ranks.
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
