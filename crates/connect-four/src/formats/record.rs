//! A record: the content of a line or a binary record.

use crate::game::{Move, PartialValue};
use crate::games::line::Stones;

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
