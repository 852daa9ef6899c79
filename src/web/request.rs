//! Queries of requests.

use std::ops::RangeInclusive;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::failure::ApiError;
use everyply_core::games::line::notation::{beginning, is_picture};
use everyply_registry::registry::TextForm;

/// Most bytes of a query; a move string of any board is far shorter.
const LONGEST: usize = 4096;

/// The parameters of a request; each may be taken once.
#[derive(Debug)]
pub struct Query(Vec<(String, String)>);

/// The query of a request, or the error in it.
pub type ReadQuery = Result<Query, ApiError>;

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Self::new(parts.uri.query())
    }
}

impl Query {
    pub fn new(query: Option<&str>) -> Result<Self, ApiError> {
        let query = query.unwrap_or_default();
        if query.len() > LONGEST {
            return Err(ApiError::refused(format!("the query is longer than {LONGEST} bytes")));
        }
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if pairs.iter().any(|(other, _)| *other == name) {
                return Err(ApiError::refused(format!(
                    "the parameter '{}' is given twice",
                    shown(&name)
                )));
            }
            pairs.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self(pairs))
    }

    /// The parameters of these names and values, each once.
    #[cfg(feature = "mcp")]
    pub const fn of_pairs(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }

    /// Removes a parameter and returns its value, if the query has it.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(other, _)| other == name)?;
        Some(self.0.swap_remove(at).1)
    }

    /// Takes a parameter unless its value is empty, as of a field of a form.
    pub fn take_filled(&mut self, name: &str) -> Option<String> {
        self.take(name).filter(|value| !value.is_empty())
    }

    /// The index in `words` of a parameter's value; `None` if it is missing or empty.
    pub fn choice(&mut self, name: &str, words: &[&str]) -> Result<Option<usize>, ApiError> {
        let Some(value) = self.take_filled(name) else { return Ok(None) };
        let at = words.iter().position(|word| *word == value);
        at.map(Some).ok_or_else(|| invalid(name, &value, &words.join(", ")))
    }

    pub fn flag(&mut self, name: &str) -> Result<bool, ApiError> {
        Ok(self.choice(name, &["false", "true"])? == Some(1))
    }

    /// A number in a range; `None` if it is missing or empty.
    pub fn number(
        &mut self,
        name: &str,
        range: RangeInclusive<usize>,
    ) -> Result<Option<usize>, ApiError> {
        let Some(value) = self.take_filled(name) else { return Ok(None) };
        let number = value.parse().ok().filter(|number| range.contains(number));
        let (least, most) = (range.start(), range.end());
        number.map(Some).ok_or_else(|| invalid(name, &value, &format!("{least} to {most}")))
    }

    /// Refuses parameters that were not taken.
    pub fn done(self) -> Result<(), ApiError> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => {
                Err(ApiError::refused(format!("unexpected parameter '{}'", shown(name))))
            }
        }
    }

    /// The position of the parameters `moves` or `board`, still as text.
    pub fn position_input(&mut self) -> Result<(TextForm, String), ApiError> {
        match (self.take("moves"), self.take("board")) {
            (Some(_), Some(_)) => Err(ApiError::refused("give moves or board, not both")),
            (None, Some(board)) => Ok((TextForm::Picture, board)),
            (moves, None) => Ok((TextForm::Moves, moves.unwrap_or_default())),
        }
    }
}

/// The form of a pasted text: a picture if it has its characters, else moves.
pub fn form_of(text: &str) -> TextForm {
    match text.contains('/') || is_picture(text) {
        true => TextForm::Picture,
        false => TextForm::Moves,
    }
}

pub fn invalid(name: &str, value: &str, expected: &str) -> ApiError {
    ApiError::refused(format!("invalid value '{}' for '{name}': {expected}", shown(value)))
}

/// The beginning of a client's text, for errors.
pub fn shown(text: &str) -> String {
    beginning(text, 60)
}
