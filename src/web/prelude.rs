//! The names that most answers and pages use.

pub(super) use axum::response::Response;
pub(super) use maud::{Markup, html};

pub(super) use super::Shared;
pub(super) use super::failure::ApiError;
pub(super) use super::record::{GameRecord, Side};
pub(super) use super::request::{Query, ReadQuery};
pub(super) use everyply_core::control::Control;
pub(super) use everyply_registry::registry::Position;
pub(super) use everyply_results::export::PositionDocument;
pub(super) use everyply_results::oracle::OracleError;
