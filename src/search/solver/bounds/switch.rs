//! Two open columns with an odd rest, in which the follower waits to see which one the attacker
//! fills.

use super::super::layout::Layout;
use super::race::harmless_starts;

/// What a plan gives for certain outside the two columns.
#[derive(Clone, Copy, Debug)]
pub struct Elsewhere {
    /// The attacker's stones and cells.
    pub attacker: u64,
    /// The follower's stones and cells.
    pub follower: u64,
}

/// True if the attacker gets no line, other than ones that come too late, under this plan for
/// two columns with an odd number of empty cells, numbered 0, 1, 2... from the bottom:
///
/// The follower answers on top in both columns, which gives him cells 1, 3, 5..., until the
/// attacker takes the top cell of one of them, X. Then he takes the playable cell s of the other,
/// Y; s is even since Y was filled in twos. From there on he answers on top in Y, which gives him
/// s, s + 2, ... So the attacker ends with the even cells of X, the even cells of Y below s and
/// the odd ones above it, for some s, or with part of that while neither column is full. In Y, s
/// may be any even cell, the top one included; and either column may be X.
pub fn is_safe(l: &Layout, empty: u64, [x, y]: [u64; 2], elsewhere: Elsewhere) -> bool {
    is_safe_if_filled_first(l, empty, x, y, elsewhere)
        && is_safe_if_filled_first(l, empty, y, x, elsewhere)
}

/// The same for the playable cells of X, filled first, and of Y.
fn is_safe_if_filled_first(l: &Layout, empty: u64, x: u64, y: u64, elsewhere: Elsewhere) -> bool {
    // The rows of the even cells of columns with an odd rest are those of `odd_rest`.
    let (rest_x, rest_y) = (l.rests(empty, x), l.rests(empty, y));
    let (even_x, even_y) = (rest_x & l.odd_rest, rest_y & l.odd_rest);
    let mut switch = y;
    while switch & rest_y != 0 {
        let below = switch - 1;
        let above = !(below | switch);
        let attacker_y = (even_y & below) | (rest_y & !even_y & above);
        let attacker = elsewhere.attacker | even_x | attacker_y;
        let starts = l.line_starts(attacker);
        if starts != [0; 4] {
            let follower_here = (rest_x & !even_x) | (rest_y & !attacker_y);
            let late = harmless_starts(l, empty, elsewhere.follower | follower_here, starts);
            if (0..4).any(|d| starts[d] & !late[d] != 0) {
                return false;
            }
        }
        switch <<= 2;
    }
    true
}
