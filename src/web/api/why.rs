//! `GET /api/v1/why`: the JSON documents of `analyze explain`, and their content for pages.

use std::time::Duration;

use axum::extract::RawQuery;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;

use super::{ApiError, json, read_record, timeout};
use crate::web::Shared;
use crate::web::record::GameRequest;
use crate::web::request::{BadRequest, Query};
use everyply_connect_four::solver::Solver;
use everyply_connect_four::strategy::{ExplainError, Explanation, ExplanationDocument, explain};
use everyply_core::clock::Instant;
use everyply_core::control::Control;
use everyply_core::exhaustive::SolveError;
use everyply_registry::registry::Position;
use everyply_results::export::ReasonsDocument;
use everyply_results::oracle::SharedEngine;

/// Most positions that are solved for a request; Connect Four has plans instead.
const MOST: u64 = 2_000_000;

pub enum Why {
    /// A plan, which needs no search.
    Planned(Box<Explained>),
    /// All positions that can follow.
    Solved(Box<ReasonsDocument>),
    Unknown,
}

/// The document of the reasons.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub enum WhyDocument {
    Planned(Box<ExplanationDocument>),
    Solved(Box<ReasonsDocument>),
}

/// An explanation by plans.
pub struct Explained {
    pub solver: SharedEngine<u64>,
    pub explanation: Explanation,
}

pub async fn why(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    Ok(json(&answer_why(&explorer, Query::new(query.as_deref())?).await?))
}

/// The document of the reasons for the value of a position.
pub async fn answer_why(explorer: &Shared, mut query: Query) -> Result<WhyDocument, ApiError> {
    let begun = Instant::now();
    let request = GameRequest::read(&explorer.registry, &mut query)?;
    let limit = timeout(&mut query)?;
    query.done()?;
    let moves = request.move_text();
    let record = read_record(explorer, request).await?;
    match reason(explorer, record.course.study(), limit).await? {
        Why::Planned(explained) => {
            let Explained { ref solver, ref explanation } = *explained;
            let elapsed = begun.elapsed();
            let game = solver.game();
            let document = ExplanationDocument::new(game, explanation, moves, elapsed);
            Ok(WhyDocument::Planned(Box::new(document)))
        }
        Why::Solved(document) => Ok(WhyDocument::Solved(document)),
        Why::Unknown => {
            let error = "not solved within the time limit: allow a longer timeout, or take a later \
                         position";
            Err(BadRequest(error.to_owned()).into())
        }
    }
}

pub async fn reason(
    explorer: &Shared,
    study: &dyn Position,
    limit: Option<Duration>,
) -> Result<Why, ApiError> {
    if study.wide_lines().is_some() {
        let error = "no plans on boards of more than 64 bits: take columns x (rows + 1) <= 64";
        return Err(BadRequest(error.to_owned()).into());
    }
    let Some((game, root)) = study.lines() else {
        return solved(explorer, study.boxed(), limit).await;
    };
    if !Solver::serves(&game) {
        return solved(explorer, study.boxed(), limit).await;
    }
    let (this, study) = (explorer.clone(), study.boxed());
    let work = move |control: &Control| -> Result<Why, ApiError> {
        let solver = this.oracle.exact_solver(study.as_ref())?.expect("made for this board");
        let explanation = match explain(&solver, root, control) {
            Ok(explanation) => explanation,
            Err(ExplainError::Stopped(_)) => return Ok(Why::Unknown),
            Err(error) => return Err(BadRequest(error.to_string()).into()),
        };
        Ok(Why::Planned(Box::new(Explained { solver, explanation })))
    };
    explorer.searches.run(limit, work).await?
}

async fn solved(
    explorer: &Shared,
    study: Box<dyn Position>,
    limit: Option<Duration>,
) -> Result<Why, ApiError> {
    let begun = Instant::now();
    let work = move |control: &Control| -> Result<Why, ApiError> {
        let answers = match study.solve(MOST, control) {
            Ok(answers) => answers,
            Err(SolveError::Stopped(_)) => return Ok(Why::Unknown),
            Err(error) => return Err(BadRequest(format!("{}: {error}", study.info().title)).into()),
        };
        let document = ReasonsDocument::new(study.as_ref(), answers.as_ref(), begun.elapsed());
        Ok(Why::Solved(Box::new(document)))
    };
    explorer.searches.run(limit, work).await?
}
