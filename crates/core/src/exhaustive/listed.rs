//! Listed games: the positions that a root leads to, found breadth first and numbered by a table of
//! their keys.
//!
//! The number of a position is its slot in the table that told known positions from new ones, so that
//! no other index is needed: eight bytes a key and four slots for three keys, against eight bytes and
//! 2.4 bits with a minimal perfect hash, which has to be built from the keys first.

use std::sync::{Mutex, PoisonError};

use rayon::slice::ParallelSliceMut;

use super::backwards::{self, Look, backwards};
use super::code::Code;
use super::error::SolveError;
use super::fold::Fold;
use super::keys::{Keys, Slot};
use super::strong::{SolvedKey, Totals, ValuedKey, sorted};
use crate::control::{Control, Stopped};
use crate::game::{Game, Key, MoveSet, PartialValue, Symmetric, branches, check_moves};
use crate::parallel;
use crate::random::Random;

/// The most positions: their slots have numbers.
const MOST: u64 = backwards::MOST / 4 * 3 - 4;

/// Positions whose moves are looked at between two checks whether the table has to grow.
const ROUND: usize = 1 << 16;

/// Moves that most positions have at most.
const FEW: usize = 16;

/// Elements that one thread works on at a time.
const PART: usize = 1024;

/// The positions that a root leads to, up to symmetries, each with a number.
pub(super) struct Listed<G: Symmetric> {
    pub game: G,
    pub root: G::Position,
    fold: Fold,
    /// True if positions are left out that the rules [decide](decided).
    leaves_out: bool,
    keys: Keys,
}

impl<G: Symmetric + std::fmt::Debug> std::fmt::Debug for Listed<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} positions of {:?}", self.keys.len(), self.game)
    }
}

/// Bytes of a position while the positions are listed: a table that grows has twice as many slots as the
/// one that it replaces, and up to three slots a key.
const LISTING: u64 = 40;

/// Bytes of a position while values are found, beside its moves: a key, a value, a counter and the place
/// of its list of moves, for four slots of three.
const SLOT: u64 = 20;

/// Bytes of a move that random play meets. A move takes six and a half before the moves are sorted, and
/// up to eight and a half with lists that grow; and positions have up to three tenths more moves than
/// those that random play meets (Neutreeko 13.5, not 10.5).
const MOVE: f64 = 10.0;

/// Positions whose moves are counted for the expected memory.
const SAMPLE: u32 = 512;

/// The bytes of memory that a position takes in [`Retrograde`](super::Retrograde), or in [`solve_listed`],
/// which leaves positions out; expected from the number of moves in random play from a root.
pub fn listed_bytes<G: Game>(game: &G, root: G::Position, leaves_out: bool) -> u64 {
    let (mut random, mut position, mut moves) = (Random::new(1), root, 0);
    for _ in 0..SAMPLE {
        let mut children = match game.result(position) {
            Some(_) => Vec::new(),
            None => branches(game, position).map(|(.., child)| child).collect(),
        };
        children.retain(|child| !leaves_out || decided(game, *child).is_none());
        moves += children.len() as u64;
        position = match children.len() as u64 {
            0 => root,
            n => children[random.below(n) as usize],
        };
    }
    LISTING.max(SLOT + (MOVE * moves as f64 / f64::from(SAMPLE)) as u64)
}

/// The value of a position that the rules decide: the game is over, or every move ends it. Such a
/// position leads to no others but ends.
fn decided<G: Game>(game: &G, position: G::Position) -> Option<Code> {
    if let Some(result) = game.result(position) {
        return Some(Code::new(result, 0));
    }
    let mut best: Option<Code> = None;
    for m in game.moves(position) {
        let end = Code::new(game.result(game.play(position, m))?, 0);
        let there = end.one_ply_earlier(game.keeps_turn(position, m));
        best = best.filter(|best| best.preference() >= there.preference()).or(Some(there));
    }
    best
}

impl<G: Symmetric<Key = Key>> Listed<G> {
    /// Uses `canonical_keys` if every symmetry leaves the root unchanged, else [`find`](Self::find).
    pub fn find_by(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
        canonical_keys: impl FnOnce() -> Result<Vec<Key>, Stopped>,
    ) -> Result<Self, SolveError> {
        let fold = Fold::of(&game, root);
        if !fold.is_whole() {
            return Self::find(game, root, most, control);
        }
        let found = canonical_keys()?;
        let keys = Keys::with_room_for(found.len());
        found.into_iter().for_each(|key| _ = keys.add(key));
        Ok(Self { game, root, fold, leaves_out: false, keys: keys.dense() })
    }

    /// Finds every position, `most` of them at most, up to the symmetries that leave the root
    /// unchanged.
    pub fn find(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        let fold = Fold::of(&game, root);
        let keys = Keys::with_room_for(0);
        Self { game, root, fold, leaves_out: false, keys }.listed(most, control)
    }

    fn listed(mut self, most: u64, control: &Control) -> Result<Self, SolveError> {
        let most = most.min(MOST);
        let first = self.key(self.root);
        let mut newest = Vec::new();
        if !self.leaves_out || decided(&self.game, self.root).is_none() {
            self.keys.add(first);
            newest.push(first);
        }
        control.start(0);
        while !newest.is_empty() {
            let mut next = Vec::new();
            for round in newest.chunks(ROUND) {
                if self.keys.len() as u64 > most {
                    return Err(SolveError::Positions(most));
                }
                let waiting = Mutex::new(Vec::new());
                next.extend(parts(round, |keys| self.new_children(keys, &waiting, control))?);
                let mut waiting = waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
                while !waiting.is_empty() {
                    self.keys = self.keys.doubled();
                    waiting.retain(|&key| {
                        let slot = self.keys.add(key);
                        next.extend(matches!(slot, Slot::New(_)).then_some(key));
                        slot == Slot::Full
                    });
                }
            }
            newest = next;
        }
        self.keys = self.keys.dense();
        Ok(self)
    }

    fn new_children(
        &self,
        keys: &[Key],
        waiting: &Mutex<Vec<Key>>,
        control: &Control,
    ) -> Result<Vec<Key>, Stopped> {
        control.check()?;
        control.advance(keys.len() as u64);
        let mut next = Vec::new();
        let mut children = Vec::new();
        for &key in keys {
            let position = self.position(key);
            if !self.leaves_out && self.game.result(position).is_some() {
                continue;
            }
            self.children(position, &mut children);
            for &(key, child, _) in &children {
                let is_known = self.leaves_out && self.keys.slot(key).is_some();
                if is_known || self.leaves_out && decided(&self.game, child).is_some() {
                    continue;
                }
                match self.keys.add(key) {
                    Slot::Known(_) => {}
                    Slot::New(_) => next.push(key),
                    Slot::Full => {
                        waiting.lock().unwrap_or_else(PoisonError::into_inner).push(key);
                    }
                }
            }
        }
        Ok(next)
    }

    /// The children of a position, whose slots are on the way to the cache.
    #[inline(always)]
    fn children(&self, position: G::Position, children: &mut Vec<(Key, G::Position, bool)>) {
        children.clear();
        children.extend(branches(&self.game, position).map(|(_, _, keeps_turn, child)| {
            let key = self.key(child);
            self.keys.prefetch(key);
            (key, child, keeps_turn)
        }));
    }

    /// The values of all positions by number. All of them are [near](Code::check_near). As progress, this
    /// is a part of a whole with more units.
    pub fn solve(&self, more: u64, control: &Control) -> Result<Vec<Code>, SolveError> {
        let count = self.keys.slots();
        control.start(count as u64 + more);
        let look = |number: usize, at: &mut Look| {
            let Some(key) = self.keys.key(number) else { return at.hole() };
            let position = self.position(key);
            if let Some(result) = self.game.result(position) {
                return at.over(result);
            }
            let mut children = Vec::with_capacity(FEW);
            self.children(position, &mut children);
            for (key, child, keeps_turn) in children {
                match self.keys.slot(key) {
                    Some(number) => at.to(number as u32, keeps_turn),
                    None => {
                        let there = decided(&self.game, child);
                        at.known(there.expect("no other position is left out"), keeps_turn);
                    }
                }
            }
        };
        let codes = backwards(count, &look, None, control)?;
        Code::check_near(codes.iter())?;
        Ok(codes)
    }

    fn position(&self, key: Key) -> G::Position {
        self.game.position_of(key).expect("only keys of positions are kept")
    }

    /// The key that is kept for a position.
    #[inline(always)]
    fn key(&self, position: G::Position) -> Key {
        self.fold.apply(&self.game, position).0
    }

    pub fn number(&self, position: G::Position) -> Option<usize> {
        self.keys.slot(self.key(position))
    }

    /// Every canonical position, by ascending key; `worth` gets a kept position and its number.
    pub fn canonical(
        &self,
        worth: impl Fn(G::Position, usize) -> PartialValue + Sync,
        best: impl Fn(G::Position) -> MoveSet + Sync,
    ) -> Vec<SolvedKey> {
        let all = parallel::map_parts(0..self.keys.slots(), PART, &|part| {
            let mut solved = Vec::new();
            for number in part {
                let Some(key) = self.keys.key(number) else { continue };
                let position = self.position(key);
                let (key, s) = self.game.canonical(position);
                let best = self.game.image_moves(position, best(position), s);
                solved.push(SolvedKey { key, value: worth(position, number), best });
            }
            solved
        });
        sorted(all.concat())
    }

    /// The numbers of positions, with the value that `worth` has of a kept position and its number.
    pub fn totals(&self, worth: impl Fn(G::Position, usize) -> PartialValue + Sync) -> Totals {
        let slots = self.keys.slots();
        let parts: Vec<_> = (0..slots).step_by(PART).collect();
        let valued = |number: usize| {
            let position = self.position(self.keys.key(number)?);
            Some((position, worth(position, number)))
        };
        let end = |first: usize| slots.min(first + PART);
        Totals::of(&self.game, &self.fold, &parts, |&first| (first..end(first)).filter_map(valued))
    }
}

/// Solves all positions that a root leads to, up to symmetry, `most` of them at most, and gives their
/// values to `see` by ascending key, in parts, which counts them as progress. Positions are left out that
/// the rules decide: the game is over, or every move ends it. Returns the value of the root.
pub fn solve_listed<G: Symmetric<Key = Key>>(
    game: G,
    root: G::Position,
    most: u64,
    control: &Control,
    see: &mut dyn FnMut(&[ValuedKey]),
) -> Result<PartialValue, SolveError> {
    /// Positions in a part.
    const GIVEN: usize = 1 << 16;
    check_moves(&game)?;
    let (fold, keys) = (Fold::all(&game), Keys::with_room_for(0));
    let listed = Listed { game, root, fold, leaves_out: true, keys }.listed(most, control)?;
    // The positions are given to `see`, and counted there, after they are solved.
    let codes = listed.solve(listed.keys.len() as u64, control)?;
    let worth = |code: Code| code.worth().expect("every number is of a position");
    let mut keys: Vec<Key> = listed.keys.iter().collect();
    keys.par_sort_unstable();
    for part in keys.chunks(GIVEN) {
        let slot = |key| listed.keys.slot(key).expect("the key is from the table");
        let values: Vec<_> = part.iter().map(|&key| (key, worth(codes[slot(key)]))).collect();
        see(&values);
    }
    let solved = listed.number(root).map(|number| codes[number]);
    let value = solved.or_else(|| decided(&listed.game, root));
    Ok(worth(value.expect("the root is listed, or decided")))
}

/// The results of `work` on the parts of a list, concatenated in order.
pub(super) fn parts<T: Sync, U: Copy + Send>(
    list: &[T],
    work: impl Fn(&[T]) -> Result<Vec<U>, Stopped> + Sync,
) -> Result<Vec<U>, Stopped> {
    let part = |i: usize| work(&list[i * PART..list.len().min((i + 1) * PART)]);
    let parts = parallel::map(list.len().div_ceil(PART), &part);
    Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}
