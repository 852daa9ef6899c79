//! The switch plan, for two columns with an odd number of empties: the follower's cells depend on
//! the column that the attacker fills first.
//!
//! The nearest of Allis' rules (see [`claimeven_bound`](super::claimeven_bound)) are lowinverse and
//! highinverse, which concern a few cells of two columns; this plan covers both to the top.

use super::super::layout::Layout;
use super::aftereven::is_any_early;
use everyply_core::games::line::Word;

/// The cells that a plan makes certain outside the two columns, and the follower's threats.
#[derive(Clone, Copy, Debug)]
pub struct OtherColumns<W> {
    pub attacker: W,
    pub follower: W,
    /// The follower's threats, on the whole board.
    pub threats: W,
}

/// Returns true if the attacker gets no line, except for late ones, under this plan for two columns
/// with an odd number of empty cells, numbered 0, 1, 2... from the bottom:
///
/// The follower answers on top in both columns, which gives him cells 1, 3, 5..., until the
/// attacker takes the top cell of one of them, X. Then the follower takes the playable cell s of
/// the other, Y; s is even since Y was filled in twos. From then on he answers on top in Y, which
/// gives him s, s + 2, ... So the attacker ends with the even cells of X, the even cells of Y below
/// s and the odd cells of Y above s. In Y, s may be any even cell, the top one included; and either
/// column may be X.
///
/// A threat of the follower in an odd cell is a trap before the switch: its column is not filled
/// first, s lies below the trap, and an attacker who takes the cell below the trap gets no other
/// cell there. As long as neither column is full, the attacker has even cells of both, up to the
/// traps; if there is no trap, all of these cells but a top cell are among his cells after some
/// switch.
#[inline(always)]
pub fn is_safe<W: Word>(l: &Layout<W>, empty: W, [x, y]: [W; 2], others: OtherColumns<W>) -> bool {
    let x = Column::new(l, empty, x, &others);
    let y = Column::new(l, empty, y, &others);
    let mut ends = PlanEnds::of([x, y]);
    while let Some(PlanEnd { attacker, follower }) = ends.next() {
        let starts = l.line_starts(others.attacker | attacker);
        if starts != [W::ZERO; 4] && is_any_early(l, empty, others.follower | follower, starts) {
            return false;
        }
    }
    true
}

/// The owners of the cells of the two columns at the end of the plan.
#[derive(Clone, Copy, Debug)]
struct PlanEnd<W> {
    attacker: W,
    follower: W,
}

/// All ends of the plan: while neither column is full, if that has to be checked, and for each
/// column that may be filled first every switch to the other.
struct PlanEnds<W> {
    columns: [Column<W>; 2],
    /// The number of stages begun. The stages are: neither column full, the one column filled
    /// first, the other filled first.
    stage: u32,
    /// The next switch of the stage.
    switch: W,
}

impl<W: Word> PlanEnds<W> {
    #[inline(always)]
    fn of(columns: [Column<W>; 2]) -> Self {
        let [x, y] = columns;
        Self { columns, stage: u32::from(!(x.is_trapped || y.is_trapped)), switch: W::ZERO }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<PlanEnd<W>> {
        let [x, y] = self.columns;
        if self.stage == 0 {
            self.stage = 1;
            let reached = x.reached | y.reached;
            return Some(PlanEnd {
                attacker: (x.even | y.even) & reached,
                follower: (x.odd | y.odd) & reached,
            });
        }
        while self.switch & self.columns[1].reached == W::ZERO {
            if self.stage == 3 {
                return None;
            }
            // Now the other column is filled first.
            self.stage += 1;
            self.columns.swap(0, 1);
            let [x, y] = self.columns;
            self.switch = if x.is_trapped { W::ZERO } else { y.even.lowest() };
        }
        let [x, y] = self.columns;
        let below = self.switch.wrapping_sub(W::ONE);
        let attacker = y.even & below | y.odd & !(self.switch | below);
        self.switch <<= 2;
        Some(PlanEnd {
            attacker: x.even | attacker,
            follower: x.odd | (y.even | y.odd) & !attacker,
        })
    }
}

/// The empties of a column, its cells numbered from the bottom.
#[derive(Clone, Copy, Debug)]
struct Column<W> {
    even: W,
    odd: W,
    /// The cells up to the lowest trap.
    reached: W,
    is_trapped: bool,
}

impl<W: Word> Column<W> {
    /// Creates the column with this playable cell and an odd number of empties.
    #[inline(always)]
    fn new(l: &Layout<W>, empty: W, playable: W, others: &OtherColumns<W>) -> Self {
        let empties = l.empties_of(empty, playable);
        // The even cells of columns with an odd number of empties lie in the rows of `odd_empties`.
        let (even, odd) = (empties & l.odd_empties, empties & !l.odd_empties);
        let traps = odd & others.threats;
        Self { even, odd, reached: empties & l.up_to(traps), is_trapped: traps != W::ZERO }
    }
}
