//! `GET /api/v1/why`: the document of `analyze explain`, and its content for pages.

use super::{json, read_timed};
use crate::web::prelude::*;
use crate::web::text::out_of_time;
use everyply_connect_four::solver::Solver;
use everyply_connect_four::strategy::{ExplainError, Explanation, explain};
use everyply_core::clock::Instant;
use everyply_core::exhaustive::SolveError;
use everyply_results::export::ReasonsInWords;

/// Most positions that are solved for a request; Connect Four has plans instead.
const MOST: u64 = 2_000_000;

pub enum Why {
    /// A plan, which needs no search.
    Planned(Box<Explanation>),
    /// All positions that can follow.
    Solved(Box<(PositionDocument, ReasonsInWords)>),
    Unknown,
}

pub async fn why(explorer: Shared, query: Query) -> Result<Response, ApiError> {
    Ok(json(&answer_why(&explorer, query).await?))
}

/// The document of the reasons for the value of a position.
pub async fn answer_why(explorer: &Shared, query: Query) -> Result<PositionDocument, ApiError> {
    let begun = Instant::now();
    let (record, limit) = read_timed(explorer, query).await?;
    let (position, moves) = (record.course.position(), record.asked_moves.clone());
    let document = match reason(explorer, position, limit).await? {
        Why::Planned(plans) => PositionDocument::of_explanation(position, moves, &plans),
        Why::Solved(solved) => PositionDocument { moves, ..solved.0 },
        Why::Unknown => return Err(out_of_time()),
    };
    Ok(document.of_run(false, explorer.searches.threads(), begun.elapsed()))
}

pub async fn reason(
    explorer: &Shared,
    position: &dyn Position,
    limit: Option<Duration>,
) -> Result<Why, ApiError> {
    if position.stones::<u128>().is_some() {
        let error = "no plans on boards of more than 64 bits: take columns x (rows + 1) <= 64";
        return Err(ApiError::refused(error));
    }
    let planned =
        position.lines().filter(|(rules, size)| rules.stones_fall() && Solver::supports(*size));
    let planned = planned.and_then(|_| position.stones());
    let (this, position) = (explorer.clone(), position.boxed());
    let work = move |control: &Control| match planned {
        Some(root) => {
            let solver = this.oracle.exact_solver(position.as_ref())?.expect("made for this board");
            match explain(&solver, root, control) {
                Ok(explanation) => Ok(Why::Planned(Box::new(explanation))),
                Err(ExplainError::Stopped(_)) => Ok(Why::Unknown),
                Err(error) => Err(ApiError::refused(error.to_string())),
            }
        }
        None => match position.solve(MOST, control) {
            Ok(answers) => {
                let solved = PositionDocument::of_solution(&*position, None, &answers);
                Ok(Why::Solved(Box::new(solved)))
            }
            Err(SolveError::Stopped(_)) => Ok(Why::Unknown),
            Err(error) => Err(ApiError::refused(format!("{}: {error}", position.info().title))),
        },
    };
    explorer.searches.run(limit, work).await?
}
