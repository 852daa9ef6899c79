//! Bounds that are proved without a search: what a side can get if the other one merely follows
//! a plan of answers.
//!
//! The *attacker* is the side to move, whose score is bounded from above; the *follower* is the
//! other side, who has the plan. Every bound holds for any position that is not over.
//!
//! No adapters of arrays or iterators, no closures: without link-time optimisation they remain
//! calls in functions that are compiled for more than the least processor.

mod aftereven;
mod claimeven;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod switch;
#[cfg(test)]
mod tests;

use super::board::Board;
use super::layout::Layout;
use crate::games::line::Word;
pub use claimeven::{Effort, claimeven_bound};
#[cfg(target_arch = "x86_64")]
pub use lanes::{Alphas, claimeven_bounds_in_lanes};

/// Whether static bounds are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaticBounds {
    /// They are.
    On,
    /// Everything is searched.
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
