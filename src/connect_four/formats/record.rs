//! What a line or record says: a position, and perhaps its value.

use std::fmt;

use crate::game::{Move, Outcome, Remoteness, Value};
use crate::games::line::Stones;

/// What a file says a position is worth, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The result under best play.
    pub outcome: Outcome,
    /// Plies to the end under best play, where the file tells them.
    pub remoteness: Option<Remoteness>,
}

impl Claim {
    /// The claim of an outcome alone.
    #[must_use]
    pub const fn of_outcome(outcome: Outcome) -> Self {
        Self { outcome, remoteness: None }
    }

    /// True if both can be true: they agree in all that both tell.
    #[must_use]
    pub fn agrees(self, other: Self) -> bool {
        let near = match (self.remoteness, other.remoteness) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        self.outcome == other.outcome && near
    }

    /// The whole value, if the claim tells it or the rules do: a draw lasts until the board is
    /// full, `plies_left` plies.
    #[must_use]
    pub fn value(self, plies_left: u32) -> Option<Value> {
        let remoteness = match (self.outcome, self.remoteness) {
            (Outcome::Draw, None) => Remoteness(u8::try_from(plies_left).ok()?),
            (_, remoteness) => remoteness?,
        };
        Some(Value::new(self.outcome, remoteness))
    }
}

impl From<Value> for Claim {
    fn from(value: Value) -> Self {
        Self { outcome: value.outcome, remoteness: Some(value.remoteness) }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.remoteness {
            Some(remoteness) => write!(f, "{} in {remoteness}", self.outcome),
            None => self.outcome.fmt(f),
        }
    }
}

/// A position as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position.
    pub position: Stones,
    /// The moves as played where the format tells them; elsewhere some order that leads here.
    pub moves: Vec<Move>,
    /// What the line says it is worth.
    pub claim: Option<Claim>,
}
