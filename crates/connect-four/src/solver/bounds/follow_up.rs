//! Answers right above every stone, in columns with any number of empties: a line of the attacker
//! is harmless if the follower has the line right below.

use super::super::board::Board;
use super::super::layout::Layout;
use super::super::score::Score;
use super::claimeven::{Plan, score_of_plan};
use everyply_core::games::line::Word;

impl<W: Word> Plan<'_, W> {
    /// Returns an upper bound of the attacker's score, if answers right above every stone prove one of
    /// at most `alpha`. `odd` holds the playable cells of the open columns with an odd number of
    /// empties.
    ///
    /// # The plan
    /// The follower completes a line if he can. Otherwise he answers every move right above it. If the
    /// move filled its column he plays in another one, a *free move*.
    ///
    /// # Harmless lines
    /// Let y be an empty cell and x the one right above it. If the attacker takes y, the follower
    /// takes x at once. So *the attacker never gets both*. It follows that he cannot complete a line L
    /// each of whose cells is right above an empty cell or a stone of the follower: when L is full,
    /// all cells below its own are the follower's. If L is not vertical, they are a line too, which
    /// was full before L: the game was over. If L is vertical, two of its cells are empty, since
    /// the attacker cannot win at once: he does not get both. So only lines that have a cell in the
    /// lowest row or right above a stone of the attacker are dangerous.
    ///
    /// # Certain cells
    /// With the cells of a column numbered as in [`claimeven_bound`](super::claimeven_bound), the
    /// follower gets 1, 3, 5... of a column in which he makes no free move, and a dangerous line has
    /// none of these. Every free move follows a move that fills an open column with an odd number of
    /// empties, and the follower has some choice where to make it:
    ///
    /// - If the number of these columns is even, another one is left; he plays there, and an even
    ///   number of empties remains in it. So he makes no free move in any other column, neither in
    ///   one with an even number of empties nor in a closed one. Traps and scores are as in
    ///   [`claimeven_bound`](super::claimeven_bound), since the other columns are filled in twos.
    /// - If it is odd, he chooses one of them beforehand and keeps it for last: whenever another one
    ///   is filled, a third one is left. So he makes no free move in the chosen column before it is
    ///   full. Then he plays anywhere, and nothing is certain elsewhere: the score is at most 0.
    #[inline(always)]
    pub(super) fn follow_up_bound(&self, odd: W, alpha: Score) -> Option<Score> {
        let Self { l, board, cells, answers, .. } = *self;
        // The proof needs an attacker who cannot win at once.
        if board.own_threats & cells.playable != W::ZERO {
            return None;
        }
        if odd.count_ones().is_multiple_of(2) {
            let follower = answers & !l.empties_of(cells.empty, odd);
            let traps = board.other_threats & follower;
            let reached = l.up_to(traps);
            let follower = follower & reached;
            let score = score_of_plan(l, board, follower, traps, alpha)?;
            let attacker = board.own | cells.empty & reached & !follower;
            return is_harmless(l, board, attacker).then_some(score);
        }
        if alpha < 0 {
            return None;
        }
        let mut choices = odd;
        while choices != W::ZERO {
            let chosen = choices.lowest();
            choices ^= chosen;
            let follower = answers & l.empties_of(cells.empty, chosen);
            if is_harmless(l, board, board.own | cells.empty & !follower) {
                return Some(0);
            }
        }
        None
    }
}

/// Returns true if every non-vertical line within `attacker`, the attacker's stones and the cells
/// he may get, has a line without a stone of his right below it.
#[inline(always)]
fn is_harmless<W: Word>(l: &Layout<W>, board: &Board<W>, attacker: W) -> bool {
    let starts = l.line_starts(attacker);
    let below = l.line_starts(l.board & !board.own);
    let mut dangerous = W::ZERO;
    for d in [1, 2, 3] {
        dangerous |= starts[d] & !(below[d] << 1);
    }
    dangerous == W::ZERO
}
