//! Which move to look at first.

use super::board::Board;
use super::layout::Layout;
use crate::game::Word;

/// What a move is worth trying early, in no particular unit.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// A threat of the mover right above a playable cell, which nobody else can play then.
    pub next_turn: i32,
    /// A threat of the mover two above a playable cell.
    pub turn_after: i32,
    /// Any threat that is not right above one of the other side's.
    pub threat: i32,
    /// A reply that is forced.
    pub forced: i32,
    /// The move that was best when the position was searched before.
    pub table: i32,
    /// A line through the cell that the other side could still fill.
    pub other_line: i32,
    /// A line through the cell that the mover could still fill.
    pub own_line: i32,
    /// Nearness to the middle column, per column.
    pub centre: i32,
    /// A cell in an odd row, counted from 1 at the bottom.
    pub odd_row: i32,
}

/// The weights in use.
pub const WEIGHTS: Weights = Weights {
    next_turn: 75,
    turn_after: 50,
    threat: 80,
    forced: 100,
    table: 130,
    other_line: 10,
    own_line: 11,
    centre: 10,
    odd_row: 5,
};

/// The lines of a position that one side only has stones in or that are empty, to be counted
/// through a cell.
#[derive(Clone, Copy, Debug)]
pub struct OpenLines<W> {
    own: [W; 4],
    other: [W; 4],
}

impl<W: Word> OpenLines<W> {
    /// The open lines of a position.
    #[inline(always)]
    pub fn new(l: &Layout<W>, board: &Board<W>) -> Self {
        Self {
            own: l.line_starts(l.board & !board.other),
            other: l.line_starts(l.board & !board.own),
        }
    }

    #[inline(always)]
    fn through(l: &Layout<W>, starts: [W; 4], cell: W) -> i32 {
        let (mut lines, mut d) = (0, 0);
        while d < 4 {
            lines += (starts[d] & l.starts_through(l.steps[d], cell)).count_ones();
            d += 1;
        }
        lines as i32
    }
}

/// What is known of a move when it is weighed.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a, W> {
    /// The cell it takes.
    pub cell: W,
    /// Its column.
    pub column: u32,
    /// The position after it and the replies it forces.
    pub after: &'a Board<W>,
    /// How many forced replies follow it.
    pub forced: u32,
    /// True if the table remembers it as best.
    pub from_table: bool,
}

/// How early to try a move: the higher the earlier.
#[inline(always)]
pub fn weigh<W: Word>(
    l: &Layout<W>,
    lines: &OpenLines<W>,
    w: &Weights,
    c: &Candidate<'_, W>,
) -> i32 {
    // An odd number of forced replies gives the mover the move again.
    let (threats, against) = if c.forced & 1 == 1 {
        (c.after.own_threats, c.after.other_threats)
    } else {
        (c.after.other_threats, c.after.own_threats)
    };
    let useful = threats & !(against << 1);
    let playable = l.playable(c.after.occupied());
    let count = |cells: W| cells.count_ones() as i32;
    let from_middle = (2 * c.column as i32 - (i32::from(l.size.width) - 1)).abs();
    w.next_turn * count(useful & playable << 1)
        + w.turn_after * count(useful & playable << 2)
        + w.threat * count(useful)
        + w.forced * c.forced as i32
        + w.table * i32::from(c.from_table)
        + w.other_line * OpenLines::through(l, lines.other, c.cell)
        + w.own_line * OpenLines::through(l, lines.own, c.cell)
        - w.centre * from_middle / 2
        + if c.cell & l.odd_rows != W::ZERO { w.odd_row } else { 0 }
}
