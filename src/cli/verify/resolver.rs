//! The resolver of the sample: the exact solver where it supports the board, else a search to the end.

use crate::cli::failure::Failure;
use crate::connect_four::solver::Solver;
use crate::control::{Control, Stopped};
use crate::game::{MoveSet, Outcome, Remoteness, Value};
use crate::games::line::{LineGame, Stones};
use crate::search::{RootScores, Settings, SharedTable, search};
use crate::verify::Solve;

/// MiB of the table of a search to the end.
const TABLE: u64 = 64;

/// Finds values from the rules alone.
pub(super) enum Resolver<G> {
    Solver(Box<Solver>),
    Search { game: G, table: SharedTable },
}

impl<G: LineGame> Resolver<G> {
    pub fn new(game: G, threads: usize) -> Result<Self, Failure> {
        if Solver::serves(&game) {
            let table = Solver::default_table(game.size(), threads);
            let solver = Solver::without_book(game.size(), table).map_err(Failure::usage)?;
            return Ok(Self::Solver(Box::new(solver)));
        }
        let table = SharedTable::new(TABLE, game.key_bits()).map_err(Failure::usage)?;
        Ok(Self::Search { game, table })
    }
}

impl<G: LineGame> Solve for Resolver<G> {
    fn value(&self, position: Stones, control: &Control) -> Result<Value, Stopped> {
        match self {
            Self::Solver(solver) => solver.value(position, control).map(|solved| solved.value),
            Self::Search { game, table } => {
                searched(game, table, position, control).map(|(value, _)| value)
            }
        }
    }

    fn outcome(&self, position: Stones, control: &Control) -> Result<Outcome, Stopped> {
        match self {
            Self::Solver(solver) => {
                solver.outcome_only(position, control).map(|(outcome, _)| outcome)
            }
            Self::Search { .. } => self.value(position, control).map(|value| value.outcome),
        }
    }

    fn best(
        &self,
        position: Stones,
        value: Value,
        control: &Control,
    ) -> Result<Option<MoveSet>, Stopped> {
        match self {
            Self::Solver(solver) => solver.best_moves(position, value, control).map(Some),
            Self::Search { game, table } => {
                searched(game, table, position, control).map(|(_, best)| Some(best))
            }
        }
    }
}

/// The value of a position and its best moves, by a search to the end of the game.
fn searched<G: LineGame>(
    game: &G,
    table: &SharedTable,
    position: Stones,
    control: &Control,
) -> Result<(Value, MoveSet), Stopped> {
    if let Some(outcome) = game.result(position) {
        return Ok((Value::new(outcome, Remoteness(0)), MoveSet::EMPTY));
    }
    let settings = Settings {
        root_scores: RootScores::AllBest,
        ..Settings::to_depth(game.plies_left(position))
    };
    let report = search(game, position, &settings, table, None, control, &mut |_| ());
    match report.value {
        Some(value) if !report.stopped => Ok((value, report.best)),
        _ => Err(Stopped),
    }
}
