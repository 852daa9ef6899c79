//! The API on games of the registry.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use serde::Serialize;

use super::{ApiError, json, level, timeout};
use crate::control::Control;
use crate::export::SituationDocument;
use crate::oracle::OracleError;
use crate::registry::{Capability, Situation};
use crate::web::Shared;
use crate::web::registered::Address;
use crate::web::request::{BadRequest, Query};

/// What is known of a position, and why that is not all.
pub struct Found {
    pub address: Address,
    pub situation: Situation,
    pub lack: Option<Lack>,
}

/// Why values are missing.
pub enum Lack {
    /// Time was up.
    Time,
    /// The game is too large.
    Size(String),
}

/// The values of a position and its moves that are found in the time there is.
pub async fn found(
    explorer: &Shared,
    address: Address,
    limit: Option<Duration>,
) -> Result<Found, ApiError> {
    let (start, study) = (address.course.start(), address.course.study());
    let kept = explorer.oracle.kept_situation(start, study)?;
    if kept.is_whole() {
        return Ok(Found { address, situation: kept, lack: None });
    }
    let (control, _guard) = explorer.workers.control(limit);
    let this = explorer.clone();
    let work = move |control: &Control| {
        let course = &address.course;
        let found = this.oracle.situation(course.start(), course.study(), control);
        (found, address)
    };
    let (found, address) = explorer.run(Arc::clone(&control), work).await?;
    let (situation, lack) = match found {
        Ok(situation) => (situation, None),
        Err(OracleError::Stopped(_)) => (kept, Some(Lack::Time)),
        Err(error @ OracleError::Engine { .. }) => (kept, Some(Lack::Size(error.to_string()))),
        Err(error) => return Err(error.into()),
    };
    Ok(Found { address, situation, lack })
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    situation: SituationDocument,
    /// Time was up before all was solved.
    interrupted: bool,
}

/// `GET /api/v1/position` of a game of the registry.
pub async fn position(
    explorer: &Shared,
    address: Address,
    mut query: Query,
) -> Result<Response, ApiError> {
    let limit = timeout(&mut query)?;
    query.done()?;
    let Found { address, situation, lack } = found(explorer, address, limit).await?;
    if let Some(Lack::Size(said)) = lack {
        return Err(too_large(&said).into());
    }
    Ok(json(&Document {
        situation: SituationDocument::new(address.course.study(), &situation),
        interrupted: lack.is_some(),
    }))
}

fn too_large(said: &str) -> BadRequest {
    BadRequest(format!("{said}; or serve a database that holds it, or larger tables"))
}

#[derive(Serialize)]
struct Reply {
    #[serde(rename = "move")]
    text: Option<String>,
    moves: String,
    level: &'static str,
    proved: bool,
}

/// `GET /api/v1/reply` of a game of the registry.
pub async fn reply(
    explorer: &Shared,
    address: Address,
    mut query: Query,
) -> Result<Response, ApiError> {
    let level = level(&mut query)?.unwrap_or_default();
    query.done()?;
    let mut moves = address.moves.clone();
    if level.looks_ahead() && address.course.start().plies_left().is_none() {
        return Err(BadRequest(format!(
            "level {}: {} is not {}, which looking ahead asks for",
            level.name(),
            address.entry.name,
            Capability::Tiered
        ))
        .into());
    }
    let (control, _guard) = explorer.workers.control(None);
    let this = explorer.clone();
    let work = move |control: &Control| {
        let (start, study) = (address.course.start(), address.course.study());
        let choice = level.choose_branch(&this.oracle, start, study, control)?;
        Ok(choice.map(|choice| (choice.m.text, choice.proved)))
    };
    let choice = match explorer.run(control, work).await? {
        Ok(choice) => choice,
        Err(error @ OracleError::Engine { .. }) => {
            return Err(too_large(&error.to_string()).into());
        }
        Err(error) => return Err(error.into()),
    };
    moves.extend(choice.as_ref().map(|(text, _)| text.clone()));
    Ok(json(&Reply {
        proved: choice.as_ref().is_some_and(|(_, proved)| *proved),
        text: choice.map(|(text, _)| text),
        moves: moves.join(","),
        level: level.name(),
    }))
}
