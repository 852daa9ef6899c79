//! Conventions that turn a value into a number, as textbooks and course reports use them.

use std::fmt;

use serde::{Serialize, Serializer};

use everyply_core::game::{Outcome, Value};

/// A convention that turns a value into a score for the side to move. All agree on the outcome; the
/// first two do not distinguish a quick win from a slow one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scoring {
    /// 1, 0, -1.
    #[default]
    Outcome,
    /// 10, 0, -10.
    Ten,
    /// ±(10 - (r - 1)) for an end r plies away, 0 for a draw: quick wins and slow losses count
    /// more. On boards of more than 9 cells the 10 becomes cells + 1, so that no sign is lost.
    TenMinusDepth,
    /// ±1/r, 0 for a draw.
    InverseDepth,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScoringScore {
    Whole(i32),
    Fraction(f64),
}

impl Scoring {
    pub const ALL: [Self; 4] = [Self::Outcome, Self::Ten, Self::TenMinusDepth, Self::InverseDepth];

    /// Returns the name on the command line, in addresses and in outputs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outcome => "outcome",
            Self::Ten => "ten",
            Self::TenMinusDepth => "ten-minus-depth",
            Self::InverseDepth => "inverse-depth",
        }
    }

    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scoring| scoring.name() == name)
    }

    /// Returns the score of a value on a board of `cells` cells.
    ///
    /// A game that is already over counts as r = 1, the nearest end a move can lead to.
    pub fn score(self, value: Value, cells: u32) -> ScoringScore {
        let sign = i32::from(value.outcome.sign());
        let r = value.remoteness.0.max(1);
        match self {
            Self::Outcome => ScoringScore::Whole(sign),
            Self::Ten => ScoringScore::Whole(10 * sign),
            Self::TenMinusDepth => {
                let most = if cells > 9 { cells as i32 + 1 } else { 10 };
                ScoringScore::Whole(sign * (most - (i32::from(r) - 1)))
            }
            Self::InverseDepth if value.outcome == Outcome::Draw => ScoringScore::Whole(0),
            Self::InverseDepth => ScoringScore::Fraction(f64::from(sign) / f64::from(r)),
        }
    }
}

impl fmt::Display for ScoringScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(n) => n.fmt(f),
            Self::Fraction(x) => x.fmt(f),
        }
    }
}

impl Serialize for Scoring {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for ScoringScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Whole(n) => serializer.serialize_i32(*n),
            Self::Fraction(x) => serializer.serialize_f64(*x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScoringScore::{Fraction, Whole};
    use everyply_core::game::Remoteness;

    #[test]
    fn the_four_conventions() {
        let value = |outcome, r| Value::new(outcome, Remoteness(r));
        let (win, loss) = (value(Outcome::Win, 3), value(Outcome::Loss, 4));
        let (draw, over) = (value(Outcome::Draw, 5), value(Outcome::Loss, 0));
        let scores = |s: Scoring| [win, loss, draw, over].map(|v| s.score(v, 9));
        assert_eq!(scores(Scoring::Outcome), [Whole(1), Whole(-1), Whole(0), Whole(-1)]);
        assert_eq!(scores(Scoring::Ten), [Whole(10), Whole(-10), Whole(0), Whole(-10)]);
        assert_eq!(scores(Scoring::TenMinusDepth), [Whole(8), Whole(-7), Whole(0), Whole(-10)]);
        let third = 1.0 / 3.0;
        let inverse = [Fraction(third), Fraction(-0.25), Whole(0), Fraction(-1.0)];
        assert_eq!(scores(Scoring::InverseDepth), inverse);
        assert_eq!(Scoring::TenMinusDepth.score(win, 16), Whole(15));
    }
}
