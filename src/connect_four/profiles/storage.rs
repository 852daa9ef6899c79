//! Where units are kept: the one interface between the passes and memory, folders, or anything
//! else that can hold arrays of lanes.

use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use bytemuck::{cast_slice, cast_slice_mut};
use memmap2::MmapMut;

use super::lane::Lane;
use super::tier::Cut;
use super::unit::Unit;
use crate::games::line::Size;

/// Why a unit could not be kept or read.
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
    /// The place could not be read or written; the error names it and the remedy. What is complete
    /// stays, and the same command continues from there.
    #[error(transparent)]
    Place(#[from] io::Error),
    /// The place holds another board.
    #[error("{place} was made for {found}: choose another work folder, or empty it")]
    OtherBoard {
        /// The folder or bucket.
        place: String,
        /// The board it was made for.
        found: Size,
    },
    /// What is kept of a unit is not what was written.
    #[error(
        "{object} in {place} is damaged ({what}): remove it, and the same command makes it anew"
    )]
    Damaged {
        /// The folder or bucket.
        place: String,
        /// What is in it.
        object: String,
        /// The unit, if it is part of one.
        unit: Option<Unit>,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A unit that was never kept, or was given up.
    #[error("{unit} is not there: it has to be made first")]
    Missing {
        /// The unit.
        unit: Unit,
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

/// Keeps units. A unit exists from [`keep`](Self::keep) on, or not at all; to make one again and keep
/// it again changes nothing. It may be written later: [`settle`](Self::settle).
pub trait Storage: fmt::Debug + Send + Sync {
    /// How a board is to be cut into units for this storage.
    fn cut(&self) -> Cut;

    /// Room for an array, with any contents.
    ///
    /// # Errors
    /// If there is no memory for it.
    fn room(&self, lanes: usize) -> Result<Lanes, StorageError>;

    /// Takes back room that is no longer used.
    fn give_back(&self, lanes: Lanes);

    /// Keeps the array of a unit, and then its summary. Where nothing is meant, the array is `fill`,
    /// over and over.
    ///
    /// # Errors
    /// If it cannot be written: a full disk.
    fn keep(
        &self,
        unit: Unit,
        array: Lanes,
        fill: &[Lane],
        summary: &[u64],
    ) -> Result<(), StorageError>;

    /// Keeps bytes in place of an array.
    ///
    /// # Errors
    /// If they cannot be written.
    fn keep_bytes(&self, unit: Unit, bytes: Vec<u8>, summary: &[u64]) -> Result<(), StorageError>;

    /// The summary of a unit that was made, even if the rest was given up; `None` if it was not.
    ///
    /// # Errors
    /// If it is damaged or unreadable.
    fn summary(&self, unit: Unit) -> Result<Option<Vec<u64>>, StorageError>;

    /// True if the array or the bytes of a unit are there.
    ///
    /// # Errors
    /// If that cannot be found out.
    fn holds(&self, unit: Unit) -> Result<bool, StorageError>;

    /// The array of a unit, if the storage has it in memory anyway.
    ///
    /// # Errors
    /// If it is not there.
    fn shared(&self, unit: Unit) -> Result<Option<Arc<Lanes>>, StorageError>;

    /// Reads lanes of a unit's array, from `first` on.
    ///
    /// # Errors
    /// If they are not there, damaged or unreadable.
    fn read(
        &self,
        unit: Unit,
        first: usize,
        fill: &[Lane],
        out: &mut [Lane],
    ) -> Result<(), StorageError>;

    /// The bytes of a unit.
    ///
    /// # Errors
    /// If they are not there, damaged or unreadable.
    fn bytes(&self, unit: Unit) -> Result<Arc<[u8]>, StorageError>;

    /// Gives up the array or the bytes of a unit; its summary is kept.
    ///
    /// # Errors
    /// If they cannot be removed.
    fn discard(&self, unit: Unit) -> Result<(), StorageError>;

    /// Gives up a unit and its summary.
    ///
    /// # Errors
    /// If they cannot be removed.
    fn forget(&self, unit: Unit) -> Result<(), StorageError>;

    /// Waits until all that was kept and given up is safe. Nothing is given up before what was kept
    /// earlier is.
    ///
    /// # Errors
    /// If something kept earlier could not be written; [`keep`](Self::keep) and
    /// [`discard`](Self::discard) may give the same error in place of their own.
    fn settle(&self) -> Result<(), StorageError>;

    /// Gives memory back to the system that is only there to be used again.
    fn rest(&self);
}
