//! The positions that a root leads to, by their keys.

use dashmap::DashSet;
use rayon::slice::ParallelSliceMut;
use rustc_hash::FxBuildHasher;

use super::error::SolveError;
use super::fold::Fold;
use super::strong::{Solved, SolvedPosition, Totals, entries, sorted};
use crate::control::{Control, Stopped};
use crate::game::{Key, MoveSet, PartialValue, Symmetric, branches};
use crate::parallel;

/// The positions that a root leads to, up to the symmetries that leave the root unchanged.
#[derive(Debug)]
pub(super) struct Reached<G: Symmetric> {
    pub game: G,
    pub root: G::Position,
    fold: Fold,
    /// Ascending: a position's number is its place.
    pub keys: Vec<Key>,
}

impl<G: Symmetric<Key = Key>> Reached<G> {
    /// Takes the canonical keys of all positions, ascending, from `canonical_keys` if every symmetry leaves
    /// the root unchanged; finds them as [`find`](Self::find) does otherwise.
    pub fn find_by(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
        canonical_keys: impl FnOnce() -> Result<Vec<Key>, Stopped>,
    ) -> Result<Self, SolveError> {
        let fold = Fold::of(&game, root);
        match fold.is_whole() {
            true => Ok(Self { keys: canonical_keys()?, game, root, fold }),
            false => Self::find(game, root, most, control),
        }
    }

    /// Finds every position, `most` of them at most.
    pub fn find(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        let fold = Fold::of(&game, root);
        let mut reached = Self { game, root, fold, keys: Vec::new() };
        let found = DashSet::with_hasher(FxBuildHasher);
        let first = reached.key(root);
        found.insert(first);
        let mut newest = vec![first];
        control.start(0);
        while !newest.is_empty() {
            if found.len() as u64 > most {
                return Err(SolveError::Positions(most));
            }
            newest = parts(&newest, |keys| {
                control.check()?;
                control.advance(keys.len() as u64);
                let mut next = Vec::new();
                for &key in keys {
                    let position = reached.position(key);
                    if reached.game.result(position).is_some() {
                        continue;
                    }
                    let children = branches(&reached.game, position);
                    let keys = children.map(|(.., child)| reached.key(child));
                    next.extend(keys.filter(|&key| found.insert(key)));
                }
                Ok(next)
            })?;
        }
        reached.keys = found.into_iter().collect();
        reached.keys.par_sort_unstable();
        Ok(reached)
    }

    pub fn position(&self, key: Key) -> G::Position {
        self.game.position_of(key).expect("only keys of positions are kept")
    }

    /// The key that is kept for a position.
    pub fn key(&self, position: G::Position) -> Key {
        self.fold.apply(&self.game, position).0
    }

    /// True if the root leads to a position.
    pub fn contains(&self, position: G::Position) -> bool {
        self.keys.binary_search(&self.key(position)).is_ok()
    }

    /// Every canonical position, by ascending key, with the value that `worth` has of a kept
    /// position and its number, and the moves that `best` has of it.
    pub fn canonical(
        &self,
        worth: impl Fn(G::Position, usize) -> PartialValue + Sync,
        best: impl Fn(G::Position) -> MoveSet + Sync,
    ) -> Vec<SolvedPosition<G::Position, PartialValue>> {
        let solved = |number: usize| -> Solved<PartialValue> {
            let position = self.position(self.keys[number]);
            let (key, s) = self.game.canonical(position);
            (key, worth(position, number), self.game.image_moves(position, best(position), s))
        };
        let all = parallel::map_parts(0..self.keys.len(), PART, &|part| {
            part.map(solved).collect::<Vec<_>>()
        });
        entries(&self.game, &sorted(all.concat()))
    }

    /// The numbers of positions, with the value that `worth` has of a kept position and its number.
    pub fn totals(&self, worth: impl Fn(G::Position, usize) -> PartialValue + Sync) -> Totals {
        let parts: Vec<_> = (0..self.keys.len()).step_by(PART).collect();
        let valued = |number: usize| {
            let position = self.position(self.keys[number]);
            (position, worth(position, number))
        };
        let end = |first: usize| self.keys.len().min(first + PART);
        Totals::of(&self.game, &self.fold, &parts, |&first| (first..end(first)).map(valued))
    }
}

/// Elements that one thread works on at a time.
const PART: usize = 1024;

/// The results of `work` on the parts of a list, concatenated in order.
pub(super) fn parts<T: Sync, U: Copy + Send>(
    list: &[T],
    work: impl Fn(&[T]) -> Result<Vec<U>, Stopped> + Sync,
) -> Result<Vec<U>, Stopped> {
    let part = |i: usize| work(&list[i * PART..list.len().min((i + 1) * PART)]);
    let parts = parallel::map(list.len().div_ceil(PART), &part);
    Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}
