//! Arrays of lanes in memory.

use std::ops::{Deref, DerefMut};

use bytemuck::{cast_slice, cast_slice_mut};
use memmap2::MmapMut;

use super::error::StorageError;
use super::lane::Lane;

/// An array of lanes in memory, on large pages if the system has them.
///
/// Small pages cost as much time as the computation: each is cleared and mapped separately.
#[derive(Debug, Default)]
pub struct Lanes {
    map: Option<MmapMut>,
    len: usize,
}

impl Lanes {
    /// Allocates an array of zeros that can grow to `capacity` lanes; untouched pages take no
    /// memory.
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
        // This is advice: a system without large pages uses small ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map: Some(map), len })
    }

    /// The number of lanes there is room for.
    pub fn capacity(&self) -> usize {
        self.map.as_ref().map_or(0, |map| map.len() / size_of::<Lane>())
    }

    /// The same memory as an array of another length within its capacity, with any contents.
    pub(super) fn resized(self, len: usize) -> Self {
        Self { len, ..self }
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
