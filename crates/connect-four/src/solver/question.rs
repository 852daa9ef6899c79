//! Questions of a search: a root and a window of its score.

use super::board::Board;
use super::score::Score;

/// A position whose game is not over, in the solver's layout.
#[derive(Clone, Copy, Debug)]
pub struct Root<W = u64> {
    /// The position.
    pub board: Board<W>,
    /// The number of empties.
    pub empties: i32,
}

/// A window of a root that is searched.
#[derive(Clone, Copy, Debug)]
pub struct Question<W> {
    /// The root, after its forced replies.
    pub root: Root<W>,
    /// The score in question: is the root's score above alpha?
    pub alpha: Score,
    /// True if the forced replies changed the side to move.
    pub turned: bool,
    /// The empties before the forced replies.
    pub empties: i32,
}
