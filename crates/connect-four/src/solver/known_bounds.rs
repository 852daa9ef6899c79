//! Bounds that are known without a search: from the table, or by forced replies.

use super::board::{Board, Resolved};
use super::driver::Interval;
use super::engine::Engine;
use super::key::key_of;
use super::layout::LayoutSource;
use super::question::Root;
use super::score::{
    Score, least_without_loss_at_once, most_without_win_at_once, value_of, win_at_once,
};
use super::score_of;
use super::search::MIN_EMPTIES_IN_TABLE;
use super::slot::Slot;
use crate::game::ValueBounds;
use crate::games::line::Word;

/// The work of a learnt value in the table, in nodes: only entries that took as much work replace
/// it.
const WORK_OF_LEARNT_VALUE: u64 = 1 << 20;

impl Interval {
    pub(super) fn of_bounds(known: ValueBounds, empties: i32) -> Self {
        Self { lower: score_of(known.worst, empties), upper: score_of(known.best, empties) }
    }

    pub(super) fn bounds(self, empties: i32) -> ValueBounds {
        ValueBounds { worst: value_of(self.lower, empties), best: value_of(self.upper, empties) }
    }
}

/// A root after its forced replies.
pub enum ResolvedRoot<W> {
    /// A decided game, with its score.
    Decided(Score),
    /// A position with a choice and its empties; `turned` if the other side is to move in it.
    Quiet { board: Board<W>, empties: i32, turned: bool },
}

impl<L: LayoutSource> Engine<L> {
    /// Plays the forced replies of a root.
    pub(super) fn resolve_root(&self, root: Root<L::Word>) -> ResolvedRoot<L::Word> {
        let l = self.layout();
        let Root { board, empties } = root;
        if board.own_threats & l.playable(board.occupied()) != Word::ZERO {
            return ResolvedRoot::Decided(win_at_once(empties));
        }
        match board.resolve(l, empties) {
            Resolved::Decided(score) => ResolvedRoot::Decided(score),
            Resolved::Quiet(board, plies) => ResolvedRoot::Quiet {
                board,
                empties: empties - plies as i32,
                turned: plies & 1 == 1,
            },
        }
    }

    fn slot(&self, board: &Board<L::Word>) -> Slot {
        let l = self.layout();
        self.table.slot(l, key_of(l, self.table.key_kind(), board))
    }

    /// Returns the bounds of a score that are known without a search.
    pub fn known(&self, root: Root<L::Word>) -> Option<Interval> {
        match self.resolve_root(root) {
            ResolvedRoot::Decided(score) => Some(Interval { lower: score, upper: score }),
            ResolvedRoot::Quiet { empties, .. } if empties < MIN_EMPTIES_IN_TABLE => None,
            ResolvedRoot::Quiet { board, empties, turned } => {
                let proved = self.table.probe(self.slot(&board))?;
                // An entry may hold trivial bounds.
                let known = Interval {
                    lower: proved.lower.max(least_without_loss_at_once(empties)),
                    upper: proved.upper.min(most_without_win_at_once(empties)),
                };
                Some(if turned { -known } else { known })
            }
        }
    }

    /// Stores bounds of a score that were proved elsewhere.
    pub fn learn(&self, root: Root<L::Word>, known: Interval) {
        if let ResolvedRoot::Quiet { board, empties, turned } = self.resolve_root(root)
            && empties >= MIN_EMPTIES_IN_TABLE
        {
            let known = if turned { -known } else { known };
            self.table.store(self.slot(&board), known, WORK_OF_LEARNT_VALUE);
        }
    }
}
