//! Nodes of a search, and their moves.

use super::board::Board;
use super::ordering::OrderingContext;
use super::score::Score;
use super::table::Slot;

/// A move of a node: the position after it and all replies it forces. One cache line where words
/// have 64 bits.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct ScoredMove<W> {
    pub board: Board<W>,
    /// The position's slot in the table; [`Slot::NONE`] if it is too near to the end of the game.
    pub slot: Slot,
    /// The rank of the move: higher scores are searched earlier.
    pub ordering_score: i32,
    /// The number of the cell that the move takes.
    pub cell: u8,
    /// Plies from the node to `board`, at least 1.
    pub plies: u8,
    /// The column of the move.
    pub column: u8,
}

/// A node that is being searched.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The number of empties.
    pub empties: i32,
    /// The score in question: is the node's score above alpha?
    pub alpha: Score,
    pub context: OrderingContext,
    /// The index of the node's first move in the list of all nodes' moves.
    pub base: usize,
}
