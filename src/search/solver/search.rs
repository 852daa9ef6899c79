//! The null-window search of one thread.

use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::board::Board;
use super::branches::{Branch, Node};
use super::driver::Interval;
use super::engine::Engine;
use super::key::key_of;
use super::layout::LaidOut;
use super::level::Level;
use super::ordering::{Experience, Hints};
use super::parallel::{Halt, Wanted};
use super::score::{Score, least_without_loss_at_once, most_without_win_at_once};
use super::table::{Place, Table};
use super::work::Account;
use crate::control::Control;
use crate::game::Word;

/// The table is not asked about positions with fewer empty cells: searching them again costs
/// less than a look into memory.
pub const LEAST_REST_IN_TABLE: i32 = 9;

/// Nodes with at least so many empty cells are split among threads, and with at least five eighths
/// of those of the root. Fewer make too little work: threads would wait for each other more often.
const LEAST_REST_TO_SPLIT: i32 = 20;

/// Nodes fewer plies below the root are not split: what is lost there when a later branch settles
/// the node is dear, and the nodes below give the threads enough to do.
const PLIES_UNSPLIT: i32 = 5;

/// Branches there is room for before the list grows: a path of nodes on a board of usual size.
const BRANCHES_AT_FIRST: usize = 64;

/// Nodes between two looks at whether a search is still wanted.
const NODES_PER_LOOK: u64 = 1 << 6;

/// Nodes between two looks at the control.
pub const NODES_PER_CHECK: u64 = 1 << 12;

/// Whether bounds that need no search are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// They are.
    InUse,
    /// Everything is searched.
    #[cfg(test)]
    Unused,
}

/// A search of one thread.
#[derive(Debug)]
pub struct Searcher<'s, L: LaidOut> {
    pub(super) level: Level,
    pub(super) layout: &'s L,
    table: &'s Table,
    pub(super) rules: Rules,
    pub control: &'s Control,
    /// Positions searched so far, without those of helpers.
    pub nodes: u64,
    /// What else was done by this searcher, and by its helpers.
    pub(super) account: Account<'s>,
    pub(super) experience: Experience,
    /// Where each thread leaves its experience for the next searcher on it; none if there is but
    /// one thread.
    left: &'s [Mutex<Experience>],
    /// The number of the cell of the move that led to the node searched next.
    last: u8,
    /// The branches of all nodes on the way from the root, those of a node together.
    pub(super) branches: Vec<Branch<L::Word>>,
    /// So many branches of a node are searched before the others are split among threads. The
    /// more threads, the more work is lost when a later branch settles the node.
    elder_brothers: u32,
    /// Only nodes with so many empty cells are split; none if there is but one thread.
    rest_to_split: Option<RangeInclusive<i32>>,
    /// Whether somebody still waits for the result; `None` if nobody else could settle it.
    pub(super) wanted: Option<&'s Wanted<'s>>,
}

impl<'s, L: LaidOut> Searcher<'s, L> {
    /// A search that has not begun, from a root with so many empty cells.
    ///
    /// It asks for help if there is more than one thread to leave experience for.
    pub fn new(
        engine: &'s Engine<L>,
        control: &'s Control,
        left: &'s [Mutex<Experience>],
        rest: i32,
    ) -> Self {
        let Engine { level, layout, table, rules, ledger } = engine;
        let threads = left.len().max(1);
        Self {
            level: *level,
            layout,
            table,
            rules: *rules,
            control,
            nodes: 0,
            account: Account::new(ledger.as_ref()),
            experience: Experience::NONE,
            left,
            last: u8::MAX,
            branches: Vec::with_capacity(BRANCHES_AT_FIRST),
            elder_brothers: threads.ilog2().div_ceil(2),
            rest_to_split: (threads > 1)
                .then(|| LEAST_REST_TO_SPLIT.max(5 * rest / 8)..=rest - PLIES_UNSPLIT),
            wanted: None,
        }
    }

    /// A search on behalf of this one, as long as `wanted` says so.
    pub(super) fn helper<'t>(&'t self, wanted: &'t Wanted<'t>) -> Searcher<'t, L> {
        let mut helper = Searcher {
            nodes: 0,
            account: Account::new(self.account.ledger),
            branches: Vec::with_capacity(BRANCHES_AT_FIRST),
            wanted: Some(wanted),
            rest_to_split: self.rest_to_split.clone(),
            ..*self
        };
        helper.take_up_experience();
        helper
    }

    /// Positions searched so far by this searcher and its helpers.
    pub fn all_nodes(&self) -> u64 {
        self.nodes + self.account.nodes_of_helpers
    }

    /// Ends the search: what was counted since the last look at the control is told to it, and
    /// the account is closed. Gives the time since the search began, if that is measured.
    pub(super) fn end(&self) -> Duration {
        self.control.advance(self.nodes % NODES_PER_CHECK);
        self.leave_experience();
        self.account.close(self.nodes)
    }

    fn left_on_this_thread(&self) -> Option<MutexGuard<'s, Experience>> {
        let left = self.left.get(rayon::current_thread_index()?)?;
        Some(left.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Leaves the experience for the next searcher on this thread.
    pub(super) fn leave_experience(&self) {
        if let Some(mut left) = self.left_on_this_thread() {
            *left = self.experience;
        }
    }

    /// Goes on with the experience of the last searcher on this thread.
    pub(super) fn take_up_experience(&mut self) {
        if let Some(left) = self.left_on_this_thread() {
            self.experience = *left;
        }
    }

    /// The same as [`search`](Self::search) of a position that has not been a branch.
    pub fn search_root(
        &mut self,
        board: &Board<L::Word>,
        rest: i32,
        alpha: Score,
    ) -> Result<Score, Halt> {
        if let Some(score) = self.rule_at_root(board, rest, alpha) {
            return Ok(score);
        }
        let place = self.place(board, rest);
        self.search(board, place, rest, alpha)
    }

    /// Proves on which side of the window (alpha, alpha + 1) the score of a quiet position lies:
    /// a result of at most alpha is an upper bound of the score, any other a lower bound.
    ///
    /// Quiet is as [`Resolved::Quiet`] says.
    pub fn search(
        &mut self,
        board: &Board<L::Word>,
        place: Option<Place>,
        rest: i32,
        alpha: Score,
    ) -> Result<Score, Halt> {
        #[cfg(target_arch = "x86_64")]
        if self.level == Level::Third {
            // SAFETY: the level says that the processor has the features.
            return unsafe { self.search_on_level_3(board, place, rest, alpha) };
        }
        self.search_here(board, place, rest, alpha)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn search_on_level_3(
        &mut self,
        board: &Board<L::Word>,
        place: Option<Place>,
        rest: i32,
        alpha: Score,
    ) -> Result<Score, Halt> {
        self.search_here(board, place, rest, alpha)
    }

    #[inline(always)]
    fn search_here(
        &mut self,
        board: &Board<L::Word>,
        place: Option<Place>,
        rest: i32,
        alpha: Score,
    ) -> Result<Score, Halt> {
        self.count_node()?;
        let most = most_without_win_at_once(rest);
        if most <= alpha {
            return Ok(most);
        }
        let least = least_without_loss_at_once(rest);
        if least > alpha {
            return Ok(least);
        }
        let entered_at = self.all_nodes();
        if let Some(place) = place
            && let Some(proved) = self.ask(place)
        {
            if proved.upper <= alpha {
                self.account.hits += 1;
                return Ok(proved.upper);
            }
            if proved.lower > alpha {
                self.account.hits += 1;
                return Ok(proved.lower);
            }
        }

        let hints = Hints { rest, last: self.last };
        let node = Node { board, rest, alpha, hints, base: self.branches.len() };
        let mut best = least;
        let settled = self.branch_out(&node, &mut best)
            || self.ask_table(&node, &mut best)
            || self.ask_rules(&node, &mut best);
        if settled {
            self.branches.truncate(node.base);
            return Ok(best);
        }
        self.search_branches(&node, &mut best)?;
        self.branches.truncate(node.base);
        if let Some(place) = place {
            let proved = if best > alpha {
                Interval { lower: best, upper: most }
            } else {
                Interval { lower: least, upper: best }
            };
            self.table.store(place, proved, self.all_nodes() - entered_at + 1);
            self.account.stores += 1;
        }
        Ok(best)
    }

    /// What the table knows about a position.
    #[inline(always)]
    pub(super) fn ask(&mut self, place: Place) -> Option<Interval> {
        self.account.probes += 1;
        self.table.probe(place)
    }

    /// Where the table keeps a position with so many empty cells; its memory is asked for.
    #[inline(always)]
    pub fn place(&self, board: &Board<L::Word>, rest: i32) -> Option<Place> {
        if rest < LEAST_REST_IN_TABLE {
            return None;
        }
        let l = self.layout.geometry();
        let place = self.table.place(l, key_of(l, self.table.key_kind(), board));
        self.table.prefetch(place);
        Some(place)
    }

    /// Searches the branches that are left, until the node is settled or there is none.
    #[inline(always)]
    fn search_branches(&mut self, node: &Node<'_, L::Word>, best: &mut Score) -> Result<(), Halt> {
        let mut searched = 0;
        while self.branches.len() > node.base {
            let heaviest = self.heaviest_from(node.base);
            let branch = self.branches.swap_remove(heaviest);
            let score = self.search_branch(&branch, node.rest, node.alpha)?;
            *best = score.max(*best);
            self.experience.learn(node.hints, branch.cell, branch.column, score > node.alpha);
            if score > node.alpha {
                return Ok(());
            }
            searched += 1;
            if searched >= self.elder_brothers
                && self.rest_to_split.as_ref().is_some_and(|rest| rest.contains(&node.rest))
                && self.branches.len() > node.base + 1
            {
                let mut others = self.branches.split_off(node.base);
                others.sort_by_key(|branch| (-branch.weight, branch.column));
                return self.search_side_by_side(&others, node, best);
            }
        }
        Ok(())
    }

    /// The score of a branch for the side to move at its node, which has `rest` empty cells: as
    /// [`search`](Self::search) gives it.
    pub(super) fn search_branch(
        &mut self,
        branch: &Branch<L::Word>,
        rest: i32,
        alpha: Score,
    ) -> Result<Score, Halt> {
        let rest = rest - branch.plies as i32;
        self.last = branch.cell.trailing_zeros() as u8;
        if branch.plies & 1 == 1 {
            Ok(-self.search(&branch.board, branch.place, rest, -alpha - 1)?)
        } else {
            self.search(&branch.board, branch.place, rest, alpha)
        }
    }

    /// Counts a node, and now and then looks whether to go on.
    #[inline(always)]
    fn count_node(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_LOOK)
            && self.wanted.is_some_and(|wanted| !wanted.is_wanted())
        {
            return Err(Halt::Pointless);
        }
        if self.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.control.check()?;
            self.control.advance(NODES_PER_CHECK);
        }
        Ok(())
    }

    /// The branch to look at next, of those from `base` on.
    #[inline(always)]
    fn heaviest_from(&self, base: usize) -> usize {
        let mut heaviest = base;
        for i in base + 1..self.branches.len() {
            let (a, b) = (&self.branches[i], &self.branches[heaviest]);
            if (a.weight, a.column) > (b.weight, b.column) {
                heaviest = i;
            }
        }
        heaviest
    }
}
