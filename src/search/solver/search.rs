//! The null-window search of one thread.

use super::board::{Board, Resolved};
use super::bounds::{self, Effort};
use super::key::key_of;
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

/// A search of one thread.
#[derive(Debug)]
pub struct Searcher<'s, L> {
    layout: &'s L,
    table: &'s Table,
    rules: Rules,
    control: &'s Control,
    /// Positions searched so far.
    pub nodes: u64,
    /// The branches of all nodes on the way from the root, those of a node together.
    branches: Vec<Branch>,
    /// Nodes with at least so many empty cells are searched by many threads.
    split_from: i32,
    /// Whether somebody still waits for the result; `None` if nobody else could settle it.
    pub(super) wanted: Option<&'s Wanted<'s>>,
}

impl<'s, L: Shape<Layout>> Searcher<'s, L> {
    /// A search that has not begun.
    ///
    /// It asks for help if the current thread pool has more than one thread.
    pub fn new(layout: &'s L, table: &'s Table, rules: Rules, control: &'s Control) -> Self {
        let alone = rayon::current_num_threads() == 1;
        Self {
            layout,
            table,
            rules,
            control,
            nodes: 0,
            branches: Vec::with_capacity(BRANCHES_AT_FIRST),
            split_from: if alone { i32::MAX } else { LEAST_REST_TO_SPLIT },
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
        let l = self.layout.geometry();
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
        let kind = self.table.key_kind();
        let mut home = None;
        let mut remembered = None;
        if rest >= LEAST_REST_IN_TABLE {
            let named = key_of(l, kind, board);
            home = Some((self.table.place(l, named.key), named.mirrored));
        }
        if let Some((place, mirrored)) = home
            && let Some(proved) = self.table.probe(place)
        {
            if proved.upper <= alpha {
                return Ok(proved.upper);
            }
            if proved.lower > alpha {
                return Ok(proved.lower);
            }
            let width = u32::from(l.size.width);
            remembered = Some(if mirrored { width - 1 - proved.column } else { proved.column });
        }

        let base = self.branches.len();
        let mut best = least;
        let mut best_column = 0;
        let lines = OpenLines::new(l, board);
        let mut cells = board.safe_cells(l);
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            cells ^= cell;
            let column = l.column_of(cell);
            match board.play(l, cell).resolve(l, rest - 1) {
                Resolved::Decided(score) => {
                    if -score > alpha {
                        self.branches.truncate(base);
                        return Ok(-score);
                    }
                    if -score > best {
                        (best, best_column) = (-score, column);
                    }
                }
                Resolved::Quiet(after, forced) => {
                    let after_rest = rest - 1 - forced as i32;
                    let own_turn = forced & 1 == 1;
                    let window = if own_turn { alpha } else { -alpha - 1 };
                    if self.rules == Rules::InUse
                        && let Some(upper) = bounds::follow_up(l, &after, window, Effort::Quick)
                    {
                        if !own_turn {
                            self.branches.truncate(base);
                            return Ok(-upper);
                        }
                        best = best.max(upper);
                        continue;
                    }
                    let mut place = Place::default();
                    if after_rest >= LEAST_REST_IN_TABLE {
                        place = self.table.place(l, key_of(l, kind, &after).key);
                        self.table.prefetch(place);
                    }
                    let candidate = Candidate {
                        cell,
                        column,
                        after: &after,
                        forced,
                        from_table: remembered == Some(column),
                    };
                    self.branches.push(Branch {
                        board: after,
                        place,
                        column,
                        plies: forced + 1,
                        weight: weigh(l, &lines, &WEIGHTS, &candidate),
                    });
                }
            }
        }

        // What the table knows of the branches may settle the node without a search.
        let mut i = base;
        while i < self.branches.len() {
            let branch = self.branches[i];
            if rest - (branch.plies as i32) < LEAST_REST_IN_TABLE {
                i += 1;
                continue;
            }
            if let Some(proved) = self.table.probe(branch.place) {
                let (lower, upper) = if branch.plies & 1 == 1 {
                    (-proved.upper, -proved.lower)
                } else {
                    (proved.lower, proved.upper)
                };
                if lower > alpha {
                    self.branches.truncate(base);
                    return Ok(lower);
                }
                if upper <= alpha {
                    best = best.max(upper);
                    self.branches.swap_remove(i);
                    continue;
                }
            }
            i += 1;
        }

        if self.rules == Rules::InUse && rest >= LEAST_REST_FOR_FULL_BOUNDS {
            if let Some(upper) = bounds::follow_up(l, board, alpha, Effort::Full) {
                self.branches.truncate(base);
                return Ok(best.max(upper));
            }
            let mut i = base;
            while i < self.branches.len() {
                let Branch { board: after, plies, .. } = self.branches[i];
                let own_turn = plies & 1 == 0;
                let window = if own_turn { alpha } else { -alpha - 1 };
                if let Some(upper) = bounds::follow_up(l, &after, window, Effort::Full) {
                    if !own_turn {
                        self.branches.truncate(base);
                        return Ok(-upper);
                    }
                    best = best.max(upper);
                    self.branches.swap_remove(i);
                } else {
                    i += 1;
                }
            }
        }

        while self.branches.len() > base {
            let heaviest = self.heaviest_from(base);
            let branch = self.branches.swap_remove(heaviest);
            let score = self.search_branch(&branch, rest, alpha)?;
            if score > best {
                (best, best_column) = (score, branch.column);
                if score > alpha {
                    self.branches.truncate(base);
                    break;
                }
            }
            if rest >= self.split_from && self.branches.len() > base + 1 {
                let mut others = self.branches.split_off(base);
                others.sort_by_key(|branch| (-branch.weight, branch.column));
                let (score, column) = self.search_side_by_side(&others, rest, alpha, best)?;
                (best, best_column) = (score, column.unwrap_or(best_column));
            }
        }
        if let Some((place, mirrored)) = home {
            let width = u32::from(l.size.width);
            let column = if mirrored { width - 1 - best_column } else { best_column };
            let proved = if best > alpha {
                Proved { lower: best, upper: most, column }
            } else {
                Proved { lower: least, upper: best, column }
            };
            self.table.store(place, proved, self.nodes - entered_at + 1);
        }
        Ok(best)
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
