//! The bytes of a solution file around its blocks, as `docs/solution-format.md` describes them.

use super::board::Profile;
use super::slots::NEAR;
use super::solution::Detail;
use crate::game::Size;

/// Slots in a block: enough for the compressor, few enough to be unpacked in microseconds.
pub(super) const BLOCK_SLOTS: usize = 1 << 14;

const MAGIC: [u8; 8] = *b"everysol";
pub(super) const VERSION: u32 = 1;
/// Length of the header; the blocks begin behind it.
pub(super) const HEADER: usize = 64;
/// Length of a profile's entry and of a block's entry in the tables.
const ENTRY: usize = 16;

/// The first block of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProfileEntry {
    pub(super) profile: Profile,
    pub(super) block: u64,
}

/// Where a compressed block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockEntry {
    pub(super) offset: u64,
    pub(super) length: u32,
    pub(super) checksum: u32,
}

impl BlockEntry {
    /// Length and checksum of a block as one number.
    pub(super) fn summary(block: &[u8]) -> u64 {
        u64::from(crc32fast::hash(block)) << 32 | block.len() as u64
    }
}

/// Everything in a file but the blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) size: Size,
    pub(super) detail: Detail,
    pub(super) profiles: Vec<ProfileEntry>,
    pub(super) blocks: Vec<BlockEntry>,
}

/// What is wrong with the bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    NotASolution,
    Version(u32),
    Damaged(&'static str),
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
    pub(super) const fn new(size: Size, detail: Detail) -> Self {
        Self { size, detail, profiles: Vec::new(), blocks: Vec::new() }
    }

    /// Adds a block behind the others, from its summary; returns its length.
    pub(super) fn push(&mut self, summary: u64) -> u64 {
        let entry = BlockEntry {
            offset: self.blocks_end(),
            length: summary as u32,
            checksum: (summary >> 32) as u32,
        };
        self.blocks.push(entry);
        u64::from(entry.length)
    }

    fn blocks_end(&self) -> u64 {
        self.blocks.last().map_or(HEADER as u64, |block| block.offset + u64::from(block.length))
    }

    /// The length of the whole file.
    pub(super) fn file_bytes(&self) -> u64 {
        self.blocks_end() + (ENTRY * (self.profiles.len() + self.blocks.len())) as u64
    }

    /// The tables behind the blocks.
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
        put(16, &[width, height, line, self.detail as u8]);
        put(20, &(BLOCK_SLOTS as u32).to_le_bytes());
        put(24, &(self.profiles.len() as u64).to_le_bytes());
        put(32, &(self.blocks.len() as u64).to_le_bytes());
        put(40, &self.blocks_end().to_le_bytes());
        put(48, &self.file_bytes().to_le_bytes());
        put(56, &crc32fast::hash(&self.tables()).to_le_bytes());
        put(60, &[NEAR]);
        let checksum = crc32fast::hash(&header[16..]);
        header[12..16].copy_from_slice(&checksum.to_le_bytes());
        header
    }

    /// The layout of a file; its tables are checked, its blocks are not looked at.
    pub(super) fn parse(file: &[u8]) -> Result<Self, Fault> {
        let header = file.first_chunk::<HEADER>().ok_or(Fault::NotASolution)?;
        if header[..8] != MAGIC {
            return Err(Fault::NotASolution);
        }
        if u32_at(header, 8) != VERSION {
            return Err(Fault::Version(u32_at(header, 8)));
        }
        if u32_at(header, 12) != crc32fast::hash(&header[16..]) {
            return Err(Fault::Damaged("the header has a wrong checksum"));
        }
        if u64_at(header, 48) != file.len() as u64 {
            return Err(Fault::Damaged("the file is not of its full length"));
        }
        let size = Size { width: header[16], height: header[17], line: header[18] };
        let detail = match header[19] {
            0 => Detail::Remoteness,
            1 => Detail::Outcome,
            _ => return Err(Fault::Damaged("the header asks for an unknown detail")),
        };
        let (profiles, blocks) = (u64_at(header, 24), u64_at(header, 32));
        let tables = usize::try_from(u64_at(header, 40)).ok().and_then(|at| file.get(at..));
        let tables = tables.ok_or(Fault::Damaged("the tables are behind the end"))?;
        if u32_at(header, 56) != crc32fast::hash(tables) {
            return Err(Fault::Damaged("the tables have a wrong checksum"));
        }
        let (entries, _) = tables.as_chunks::<ENTRY>();
        if profiles.checked_add(blocks) != Some(entries.len() as u64) {
            return Err(Fault::Damaged("the tables are not of their full length"));
        }
        let (profiles, blocks) = entries.split_at(profiles as usize);
        let layout = Self {
            size,
            detail,
            profiles: profiles
                .iter()
                .map(|e| ProfileEntry { profile: Profile(u64_at(e, 0)), block: u64_at(e, 8) })
                .collect(),
            blocks: blocks
                .iter()
                .map(|e| BlockEntry {
                    offset: u64_at(e, 0),
                    length: u32_at(e, 8),
                    checksum: u32_at(e, 12),
                })
                .collect(),
        };
        // What was derived from the tables has to be what is there: no byte of the file is
        // without a checksum.
        if layout.header() != *header || layout.tables() != tables {
            return Err(Fault::Damaged("the header contradicts the tables"));
        }
        let mut end = HEADER as u64;
        for block in &layout.blocks {
            if block.offset != end {
                return Err(Fault::Damaged("the blocks are not one behind the other"));
            }
            end += u64::from(block.length);
        }
        Ok(layout)
    }
}
