//! Writing the solution file of any game.

use std::io::{self, Write};

use super::chunk::{CHUNK, Packed, code_of, pack, value_of};
use super::layout::{ChunkEntry, Description, HEADER, Layout, Numbering, Tier};
use super::rules::fingerprint;
use crate::connect_four::profiles::{PassError, SolutionError};
use crate::control::{Control, Stopped};
use crate::disk::{FileError, NewFile};
use crate::exhaustive::{Code, SolveError};
use crate::game::{PartialValue, Unsuited};
use crate::parallel;
use crate::registry::Study;

/// A written solution file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenGame {
    /// The value of the root.
    pub value: PartialValue,
    /// The tiers, with the counts of their positions.
    pub tiers: Vec<Tier>,
    /// The length of the file.
    pub bytes: u64,
}

/// The reason why a game is not in a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The game cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] SolutionError),
}

impl From<Unsuited> for WriteError {
    fn from(error: Unsuited) -> Self {
        Self::Solve(error.into())
    }
}

/// Solves all positions that a root leads to, of `most` at most, and writes their values: by rank if
/// the game numbers its positions, else with their keys. The file appears whole or not at all, and its
/// bytes are the same for any number of threads.
///
/// # Errors
/// If the control asks to stop, the game does not fit, or the file cannot be written.
pub fn solve(
    root: &dyn Study,
    most: u64,
    mut file: NewFile,
    control: &Control,
) -> Result<WrittenGame, WriteError> {
    let mut writer = Writer::new(root, &mut file)?;
    let value = if root.ranked_tiers().is_empty() {
        let answers = root.solve(most, control)?;
        control.start(0);
        writer.listed(|writer| {
            answers.values(&mut |part| {
                writer.keep(|writer| {
                    let keys = part.iter().map(|(key, value)| (key.0, code_of(*value)));
                    writer.add(keys, control)
                });
            });
        })?;
        answers.worth()
    } else {
        let mut value = None;
        let here = root.rank();
        root.solve_tiers(most, control, &mut |id, tier, codes| {
            if let Some((_, rank)) = here.filter(|(root, _)| *root == id) {
                value = value_of(codes[rank as usize]);
            }
            writer.keep(|writer| writer.tier(&tier.name, codes, control));
        })?;
        value.ok_or(Unsuited::Distance(u8::MAX))?
    };
    let written = writer.finish(value)?;
    file.commit().map_err(SolutionError::from)?;
    Ok(written)
}

pub(super) struct Writer<'f> {
    layout: Layout,
    /// The open tier.
    tier: Tier,
    /// Positions that are not in a written chunk yet.
    keys: Vec<u64>,
    codes: Vec<Code>,
    file: &'f mut NewFile,
    /// The error that ended the writing.
    failed: Option<SolutionError>,
}

impl<'f> Writer<'f> {
    pub fn new(root: &dyn Study, file: &'f mut NewFile) -> Result<Self, WriteError> {
        let (key, _) = root.canonical().ok_or(Unsuited::Keys)?;
        let canonical = root.of_key(key).ok_or(Unsuited::Keys)?;
        let is_listed = root.ranked_tiers().is_empty();
        let description = Description {
            game: root.name().to_owned(),
            parameters: root.parameters(),
            title: root.title(),
            root: key.0,
            numbering: if is_listed { Numbering::Listed } else { Numbering::Ranked },
            tiers: Vec::new(),
        };
        let layout = Layout::new(fingerprint(canonical.as_ref()), description);
        let (tier, keys, codes) = (Tier::default(), Vec::new(), Vec::new());
        let mut writer = Self { layout, tier, keys, codes, file, failed: None };
        writer.put(&[0; HEADER as usize])?;
        Ok(writer)
    }

    fn failure(&self, source: io::Error) -> SolutionError {
        FileError::Write { path: self.file.path().to_owned(), source }.into()
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), SolutionError> {
        self.file.write_all(bytes).map_err(|source| self.failure(source))
    }

    /// Does work unless an error ended the writing; keeps its error.
    fn keep(&mut self, work: impl FnOnce(&mut Self) -> Result<(), SolutionError>) {
        if self.failed.is_none() {
            self.failed = work(self).err();
        }
    }

    /// Writes the one tier of a game without ranks.
    pub fn listed(&mut self, add: impl FnOnce(&mut Self)) -> Result<(), SolutionError> {
        self.tier.name = "all".to_owned();
        add(self);
        self.keep(Self::end_tier);
        self.failed.take().map_or(Ok(()), Err)
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
                advance(control, self.codes.len())?;
                self.write_chunks()?;
            }
        }
        Ok(())
    }

    /// Writes a tier by rank. A hole repeats the value before it; at the beginning, the first value.
    fn tier(&mut self, name: &str, codes: &[Code], control: &Control) -> Result<(), SolutionError> {
        self.tier.name = name.to_owned();
        let is_position = |code: &Code| *code != Code::HOLE;
        let mut last = codes.iter().copied().find(is_position).unwrap_or(Code::ENDLESS);
        for part in codes.chunks(2 * CHUNK * rayon::current_num_threads()) {
            for code in part {
                self.tier.count(*code);
                last = if is_position(code) { *code } else { last };
                self.codes.push(last);
            }
            control.check().map_err(stopped)?;
            self.write_chunks()?;
        }
        self.end_tier()
    }

    fn end_tier(&mut self) -> Result<(), SolutionError> {
        self.write_chunks()?;
        let tier = std::mem::take(&mut self.tier);
        self.layout.description.tiers.push(tier);
        Ok(())
    }

    fn write_chunks(&mut self) -> Result<(), SolutionError> {
        let keys: Vec<_> = self.keys.chunks(CHUNK).collect();
        let codes: Vec<_> = self.codes.chunks(CHUNK).collect();
        let packed = parallel::map(codes.len(), &|i| {
            let keys = keys.get(i).copied();
            (keys.map_or(0, |keys| keys[0]), pack(keys, codes[i]))
        });
        for (first, packed) in packed {
            let Packed { bytes, lengths } = packed.map_err(|source| self.failure(source))?;
            let (offset, checksum) = (self.layout.chunks_end(), crc32fast::hash(&bytes));
            self.layout.chunks.push(ChunkEntry { offset, first, lengths, checksum });
            self.put(&bytes)?;
        }
        self.keys.clear();
        self.codes.clear();
        Ok(())
    }

    pub fn finish(mut self, value: PartialValue) -> Result<WrittenGame, SolutionError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let tables = self.layout.tables();
        let header = self.layout.header(&tables);
        tables.iter().try_for_each(|table| self.put(table))?;
        self.file.write_over(0, &header).map_err(|source| self.failure(source))?;
        let tables: usize = tables.iter().map(Vec::len).sum();
        let bytes = self.layout.chunks_end() + tables as u64;
        Ok(WrittenGame { value, tiers: self.layout.description.tiers, bytes })
    }
}

pub(super) fn stopped(stopped: Stopped) -> SolutionError {
    SolutionError::Pass(PassError::Stopped(stopped))
}

/// Counts work, and fails if a stop is asked for.
fn advance(control: &Control, count: usize) -> Result<(), SolutionError> {
    control.advance(count as u64);
    control.check().map_err(stopped)
}
