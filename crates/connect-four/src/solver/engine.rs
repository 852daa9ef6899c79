//! The solver on one layout, with the data that all searches share.

use std::sync::Mutex;

use super::board::{Board, Resolved, key_of};
use super::bounds::StaticBounds;
use super::layout::LayoutSource;
use super::score::{Score, win_at_once};
use super::table::{Slot, Table};
use crate::processor::Processor;
use everyply_core::games::line::Word;
use everyply_core::search::BusyTable;
use everyply_core::statistics::SearchCounters;

/// A position whose game is not over, in the solver's layout.
#[derive(Clone, Copy, Debug)]
pub struct Root<W = u64> {
    pub board: Board<W>,
    pub empties: i32,
}

/// A root after its forced replies.
pub enum ResolvedRoot<W> {
    Decided(Score),
    /// A position with a choice and its empties; `turned` if the other side is to move.
    Quiet {
        board: Board<W>,
        empties: i32,
        turned: bool,
    },
}

#[derive(Debug)]
pub struct Engine<L: LayoutSource> {
    pub(super) processor: Processor,
    pub(super) layout: L,
    pub(super) table: Table,
    pub(super) static_bounds: StaticBounds,
    /// The positions that the threads of a shared search are searching.
    pub(super) busy: BusyTable,
    /// The work of all searches.
    pub(super) work: Mutex<SearchCounters>,
}

impl<L: LayoutSource> Engine<L> {
    /// Creates an engine with a table that was made for the layout.
    pub fn new(layout: L, table: Table) -> Self {
        Self {
            processor: Processor::detect(),
            layout,
            table,
            static_bounds: StaticBounds::On,
            busy: BusyTable::default(),
            work: Mutex::default(),
        }
    }

    /// Returns the engine without static bounds, for checks of these bounds.
    #[cfg(test)]
    pub fn without_static_bounds(self) -> Self {
        Self { static_bounds: StaticBounds::Off, ..self }
    }

    /// Returns the engine compiled for this processor, which must be available.
    #[cfg(test)]
    pub fn with_processor(self, processor: Processor) -> Self {
        Self { processor, ..self }
    }

    pub(super) fn resolve_root(&self, root: Root<L::Word>) -> ResolvedRoot<L::Word> {
        let l = self.layout.geometry();
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

    pub(super) fn slot(&self, board: &Board<L::Word>) -> Slot {
        let l = self.layout.geometry();
        self.table.slot(l, key_of(l, self.table.key_kind(), board))
    }
}
