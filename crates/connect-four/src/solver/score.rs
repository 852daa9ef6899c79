//! Scores, the scale on which the solver searches, and the order of the windows that it searches
//! until it knows a score.

use std::ops::RangeInclusive;

use everyply_core::game::{Outcome, Remoteness, Value, ValueBounds};
use everyply_core::games::line::Size;

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

/// Positions with at least this number of empties are early in a game.
const EARLY: i32 = 36;

/// The most plies of a beginning, in which neither side is clearly ahead.
const MAX_PLIES_OF_A_BEGINNING: i32 = 4;

/// The expectation of a position's value before the search; it orders the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prior {
    is_early: bool,
    /// True if the side to move is not expected to win.
    is_poor: bool,
}

impl Prior {
    /// Creates the prior of a position with this number of empties.
    ///
    /// If columns have an even number of cells, the second player can answer every move in the same
    /// column. If the number of columns is even too, the second player does not lose on any board
    /// whose value is known.
    pub const fn new(size: Size, empties: i32) -> Self {
        let is_even = size.width.is_multiple_of(2) && size.height.is_multiple_of(2);
        let begins = size.cells() as i32 - empties <= MAX_PLIES_OF_A_BEGINNING && empties % 2 == 0;
        Self { is_early: empties >= EARLY, is_poor: is_even && begins }
    }
}

/// An interval in which a score is proved to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub lower: Score,
    pub upper: Score,
}

impl Interval {
    pub const fn exactly(score: Score) -> Self {
        Self { lower: score, upper: score }
    }

    /// Returns the interval of all scores of a [quiet](super::board::Resolved::Quiet) position.
    pub const fn of_quiet(empties: i32) -> Self {
        let lower = least_without_loss_at_once(empties);
        Self { lower, upper: most_without_win_at_once(empties) }
    }

    pub fn of_bounds(known: ValueBounds, empties: i32) -> Self {
        Self { lower: score_of(known.worst, empties), upper: score_of(known.best, empties) }
    }

    pub fn bounds(self, empties: i32) -> ValueBounds {
        ValueBounds { worst: value_of(self.lower, empties), best: value_of(self.upper, empties) }
    }

    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// Returns the ends of the undecided part of `wanted`, which is empty if the lower end is not
    /// below the upper end.
    fn undecided(self, wanted: Self) -> (Score, Score) {
        (self.lower.max(wanted.lower), self.upper.min(wanted.upper))
    }

    /// Returns true if the score, clamped to `wanted`, is known.
    pub fn decides(self, wanted: Self) -> bool {
        let (lower, upper) = self.undecided(wanted);
        lower >= upper
    }

    /// Returns the next window (alpha, alpha + 1) to search; `None` if the interval decides
    /// `wanted`. `asked` counts the windows so far.
    ///
    /// The first two windows ask about quick wins and quick losses, which are proved or refuted
    /// with little work. The next ones ask about the outcome. The others divide the rest near the
    /// draw, where most scores are; early in the game nearly all scores are next to the draw.
    pub fn next_window(self, wanted: Self, asked: usize, prior: Prior) -> Option<Score> {
        if self.decides(wanted) {
            return None;
        }
        let (lower, upper) = self.undecided(wanted);
        let inside = |alpha: Score| (lower <= alpha && alpha < upper).then_some(alpha);
        let first = match asked {
            0 => inside(upper * 5 / 8),
            1 => inside(lower * 5 / 8 - 1),
            _ => None,
        };
        let part = if prior.is_early { 0 } else { (upper - lower) / 4 };
        let nearer = if lower > 0 { lower + part } else { upper - 1 - part };
        let outcome = if prior.is_poor { [-1, 0] } else { [0, -1] };
        first.or_else(|| outcome.into_iter().find_map(inside)).or(Some(nearer))
    }

    pub fn and(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// Returns the interval from the other side's view if `turned`.
    pub const fn turned_if(self, turned: bool) -> Self {
        if turned { Self { lower: -self.upper, upper: -self.lower } } else { self }
    }

    /// Returns the interval after a search of the window (alpha, alpha + 1) gave `score`.
    pub fn narrowed(self, alpha: Score, score: Score) -> Self {
        if score > alpha {
            Self { lower: self.lower.max(score), ..self }
        } else {
            Self { upper: self.upper.min(score), ..self }
        }
    }
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

    #[test]
    fn every_score_is_found() {
        let priors = [(7, 6, 42), (7, 6, 20), (8, 6, 48), (6, 4, 24)];
        for (lower, upper) in [(-18, 18), (-20, 20), (1, 1), (-3, 0), (0, 9), (2, 31)] {
            for (truth, (width, height, empties)) in
                (lower..=upper).flat_map(|truth| priors.map(|prior| (truth, prior)))
            {
                let prior = Prior::new(Size { width, height, line: 4 }, empties);
                let mut known = Interval { lower, upper };
                let mut asked = 0;
                let wanted = known;
                while let Some(alpha) = known.next_window(wanted, asked, prior) {
                    assert!(known.lower <= alpha && alpha < known.upper);
                    known = known.narrowed(alpha, if truth > alpha { alpha + 1 } else { alpha });
                    asked += 1;
                }
                assert_eq!(known.lower, truth);
                assert!(asked <= 40);
            }
        }
    }

    #[test]
    fn the_second_player_is_expected_to_hold_even_boards() {
        let is_poor =
            |width, height, empties| Prior::new(Size { width, height, line: 4 }, empties).is_poor;
        assert!(is_poor(8, 6, 48) && is_poor(8, 6, 44) && is_poor(6, 4, 22));
        assert!(!is_poor(8, 6, 47) && !is_poor(8, 6, 42));
        assert!(!is_poor(7, 6, 42) && !is_poor(6, 7, 42) && !is_poor(9, 4, 36));
    }
}
