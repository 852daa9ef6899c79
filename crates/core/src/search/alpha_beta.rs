//! Depth-limited alpha-beta below one position.

use super::evaluation::Evaluation;
use super::minimax::over;
use super::points::Points;
use super::table::{Bound, SharedTable, TableEntry};
use crate::control::{Control, Stopped};
use crate::game::{Evaluate, Key, Move, MoveSet, Symmetric, Symmetry, Tiered, branches};
use crate::statistics::SearchCounters;

/// A game that can be searched: it has an end, an evaluation, and keys for the table.
pub trait Searchable: Evaluate + Tiered + Symmetric<Key = Key> {}

impl<G: Evaluate + Tiered + Symmetric<Key = Key>> Searchable for G {}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveOrder {
    /// The order of [`moves`](crate::game::Game::moves).
    #[default]
    Natural,
    /// The best for the side to move first: in a search, the most promising ([`Evaluate::in_order`]).
    Best,
    /// The worst first, the reverse of the best.
    Worst,
}

impl MoveOrder {
    pub const ALL: [Self; 3] = [Self::Natural, Self::Best, Self::Worst];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Best => "best",
            Self::Worst => "worst",
        }
    }
}

/// The moves of a position with their bits, in the natural order.
#[inline(always)]
pub(super) fn natural<G: Evaluate>(
    game: &G,
    position: G::Position,
) -> impl Iterator<Item = (u32, G::Move)> + '_ {
    branches(game, position).map(|(bit, m, ..)| (bit, m))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableUse {
    /// The move of the entry is tried first.
    MoveOnly,
    /// The score of the entry may also end the search of a node.
    MoveAndScore,
}

/// Nodes between two checks of the control.
const NODES_PER_CHECK: u64 = 1 << 12;

/// A worker of a search: references that all workers share, and its own counters.
pub(super) struct Searcher<'a, G> {
    pub game: &'a G,
    pub table: Option<&'a SharedTable>,
    pub table_use: TableUse,
    pub order: MoveOrder,
    pub evaluation: Evaluation,
    pub control: &'a Control,
    pub counters: SearchCounters,
}

impl<G> Searcher<'_, G> {
    /// The same references with counters at zero, for another worker.
    pub fn fresh(&self) -> Self {
        Self { counters: SearchCounters::default(), ..*self }
    }
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

        let mut table_move = MoveSet::EMPTY;
        let table = self.table.map(|table| (table, self.game.canonical(position)));
        if let Some((table, (key, symmetry))) = table {
            self.counters.table_probes += 1;
            if let Some(entry) = table.probe(key) {
                self.counters.table_hits += 1;
                let best = MoveSet::EMPTY.with(entry.best);
                table_move = self.game.moves_of_image(position, best, symmetry);
                if self.table_use == TableUse::MoveAndScore && entry.is_usable(depth) {
                    let points = entry.points.seen_from_above(from_root);
                    let decides = match entry.bound {
                        Bound::Exact => true,
                        Bound::Lower => points >= beta,
                        Bound::Upper => points <= alpha,
                    };
                    if decides {
                        return Ok(points);
                    }
                }
            }
        }

        let node = Node { position, depth, from_root, alpha, beta };
        let BestMove { points: best, bit } = match self.order {
            MoveOrder::Best => self.try_moves(&node, table_move, self.game.in_order(position))?,
            MoveOrder::Natural => {
                self.try_moves(&node, table_move, natural(self.game, position))?
            }
            MoveOrder::Worst => self.try_worst_first(&node, table_move)?,
        };
        let bound = match best {
            points if points >= beta => Bound::Lower,
            points if points <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let points = best.seen_from_below(from_root);
        if let Some((table, (key, symmetry))) = table {
            self.counters.table_stores += 1;
            let best = table_move_of(self.game, position, bit, symmetry);
            table.store(key, TableEntry { depth, bound, points, best, work: 0 });
        }
        Ok(best)
    }

    /// Tries the moves of a node, the worst first. No list of moves and not inlined, so that the stack
    /// of a search stays small.
    #[inline(never)]
    fn try_worst_first(
        &mut self,
        node: &Node<G::Position>,
        table_move: MoveSet,
    ) -> Result<BestMove, Stopped> {
        let (game, position) = (self.game, node.position);
        let places = (0..game.in_order(position).count()).rev();
        let moves = places.filter_map(|place| game.in_order(position).nth(place));
        self.try_moves(node, table_move, moves)
    }

    /// Tries the moves of a node, given with their bits, the table's move first.
    #[inline(always)]
    fn try_moves(
        &mut self,
        node: &Node<G::Position>,
        table_move: MoveSet,
        moves: impl Iterator<Item = (u32, G::Move)>,
    ) -> Result<BestMove, Stopped> {
        let Node { position, depth, from_root, mut alpha, beta } = *node;
        let game = self.game;
        let is_first = |bit: u32| table_move.0 >> bit & 1 == 1;
        let first = table_move.into_iter().next().map(|m| u32::from(m.0));
        let first = first.and_then(|bit| Some((bit, game.move_of_bit(position, bit)?)));
        let rest = moves.filter(|&(bit, _)| !is_first(bit));
        let mut moves = first.into_iter().chain(rest).peekable();
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
            let points = self.below(next, keeps_turn, depth, from_root, alpha, beta)?;
            number += 1;
            if points > best.points {
                best = BestMove { points, bit };
                alpha = alpha.max(points);
                if alpha >= beta {
                    self.counters.cutoffs += 1;
                    self.counters.first_move_cutoffs += u64::from(number == 1);
                    break;
                }
            }
        }
        Ok(best)
    }

    /// The score of a move for the side that makes it, at the depth of the position before it.
    #[inline(always)]
    pub fn below(
        &mut self,
        next: G::Position,
        keeps_turn: bool,
        depth: u32,
        from_root: u32,
        alpha: Points,
        beta: Points,
    ) -> Result<Points, Stopped> {
        if keeps_turn {
            self.search(next, depth - 1, from_root + 1, alpha, beta)
        } else {
            Ok(-self.search(next, depth - 1, from_root + 1, -beta, -alpha)?)
        }
    }
}

/// The move stored in the table: its bit in the canonical position.
#[inline(always)]
pub(super) fn table_move_of<G: Symmetric>(
    game: &G,
    position: G::Position,
    bit: u32,
    symmetry: Symmetry,
) -> Move {
    let image = game.image_moves(position, MoveSet(1 << bit), symmetry);
    Move(image.0.trailing_zeros() as u8)
}
