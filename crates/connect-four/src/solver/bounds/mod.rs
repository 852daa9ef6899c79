//! Static bounds: bounds that are proved without a search, by a plan of answers for one side.
//!
//! The *attacker* is the side to move, whose score is bounded from above; the *follower* is the
//! other side, who follows the plan. Every bound holds for any position that is not over.
//!
//! The code avoids array adapters, iterator adapters and closures: without link-time optimisation
//! they remain calls in functions compiled for more than the baseline processor.

mod aftereven;
mod claimeven;
mod follow_up;
mod switch;
#[cfg(test)]
mod tests;

use super::board::Board;
use super::layout::Layout;
pub use claimeven::{Effort, claimeven_bound};
use everyply_core::games::line::Word;

/// Static bounds on, or off in tests that check them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaticBounds {
    On,
    #[cfg(test)]
    Off,
}

/// The empty cells of a position, and the playable ones among them.
#[derive(Clone, Copy, Debug)]
struct Cells<W> {
    empty: W,
    playable: W,
}

impl<W: Word> Cells<W> {
    #[inline(always)]
    fn of(l: &Layout<W>, board: &Board<W>) -> Self {
        let occupied = board.occupied();
        Self { empty: l.board & !occupied, playable: l.playable(occupied) }
    }
}
