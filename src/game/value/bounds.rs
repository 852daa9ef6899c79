//! What is proven of a value that is not known.

use super::{Outcome, Value};

/// Two values between which a value lies, both included, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueBounds {
    /// The worst it can be.
    pub worst: Value,
    /// The best it can be.
    pub best: Value,
}

impl ValueBounds {
    /// The bounds that leave this value alone.
    #[must_use]
    pub const fn exactly(value: Value) -> Self {
        Self { worst: value, best: value }
    }

    /// The value, if only one is left.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        (self.worst == self.best).then_some(self.worst)
    }

    /// The outcome, if only one is left.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        (self.worst.outcome == self.best.outcome).then_some(self.worst.outcome)
    }

    /// The bounds of the move that leads here, for the side that makes it.
    #[must_use]
    pub fn for_parent(self) -> Self {
        Self { worst: self.best.for_parent(), best: self.worst.for_parent() }
    }
}
