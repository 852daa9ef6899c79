//! `GET /api/v1/position`: the JSON documents of the command line.

use crate::web::api::{ApiError, move_results};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::RawQuery;
use axum::response::Response;
use serde::Serialize;

use super::{KnownRow, json, position_of, registered, timeout};
use crate::connect_four::solver::{Analysis, Goal, Solver};
use crate::control::{Control, Stopped};
use crate::exhaustive::{PositionGraph, Solution, walk};
use crate::export::{ExactDocument, ExactRun, Scoring, TreeDocument};
use crate::games::line::notation::{picture, side_to_move};
use crate::games::line::{AnyGame, FullBoard, LineGame, Stones, with_game};
use crate::oracle::{best_of, tree_is_small};
use crate::web::Shared;
use crate::web::registered::Address;
use crate::web::request::{BadRequest, Query, shown};
use crate::web::workers::StopOnDrop;

/// A position no document of the command line is made for within a request's bounds.
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
    let (given, root) = position_of(&explorer, game, given).await?;
    let moves = given.moves();
    let (control, guard) = explorer.workers.control(limit);
    let size = game.size();
    if Solver::serves(&game) {
        return exact(&explorer, game, root, moves, goal, control, guard, begun).await;
    }
    if tree_is_small(&game, root) {
        let work = move |control: &Control| with_game!(game, game => tree(game, root, scoring, control, begun));
        if let Ok(document) = explorer.run(control, work).await? {
            return Ok(json(&document));
        }
    }
    drop(guard);
    let (results, complete) = move_results(&explorer, game, root, limit).await?;
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
        threads: explorer.workers.threads(),
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

#[expect(clippy::too_many_arguments, reason = "all of a request")]
async fn exact(
    explorer: &Shared,
    game: AnyGame,
    root: Stones,
    moves: Option<String>,
    goal: Goal,
    control: Arc<Control>,
    guard: StopOnDrop,
    begun: Instant,
) -> Result<Response, ApiError> {
    let this = explorer.clone();
    let work = move |control: &Control| {
        let solver = this.oracle.solver(&game)?.expect("made for this board");
        let found = Mutex::new(Analysis::default());
        let stopped = solver.analyze(root, goal, &found, control).is_err();
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let run = ExactRun { stopped, threads: this.workers.threads(), elapsed: begun.elapsed() };
        Ok::<_, crate::oracle::OracleError>(ExactDocument::new(&solver, root, moves, &found, &run))
    };
    let document = explorer.run(control, work).await??;
    drop(guard);
    Ok(json(&document))
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
