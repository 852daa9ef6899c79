//! Writing the solution file of any game.

use std::io::{self, Write};

use super::SolutionError;
use super::chunk::{CHUNK, Packed, pack};
use super::layout::{ChunkEntry, Description, HEADER, Layout, Numbering, Tier};
use super::rules::{canonical, fingerprint};
use crate::registry::Position;
use everyply_connect_four::profiles::{Counts, PassError, StorageError};
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{Code, SolveError};
use everyply_core::game::{PartialValue, Unsuited};
use everyply_core::parallel;
use everyply_files::disk::{FileError, NewFile};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenGame {
    pub value: PartialValue,
    /// The positions that the file holds, in words.
    pub holds: &'static str,
    pub tiers: Vec<Tier>,
    pub bytes: u64,
    /// The counts of a Connect Four board.
    pub counts: Option<Counts>,
}

/// The reason why a solution file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error(transparent)]
    File(#[from] SolutionError),
    /// The game is solved, and the file cannot be finished.
    #[error("{source}")]
    Unfinished { value: PartialValue, source: SolutionError },
}

impl From<Unsuited> for WriteError {
    fn from(error: Unsuited) -> Self {
        Self::Solve(error.into())
    }
}

/// Packs the values of a tier by rank, hands over the chunks in order, and returns the counts of
/// the tier. A hole repeats the value before it; at the beginning, the first value.
pub(super) fn pack_ranks(
    codes: &[Code],
    control: &Control,
    see: &mut dyn FnMut(Packed) -> Result<(), SolutionError>,
) -> Result<Tier, SolutionError> {
    let mut tier = Tier::default();
    let is_position = |code: &Code| *code != Code::HOLE;
    let mut last = codes.iter().copied().find(is_position).unwrap_or(Code::ENDLESS);
    for part in codes.chunks(2 * CHUNK * rayon::current_num_threads()) {
        control.check().map_err(stopped)?;
        let filled = part.iter().map(|code| {
            tier.count(*code);
            last = if is_position(code) { *code } else { last };
            last
        });
        let filled: Vec<Code> = filled.collect();
        let chunks: Vec<_> = filled.chunks(CHUNK).collect();
        for packed in parallel::map(chunks.len(), &|i| pack(None, chunks[i])) {
            let no_memory = |source| StorageError::Memory(size_of_val(part), source);
            see(packed.map_err(|source| PassError::from(no_memory(source)))?)?;
        }
    }
    Ok(tier)
}

pub(super) struct Writer<'f> {
    pub layout: Layout,
    tier: Tier,
    /// Positions that are not in a written chunk yet.
    keys: Vec<u64>,
    codes: Vec<Code>,
    file: &'f mut NewFile,
}

impl<'f> Writer<'f> {
    pub fn new(
        root: &dyn Position,
        numbering: Numbering,
        file: &'f mut NewFile,
    ) -> Result<Self, WriteError> {
        let (key, canonical) = canonical(root)?;
        let description = Description {
            game: root.info().name.to_owned(),
            parameters: root.info().parameters,
            title: root.info().title.clone(),
            root: key.0,
            numbering,
            tiers: Vec::new(),
        };
        let layout = Layout::new(fingerprint(canonical.as_ref()), description);
        let (tier, keys, codes) = (Tier::default(), Vec::new(), Vec::new());
        let mut writer = Self { layout, tier, keys, codes, file };
        writer.put(&[0; HEADER as usize])?;
        Ok(writer)
    }

    fn failure(&self, source: &io::Error) -> SolutionError {
        FileError::Write { path: self.file.path().to_owned(), source: source.kind().into() }.into()
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), SolutionError> {
        self.file.write_all(bytes).map_err(|source| self.failure(&source))
    }

    /// Adds positions by ascending key, and writes chunks once there are some for every thread.
    pub fn add(
        &mut self,
        positions: impl Iterator<Item = (u64, Code)>,
        control: &Control,
    ) -> Result<(), SolutionError> {
        for (key, code) in positions {
            self.tier.count(code);
            self.keys.push(key);
            self.codes.push(code);
            if self.codes.len() == 2 * CHUNK * rayon::current_num_threads() {
                control.advance(self.codes.len() as u64);
                control.check().map_err(stopped)?;
                self.write_chunks()?;
            }
        }
        Ok(())
    }

    pub fn tier(
        &mut self,
        name: &str,
        codes: &[Code],
        control: &Control,
    ) -> Result<(), SolutionError> {
        self.tier = pack_ranks(codes, control, &mut |packed| self.put_chunk(0, &packed))?;
        self.end_tier(name)
    }

    /// Ends a tier whose chunks are written.
    pub fn end_tier_of(&mut self, tier: Tier) {
        self.layout.description.tiers.push(tier);
    }

    /// Ends the tier of the positions added.
    pub fn end_tier(&mut self, name: &str) -> Result<(), SolutionError> {
        self.write_chunks()?;
        let tier = std::mem::take(&mut self.tier);
        self.end_tier_of(Tier { name: name.to_owned(), ..tier });
        Ok(())
    }

    fn write_chunks(&mut self) -> Result<(), SolutionError> {
        let keys: Vec<_> = self.keys.chunks(CHUNK).collect();
        let codes: Vec<_> = self.codes.chunks(CHUNK).collect();
        let packed = parallel::map(codes.len(), &|i| (keys[i][0], pack(Some(keys[i]), codes[i])));
        for (first, packed) in packed {
            self.put_chunk(first, &packed.map_err(|source| self.failure(&source))?)?;
        }
        self.keys.clear();
        self.codes.clear();
        Ok(())
    }

    /// Writes a chunk whose first key is given; 0 without keys.
    pub fn put_chunk(&mut self, first: u64, packed: &Packed) -> Result<(), SolutionError> {
        let Packed { bytes, lengths } = packed;
        let (offset, checksum) = (self.layout.chunks_end(), crc32fast::hash(bytes));
        self.layout.chunks.push(ChunkEntry { offset, first, lengths: *lengths, checksum });
        self.put(bytes)
    }

    /// Writes chunks of a board, given by their lengths.
    pub fn put_ranks(&mut self, lengths: &[u64], bytes: &[u8]) -> Result<(), SolutionError> {
        let mut rest = bytes;
        for length in lengths {
            let (chunk, after) = rest.split_at(*length as usize);
            rest = after;
            let offset = self.layout.chunks_end();
            let (lengths, checksum) = ([0, *length as u32, 0], crc32fast::hash(chunk));
            self.layout.chunks.push(ChunkEntry { offset, first: 0, lengths, checksum });
        }
        self.put(bytes)
    }

    pub fn finish(mut self, value: PartialValue) -> Result<WrittenGame, SolutionError> {
        let tables = self.layout.tables();
        let header = self.layout.header(&tables);
        tables.iter().try_for_each(|table| self.put(table))?;
        self.file.write_over(0, &header).map_err(|source| self.failure(&source))?;
        let tables: usize = tables.iter().map(Vec::len).sum();
        let bytes = self.layout.chunks_end() + tables as u64;
        let Description { numbering, tiers, .. } = self.layout.description;
        Ok(WrittenGame { value, holds: numbering.holds(), tiers, bytes, counts: None })
    }
}

pub(super) fn stopped(stopped: Stopped) -> SolutionError {
    SolutionError::Pass(PassError::Stopped(stopped))
}

/// Keeps an error of the receiver of tiers in `failed`, and asks the engine to stop.
pub(super) fn stop_with<E>(failed: &mut Option<E>) -> impl FnOnce(E) -> Stopped {
    |error| {
        *failed = Some(error);
        Stopped
    }
}
