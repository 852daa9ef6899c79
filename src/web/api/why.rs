//! `GET /api/v1/why`: the JSON documents of `analyze explain`, and their content for pages.

use std::time::{Duration, Instant};

use axum::extract::RawQuery;
use axum::response::Response;

use super::{ApiError, json, position_of, timeout};
use crate::connect_four::solver::Solver;
use crate::connect_four::strategy::{
    ExplainError, Explanation, ExplanationDocument, explain, whole_strategy_size,
};
use crate::control::Control;
use crate::exhaustive::SolveError;
use crate::export::{ReasonsDocument, Words};
use crate::games::line::{AnyGame, Stones};
use crate::oracle::SharedSolver;
use crate::registry::{Study, study_of};
use crate::web::Shared;
use crate::web::registered::Address;
use crate::web::request::{AnyBoard, BadRequest, Query};

/// Most positions that are solved for a request; Connect Four has plans instead.
const MOST: u64 = 2_000_000;

/// The reason for the value of a position.
pub enum Why {
    /// A plan, which needs no search.
    Planned(Box<Explained>),
    /// All positions that can follow.
    Solved(Box<ReasonsDocument>),
    /// The time limit was reached.
    Unknown,
}

/// An explanation by plans.
pub struct Explained {
    /// The engine of the board.
    pub solver: SharedSolver<AnyGame>,
    pub explanation: Explanation,
    /// Positions of a whole strategy, if one was made quickly.
    pub whole: Option<u64>,
}

/// `GET /api/v1/why`.
pub async fn why(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let begun = Instant::now();
    let mut query = Query::new(query.as_deref())?;
    if let Some(address) = Address::of_game(&explorer.registry, &mut query)? {
        let limit = timeout(&mut query)?;
        query.done()?;
        return answer(why_of_game(&explorer, &address, limit).await?, None, begun);
    }
    let game = query.game()?;
    let given = query.given()?;
    let limit = timeout(&mut query)?;
    query.done()?;
    let game = narrow(game)?;
    let (given, root) = position_of(&explorer, game, given).await?;
    answer(why_of_board(&explorer, game, root, limit).await?, given.into_moves(), begun)
}

fn answer(why: Why, moves: Option<String>, begun: Instant) -> Result<Response, ApiError> {
    match why {
        Why::Planned(explained) => {
            let Explained { ref solver, ref explanation, whole } = *explained;
            let elapsed = begun.elapsed();
            let game = solver.game();
            Ok(json(&ExplanationDocument::new(game, explanation, moves, whole, elapsed)))
        }
        Why::Solved(document) => Ok(json(&document)),
        Why::Unknown => {
            let error = "not solved within the time limit: allow a longer timeout, or take a later \
                         position";
            Err(BadRequest(error.to_owned()).into())
        }
    }
}

/// The board, if it has at most 64 bits.
pub fn narrow(board: AnyBoard) -> Result<AnyGame, BadRequest> {
    match board {
        AnyBoard::Narrow(game) => Ok(game),
        AnyBoard::Wide(_) => {
            let said = "no plans on boards of more than 64 bits: take columns x (rows + 1) <= 64";
            Err(BadRequest(said.to_owned()))
        }
    }
}

/// The reason for the value of a position on a board of lines.
pub async fn why_of_board(
    explorer: &Shared,
    game: AnyGame,
    root: Stones,
    limit: Option<Duration>,
) -> Result<Why, ApiError> {
    if !Solver::serves(&game) {
        return solved(explorer, study_of(&game, root), Words::Lines, limit).await;
    }
    let this = explorer.clone();
    let work = move |control: &Control| -> Result<Why, ApiError> {
        let solver = this.oracle.solver(&game)?.expect("made for this board");
        let explanation = match explain(&solver, root, control) {
            Ok(explanation) => explanation,
            Err(ExplainError::Stopped(_)) => return Ok(Why::Unknown),
            Err(ExplainError::Size(error)) => return Err(BadRequest(error.to_string()).into()),
        };
        let whole = whole_strategy_size(&solver, &explanation, control);
        Ok(Why::Planned(Box::new(Explained { solver, explanation, whole })))
    };
    explorer.searches.run(limit, work).await?
}

/// The reason for the value of a position of a game of the registry.
pub async fn why_of_game(
    explorer: &Shared,
    address: &Address,
    limit: Option<Duration>,
) -> Result<Why, ApiError> {
    let study = address.study();
    let study = study.boxed();
    solved(explorer, study, Words::Moves, limit).await
}

async fn solved(
    explorer: &Shared,
    study: Box<dyn Study>,
    words: Words,
    limit: Option<Duration>,
) -> Result<Why, ApiError> {
    let begun = Instant::now();
    let work = move |control: &Control| -> Result<Why, ApiError> {
        let answers = match study.solve(MOST, control) {
            Ok(answers) => answers,
            Err(SolveError::Stopped(_)) => return Ok(Why::Unknown),
            Err(error) => return Err(BadRequest(format!("{}: {error}", study.title())).into()),
        };
        let document =
            ReasonsDocument::new(study.as_ref(), answers.as_ref(), words, begun.elapsed());
        Ok(Why::Solved(Box::new(document)))
    };
    explorer.searches.run(limit, work).await?
}
