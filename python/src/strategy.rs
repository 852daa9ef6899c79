//! Strategies of Connect Four that need no search.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use everyply::cli::available_memory;
use everyply::connect_four::strategy::{
    Claim, FileError, Follower, MakeError, MakeOptions, Side, Turn, check, make, open, write,
};
use everyply::disk::NewFile;
use everyply::game::{Move, Outcome};
use everyply::games::line::LineGame;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyTimeoutError, PyValueError};
use pyo3::prelude::*;

use crate::choice::{named, of_id};
use crate::engine::{Engine, stones};
use crate::errors::{os_error, stopped, value_error};
use crate::game::{BuiltinGame, to_python};
use crate::position::{Position, missing, position_and, root_at};
use crate::rules::{MoveName, Rules};
use crate::run::Pool;
use crate::solver::Solver;

/// A strategy of Connect Four: a side that follows it gets what it claims, against every play of the
/// other side, without a search. `strategy` makes one, and `strategies` reads those of a file.
///
/// len(strategy) is the number of its positions.
#[pyclass(frozen, module = "everyply")]
pub struct Strategy {
    rules: Arc<Rules>,
    follower: Follower,
}

/// The strategies of a file that `analyze strategy` wrote. `Strategy.check` plays each through.
///
/// Raises OSError if the file cannot be read, ValueError if a line of it is not valid.
#[pyfunction]
pub fn strategies(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Strategy>> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let found = py.detach(|| open(&path)).map_err(|error| match &error {
        FileError::Io(source) => os_error(source, named(&error)),
        _ => PyValueError::new_err(named(&error)),
    })?;
    let one = |strategy| {
        let follower = Follower::new(strategy).map_err(|error| value_error(named(&error)))?;
        let rules = of_id(&follower.game().game_id())?;
        Ok(Strategy { rules, follower })
    };
    found.into_iter().map(one).collect()
}

/// Makes a strategy of Connect Four: a set of positions and plans, small on purpose, by which a side
/// gets what it claims against every play of the other side, without a search. It is played through
/// before it is returned.
///
/// game: a board, its name, or the position to start from. position: one of that board, as moves or a
/// Position.
/// side: "first" or "second", the side that follows it.
/// claim: "win", or "draw" for a draw or better; for None the value of the position for that side.
/// improve: seconds to make it smaller once there is one. seconds: the limit for finding one.
/// solver: the source of values; a new Solver for None.
///
/// Raises ValueError if the claim does not hold, the game is over, or the board does not fit 64 bits;
/// MemoryError if the search needs too much; TimeoutError if there is none after `seconds`.
#[pyfunction]
#[pyo3(signature = (game, position=None, side=None, *, claim=None, improve=0.0, seconds=None, solver=None))]
#[expect(clippy::too_many_arguments, reason = "each is an argument in Python")]
pub fn strategy(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    position: Option<&Bound<'_, PyAny>>,
    side: Option<String>,
    claim: Option<&str>,
    improve: f64,
    seconds: Option<f64>,
    solver: Option<&Bound<'_, Solver>>,
) -> PyResult<Strategy> {
    let (position, side) = position_and(position, side);
    let root = root_at(game, position)?;
    let own = if solver.is_none() { Some(Solver::of(&root.rules)?) } else { None };
    let solver = solver.map_or_else(|| own.as_ref().expect("made just now"), |solver| solver.get());
    solver.check_game(&root.rules)?;
    let Engine::Solver(exact) = &solver.engine else {
        let title = root.rules.title();
        return Err(value_error(format!(
            "{title}: strategies are of Connect Four on boards of up to 63 bits"
        )));
    };
    let side = named(
        "side",
        &side.ok_or_else(|| missing("side"))?,
        &Side::ALL.map(|side| (side.name(), side)),
    )?;
    let claimed = claim.map(|claim| named("claim", claim, &[("win", 1), ("draw", 0)]));
    let claimed = claimed.transpose()?;
    let duration = |seconds: f64| Duration::try_from_secs_f64(seconds).map_err(value_error);
    let (improve_for, limit) = (duration(improve)?, seconds.map(duration).transpose()?);
    let moves = root.way()?.join(root.state.info().separator);
    let start = stones(&*root.state);
    let made = solver.pool.run(py, None, |control| {
        control.limit(limit);
        let ended = |error| match control.is_asked_to_stop() {
            true => stopped(error),
            false => PyTimeoutError::new_err("no strategy was found within the time limit"),
        };
        let at_least = match claimed {
            Some(score) => score,
            None => {
                let (outcome, _) = exact.outcome_only(start, control).map_err(ended)?;
                let is_to_move = Side::to_move(start) == side;
                match if is_to_move { outcome } else { -outcome } {
                    Outcome::Win => 1,
                    Outcome::Draw => 0,
                    Outcome::Loss => {
                        let why = format!("the {} player loses and has no claim", side.name());
                        return Err(PyValueError::new_err(why));
                    }
                }
            }
        };
        let options = MakeOptions {
            claim: Claim { side, at_least },
            moves,
            improve_for: Some(improve_for),
            memory: (available_memory() * 0.6) as u64,
        };
        let made = make(exact, &options, control, |_| ()).map_err(|error| match error {
            MakeError::Stopped(error) => ended(error),
            error @ MakeError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
            error => value_error(error),
        })?;
        // The limit that ended the improvement does not end this.
        control.limit(None);
        check(&made, control).map_err(value_error)?;
        Ok(made)
    })?;
    Ok(Strategy {
        rules: Arc::clone(&root.rules),
        follower: Follower::new(made).map_err(value_error)?,
    })
}

#[pymethods]
impl Strategy {
    /// The game, with its board.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, Arc::clone(&self.rules))
    }

    /// "first" or "second": the side that follows it.
    #[getter]
    fn side(&self) -> &'static str {
        self.follower.strategy().claim.side.name()
    }

    /// The score by Pons that the side gets at least: 1 for any win, 0 for a draw or better.
    #[getter]
    fn at_least(&self) -> i32 {
        self.follower.strategy().claim.at_least
    }

    /// The position that it starts from.
    #[getter]
    fn start(&self) -> PyResult<Position> {
        let moves = self.follower.start().iter().map(|m| m.number().to_string()).collect();
        Position::after(&self.rules, moves)
    }

    /// The strategy's move, with its reason in words; None if the other side is to move, the game is
    /// over, or the moves played are not the strategy's.
    ///
    /// position: a Position, or the moves that lead to it. The moves as played decide which plan is
    ///     followed.
    ///
    /// A game against every answer is a walk: `p = p.play(strategy.move(p)[0])`.
    fn r#move(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<(MoveName, String)>> {
        let position = BuiltinGame { rules: Arc::clone(&self.rules) }.read(position)?;
        let column = |text: String| Move(text.parse::<u8>().expect("a column") - 1);
        let moves: Vec<Move> = position.way()?.into_iter().map(column).collect();
        Ok(match self.follower.position_after(&moves).turn {
            Turn::Follower(Some(reply)) => {
                let name = MoveName::Number(u32::from(reply.column.0) + 1);
                Some((name, reply.reason.to_string()))
            }
            _ => None,
        })
    }

    /// Plays the strategy through, against every play of the other side. Returns the number of
    /// positions that were played through.
    ///
    /// Raises ValueError if it does not keep its claim, with the position.
    fn check(&self, py: Python<'_>) -> PyResult<u64> {
        Pool::new(Some(1))?.run(py, None, |control| {
            let checked = check(self.follower.strategy(), control).map_err(value_error)?;
            Ok(checked.played)
        })
    }

    /// Writes the strategy to a file, which `strategies` and the command `analyze verify` read. It
    /// appears whole or not at all.
    ///
    /// Raises OSError if the file cannot be written.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let strategy = std::slice::from_ref(self.follower.strategy());
        py.detach(|| {
            let mut file = NewFile::create(&path).map_err(|e| PyOSError::new_err(e.to_string()))?;
            write(strategy, &mut file).and_then(|()| file.flush())?;
            file.commit().map_err(|error| PyOSError::new_err(error.to_string()))
        })
    }

    fn __len__(&self) -> usize {
        self.follower.strategy().positions.len()
    }
}
