//! Textbook alpha-beta over any kind of tree, and searches of games with it.

use super::points::Points;
use super::positions::{Branch, Child, Level, Positions, State};
use super::settings::{MoveOrder, Pruning, Settings, TableUse};
use super::table::{Bound, TableEntry};
use crate::control::Stopped;
use crate::game::sort_by_key;
use crate::statistics::SearchCounters;

/// Nodes between two checks of the control and of the results of other threads. A check looks up each position
/// on the path, which takes as long as some forty nodes.
pub(super) const NODES_PER_CHECK: u64 = 1 << 12;

/// A tree that [`alpha_beta`] searches. Scores are for the side to move at their node.
pub trait Tree {
    type Node;
    /// The moves of a node that are still to be searched.
    type Moves;
    type Error;

    /// Returns the pruning: none, cutoffs, or null windows too.
    fn pruning(&self) -> Pruning;

    /// Visits a node with a window.
    fn visit(
        &mut self,
        node: &Self::Node,
        window: [Points; 2],
    ) -> Result<Visit<Self::Moves>, Self::Error>;

    /// Returns the node that the next move leads to, and whether the move keeps the turn.
    fn next(&mut self, node: &Self::Node, moves: &mut Self::Moves) -> Option<(Self::Node, bool)>;

    /// Leaves a node: `best` is its score, and the number, from 0, of a move that attains it.
    fn leave(
        &mut self,
        node: &Self::Node,
        moves: Self::Moves,
        window: [Points; 2],
        best: (Points, usize),
    ) -> Result<(), Self::Error>;
}

/// The result of [`Tree::visit`].
pub enum Visit<M> {
    /// The score, if no move has to be searched.
    Score(Points),
    Moves(M),
}

/// Searches a node of a tree by alpha-beta, as in textbooks. The score is exact inside the window, an upper
/// bound at or below alpha, a lower bound at or above beta (fail-soft).
pub fn alpha_beta<T: Tree>(
    tree: &mut T,
    node: &T::Node,
    window: [Points; 2],
) -> Result<Points, T::Error> {
    let mut moves = match tree.visit(node, window)? {
        Visit::Score(points) => return Ok(points),
        Visit::Moves(moves) => moves,
    };
    let [mut alpha, beta] = window;
    let (mut best, mut number) = ((-Points::INFINITY, 0), 0);
    while let Some((child, keeps_turn)) = tree.next(node, &mut moves) {
        let points = try_move(tree, &child, keeps_turn, [alpha, beta])?;
        if points > best.0 {
            best = (points, number);
        }
        if tree.pruning() > Pruning::Nothing {
            alpha = alpha.max(points);
            if alpha >= beta {
                break;
            }
        }
        number += 1;
    }
    tree.leave(node, moves, window, best)?;
    Ok(best.0)
}

/// Returns the score of a move for the side that makes it. A null window comes first if the search uses them and
/// another move has set alpha.
fn try_move<T: Tree>(
    tree: &mut T,
    child: &T::Node,
    keeps_turn: bool,
    [alpha, beta]: [Points; 2],
) -> Result<Points, T::Error> {
    let has_null_windows = tree.pruning() >= Pruning::NullWindows;
    let mut within = |beta: Points| match keeps_turn {
        true => alpha_beta(tree, child, [alpha, beta]),
        false => alpha_beta(tree, child, [-beta, -alpha]).map(|points| -points),
    };
    if has_null_windows && alpha > -Points::INFINITY {
        let null = Points(alpha.0 + 1);
        let points = within(null)?;
        if points <= alpha || null >= beta {
            return Ok(points);
        }
    }
    within(beta)
}

/// A search of a game by alpha-beta.
pub(super) struct Searcher<'a> {
    positions: Box<dyn Positions + 'a>,
    pub state: State<'a>,
    settings: Settings,
    /// The moves of the nodes on the way to the current one.
    moves: Vec<Branch>,
}

impl<'a> Searcher<'a> {
    pub fn new(positions: Box<dyn Positions + 'a>, state: State<'a>, settings: Settings) -> Self {
        Self { positions, state, settings, moves: Vec::new() }
    }

    /// Searches a move of the root to a depth, with the window above `alpha`; resets the counters.
    pub fn try_root_move(
        &mut self,
        m: Branch,
        depth: u32,
        alpha: Points,
    ) -> Result<Points, Stopped> {
        self.state.counters = SearchCounters::default();
        let level = Level { depth, from_root: 0, turn: false }.below(m.keeps_turn);
        try_move(self, &(m.next, level), m.keeps_turn, [alpha, Points::INFINITY])
    }
}

/// The moves of a node in the list of all nodes: the first, and the next to be searched.
pub(super) struct Moves {
    first: usize,
    next: usize,
    child: Option<Child>,
}

impl Tree for Searcher<'_> {
    /// The number of a position, and its place in the tree.
    type Node = (u32, Level);
    type Moves = Moves;
    type Error = Stopped;

    fn pruning(&self) -> Pruning {
        self.settings.pruning
    }

    fn visit(
        &mut self,
        &(place, level): &Self::Node,
        [alpha, beta]: [Points; 2],
    ) -> Result<Visit<Moves>, Stopped> {
        let Self { positions, state, settings, moves } = self;
        state.counters.nodes += 1;
        if state.counters.nodes.is_multiple_of(NODES_PER_CHECK) {
            state.control.advance(NODES_PER_CHECK);
            state.control.check()?;
        }
        if let Some(points) = positions.settled(place, level, state) {
            return Ok(Visit::Score(points));
        }
        let child = state.table.map(|table| positions.canonical(place, table));
        let mut table_move = None;
        if let (Some(table), Some(child)) = (state.table, &child) {
            state.counters.table_probes += 1;
            if let Some(entry) = table.probe(&child.slot) {
                state.counters.table_hits += 1;
                if settings.table_use == TableUse::MoveAndScore
                    && let Some(points) = child.settles(&entry, level, (alpha, beta))
                {
                    return Ok(Visit::Score(points));
                }
                table_move = positions.labelled(place, entry.best, child.symmetry);
            }
        }
        let first = moves.len();
        let is_learned = settings.pruning >= Pruning::History;
        positions.list(place, if is_learned { MoveOrder::Best } else { settings.order }, moves);
        let mut rest = &mut moves[first..];
        if let Some(i) = rest.iter().position(|branch| table_move == Some(branch.m)) {
            rest[..=i].rotate_right(1);
            rest = &mut rest[1..];
        }
        if is_learned {
            sort_by_key(rest, |branch| -state.history.of(level.turn, branch.habit));
        }
        Ok(Visit::Moves(Moves { first, next: first, child }))
    }

    fn next(&mut self, &(_, level): &Self::Node, moves: &mut Moves) -> Option<(Self::Node, bool)> {
        let &Branch { keeps_turn, next, .. } = self.moves.get(moves.next)?;
        moves.next += 1;
        if let Some(table) = self.state.table
            && level.depth > 1
            && let Some(following) = self.moves.get(moves.next)
        {
            // The table is larger than any cache: fetch the entry of the next move while this
            // move is searched. It is too late for this move, and useless at the horizon.
            self.positions.canonical(following.next, table);
        }
        Some(((next, level.below(keeps_turn)), keeps_turn))
    }

    fn leave(
        &mut self,
        &(place, Level { depth, from_root, turn }): &Self::Node,
        Moves { first, child, .. }: Moves,
        [alpha, beta]: [Points; 2],
        (points, number): (Points, usize),
    ) -> Result<(), Stopped> {
        let Branch { m, habit, .. } = self.moves[first + number];
        self.moves.truncate(first);
        let state = &mut self.state;
        if points >= beta {
            state.counters.cutoffs += 1;
            state.counters.first_move_cutoffs += u64::from(number == 0);
            state.history.add(turn, habit, (depth * depth).min(256) as i32);
        }
        if let (Some(table), Some(child)) = (state.table, child) {
            state.counters.table_stores += 1;
            let best = self.positions.label(place, m.0, child.symmetry);
            let bound = Bound::of(points, alpha, beta);
            let points = points.seen_from_below(from_root);
            let entry = TableEntry { depth, bound, points, best, work: 0 };
            state.counters.table_replacements += u64::from(table.store(&child.slot, entry));
        }
        Ok(())
    }
}
