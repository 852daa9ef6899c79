//! The names that most answers and pages use.

pub(super) use std::sync::Arc;
pub(super) use std::time::Duration;

pub(super) use axum::http::{HeaderMap, StatusCode, Uri, header};
pub(super) use axum::response::{IntoResponse, Response};
pub(super) use maud::{Markup, html};
pub(super) use schemars::JsonSchema;
pub(super) use serde::Serialize;

pub(super) use super::Shared;
pub(super) use super::failure::ApiError;
pub(super) use super::record::{GameRecord, Side};
pub(super) use super::request::{Query, ReadQuery};
pub(super) use everyply_connect_four::solver::{Goal, score_of};
pub(super) use everyply_core::control::Control;
pub(super) use everyply_core::game::{Look, MoveSet, MoveStyle, Outcome, PartialValue, Remoteness};
pub(super) use everyply_core::games::line::Rules;
pub(super) use everyply_registry::registry::{Branch, Entry, Position, Registry, TextForm};
pub(super) use everyply_results::export::{GamesDocument, MoveName, PositionDocument};
pub(super) use everyply_results::opponent::Level;
pub(super) use everyply_results::oracle::{Oracle, OracleError, SourcedValue};
