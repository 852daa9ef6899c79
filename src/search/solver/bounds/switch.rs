//! Two columns with an odd rest, in which the follower waits to see which one the attacker fills.

use super::super::layout::Layout;
use super::race::harmless_starts;

/// What a plan gives for certain outside the two columns, and the follower's threats.
#[derive(Clone, Copy, Debug)]
pub struct Elsewhere {
    /// The attacker's stones and cells.
    pub attacker: u64,
    /// The follower's stones and cells.
    pub follower: u64,
    /// The follower's threats, wherever they are.
    pub threats: u64,
}

/// True if the attacker gets no line, other than ones that come too late, under this plan for
/// two columns with an odd number of empty cells, numbered 0, 1, 2... from the bottom:
///
/// The follower answers on top in both columns, which gives him cells 1, 3, 5..., until the
/// attacker takes the top cell of one of them, X. Then he takes the playable cell s of the other,
/// Y; s is even since Y was filled in twos. From there on he answers on top in Y, which gives him
/// s, s + 2, ... So the attacker ends with the even cells of X, the even cells of Y below s and
/// the odd ones above it. In Y, s may be any even cell, the top one included; and either column
/// may be X.
///
/// A threat of the follower in an odd cell is a trap before the switch: its column is not filled
/// first, s lies below it, and an attacker who takes the cell below it gets no other cell there.
/// As long as neither column is full the attacker has even cells of both, up to the traps; if
/// there is no trap, then all of these but a top cell are among what he has after some switch.
pub fn is_safe(l: &Layout, empty: u64, [x, y]: [u64; 2], elsewhere: Elsewhere) -> bool {
    let (x, y) = (Column::new(l, empty, x, &elsewhere), Column::new(l, empty, y, &elsewhere));
    let safe = |attacker, follower| {
        let starts = l.line_starts(elsewhere.attacker | attacker);
        starts == [0; 4] || {
            let late = harmless_starts(l, empty, elsewhere.follower | follower, starts);
            (0..4).all(|d| starts[d] & !late[d] == 0)
        }
    };
    let neither_is_full = || {
        !(x.is_trapped || y.is_trapped)
            || safe(x.even & x.reached | y.even & y.reached, x.odd & x.reached | y.odd & y.reached)
    };
    let filled_first = |x: &Column, y: &Column| {
        if x.is_trapped {
            return true;
        }
        let mut switch = y.even & y.even.wrapping_neg();
        while switch & y.reached != 0 {
            let above = !(switch | (switch - 1));
            let attacker = y.even & (switch - 1) | y.odd & above;
            if !safe(x.even | attacker, x.odd | (y.even | y.odd) & !attacker) {
                return false;
            }
            switch <<= 2;
        }
        true
    };
    neither_is_full() && filled_first(&x, &y) && filled_first(&y, &x)
}

/// The rest of a column, its cells numbered from the bottom.
struct Column {
    even: u64,
    odd: u64,
    /// The cells up to the lowest trap.
    reached: u64,
    is_trapped: bool,
}

impl Column {
    /// The column with an odd rest and this playable cell.
    fn new(l: &Layout, empty: u64, playable: u64, elsewhere: &Elsewhere) -> Self {
        let rest = l.rests(empty, playable);
        // The even cells of columns with an odd rest lie in the rows of `odd_rest`.
        let (even, odd) = (rest & l.odd_rest, rest & !l.odd_rest);
        let traps = odd & elsewhere.threats;
        Self { even, odd, reached: rest & l.up_to(traps), is_trapped: traps != 0 }
    }
}
