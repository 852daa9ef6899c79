//! `GET /api/v1/position`: the JSON documents of the command line.

use crate::web::api::{ApiError, move_results};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::RawQuery;
use axum::response::Response;
use serde::Serialize;

use super::{KnownRow, json, position_of, registered, timeout};
use crate::connect_four::solver::{Analysis, Goal, Solver};
use crate::control::{Control, Stopped};
use crate::exhaustive::{PositionGraph, Solution, walk};
use crate::export::{ExactDocument, ExactRun, Scoring, TreeDocument};
use crate::games::line::notation::{picture, side_to_move};
use crate::games::line::{FullBoard, LineGame, Stones, with_game};
use crate::oracle::{OracleError, Origin, Valued, best_of};
use crate::web::Shared;
use crate::web::registered::Address;
use crate::web::request::{AnyBoard, BadRequest, PositionInput, Query, shown, with_board};

/// The document of a position for which the command line has none.
#[derive(Serialize)]
struct ValuesDocument {
    game: &'static str,
    board: String,
    line: u8,
    moves: Option<String>,
    position: String,
    to_move: char,
    /// Time was up before every move was proved.
    interrupted: bool,
    threads: usize,
    elapsed_s: f64,
    value: Option<KnownRow>,
    best: Vec<u32>,
    root_moves: Vec<MoveRow>,
}

#[derive(Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    m: u32,
    #[serde(flatten)]
    value: KnownRow,
}

/// The document of a position.
pub async fn position(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let begun = Instant::now();
    let mut query = Query::new(query.as_deref())?;
    if let Some(address) = Address::of_game(&explorer.registry, &mut query)? {
        return registered::position(&explorer, address, query).await;
    }
    let game = query.game()?;
    let given = query.given()?;
    let limit = timeout(&mut query)?;
    let goal = match (query.flag("outcome-only")?, query.flag("all-moves")?) {
        (true, true) => {
            return Err(BadRequest("give outcome-only or all-moves, not both".into()).into());
        }
        (true, false) => Goal::Outcome,
        (false, true) => Goal::AllMoves,
        (false, false) => Goal::BestMoves,
    };
    let scoring = scoring(&mut query)?;
    query.done()?;
    if let AnyBoard::Narrow(game) = game {
        let (_, root) = position_of(&explorer, game, given.clone()).await?;
        if game.has_small_tree(root) {
            let work = move |control: &Control| with_game!(game, game => tree(game, root, scoring, control, begun));
            if let Ok(document) = explorer.searches.run(limit, work).await? {
                return Ok(json(&document));
            }
        }
    }
    with_board!(game, game => values(&explorer, game, given, goal, limit, begun).await)
}

/// The document of a position whose tree is not small.
async fn values<G: Valued>(
    explorer: &Shared,
    game: G,
    given: PositionInput,
    goal: Goal,
    limit: Option<Duration>,
    begun: Instant,
) -> Result<Response, ApiError> {
    let (given, root) = position_of(explorer, game, given).await?;
    let moves = given.into_moves();
    if Solver::serves(&game) {
        return exact(explorer, game, root, moves, goal, limit, begun).await;
    }
    let size = game.size();
    let (results, complete) = move_results(explorer, game, root, limit).await?;
    let value = explorer.oracle.cached(&game, root)?;
    let (known, best) = best_of(&results).filter(|_| complete).unzip();
    Ok(json(&ValuesDocument {
        game: game.name(),
        board: size.board(),
        line: size.line,
        moves,
        position: picture(&game, root),
        to_move: side_to_move(root),
        interrupted: !complete,
        threads: explorer.searches.threads(),
        elapsed_s: begun.elapsed().as_secs_f64(),
        value: value.or(known).map(KnownRow::from),
        best: best.unwrap_or_default().into_iter().map(crate::game::Move::number).collect(),
        root_moves: results
            .into_iter()
            .map(|(m, known)| MoveRow { m: m.number(), value: known.into() })
            .collect(),
    }))
}

fn scoring(query: &mut Query) -> Result<Scoring, BadRequest> {
    let Some(name) = query.take("scoring") else { return Ok(Scoring::default()) };
    Scoring::of(&name)
        .ok_or_else(|| BadRequest(format!("invalid value '{}' for 'scoring'", shown(&name))))
}

/// The command line's document, and the source of the value.
#[derive(Serialize)]
struct SourcedDocument {
    #[serde(flatten)]
    document: ExactDocument,
    source: Option<&'static str>,
}

async fn exact<G: Valued>(
    explorer: &Shared,
    game: G,
    root: Stones<G::Word>,
    moves: Option<String>,
    goal: Goal,
    limit: Option<Duration>,
    begun: Instant,
) -> Result<Response, ApiError> {
    let this = explorer.clone();
    let work = move |control: &Control| -> Result<SourcedDocument, OracleError> {
        let solver = this.oracle.solver(&game)?.expect("made for this board");
        let found = Mutex::new((Analysis::default(), None));
        let stopped = match this.oracle.analyze(&game, root, goal, &found, control) {
            Ok(()) => false,
            Err(OracleError::Stopped(_)) => true,
            Err(error) => return Err(error),
        };
        let (found, origin) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (threads, elapsed) = (this.searches.threads(), begun.elapsed());
        let run = ExactRun { stopped, threads, elapsed, earlier: None };
        let document = ExactDocument::new(&solver, root, moves, &found, &run);
        Ok(SourcedDocument { document, source: origin.map(Origin::word) })
    };
    Ok(json(&explorer.searches.run(limit, work).await??))
}

/// The complete tree, as `analyze ttt` counts it.
fn tree<G: LineGame>(
    game: G,
    root: Stones,
    scoring: Scoring,
    control: &Control,
    begun: Instant,
) -> Result<TreeDocument, Stopped> {
    let solution = Solution::of(PositionGraph::build(game, root, control)?, control)?;
    let small =
        FullBoard::count(&game, root).nodes.is_some_and(|nodes| nodes <= TreeDocument::WALKED);
    if small {
        walk(&game, root, u32::MAX, control)?;
    }
    let threads = rayon::current_num_threads();
    Ok(TreeDocument::new(&solution, small, scoring, threads, begun.elapsed()))
}
