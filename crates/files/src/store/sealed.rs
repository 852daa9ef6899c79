//! Sealed objects: bytes behind a header with an identity and a checksum.
//!
//! ```text
//!  0  8  "everyobj"
//!  8  4  version of this layout: 1
//! 12  4  checksum (CRC-32) of the bytes from 16 to the end of the table
//! 16 24  identity of the content
//! 40  8  length of the object in bytes
//! 48  8  length of the unpacked content in bytes
//! 56  4  lanes in a chunk; 0 if the content follows as it is, and the checksum covers it
//! 60  1  planes
//! 61  3  zeros
//! 64     for every chunk: 4 its packed length, 4 its checksum (CRC-32); then the packed chunks
//! ```
//!
//! All numbers are little-endian. Checksums cover every byte except the first twelve, which are
//! constants.

use std::io;

use super::Store;

/// The identity of an object's content: the game or board, and the part that the object holds.
pub type Identity = [u8; 24];

/// The reason why the content of an object is not available.
#[derive(Debug, thiserror::Error)]
pub enum ChunkError {
    #[error("there is no such object")]
    Missing,
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// The object is sound but has another identity.
    #[error("made for something else")]
    Other(Identity),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("no memory for it")]
    Memory,
}

const MAGIC: [u8; 8] = *b"everyobj";
const VERSION: u32 = 1;
/// The length of the header; the table follows it.
pub const HEADER: usize = 64;
/// The length of the entry of a chunk in the table.
pub const ENTRY: usize = 8;
/// The bytes of a lane, the element of an array in chunks.
pub const LANE_BYTES: u64 = 64;
/// The first byte that the checksum covers.
const COVERED: usize = 16;
/// The most lanes in a chunk, so that a header cannot claim much memory: 4 MiB.
pub const MOST_LANES: usize = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub identity: Identity,
    pub object: u64,
    pub content: u64,
    /// The lanes of a chunk; 0 if there are no chunks.
    pub chunk: u32,
    pub planes: u8,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}

impl Header {
    /// Returns the bytes of the header; its checksum includes the `covered` bytes after it.
    pub fn bytes(&self, covered: &[u8]) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(16, &self.identity);
        put(40, &self.object.to_le_bytes());
        put(48, &self.content.to_le_bytes());
        put(56, &self.chunk.to_le_bytes());
        put(60, &[self.planes]);
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&header[COVERED..]);
        checksum.update(covered);
        header[12..COVERED].copy_from_slice(&checksum.finalize().to_le_bytes());
        header
    }

    /// Reads the fields of a header; [`check`](Self::check) must follow.
    pub fn read(bytes: &[u8]) -> Result<Self, ChunkError> {
        if bytes.len() < HEADER {
            return Err(ChunkError::Damaged("shorter than its header"));
        }
        if bytes[..8] != MAGIC {
            return Err(ChunkError::Damaged("not an object of this program"));
        }
        if bytes[8..12] != VERSION.to_le_bytes() {
            return Err(ChunkError::Damaged("written by another version of this program"));
        }
        Ok(Self {
            identity: number(bytes, 16),
            object: u64::from_le_bytes(number(bytes, 40)),
            content: u64::from_le_bytes(number(bytes, 48)),
            chunk: u32::from_le_bytes(number(bytes, 56)),
            planes: bytes[60],
        })
    }

    /// Returns the end of the table; `None` if the numbers contradict each other.
    pub fn table_end(&self) -> Option<u64> {
        let chunk = u64::from(self.chunk);
        let bytes = chunk * LANE_BYTES;
        let fits = chunk <= MOST_LANES as u64
            && self.planes > 0
            && chunk.is_multiple_of(u64::from(self.planes))
            && self.content.is_multiple_of(LANE_BYTES);
        let chunks =
            self.content.checked_div(bytes)? + u64::from(!self.content.is_multiple_of(bytes));
        let end = chunks.checked_mul(ENTRY as u64)?.checked_add(HEADER as u64)?;
        fits.then_some(end)
    }

    /// Checks the checksum of the header and of the covered bytes after it, then the identity.
    pub fn check(
        &self,
        header: &[u8],
        covered: &[u8],
        identity: &Identity,
    ) -> Result<(), ChunkError> {
        if header[..HEADER] != self.bytes(covered) {
            return Err(ChunkError::Damaged("its header or its table has a wrong checksum"));
        }
        match self.identity == *identity {
            true => Ok(()),
            false => Err(ChunkError::Other(self.identity)),
        }
    }
}

/// Makes an object that holds these bytes, with its identity, its length and a checksum.
pub fn seal(bytes: &[u8], identity: &Identity) -> Vec<u8> {
    let header = Header {
        identity: *identity,
        object: (HEADER + bytes.len()) as u64,
        content: bytes.len() as u64,
        chunk: 0,
        planes: 0,
    };
    [&header.bytes(bytes)[..], bytes].concat()
}

pub fn unseal(store: &dyn Store, name: &str, identity: &Identity) -> Result<Vec<u8>, ChunkError> {
    let mut object = store.read(name, 0..u64::MAX)?.ok_or(ChunkError::Missing)?;
    let header = Header::read(&object)?;
    let (start, content) = object.split_at(HEADER);
    if header.object != object.len() as u64 {
        return Err(ChunkError::Damaged("not of its full length"));
    }
    if header.chunk != 0 || header.content != content.len() as u64 {
        return Err(ChunkError::Damaged("its header contradicts itself"));
    }
    header.check(start, content, identity)?;
    object.drain(..HEADER);
    Ok(object)
}
