//! The positions of a strategy, to be looked up.

use rustc_hash::FxHashMap;

use super::Entry;
use super::field::{Field, each};
use crate::games::line::Stones;

/// Entries of a strategy by their positions.
#[derive(Clone, Debug)]
pub(super) struct Index(FxHashMap<Stones, usize>);

impl Index {
    pub fn of(entries: &[Entry]) -> Self {
        Self(entries.iter().enumerate().map(|(i, entry)| (entry.position, i)).collect())
    }

    /// The entry of a position in either orientation, and whether it is the mirror image.
    pub fn find(&self, field: &Field, position: Stones) -> Option<(usize, bool)> {
        let (kept, is_mirrored) = field.kept(position);
        self.0.get(&kept).map(|entry| (*entry, is_mirrored))
    }

    /// The first cell from the left by which the follower comes to an entry, and that one. `own`
    /// are the attacker's stones.
    pub fn lead(&self, field: &Field, stones: Stones) -> Option<(u64, usize)> {
        each(field.playable(stones.occupied())).find_map(|cell| {
            let after = Stones { own: stones.own, other: stones.other | cell };
            self.find(field, after).map(|(entry, _)| (cell, entry))
        })
    }
}
