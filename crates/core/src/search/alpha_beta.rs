//! Depth-limited alpha-beta below one position.

use super::evaluation::Evaluation;
use super::history::History;
use super::minimax::over;
use super::points::Points;
use super::settings::{MoveOrder, Pruning, TableUse};
use super::table::{Bound, SharedTable, TableEntry};
use crate::control::{Control, Stopped};
use crate::game::{Evaluate, GameKey, Move, Symmetric, Symmetry, Tiered, branches};
use crate::statistics::SearchCounters;

/// A game that can be searched: it has an end, an evaluation, and keys for the table.
pub trait Searchable: Evaluate + Tiered + Symmetric<Key: GameKey> {}

impl<G: Evaluate + Tiered + Symmetric<Key: GameKey>> Searchable for G {}

/// Nodes between two checks of the control.
const NODES_PER_CHECK: u64 = 1 << 12;

/// A search: what it works with, and what it counts and learns.
pub(super) struct Searcher<'a, G> {
    pub game: &'a G,
    pub table: Option<&'a SharedTable>,
    pub table_use: TableUse,
    pub order: MoveOrder,
    pub pruning: Pruning,
    pub evaluation: Evaluation,
    pub control: &'a Control,
    pub counters: SearchCounters,
    pub history: History,
    /// The side to move, the root's being false.
    pub turn: bool,
}

/// The best move of a node.
struct BestMove {
    points: Points,
    bit: u32,
}

/// A node whose moves are tried.
#[derive(Clone, Copy)]
struct Node<P> {
    position: P,
    depth: u32,
    from_root: u32,
    alpha: Points,
    beta: Points,
}

impl<G: Searchable> Searcher<'_, G> {
    /// The score of a position at a depth for the window (alpha, beta): exact inside the window; at
    /// or below alpha, an upper bound of the score; at or above beta, a lower bound (fail-soft).
    ///
    /// Scores are for the side to move; proven ends are counted from the root, which is
    /// `from_root` plies above.
    pub fn search(
        &mut self,
        position: G::Position,
        depth: u32,
        from_root: u32,
        alpha: Points,
        beta: Points,
    ) -> Result<Points, Stopped> {
        self.counters.nodes += 1;
        if self.counters.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.control.advance(NODES_PER_CHECK);
            self.control.check()?;
        }
        if let Some(outcome) = self.game.result(position) {
            return Ok(over(outcome, from_root));
        }
        if depth == 0 {
            self.counters.leaf_evaluations += 1;
            return Ok(self.evaluation.points(self.game, position));
        }

        let mut table_move = None;
        let table = self.table.map(|table| (table, self.game.canonical(position)));
        if let Some((table, (key, symmetry))) = table {
            self.counters.table_probes += 1;
            if let Some(entry) = table.probe(key) {
                self.counters.table_hits += 1;
                table_move = move_of_label(self.game, position, entry.best, symmetry);
                if self.table_use == TableUse::MoveAndScore
                    && let Some(points) = entry.settles(depth, from_root, alpha, beta)
                {
                    return Ok(points);
                }
            }
        }

        let node = Node { position, depth, from_root, alpha, beta };
        let BestMove { points: best, bit } = match self.order {
            _ if self.pruning >= Pruning::History => self.try_by_history(&node, table_move)?,
            MoveOrder::Best => self.try_moves(&node, table_move, self.game.in_order(position))?,
            MoveOrder::Natural => {
                let moves = branches(self.game, position).map(|(bit, m, ..)| (bit, m));
                self.try_moves(&node, table_move, moves)?
            }
            MoveOrder::Worst => self.try_worst_first(&node, table_move)?,
        };
        let bound = Bound::of(best, alpha, beta);
        let points = best.seen_from_below(from_root);
        if let Some((table, (key, symmetry))) = table {
            self.counters.table_stores += 1;
            let best = label_of_bit(self.game, position, bit, symmetry);
            let replaces = table.store(key, TableEntry { depth, bound, points, best, work: 0 });
            self.counters.table_replacements += u64::from(replaces);
        }
        Ok(best)
    }

    /// Tries the moves of a node, the worst first. No list of moves and not inlined, so that the stack
    /// of a search stays small.
    #[inline(never)]
    fn try_worst_first(
        &mut self,
        node: &Node<G::Position>,
        table_move: Option<(u32, G::Move)>,
    ) -> Result<BestMove, Stopped> {
        let (game, position) = (self.game, node.position);
        let places = (0..game.in_order(position).count()).rev();
        let moves = places.filter_map(|place| game.in_order(position).nth(place));
        self.try_moves(node, table_move, moves)
    }

    /// Tries the moves of a node, those first that ended other nodes.
    #[inline(never)]
    fn try_by_history(
        &mut self,
        node: &Node<G::Position>,
        table_move: Option<(u32, G::Move)>,
    ) -> Result<BestMove, Stopped> {
        let mut moves: Vec<_> = self.game.in_order(node.position).collect();
        let points = |m: &_| self.history.of(self.turn, self.game.habit(node.position, *m));
        moves.sort_by_key(|m| -points(m));
        self.try_moves(node, table_move, moves.into_iter())
    }

    /// Tries the moves of a node, given with their bits, the table's move first.
    #[inline(always)]
    fn try_moves(
        &mut self,
        node: &Node<G::Position>,
        table_move: Option<(u32, G::Move)>,
        moves: impl Iterator<Item = (u32, G::Move)>,
    ) -> Result<BestMove, Stopped> {
        let Node { position, depth, from_root, mut alpha, beta } = *node;
        let game = self.game;
        let rest = moves.filter(|&m| Some(m) != table_move);
        let mut moves = table_move.into_iter().chain(rest).peekable();
        let mut best = BestMove { points: -Points::INFINITY, bit: 0 };
        let mut number = 0;
        while let Some((bit, m)) = moves.next() {
            if let Some(table) = self.table
                && depth > 1
                && let Some(&(_, following)) = moves.peek()
            {
                // The table is larger than any cache: fetch the entry of the next move while this
                // move is searched. It is too late for this move, and useless at the horizon.
                let following = game.play(position, following);
                table.prefetch(game.canonical(following).0);
            }
            let next = game.play(position, m);
            let keeps_turn = game.keeps_turn(position, m);
            let points = self.try_move(next, keeps_turn, (depth, from_root), (alpha, beta))?;
            number += 1;
            if points > best.points {
                best = BestMove { points, bit };
                alpha = alpha.max(points);
                if alpha >= beta {
                    self.counters.cutoffs += 1;
                    self.counters.first_move_cutoffs += u64::from(number == 1);
                    let habit = game.habit(position, (bit, m));
                    self.history.add(self.turn, habit, (depth * depth).min(256) as i32);
                    break;
                }
            }
        }
        Ok(best)
    }

    /// The score of a move for the side that makes it, at the depth of the position before it: by a null
    /// window first, if the search has them and another move has set alpha.
    #[inline(always)]
    pub fn try_move(
        &mut self,
        next: G::Position,
        keeps_turn: bool,
        (depth, from_root): (u32, u32),
        (alpha, beta): (Points, Points),
    ) -> Result<Points, Stopped> {
        let has_null_windows = self.pruning >= Pruning::NullWindows;
        let mut within = |beta: Points| {
            if keeps_turn {
                return self.search(next, depth - 1, from_root + 1, alpha, beta);
            }
            self.turn = !self.turn;
            let points = self.search(next, depth - 1, from_root + 1, -beta, -alpha)?;
            self.turn = !self.turn;
            Ok(-points)
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
}

/// A move as the table stores it: six bits of its label in an image of the position.
#[inline(always)]
pub(super) fn label_of<G: Symmetric>(
    game: &G,
    position: G::Position,
    m: (u32, G::Move),
    symmetry: Symmetry,
) -> Move {
    Move((game.image_label(position, m, symmetry) & 63) as u8)
}

/// The label of the move with a bit.
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

/// The move of a label, with its bit; `None` if several moves have the label, as they may where there
/// are more than 64.
pub(super) fn move_of_label<G: Symmetric>(
    game: &G,
    position: G::Position,
    label: Move,
    symmetry: Symmetry,
) -> Option<(u32, G::Move)> {
    let moves = (0u32..).zip(game.moves(position)).map(|(ordinal, m)| (game.bit(ordinal, m), m));
    let mut labelled = moves.filter(|m| label_of(game, position, *m, symmetry) == label);
    labelled.next().filter(|_| labelled.next().is_none())
}
