//! The engine of a game: the exact solver of Connect Four, an oracle for every other game.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use everyply::cli::available_memory;
use everyply::connect_four::solver::{Solved, Solver, SolverError};
use everyply::control::Control;
use everyply::game::{MoveSet, PartialValue, Value, ValueBounds};
use everyply::games::line::Stones;
use everyply::oracle::{Oracle, OracleError, OracleFiles};
use everyply::registry;
use pyo3::prelude::*;

use crate::errors::{oracle_error, stopped};
use crate::rules::{Rules, State};

pub enum Engine {
    /// Connect Four: many positions at a time, books, batches, explanations.
    Solver(Box<Solver>),
    Oracle(Box<WholeGame>),
}

/// Moves by their texts with their values for the side that makes them, ascending.
pub type Moves = Vec<(String, PartialValue)>;

impl Engine {
    /// Makes the engine that suits a game; without `book` it searches every position.
    pub fn new(
        rules: &Rules,
        threads: usize,
        table_mib: Option<u64>,
        book: bool,
    ) -> Result<Self, SolverError> {
        if let Some((lines, size)) = rules.board
            && lines.stones_fall()
            && Solver::supports(size)
        {
            let mib = table_mib.unwrap_or(Solver::default_table(size, threads));
            let new = if book { Solver::new } else { Solver::without_book };
            return Ok(Self::Solver(Box::new(new(size, mib)?)));
        }
        let mib = table_mib.unwrap_or((available_memory() / f64::from(1 << 20)) as u64);
        Ok(Self::Oracle(Box::new(WholeGame {
            start: Arc::clone(&rules.start),
            is_prepared: AtomicBool::new(false),
            oracle: Oracle::new(OracleFiles::default(), mib),
        })))
    }

    /// Returns the value of a position, if it takes no search.
    pub fn known(&self, state: &State) -> Option<PartialValue> {
        if let Some(outcome) = state.result() {
            return Some(Value::over(outcome).into());
        }
        match self {
            Self::Solver(solver) => {
                solver.known(stones(&**state)).and_then(ValueBounds::value).map(PartialValue::from)
            }
            Self::Oracle(game) => Some(game.oracle.known(&**state).ok()??.value),
        }
    }

    pub fn value(&self, state: &State, control: &Control) -> PyResult<PartialValue> {
        match self {
            Self::Solver(solver) => {
                Ok(solver.value(stones(&**state), control).map_err(stopped)?.value.into())
            }
            Self::Oracle(game) => {
                game.ask(control, |oracle| Ok(oracle.prove(&**state, control)?.value))
            }
        }
    }

    /// Hands over the values of many positions, in their order.
    pub fn values(
        &self,
        states: &[State],
        threads: usize,
        control: &Control,
        mut see: impl FnMut(PartialValue),
    ) -> PyResult<()> {
        if let Self::Solver(solver) = self {
            let all: Vec<Stones> = states.iter().map(|state| stones(&**state)).collect();
            let see = |solved: Solved| see(solved.value.into());
            return solver.values(&all, threads, control, see).map_err(stopped);
        }
        for state in states {
            see(self.value(state, control)?);
        }
        Ok(())
    }

    pub fn moves(&self, state: &State, control: &Control) -> PyResult<Moves> {
        match self {
            Self::Solver(solver) => {
                let moves = solver.moves(stones(&**state), control).map_err(stopped)?.into_iter();
                Ok(moves.map(|(m, proved)| (m.number().to_string(), proved.value.into())).collect())
            }
            Self::Oracle(game) => game.ask(control, |oracle| {
                let moves = oracle.prove_moves(&**state, control, &mut |_| ())?.into_iter();
                let texts = state.moves().into_iter().map(|m| m.text);
                Ok(texts.zip(moves).map(|(text, (_, known))| (text, known.value)).collect())
            }),
        }
    }

    pub fn best_moves(&self, state: &State, control: &Control) -> PyResult<Vec<String>> {
        let best: MoveSet = match self {
            Self::Solver(solver) => {
                let position = stones(&**state);
                let value = solver.value(position, control).map_err(stopped)?.value;
                solver.best_moves(position, value, control).map_err(stopped)?
            }
            Self::Oracle(game) => {
                game.ask(control, |oracle| oracle.best_moves(&**state, control))?
            }
        };
        let branches = state.branches().into_iter();
        let best = branches.filter(|branch| best.0 >> branch.bit & 1 == 1);
        Ok(best.map(|branch| branch.text).collect())
    }

    /// Returns best play to the end of the game, or to the first repeated position.
    pub fn variation(&self, state: &State, control: &Control) -> PyResult<Vec<String>> {
        match self {
            Self::Solver(solver) => {
                let position = stones(&**state);
                let value = solver.value(position, control).map_err(stopped)?.value;
                let (play, _) = solver.best_play(position, value, control).map_err(stopped)?;
                Ok(play.into_iter().map(|m| m.number().to_string()).collect())
            }
            Self::Oracle(game) => {
                game.ask(control, |oracle| Ok(oracle.best_play(&**state, control)?.texts()))
            }
        }
    }
}

/// Returns the stones of a position of a board that the solver serves.
pub fn stones(state: &dyn registry::Position) -> Stones {
    state.stones().expect("a position of the solver's board")
}

/// An oracle that first solves a game from its start, if that fits in memory: one solution then
/// serves all positions.
pub struct WholeGame {
    start: State,
    /// True once the engine of the start was made, or refused.
    is_prepared: AtomicBool,
    oracle: Oracle,
}

impl WholeGame {
    fn ask<T>(
        &self,
        control: &Control,
        ask: impl FnOnce(&Oracle) -> Result<T, OracleError>,
    ) -> PyResult<T> {
        if !self.is_prepared.load(Relaxed) {
            self.oracle.prepare(&*self.start, control).map_err(oracle_error)?;
            self.is_prepared.store(true, Relaxed);
        }
        ask(&self.oracle).map_err(oracle_error)
    }
}
