//! The HTTP API; `docs/api.md` is its contract.

mod document;
mod game;
pub mod registered;
mod watch;
mod why;

use crate::connect_four::solver::score_of;
use crate::game::{Game, Tiered};
use crate::web::request::{BadRequest, PositionInput};
use std::time::Duration;

use axum::extract::RawQuery;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::Shared;
use super::registered::Address;
use super::request::{Query, shown, with_board};
use super::search::SearchFailed;
use crate::connect_four::usual_board;
use crate::games::line::notation::write_moves;
use crate::games::line::{LineGame, Stones};
use crate::opponent::{Level, Opponent};
use crate::oracle::{OracleError, SourcedValue, Update, Valued};

pub use document::position;
pub use game::{MoveError, game, move_errors, record_values};
pub use watch::watch;
pub use why::{Explained, Why, narrow, why, why_of_board, why_of_game};

/// Errors in place of an answer.
#[derive(Debug)]
pub enum ApiError {
    /// The client's input is wrong.
    Refused(BadRequest),
    /// A fault of the server or of a file.
    Failed(String),
}

impl From<BadRequest> for ApiError {
    fn from(refusal: BadRequest) -> Self {
        Self::Refused(refusal)
    }
}

impl From<SearchFailed> for ApiError {
    fn from(_: SearchFailed) -> Self {
        Self::Failed("the search failed: please report this as a bug".to_owned())
    }
}

impl From<OracleError> for ApiError {
    fn from(error: OracleError) -> Self {
        Self::Failed(error.to_string())
    }
}

#[derive(Serialize)]
struct ErrorDocument {
    error: String,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, error) = match self {
            Self::Refused(BadRequest(error)) => (StatusCode::BAD_REQUEST, error),
            Self::Failed(error) => (StatusCode::INTERNAL_SERVER_ERROR, error),
        };
        (status, error_document(error)).into_response()
    }
}

/// A JSON document as the command line prints it.
pub fn json(document: &impl Serialize) -> Response {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_else(|_| "null".to_owned());
    text.push('\n');
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// The document of an error.
pub fn error_document(error: String) -> Response {
    json(&ErrorDocument { error })
}

/// The answer for an unknown address.
pub fn not_found() -> Response {
    let error =
        "there is no such page; the explorer is at /, the API at /api/v1/position".to_owned();
    (StatusCode::NOT_FOUND, error_document(error)).into_response()
}

/// The position of a request; a picture is read as a search.
pub async fn position_of<G: Valued>(
    explorer: &Shared,
    game: G,
    given: PositionInput,
) -> Result<(PositionInput, Stones<G::Word>), ApiError> {
    if matches!(given, PositionInput::Moves(_)) {
        let (position, _) = given.read(&game)?;
        return Ok((given, position));
    }
    let work =
        move |_: &crate::control::Control| given.read(&game).map(|(position, _)| (given, position));
    Ok(explorer.searches.run(None, work).await??)
}

/// The value of a `timeout` in seconds.
fn timeout(query: &mut Query) -> Result<Option<Duration>, BadRequest> {
    let Some(text) = query.take("timeout") else { return Ok(None) };
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=1e9).contains(&seconds) => {
            Ok(Some(Duration::from_secs_f64(seconds)))
        }
        _ => Err(BadRequest(format!(
            "invalid value '{}' for 'timeout': \
             a limit is a number of seconds, at least 0.001",
            shown(&text)
        ))),
    }
}

#[derive(Serialize)]
struct KnownRow {
    outcome: &'static str,
    remoteness: Option<u8>,
    source: &'static str,
}

impl From<SourcedValue> for KnownRow {
    fn from(known: SourcedValue) -> Self {
        Self {
            outcome: known.value.outcome.word(),
            remoteness: known.value.remoteness.map(|r| r.0),
            source: known.origin.word(),
        }
    }
}

#[derive(Serialize)]
struct Scores {
    pos: String,
    score: Vec<Option<i32>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
}

/// `GET /solve?pos=4453`: scores of the columns, 100 for those that cannot be played.
pub async fn solve(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let mut query = Query::new(query.as_deref())?;
    let pos = query.take("pos").unwrap_or_default();
    query.done()?;
    let game = usual_board();
    let (given, position) = position_of(&explorer, game, PositionInput::Moves(pos)).await?;
    let (results, complete) = move_results(&explorer, game, position, None).await?;
    let size = game.size();
    let playable = game.moves(position);
    let over = game.result(position).is_some();
    let score = (0..size.width).map(crate::game::Move).map(|m| {
        if over || !playable.contains(m) {
            return Some(100);
        }
        let value = results.iter().find(|(other, _)| *other == m)?.1.value.exact()?;
        Some(score_of(value, game.plies_left(position) as i32))
    });
    let pos = given.into_moves().unwrap_or_default();
    Ok(json(&Scores { pos, score: score.collect(), partial: !complete }))
}

type Results = Vec<(crate::game::Move, SourcedValue)>;

/// The values of moves found within the time limit, and whether all were found.
pub async fn move_results<G: Valued>(
    explorer: &Shared,
    game: G,
    position: Stones<G::Word>,
    limit: Option<Duration>,
) -> Result<(Results, bool), ApiError> {
    if let Some(cached) = explorer.oracle.cached_moves(&game, position)? {
        return Ok((cached, true));
    }
    let this = explorer.clone();
    let work = move |control: &crate::control::Control| {
        let mut results = Vec::new();
        let found = this.oracle.moves(&game, position, control, &mut |update| {
            if let Update::Move(m, known) = update {
                results.push((m, known));
            }
        });
        results.sort_unstable_by_key(|(m, _)| *m);
        (results, found)
    };
    let (results, found) = explorer.searches.run(limit, work).await?;
    match found {
        Ok(_) => Ok((results, true)),
        Err(OracleError::Stopped(_)) => Ok((results, false)),
        Err(error) => Err(error.into()),
    }
}

#[derive(Serialize)]
struct Reply {
    #[serde(rename = "move")]
    m: Option<u32>,
    moves: String,
    level: &'static str,
    proved: bool,
}

/// `GET /api/v1/reply`: the machine's move.
pub async fn reply(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let mut query = Query::new(query.as_deref())?;
    if let Some(address) = Address::of_game(&explorer.registry, &mut query)? {
        return registered::reply(&explorer, address, query).await;
    }
    let game = query.game()?;
    let given = PositionInput::Moves(query.take("moves").unwrap_or_default());
    let level = level(&mut query)?.unwrap_or_default();
    query.done()?;
    with_board!(game, game => replied(&explorer, game, given, level).await)
}

async fn replied<G: Opponent>(
    explorer: &Shared,
    game: G,
    given: PositionInput,
    level: Level,
) -> Result<Response, ApiError> {
    let (position, mut moves) = given.read(&game)?;
    let choice = choose(explorer, game, position, level).await?;
    moves.extend(choice.map(|choice| choice.m));
    Ok(json(&Reply {
        m: choice.map(|choice| choice.m.number()),
        moves: write_moves(&game, &moves),
        level: level.name(),
        proved: choice.is_some_and(|choice| choice.proved),
    }))
}

/// The machine's move.
pub async fn choose<G: Opponent>(
    explorer: &Shared,
    game: G,
    position: Stones<G::Word>,
    level: Level,
) -> Result<Option<crate::opponent::Choice>, ApiError> {
    let this = explorer.clone();
    let work = move |control: &crate::control::Control| {
        level.choose(&this.oracle, &game, position, control)
    };
    Ok(explorer.searches.run(None, work).await??)
}

/// The parameter `level`.
pub fn level(query: &mut Query) -> Result<Option<Level>, BadRequest> {
    let Some(name) = query.take("level").filter(|name| !name.is_empty()) else { return Ok(None) };
    let level = Level::ALL.into_iter().find(|level| level.name() == name);
    let words = Level::ALL.map(Level::name).join(", ");
    let refused = || BadRequest(format!("invalid value '{}' for 'level': {words}", shown(&name)));
    level.map(Some).ok_or_else(refused)
}
