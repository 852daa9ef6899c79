//! The order in which the positions of a book are solved.

use rustc_hash::FxHashSet;

use super::tiers::{Tier, children};
use crate::game::Key;
use crate::games::line::LineGame;

/// Returns the positions of the last tier in depth-first order: the children of a position
/// together, then those of its siblings, and so on up to the root. Entries that neighbours share
/// are still in the table; other orders take 8 to 30 % more nodes (`benches/book.md`).
pub fn depth_first_order<G: LineGame>(game: &G, tiers: &[Tier]) -> Vec<Key> {
    let Some((first, rest)) = tiers.split_first() else { return Vec::new() };
    let mut seen = vec![FxHashSet::default(); rest.len()];
    let mut found = Vec::with_capacity(tiers[rest.len()].len());
    for key in first {
        descend(game, *key, &mut seen, &mut found);
    }
    found
}

/// Appends the positions `seen.len()` plies below a position that were not found before.
fn descend<G: LineGame>(game: &G, key: Key, seen: &mut [FxHashSet<Key>], found: &mut Vec<Key>) {
    let Some((next, deeper)) = seen.split_first_mut() else {
        found.push(key);
        return;
    };
    for child in children(game, key) {
        if next.insert(child) {
            descend(game, child, deeper, found);
        }
    }
}
