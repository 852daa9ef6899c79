//! Nodes, their moves, and the scores that order moves, best first.

use super::board::Board;
use super::layout::Layout;
use super::score::Score;
use super::table::Slot;
use everyply_core::games::line::{Size, Word};

/// Weights of the features of a move, in no particular unit.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// A threat of the mover right above a playable cell, which the other side cannot play then.
    pub next_turn: i32,
    /// A threat of the mover two above a playable cell.
    pub turn_after: i32,
    /// A threat of the mover that is not right above a threat of the other side.
    pub threat: i32,
    pub forced: i32,
    /// The right to move again after the forced replies.
    pub again: i32,
    /// A safe move of the side to move after the forced replies, subtracted if that is the other
    /// side.
    pub safe_move: i32,
    /// A line through the cell that the other side could still fill.
    pub other_line: i32,
    /// Such a line with a stone in it.
    pub other_line_begun: i32,
    /// A line through the cell that the mover could still fill.
    pub own_line: i32,
    /// Such a line with a stone in it.
    pub own_line_begun: i32,
    /// A column of distance from the middle, subtracted.
    pub centre: i32,
    /// A row of height.
    pub height: i32,
    /// A cell in an odd row, counted from 1 at the bottom.
    pub odd_row: i32,
    /// The cell right above the other side's last move: a follow-up.
    pub follow_up: i32,
    /// The killer: the move that cut off the last node with the same number of empties.
    pub killer: i32,
    /// The history of a move that cut off every node in which it was tried recently.
    pub history: i32,
    /// The countermove score of a column that cut off every node after the last move recently.
    pub countermove: i32,
}

impl Weights {
    /// Returns the weights for a board. If each side answers the other in the same column, the
    /// parity of the height decides which side gets its last cell, and so which moves are good with
    /// four in a row. The usual weights are better on five columns and for longer lines, which end
    /// in draws; on four columns such answers are good for either side.
    #[inline(always)]
    pub const fn for_board(size: Size) -> &'static Self {
        let is_odd = !size.height.is_multiple_of(2);
        match size.line {
            4 if size.width <= 4 => &FOUR_COLUMNS,
            4 if size.width > 5 && is_odd => &ODD_HEIGHTS,
            _ => &USUAL,
        }
    }
}

const USUAL: Weights = Weights {
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
    follow_up: 0,
    killer: 28,
    history: 45,
    countermove: 85,
};

const ODD_HEIGHTS: Weights = Weights {
    next_turn: 142,
    turn_after: 71,
    threat: 93,
    forced: 41,
    again: 59,
    safe_move: 7,
    other_line: 3,
    other_line_begun: 17,
    own_line: 15,
    own_line_begun: 23,
    centre: 24,
    height: 6,
    odd_row: -7,
    follow_up: 0,
    killer: 69,
    history: 60,
    countermove: 114,
};

const FOUR_COLUMNS: Weights = Weights { follow_up: 300, ..USUAL };

/// The lines of a side that hold no stone of the other side, by their starts.
#[derive(Clone, Copy, Debug)]
struct OpenLines<W> {
    all: [W; 4],
    /// The open lines with a stone of the side.
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

#[derive(Clone, Copy, Debug)]
pub struct MoveScorer<W> {
    own: OpenLines<W>,
    other: OpenLines<W>,
    context: OrderingContext,
}

#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a, W> {
    pub cell: u8,
    pub column: u32,
    /// The position after the move and the replies it forces.
    pub after: &'a Board<W>,
    pub forced: u32,
}

impl<W: Word> MoveScorer<W> {
    #[inline(always)]
    pub fn new(l: &Layout<W>, board: &Board<W>, context: OrderingContext) -> Self {
        Self {
            own: OpenLines::new(l, board.own, board.other),
            other: OpenLines::new(l, board.other, board.own),
            context,
        }
    }

    /// Scores a move: moves with higher scores are searched earlier.
    #[inline(always)]
    pub fn score_move(
        &self,
        l: &Layout<W>,
        w: &Weights,
        histories: &Histories,
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
        let MoveHistory { is_killer, history, countermove } =
            histories.of(self.context, number, c.column);
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
            + if number == u32::from(self.context.last) + 1 { w.follow_up } else { 0 }
            + if is_killer { w.killer } else { 0 }
            + (w.history * history + w.countermove * countermove) / (2 * HISTORY_MAX)
    }
}

/// Counts the lines with these starts that also start at `through`.
#[inline(always)]
fn number_through<W: Word>(starts: [W; 4], through: [W; 4]) -> i32 {
    let of = |d: usize| (starts[d] & through[d]).count_ones();
    (of(0) + of(1) + of(2) + of(3)) as i32
}

/// The number of entries for cells; on larger boards several cells share an entry.
const CELLS: usize = 64;
/// The number of entries for columns; on wider boards several columns share an entry.
const COLUMNS: usize = 8;
/// The history of a move that cut off every node in which it was tried; a move that cut off none
/// has its negative.
const HISTORY_MAX: i32 = 512;

/// The ordering context of a node: the index of its histories.
#[derive(Clone, Copy, Debug)]
pub struct OrderingContext {
    pub empties: i32,
    /// The number of the cell of the move that led to the node.
    pub last: u8,
}

struct MoveHistory {
    is_killer: bool,
    history: i32,
    countermove: i32,
}

/// Killers, history and countermoves of one search: records of the moves that cut off their nodes.
/// Only the order of moves depends on them.
///
/// They differ from the usual ones in three ways. There is one killer for each number of
/// empties. History and countermoves are moving averages, so that results from distant parts of the
/// tree fade. And a countermove is a score for every column instead of one column.
#[derive(Clone, Copy, Debug)]
pub struct Histories {
    /// For each number of empties, the cell whose move last cut off a node.
    killers: [u8; 2 * CELLS],
    /// A score for each side and cell, from -`HISTORY_MAX` to `HISTORY_MAX`.
    history: [[i32; CELLS]; 2],
    /// A score for each cell of the last move and each column of the reply, in the same range.
    countermoves: [[i16; COLUMNS]; CELLS],
}

impl Histories {
    pub const EMPTY: Self = Self {
        killers: [u8::MAX; 2 * CELLS],
        history: [[0; CELLS]; 2],
        countermoves: [[0; COLUMNS]; CELLS],
    };

    #[inline(always)]
    fn of(&self, context: OrderingContext, number: u32, column: u32) -> MoveHistory {
        let OrderingContext { empties, last } = context;
        MoveHistory {
            is_killer: u32::from(self.killers[empties as usize % (2 * CELLS)]) == number,
            history: self.history[empties as usize % 2][number as usize % CELLS],
            countermove: self.countermoves[usize::from(last) % CELLS][column as usize % COLUMNS]
                .into(),
        }
    }

    /// Learns whether the move that takes a cell cut off its node.
    #[inline(always)]
    pub fn learn(&mut self, context: OrderingContext, cell: u8, column: u8, is_cutoff: bool) {
        let OrderingContext { empties, last } = context;
        let aim = if is_cutoff { HISTORY_MAX } else { -HISTORY_MAX };
        let history = &mut self.history[empties as usize % 2][usize::from(cell) % CELLS];
        *history += (aim - *history) >> 5;
        let countermove =
            &mut self.countermoves[usize::from(last) % CELLS][usize::from(column) % COLUMNS];
        *countermove += ((aim - i32::from(*countermove)) >> 4) as i16;
        if is_cutoff {
            self.killers[empties as usize % (2 * CELLS)] = cell;
        }
    }
}

/// A move of a node: the position after it and all replies it forces. One cache line if words
/// have 64 bits.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct ScoredMove<W> {
    pub board: Board<W>,
    /// The position's slot in the table; [`Slot::NONE`] if it is too near to the end of the game.
    pub slot: Slot,
    /// The order of the moves: higher scores are searched earlier.
    pub ordering_score: i32,
    pub cell: u8,
    /// Plies from the node to `board`, at least 1.
    pub plies: u8,
    pub column: u8,
}

#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub empties: i32,
    /// The lower end of the null window: is the node's score above it?
    pub alpha: Score,
    pub context: OrderingContext,
    /// The index of the node's first move in the list of all nodes' moves.
    pub base: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_stay_in_bounds_and_forget() {
        let mut histories = Histories::EMPTY;
        let context = OrderingContext { empties: 30, last: 9 };
        let score = |histories: &Histories, number| {
            let MoveHistory { is_killer, history, countermove } = histories.of(context, number, 3);
            (is_killer, history, countermove)
        };
        assert_eq!(score(&histories, 25), (false, 0, 0));
        for _ in 0..1000 {
            histories.learn(context, 25, 3, true);
        }
        let (is_killer, history, countermove) = score(&histories, 25);
        assert!(is_killer && history > HISTORY_MAX * 9 / 10 && history <= HISTORY_MAX);
        assert!(countermove > HISTORY_MAX * 9 / 10 && countermove <= HISTORY_MAX);
        // Another cell, and the same cell for the other side, have no history.
        assert_eq!((score(&histories, 24).0, score(&histories, 24).1), (false, 0));
        assert_eq!(histories.of(OrderingContext { empties: 29, last: 8 }, 25, 3).history, 0);
        for _ in 0..1000 {
            histories.learn(context, 25, 3, false);
        }
        let (is_killer, history, countermove) = score(&histories, 25);
        assert!(is_killer, "no other move has cut off such a node since");
        assert!((-HISTORY_MAX..-HISTORY_MAX * 9 / 10).contains(&history));
        assert!((-HISTORY_MAX..-HISTORY_MAX * 9 / 10).contains(&countermove));
        histories.learn(context, 26, 3, true);
        assert!(!score(&histories, 25).0 && score(&histories, 26).0);
    }
}
