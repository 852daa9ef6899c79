//! The JSON document of a position of a registered game, on the command line and over HTTP.

use schemars::JsonSchema;
use serde::Serialize;

use crate::game::PartialValue;
use crate::game::ValueRow;
use crate::registry::{Situation, Study};

/// A move with its value for the side that makes it, as far as it is known.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "KnownMove")]
pub(crate) struct StudyMoveRow {
    #[serde(rename = "move")]
    text: String,
    outcome: Option<&'static str>,
    remoteness: Option<u8>,
}

impl StudyMoveRow {
    pub fn new(text: String, worth: Option<PartialValue>) -> Self {
        Self {
            text,
            outcome: worth.map(|worth| worth.outcome.word()),
            remoteness: worth.and_then(|worth| worth.remoteness).map(|r| r.0),
        }
    }
}

/// A position with its known values.
#[derive(JsonSchema, Serialize)]
pub(crate) struct SituationDocument {
    game: &'static str,
    title: String,
    parameters: [u8; 3],
    position: String,
    value: Option<ValueRow>,
    best: Vec<String>,
    moves: Vec<StudyMoveRow>,
}

impl SituationDocument {
    pub fn new(study: &dyn Study, situation: &Situation) -> Self {
        let moves = situation.moves.iter();
        Self {
            game: study.name(),
            title: study.title(),
            parameters: study.parameters(),
            position: study.picture(),
            value: situation.worth.map(ValueRow::from),
            best: situation.best_moves().map(|branch| branch.text.clone()).collect(),
            moves: moves.map(|(b, worth)| StudyMoveRow::new(b.text.clone(), *worth)).collect(),
        }
    }
}
