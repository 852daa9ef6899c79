//! The null-window search of one thread.

use super::board::{Board, Resolved};
use super::bounds::{self, Effort};
use super::key::{Named, key_of};
use super::layout::Layout;
use super::ordering::{Candidate, OpenLines, WEIGHTS, weigh};
use super::parallel::{Halt, Wanted};
use super::score::{Score, least_without_loss_at_once, most_without_win_at_once};
use super::table::{Place, Proved, Table};
use crate::control::Control;
use crate::game::Shape;

/// The table is not asked about positions with fewer empty cells: searching them again costs
/// less than a look into memory.
const LEAST_REST_IN_TABLE: i32 = 9;

/// The bounds that cost more are tried on positions with at least so many empty cells.
const LEAST_REST_FOR_FULL_BOUNDS: i32 = 20;

/// Nodes with at least so many empty cells are split among threads. Fewer make too little work.
const LEAST_REST_TO_SPLIT: i32 = 24;

/// Branches there is room for before the list grows: a path of nodes on a board of usual size.
const BRANCHES_AT_FIRST: usize = 128;

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

/// One move of a node: the position after it and all replies it forces.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    board: Board,
    place: Place,
    /// The column of the move.
    pub column: u32,
    /// Plies from the node to `board`, at least 1.
    plies: u32,
    weight: i32,
}

/// A node that is being searched.
struct Node<'n> {
    board: &'n Board,
    rest: i32,
    alpha: Score,
    /// Where its branches begin in the list of branches.
    base: usize,
}

/// The best score of a node's moves so far, and the column of such a move.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// At least the score, or the upper bound, of every move looked at.
    pub score: Score,
    /// Only a hint.
    pub column: u32,
}

impl Best {
    /// Takes one move more into account.
    #[inline(always)]
    pub fn raise(&mut self, score: Score, column: u32) {
        if score > self.score {
            *self = Self { score, column };
        }
    }
}

/// A search of one thread.
#[derive(Debug)]
pub struct Searcher<'s, L> {
    layout: &'s L,
    table: &'s Table,
    rules: Rules,
    pub control: &'s Control,
    /// Positions searched so far.
    pub nodes: u64,
    /// The branches of all nodes on the way from the root, those of a node together.
    branches: Vec<Branch>,
    /// So many branches of a node are searched before the others are split among threads. The
    /// more threads, the more work is lost when a later branch settles the node.
    elder_brothers: u32,
    /// Whether somebody still waits for the result; `None` if nobody else could settle it.
    pub(super) wanted: Option<&'s Wanted<'s>>,
}

impl<'s, L: Shape<Layout>> Searcher<'s, L> {
    /// A search that has not begun.
    ///
    /// It asks for help if the current thread pool has more than one thread.
    pub fn new(layout: &'s L, table: &'s Table, rules: Rules, control: &'s Control) -> Self {
        let threads = rayon::current_num_threads();
        Self {
            layout,
            table,
            rules,
            control,
            nodes: 0,
            branches: Vec::with_capacity(BRANCHES_AT_FIRST),
            elder_brothers: if threads == 1 { u32::MAX } else { threads.ilog2() },
            wanted: None,
        }
    }

    /// A search on behalf of this one, as long as `wanted` says so.
    pub(super) fn helper<'t>(&'t self, wanted: &'t Wanted<'t>) -> Searcher<'t, L> {
        Searcher {
            nodes: 0,
            branches: Vec::with_capacity(BRANCHES_AT_FIRST),
            wanted: Some(wanted),
            ..*self
        }
    }

    /// Proves on which side of the window (alpha, alpha + 1) the score of a quiet position lies:
    /// a result of at most alpha is an upper bound of the score, any other a lower bound.
    ///
    /// Quiet is as [`Resolved::Quiet`] says.
    pub fn search(&mut self, board: &Board, rest: i32, alpha: Score) -> Result<Score, Halt> {
        self.count_node()?;
        let most = most_without_win_at_once(rest);
        if most <= alpha {
            return Ok(most);
        }
        let least = least_without_loss_at_once(rest);
        if least > alpha {
            return Ok(least);
        }
        let entered_at = self.nodes;
        let l = self.layout.geometry();
        let home = (rest >= LEAST_REST_IN_TABLE).then(|| {
            let Named { key, mirrored } = key_of(l, self.table.key_kind(), board);
            (self.table.place(l, key), mirrored)
        });
        let image = |column, mirrored| {
            if mirrored { u32::from(l.size.width) - 1 - column } else { column }
        };
        let mut remembered = None;
        if let Some((place, mirrored)) = home
            && let Some(proved) = self.table.probe(place)
        {
            if proved.upper <= alpha {
                return Ok(proved.upper);
            }
            if proved.lower > alpha {
                return Ok(proved.lower);
            }
            remembered = Some(image(proved.column, mirrored));
        }

        let node = Node { board, rest, alpha, base: self.branches.len() };
        let mut best = Best { score: least, column: 0 };
        let settled = self.branch_out(&node, remembered, &mut best)
            || self.ask_table(&node, &mut best)
            || self.ask_rules(&node, &mut best);
        if settled {
            self.branches.truncate(node.base);
            return Ok(best.score);
        }
        self.search_branches(&node, &mut best)?;
        self.branches.truncate(node.base);
        if let Some((place, mirrored)) = home {
            let column = image(best.column, mirrored);
            let proved = if best.score > alpha {
                Proved { lower: best.score, upper: most, column }
            } else {
                Proved { lower: least, upper: best.score, column }
            };
            self.table.store(place, proved, self.nodes - entered_at + 1);
        }
        Ok(best.score)
    }

    /// Makes the branches of a node that are not decided at once. True if the node is settled:
    /// `best` is then its result.
    #[inline(always)]
    fn branch_out(&mut self, node: &Node<'_>, remembered: Option<u32>, best: &mut Best) -> bool {
        let l = self.layout.geometry();
        let kind = self.table.key_kind();
        let lines = OpenLines::new(l, node.board);
        let mut cells = node.board.safe_cells(l);
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            cells ^= cell;
            let column = l.column_of(cell);
            let (after, forced) = match node.board.play(l, cell).resolve(l, node.rest - 1) {
                Resolved::Decided(score) => {
                    best.raise(-score, column);
                    if best.score > node.alpha {
                        return true;
                    }
                    continue;
                }
                Resolved::Quiet(after, forced) => (after, forced),
            };
            let plies = forced + 1;
            if let Some(score) = self.rule(node, &after, plies, Effort::Quick) {
                best.raise(score, column);
                if score > node.alpha {
                    return true;
                }
                continue;
            }
            let mut place = Place::default();
            if node.rest - plies as i32 >= LEAST_REST_IN_TABLE {
                place = self.table.place(l, key_of(l, kind, &after).key);
                self.table.prefetch(place);
            }
            let from_table = remembered == Some(column);
            let candidate = Candidate { cell, column, after: &after, forced, from_table };
            let weight = weigh(l, &lines, &WEIGHTS, &candidate);
            self.branches.push(Branch { board: after, place, column, plies, weight });
        }
        false
    }

    /// Drops branches that the table knows enough about. True if the node is settled.
    #[inline(always)]
    fn ask_table(&mut self, node: &Node<'_>, best: &mut Best) -> bool {
        let mut i = node.base;
        while i < self.branches.len() {
            let Branch { place, plies, column, .. } = self.branches[i];
            let asked = node.rest - plies as i32 >= LEAST_REST_IN_TABLE;
            if let Some(proved) = asked.then(|| self.table.probe(place)).flatten() {
                let (lower, upper) = if plies & 1 == 1 {
                    (-proved.upper, -proved.lower)
                } else {
                    (proved.lower, proved.upper)
                };
                if lower > node.alpha {
                    best.raise(lower, column);
                    return true;
                }
                if upper <= node.alpha {
                    best.raise(upper, column);
                    self.branches.swap_remove(i);
                    continue;
                }
            }
            i += 1;
        }
        false
    }

    /// Drops branches that the costlier rules know enough about. True if the node is settled.
    fn ask_rules(&mut self, node: &Node<'_>, best: &mut Best) -> bool {
        if node.rest < LEAST_REST_FOR_FULL_BOUNDS {
            return false;
        }
        // The node itself, as if it were a branch of no plies.
        if let Some(upper) = self.rule(node, node.board, 0, Effort::Full) {
            best.raise(upper, best.column);
            return true;
        }
        let mut i = node.base;
        while i < self.branches.len() {
            let Branch { board, plies, column, .. } = self.branches[i];
            match self.rule(node, &board, plies, Effort::Full) {
                Some(score) => {
                    best.raise(score, column);
                    if score > node.alpha {
                        return true;
                    }
                    self.branches.swap_remove(i);
                }
                None => i += 1,
            }
        }
        false
    }

    /// A bound of a position `plies` below a node, for the side to move at the node, that settles
    /// on which side of its window the position lies: an upper bound of at most alpha where that
    /// side is to move again, else a lower bound above alpha.
    #[inline(always)]
    fn rule(&self, node: &Node<'_>, board: &Board, plies: u32, effort: Effort) -> Option<Score> {
        if self.rules != Rules::InUse {
            return None;
        }
        let l = self.layout.geometry();
        if plies & 1 == 1 {
            bounds::follow_up(l, board, -node.alpha - 1, effort).map(|upper| -upper)
        } else {
            bounds::follow_up(l, board, node.alpha, effort)
        }
    }

    /// Searches the branches that are left, until the node is settled or there is none.
    #[inline(always)]
    fn search_branches(&mut self, node: &Node<'_>, best: &mut Best) -> Result<(), Halt> {
        let mut searched = 0;
        while self.branches.len() > node.base {
            let heaviest = self.heaviest_from(node.base);
            let branch = self.branches.swap_remove(heaviest);
            let score = self.search_branch(&branch, node.rest, node.alpha)?;
            best.raise(score, branch.column);
            if score > node.alpha {
                return Ok(());
            }
            searched += 1;
            if searched >= self.elder_brothers
                && node.rest >= LEAST_REST_TO_SPLIT
                && self.branches.len() > node.base + 1
            {
                let mut others = self.branches.split_off(node.base);
                others.sort_by_key(|branch| (-branch.weight, branch.column));
                return self.search_side_by_side(&others, node.rest, node.alpha, best);
            }
        }
        Ok(())
    }

    /// The score of a branch for the side to move at its node, which has `rest` empty cells: as
    /// [`search`](Self::search) gives it.
    pub(super) fn search_branch(
        &mut self,
        branch: &Branch,
        rest: i32,
        alpha: Score,
    ) -> Result<Score, Halt> {
        let rest = rest - branch.plies as i32;
        if branch.plies & 1 == 1 {
            Ok(-self.search(&branch.board, rest, -alpha - 1)?)
        } else {
            self.search(&branch.board, rest, alpha)
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
