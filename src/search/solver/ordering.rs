//! Which move to look at first.

#[cfg(target_arch = "x86_64")]
mod lanes;

use super::board::Board;
use super::layout::Layout;
use crate::games::line::Word;
#[cfg(target_arch = "x86_64")]
pub use lanes::{Candidates, ScalesInLanes};

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
    /// The move again, once the forced replies are played.
    pub again: i32,
    /// A safe move, of those that are left to the mover or kept from the other side.
    pub safe_move: i32,
    /// A line through the cell that the other side could still fill.
    pub other_line: i32,
    /// Such a line with a stone in it.
    pub other_line_begun: i32,
    /// A line through the cell that the mover could still fill.
    pub own_line: i32,
    /// Such a line with a stone in it.
    pub own_line_begun: i32,
    /// Nearness to the middle column, per column.
    pub centre: i32,
    /// A row of height.
    pub height: i32,
    /// A cell in an odd row, counted from 1 at the bottom.
    pub odd_row: i32,
    /// The move that refuted the last node with as many empty cells.
    pub refuted: i32,
    /// A move that refuted all nodes it was tried in, of late.
    pub refutes: i32,
    /// The same of its column, after the move that led to the node.
    pub answers: i32,
}

/// The weights in use.
pub const WEIGHTS: Weights = Weights {
    next_turn: 142,
    turn_after: 81,
    threat: 90,
    forced: 85,
    again: 45,
    safe_move: 5,
    other_line: 11,
    other_line_begun: 5,
    own_line: 12,
    own_line_begun: 3,
    centre: 16,
    height: 10,
    odd_row: -5,
    refuted: 28,
    refutes: 45,
    answers: 85,
};

/// The lines of a side that hold no stone of the other side.
#[derive(Clone, Copy, Debug)]
struct OpenLines<W> {
    all: [W; 4],
    /// Those with a stone of their own.
    begun: [W; 4],
}

impl<W: Word> OpenLines<W> {
    #[inline(always)]
    fn new(l: &Layout<W>, side: W, against: W) -> Self {
        let all = l.line_starts(l.board & !against);
        let begun = [
            all[0] & l.starts_through(l.steps[0], side),
            all[1] & l.starts_through(l.steps[1], side),
            all[2] & l.starts_through(l.steps[2], side),
            all[3] & l.starts_through(l.steps[3], side),
        ];
        Self { all, begun }
    }
}

/// What the moves of a node are weighed by.
#[derive(Clone, Copy, Debug)]
pub struct Scales<W> {
    own: OpenLines<W>,
    other: OpenLines<W>,
    hints: Hints,
}

/// What is known of a move when it is weighed.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a, W> {
    /// The number of the cell it takes.
    pub cell: u8,
    /// Its column.
    pub column: u32,
    /// The position after it and the replies it forces.
    pub after: &'a Board<W>,
    /// How many forced replies follow it.
    pub forced: u32,
}

impl<W: Word> Scales<W> {
    /// The scales of a node.
    #[inline(always)]
    pub fn new(l: &Layout<W>, board: &Board<W>, hints: Hints) -> Self {
        Self {
            own: OpenLines::new(l, board.own, board.other),
            other: OpenLines::new(l, board.other, board.own),
            hints,
        }
    }

    /// How early to try a move: the higher the earlier.
    #[inline(always)]
    pub fn weigh(
        &self,
        l: &Layout<W>,
        w: &Weights,
        experience: &Experience,
        c: &Candidate<'_, W>,
    ) -> i32 {
        // An odd number of forced replies gives the mover the move again.
        let again = c.forced & 1 == 1;
        let (threats, against) = if again {
            (c.after.own_threats, c.after.other_threats)
        } else {
            (c.after.other_threats, c.after.own_threats)
        };
        let useful = threats & !(against << 1);
        let playable = l.playable(c.after.occupied());
        let count = |cells: W| cells.count_ones() as i32;
        let safe_moves = count(c.after.safe_cells(l));
        let from_middle = (2 * c.column as i32 - (i32::from(l.size.width) - 1)).abs();
        let number = u32::from(c.cell);
        let cell = W::ONE << number;
        let Hinted { refuted, refutes, answers } = experience.of(self.hints, number, c.column);
        let [a, b, d, e] = l.steps;
        let through = [
            l.starts_through(a, cell),
            l.starts_through(b, cell),
            l.starts_through(d, cell),
            l.starts_through(e, cell),
        ];
        w.next_turn * count(useful & playable << 1)
            + w.turn_after * count(useful & playable << 2)
            + w.threat * count(useful)
            + w.forced * c.forced as i32
            + if again { w.again + w.safe_move * safe_moves } else { -w.safe_move * safe_moves }
            + w.other_line * number_through(self.other.all, through)
            + w.other_line_begun * number_through(self.other.begun, through)
            + w.own_line * number_through(self.own.all, through)
            + w.own_line_begun * number_through(self.own.begun, through)
            - w.centre * from_middle / 2
            + w.height * (number - c.column * l.stride) as i32
            + if cell & l.odd_rows != W::ZERO { w.odd_row } else { 0 }
            + if refuted { w.refuted } else { 0 }
            + (w.refutes * refutes + w.answers * answers) / (2 * MOST)
    }
}

/// How many of the lines with these starts are among those that start at `through`.
#[inline(always)]
fn number_through<W: Word>(starts: [W; 4], through: [W; 4]) -> i32 {
    let of = |d: usize| (starts[d] & through[d]).count_ones();
    (of(0) + of(1) + of(2) + of(3)) as i32
}

/// Cells told apart; on larger boards some share what was learnt.
const CELLS: usize = 64;
/// Columns told apart.
const COLUMNS: usize = 8;
/// The score of a move that refuted every node it was tried in; of one that refuted none it is the
/// negative.
const MOST: i32 = 512;

/// Where a node is, for what was learnt of others.
#[derive(Clone, Copy, Debug)]
pub struct Hints {
    /// Its empty cells.
    pub rest: i32,
    /// The number of the cell of the move that led to it.
    pub last: u8,
}

/// What is remembered of a move.
struct Hinted {
    refuted: bool,
    refutes: i32,
    answers: i32,
}

/// What a search has learnt of its moves: which of them refuted nodes, and which did not. Only
/// the order of moves depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Experience {
    /// The cell that refuted the last node with so many empty cells.
    refuted: [u8; 2 * CELLS],
    /// A score for each cell and side, from -`MOST` to `MOST`.
    refutes: [[i32; CELLS]; 2],
    /// The same for each column after each move.
    answers: [[i16; COLUMNS]; CELLS],
}

impl Experience {
    /// Nothing yet.
    pub const NONE: Self = Self {
        refuted: [u8::MAX; 2 * CELLS],
        refutes: [[0; CELLS]; 2],
        answers: [[0; COLUMNS]; CELLS],
    };

    #[inline(always)]
    fn of(&self, hints: Hints, number: u32, column: u32) -> Hinted {
        let Hints { rest, last } = hints;
        Hinted {
            refuted: u32::from(self.refuted[rest as usize % (2 * CELLS)]) == number,
            refutes: self.refutes[rest as usize % 2][number as usize % CELLS],
            answers: self.answers[usize::from(last) % CELLS][column as usize % COLUMNS].into(),
        }
    }

    /// Learns whether the move that takes a cell refuted a node.
    #[inline(always)]
    pub fn learn(&mut self, hints: Hints, cell: u8, column: u8, has_refuted: bool) {
        let Hints { rest, last } = hints;
        let aim = if has_refuted { MOST } else { -MOST };
        let refutes = &mut self.refutes[rest as usize % 2][usize::from(cell) % CELLS];
        *refutes += (aim - *refutes) >> 5;
        let answers = &mut self.answers[usize::from(last) % CELLS][usize::from(column) % COLUMNS];
        *answers += ((aim - i32::from(*answers)) >> 4) as i16;
        if has_refuted {
            self.refuted[rest as usize % (2 * CELLS)] = cell;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experience_stays_in_bounds_and_forgets() {
        let mut experience = Experience::NONE;
        let hints = Hints { rest: 30, last: 9 };
        let score = |experience: &Experience, number| {
            let Hinted { refuted, refutes, answers } = experience.of(hints, number, 3);
            (refuted, refutes, answers)
        };
        assert_eq!(score(&experience, 25), (false, 0, 0));
        for _ in 0..1000 {
            experience.learn(hints, 25, 3, true);
        }
        let (refuted, refutes, answers) = score(&experience, 25);
        assert!(refuted && refutes > MOST * 9 / 10 && refutes <= MOST);
        assert!(answers > MOST * 9 / 10 && answers <= MOST);
        // Another cell, and the same cell for the other side, are not meant.
        assert_eq!((score(&experience, 24).0, score(&experience, 24).1), (false, 0));
        assert_eq!(experience.of(Hints { rest: 29, last: 8 }, 25, 3).refutes, 0);
        for _ in 0..1000 {
            experience.learn(hints, 25, 3, false);
        }
        let (refuted, refutes, answers) = score(&experience, 25);
        assert!(refuted, "nothing else has refuted such a node since");
        assert!((-MOST..-MOST * 9 / 10).contains(&refutes));
        assert!((-MOST..-MOST * 9 / 10).contains(&answers));
        experience.learn(hints, 26, 3, true);
        assert!(!score(&experience, 25).0 && score(&experience, 26).0);
    }

    #[test]
    fn cells_of_large_boards_have_a_place() {
        let mut experience = Experience::NONE;
        for number in 0..128 {
            let hints = Hints { rest: number.into(), last: number };
            experience.learn(hints, number, number % 32, true);
            assert!(experience.of(hints, number.into(), u32::from(number) % 32).refutes > 0);
        }
    }
}
