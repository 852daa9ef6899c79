//! The cache of values that engines found earlier.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use everyply_core::game::{GameId, PartialValue};
use everyply_registry::registry::Position;

/// The most values kept, a few dozen bytes each; then all are forgotten.
const MOST: usize = 1 << 18;

/// Values of positions, up to symmetry.
#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<Values>);

#[derive(Debug, Default)]
struct Values {
    /// By canonical key, in the widest word.
    of_game: FxHashMap<GameId, FxHashMap<u128, PartialValue>>,
    count: usize,
}

impl Cache {
    pub fn get(&self, position: &dyn Position) -> Option<PartialValue> {
        let values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values.of_game.get(&position.game_id())?.get(&position.canonical_identity().0).copied()
    }

    pub fn insert(&self, position: &dyn Position, value: PartialValue) {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if values.count >= MOST {
            *values = Values::default();
        }
        let of_game = values.of_game.entry(position.game_id()).or_default();
        if of_game.insert(position.canonical_identity().0, value).is_none() {
            values.count += 1;
        }
    }
}
