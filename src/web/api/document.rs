//! `GET /api/v1/position`: the JSON documents of the command line.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::RawQuery;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;

use super::{ApiError, KnownRow, Lack, json, move_values, read_record, timeout};
use crate::web::Shared;
use crate::web::record::{GameRecord, GameRequest};
use crate::web::request::{BadRequest, Query, shown};
use everyply_connect_four::solver::{Analysis, Goal, Solver, SolverWord};
use everyply_core::clock::Instant;
use everyply_core::control::Control;
use everyply_core::exhaustive::SolveError;
use everyply_core::games::line::Stones;
use everyply_registry::registry::{Branch, is_small_below};
use everyply_results::export::{
    ExactDocument, ExactRun, GameFields, MoveName, Scoring, SolvedTree, TreeDocument,
};
use everyply_results::oracle::{OracleError, Origin};

/// The document of a position for which the command line has none.
#[derive(JsonSchema, Serialize)]
pub struct ValuesDocument {
    #[serde(flatten)]
    game: GameFields,
    moves: Option<String>,
    position: String,
    to_move: Option<char>,
    /// True if time was up before every move was proved.
    interrupted: bool,
    threads: usize,
    elapsed_s: f64,
    value: Option<KnownRow>,
    best: Vec<MoveName>,
    /// The moves that are proved.
    values: Vec<MoveRow>,
}

/// A move with its value for the side that makes it.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SourcedMove")]
pub struct MoveRow {
    #[serde(rename = "move")]
    pub m: MoveName,
    #[serde(flatten)]
    pub value: KnownRow,
}

/// The document of a position, by the kind of its game.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub enum PositionDocument {
    Exact(Box<SourcedDocument>),
    Tree(Box<TreeDocument>),
    Values(Box<ValuesDocument>),
}

struct Asked {
    record: Arc<GameRecord>,
    /// The moves as the client wrote them; `None` for a picture.
    moves: Option<String>,
    limit: Option<Duration>,
    begun: Instant,
}

pub async fn position(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let begun = Instant::now();
    let mut query = Query::new(query.as_deref())?;
    let request = GameRequest::read(&explorer.registry, &mut query)?;
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
    let moves = request.move_text();
    let record = read_record(&explorer, request).await?;
    let study = record.course.study();
    let (lines, wide) = (study.lines(), study.wide_lines());
    let asked = Asked { record: Arc::clone(&record), moves, limit, begun };
    let document = match (lines, wide) {
        (Some((game, root)), _) if is_small_below(&game, root) => {
            let game = Arc::clone(&record);
            let work = move |control: &Control| {
                let study = game.course.study();
                let solved = SolvedTree::of(study, u64::MAX, control)?;
                let (threads, elapsed) = (rayon::current_num_threads(), begun.elapsed());
                Ok(TreeDocument::new(study, &solved, Some(scoring), threads, elapsed))
            };
            match explorer.searches.run(limit, work).await? {
                Ok(document) => PositionDocument::Tree(Box::new(document)),
                Err::<_, SolveError>(_) => values(&explorer, asked).await?,
            }
        }
        (Some((game, root)), _) if Solver::serves(&game) => {
            exact(&explorer, root, goal, asked).await?
        }
        (_, Some((game, root))) if Solver::serves(&game) => {
            exact(&explorer, root, goal, asked).await?
        }
        _ => values(&explorer, asked).await?,
    };
    Ok(json(&document))
}

/// The document of a position with the values of its moves.
async fn values(explorer: &Shared, asked: Asked) -> Result<PositionDocument, ApiError> {
    let Asked { record, moves, limit, begun } = asked;
    let found = move_values(explorer, &record, record.length(), limit).await?;
    if let Some(Lack::Size(error)) = &found.lack {
        return Err(ApiError::too_large(error));
    }
    let study = record.course.study();
    let value = explorer.oracle.known(study)?;
    let (of_moves, best) = found.best().unzip();
    let best = best.unwrap_or_default();
    let branches = study.branches();
    let name = |branch: &Branch| MoveName::new(study, &branch.text);
    let row =
        |branch: &Branch| Some(MoveRow { m: name(branch), value: found.value(branch)?.into() });
    Ok(PositionDocument::Values(Box::new(ValuesDocument {
        game: GameFields::of(study),
        moves,
        position: study.picture(),
        to_move: study.to_move(),
        interrupted: found.lack.is_some(),
        threads: explorer.searches.threads(),
        elapsed_s: begun.elapsed().as_secs_f64(),
        value: value.or(of_moves).map(KnownRow::from),
        best: branches.iter().filter(|branch| best.has(branch.bit)).map(name).collect(),
        values: branches.iter().filter_map(row).collect(),
    })))
}

fn scoring(query: &mut Query) -> Result<Scoring, BadRequest> {
    let Some(name) = query.take("scoring") else { return Ok(Scoring::default()) };
    Scoring::of(&name)
        .ok_or_else(|| BadRequest(format!("invalid value '{}' for 'scoring'", shown(&name))))
}

/// The command line's document, and the source of the value.
#[derive(JsonSchema, Serialize)]
pub struct SourcedDocument {
    #[serde(flatten)]
    document: ExactDocument,
    source: Option<&'static str>,
}

async fn exact<W: SolverWord>(
    explorer: &Shared,
    root: Stones<W>,
    goal: Goal,
    asked: Asked,
) -> Result<PositionDocument, ApiError> {
    let Asked { record, moves, limit, begun } = asked;
    let this = explorer.clone();
    let work = move |control: &Control| -> Result<SourcedDocument, OracleError> {
        let study = record.course.study();
        let solver = this.oracle.exact_solver::<W>(study)?.expect("the solver serves the board");
        let found = Mutex::new((Analysis::default(), None));
        let stopped = match this.oracle.analyze(study, goal, &found, control) {
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
    let document = explorer.searches.run(limit, work).await??;
    Ok(PositionDocument::Exact(Box::new(document)))
}
