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
//!
//! # Memory
//! A game states no moves backwards: the moves of all positions are listed once and sorted by the
//! position they lead to, a block of positions at a time. A position takes its key, an entry of the
//! table that finds its number, two bytes of value, a counter, and four bytes for each move (six
//! until they are sorted).

use std::hash::BuildHasher;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

use dashmap::DashSet;
use hashbrown::HashTable;
use rayon::slice::ParallelSliceMut;
use rustc_hash::FxBuildHasher;

use super::error::SolveError;
use super::fold::Fold;
use super::strong::{Solved, SolvedPosition, StrongSolution, Totals, entries, sorted};
use crate::control::{Control, Stopped};
use crate::game::{
    Key, Outcome, PartialValue, Remoteness, Symmetric, Unsuited, Value, branches, check_moves,
};
use crate::parallel;

/// The values of all positions that a root leads to; play may be endless.
#[derive(Debug)]
pub struct Retrograde<G: Symmetric> {
    game: G,
    root: G::Position,
    fold: Fold,
    /// The keys of all positions, ascending: a position's number is its place.
    keys: Vec<Key>,
    /// The numbers, by key.
    numbers: HashTable<u32>,
    /// The values by number.
    codes: Vec<Code>,
}

/// A value in two bytes: outcome in the upper two bits, distance in the lower fourteen. 0 while it
/// is not known, and in the end for endless play.
type Code = u16;

const DISTANCE_BITS: u32 = 14;

const fn code(value: Value) -> Code {
    ((value.outcome.sign() + 2) as u16) << DISTANCE_BITS | value.remoteness.0 as u16
}

fn value_of(code: Code) -> Option<Value> {
    let outcome = Outcome::from_sign(i64::from(code >> DISTANCE_BITS) - 2)?;
    Some(Value::new(outcome, Remoteness((code & ((1 << DISTANCE_BITS) - 1)) as u8)))
}

/// The farthest end: the move before it is as many plies away as a [`Remoteness`] holds.
const FARTHEST: u8 = u8::MAX - 1;

/// A move, listed under the position it leads to: the position it is a move of, and whether it
/// keeps the turn.
#[derive(Clone, Copy)]
struct Before(u32);

impl Before {
    const fn new(position: usize, keeps_turn: bool) -> Self {
        Self((position as u32) << 1 | keeps_turn as u32)
    }

    const fn position(self) -> usize {
        (self.0 >> 1) as usize
    }

    const fn keeps_turn(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A move that is not sorted yet, with the place in its block of the position it leads to. In six
/// bytes, because these are what most memory is needed for.
#[derive(Clone, Copy)]
struct Unsorted {
    to: u16,
    before: [u16; 2],
}

impl Unsorted {
    const fn new(to: u32, Before(before): Before) -> Self {
        Self { to: to as u16, before: [before as u16, (before >> 16) as u16] }
    }

    const fn before(self) -> Before {
        Before((self.before[1] as u32) << 16 | self.before[0] as u32)
    }
}

/// Positions in a block: moves are sorted for a block of positions they lead to at a time.
const BLOCK_BITS: u32 = 16;
const BLOCK: usize = 1 << BLOCK_BITS;

/// The moves that lead to the positions of one block, sorted by position.
struct Block {
    /// The index of the first move into each position, and the length of the list.
    from: Vec<u32>,
    list: Vec<Before>,
}

impl Block {
    /// Sorts moves, given in parts.
    fn of(parts: Vec<Vec<Unsorted>>) -> Self {
        let mut from = vec![0u32; BLOCK + 1];
        for m in parts.iter().flatten() {
            from[usize::from(m.to)] += 1;
        }
        let mut sum = 0;
        for first in &mut from {
            sum += *first;
            *first = sum;
        }
        // Each place holds the end of its moves and is counted down to their beginning.
        let mut list = vec![Before(0); sum as usize];
        for m in parts.into_iter().flatten() {
            let place = &mut from[usize::from(m.to)];
            *place -= 1;
            list[*place as usize] = m.before();
        }
        Self { from, list }
    }
}

/// The state of all positions while values are found.
struct Open {
    values: Vec<AtomicU16>,
    /// The number of moves not yet known to lose.
    moves: Vec<AtomicU8>,
    blocks: Vec<Block>,
}

impl Open {
    fn before(&self, n: u32) -> &[Before] {
        let block = &self.blocks[n as usize >> BLOCK_BITS];
        let i = n as usize % BLOCK;
        &block.list[block.from[i] as usize..block.from[i + 1] as usize]
    }

    fn value(&self, n: usize) -> Option<Value> {
        value_of(self.values[n].load(Relaxed))
    }

    /// Counts a move as lost; true if it was the last.
    fn is_last(&self, n: usize) -> bool {
        self.moves[n].fetch_sub(1, Relaxed) == 1
    }

    /// Sets a value that is not set yet; true if it was not.
    fn set(&self, n: usize, to: Value) -> bool {
        self.values[n].compare_exchange(0, code(to), Relaxed, Relaxed).is_ok()
    }
}

impl<G: Symmetric<Key = Key>> Retrograde<G> {
    /// The most bytes a position takes, with a few moves.
    pub const BYTES_PER_POSITION: u64 = 100;

    /// Finds every position from the root on, `most` of them at most, and solves them all.
    pub fn solve(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        /// Numbers have 31 bits.
        const MOST: u64 = 1 << 31;
        check_moves(&game)?;
        let fold = Fold::of(&game, root);
        let (keys, numbers, codes) = (Vec::new(), HashTable::new(), Vec::new());
        let mut solution = Self { game, root, fold, keys, numbers, codes };
        solution.keys = solution.find(most.min(MOST), control)?;
        solution.numbers = HashTable::with_capacity(solution.keys.len());
        let hash = |&n: &u32| hash(solution.keys[n as usize]);
        for n in 0..solution.keys.len() as u32 {
            solution.numbers.insert_unique(hash(&n), n, hash);
        }
        solution.codes = solution.settle(control)?;
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

    /// The values of all positions.
    fn settle(&self, control: &Control) -> Result<Vec<Code>, SolveError> {
        let open = self.forward(control)?;
        let is_drawn =
            |n: &u32| open.value(*n as usize).is_some_and(|value| value.outcome == Outcome::Draw);
        let known = |n: &u32| open.value(*n as usize).is_some();
        let count = self.keys.len() as u32;
        control.start(u64::from(count));

        let decided = (0..count).filter(|n| known(n) && !is_drawn(n)).collect();
        backwards(&open, decided, control, &|value, before| {
            let there = value.one_ply_earlier(before.keeps_turn());
            let settled = there.outcome == Outcome::Win
                // Losses come in the order of their distance, so the last open move is the
                // longest loss, which is the value.
                || open.is_last(before.position());
            settled && open.set(before.position(), there)
        })?;

        // The open moves are those that keep the draw: they lead to undecided positions.
        let drawn = (0..count).filter(is_drawn).collect();
        backwards(&open, drawn, control, &|value, before| {
            let n = before.position();
            open.value(n).is_none() && open.is_last(n) && open.set(n, value.one_ply_earlier(false))
        })?;
        Ok(open.values.into_iter().map(AtomicU16::into_inner).collect())
    }

    /// The values that the rules give, the number of moves of every position, and all moves by the
    /// position they lead to.
    fn forward(&self, control: &Control) -> Result<Open, Stopped> {
        let count = self.keys.len();
        let open = |_| (AtomicU16::new(0), AtomicU8::new(0));
        let (values, moves): (Vec<_>, Vec<_>) = (0..count).map(open).unzip();
        let blocks: Vec<Mutex<Vec<_>>> =
            (0..count.div_ceil(BLOCK)).map(|_| Mutex::default()).collect();
        let stopped = parallel::map_parts(0..count, PART, &|part| {
            let mut into: Vec<Vec<Unsorted>> = vec![Vec::new(); blocks.len()];
            for n in part {
                if n % PART == 0 {
                    control.check()?;
                }
                let position = self.position(self.keys[n]);
                if let Some(result) = self.game.result(position) {
                    values[n].store(code(Value::over(result)), Relaxed);
                    continue;
                }
                for (_, _, keeps_turn, child) in branches(&self.game, position) {
                    let child = self.number(child).expect("the positions are all");
                    let before = Before::new(n, keeps_turn);
                    into[child as usize >> BLOCK_BITS].push(Unsorted::new(child, before));
                    moves[n].fetch_add(1, Relaxed);
                }
            }
            for (block, mut into) in blocks.iter().zip(into) {
                if !into.is_empty() {
                    into.shrink_to_fit();
                    block.lock().expect("no thread panicked").push(into);
                }
            }
            Ok(())
        });
        stopped.into_iter().collect::<Result<(), _>>()?;
        let sort = |i: usize| {
            Block::of(std::mem::take(&mut *blocks[i].lock().expect("no thread panicked")))
        };
        let blocks = parallel::map(blocks.len(), &sort);
        Ok(Open { values, moves, blocks })
    }

    fn position(&self, key: Key) -> G::Position {
        self.game.position_of(key).expect("only keys of positions are kept")
    }

    fn folded(&self, position: G::Position) -> Key {
        self.fold.apply(&self.game, position).0
    }

    fn number(&self, position: G::Position) -> Option<u32> {
        let key = self.folded(position);
        self.numbers.find(hash(key), |&n| self.keys[n as usize] == key).copied()
    }

    fn worth_of(&self, number: u32) -> PartialValue {
        value_of(self.codes[number as usize]).map_or(PartialValue::ENDLESS, PartialValue::from)
    }
}

fn hash(key: Key) -> u64 {
    FxBuildHasher.hash_one(key)
}

/// Goes back ply by ply from settled positions: `settles` gets the value of each with a move that
/// leads to it, and tells whether the move's position is settled by that.
fn backwards(
    open: &Open,
    mut settled: Vec<u32>,
    control: &Control,
    settles: &(impl Fn(Value, Before) -> bool + Sync),
) -> Result<(), SolveError> {
    let mut distance = 0;
    while !settled.is_empty() {
        if distance > u32::from(FARTHEST) {
            return Err(Unsuited::Distance(FARTHEST).into());
        }
        settled = parts(&settled, |positions| {
            control.check()?;
            control.advance(positions.len() as u64);
            let mut next = Vec::new();
            for &n in positions {
                let value = open.value(n as usize).expect("the position is settled");
                let settled = open.before(n).iter().filter(|&&before| settles(value, before));
                next.extend(settled.map(|before| before.position() as u32));
            }
            Ok(next)
        })?;
        distance += 1;
    }
    Ok(())
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

impl<G: Symmetric<Key = Key>> StrongSolution<G> for Retrograde<G> {
    fn game(&self) -> &G {
        &self.game
    }

    fn root(&self) -> G::Position {
        self.root
    }

    fn worth(&self, position: G::Position) -> Option<PartialValue> {
        Some(self.worth_of(self.number(position)?))
    }

    fn canonical(&self, see: &mut dyn FnMut(Vec<SolvedPosition<G::Position, PartialValue>>)) {
        let solved = |(&key, number): (&Key, u32)| -> Solved<PartialValue> {
            let position = self.position(key);
            let (key, s) = self.game.canonical(position);
            (key, self.worth_of(number), self.game.image_moves(position, self.best(position), s))
        };
        let all = parallel::map_parts(0..self.keys.len(), PART, &|part| {
            let numbers = part.start as u32..;
            self.keys[part].iter().zip(numbers).map(solved).collect::<Vec<_>>()
        });
        see(entries(&self.game, &sorted(all.concat())));
    }

    fn totals(&self) -> Totals {
        let parts: Vec<_> = self.keys.chunks(PART).zip((0..).step_by(PART)).collect();
        Totals::of(&self.game, &self.fold, &parts, |(keys, first)| {
            let numbers = *first..;
            keys.iter().zip(numbers).map(|(&key, n)| (self.position(key), self.worth_of(n)))
        })
    }
}
