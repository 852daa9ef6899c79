//! Which windows to ask about, until the score is known.

use std::ops::Neg;

use super::score::Score;

/// Positions with at least so many empty cells are early in a game.
const EARLY: i32 = 36;

/// What is proved of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The score is at least this.
    pub lower: Score,
    /// The score is at most this.
    pub upper: Score,
}

impl Interval {
    /// True if the score is known.
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// The next window (alpha, alpha + 1) to ask about; `None` if nothing more is wanted: the
    /// wanted interval tells where in it the score lies, or on which side of it. `asked` counts
    /// the windows so far, `rest` the empty cells.
    ///
    /// Quick ends first, on either side, since they are found or refuted with little work; then
    /// the outcome; then a part of what is left, nearer to the draw, where most scores are. Early
    /// in the game nearly all are next to it.
    pub fn next_window(self, wanted: Self, asked: usize, rest: i32) -> Option<Score> {
        let (lower, upper) = (self.lower.max(wanted.lower), self.upper.min(wanted.upper));
        if lower >= upper {
            return None;
        }
        let inside = |alpha: Score| (lower <= alpha && alpha < upper).then_some(alpha);
        let first = match asked {
            0 => inside(upper * 5 / 8),
            1 => inside(lower * 5 / 8 - 1),
            _ => None,
        };
        let part = if rest >= EARLY { 0 } else { (upper - lower) / 4 };
        let nearer = if lower > 0 { lower + part } else { upper - 1 - part };
        first.or_else(|| inside(0)).or_else(|| inside(-1)).or(Some(nearer))
    }

    /// The interval after a search of the window (alpha, alpha + 1) gave `score`.
    pub fn narrowed(self, alpha: Score, score: Score) -> Self {
        if score > alpha {
            Self { lower: self.lower.max(score), ..self }
        } else {
            Self { upper: self.upper.min(score), ..self }
        }
    }
}

impl Neg for Interval {
    type Output = Self;

    /// The same seen by the other side.
    fn neg(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_is_found() {
        for (lower, upper) in [(-18, 18), (-20, 20), (1, 1), (-3, 0), (0, 9), (2, 31)] {
            for truth in lower..=upper {
                let mut known = Interval { lower, upper };
                let mut asked = 0;
                let wanted = known;
                while let Some(alpha) = known.next_window(wanted, asked, upper) {
                    assert!(known.lower <= alpha && alpha < known.upper);
                    known = known.narrowed(alpha, if truth > alpha { alpha + 1 } else { alpha });
                    asked += 1;
                }
                assert_eq!(known.lower, truth);
                assert!(asked <= 40);
            }
        }
    }
}
