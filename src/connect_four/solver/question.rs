//! Questions of a search: a root and a window of its score.

use super::board::Board;
use super::score::Score;

/// A position whose game is not over, laid out for the solver.
#[derive(Clone, Copy, Debug)]
pub struct Root<W = u64> {
    /// The position.
    pub board: Board<W>,
    /// Its empties.
    pub empties: i32,
}

/// A window of a root that is searched.
#[derive(Clone, Copy, Debug)]
pub struct Question<W> {
    /// The root, after its forced replies.
    pub root: Root<W>,
    /// Whether its score is above this is asked.
    pub alpha: Score,
    /// Whether the other side is to move there than in the position the question is about.
    pub turned: bool,
    /// That position's empties.
    pub empties: i32,
}
