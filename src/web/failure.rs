//! Errors of the explorer, as answers.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use super::search::SearchFailed;
use everyply_core::game::Unreadable;
use everyply_results::oracle::OracleError;

/// An error in place of an answer: the client's with status 400, a fault of the server or a file with 500.
#[derive(Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub error: String,
}

impl ApiError {
    pub fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, error: error.into() }
    }

    pub fn refused(error: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    pub fn failed(error: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }

    /// The refusal of a game that no engine takes.
    pub fn too_large(error: &str) -> Self {
        ApiError::refused(format!("{error}; or serve a database that holds it, or larger tables"))
    }
}

impl From<Unreadable> for ApiError {
    fn from(Unreadable(error): Unreadable) -> Self {
        Self::refused(error)
    }
}

impl From<SearchFailed> for ApiError {
    fn from(_: SearchFailed) -> Self {
        Self::failed("the search failed: please report this as a bug")
    }
}

impl From<OracleError> for ApiError {
    fn from(error: OracleError) -> Self {
        match error {
            error @ OracleError::Engine { .. } => Self::too_large(&error.to_string()),
            error => Self::failed(error.to_string()),
        }
    }
}

/// An error in place of an answer.
#[derive(JsonSchema, Serialize)]
pub struct ErrorDocument {
    pub error: String,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, json(&ErrorDocument { error: self.error })).into_response()
    }
}

/// A JSON document as the command line prints it.
pub fn json(document: &impl Serialize) -> Response {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_else(|_| "null".to_owned());
    text.push('\n');
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}
