//! Scores: the scale on which the solver searches.

use std::ops::RangeInclusive;

use crate::game::{Outcome, Remoteness, Value};

/// A value on Pons' scale: with C cells, n stones on the board and remoteness r, a win is
/// floor((C + 2 - n - r) / 2), a loss the negative of that, a draw 0.
///
/// A win counts the winner's stones that are left when he completes his line, plus one. So the
/// scale does not change from ply to ply, and the score of a move is the negative of the score of
/// the position after it. With N stones on the board at the end, a win is floor((C + 2 - N) / 2).
pub type Score = i32;

/// Converts a score to a value, for a position with this number of empties.
pub fn value_of(score: Score, empties: i32) -> Value {
    // The winner's last stone is the r-th from here: r is odd for a win and even for a loss, and
    // of the two numbers with the same floor one has that parity.
    debug_assert!(scores(empties).contains(&score), "score {score} with {empties} empties");
    let slack = empties + 2 - 2 * score.abs();
    let (outcome, remoteness) = match score.signum() {
        0 => (Outcome::Draw, empties),
        1 => (Outcome::Win, if slack % 2 == 1 { slack } else { slack - 1 }),
        _ => (Outcome::Loss, if slack % 2 == 0 { slack } else { slack - 1 }),
    };
    Value::new(outcome, Remoteness(remoteness as u8))
}

/// Converts a value to a score, for a position with this number of empties.
#[inline]
pub fn score_of(value: Value, empties: i32) -> Score {
    value.pons_score(empties as u32)
}

/// Returns all scores of positions with this number of empties. In the least one the side to move
/// has lost already.
pub const fn scores(empties: i32) -> RangeInclusive<Score> {
    -(empties / 2 + 1)..=win_at_once(empties)
}

/// Returns the score of a win at the next ply.
#[inline(always)]
pub const fn win_at_once(empties: i32) -> Score {
    (empties + 1) / 2
}

/// Returns the greatest score of a side to move that has no win at the next ply.
#[inline(always)]
pub const fn most_without_win_at_once(empties: i32) -> Score {
    (empties - 1) / 2
}

/// Returns the least score of a side to move that does not lose at the second ply.
#[inline(always)]
pub const fn least_without_loss_at_once(empties: i32) -> Score {
    -((empties - 2) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_values_translate_both_ways() {
        for empties in 0..=127 {
            for remoteness in 1..=empties {
                let outcome = if remoteness % 2 == 1 { Outcome::Win } else { Outcome::Loss };
                let value = Value::new(outcome, Remoteness(remoteness as u8));
                assert_eq!(value_of(score_of(value, empties), empties), value);
            }
            let draw = Value::new(Outcome::Draw, Remoteness(empties as u8));
            assert_eq!(value_of(0, empties), draw);
            assert_eq!(score_of(draw, empties), 0);
            let (lost, won) = (Value::over(Outcome::Loss), Value::new(Outcome::Win, Remoteness(1)));
            assert_eq!(scores(empties).start(), &score_of(lost, empties));
            assert_eq!(scores(empties).end(), &score_of(won, empties));
        }
    }
}
