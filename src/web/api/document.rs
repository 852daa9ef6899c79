//! `GET /api/v1/position`: the document of a position.

use super::{json, read_record, timeout};
use crate::web::prelude::*;
use everyply_core::clock::Instant;
use everyply_results::export::{Scoring, SolvedTree};

pub async fn position(explorer: Shared, mut query: Query) -> Result<Response, ApiError> {
    let begun = Instant::now();
    let limit = timeout(&mut query)?;
    let goal = match (query.flag("outcome-only")?, query.flag("all-moves")?) {
        (true, true) => {
            return Err(ApiError::refused("give outcome-only or all-moves, not both"));
        }
        (true, false) => Goal::Outcome,
        (false, true) => Goal::AllMoves,
        (false, false) => Goal::BestMoves,
    };
    let scoring = query.choice("scoring", &Scoring::ALL.map(Scoring::name))?;
    let scoring = scoring.map_or_else(Scoring::default, |at| Scoring::ALL[at]);
    let record = read_record(&explorer, &mut query).await?;
    query.done()?;
    let this = explorer.clone();
    let work = move |control: &Control| -> Result<PositionDocument, OracleError> {
        let (position, threads) = (record.course.position(), this.searches.threads());
        let moves = record.asked_moves.clone();
        if position.is_small()
            && let Ok(solved) = SolvedTree::of(position, u64::MAX, control)
        {
            let run = (threads, begun.elapsed());
            return Ok(PositionDocument::of_tree(position, moves, &solved, Some(scoring), run));
        }
        let mut document = PositionDocument::ask(&this.oracle, position, goal, control)?;
        if goal != Goal::Outcome && document.interrupted != Some(true) {
            document.add_best_play(&this.oracle, position, control)?;
        }
        document.moves = moves;
        document.set_nodes(control.progress().0);
        let interrupted = document.interrupted == Some(true);
        Ok(document.of_run(interrupted, threads, begun.elapsed()))
    };
    Ok(json(&explorer.searches.run(limit, work).await??))
}
