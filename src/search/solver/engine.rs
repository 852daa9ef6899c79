//! The solver on one layout: questions about any position, and values made of answers.

use super::board::{Board, Resolved};
use super::driver::Interval;
use super::layout::{LaidOut, Layout};
use super::score::{least_without_loss_at_once, most_without_win_at_once, win_at_once};
use super::search::{Level, NODES_PER_CHECK, Rules, Searcher};
use super::table::Table;
use crate::control::{Control, Stopped};
use crate::game::Word;

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
    level: Level,
    layout: L,
    table: Table,
    rules: Rules,
}

impl<L: LaidOut> Engine<L> {
    /// An engine that remembers in this table, which was made for the layout.
    pub fn new(layout: L, table: Table) -> Self {
        Self { level: Level::detect(), layout, table, rules: Rules::InUse }
    }

    /// The same engine without the bounds that need no search: the one to check them against.
    #[cfg(test)]
    pub fn without_rules(self) -> Self {
        Self { rules: Rules::Unused, ..self }
    }

    /// The layout.
    pub fn layout(&self) -> &Layout<L::Word> {
        self.layout.geometry()
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
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
        if board.own_threats & l.playable(board.occupied()) != Word::ZERO {
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
        let mut searcher =
            Searcher::new(self.level, &self.layout, &self.table, self.rules, control, rest);
        let mut asked = 0;
        let outward = |known: Interval| if turned { -known } else { known };
        see(outward(known));
        while let Some(alpha) = known.next_window(wanted, asked, rest) {
            let home = searcher.home(&quiet, rest);
            let score = searcher.search(&quiet, home, rest, alpha).map_err(|_| Stopped)?;
            known = known.narrowed(alpha, score);
            see(outward(known));
            asked += 1;
        }
        control.advance(searcher.nodes % NODES_PER_CHECK);
        Ok((outward(known), searcher.nodes))
    }
}
