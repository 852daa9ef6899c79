//! Nodes of a search, and their moves.

use super::board::Board;
use super::ordering::OrderingContext;
use super::score::Score;
use super::slot::Slot;

/// One move of a node: the position after it and all replies it forces. One cache line where words
/// have 64 bits.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct ScoredMove<W> {
    pub board: Board<W>,
    /// Where the table keeps the position, if it is asked about it at all.
    pub slot: Slot,
    /// How early to search it: the higher the earlier.
    pub ordering_score: i32,
    /// The number of the cell the move takes.
    pub cell: u8,
    /// Plies from the node to `board`, at least 1.
    pub plies: u8,
    /// The column of the move.
    pub column: u8,
}

/// A node that is being searched.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its empties.
    pub empties: i32,
    /// What is asked of it: whether its score is above this.
    pub alpha: Score,
    pub context: OrderingContext,
    /// Where its moves begin in the list of all nodes' moves.
    pub base: usize,
}
