//! The solver on one layout: questions about any position, and values made of answers.

use std::time::Instant;

use super::board::{Board, Resolved};
use super::bounds::StaticBounds;
use super::crew::Crew;
use super::driver::{Interval, Outlook};
use super::layout::{LaidOut, Layout};
use super::parallel::Marks;
use super::score::{least_without_loss_at_once, most_without_win_at_once, win_at_once};
use super::table::Table;
use super::work::{Ledger, ThreadWork};
use crate::control::{Control, Stopped};
use crate::game::Bits;
use crate::processor::Processor;

/// A position whose game is not over, laid out for the solver.
#[derive(Clone, Copy, Debug)]
pub struct Root<W = u64> {
    /// The position.
    pub board: Board<W>,
    /// Its empty cells.
    pub rest: i32,
}

/// The solver on one layout.
#[derive(Debug)]
pub struct Engine<L> {
    pub(super) processor: Processor,
    pub(super) layout: L,
    pub(super) table: Table,
    pub(super) static_bounds: StaticBounds,
    /// Where threads are that search one position together.
    pub(super) marks: Marks,
    /// What the threads did, if anybody asks.
    pub(super) ledger: Option<Ledger>,
}

impl<L: LaidOut> Engine<L> {
    /// An engine that remembers in this table, which was made for the layout.
    pub fn new(layout: L, table: Table) -> Self {
        Self {
            processor: Processor::detect(),
            layout,
            table,
            static_bounds: StaticBounds::On,
            marks: Marks::default(),
            ledger: None,
        }
    }

    /// The same engine without the bounds that need no search: the one to check them against.
    #[cfg(test)]
    pub fn without_static_bounds(self) -> Self {
        Self { static_bounds: StaticBounds::Off, ..self }
    }

    /// The same engine in the form for this processor, one of those available.
    #[cfg(test)]
    pub fn with_processor(self, processor: Processor) -> Self {
        Self { processor, ..self }
    }

    /// The layout.
    pub fn layout(&self) -> &Layout<L::Word> {
        self.layout.geometry()
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Counts from now on what every thread does.
    pub fn count_work(&mut self) {
        self.ledger = Some(Ledger::default());
    }

    /// What every thread did, if that was counted.
    pub fn work(&self) -> Vec<ThreadWork> {
        self.ledger.as_ref().map(Ledger::threads).unwrap_or_default()
    }

    /// Narrows what is known of a score until it is exact or the known part no longer meets
    /// `wanted`; `see` is told of every improvement. Gives the nodes searched as well.
    pub fn prove(
        &self,
        root: Root<L::Word>,
        wanted: Interval,
        control: &Control,
        mut see: impl FnMut(Interval),
    ) -> Result<(Interval, u64), Stopped> {
        control.check()?;
        let l = self.layout();
        let Root { board, rest } = root;
        let exactly = |score| Interval { lower: score, upper: score };
        if board.own_threats & l.playable(board.occupied()) != Bits::ZERO {
            return Ok((exactly(win_at_once(rest)), 0));
        }
        let (quiet, plies) = match board.resolve(l, rest) {
            Resolved::Decided(score) => return Ok((exactly(score), 0)),
            Resolved::Quiet(quiet, plies) => (quiet, plies),
        };
        let turned = plies & 1 == 1;
        let rest = rest - plies as i32;
        let mut known = Interval {
            lower: least_without_loss_at_once(rest),
            upper: most_without_win_at_once(rest),
        };
        let wanted = if turned { -wanted } else { wanted };
        let quiet = Root { board: quiet, rest };
        let outlook = Outlook::new(l.size, rest);
        let outward = |known: Interval| if turned { -known } else { known };
        see(outward(known));
        let begun = self.ledger.as_ref().map(|_| Instant::now());
        let mut crew = Crew::new(self, &quiet, control);
        let mut result = Ok(());
        let mut asked = 0;
        while let Some(alpha) = known.next_window(wanted, asked, outlook) {
            match crew.search(alpha) {
                Ok(score) => known = known.narrowed(alpha, score),
                Err(Stopped) => {
                    result = Err(Stopped);
                    break;
                }
            }
            see(outward(known));
            asked += 1;
        }
        let nodes = crew.end();
        if let (Some(ledger), Some(begun)) = (&self.ledger, begun) {
            ledger.close(begun.elapsed());
        }
        result?;
        Ok((outward(known), nodes))
    }
}
