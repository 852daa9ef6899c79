//! Tiers in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::lane::Lane;
use super::storage::{Lanes, Storage, StorageError, Stored, TierKey};

/// Keeps tiers in memory and uses the memory of given-up ones again: fresh memory is several
/// times slower.
#[derive(Debug, Default)]
pub struct Memory {
    tiers: BTreeMap<TierKey, Arc<Stored>>,
    summaries: BTreeMap<TierKey, Vec<u64>>,
    spare: Vec<Lanes>,
    open: Option<Open>,
}

/// The tier being written.
#[derive(Debug)]
struct Open {
    key: TierKey,
    lanes: Lanes,
    /// Lanes committed, and lanes handed out.
    committed: usize,
    handed: usize,
}

impl Memory {
    /// An empty storage.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn open(&mut self) -> &mut Open {
        self.open.as_mut().expect("a tier that was created and not finished")
    }
}

impl Storage for Memory {
    fn create(&mut self, key: TierKey, lanes: usize) -> Result<(), StorageError> {
        // The smallest spare array that is large enough.
        let spare = self.spare.iter().enumerate().filter(|(_, s)| s.capacity() >= lanes);
        let array = match spare.min_by_key(|(_, s)| s.capacity()).map(|(i, _)| i) {
            Some(i) => self.spare.swap_remove(i).reuse(lanes)?,
            None => {
                // Tiers are growing, so the spare arrays will not do for the next ones either;
                // these get room to grow.
                self.spare.clear();
                Lanes::zeroed(lanes, 2 * lanes)?
            }
        };
        self.open = Some(Open { key, lanes: array, committed: 0, handed: 0 });
        Ok(())
    }

    fn batch(&self) -> usize {
        usize::MAX
    }

    fn buffer(&mut self, lanes: usize) -> Result<&mut [Lane], StorageError> {
        let open = self.open();
        open.handed = lanes;
        Ok(&mut open.lanes[open.committed..open.committed + lanes])
    }

    fn commit(&mut self) -> Result<(), StorageError> {
        let open = self.open();
        open.committed += std::mem::take(&mut open.handed);
        Ok(())
    }

    fn finish(&mut self, summary: &[u64]) -> Result<(), StorageError> {
        if let Some(open) = self.open.take() {
            debug_assert_eq!(open.committed, open.lanes.len());
            self.tiers.insert(open.key, Arc::new(Stored::Memory(open.lanes)));
            self.summaries.insert(open.key, summary.to_vec());
        }
        Ok(())
    }

    fn summary(&mut self, key: TierKey) -> Result<Option<Vec<u64>>, StorageError> {
        Ok(self.summaries.get(&key).cloned())
    }

    fn read(&mut self, key: TierKey) -> Result<Arc<Stored>, StorageError> {
        self.tiers.get(&key).cloned().ok_or(StorageError::Missing { key })
    }

    fn clear(&mut self) -> Result<(), StorageError> {
        *self = Self::default();
        Ok(())
    }

    fn discard(&mut self, key: TierKey) -> Result<(), StorageError> {
        if let Some(Stored::Memory(lanes)) = self.tiers.remove(&key).and_then(Arc::into_inner) {
            self.spare.push(lanes);
            // Two are in turn; more would only keep memory from other uses.
            if self.spare.len() > 2 {
                self.spare.sort_by_key(Lanes::capacity);
                self.spare.remove(0);
            }
        }
        Ok(())
    }
}
