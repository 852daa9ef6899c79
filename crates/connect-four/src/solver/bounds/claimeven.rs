//! A claimeven for the whole board: the follower answers every move in its own column.

use super::super::board::Board;
use super::super::layout::Layout;
use super::super::score::Score;
use super::Cells;
use super::aftereven::{is_any_in_time, late_starts};
use super::switch::{self, OtherColumns};
use everyply_core::games::line::Word;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A few dozen operations: answers right above every stone, and a single baseinverse.
    Quick,
    /// All pairings, late lines and switches, for positions whose quick bounds prove nothing.
    Full,
}

/// Returns an upper bound of the attacker's score, if a plan of claimevens proves one of at most
/// `alpha`.
///
/// # The plan
/// Number the empty cells of each column 0, 1, 2... from the bottom. The follower chooses an even
/// number of columns and pairs them. In a column that is not paired he answers on top of every
/// move: cells 0, 2, 4... go to the attacker, 1, 3, 5... to him. When the attacker takes cell 0
/// of a paired column, he takes cell 0 of its partner: a *baseinverse*, of which each side gets
/// one cell. From then on he answers on top in both: 1, 3, 5... go to the attacker, 2, 4... to
/// him. So the owner of every cell is known in advance, except for baseinverses:
///
/// ```text
/// cell   not paired   paired
///  3     follower     attacker
///  2     attacker     follower
///  1     follower     attacker
///  0     attacker     baseinverse
/// ```
///
/// A *trap* is a threat of the follower in a cell that the plan gives him. If the attacker ever
/// plays right below one, the follower wins there. A column with a trap is *closed*: neither side
/// gets a cell above its lowest trap. The follower always has his answer if every *open* column has
/// as many cells as the plan needs: an even number if not paired, an odd number if paired. (In a
/// closed column, an attacker who takes the cell below the trap ends the game.)
///
/// # The bounds it proves
/// If the cells the attacker can get hold no line of his, whichever cell of every baseinverse he
/// takes, he never wins, and his score is at most 0. Moreover:
///
/// - With traps the attacker loses. He can delay the loss while other cells are left: all cells of
///   the open columns, and in every closed column the cells below the last two up to the trap,
///   which are taken in twos. Then he has to play below a trap; the follower wins with at least r
///   cells empty, where r counts the cells above the lowest traps and two for each other closed
///   column. That is a score of at most -(floor(r / 2) + 1).
/// - Without traps all cells are filled in the end. If the follower's stones and cells hold a
///   line whose highest empty cell lies in row q of h, he wins; whichever of its cells is filled
///   last, at least h - q cells above it are empty then: a score of at most
///   -(floor((h - q) / 2) + 1).
///
/// The bounds hold for every height.
///
/// # Source
/// Claimeven and baseinverse are rules of V. Allis, "A Knowledge-based Approach of Connect-Four"
/// (Vrije Universiteit Amsterdam, 1988). His rules each stop some lines, and he searches a set of
/// rules that can be followed together. Here they are one plan for all columns, which can always be
/// followed: cells are numbered from the lowest empty one, so that the follower's cells need not be
/// even; after a baseinverse the plan continues in both columns; and threats of the follower become
/// traps, which close columns and bound the length of the game.
#[inline(always)]
pub fn claimeven_bound<W: Word>(
    l: &Layout<W>,
    board: &Board<W>,
    alpha: Score,
    effort: Effort,
) -> Option<Score> {
    let cells = Cells::of(l, board);
    let odd = cells.playable & l.odd_empties;
    // Cells 1, 3, 5... of every column.
    let answers = cells.empty & (l.odd_empties ^ l.empties_of(cells.empty, odd));
    let closed = l.columns_of(board.other_threats & answers);
    let paired = odd & !closed;
    let plan = Plan { l, board, cells, odd, answers };
    if effort == Effort::Quick {
        let bound = plan.follow_up_bound(paired, alpha);
        if bound.is_some() {
            return bound;
        }
    }
    // Without pairs the plans below prove hardly more: benches/solver.md.
    if paired == W::ZERO {
        return None;
    }
    let mut others = W::ZERO;
    if !paired.count_ones().is_multiple_of(2) {
        // One more column has to be paired, or one fewer. A closed column with an odd number of
        // empties may be reopened, and any column may be paired if that turns a threat in it into a
        // trap.
        let turned = board.other_threats & cells.empty & !answers & !cells.playable;
        others = cells.playable & !paired & (odd | l.columns_of(turned));
        if others == W::ZERO {
            return None;
        }
    }
    // One call for all plans: everything is inlined, and has to fit the instruction cache.
    loop {
        let other = others.lowest();
        others ^= other;
        let bound = plan.bound(paired | other, alpha, effort);
        if bound.is_some() || others == W::ZERO {
            return bound;
        }
    }
}

/// The facts that all pairings of a position share.
pub(super) struct Plan<'a, W> {
    pub(super) l: &'a Layout<W>,
    pub(super) board: &'a Board<W>,
    pub(super) cells: Cells<W>,
    /// The playable cells of columns with an odd number of empty cells.
    odd: W,
    /// Cells 1, 3, 5... of every column.
    pub(super) answers: W,
}

impl<W: Word> Plan<'_, W> {
    /// Returns the bound if the columns with these playable cells, an even number, are paired.
    #[inline(always)]
    fn bound(&self, paired: W, alpha: Score, effort: Effort) -> Option<Score> {
        let Self { l, board, cells, odd, answers } = *self;
        let follower = (answers ^ l.empties_of(cells.empty, paired)) & !paired;
        let traps = board.other_threats & follower;
        let closed = l.columns_of(traps);
        if (odd ^ paired) & !closed != W::ZERO {
            return None;
        }
        let reached = l.up_to(traps);
        let follower = follower & reached;
        let score = score_of_plan(l, board, follower, traps, alpha)?;
        let attacker = board.own | cells.empty & reached & !follower & !paired;
        let starts = l.line_starts(attacker | paired);
        if starts == [W::ZERO; 4] {
            return Some(score);
        }
        let number_paired = paired.count_ones();
        if number_paired <= 2 && effort == Effort::Quick {
            return (number_paired == 2 && self.is_safe_pair(attacker, paired)).then_some(score);
        }
        if effort == Effort::Quick {
            return None;
        }
        let late = late_starts(l, cells.empty, board.other | follower, starts);
        // Most often the attacker's certain cells hold a line already.
        if self.is_safe(attacker, late) && self.is_safe_somehow(attacker, paired, late) {
            return Some(score);
        }
        // If the score depends on traps, they must not lie in the columns of the switch plan.
        let own = board.other | follower;
        (traps & l.empties_of(cells.empty, paired) == W::ZERO
            && (traps != W::ZERO || alpha >= 0)
            && self.is_safe_by_switching(
                paired,
                OtherColumns { attacker, follower: own, threats: board.other_threats },
            ))
        .then_some(score)
    }

    /// Returns true if two of the paired columns can follow the plan of [`switch`]; if four are
    /// paired, the other two remain paired.
    #[inline(always)]
    fn is_safe_by_switching(&self, paired: W, other_columns: OtherColumns<W>) -> bool {
        let Self { l, cells, .. } = *self;
        if !matches!(paired.count_ones(), 2 | 4) {
            return false;
        }
        let mut firsts = paired;
        while firsts != W::ZERO {
            let first = firsts.lowest();
            firsts ^= first;
            let mut seconds = firsts;
            while seconds != W::ZERO {
                let second = seconds.lowest();
                seconds ^= second;
                let columns = l.empties_of(cells.empty, first | second);
                // If there are two others, the attacker may get either of them.
                let others = paired ^ first ^ second;
                let mut left = others;
                let is_safe = loop {
                    let taken = left.lowest();
                    left ^= taken;
                    let other_columns = OtherColumns {
                        attacker: other_columns.attacker & !columns | taken,
                        follower: other_columns.follower & !columns,
                        ..other_columns
                    };
                    if !switch::is_safe(l, cells.empty, [first, second], other_columns) {
                        break false;
                    }
                    if left == W::ZERO {
                        break true;
                    }
                };
                if is_safe {
                    return true;
                }
            }
        }
        false
    }

    /// Returns true if the paired cells can form baseinverses such that the attacker has no line in
    /// time, whichever cell of each he takes. Of more than four cells no pairs are tried: they are
    /// safe only if the attacker has no line with all of them.
    #[inline(always)]
    fn is_safe_somehow(&self, attacker: W, paired: W, late: [W; 4]) -> bool {
        if self.is_safe(attacker | paired, late) {
            return true;
        }
        if !matches!(paired.count_ones(), 2 | 4) {
            return false;
        }
        let first = paired.lowest();
        let mut partners = paired ^ first;
        while partners != W::ZERO {
            let partner = partners.lowest();
            partners ^= partner;
            // The other pair, if there is one. Each bit of the choice selects the attacker's cell
            // of a pair.
            let others = paired ^ first ^ partner;
            let other = others.lowest();
            let choices = if others == W::ZERO { 2 } else { 4 };
            let mut choice = 0;
            while choice < choices {
                let one = if choice & 1 == 0 { first } else { partner };
                let two = if choice & 2 == 0 { other } else { others ^ other };
                if !self.is_safe(attacker | one | two, late) {
                    break;
                }
                choice += 1;
            }
            if choice == choices {
                return true;
            }
        }
        false
    }

    /// Returns true if no line lies within `attacker`, except for lines that start at `late`.
    #[inline(always)]
    fn is_safe(&self, attacker: W, late: [W; 4]) -> bool {
        !is_any_in_time(self.l.line_starts(attacker), late)
    }

    /// Returns true if the attacker gets no line with either of the two paired cells.
    #[inline(always)]
    fn is_safe_pair(&self, attacker: W, paired: W) -> bool {
        let first = paired.lowest();
        !self.l.has_line(attacker | first) && !self.l.has_line(attacker | paired ^ first)
    }
}

/// Returns the score of a plan that leaves the attacker no line (see [`claimeven_bound`]); `None`
/// if it is above `alpha`. `follower` holds the follower's certain cells, his `traps` among them.
#[inline(always)]
pub(super) fn score_of_plan<W: Word>(
    l: &Layout<W>,
    board: &Board<W>,
    follower: W,
    traps: W,
    alpha: Score,
) -> Option<Score> {
    let score = if traps != W::ZERO {
        let closed = l.columns_of(traps);
        let above = (closed & !l.up_to(traps)).count_ones();
        let others = (closed & l.bottom).count_ones() - 1;
        -(((above + 2 * others) / 2 + 1) as Score)
    } else if alpha >= 0 {
        0
    } else if l.has_line(board.other | follower & l.rows_up_to(highest_row(l, alpha))) {
        alpha
    } else {
        return None;
    };
    (score <= alpha).then_some(score)
}

/// Returns the highest row, counted from 1 at the bottom, that the highest empty cell of the
/// follower's line may have to prove a score of at most `alpha`, which is negative.
#[inline(always)]
fn highest_row<W>(l: &Layout<W>, alpha: Score) -> i32 {
    i32::from(l.size.height) + 2 + 2 * alpha
}
