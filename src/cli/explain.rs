//! `analyze explain`: reasons for the value of a position.

use std::cell::Cell;

use super::analyze::by_tiers;
use super::options::{check_solver, has_solver, refused_size};
use super::prelude::*;
use super::session::fitting_table;
use everyply_connect_four::strategy::{ExplainError, explain, lettered};
use everyply_registry::registry::Points;
use everyply_results::oracle::SourcedValue;

/// Why a position has its value: plans in words, and drawn on the board
///
/// Connect Four: the exact value, best play until a plan holds, and the plan: where its follower
/// answers each stone of the other side, which cells each side gets, and the threat it waits for. A
/// plan needs no search, and was checked against every line. Boards larger than 64 bits have no
/// plans.
///
/// Tic-tac-toe and the other games: forks, forced replies, and the shortest win as a tree, from
/// the solution of all positions below; if they are too many, by search.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze explain connect4 44444326            a position, by the columns played so far
  analyze explain connect4 --size 5x6          why the second player draws this board
  analyze explain connect4 444443265 --json    the whole plan, as data
  analyze explain ttt 152                      a forced reply
  analyze explain nim 1,2,4                    a game of another kind
  analyze explain morris --book m.solution     from a file of `analyze solve`, without a search
  analyze explain connect4 --board ......./......./......./...X.../...O.../...X...")]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    game: GameOptions,
    /// Give up after this number of seconds. Without it, a board without an opening book, such as 9x6,
    /// may be searched for minutes before there is a plan
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,
    /// Take the values from a database or solution file that holds the position and all after it,
    /// instead of solving them; can be repeated. Not for Connect Four, whose plans need none
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    #[command(flatten)]
    running: Running,
}

pub(super) fn run(args: &ExplainArgs, registry: &Registry) -> Result<(), Failure> {
    let position = args.game.position(registry)?;
    let position = position.as_ref();
    let is_planned = has_solver(position.info().name);
    if is_planned && !args.book.is_empty() {
        return Err(usage!(
            "--book: plans are made by the solver and take values from no file: leave it out"
        ));
    }
    let explain = if is_planned { by_plans } else { by_values };
    let (document, session) = explain(position, args)?;
    let elapsed = session.started.elapsed();
    let moves = args.game.position.asked_moves(position);
    let document = PositionDocument { moves, ..document.of_run(false, session.threads, elapsed) };
    text::print_result(args.running.json, &document, || {
        let (heading, board) = match is_planned {
            true => (text::heading(position), lettered(&position.drawing().board.rows)),
            false => (position.info().title.clone(), text::board_of(position)),
        };
        let reasons = document.text.as_deref().unwrap_or_default();
        let time = text::time(elapsed.as_secs_f64(), session.threads);
        format!("{heading}\n\n{board}\n{reasons}\ntime       {time}\n")
    })
}

/// The end of the message about work that was stopped.
const WITHOUT: &str = ", without a reason";

fn start(args: &ExplainArgs) -> Result<Session, Failure> {
    let session = Session::start(&args.running)?;
    session.control.limit(args.timeout.map(Duration::from_secs_f64));
    Ok(session)
}

/// Explains a position of a game with an exact solver, by plans.
fn by_plans(
    position: &dyn Position,
    args: &ExplainArgs,
) -> Result<(PositionDocument, Session), Failure> {
    let size = Size::of_parameters(position.info().parameters);
    check_keys(position)?;
    let root = position.stones().expect("the board fits 64 bits");
    check_solver(size, ", and plans need its values")?;
    let session = start(args)?;
    let table = Solver::default_table(size, session.threads);
    let solver = Solver::new(size, table).map_err(Failure::usage)?;
    let explained =
        session.work("solving and planning", "nodes", |control| explain(&solver, root, control));
    let explanation = explained.map_err(|error| match error {
        ExplainError::Stopped(_) => session.stopped(args.timeout, WITHOUT),
        ExplainError::Size(error) => refused_size(error),
        error => error.into(),
    })?;
    Ok((PositionDocument::of_explanation(position, None, &explanation), session))
}

/// Explains a position by the values of the positions below: from files, or else solved all together if
/// they are few, or proved one by one.
fn by_values(
    position: &dyn Position,
    args: &ExplainArgs,
) -> Result<(PositionDocument, Session), Failure> {
    let failed =
        |error: OracleError| Failure::Runtime(anyhow::Error::from(error).context("--book"));
    let is_stored = !args.book.is_empty();
    let files = OracleFiles::open(&args.book).map_err(|error| failed(error.into()))?;
    // Solutions of games that number their positions take four times this while they are made.
    let mib = if is_stored { 1 } else { fitting_table(u64::MAX >> 24) / 4 };
    let session = start(args)?;
    let oracle = Oracle::new(files.with_whole_values_only(), mib.max(1));
    let document = session.work("solving", "positions", |control| {
        let ask = |at: &dyn Position| -> Result<Option<SourcedValue>, OracleError> {
            if is_stored { oracle.known(at) } else { oracle.prove(at, control).map(Some) }
        };
        let (missing, failure) = (Cell::new(false), Cell::new(None));
        let values = |at: &dyn Position| {
            let known = ask(at).unwrap_or_else(|error| {
                failure.set(Some(error));
                None
            });
            missing.set(missing.get() || known.is_none());
            Some(known?.value)
        };
        if !is_stored {
            // A solution of all positions, if it fits memory, answers all questions.
            oracle.prepare(position, control)?;
        }
        let points = match position.info().counts_points && !is_stored {
            true => Points::of(position, |at| ask(at).map(|known| known?.points))?,
            false => None,
        };
        let Some(value) = values(position) else { return failure.take().map_or(Ok(None), Err) };
        let known = (value, points.as_ref());
        let (document, _) = PositionDocument::of_reasons(position, None, known, &values);
        failure.take().map_or(Ok((!missing.get()).then_some(document)), Err)
    });
    let document = document.map_err(|error| match error {
        OracleError::Stopped(_) => session.stopped(args.timeout, WITHOUT),
        OracleError::Engine { .. } => {
            let by_tiers = by_tiers(position).map(|way| way + ", and --book FILE explains from it");
            usage!("{error}{}", by_tiers.unwrap_or_default())
        }
        error if is_stored => failed(error),
        error => error.into(),
    })?;
    let missing = "--book: the files do not hold the position and all that follow it, with their \
                   distances: leave it out, and they are solved";
    document.map(|document| (document, session)).ok_or_else(|| Failure::usage(missing))
}
