//! A record: the content of a line or a binary record.

use super::RecordError;
use crate::game::{Move, PartialValue, Tiered, Value};
use crate::games::line::{ConnectFour, Stones};

/// A position that was read, perhaps with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position.
    pub position: Stones,
    /// The moves as played if the format has them; otherwise one order that leads to the position.
    pub moves: Vec<Move>,
    /// The value, if the format has one.
    pub value: Option<PartialValue>,
}

impl Record {
    /// Returns the exact value, for a format that needs it.
    pub(super) fn exact_value(
        &self,
        game: &ConnectFour,
        needs: &'static str,
        remedy: &'static str,
    ) -> Result<Value, RecordError> {
        let missing = |has| RecordError::NoValue { needs, has, remedy };
        let value = self.value.ok_or_else(|| missing("and the input has no values"))?;
        let has = "and the input has the outcome, but not how soon the game ends";
        value.on_board(game.plies_left(self.position)).ok_or_else(|| missing(has))
    }
}
