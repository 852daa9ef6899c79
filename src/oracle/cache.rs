//! The cache of values that an engine found earlier.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::game::{Key, Symmetric, Value};
use crate::games::line::{AnyGame, LineGame, Rules, Size, Stones};

/// Values kept at most, a few dozen bytes each; then all are forgotten.
const MOST: usize = 1 << 18;

type Values = FxHashMap<(Rules, Size, Key), Value>;

/// A cache of values of positions, up to symmetry.
#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<Values>);

fn name(game: &AnyGame, position: Stones) -> (Rules, Size, Key) {
    (game.rules(), game.size(), game.canonical(position).0)
}

impl Cache {
    pub fn get(&self, game: &AnyGame, position: Stones) -> Option<Value> {
        let values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values.get(&name(game, position)).copied()
    }

    pub fn insert(&self, game: &AnyGame, position: Stones, value: Value) {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= MOST {
            values.clear();
        }
        values.insert(name(game, position), value);
    }
}
