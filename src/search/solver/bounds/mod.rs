//! Bounds that are proved without a search.

use super::board::Board;
use super::layout::Layout;
use super::score::Score;

/// An upper bound of the score for the side to move, if one of at most `alpha` is found quickly.
#[inline(always)]
pub fn quick(_: &Layout, _: &Board, _: i32, _: Score) -> Option<Score> {
    None
}
