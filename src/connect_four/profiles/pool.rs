//! A pool of memory for mirrored arrays.

use std::sync::{Mutex, PoisonError};

use super::storage::{Lanes, StorageError};

/// Memory for mirrored arrays, used again and again: fresh memory is several times slower.
#[derive(Debug, Default)]
pub(super) struct Pool(Mutex<Vec<Lanes>>);

impl Pool {
    pub(super) fn take(&self, lanes: usize) -> Result<Lanes, StorageError> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.map_or_else(|| Lanes::zeroed(lanes, 2 * lanes), |spare| spare.reuse(lanes))
    }

    /// Takes memory back.
    pub(super) fn give(&self, lanes: impl IntoIterator<Item = Lanes>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(lanes);
    }
}
