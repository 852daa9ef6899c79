//! A value as a row of a table or a part of a document.

use schemars::JsonSchema;
use serde::Serialize;

use super::{PartialValue, Value};

/// A value, for the side to move; no remoteness where it is not known or play is endless.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
#[schemars(rename = "Value")]
pub struct ValueRow {
    outcome: &'static str,
    remoteness: Option<u8>,
}

impl From<PartialValue> for ValueRow {
    fn from(value: PartialValue) -> Self {
        Self { outcome: value.outcome.word(), remoteness: value.remoteness.map(|r| r.0) }
    }
}

impl From<Value> for ValueRow {
    fn from(value: Value) -> Self {
        PartialValue::from(value).into()
    }
}
