//! The HTTP API; `docs/api.md` is its contract.

#[cfg(feature = "web")]
mod batch;
mod document;
mod game;
mod lines;
#[cfg(feature = "web")]
mod openapi;
mod values;
mod watch;
mod why;

use axum::http::Method;

use super::failure::{ErrorDocument, json};
use super::prelude::*;
use super::request::invalid;
use everyply_results::opponent::Choice;

#[cfg(feature = "web")]
pub use batch::positions;
pub use document::position;
pub use game::{MoveError, game, move_errors, record_values};
#[cfg(feature = "web")]
pub use openapi::openapi;
#[cfg(feature = "mcp")]
pub use openapi::{Described, parameters_of_positions};
pub use values::{Lack, MoveValues, known_values, move_values};
pub use watch::watch;
#[cfg(feature = "mcp")]
pub use why::answer_why;
pub use why::{Why, reason, why};

pub fn not_found() -> Response {
    let error = "there is no such page; the explorer is at /, the description of the API at \
                 /api/v1/openapi.json";
    ApiError::new(StatusCode::NOT_FOUND, error).into_response()
}

/// The answer for a method that an address does not have; the router adds the header `Allow`.
pub async fn wrong_method(method: Method) -> Response {
    let error = format!("{method} is not possible here: see the header Allow, and docs/api.md");
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, error).into_response()
}

pub async fn games(explorer: Shared, query: Query) -> Result<Response, ApiError> {
    query.done()?;
    Ok(json(&GamesDocument::new(&explorer.registry).map_err(ApiError::from)?))
}

/// The game of a request, with its moves.
pub async fn read_record(
    explorer: &Shared,
    query: &mut Query,
) -> Result<Arc<GameRecord>, ApiError> {
    played(explorer, GameRecord::read(&explorer.registry, query)?, query).await
}

/// A game with the moves of a request; reading a picture may take long, so it runs as a search.
pub async fn played(
    explorer: &Shared,
    start: GameRecord,
    query: &mut Query,
) -> Result<Arc<GameRecord>, ApiError> {
    let (form, text) = query.position_input()?;
    let record = match form {
        TextForm::Picture => {
            explorer.searches.run(None, move |_| start.played(form, text)).await??
        }
        _ => start.played(form, text)?,
    };
    Ok(Arc::new(record))
}

/// The game and the time limit of a request without other parameters.
pub async fn read_timed(
    explorer: &Shared,
    mut query: Query,
) -> Result<(Arc<GameRecord>, Option<Duration>), ApiError> {
    let limit = timeout(&mut query)?;
    let record = read_record(explorer, &mut query).await?;
    query.done()?;
    Ok((record, limit))
}

pub fn timeout(query: &mut Query) -> Result<Option<Duration>, ApiError> {
    let Some(text) = query.take("timeout") else { return Ok(None) };
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=1e9).contains(&seconds) => {
            Ok(Some(Duration::from_secs_f64(seconds)))
        }
        _ => Err(invalid("timeout", &text, "a limit is a number of seconds, at least 0.001")),
    }
}

/// The scores of the columns.
#[derive(JsonSchema, Serialize)]
struct Scores {
    pos: String,
    score: Vec<Option<i32>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
}

/// The game of `/solve`, which the first page shows too.
pub fn scored_game(explorer: &Shared) -> Option<&Entry> {
    explorer.registry.find(Rules::ConnectFour.word())
}

/// `GET /solve?pos=4453`: scores of the columns, 100 for those that cannot be played.
pub async fn solve(explorer: Shared, mut query: Query) -> Result<Response, ApiError> {
    let pos = query.take("pos").unwrap_or_default();
    query.done()?;
    let Some(entry) = scored_game(&explorer) else { return Ok(not_found()) };
    let record = Arc::new(GameRecord::usual(entry)?.played(TextForm::Moves, pos.clone())?);
    let found = move_values(&explorer, &record, record.length(), None).await?;
    let position = record.course.position();
    let branches = position.branches();
    let empties = position.plies_left().unwrap_or_default() as i32;
    let score = (1..=position.info().parameters[0]).map(|column| {
        let branch = branches.iter().find(|branch| branch.text == column.to_string());
        match branch {
            None => Some(100),
            Some(branch) => Some(score_of(found.value(branch)?.value.exact()?, empties)),
        }
    });
    Ok(json(&Scores { pos, score: score.collect(), partial: found.lack.is_some() }))
}

/// The move of the machine.
#[derive(JsonSchema, Serialize)]
pub struct Reply {
    #[serde(rename = "move")]
    m: Option<MoveName>,
    moves: String,
    level: &'static str,
    proved: bool,
}

/// `GET /api/v1/reply`: the machine's move.
pub async fn reply(explorer: Shared, query: Query) -> Result<Response, ApiError> {
    Ok(json(&answer_reply(&explorer, query).await?))
}

pub async fn answer_reply(explorer: &Shared, mut query: Query) -> Result<Reply, ApiError> {
    let level = level(&mut query)?.unwrap_or_default();
    let record = read_record(explorer, &mut query).await?;
    query.done()?;
    let choice = choose(explorer, &record, record.length(), level).await?;
    let proved = choice.as_ref().is_some_and(|choice| choice.proved);
    let text = choice.map(|choice| choice.m.text);
    let moves: Vec<&str> = record.course.moves().chain(text.as_deref()).collect();
    Ok(Reply {
        m: text.as_deref().map(|text| MoveName::new(record.course.position(), text)),
        moves: record.write(&moves),
        level: level.name(),
        proved,
    })
}

/// The machine's move after a number of moves.
pub async fn choose(
    explorer: &Shared,
    record: &Arc<GameRecord>,
    at: usize,
    level: Level,
) -> Result<Option<Choice>, ApiError> {
    if level.looks_ahead() && record.is_endless() {
        return Err(ApiError::refused(format!(
            "level {}: play of {} may be endless, so that there is no looking ahead",
            level.name(),
            record.entry.name
        )));
    }
    let (this, record) = (explorer.clone(), Arc::clone(record));
    let work =
        move |control: &Control| level.reply(&this.oracle, record.course.position_at(at), control);
    Ok(explorer.searches.run(None, work).await??)
}

pub fn level(query: &mut Query) -> Result<Option<Level>, ApiError> {
    let chosen = query.choice("level", &Level::ALL.map(Level::name))?;
    Ok(chosen.map(|at| Level::ALL[at]))
}
