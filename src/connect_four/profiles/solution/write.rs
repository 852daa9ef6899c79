//! Writing a solution file.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;
use zstd::bulk::Compressor;

use super::super::board::Board;
use super::super::counts::{Counts, Extent, run};
use super::super::lane::Lane;
use super::super::passes::{PassError, Passes, key};
use super::super::storage::{Content, Storage, StorageError};
use super::super::tier::Tier;
use super::SolutionError;
use super::layout::{BLOCK_RANKS, BlockEntry, Layout, ProfileEntry, SolutionDetail};
use super::ranked_codes::RankedCodes;
use crate::control::Control;
use crate::disk::{FileError, NewFile};
use crate::game::Ply;

/// The effort of the compressor: more gains little on this kind of data and takes much longer.
const LEVEL: i32 = 3;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenSolution {
    /// What was counted on the way.
    pub counts: Counts,
    /// The length of the file.
    pub bytes: u64,
}

/// Solves a board and writes the value of every position to a file, which appears whole or not
/// at all.
///
/// The same bytes for any number of threads, any storage, and however often a run was cut off and
/// continued.
///
/// # Errors
/// If the control stops it, or the storage or the file cannot be written.
pub fn solve(
    board: &Board,
    detail: SolutionDetail,
    storage: &mut dyn Storage,
    path: &Path,
    control: &Control,
) -> Result<WrittenSolution, SolutionError> {
    // The place of the file is tried before any work.
    solve_into(board, detail, storage, NewFile::create(path)?, control)
}

/// As [`solve`], into a file in the making.
pub(super) fn solve_into(
    board: &Board,
    detail: SolutionDetail,
    storage: &mut dyn Storage,
    mut file: NewFile,
    control: &Control,
) -> Result<WrittenSolution, SolutionError> {
    let counts = run(board, Extent::WholeWithValues, storage, control, &mut |passes, tier| {
        pack(passes, tier, detail)
    })?;
    let bytes = write(board, detail, storage, &mut file).map_err(|error| match error {
        WriteError::Storage(error) => SolutionError::Pass(error.into()),
        WriteError::Io(source) => {
            // The file's own words would be there twice.
            let source = source.kind().into();
            FileError::Write { path: file.path().to_owned(), source }.into()
        }
    })?;
    file.commit()?;
    Ok(WrittenSolution { counts, bytes })
}

/// Compresses a tier whose values are complete, unless that was done.
fn pack(passes: &mut Passes<'_>, tier: &Tier, detail: SolutionDetail) -> Result<(), PassError> {
    let key = key(Content::Packed, tier.ply);
    if let Some(summary) = passes.storage.summary(key)? {
        if summary.first() == Some(&(detail as u64)) {
            return Ok(());
        }
        // Packed for a file of the other detail.
        return Err(StorageError::Missing { key }.into());
    }
    let (non_terminal, codes) = passes.arrays(tier)?;
    let (board, control) = (passes.board, passes.control);
    let planes = super::super::code::Codes::new(board.size()).planes();
    let blocks: Vec<Vec<u8>> = tier
        .profiles
        .par_iter()
        .map(|&profile| {
            let codes = tier.slice(&codes[..], planes, profile);
            let ranked = RankedCodes::new(
                board,
                detail,
                profile,
                codes,
                tier.slice(&non_terminal[..], 1, profile),
            );
            let compress = |block: u64| {
                control.check()?;
                let bytes = ranked.bytes(block * BLOCK_RANKS as u64, BLOCK_RANKS);
                compressed(&bytes).map_err(|source| {
                    PassError::from(StorageError::Memory { bytes: bytes.len(), source })
                })
            };
            let blocks = ranked.len().div_ceil(BLOCK_RANKS as u64);
            (0..blocks).into_par_iter().map(compress).collect::<Result<Vec<_>, _>>()
        })
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect();
    non_terminal.check()?;
    codes.check()?;
    let mut summary = vec![detail as u64];
    summary.extend(blocks.iter().map(|block| BlockEntry::summary(block)));
    let bytes: usize = blocks.iter().map(Vec::len).sum();
    let lanes = bytes.div_ceil(size_of::<Lane>());
    passes.storage.create(key, lanes)?;
    let mut rest = &blocks.concat()[..];
    let mut left = lanes;
    while left > 0 {
        let batch = left.min(passes.storage.batch());
        let buffer = passes.storage.buffer(batch)?;
        buffer.fill(Lane::ZERO);
        let (now, later) = rest.split_at(rest.len().min(size_of_val(buffer)));
        bytemuck::cast_slice_mut(buffer)[..now.len()].copy_from_slice(now);
        // Lanes are stored as little-endian words: on other machines turned round twice.
        for lane in buffer.iter_mut() {
            lane.0 = lane.0.map(u64::from_le);
        }
        passes.storage.commit()?;
        rest = later;
        left -= batch;
    }
    passes.storage.finish(&summary)?;
    Ok(())
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

enum WriteError {
    Storage(StorageError),
    Io(io::Error),
}

impl From<StorageError> for WriteError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Puts the packed tiers together.
fn write(
    board: &Board,
    detail: SolutionDetail,
    storage: &mut dyn Storage,
    out: &mut NewFile,
) -> Result<u64, WriteError> {
    let mut layout = Layout::new(board.size(), detail);
    out.write_all(&layout.header())?;
    let mut tier = Tier::first(board);
    loop {
        let key = key(Content::Packed, tier.ply);
        let summary = storage.summary(key)?.unwrap_or_default();
        let mut entries = summary.iter().skip(1);
        let mut bytes = 0;
        for profile in tier.profiles.iter().copied() {
            let colourings = board.colourings(Ply(tier.ply as u8));
            layout.profiles.push(ProfileEntry { profile, block: layout.blocks.len() as u64 });
            for _ in 0..colourings.div_ceil(BLOCK_RANKS as u64) {
                let &entry = entries.next().ok_or(StorageError::Missing { key })?;
                bytes += layout.push(entry);
            }
        }
        let lanes = storage.read(key)?;
        // The bytes of the lanes as they are in a file.
        let words: Vec<u64> = if cfg!(target_endian = "little") {
            Vec::new()
        } else {
            lanes.iter().flat_map(|lane| lane.0.map(u64::to_le)).collect()
        };
        let packed: &[u8] = if words.is_empty() {
            bytemuck::cast_slice(&lanes)
        } else {
            bytemuck::cast_slice(&words)
        };
        let packed = usize::try_from(bytes).ok().and_then(|bytes| packed.get(..bytes));
        out.write_all(packed.ok_or(StorageError::Missing { key })?)?;
        lanes.check()?;
        if tier.ply == board.cells() {
            break;
        }
        tier = tier.next(board);
    }
    let tables = layout.tables();
    out.write_all(&tables)?;
    out.write_over(0, &layout.header())?;
    Ok(layout.file_bytes())
}
