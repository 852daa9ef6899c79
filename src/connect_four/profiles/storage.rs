//! Where finished tiers are kept: the one interface between the passes and memory, disk, or
//! anything else that can hold arrays of lanes.

use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::Arc;

use bytemuck::{cast_slice, cast_slice_mut};
use memmap2::MmapMut;

use super::lane::Lane;
use super::mapped::Mapped;
use crate::game::Ply;
use crate::games::line::Size;

/// What an array says about the positions of a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// One bit a colouring: a reachable position without a line.
    NonTerminal,
    /// A few bits a colouring: its value, as [`Codes`](super::Codes).
    Values,
    /// The compressed blocks of a solution file, padded to a whole lane.
    Packed,
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NonTerminal => "alive",
            Self::Values => "values",
            Self::Packed => "packed",
        })
    }
}

/// Names an array: what it says of which tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TierKey {
    /// What the array says.
    pub content: Content,
    /// The number of stones on the boards of the tier.
    pub ply: Ply,
}

/// Why an array could not be kept or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// There is not so much memory.
    #[error("no memory for {bytes} bytes ({source}): use a work folder, or a smaller board")]
    Memory {
        /// Bytes asked for.
        bytes: usize,
        /// What the system said.
        source: io::Error,
    },
    /// A file could not be read or written.
    #[error(
        "{}: {source}; once that is mended, the same command continues from the last complete tier",
        path.display()
    )]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The work folder is in use.
    #[error("{} is used by another run: wait for it, or choose another work folder", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The work folder holds another board.
    #[error("{} was made for {found}: choose another work folder, or empty it", path.display())]
    OtherBoard {
        /// The file that says so.
        path: PathBuf,
        /// The board it was made for.
        found: Size,
    },
    /// A file is not what was written.
    #[error("{} is damaged ({what}): remove it, and the same command computes it anew", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// An array that was never stored, or was given up.
    #[error("the {} tier of ply {} is not stored: start the run anew", key.content, key.ply)]
    Missing {
        /// The array.
        key: TierKey,
    },
}

/// An array of lanes in memory, on large pages where the system has them.
///
/// Small pages cost as much time as the computation: each is cleared and entered by itself.
#[derive(Debug)]
pub struct Lanes {
    map: Option<MmapMut>,
    len: usize,
}

impl Lanes {
    /// An array of zeros that can grow to `capacity` lanes; what is not touched takes no memory.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn zeroed(len: usize, capacity: usize) -> Result<Self, StorageError> {
        let bytes = len.max(capacity) * size_of::<Lane>();
        if bytes == 0 {
            return Ok(Self { map: None, len });
        }
        let map =
            MmapMut::map_anon(bytes).map_err(|source| StorageError::Memory { bytes, source })?;
        // Only advice: a system without large pages uses small ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map: Some(map), len })
    }

    /// The lanes there is room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.map.as_ref().map_or(0, |map| map.len() / size_of::<Lane>())
    }

    /// An array of this length with any contents, in the memory of this one if it is large
    /// enough.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn reuse(self, len: usize) -> Result<Self, StorageError> {
        if len <= self.capacity() { Ok(Self { len, ..self }) } else { Self::zeroed(len, len) }
    }
}

impl Deref for Lanes {
    type Target = [Lane];

    fn deref(&self) -> &[Lane] {
        self.map.as_ref().map_or(&[], |map| &cast_slice(map)[..self.len])
    }
}

impl DerefMut for Lanes {
    fn deref_mut(&mut self) -> &mut [Lane] {
        let len = self.len;
        self.map.as_mut().map_or(&mut [], |map| &mut cast_slice_mut(map)[..len])
    }
}

/// A finished tier.
#[derive(Debug)]
pub enum Stored {
    /// In memory.
    Memory(Lanes),
    /// In a file.
    File(Mapped),
}

impl Stored {
    /// Fails if some of what was read may have been missing: to be asked before anything that
    /// follows from it is kept.
    ///
    /// # Errors
    /// If a file was cut, or could no longer be read.
    pub fn check(&self) -> Result<(), StorageError> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::File(mapped) => mapped.check(),
        }
    }
}

impl Deref for Stored {
    type Target = [Lane];

    fn deref(&self) -> &[Lane] {
        match self {
            Self::Memory(lanes) => lanes,
            Self::File(mapped) => mapped.lanes(),
        }
    }
}

/// Keeps finished tiers. One tier at a time is written, from its first lane to its last; a tier
/// exists from [`finish`](Self::finish) on, or not at all.
pub trait Storage: Send {
    /// Begins a tier of `lanes` lanes.
    ///
    /// # Errors
    /// If there is no room for it.
    fn create(&mut self, key: TierKey, lanes: usize) -> Result<(), StorageError>;

    /// The most lanes that should be asked for at a time.
    fn batch(&self) -> usize;

    /// Room for the next lanes of the tier, with any contents.
    ///
    /// # Errors
    /// If there is no memory for it.
    fn buffer(&mut self, lanes: usize) -> Result<&mut [Lane], StorageError>;

    /// Takes over what was written into the buffer.
    ///
    /// # Errors
    /// If it cannot be written: a full disk.
    fn commit(&mut self) -> Result<(), StorageError>;

    /// The tier is complete; `summary` is kept with it.
    ///
    /// # Errors
    /// If it cannot be written.
    fn finish(&mut self, summary: &[u64]) -> Result<(), StorageError>;

    /// The summary of a tier that was finished, even if its lanes were given up; `None` if it was
    /// not.
    ///
    /// # Errors
    /// If it is damaged or unreadable.
    fn summary(&mut self, key: TierKey) -> Result<Option<Vec<u64>>, StorageError>;

    /// The lanes of a finished tier.
    ///
    /// # Errors
    /// If they are not there, damaged or unreadable.
    fn read(&mut self, key: TierKey) -> Result<Arc<Stored>, StorageError>;

    /// Gives up everything, summaries as well.
    ///
    /// # Errors
    /// If a file cannot be removed.
    fn clear(&mut self) -> Result<(), StorageError>;

    /// Gives up the lanes of a tier; its summary is kept.
    ///
    /// # Errors
    /// If the file cannot be removed.
    fn discard(&mut self, key: TierKey) -> Result<(), StorageError>;
}
