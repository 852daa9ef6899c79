//! The cache of values that an engine found earlier.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::Valued;
use crate::game::Value;
use crate::games::line::{Rules, Size, Stones, Word};

/// Values kept at most, a few dozen bytes each; then all are forgotten.
const MOST: usize = 1 << 18;

/// The key is canonical, in the widest word.
type Values = FxHashMap<(Rules, Size, u128), Value>;

/// A cache of values of positions, up to symmetry.
#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<Values>);

fn name<G: Valued>(game: &G, position: Stones<G::Word>) -> (Rules, Size, u128) {
    (game.rules(), game.size(), game.canonical(position).0.0.to_u128())
}

impl Cache {
    pub fn get<G: Valued>(&self, game: &G, position: Stones<G::Word>) -> Option<Value> {
        let values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values.get(&name(game, position)).copied()
    }

    pub fn insert<G: Valued>(&self, game: &G, position: Stones<G::Word>, value: Value) {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= MOST {
            values.clear();
        }
        values.insert(name(game, position), value);
    }
}
