//! The null-window search of one thread.

use super::board::{Board, Resolved};
use super::bounds::{self, Effort};
use super::key::{Named, key_of};
use super::layout::LaidOut;
use super::ordering::{Candidate, OpenLines, WEIGHTS, weigh};
use super::parallel::{Halt, Wanted};
use super::score::{Score, least_without_loss_at_once, most_without_win_at_once};
use super::table::{Place, Proved, Table};
use crate::control::Control;
use crate::game::Word;

/// The table is not asked about positions with fewer empty cells: searching them again costs
/// less than a look into memory.
pub const LEAST_REST_IN_TABLE: i32 = 9;

/// The bounds that cost more are tried on positions with at least so many empty cells.
const LEAST_REST_FOR_FULL_BOUNDS: i32 = 20;

/// Nodes with at least so many empty cells are split among threads. Fewer make too little work.
const LEAST_REST_TO_SPLIT: i32 = 20;

/// Nodes fewer plies below the root are not split: what is lost there when a later branch settles
/// the node is dear, and the nodes below give every thread enough to do.
const PLIES_UNSPLIT: i32 = 8;

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
pub struct Branch<W> {
    board: Board<W>,
    home: Home,
    cell: W,
    /// The column of the move.
    pub column: u32,
    /// Plies from the node to `board`, at least 1.
    plies: u32,
    weight: i32,
}

/// Where the table keeps a position, if it is asked about it at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Home {
    place: Option<Place>,
    /// True if the table holds the mirror image.
    mirrored: bool,
}

/// A node that is being searched.
struct Node<'n, W> {
    board: &'n Board<W>,
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

/// What the processor can do. Everything is compiled once for each, and picked at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What the program is compiled for.
    Any,
    /// x86-64 level 3: bit fields, shifts by any register, population counts and AVX2.
    #[cfg(target_arch = "x86_64")]
    Third,
}

impl Level {
    /// The level of this processor.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            return Self::Third;
        }
        Self::Any
    }
}

/// A search of one thread.
#[derive(Debug)]
pub struct Searcher<'s, L: LaidOut> {
    level: Level,
    layout: &'s L,
    table: &'s Table,
    rules: Rules,
    pub control: &'s Control,
    /// Positions searched so far.
    pub nodes: u64,
    /// The branches of all nodes on the way from the root, those of a node together.
    branches: Vec<Branch<L::Word>>,
    /// So many branches of a node are searched before the others are split among threads. The
    /// more threads, the more work is lost when a later branch settles the node.
    elder_brothers: u32,
    /// Only nodes with at most so many empty cells are split.
    most_rest_to_split: i32,
    /// Whether somebody still waits for the result; `None` if nobody else could settle it.
    pub(super) wanted: Option<&'s Wanted<'s>>,
}

impl<'s, L: LaidOut> Searcher<'s, L> {
    /// A search that has not begun, from a root with so many empty cells.
    ///
    /// It asks for help if the current thread pool has more than one thread.
    pub fn new(
        level: Level,
        layout: &'s L,
        table: &'s Table,
        rules: Rules,
        control: &'s Control,
        rest: i32,
    ) -> Self {
        let threads = rayon::current_num_threads();
        Self {
            level,
            layout,
            table,
            rules,
            control,
            nodes: 0,
            branches: Vec::with_capacity(BRANCHES_AT_FIRST),
            elder_brothers: threads.ilog2().div_ceil(2),
            most_rest_to_split: if threads == 1 { 0 } else { rest - PLIES_UNSPLIT },
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
    pub fn search(
        &mut self,
        board: &Board<L::Word>,
        home: Home,
        rest: i32,
        alpha: Score,
    ) -> Result<Score, Halt> {
        #[cfg(target_arch = "x86_64")]
        if self.level == Level::Third {
            // SAFETY: the level says that the processor has the features.
            return unsafe { self.search_on_level_3(board, home, rest, alpha) };
        }
        self.search_here(board, home, rest, alpha)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn search_on_level_3(
        &mut self,
        board: &Board<L::Word>,
        home: Home,
        rest: i32,
        alpha: Score,
    ) -> Result<Score, Halt> {
        self.search_here(board, home, rest, alpha)
    }

    #[inline(always)]
    fn search_here(
        &mut self,
        board: &Board<L::Word>,
        home: Home,
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
        let entered_at = self.nodes;
        let l = self.layout.geometry();
        let image = |column| {
            if home.mirrored { u32::from(l.size.width) - 1 - column } else { column }
        };
        let mut remembered = None;
        if let Some(place) = home.place
            && let Some(proved) = self.table.probe(place)
        {
            if proved.upper <= alpha {
                return Ok(proved.upper);
            }
            if proved.lower > alpha {
                return Ok(proved.lower);
            }
            remembered = Some(image(proved.column));
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
        if let Some(place) = home.place {
            let column = image(best.column);
            let proved = if best.score > alpha {
                Proved { lower: best.score, upper: most, column }
            } else {
                Proved { lower: least, upper: best.score, column }
            };
            self.table.store(place, proved, self.nodes - entered_at + 1);
        }
        Ok(best.score)
    }

    /// Where the table keeps a position with so many empty cells; its memory is asked for.
    #[inline(always)]
    pub fn home(&self, board: &Board<L::Word>, rest: i32) -> Home {
        if rest < LEAST_REST_IN_TABLE {
            return Home::default();
        }
        let l = self.layout.geometry();
        let Named { key, mirrored } = key_of(l, self.table.key_kind(), board);
        let place = self.table.place(l, key);
        self.table.prefetch(place);
        Home { place: Some(place), mirrored }
    }

    /// Makes the branches of a node that are not decided at once. True if the node is settled:
    /// `best` is then its result.
    #[inline(always)]
    fn branch_out(
        &mut self,
        node: &Node<'_, L::Word>,
        remembered: Option<u32>,
        best: &mut Best,
    ) -> bool {
        let l = self.layout.geometry();
        let mut cells = node.board.safe_cells(l);
        while cells != Word::ZERO {
            let cell = cells.lowest();
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
            let home = self.home(&after, node.rest - plies as i32);
            self.branches.push(Branch { board: after, home, cell, column, plies, weight: 0 });
        }
        // Apart from the loop above, so that there is time for the table's memory to come.
        let lines = OpenLines::new(l, node.board);
        for branch in &mut self.branches[node.base..] {
            let candidate = Candidate {
                cell: branch.cell,
                column: branch.column,
                after: &branch.board,
                forced: branch.plies - 1,
                from_table: remembered == Some(branch.column),
            };
            branch.weight = weigh(l, &lines, &WEIGHTS, &candidate);
        }
        false
    }

    /// Drops branches that the table knows enough about. True if the node is settled.
    #[inline(always)]
    fn ask_table(&mut self, node: &Node<'_, L::Word>, best: &mut Best) -> bool {
        let mut i = node.base;
        while i < self.branches.len() {
            let Branch { home, plies, column, .. } = self.branches[i];
            if let Some(proved) = home.place.and_then(|place| self.table.probe(place)) {
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
    #[inline(always)]
    fn ask_rules(&mut self, node: &Node<'_, L::Word>, best: &mut Best) -> bool {
        if node.rest < LEAST_REST_FOR_FULL_BOUNDS {
            return false;
        }
        #[cfg(target_arch = "x86_64")]
        if self.level == Level::Third {
            // SAFETY: the level says that the processor has the features.
            return unsafe { self.ask_rules_on_level_3(node, best) };
        }
        self.ask_rules_here(node, best)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn ask_rules_on_level_3(&mut self, node: &Node<'_, L::Word>, best: &mut Best) -> bool {
        self.ask_rules_here(node, best)
    }

    #[inline(always)]
    fn ask_rules_here(&mut self, node: &Node<'_, L::Word>, best: &mut Best) -> bool {
        // The node itself comes first, as if it were a branch of no plies.
        let (mut board, mut plies, mut column) = (*node.board, 0, best.column);
        let mut i = node.base;
        loop {
            match self.rule(node, &board, plies, Effort::Full) {
                Some(score) => {
                    best.raise(score, column);
                    if plies == 0 || score > node.alpha {
                        return true;
                    }
                    self.branches.swap_remove(i);
                }
                None => i += usize::from(plies > 0),
            }
            let Some(branch) = self.branches.get(i) else { return false };
            Branch { board, plies, column, .. } = *branch;
        }
    }

    /// A bound of a position `plies` below a node, for the side to move at the node, that settles
    /// on which side of its window the position lies: an upper bound of at most alpha where that
    /// side is to move again, else a lower bound above alpha.
    #[inline(always)]
    fn rule(
        &self,
        node: &Node<'_, L::Word>,
        board: &Board<L::Word>,
        plies: u32,
        effort: Effort,
    ) -> Option<Score> {
        if self.rules != Rules::InUse {
            return None;
        }
        let turned = plies & 1 == 1;
        let alpha = if turned { -node.alpha - 1 } else { node.alpha };
        let upper = bounds::follow_up(self.layout.geometry(), board, alpha, effort)?;
        Some(if turned { -upper } else { upper })
    }

    /// Searches the branches that are left, until the node is settled or there is none.
    #[inline(always)]
    fn search_branches(&mut self, node: &Node<'_, L::Word>, best: &mut Best) -> Result<(), Halt> {
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
                && (LEAST_REST_TO_SPLIT..=self.most_rest_to_split).contains(&node.rest)
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
        branch: &Branch<L::Word>,
        rest: i32,
        alpha: Score,
    ) -> Result<Score, Halt> {
        let rest = rest - branch.plies as i32;
        if branch.plies & 1 == 1 {
            Ok(-self.search(&branch.board, branch.home, rest, -alpha - 1)?)
        } else {
            self.search(&branch.board, branch.home, rest, alpha)
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
