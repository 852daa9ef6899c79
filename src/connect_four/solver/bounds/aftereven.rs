//! Lines that come too late: the follower has won before they are full.
//!
//! This is the *aftereven* of V. Allis, "A Knowledge-based Approach of Connect-Four" (Vrije
//! Universiteit Amsterdam, 1988), for any cells that a plan makes certain, where his are those of
//! claimevens. His *before* is another rule, in which the follower's line is not certain; it is
//! not used.

use super::super::layout::Layout;
use crate::games::line::Word;

/// Of the attacker's lines that start at `starts`, those that he can never complete in time, for
/// each direction.
///
/// `follower` holds the follower's stones and the empty cells that a plan gives him for certain
/// when they are reached. If they hold a line M each of whose empty cells lies below a cell of
/// the attacker's line L in the same column, then L is full only after all of M is, and M has
/// won the game before. Vertical lines are left out: a plan that gives a side alternating cells
/// of a column leaves none of them to be judged.
#[inline(always)]
pub fn late_starts<W: Word>(l: &Layout<W>, empty: W, follower: W, starts: [W; 4]) -> [W; 4] {
    let mut all_late = [W::ZERO; 4];
    let faster = l.line_starts(follower);
    for (firsts, step) in faster.into_iter().zip(l.steps) {
        let mut firsts = firsts;
        while firsts != W::ZERO {
            let first = firsts.lowest();
            firsts ^= first;
            let line = l.along(step, first);
            let late = later_starts(l, empty, line & empty, starts);
            for d in 1..4 {
                all_late[d] |= late[d];
            }
        }
    }
    all_late
}

/// The starts of lines, vertical ones aside, that have a cell above each of the cells `early`.
#[inline(always)]
fn later_starts<W: Word>(l: &Layout<W>, empty: W, mut early: W, starts: [W; 4]) -> [W; 4] {
    let mut late = starts;
    while early != W::ZERO {
        let cell = early.lowest();
        early ^= cell;
        // Everything above an empty cell is empty: the carry runs to the top of the column.
        let above = empty & !empty.wrapping_add(cell) & !cell;
        for (late, step) in late.iter_mut().zip(l.steps).skip(1) {
            *late &= l.starts_through(step, above);
        }
    }
    late
}
