//! Bounds of positions without a proved value.

use std::fmt;

use super::{Outcome, Value};

/// Two values between which a value lies, both included, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueBounds {
    /// The worst possible value.
    pub worst: Value,
    /// The best possible value.
    pub best: Value,
}

impl ValueBounds {
    /// The bounds that leave this value alone.
    pub const fn exactly(value: Value) -> Self {
        Self { worst: value, best: value }
    }

    /// The value, if only one is left.
    pub fn value(self) -> Option<Value> {
        (self.worst == self.best).then_some(self.worst)
    }

    /// The outcome, if only one is left.
    pub fn outcome(self) -> Option<Outcome> {
        (self.worst.outcome == self.best.outcome).then_some(self.worst.outcome)
    }

    /// True if the bounds prove nothing of interest: either side may win, at once or nearly so.
    pub fn is_open(self) -> bool {
        (self.worst.outcome, self.best.outcome) == (Outcome::Loss, Outcome::Win)
            && self.worst.remoteness.0 <= AT_ONCE
            && self.best.remoteness.0 <= AT_ONCE
    }

    /// The bounds of the move that leads here, for the side that makes it.
    #[must_use]
    pub fn for_parent(self) -> Self {
        Self { worst: self.best.for_parent(), best: self.worst.for_parent() }
    }
}

/// The remoteness up to which an end of the game is seen without a proof, so that a bound on it is no
/// news.
const AT_ONCE: u8 = 4;

/// The bounds in words: `at least a draw, at best a win in 21 plies`.
impl fmt::Display for ValueBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Outcome::{Draw, Loss, Win};
        let (worst, best) = (self.worst.remoteness, self.best.remoteness);
        match (self.worst.outcome, self.best.outcome) {
            _ if self.worst == self.best => write!(f, "{}", self.worst),
            (Win, Win) => write!(f, "a win in {best} to {worst} plies"),
            (Loss, Loss) => write!(f, "a loss in {worst} to {best} plies"),
            (Draw, Draw) => f.write_str("a draw"),
            (Draw, _) => write!(f, "at least a draw, at best a win in {best} plies"),
            (_, Draw) => write!(f, "at most a draw, at worst a loss in {worst} plies"),
            _ if self.is_open() => f.write_str("nothing yet"),
            _ => write!(f, "no win in less than {best} plies, no loss in less than {worst}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Remoteness;

    #[test]
    fn bounds_are_worded_by_what_they_prove() {
        let words = |worst: (Outcome, u8), best: (Outcome, u8)| {
            let value = |(outcome, plies)| Value::new(outcome, Remoteness(plies));
            ValueBounds { worst: value(worst), best: value(best) }.to_string()
        };
        use Outcome::{Draw, Loss, Win};
        assert_eq!(words((Loss, 4), (Win, 3)), "nothing yet");
        assert_eq!(words((Draw, 42), (Win, 21)), "at least a draw, at best a win in 21 plies");
        assert_eq!(words((Loss, 8), (Draw, 30)), "at most a draw, at worst a loss in 8 plies");
        assert_eq!(words((Win, 21), (Win, 3)), "a win in 3 to 21 plies");
        assert_eq!(words((Loss, 4), (Loss, 20)), "a loss in 4 to 20 plies");
        assert_eq!(
            words((Loss, 20), (Win, 3)),
            "no win in less than 3 plies, no loss in less than 20"
        );
        assert_eq!(words((Win, 5), (Win, 5)), "win in 5 plies");
    }
}
