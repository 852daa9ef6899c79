//! `analyze explain`: reasons for the value of a position.

mod plans;
mod solved;

use std::path::PathBuf;
use std::time::Duration;

use super::failure::{Failure, usage};
use super::game_options::GameOptions;
use super::options::{Running, has_solver, seconds};
use super::session::Session;
use super::text;
use everyply_registry::registry::Registry;
use everyply_results::export::PositionDocument;
use plans::explain_by_plans;
use solved::explain_valued;

/// Why a position has its value: plans in words, and drawn on the board
///
/// Connect Four: the exact value, best play until a plan holds, and the plan: where its follower
/// answers each stone of the other side, which cells each side gets, the threat it waits for. A
/// plan needs no search, and was checked against every line. Boards larger than 64 bits have no
/// plans.
///
/// Tic-tac-toe and the other games: forks, forced replies, and the shortest win as a tree, from
/// the solution of all positions below; where they are too many, by search.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze explain connect4 44444326            a position, by the columns played so far
  analyze explain connect4 --size 5x6          why the second player draws this board
  analyze explain connect4 444443265 --json    the whole plan, as data
  analyze explain ttt 152                      a forced reply
  analyze explain nim 1,2,4                    a game of another kind
  analyze explain morris --book m.solution     from a file of `analyze solve`, without a search
  analyze explain connect4 --board ......./......./......./...X.../...O.../...X...")]
pub(super) struct Args {
    #[command(flatten)]
    pub game: GameOptions,
    /// Give up after this number of seconds. Without it, a board on which nothing is known beforehand,
    /// such as 9x6, may be searched for minutes before there is a plan
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<f64>,
    /// Take the values from a database or solution file that holds the position and all that follow
    /// it, in place of solving them; can be repeated. Not for Connect Four, whose plans need none
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    #[command(flatten)]
    pub running: Running,
}

impl Args {
    /// Starts the run, which ends at the time limit.
    pub fn session(&self) -> Result<Session, Failure> {
        let session = Session::start(&self.running)?;
        session.control.limit(self.timeout.map(Duration::from_secs_f64));
        Ok(session)
    }

    /// Prints a document as JSON, or its text below a heading and the board.
    pub fn print(
        &self,
        document: PositionDocument,
        session: &Session,
        heading: &str,
        board: &str,
    ) -> Result<(), Failure> {
        let elapsed = session.started.elapsed();
        let document = document.of_run(false, session.threads, elapsed);
        text::print_result(self.running.json, &document, || {
            let reasons = document.text.as_deref().unwrap_or_default();
            let time = text::time(elapsed.as_secs_f64(), session.threads);
            format!("{heading}\n\n{board}\n{reasons}\n{time}\n")
        })
    }

    /// The failure of work that the user or the time limit stopped.
    pub fn stopped(&self, session: &Session) -> Failure {
        session.stopped(self.timeout, ", without a reason")
    }
}

pub(super) fn run(args: &Args, registry: &Registry) -> Result<(), Failure> {
    let study = args.game.study(registry)?;
    if has_solver(study.info().name) {
        if !args.book.is_empty() {
            return Err(usage!(
                "--book: plans are made by the solver and take values from no file: leave it out",
            ));
        }
        return explain_by_plans(study.as_ref(), args);
    }
    explain_valued(study.as_ref(), args)
}
