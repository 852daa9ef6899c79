//! Strategies of Connect Four that need no search.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use everyply::connect_four::strategy::{FileError, Follower, Turn, check, open, write};
use everyply::disk::NewFile;
use everyply::game::Move;
use everyply::games::line::LineGame;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::choice::of_id;
use crate::errors::{os_error, value_error};
use crate::game::BuiltinGame;
use crate::position::Position;
use crate::rules::{MoveName, Rules};
use crate::run::Pool;

/// A strategy of Connect Four: a side that follows it gets what it claims, against every play of the
/// other side, without a search. `strategy` makes one, and `strategies` reads a file of them.
///
/// len(strategy) is the number of its positions.
#[pyclass(frozen, module = "everyply")]
pub struct Strategy {
    rules: Arc<Rules>,
    follower: Follower,
}

/// Reads the strategies of a file of `analyze strategy`. `Strategy.check` plays each through.
///
/// Raises OSError if the file cannot be read, ValueError if a line of it is not valid.
#[pyfunction]
pub fn strategies(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Strategy>> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let strategies = py.detach(|| open(&path)).map_err(|error| match &error {
        FileError::Io(source) => os_error(source, named(&error)),
        _ => PyValueError::new_err(named(&error)),
    })?;
    let one = |strategy| {
        let follower = Follower::new(strategy).map_err(|error| value_error(named(&error)))?;
        let rules = of_id(&follower.game().game_id())?;
        Ok(Strategy { rules, follower })
    };
    strategies.into_iter().map(one).collect()
}

#[pymethods]
impl Strategy {
    /// The game, with its board.
    #[getter]
    fn game(&self) -> BuiltinGame {
        BuiltinGame { rules: Arc::clone(&self.rules) }
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

    /// Returns the strategy's move, with its reason in words; None if the other side is to move,
    /// the game is over, or the moves played are not the strategy's.
    ///
    /// position: a Position, or the moves that lead to it. The moves as played decide which plan is
    ///     followed.
    ///
    /// A game is a loop: `p = p.play(strategy.move(p)[0])`.
    fn r#move(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<(MoveName, String)>> {
        let position = self.rules.position(position)?;
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
