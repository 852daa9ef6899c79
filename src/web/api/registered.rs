//! The API on games of the registry.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use serde::Serialize;

use super::{ApiError, json, level, timeout};
use crate::control::{Control, Stopped};
use crate::export::SituationDocument;
use crate::game::PartialValue;
use crate::oracle::{Oracle, OracleError, StudiedPlay, studied_play};
use crate::registry::{Capability, Situation, Study};
use crate::web::Shared;
use crate::web::registered::Address;
use crate::web::request::{BadRequest, Query};

/// What is known of a position, and why that is not all.
pub struct Found {
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

impl Lack {
    /// The lack that an error is, if it is no fault.
    fn of(error: OracleError) -> Result<Self, ApiError> {
        match error {
            OracleError::Stopped(_) => Ok(Self::Time),
            error @ OracleError::Engine { .. } => Ok(Self::Size(error.to_string())),
            error => Err(error.into()),
        }
    }
}

/// What the oracle answers about a game, in the time there is.
async fn asked<T: Send + 'static>(
    explorer: &Shared,
    address: &Arc<Address>,
    limit: Option<Duration>,
    ask: impl FnOnce(&Oracle, &Address, &Control) -> Result<T, OracleError> + Send + 'static,
) -> Result<Result<T, Lack>, ApiError> {
    let (this, address) = (explorer.clone(), Arc::clone(address));
    let work = move |control: &Control| ask(&this.oracle, &address, control);
    match explorer.searches.run(limit, work).await? {
        Ok(found) => Ok(Ok(found)),
        Err(error) => Lack::of(error).map(Err),
    }
}

/// What is known of a position without a search.
pub fn kept(explorer: &Shared, address: &Address) -> Result<Found, ApiError> {
    let situation = explorer.oracle.kept_situation(address.course.start(), address.study())?;
    Ok(Found { situation, lack: None })
}

/// The values of a position and its moves that are found in the time there is.
pub async fn found(
    explorer: &Shared,
    address: &Arc<Address>,
    limit: Option<Duration>,
) -> Result<Found, ApiError> {
    let kept = kept(explorer, address)?;
    if kept.situation.is_whole() {
        return Ok(kept);
    }
    let found = asked(explorer, address, limit, |oracle, address, control| {
        oracle.situation(address.course.start(), address.study(), control)
    });
    Ok(match found.await? {
        Ok(situation) => Found { situation, lack: None },
        Err(lack) => Found { lack: Some(lack), ..kept },
    })
}

/// Best play from the position on the board; `None` if it is not known, with `search` if it is not
/// found in the time there is.
pub async fn play(
    explorer: &Shared,
    address: &Arc<Address>,
    search: bool,
) -> Result<Option<StudiedPlay>, ApiError> {
    let start = address.course.start();
    let kept = studied_play(address.study(), |study| explorer.oracle.kept_situation(start, study))?;
    if kept.is_some() || !search {
        return Ok(kept);
    }
    let found = asked(explorer, address, None, |oracle, address, control| {
        let start = address.course.start();
        studied_play(address.study(), |study| oracle.situation(start, study, control))
    });
    Ok(found.await?.unwrap_or(None))
}

/// The value of every position of a game as far as it is known, with `search` as far as it is found
/// in the time there is.
pub async fn values(
    explorer: &Shared,
    address: &Arc<Address>,
    search: bool,
) -> Result<Vec<Option<PartialValue>>, ApiError> {
    type Values = Result<Vec<Option<PartialValue>>, OracleError>;
    fn all(
        address: &Address,
        ask: impl Fn(&dyn Study) -> Result<Situation, OracleError>,
    ) -> Values {
        let places = 0..=address.moves.len();
        places.map(|at| Ok(ask(address.course.study_at(at))?.worth.map(Into::into))).collect()
    }
    let start = address.course.start();
    let kept = all(address, |study| explorer.oracle.kept_situation(start, study))?;
    if !search || kept.iter().all(Option::is_some) {
        return Ok(kept);
    }
    // One solution holds them all.
    let found = asked(explorer, address, None, |oracle, address, control| {
        all(address, |study| oracle.situation(address.course.start(), study, control))
    });
    Ok(found.await?.unwrap_or(kept))
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
    let address = Arc::new(address);
    let Found { situation, lack } = found(explorer, &address, limit).await?;
    if let Some(Lack::Size(said)) = lack {
        return Err(too_large(&said).into());
    }
    Ok(json(&Document {
        situation: SituationDocument::new(address.study(), &situation),
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
    let mut moves = address.played().to_vec();
    if level.looks_ahead() && address.course.start().plies_left().is_none() {
        return Err(BadRequest(format!(
            "level {}: {} is not {}, which looking ahead asks for",
            level.name(),
            address.entry.name,
            Capability::Tiered
        ))
        .into());
    }
    let address = Arc::new(address);
    let choice = asked(explorer, &address, None, move |oracle, address, control| {
        let choice =
            level.choose_branch(oracle, address.course.start(), address.study(), control)?;
        Ok(choice.map(|choice| (choice.m.text, choice.proved)))
    });
    let choice = match choice.await? {
        Ok(choice) => choice,
        Err(Lack::Size(said)) => return Err(too_large(&said).into()),
        Err(Lack::Time) => return Err(OracleError::from(Stopped).into()),
    };
    moves.extend(choice.as_ref().map(|(text, _)| text.clone()));
    Ok(json(&Reply {
        proved: choice.as_ref().is_some_and(|(_, proved)| *proved),
        text: choice.map(|(text, _)| text),
        moves: moves.join(","),
        level: level.name(),
    }))
}
