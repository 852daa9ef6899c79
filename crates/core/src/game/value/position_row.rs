//! A position with its value, as files keep it.

use std::fmt;

use super::{PartialValue, ValueWithBest};
use crate::game::{Key, MoveSet, Ply};

/// The proven value of one position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionRow {
    /// The canonical key.
    pub key: Key,
    /// Moves played since the empty board; the tier in other games.
    pub ply: Ply,
    /// The value; without its distance while only the outcome is proven.
    pub value: PartialValue,
    /// All best moves of the canonical position: in games for points the moves with the most points,
    /// else the moves that attain the value or, while only the outcome is proven, the outcome. `None` if
    /// not all of them are known.
    pub best: Option<MoveSet>,
}

impl PositionRow {
    /// The row of a position with this canonical key.
    pub const fn new(key: Key, ply: Ply, proven: ValueWithBest) -> Self {
        let ValueWithBest { value, best } = proven;
        Self { key, ply, value, best }
    }
}

impl fmt::Display for PositionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} at ply {}", self.value.outcome, self.ply)?;
        if let Some(remoteness) = self.value.remoteness {
            let plies = if remoteness.0 == 1 { "ply" } else { "plies" };
            write!(f, ", {remoteness} {plies} from the end")?;
        }
        let Some(best) = self.best else { return Ok(()) };
        f.write_str(", best moves")?;
        if best.is_empty() {
            f.write_str(" none")?;
        }
        best.into_iter().try_for_each(|m| write!(f, " {}", m.number()))
    }
}
