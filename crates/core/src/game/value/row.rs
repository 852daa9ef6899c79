//! A value as a part of a document.

use schemars::JsonSchema;
use serde::Serialize;

use super::{PartialValue, Value};

/// A value, for the side to move.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
#[schemars(rename = "Value")]
pub struct ValueRow {
    /// Win, draw or loss.
    pub outcome: &'static str,
    /// The plies to the end; `null` if they are unknown or play is endless.
    pub remoteness: Option<u32>,
    /// The final points, in bounds of a game that counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    /// True for a draw by endless play.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub endless: bool,
}

impl From<PartialValue> for ValueRow {
    fn from(value: PartialValue) -> Self {
        Self {
            outcome: value.outcome.word(),
            remoteness: value.remoteness.map(|r| r.0.into()),
            points: None,
            endless: false,
        }
    }
}

impl From<Value> for ValueRow {
    fn from(value: Value) -> Self {
        PartialValue::from(value).into()
    }
}
