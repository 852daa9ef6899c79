//! One position searched by many threads.
//!
//! Every thread searches the whole tree from the root. What keeps them apart are marks on the
//! positions that are being searched: a move that another thread is at is put off, and by the
//! time its turn comes the table often knows its result. Where nothing else is left, a thread
//! joins the others and takes what they have put off further down. So none of them ever waits.
//! (The idea is Weill's, "The ABDADA distributed minimax search algorithm", ICCA Journal 19,
//! 1996; here no entry of the table has to have room for it.)
//!
//! The threads share nothing but marks, the table and the root's result. The table only holds
//! what is proved, so the side of the window that comes out is the same whatever they do.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering::Relaxed};

use super::layout::LaidOut;
use super::movegen::Node;
use super::place::Place;
use super::score::Score;
use super::search::Searcher;
use crate::control::Stopped;

/// Moves of nodes with fewer empty cells are not marked: they are soon done, and all the nodes
/// above give the threads enough to choose from.
pub const LEAST_REST_TO_SHARE: i32 = 20;

/// Where no move is expected to refute the other side's last, all have to be searched, in any
/// order. But expectations fail, and such a move would be among the first: so many are not put off.
const NEVER_PUT_OFF: usize = 2;

/// What a searcher believes of the root goes from minus this to this.
const CERTAIN: i32 = 1 << 12;

/// So many marks are kept, a power of two. Every thread sets about twenty.
const MARKS: usize = 1 << 14;

/// Why a search ends without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It was asked to stop.
    Stopped,
    /// It takes so long that others should help.
    Long,
    /// Another thread has settled a node above.
    Settled {
        /// Shared nodes on the way to it from the root.
        depth: u8,
        /// Its result.
        score: i8,
    },
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// How many threads are at each of the positions that are being searched, told apart by a digest:
/// an error changes the order of a search and no result.
#[derive(Debug)]
pub struct Marks(Box<[AtomicU8]>);

impl Default for Marks {
    fn default() -> Self {
        Self((0..MARKS).map(|_| AtomicU8::new(0)).collect())
    }
}

impl Marks {
    fn of(&self, place: Place) -> &AtomicU8 {
        &self.0[place.digest() as usize % MARKS]
    }

    /// As if so many threads were at one in two positions.
    #[cfg(test)]
    pub fn set_half(&self, threads: u8) {
        self.0.iter().step_by(2).for_each(|mark| mark.store(threads, Relaxed));
    }

    /// True if so many threads are at one in two positions and none at the others.
    #[cfg(test)]
    pub fn are_half(&self, threads: u8) -> bool {
        let are =
            |from: usize, n| self.0.iter().skip(from).step_by(2).all(|m| m.load(Relaxed) == n);
        are(0, threads) && are(1, 0)
    }
}

/// A position that is marked as long as this lives.
struct Mark<'m>(&'m AtomicU8);

impl<'m> Mark<'m> {
    fn set(mark: &'m AtomicU8) -> Self {
        mark.fetch_add(1, Relaxed);
        Self(mark)
    }
}

fn is_set(mark: &AtomicU8) -> bool {
    mark.load(Relaxed) > 0
}

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// What the threads share that search the same window of the same root.
#[derive(Debug)]
pub struct Joint<'j> {
    marks: &'j Marks,
    /// The root's score, once any of them has it.
    result: AtomicI32,
}

/// No score.
const UNKNOWN: Score = Score::MAX;

impl<'j> Joint<'j> {
    /// No thread has the result yet.
    pub const fn new(marks: &'j Marks) -> Self {
        Self { marks, result: AtomicI32::new(UNKNOWN) }
    }

    /// The root's result, once any thread has it.
    pub fn result(&self) -> Option<Score> {
        let score = self.result.load(Relaxed);
        (score != UNKNOWN).then_some(score)
    }

    /// Tells the others the root's result, which lies on the same side of the window whoever has
    /// found it.
    pub fn tell(&self, score: Score) {
        self.result.store(score, Relaxed);
    }
}

/// What other threads have made of a move.
enum Asked<'m> {
    /// Its score.
    Settled(Score),
    /// One is at it, and it may wait.
    PutOff,
    /// Nothing yet. It is for this thread to search, under this mark if it has one.
    Open(Option<&'m AtomicU8>),
}

impl<L: LaidOut> Searcher<'_, L> {
    /// The same as [`search_moves`](Self::search_moves), together with all threads that
    /// come to this node; `index` is its own place in the list of moves.
    #[inline(never)]
    pub(super) fn share_moves(
        &mut self,
        joint: &Joint<'_>,
        index: usize,
        node: Node,
        best: Score,
    ) -> Result<Score, Halt> {
        let depth = self.path.len();
        self.path.push((self.moves[index].place, node.alpha));
        let result = self.search_shared(joint, index, node, best);
        self.path.truncate(depth);
        let best = match result {
            Err(Halt::Settled { depth: at, score }) if usize::from(at) == depth => score.into(),
            result => result?,
        };
        let root_succeeds = (node.alpha == self.root_alpha) == (best > node.alpha);
        let aim = if root_succeeds { CERTAIN } else { -CERTAIN };
        self.root_succeeds += (aim - self.root_succeeds) >> 8;
        Ok(best)
    }

    fn search_shared(
        &mut self,
        joint: &Joint<'_>,
        index: usize,
        node: Node,
        mut best: Score,
    ) -> Result<Score, Halt> {
        self.sort_moves(node.base);
        let one_refutes = (node.alpha == self.root_alpha) == (self.root_succeeds > 0);
        // Where a move is expected to refute the other side's, those after it would be searched in
        // vain: all threads keep to the order.
        let in_order = if one_refutes { usize::MAX } else { NEVER_PUT_OFF };
        let all = self.moves.len() - node.base;
        // A bit for each move; no board has more columns.
        let mut open = u32::MAX;
        for turn in 0..2 * all {
            let (may_put_off, i) = (turn < all, turn % all);
            if open >> i & 1 == 0 {
                continue;
            }
            let may_put_off = may_put_off && i >= in_order;
            let score = match self.ask_others(joint, node.base + i, node.alpha, may_put_off) {
                Asked::Settled(score) => score,
                Asked::PutOff => continue,
                Asked::Open(mark) => {
                    let _mark = mark.map(Mark::set);
                    self.search_move(node.base + i, node)?
                }
            };
            open ^= 1 << i;
            best = score.max(best);
            if score > node.alpha {
                break;
            }
            if let Some(score) = self.settled_at(index, node.alpha) {
                return Ok(score);
            }
        }
        Ok(best)
    }

    /// Sorts the moves from `base` on, the one to look at first in front.
    #[inline(never)]
    fn sort_moves(&mut self, base: usize) {
        self.moves[base..].sort_by_key(|scored| Reverse((scored.ordering_score, scored.column)));
    }

    /// What the other threads have made of a move of a node.
    #[inline(never)]
    fn ask_others<'m>(
        &mut self,
        joint: &Joint<'m>,
        index: usize,
        alpha: Score,
        may_put_off: bool,
    ) -> Asked<'m> {
        let scored = self.moves[index];
        let mark = scored.place.is_some().then(|| joint.marks.of(scored.place));
        match self.settled_move(&scored, alpha) {
            Some(score) => Asked::Settled(score),
            None if may_put_off && mark.is_some_and(is_set) => Asked::PutOff,
            None => Asked::Open(mark),
        }
    }

    /// The same as [`settled`](Self::settled) of a position in the list of moves.
    #[inline(never)]
    fn settled_at(&mut self, index: usize, alpha: Score) -> Option<Score> {
        self.settled(self.moves[index].place, alpha)
    }

    /// Ends the search of a node that another thread has settled, if there is one on the way from
    /// the root.
    #[inline(never)]
    pub(super) fn look_for_settled(&mut self, joint: &Joint<'_>) -> Result<(), Halt> {
        // No score or number of cells needs more bits than these.
        let halt =
            |depth: usize, score: Score| Halt::Settled { depth: depth as u8, score: score as i8 };
        if let Some(score) = joint.result() {
            return Err(halt(0, score));
        }
        for depth in 0..self.path.len() {
            let (place, alpha) = self.path[depth];
            if let Some(score) = self.settled(place, alpha) {
                return Err(halt(depth, score));
            }
        }
        Ok(())
    }
}
