//! The null-window search of one thread.

use super::board::{Board, Resolved};
use super::bounds::{self, Effort};
use super::key::key_of;
use super::layout::Layout;
use super::ordering::{Candidate, OpenLines, WEIGHTS, weigh};
use super::score::{Score, least_without_loss_at_once, most_without_win_at_once};
use super::table::{Place, Proved, Table};
use crate::control::{Control, Stopped};
use crate::game::Shape;

/// The table is not asked about positions with fewer empty cells: searching them again costs
/// less than a look into memory.
const LEAST_REST_IN_TABLE: i32 = 9;

/// The bounds that cost more are tried on positions with at least so many empty cells.
const LEAST_REST_FOR_FULL_BOUNDS: i32 = 18;

/// Nodes between two looks at the control.
pub const NODES_PER_CHECK: u64 = 1 << 12;

/// One move of a node: the position after it and all replies it forces.
#[derive(Clone, Copy, Debug)]
struct Branch {
    board: Board,
    place: Place,
    column: u32,
    /// Plies from the node to `board`, at least 1.
    plies: u32,
    weight: i32,
}

/// A search of one thread.
#[derive(Debug)]
pub struct Searcher<'s, L> {
    layout: &'s L,
    table: &'s Table,
    control: &'s Control,
    /// Positions searched so far.
    pub nodes: u64,
    /// The branches of all nodes on the way from the root, those of a node together.
    branches: Vec<Branch>,
}

impl<'s, L: Shape<Layout>> Searcher<'s, L> {
    /// A search that has not begun.
    pub fn new(layout: &'s L, table: &'s Table, control: &'s Control) -> Self {
        Self { layout, table, control, nodes: 0, branches: Vec::with_capacity(1024) }
    }

    /// Proves on which side of the window (alpha, alpha + 1) the score of a quiet position lies:
    /// a result of at most alpha is an upper bound of the score, any other a lower bound.
    ///
    /// Quiet is as [`Resolved::Quiet`] says.
    pub fn search(&mut self, board: &Board, rest: i32, alpha: Score) -> Result<Score, Stopped> {
        let l = self.layout.geometry();
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.control.check()?;
            self.control.advance(NODES_PER_CHECK);
        }
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
        let named = key_of(l, kind, board);
        let place = self.table.place(l, named.key);
        let mut remembered = None;
        if rest >= LEAST_REST_IN_TABLE
            && let Some(proved) = self.table.probe(place)
        {
            if proved.upper <= alpha {
                return Ok(proved.upper);
            }
            if proved.lower > alpha {
                return Ok(proved.lower);
            }
            let width = u32::from(l.size.width);
            remembered =
                Some(if named.mirrored { width - 1 - proved.column } else { proved.column });
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
                    if let Some(upper) = bounds::follow_up(l, &after, window, Effort::Quick) {
                        if !own_turn {
                            self.branches.truncate(base);
                            return Ok(-upper);
                        }
                        best = best.max(upper);
                        continue;
                    }
                    let place = self.table.place(l, key_of(l, kind, &after).key);
                    if after_rest >= LEAST_REST_IN_TABLE {
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

        if rest >= LEAST_REST_FOR_FULL_BOUNDS {
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
            let heaviest = (base..self.branches.len())
                .max_by_key(|&i| (self.branches[i].weight, self.branches[i].column))
                .expect("there is a branch left");
            let branch = self.branches.swap_remove(heaviest);
            let branch_rest = rest - branch.plies as i32;
            let score = if branch.plies & 1 == 1 {
                -self.search(&branch.board, branch_rest, -alpha - 1)?
            } else {
                self.search(&branch.board, branch_rest, alpha)?
            };
            if score > best {
                (best, best_column) = (score, branch.column);
                if score > alpha {
                    self.branches.truncate(base);
                    break;
                }
            }
        }
        if rest >= LEAST_REST_IN_TABLE {
            let width = u32::from(l.size.width);
            let column = if named.mirrored { width - 1 - best_column } else { best_column };
            let proved = if best > alpha {
                Proved { lower: best, upper: most, column }
            } else {
                Proved { lower: least, upper: best, column }
            };
            self.table.store(place, proved, self.nodes - entered_at + 1);
        }
        Ok(best)
    }
}
