//! The bytes of a solution file around its blocks, as `docs/solution-format.md` describes them, and
//! its errors.

use std::io;
use std::path::{Path, PathBuf};

use super::super::board::Profile;
use super::super::plan::BLOCK_RANKS;
use super::super::unit::PassError;
use everyply_core::game::GameId;
use everyply_core::games::line::{ConnectFour, Size};
use everyply_files::disk::{DiskFile, FileError};

/// The plies to the end within which the rules alone give values, which are not stored: a win by a
/// move that completes a line, a loss to two such moves, a win by making two of them.
pub(super) const NEAR_END: u8 = 3;

const MAGIC: [u8; 8] = *b"everysol";
/// The length of the header; the blocks follow it.
pub(super) const HEADER: usize = 64;
/// The length of the entry of a profile, and of a block, in the tables.
const ENTRY: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProfileEntry {
    pub(super) profile: Profile,
    pub(super) block: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockEntry {
    pub(super) offset: u64,
    pub(super) length: u32,
    pub(super) checksum: u32,
}

impl BlockEntry {
    /// The length and checksum of a block as one number.
    pub(super) fn summary(block: &[u8]) -> u64 {
        u64::from(crc32fast::hash(block)) << 32 | block.len() as u64
    }
}

/// The number of table entries read at a time.
const TABLE_PIECE: usize = 4096;

/// Everything in a file but the blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) size: Size,
    pub(super) profiles: Vec<ProfileEntry>,
    pub(super) blocks: Vec<BlockEntry>,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(number(bytes, at))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(number(bytes, at))
}

impl Layout {
    pub(super) const fn new(size: Size) -> Self {
        Self { size, profiles: Vec::new(), blocks: Vec::new() }
    }

    /// Appends a block, given by its summary.
    pub(super) fn push(&mut self, summary: u64) {
        let entry = BlockEntry {
            offset: self.blocks_end(),
            length: summary as u32,
            checksum: (summary >> 32) as u32,
        };
        self.blocks.push(entry);
    }

    fn blocks_end(&self) -> u64 {
        self.blocks.last().map_or(HEADER as u64, |block| block.offset + u64::from(block.length))
    }

    /// A fingerprint of the file: the checksums of the header and of the tables, which hold the
    /// checksums of all blocks.
    pub(super) fn fingerprint(&self) -> u64 {
        let tables = crc32fast::hash(&self.tables());
        u64::from(tables) << 32 | u64::from(crc32fast::hash(&self.header()))
    }

    pub(super) fn file_bytes(&self) -> u64 {
        self.blocks_end() + (ENTRY * (self.profiles.len() + self.blocks.len())) as u64
    }

    /// The tables, which follow the blocks.
    pub(super) fn tables(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(ENTRY * (self.profiles.len() + self.blocks.len()));
        for entry in &self.profiles {
            bytes.extend(entry.profile.0.to_le_bytes());
            bytes.extend(entry.block.to_le_bytes());
        }
        for entry in &self.blocks {
            bytes.extend(entry.offset.to_le_bytes());
            bytes.extend(entry.length.to_le_bytes());
            bytes.extend(entry.checksum.to_le_bytes());
        }
        bytes
    }

    pub(super) fn header(&self) -> [u8; HEADER] {
        let Size { width, height, line } = self.size;
        let mut header = [0; HEADER];
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(16, &[width, height, line]);
        put(20, &(BLOCK_RANKS as u32).to_le_bytes());
        put(24, &(self.profiles.len() as u64).to_le_bytes());
        put(32, &(self.blocks.len() as u64).to_le_bytes());
        put(40, &self.blocks_end().to_le_bytes());
        put(48, &self.file_bytes().to_le_bytes());
        put(56, &crc32fast::hash(&self.tables()).to_le_bytes());
        put(60, &[NEAR_END]);
        let checksum = crc32fast::hash(&header[16..]);
        header[12..16].copy_from_slice(&checksum.to_le_bytes());
        header
    }

    /// Reads the layout of a file and checks its tables, but not its blocks.
    ///
    /// The tables are checked entry by entry while they are read, so a file that claims more
    /// entries than it holds takes no memory for them.
    pub(super) fn read(file: &dyn DiskFile, path: &Path) -> Result<Self, SolutionError> {
        let damaged = |what: &str| Err(SolutionError::Damaged(path.to_owned(), what.to_owned()));
        let failed = |source: io::Error| match source.kind() {
            // The length was read just before.
            io::ErrorKind::UnexpectedEof => {
                SolutionError::Damaged(path.to_owned(), "the file was cut".to_owned())
            }
            _ => SolutionError::File(path.to_owned(), source),
        };
        let length = file.length().map_err(failed)?;
        let mut header = [0; HEADER];
        if file.read_at(&mut header, 0).map_err(failed)? < HEADER || header[..8] != MAGIC {
            return Err(SolutionError::NotASolution(path.to_owned()));
        }
        if u32_at(&header, 8) != VERSION {
            return Err(SolutionError::OtherVersion(path.to_owned(), u32_at(&header, 8)));
        }
        if u32_at(&header, 12) != crc32fast::hash(&header[16..]) {
            return damaged("the header has a wrong checksum");
        }
        if u64_at(&header, 48) != length {
            return damaged("the file is not of its full length");
        }
        let size = Size { width: header[16], height: header[17], line: header[18] };
        let board = Size::new(size.width, size.height, size.line).and_then(ConnectFour::new);
        if let Err(error) = board {
            return damaged(&error.to_string());
        }
        let (profiles, blocks, tables) =
            (u64_at(&header, 24), u64_at(&header, 32), u64_at(&header, 40));
        let entries = length.checked_sub(tables).filter(|bytes| bytes % ENTRY as u64 == 0);
        let Some(entries) = entries.map(|bytes| bytes / ENTRY as u64) else {
            return damaged("the tables are beyond the end");
        };
        if profiles.checked_add(blocks) != Some(entries) {
            return damaged("the tables are not of their full length");
        }
        let mut layout = Self::new(size);
        let mut checksum = crc32fast::Hasher::new();
        let mut buffer = vec![0; TABLE_PIECE * ENTRY];
        let mut at = 0;
        while at < entries {
            let count = (entries - at).min(TABLE_PIECE as u64);
            let piece = &mut buffer[..count as usize * ENTRY];
            file.read_exact_at(piece, tables + at * ENTRY as u64).map_err(failed)?;
            checksum.update(piece);
            let (piece, _) = piece.as_chunks::<ENTRY>();
            for (number, entry) in (at..).zip(piece) {
                let taken = if number < profiles {
                    layout.take_profile(entry, blocks)
                } else {
                    layout.take_block(entry, tables)
                };
                if let Err(what) = taken {
                    return damaged(what);
                }
            }
            at += count;
        }
        if u32_at(&header, 56) != checksum.finalize() {
            return damaged("the tables have a wrong checksum");
        }
        // The header derived from the tables must equal the header of the file: every byte of the
        // file is checked.
        if layout.header() != header {
            return damaged("the header contradicts the tables");
        }
        Ok(layout)
    }

    fn take_profile(&mut self, entry: &[u8; ENTRY], blocks: u64) -> Result<(), &'static str> {
        let next = ProfileEntry { profile: Profile(u64_at(entry, 0)), block: u64_at(entry, 8) };
        let first = self.profiles.is_empty();
        let follows = self.profiles.last().map_or(next.block == 0, |last| {
            self.order(last.profile) < self.order(next.profile) && last.block < next.block
        });
        if !follows || next.block >= blocks || (first && next.profile != Profile(0)) {
            return Err("the profiles are out of order");
        }
        let Size { width, height, .. } = self.size;
        if next.profile.0 >= (u64::from(height) + 1).pow(width.into()) {
            return Err("a profile is none of the board");
        }
        self.profiles.push(next);
        Ok(())
    }

    fn take_block(&mut self, entry: &[u8; ENTRY], tables: u64) -> Result<(), &'static str> {
        let next = BlockEntry {
            offset: u64_at(entry, 0),
            length: u32_at(entry, 8),
            checksum: u32_at(entry, 12),
        };
        let fits = next.offset == self.blocks_end()
            && next.length > 0
            && next.length as usize <= zstd::zstd_safe::compress_bound(BLOCK_RANKS)
            && next.offset + u64::from(next.length) <= tables;
        if !fits {
            return Err("the blocks are out of order");
        }
        self.blocks.push(next);
        Ok(())
    }

    /// The sort key of profiles: stones, then number.
    pub(super) fn order(&self, profile: Profile) -> (u32, Profile) {
        let base = u64::from(self.size.height) + 1;
        let (mut stones, mut rest) = (0, profile.0);
        while rest > 0 {
            stones += (rest % base) as u32;
            rest /= base;
        }
        (stones, profile)
    }
}

pub(super) const VERSION: u32 = 1;

/// The reason why a solution file could not be written, read or verified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolutionError {
    #[error(transparent)]
    Pass(#[from] PassError),
    #[error(transparent)]
    Output(#[from] FileError),
    #[error("{}: {}; correct the path or the permissions, then try again", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    #[error("{} is not a solution file: write one with `analyze solve`", .0.display())]
    NotASolution(PathBuf),
    #[error(
        "{} has version {} of the format and this program reads {VERSION} (Connect Four) and 2 (other \
         games): use the program that wrote it, or solve the game again", .0.display(), .1
    )]
    OtherVersion(PathBuf, u32),
    /// The bytes are not those that were written; the fault and its place.
    #[error("{} is damaged: {}; copy it again from its source, or solve it again", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// The game of this name has other rules here than those that the file was written for.
    #[error(
        "{} was written for other rules of {} than this program has: use the program that wrote it, or \
         solve the game again", .0.display(), .1
    )]
    OtherRules(PathBuf, GameId),
}
