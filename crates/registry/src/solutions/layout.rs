//! The bytes of a solution file around its chunks, as `docs/solution-format.md` describes them.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::SolutionError;
use super::chunk::CHUNK;
use crate::registry::Position;
use everyply_core::exhaustive::Code;
use everyply_core::game::{GameId, Outcome};
use everyply_files::disk::DiskFile;

const MAGIC: [u8; 8] = *b"everysol";

/// The version of the format; earlier ones were never released.
pub(super) const VERSION: u32 = 2;

/// The length of the header; the chunks follow it.
pub(super) const HEADER: u64 = 64;

const ENTRY: u64 = 32;

/// The longest description that is read: enough for 100,000 tiers.
const MOST_DESCRIPTION: u64 = 64 << 20;

/// The numbering of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Numbering {
    /// The file lists the keys of all positions.
    Listed,
    /// The file lists the keys of the positions that the rules do not decide.
    Open,
    /// The rules number the positions of each tier.
    Ranked,
    /// The rules number the positions of each tier, and values are the points still to be made.
    Scored,
    /// The profiles of a Connect Four board number the positions of each ply, and values are bytes.
    Profiles,
}

impl Numbering {
    /// Returns the numbering of a game that is no whole board.
    pub fn of(root: &dyn Position) -> Self {
        match (root.ranked_tiers().is_empty(), root.info().leaves_out) {
            (true, false) => Self::Listed,
            (true, true) => Self::Open,
            (false, _) if root.lead().is_some() => Self::Scored,
            (false, _) => Self::Ranked,
        }
    }

    /// Returns true if the rules number the positions.
    pub const fn is_ranked(self) -> bool {
        matches!(self, Self::Ranked | Self::Scored)
    }

    /// Returns true if the file lists keys.
    pub const fn is_listed(self) -> bool {
        matches!(self, Self::Listed | Self::Open)
    }

    /// Returns the positions that the file holds, in words.
    pub const fn holds(self) -> &'static str {
        match self {
            Self::Listed => "all up to symmetry",
            Self::Open => {
                "all up to symmetry but those that are over or whose every move ends the game"
            }
            Self::Ranked | Self::Scored => {
                "all that the game numbers, up to symmetry, those that no play reaches too"
            }
            Self::Profiles => "all that a game reaches, mirror images included",
        }
    }
}

/// A set of positions with the counts of their values, for the side to move. Positions are counted
/// up to symmetry: in a game that numbers its positions, unreachable ones too. On a Connect Four
/// board, reachable positions and their mirror images are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Tier {
    /// The name.
    pub name: String,
    /// The entries: positions and holes.
    pub entries: u64,
    /// Won positions.
    pub wins: u64,
    /// Drawn positions whose play ends.
    pub draws: u64,
    /// Endless draws.
    pub endless: u64,
    /// Lost positions.
    pub losses: u64,
    /// The longest distance of a win or a loss, in plies; the most points of a game solved for points.
    pub longest: u64,
}

impl Tier {
    pub(super) fn count(&mut self, code: Code) {
        self.entries += 1;
        match code.outcome() {
            None => return self.endless += u64::from(code == Code::ENDLESS),
            Some(Outcome::Draw) => return self.draws += 1,
            Some(Outcome::Win) => self.wins += 1,
            Some(Outcome::Loss) => self.losses += 1,
        }
        self.longest = self.longest.max(code.plies().into());
    }

    pub(super) fn add(&mut self, part: &Self) {
        self.entries += part.entries;
        self.wins += part.wins;
        self.draws += part.draws;
        self.endless += part.endless;
        self.losses += part.losses;
        self.longest = self.longest.max(part.longest);
    }

    /// Returns the number of positions.
    pub const fn positions(&self) -> u64 {
        // A crafted file may claim any number.
        let drawn = self.draws.saturating_add(self.endless);
        drawn.saturating_add(self.wins).saturating_add(self.losses)
    }

    pub(super) const fn chunks(&self) -> u64 {
        self.entries.div_ceil(CHUNK as u64)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Description {
    pub game: String,
    pub parameters: [u8; 3],
    pub title: String,
    /// The canonical key of the position that leads to all others.
    pub root: u64,
    pub numbering: Numbering,
    pub tiers: Vec<Tier>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChunkEntry {
    pub offset: u64,
    /// The key of the first position; 0 without keys.
    pub first: u64,
    /// The lengths of the streams of keys, outcomes and distances.
    pub lengths: [u32; 3],
    pub checksum: u32,
}

impl ChunkEntry {
    pub fn bytes(&self) -> u64 {
        self.lengths.iter().map(|length| u64::from(*length)).sum()
    }

    fn to_bytes(self) -> [u8; ENTRY as usize] {
        let mut bytes = [0; ENTRY as usize];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.first.to_le_bytes());
        let [keys, outcomes, distances] = self.lengths;
        for (i, word) in [keys, outcomes, distances, self.checksum].into_iter().enumerate() {
            bytes[16 + 4 * i..20 + 4 * i].copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        Self {
            offset: u64_at(bytes, 0),
            first: u64_at(bytes, 8),
            lengths: [16, 20, 24].map(|at| u32_at(bytes, at)),
            checksum: u32_at(bytes, 28),
        }
    }
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

/// Everything in a file but the chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub id: GameId,
    pub fingerprint: u64,
    pub description: Description,
    pub chunks: Vec<ChunkEntry>,
}

impl Layout {
    pub fn new(fingerprint: u64, description: Description) -> Self {
        let id = GameId::new(&description.game, description.parameters);
        Self { id, fingerprint, description, chunks: Vec::new() }
    }

    pub fn chunks_end(&self) -> u64 {
        self.chunks.last().map_or(HEADER, |chunk| chunk.offset + chunk.bytes())
    }

    /// Returns the directory and the description, which follow the chunks.
    pub fn tables(&self) -> [Vec<u8>; 2] {
        let directory = self.chunks.iter().flat_map(|chunk| chunk.to_bytes()).collect();
        let description = serde_json::to_vec(&self.description);
        [directory, description.expect("texts and numbers are JSON")]
    }

    pub fn header(&self, [directory, description]: &[Vec<u8>; 2]) -> [u8; HEADER as usize] {
        let mut header = [0; HEADER as usize];
        let end = self.chunks_end();
        let to_description = end + directory.len() as u64;
        let words = [
            self.fingerprint,
            self.chunks.len() as u64,
            end,
            to_description,
            to_description + description.len() as u64,
        ];
        for (word, at) in words.into_iter().zip((16..).step_by(8)) {
            header[at..at + 8].copy_from_slice(&word.to_le_bytes());
        }
        header[56..60].copy_from_slice(&crc32fast::hash(directory).to_le_bytes());
        header[60..].copy_from_slice(&crc32fast::hash(description).to_le_bytes());
        header[..8].copy_from_slice(&MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        let checksum = crc32fast::hash(&header[16..]);
        header[12..16].copy_from_slice(&checksum.to_le_bytes());
        header
    }

    /// Returns the checksums of the tables as one number; the tables hold the chunks' checksums.
    pub fn checksums(&self) -> u64 {
        u64_at(&self.header(&self.tables()), 56)
    }

    pub fn counts(&self) -> impl Iterator<Item = usize> {
        self.description.tiers.iter().flat_map(|tier| {
            let chunk = |i: u64| (tier.entries - i * CHUNK as u64).min(CHUNK as u64) as usize;
            (0..tier.chunks()).map(chunk)
        })
    }

    /// Reads the layout of a file and checks its tables, but not its chunks.
    pub fn read(file: &dyn DiskFile, path: &Path) -> Result<Self, SolutionError> {
        let damaged = |what: &str| SolutionError::Damaged(path.to_owned(), what.to_owned());
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::UnexpectedEof => damaged("the file was cut"),
            _ => SolutionError::File(path.to_owned(), source),
        };
        let length = file.length().map_err(failed)?;
        let mut header = [0; HEADER as usize];
        if file.read_at(&mut header, 0).map_err(failed)? < header.len() || header[..8] != MAGIC {
            return Err(SolutionError::NotASolution(path.to_owned()));
        }
        if u32_at(&header, 8) != VERSION {
            return Err(SolutionError::OtherVersion(path.to_owned(), u32_at(&header, 8)));
        }
        if u32_at(&header, 12) != crc32fast::hash(&header[16..]) {
            return Err(damaged("the header has a wrong checksum"));
        }
        let [fingerprint, chunks, directory, description, end] =
            [16, 24, 32, 40, 48].map(|at| u64_at(&header, at));
        if end != length {
            return Err(damaged("the file is not of its full length"));
        }
        let parts = chunks
            .checked_mul(ENTRY)
            .filter(|bytes| {
                directory >= HEADER && directory.checked_add(*bytes) == Some(description)
            })
            .zip(end.checked_sub(description).filter(|bytes| *bytes <= MOST_DESCRIPTION));
        let Some((directory_bytes, description_bytes)) = parts else {
            return Err(damaged("the tables are beyond the end"));
        };
        let read = |at: u64, bytes: u64, checksum: u32| {
            let mut table = vec![0; bytes as usize];
            file.read_exact_at(&mut table, at).map_err(failed)?;
            let is_right = crc32fast::hash(&table) == checksum;
            is_right.then_some(table).ok_or_else(|| damaged("the tables have a wrong checksum"))
        };
        let table = read(directory, directory_bytes, u32_at(&header, 56))?;
        let text = read(description, description_bytes, u32_at(&header, 60))?;
        let description = serde_json::from_slice(&text)
            .map_err(|error| damaged(&format!("the description cannot be read: {error}")))?;
        let mut layout = Self::new(fingerprint, description);
        for entry in table.chunks_exact(ENTRY as usize).map(ChunkEntry::of_bytes) {
            if entry.offset != layout.chunks_end() || entry.offset + entry.bytes() > directory {
                return Err(damaged("the chunks are out of order"));
            }
            layout.chunks.push(entry);
        }
        let tiers = &layout.description.tiers;
        let of_tiers = tiers.iter().try_fold(0, |sum: u64, tier| sum.checked_add(tier.chunks()));
        if of_tiers != Some(chunks) || layout.chunks_end() != directory {
            return Err(damaged("the directory contradicts the description"));
        }
        let is_listed = layout.description.numbering.is_listed();
        if is_listed && layout.description.tiers.len() != 1 {
            return Err(damaged("a list of keys has one tier"));
        }
        let in_order = match is_listed {
            true => layout.chunks.is_sorted_by(|a, b| a.first < b.first),
            false => layout.chunks.iter().all(|chunk| chunk.first == 0),
        };
        if !in_order {
            return Err(damaged("the keys are out of order"));
        }
        Ok(layout)
    }
}
