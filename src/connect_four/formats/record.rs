//! What a line or record says: a position, and perhaps its value.

use crate::game::{Move, PartialValue};
use crate::games::line::Stones;

/// A position as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position.
    pub position: Stones,
    /// The moves as played where the format tells them; elsewhere some order that leads here.
    pub moves: Vec<Move>,
    /// What the line says it is worth.
    pub value: Option<PartialValue>,
}
