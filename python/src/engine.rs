//! What gives the exact values of a game: the solver for Connect Four, an oracle for all others.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use everyply::cli::available_memory;
use everyply::connect_four::solver::{Solved, Solver, SolverError};
use everyply::control::Control;
use everyply::game::{MoveSet, PartialValue, Value, ValueBounds};
use everyply::games::line::{AnyGame, LineGame, Stones};
use everyply::oracle::{Oracle, OracleError, OracleFiles};
use everyply::registry::{Situation, Study};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{oracle_error, stopped};
use crate::rules::{MoveName, Rules, State, number};

/// The engine of a game.
pub enum Engine {
    /// Connect Four.
    Solver(Box<Solver>),
    /// Other boards of stones and lines.
    Lines(AnyGame, Box<Oracle>),
    /// Games that are known by name.
    Named(Named),
}

/// Moves with their values for the side that makes them, ascending.
pub type Moves = Vec<(MoveName, PartialValue)>;

impl Engine {
    /// The engine that suits a game; without `book` every position is searched.
    ///
    /// # Errors
    /// If there is no memory for its table.
    pub fn new(
        rules: &Rules,
        threads: usize,
        table_mib: Option<u64>,
        book: bool,
    ) -> Result<Self, SolverError> {
        let memory = || table_mib.unwrap_or((available_memory() / f64::from(1 << 20)) as u64);
        let oracle = || Box::new(Oracle::new(OracleFiles::default(), memory()));
        Ok(match rules {
            Rules::Line(game) if Solver::serves(game) => {
                let mib = table_mib.unwrap_or(Solver::default_table(game.size(), threads));
                let new = if book { Solver::new } else { Solver::without_book };
                Self::Solver(Box::new(new(game.size(), mib)?))
            }
            Rules::Line(game) => Self::Lines(*game, oracle()),
            Rules::Other(_, start) => Self::Named(Named {
                start: start.boxed().into(),
                start_is_too_large: AtomicBool::new(false),
                oracle: oracle(),
            }),
        })
    }

    /// The value of a position that goes on, if it takes no search.
    pub fn known(&self, state: &State) -> Option<PartialValue> {
        match self {
            Self::Solver(solver) => {
                solver.known(stones(state)).and_then(ValueBounds::value).map(PartialValue::from)
            }
            Self::Lines(game, oracle) => Some(oracle.cached(game, stones(state)).ok()??.value),
            Self::Named(_) => None,
        }
    }

    /// The value of a position.
    pub fn value(&self, state: &State, control: &Control) -> PyResult<PartialValue> {
        match self {
            Self::Solver(solver) => {
                Ok(solver.value(stones(state), control).map_err(stopped)?.value.into())
            }
            Self::Lines(game, oracle) => {
                let known = oracle.value(game, stones(state), control);
                Ok(known.map_err(oracle_error)?.value)
            }
            Self::Named(named) => named.value(state, control),
        }
    }

    /// The values of many positions, handed over in their order.
    pub fn values(
        &self,
        states: &[State],
        threads: usize,
        control: &Control,
        mut see: impl FnMut(PartialValue),
    ) -> PyResult<()> {
        if let Self::Solver(solver) = self {
            let all: Vec<Stones> = states.iter().map(stones).collect();
            let see = |solved: Solved| see(solved.value.into());
            return solver.values(&all, threads, control, see).map_err(stopped);
        }
        for state in states {
            see(self.value(state, control)?);
        }
        Ok(())
    }

    /// The value of every move.
    pub fn moves(&self, state: &State, control: &Control) -> PyResult<Moves> {
        match self {
            Self::Solver(solver) => {
                let moves = solver.moves(stones(state), control).map_err(stopped)?;
                Ok(moves.into_iter().map(|(m, solved)| (number(m), solved.value.into())).collect())
            }
            Self::Lines(game, oracle) => {
                let moves = oracle.moves(game, stones(state), control, &mut |_| ());
                let moves = moves.map_err(oracle_error)?;
                Ok(moves.into_iter().map(|(m, known)| (number(m), known.value)).collect())
            }
            Self::Named(named) => {
                let moves = named.situation(state, control)?.moves;
                let known = moves.into_iter().filter_map(|(branch, worth)| {
                    Some((MoveName::Text(branch.text), worth?.into()))
                });
                Ok(known.collect())
            }
        }
    }

    /// The moves that attain the value of a position.
    pub fn best_moves(&self, state: &State, control: &Control) -> PyResult<Vec<MoveName>> {
        let numbers = |best: MoveSet| best.into_iter().map(number).collect();
        match self {
            Self::Solver(solver) => {
                let position = stones(state);
                let value = solver.value(position, control).map_err(stopped)?.value;
                Ok(numbers(solver.best_moves(position, value, control).map_err(stopped)?))
            }
            Self::Lines(game, oracle) => {
                Ok(numbers(oracle.best(game, stones(state), control).map_err(oracle_error)?))
            }
            Self::Named(named) => {
                let situation = named.situation(state, control)?;
                let best = situation.best_moves();
                Ok(best.map(|branch| MoveName::Text(branch.text.clone())).collect())
            }
        }
    }

    /// Best play to the end of the game, or to where it comes back.
    pub fn variation(&self, state: &State, control: &Control) -> PyResult<Vec<MoveName>> {
        match self {
            Self::Solver(solver) => {
                let position = stones(state);
                let value = solver.value(position, control).map_err(stopped)?.value;
                let play = solver.principal_variation(position, value, control);
                Ok(play.map_err(stopped)?.into_iter().map(number).collect())
            }
            Self::Lines(game, oracle) => {
                let play = oracle.variation(game, stones(state), control);
                Ok(play.map_err(oracle_error)?.into_iter().map(number).collect())
            }
            Self::Named(named) => named.variation(state, control),
        }
    }
}

pub fn stones(state: &State) -> Stones {
    match state {
        State::Line(stones) => *stones,
        State::Other(_) => unreachable!("a position goes with its game"),
    }
}

/// A game that is known by name, solved as a whole where that is possible.
pub struct Named {
    start: Arc<dyn Study>,
    start_is_too_large: AtomicBool,
    oracle: Box<Oracle>,
}

impl Named {
    fn study<'s>(&self, state: &'s State) -> &'s Arc<dyn Study> {
        match state {
            State::Other(study) => study,
            State::Line(_) => unreachable!("a position goes with its game"),
        }
    }

    /// The value of a position and of its moves: from a solution of the whole game, else from one
    /// of what the position leads to.
    fn situation(&self, state: &State, control: &Control) -> PyResult<Situation> {
        let study = self.study(state);
        if !self.start_is_too_large.load(Relaxed) {
            match self.oracle.situation(&*self.start, &**study, control) {
                Ok(found) if found.is_whole() => return Ok(found),
                // The start does not lead there.
                Ok(_) => {}
                Err(OracleError::Engine { .. }) => self.start_is_too_large.store(true, Relaxed),
                Err(error) => return Err(oracle_error(error)),
            }
        }
        let found = self.oracle.situation(&**study, &**study, control).map_err(oracle_error)?;
        if found.is_whole() {
            return Ok(found);
        }
        Err(PyValueError::new_err(format!("no engine values {}", study.picture())))
    }

    fn value(&self, state: &State, control: &Control) -> PyResult<PartialValue> {
        match self.study(state).result() {
            Some(outcome) => Ok(Value::over(outcome).into()),
            None => {
                let worth = self.situation(state, control)?.worth;
                Ok(worth.expect("the situation is whole").into())
            }
        }
    }

    fn variation(&self, state: &State, control: &Control) -> PyResult<Vec<MoveName>> {
        let mut seen = HashSet::new();
        let mut play = Vec::new();
        let mut study = Arc::clone(self.study(state));
        while study.result().is_none() && seen.insert(study.identity()) {
            let situation = self.situation(&State::Other(Arc::clone(&study)), control)?;
            let best = situation.best;
            let branches = situation.moves.into_iter().map(|(branch, _)| branch);
            let Some(branch) = { branches }.find(|branch| best.0 >> branch.bit & 1 == 1) else {
                break;
            };
            play.push(MoveName::Text(branch.text));
            study = branch.to.into();
        }
        Ok(play)
    }
}
