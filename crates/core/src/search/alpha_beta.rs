//! The alpha-beta of textbooks, over trees of any kind, and the searches of games by it.

use super::evaluation::Evaluation;
use super::history::History;
use super::minimax::over;
use super::points::Points;
use super::settings::{MoveOrder, Pruning, TableUse};
use super::table::{Bound, SharedTable, TableEntry};
use crate::control::{Control, Stopped};
use crate::game::{
    Evaluate, Game, GameKey, Move, Symmetric, Symmetry, Tiered, branches, sort_by_key,
};
use crate::statistics::SearchCounters;

/// A game that can be searched: it has an end, an evaluation, and keys for the table.
pub trait Searchable: Evaluate + Tiered + Symmetric<Key: GameKey> {}

impl<G: Evaluate + Tiered + Symmetric<Key: GameKey>> Searchable for G {}

/// Nodes between two checks of the control, and of what other threads have settled: a look at each position of
/// the path, which takes as long as some forty nodes.
pub(super) const NODES_PER_CHECK: u64 = 1 << 12;

/// A tree that [`alpha_beta`] searches. Scores are for the side to move at their node.
pub trait Tree {
    type Node;
    /// The moves of a node, as far as they are not searched.
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

    /// Takes the next move of a node: returns the node it leads to, and whether it keeps the turn.
    fn next(&mut self, node: &Self::Node, moves: &mut Self::Moves) -> Option<(Self::Node, bool)>;

    /// Leaves a node with its score, which the move with this number, from 0, attains.
    fn leave(
        &mut self,
        node: &Self::Node,
        moves: Self::Moves,
        window: [Points; 2],
        best: (Points, usize),
    ) -> Result<(), Self::Error>;
}

/// The first look at a node of a tree.
pub enum Visit<M> {
    /// The score, if no move has to be searched.
    Score(Points),
    Moves(M),
}

/// Searches a node of a tree by alpha-beta, as in textbooks. The score is exact inside the window; at or below
/// alpha, an upper bound of the score; at or above beta, a lower bound (fail-soft).
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

/// Returns the score of a move for the side that makes it: by a null window first, if the search has them and another
/// move has set alpha.
pub(super) fn try_move<T: Tree>(
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

/// A search of a game by alpha-beta: its parts, and what it counts and learns.
pub(super) struct Searcher<'a, G: Game> {
    pub game: &'a G,
    pub table: Option<&'a SharedTable>,
    pub table_use: TableUse,
    pub order: MoveOrder,
    pub pruning: Pruning,
    pub evaluation: Evaluation,
    pub control: &'a Control,
    pub counters: SearchCounters,
    pub history: History,
    /// The moves of the nodes on the way to the current one, each with its bit.
    pub moves: Vec<(u32, G::Move)>,
}

/// A node below the root.
#[derive(Clone, Copy)]
pub(super) struct Node<P> {
    pub position: P,
    pub depth: u32,
    /// Proven ends are counted from the root.
    pub from_root: u32,
    /// The side to move, the root's being false.
    pub turn: bool,
}

/// The moves of a node that are not searched: from the next on, in the list of all nodes.
pub(super) struct Moves<K> {
    first: usize,
    next: usize,
    named: Option<(K, Symmetry)>,
}

impl<G: Searchable> Tree for Searcher<'_, G> {
    type Node = Node<G::Position>;
    type Moves = Moves<G::Key>;
    type Error = Stopped;

    fn pruning(&self) -> Pruning {
        self.pruning
    }

    fn visit(
        &mut self,
        &Node { position, depth, from_root, turn }: &Self::Node,
        [alpha, beta]: [Points; 2],
    ) -> Result<Visit<Self::Moves>, Stopped> {
        self.counters.nodes += 1;
        if self.counters.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.control.advance(NODES_PER_CHECK);
            self.control.check()?;
        }
        if let Some(outcome) = self.game.result(position) {
            return Ok(Visit::Score(over(outcome, from_root)));
        }
        if depth == 0 {
            self.counters.leaf_evaluations += 1;
            return Ok(Visit::Score(self.evaluation.points(self.game, position)));
        }
        let game = self.game;
        let named = self.table.map(|_| game.canonical(position));
        let mut table_move = None;
        if let (Some(table), Some((key, symmetry))) = (self.table, named) {
            self.counters.table_probes += 1;
            if let Some(entry) = table.probe(&table.slot(key)) {
                self.counters.table_hits += 1;
                table_move = move_of_label(game, position, entry.best, symmetry);
                if self.table_use == TableUse::MoveAndScore
                    && let Some(points) = entry.settles(depth, from_root, alpha, beta)
                {
                    return Ok(Visit::Score(points));
                }
            }
        }
        let first = self.moves.len();
        let is_learned = self.pruning >= Pruning::History;
        let order = if is_learned { MoveOrder::Best } else { self.order };
        add_moves(game, position, order, &mut self.moves);
        let mut rest = first;
        if let Some(m) = table_move
            && let Some(place) = self.moves[first..].iter().position(|other| *other == m)
        {
            self.moves.copy_within(first..first + place, first + 1);
            self.moves[first] = m;
            rest += 1;
        }
        if is_learned {
            let points = |m: &_| self.history.of(turn, game.habit(position, *m));
            sort_by_key(&mut self.moves[rest..], |m| -points(m));
        }
        Ok(Visit::Moves(Moves { first, next: first, named }))
    }

    fn next(&mut self, node: &Self::Node, moves: &mut Self::Moves) -> Option<(Self::Node, bool)> {
        let (game, position) = (self.game, node.position);
        let &(_, m) = self.moves.get(moves.next)?;
        moves.next += 1;
        if let Some(table) = self.table
            && node.depth > 1
            && let Some(&(_, following)) = self.moves.get(moves.next)
        {
            // The table is larger than any cache: fetch the entry of the next move while this
            // move is searched. It is too late for this move, and useless at the horizon.
            table.fetch(game.canonical(game.play(position, following)).0);
        }
        let (position, keeps_turn) = game.step(position, m);
        Some((node.below(position, keeps_turn), keeps_turn))
    }

    fn leave(
        &mut self,
        &Node { position, depth, from_root, turn }: &Self::Node,
        Moves { first, named, .. }: Self::Moves,
        [alpha, beta]: [Points; 2],
        (points, number): (Points, usize),
    ) -> Result<(), Stopped> {
        let (bit, m) = self.moves[first + number];
        self.moves.truncate(first);
        if points >= beta {
            self.counters.cutoffs += 1;
            self.counters.first_move_cutoffs += u64::from(number == 0);
            let habit = self.game.habit(position, (bit, m));
            self.history.add(turn, habit, (depth * depth).min(256) as i32);
        }
        if let (Some(table), Some((key, symmetry))) = (self.table, named) {
            self.counters.table_stores += 1;
            let best = label_of(self.game, position, (bit, m), symmetry);
            let bound = Bound::of(points, alpha, beta);
            let points = points.seen_from_below(from_root);
            let replaces =
                table.store(&table.slot(key), TableEntry { depth, bound, points, best, work: 0 });
            self.counters.table_replacements += u64::from(replaces);
        }
        Ok(())
    }
}

impl<P> Node<P> {
    /// Returns the node below a move of this one.
    pub const fn below(&self, position: P, keeps_turn: bool) -> Self {
        let turn = self.turn == keeps_turn;
        Self { position, depth: self.depth - 1, from_root: self.from_root + 1, turn }
    }
}

/// Adds the moves of a position, each with its bit, to a list. Not inlined: the rules of a game and the sorting
/// of its moves are long.
#[inline(never)]
pub fn add_moves<G: Evaluate>(
    game: &G,
    position: G::Position,
    order: MoveOrder,
    moves: &mut Vec<(u32, G::Move)>,
) {
    let first = moves.len();
    if order == MoveOrder::Natural {
        branches(game, position).for_each(|(bit, m, ..)| moves.push((bit, m)));
    } else {
        game.in_order(position).for_each(|m| moves.push(m));
    }
    if order == MoveOrder::Worst {
        moves[first..].reverse();
    }
}

/// Returns a move as the table stores it: six bits of its label in an image of the position.
#[inline(always)]
pub(super) fn label_of<G: Symmetric>(
    game: &G,
    position: G::Position,
    m: (u32, G::Move),
    symmetry: Symmetry,
) -> Move {
    Move((game.image_label(position, m, symmetry) & 63) as u8)
}

/// Returns the label of the move with a bit.
#[inline(always)]
pub(super) fn label_of_bit<G: Symmetric>(
    game: &G,
    position: G::Position,
    bit: u32,
    symmetry: Symmetry,
) -> Move {
    let m = game.move_of_bit(position, bit);
    m.map_or(Move(0), |m| label_of(game, position, (bit, m), symmetry))
}

/// Returns the move of a label, with its bit; `None` if several moves have the label, as they may where there
/// are more than 64.
#[inline(never)]
pub(super) fn move_of_label<G: Symmetric>(
    game: &G,
    position: G::Position,
    label: Move,
    symmetry: Symmetry,
) -> Option<(u32, G::Move)> {
    let mut labelled = None;
    for (ordinal, m) in (0u32..).zip(game.moves(position)) {
        let m = (game.bit(ordinal, m), m);
        if label_of(game, position, m, symmetry) == label && labelled.replace(m).is_some() {
            return None;
        }
    }
    labelled
}
