//! Retrograde analysis: values of all positions of a game whose positions may recur.
//!
//! K. Thompson, Retrograde analysis of certain endgames, ICCA Journal 9 (1986): from the ends of
//! the game backwards, ply by ply. A position is won in r + 1 plies as soon as one move leads to a
//! loss in r for the other side; it is lost in r + 1 as soon as all its moves are known to lose,
//! which a counter of open moves shows. The positions left when nothing changes any more are drawn.
//!
//! # Draws
//! Among drawn positions only the moves that keep the draw matter. A draw *ends* if these moves
//! cannot last for ever, and its remoteness is then that of the longest such play, as it is in
//! the position graph; otherwise it is *endless*. A second pass with the same counters, from the
//! drawn ends of the game backwards, separates the two.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use dashmap::DashSet;
use rayon::slice::ParallelSliceMut;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::error::SolveError;
use super::fold::Fold;
use super::layer::ended;
use super::strong::{Solved, SolvedPosition, StrongSolution, Totals, entries, sorted};
use crate::control::{Control, Stopped};
use crate::game::{Key, Outcome, PartialValue, Symmetric, Unsuited, Value, branches, check_moves};
use crate::parallel;

/// The values of all positions that a root leads to; play may be endless.
#[derive(Debug)]
pub struct Retrograde<G: Symmetric> {
    game: G,
    root: G::Position,
    fold: Fold,
    numbers: FxHashMap<Key, u32>,
    /// Value bytes by number; 0 for endless play.
    values: Vec<u8>,
}

/// A move, listed under the position it leads to.
#[derive(Clone, Copy, Default)]
struct Before {
    position: u32,
    keeps_turn: bool,
}

impl<G: Symmetric<Key = Key>> Retrograde<G> {
    /// The most bytes a position takes, with a few moves.
    pub const BYTES_PER_POSITION: u64 = 200;

    /// Finds every position from the root on, `most` of them at most, and solves them all.
    ///
    /// # Errors
    /// If the control asks it to stop, there are more positions, or the game does not fit.
    pub fn solve(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        check_moves(&game)?;
        let fold = Fold::of(&game, root);
        let mut solution =
            Self { game, root, fold, numbers: FxHashMap::default(), values: Vec::new() };
        // Positions are numbered in 32 bits.
        let keys = solution.find(most.min(u64::from(u32::MAX)), control)?;
        solution.numbers = keys.iter().copied().zip(0..).collect();
        solution.values = solution.settle(&keys, control)?;
        Ok(solution)
    }

    /// The keys of all positions, ascending.
    fn find(&self, most: u64, control: &Control) -> Result<Vec<Key>, SolveError> {
        let found = DashSet::with_hasher(FxBuildHasher);
        let first = self.folded(self.root);
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
                    let position = self.position(key);
                    if self.game.result(position).is_some() {
                        continue;
                    }
                    let children = branches(&self.game, position);
                    let keys = children.map(|(.., child)| self.folded(child));
                    next.extend(keys.filter(|&key| found.insert(key)));
                }
                Ok(next)
            })?;
        }
        let mut keys: Vec<Key> = found.into_iter().collect();
        keys.par_sort_unstable();
        Ok(keys)
    }

    /// The value bytes of all positions.
    fn settle(&self, keys: &[Key], control: &Control) -> Result<Vec<u8>, SolveError> {
        let moves = self.moves_into(keys, control)?;
        let before = |n: u32| &moves.list[moves.from[n as usize]..moves.from[n as usize + 1]];
        // The number of moves not yet known to lose, by position.
        let open: Vec<AtomicU32> = moves.counts.into_iter().map(AtomicU32::new).collect();
        let ended = |&key: &Key| AtomicU8::new(ended(&self.game, self.position(key)));
        let values: Vec<AtomicU8> = keys.iter().map(ended).collect();
        let is_drawn = |n: &u32| {
            let value = Value::from_byte(values[*n as usize].load(Relaxed));
            value.is_some_and(|value| value.outcome == Outcome::Draw)
        };
        let known = |n: &u32| values[*n as usize].load(Relaxed) != 0;
        let count = keys.len() as u32;
        control.start(u64::from(count));

        let decided = (0..count).filter(|n| known(n) && !is_drawn(n)).collect();
        self.backwards(
            decided,
            control,
            &|child, value, next| {
                let before = before(child).iter();
                next.extend(before.filter_map(|&Before { position, keeps_turn }| {
                    let there = value.one_ply_earlier(keeps_turn);
                    let settled = there.outcome == Outcome::Win
                        // Losses come in the order of their distance, so the last open move is
                        // the longest loss, which is the value.
                        || open[position as usize].fetch_sub(1, Relaxed) == 1;
                    let settles = settled && set(&values[position as usize], there);
                    settles.then_some(position)
                }));
            },
            &values,
        )?;

        // The open moves are those that keep the draw: they lead to undecided positions.
        let drawn = (0..count).filter(is_drawn).collect();
        self.backwards(
            drawn,
            control,
            &|child, value, next| {
                let there = value.one_ply_earlier(false);
                let before = before(child).iter();
                let settles = |&n: &u32| {
                    let n = n as usize;
                    values[n].load(Relaxed) == 0
                        && open[n].fetch_sub(1, Relaxed) == 1
                        && set(&values[n], there)
                };
                next.extend(before.map(|before| before.position).filter(settles));
            },
            &values,
        )?;
        Ok(values.into_iter().map(AtomicU8::into_inner).collect())
    }

    /// Goes back ply by ply from settled positions: `step` gets each with its value and adds the
    /// positions that this value settles.
    fn backwards(
        &self,
        mut settled: Vec<u32>,
        control: &Control,
        step: &(impl Fn(u32, Value, &mut Vec<u32>) + Sync),
        values: &[AtomicU8],
    ) -> Result<(), SolveError> {
        let mut distance = 0u32;
        while !settled.is_empty() {
            if distance > FARTHEST {
                return Err(Unsuited::Plies(distance).into());
            }
            settled = parts(&settled, |positions| {
                control.check()?;
                control.advance(positions.len() as u64);
                let mut next = Vec::new();
                for &n in positions {
                    let value = Value::from_byte(values[n as usize].load(Relaxed));
                    step(n, value.expect("the position is settled"), &mut next);
                }
                Ok(next)
            })?;
            distance += 1;
        }
        Ok(())
    }

    /// All moves by the position they lead to, and the number of moves of every position.
    fn moves_into(&self, keys: &[Key], control: &Control) -> Result<Moves, Stopped> {
        let children = |key: Key| -> Vec<(u32, bool)> {
            let position = self.position(key);
            if self.game.result(position).is_some() {
                return Vec::new();
            }
            branches(&self.game, position)
                .map(|(_, _, keeps_turn, child)| (self.numbers[&self.folded(child)], keeps_turn))
                .collect()
        };
        let into: Vec<AtomicU32> = keys.iter().map(|_| AtomicU32::new(0)).collect();
        let counts = parts(keys, |keys| {
            control.check()?;
            let count = |&key: &Key| {
                let children = children(key);
                for (child, _) in &children {
                    into[*child as usize].fetch_add(1, Relaxed);
                }
                children.len() as u32
            };
            Ok(keys.iter().map(count).collect())
        })?;
        let mut from = Vec::with_capacity(keys.len() + 1);
        from.push(0);
        for n in &into {
            from.push(from.last().copied().unwrap_or(0) + n.load(Relaxed) as usize);
        }
        let mut list = vec![Before::default(); from.last().copied().unwrap_or(0)];
        for (&key, position) in keys.iter().zip(0..) {
            for (child, keeps_turn) in children(key) {
                // The counter goes down to 0, so each move gets a place of its own.
                let place = into[child as usize].fetch_sub(1, Relaxed) as usize - 1;
                list[from[child as usize] + place] = Before { position, keeps_turn };
            }
            control.check()?;
        }
        Ok(Moves { from, list, counts })
    }

    fn position(&self, key: Key) -> G::Position {
        self.game.position_of(key).expect("only keys of positions are kept")
    }

    fn folded(&self, position: G::Position) -> Key {
        self.fold.apply(&self.game, position).0
    }

    /// All positions kept, with their numbers.
    fn all(&self) -> Vec<(Key, u32)> {
        self.numbers.iter().map(|(&key, &number)| (key, number)).collect()
    }

    fn worth_of(&self, number: u32) -> PartialValue {
        Value::from_byte(self.values[number as usize])
            .map_or(PartialValue::ENDLESS, PartialValue::from)
    }
}

/// Elements that one thread works on at a time.
const PART: usize = 1024;

/// The results of `work` on the parts of a list, concatenated in order.
fn parts<T: Sync, U: Copy + Send>(
    list: &[T],
    work: impl Fn(&[T]) -> Result<Vec<U>, Stopped> + Sync,
) -> Result<Vec<U>, Stopped> {
    let part = |i: usize| work(&list[i * PART..list.len().min((i + 1) * PART)]);
    let parts = parallel::map(list.len().div_ceil(PART), &part);
    Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

/// The moves of all positions, sorted by the position they lead to.
struct Moves {
    /// The index of the first move into each position, and the length of the list.
    from: Vec<usize>,
    list: Vec<Before>,
    /// The number of moves of each position.
    counts: Vec<u32>,
}

/// The largest distance of a value byte.
const FARTHEST: u32 = 63;

/// Sets a value that is not set yet; true if it was not. A value that is too far away is not
/// written: the pass that continues from it reports the distance.
fn set(value: &AtomicU8, to: Value) -> bool {
    u32::from(to.remoteness.0) > FARTHEST
        || value.compare_exchange(0, to.to_byte(), Relaxed, Relaxed).is_ok()
}

impl<G: Symmetric<Key = Key>> StrongSolution<G> for Retrograde<G> {
    fn game(&self) -> &G {
        &self.game
    }

    fn root(&self) -> G::Position {
        self.root
    }

    fn worth(&self, position: G::Position) -> Option<PartialValue> {
        Some(self.worth_of(*self.numbers.get(&self.folded(position))?))
    }

    fn canonical(&self, see: &mut dyn FnMut(Vec<SolvedPosition<G::Position, PartialValue>>)) {
        let solved = |&(key, number): &(Key, u32)| -> Solved<PartialValue> {
            let position = self.position(key);
            let (key, s) = self.game.canonical(position);
            (key, self.worth_of(number), self.game.image_moves(position, self.best(position), s))
        };
        let all = parts(&self.all(), |part| Ok(part.iter().map(solved).collect()));
        see(entries(&self.game, &sorted(all.expect("no control stops it"))));
    }

    fn totals(&self) -> Totals {
        let all = self.all();
        let parts: Vec<_> = all.chunks(PART).collect();
        Totals::of(&self.game, &self.fold, &parts, |part| {
            part.iter().map(|&(key, number)| (self.position(key), self.worth_of(number)))
        })
    }
}
