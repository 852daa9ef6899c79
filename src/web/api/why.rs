//! `GET /api/v1/why`: the JSON documents of `analyze explain`.

use std::time::{Duration, Instant};

use axum::extract::RawQuery;
use axum::response::Response;

use super::{ApiError, json, position_of, timeout};
use crate::connect_four::solver::Solver;
use crate::connect_four::strategy::{ExplainError, ExplanationDocument, explain, whole_strategy};
use crate::control::Control;
use crate::exhaustive::SolveError;
use crate::export::{ReasonsDocument, Words};
use crate::games::line::AnyGame;
use crate::registry::Study;
use crate::web::Shared;
use crate::web::registered::Address;
use crate::web::request::{AnyBoard, BadRequest, PositionInput, Query};

/// The most positions that a request may have solved; Connect Four has plans instead.
const MOST: u64 = 2_000_000;

/// Why a position has its value.
pub async fn why(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let begun = Instant::now();
    let mut query = Query::new(query.as_deref())?;
    if let Some(address) = Address::of_game(&explorer.registry, &mut query)? {
        let limit = timeout(&mut query)?;
        query.done()?;
        let study = address.study();
        let study = study.of_key(study.key()).expect("a position has the key it has");
        return solved(&explorer, study, Words::Moves, limit, begun).await;
    }
    let game = query.game()?;
    let given = query.given()?;
    let limit = timeout(&mut query)?;
    query.done()?;
    let AnyBoard::Narrow(game) = game else {
        let said = "no plans on boards of more than 64 bits: take columns x (rows + 1) <= 64";
        return Err(BadRequest(said.to_owned()).into());
    };
    if Solver::serves(&game) {
        return planned(&explorer, game, given, limit, begun).await;
    }
    let (_, root) = position_of(&explorer, game, given).await?;
    solved(&explorer, game.study(root), Words::Lines, limit, begun).await
}

async fn planned(
    explorer: &Shared,
    game: AnyGame,
    given: PositionInput,
    limit: Option<Duration>,
    begun: Instant,
) -> Result<Response, ApiError> {
    let (given, root) = position_of(explorer, game, given).await?;
    let (control, _guard) = explorer.workers.control(limit);
    let this = explorer.clone();
    let work = move |control: &Control| -> Result<ExplanationDocument, ApiError> {
        let solver = this.oracle.solver(&game)?.expect("made for this board");
        let explanation = explain(&solver, root, control).map_err(|error| match error {
            ExplainError::Stopped(_) => stopped(),
            ExplainError::Size(error) => BadRequest(error.to_string()).into(),
        })?;
        let whole = whole_strategy(&solver, &explanation, control);
        let elapsed = begun.elapsed();
        let moves = given.moves();
        Ok(ExplanationDocument::new(solver.game(), &explanation, moves, whole, elapsed))
    };
    Ok(json(&explorer.run(control, work).await??))
}

async fn solved(
    explorer: &Shared,
    study: Box<dyn Study>,
    words: Words,
    limit: Option<Duration>,
    begun: Instant,
) -> Result<Response, ApiError> {
    let (control, _guard) = explorer.workers.control(limit);
    let work = move |control: &Control| -> Result<ReasonsDocument, ApiError> {
        let answers = study.solve(MOST, control).map_err(|error| match error {
            SolveError::Stopped(_) => stopped(),
            error => BadRequest(format!("{}: {error}", study.title())).into(),
        })?;
        Ok(ReasonsDocument::new(study.as_ref(), answers.as_ref(), words, begun.elapsed()))
    };
    Ok(json(&explorer.run(control, work).await??))
}

fn stopped() -> ApiError {
    let said = "not solved in the time there is: allow a longer timeout, or take a later position";
    BadRequest(said.to_owned()).into()
}
