//! The value of a position of a game that may go on for ever.

use std::cmp::Ordering;
use std::fmt;

use super::{Outcome, PartialValue, Remoteness, Value};

/// The value of a position: play ends in this way, or it is drawn because neither side can be
/// made to let it end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Worth {
    /// Play ends in so many plies, with this outcome.
    Ends(Value),
    /// A draw: play goes on for ever.
    Endless,
}

impl Worth {
    /// The outcome for the side to move; endless play is a draw.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Ends(value) => value.outcome,
            Self::Endless => Outcome::Draw,
        }
    }

    /// Plies to the end, where there is one.
    #[must_use]
    pub const fn remoteness(self) -> Option<Remoteness> {
        match self {
            Self::Ends(value) => Some(value.remoteness),
            Self::Endless => None,
        }
    }

    /// True if a move of this value attains the value of its position, both for the side that
    /// makes it: where play is endless, every move to a draw does.
    #[must_use]
    pub fn attains(self, best: Self) -> bool {
        match best {
            Self::Ends(_) => self == best,
            Self::Endless => self.outcome() == Outcome::Draw,
        }
    }

    /// The same one ply earlier, for the side to move there: the other one, or with `keeps_turn`
    /// the same.
    #[must_use]
    pub fn one_ply_earlier(self, keeps_turn: bool) -> Self {
        match self {
            Self::Ends(value) => Self::Ends(value.one_ply_earlier(keeps_turn)),
            Self::Endless => Self::Endless,
        }
    }
}

impl From<Worth> for PartialValue {
    /// Endless play is a draw without a distance: so a database keeps it.
    fn from(worth: Worth) -> Self {
        Self { outcome: worth.outcome(), remoteness: worth.remoteness() }
    }
}

/// Ordered by preference: quick wins before slow ones; among draws endless ones first, then long
/// ones; slow losses before quick ones.
impl Ord for Worth {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Ends(a), Self::Ends(b)) => a.cmp(b),
            (Self::Endless, Self::Endless) => Ordering::Equal,
            (Self::Endless, b) => Outcome::Draw.cmp(&b.outcome()).then(Ordering::Greater),
            (a, Self::Endless) => a.outcome().cmp(&Outcome::Draw).then(Ordering::Less),
        }
    }
}

impl PartialOrd for Worth {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends(value) => write!(f, "{value}"),
            Self::Endless => f.write_str("draw by endless play"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_play_ranks_between_a_draw_that_ends_and_a_win() {
        let ends = |outcome, r| Worth::Ends(Value::new(outcome, Remoteness(r)));
        let best_first = [
            ends(Outcome::Win, 1),
            ends(Outcome::Win, 9),
            Worth::Endless,
            ends(Outcome::Draw, 8),
            ends(Outcome::Draw, 2),
            ends(Outcome::Loss, 8),
        ];
        for (i, a) in best_first.iter().enumerate() {
            for (j, b) in best_first.iter().enumerate() {
                assert_eq!(a.cmp(b), j.cmp(&i), "{a} and {b}");
            }
        }
    }
}
