//! Late lines of the attacker: the follower has won before they are full.
//!
//! This is the *aftereven* of V. Allis, "A Knowledge-based Approach of Connect-Four" (Vrije
//! Universiteit Amsterdam, 1988), for all cells that a plan makes certain; his rule is for the
//! cells of claimevens. His *before* is another rule, in which the follower's line is not certain;
//! it is not used.

use super::super::layout::Layout;
use everyply_core::games::line::Word;

/// Returns the late lines among the attacker's lines that start at `starts`, for each direction: he
/// can never complete them in time.
///
/// `follower` holds the follower's stones and the empty cells that a plan gives him for certain
/// when they are reached. If they hold a line M each of whose empty cells lies below a cell of
/// the attacker's line L in the same column, then L is full only after all of M is, and M has
/// won the game before. Vertical lines are left out: a plan that gives a side alternating cells
/// of a column leaves none of them open.
#[inline(always)]
pub fn late_starts<W: Word>(l: &Layout<W>, empty: W, follower: W, starts: [W; 4]) -> [W; 4] {
    let faster = l.line_starts(follower);
    late_among(l, empty, faster, starts_above(l, empty, faster, starts))
}

/// Returns true if one of the attacker's lines that start at `starts` is not [late](late_starts).
#[inline(always)]
pub fn is_any_early<W: Word>(l: &Layout<W>, empty: W, follower: W, starts: [W; 4]) -> bool {
    let faster = l.line_starts(follower);
    let candidates = starts_above(l, empty, faster, starts);
    // The first check mostly suffices.
    is_any_in_time(starts, candidates)
        || is_any_in_time(starts, late_among(l, empty, faster, candidates))
}

/// Returns the starts of non-vertical lines that have a cell above an empty cell of the lines that
/// start at `faster`: above the lowest such cell of its column. No other line can be late: a line
/// of the follower has an empty cell, and a late line has a cell above it.
#[inline(always)]
fn starts_above<W: Word>(l: &Layout<W>, empty: W, faster: [W; 4], starts: [W; 4]) -> [W; 4] {
    let above = empty & !l.up_to(empty & l.cells_of(faster));
    [
        W::ZERO,
        starts[1] & l.starts_through(l.steps[1], above),
        starts[2] & l.starts_through(l.steps[2], above),
        starts[3] & l.starts_through(l.steps[3], above),
    ]
}

/// Returns the starts of the late lines among `starts`, if the follower has the lines that start at
/// `faster`.
#[inline(always)]
fn late_among<W: Word>(l: &Layout<W>, empty: W, faster: [W; 4], starts: [W; 4]) -> [W; 4] {
    let mut all_late = [W::ZERO; 4];
    if starts == all_late {
        return all_late;
    }
    for along in [0, 1, 2, 3] {
        let mut firsts = faster[along];
        while firsts != W::ZERO {
            let first = firsts.lowest();
            firsts ^= first;
            let line = l.along(l.steps[along], first);
            let late = later_starts(l, empty, line & empty, starts);
            for d in 1..4 {
                all_late[d] |= late[d];
            }
        }
    }
    all_late
}

/// Returns true if one of the lines that start at `starts` is not among the `late` ones.
#[inline(always)]
pub fn is_any_in_time<W: Word>(starts: [W; 4], late: [W; 4]) -> bool {
    let mut in_time = W::ZERO;
    for d in 0..4 {
        in_time |= starts[d] & !late[d];
    }
    in_time != W::ZERO
}

/// Returns the starts of non-vertical lines that have a cell above each of the cells `early`.
#[inline(always)]
fn later_starts<W: Word>(l: &Layout<W>, empty: W, mut early: W, starts: [W; 4]) -> [W; 4] {
    let mut late = starts;
    while early != W::ZERO {
        let cell = early.lowest();
        early ^= cell;
        // All cells above an empty cell are empty: the carry runs to the top of the column.
        let above = empty & !empty.wrapping_add(cell) & !cell;
        for d in [1, 2, 3] {
            late[d] &= l.starts_through(l.steps[d], above);
        }
    }
    late
}
