//! The oracle: who knows the value of a position.
//!
//! [`Oracle`] answers for every game and from any number of threads. It asks in this order: the
//! rules, its cache, databases, solution files, an engine. What it keeps in memory is bounded,
//! whatever it is asked.

mod cache;
mod engine;
mod files;
mod studied;

use crate::connect_four::profiles::SolutionError;
use crate::control::{Control, Stopped};
use crate::database::DatabaseError;
use crate::game::{self, Game, Move, MoveSet, PartialValue, Value, ValueBounds};
use crate::games::line::{AnyGame, LineGame, Stones};

use cache::Cache;
pub(crate) use engine::tree_is_small;
use engine::{Engine, Engines};
pub use files::OracleFiles;
use studied::Solutions;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// Time was up, or the asker went away.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A database cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A solution file cannot be read.
    #[error(transparent)]
    Solution(#[from] SolutionError),
    /// A file is neither a database nor a solution file.
    #[error("{path}: {source}; give a database or a solution file")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is no memory for an engine.
    #[error("no engine for {board}: {reason}")]
    Engine {
        /// The board.
        board: String,
        /// Why.
        reason: String,
    },
}

/// What is known of a value, with its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcedValue {
    /// The value, for the side to move.
    pub value: PartialValue,
    /// Who says so.
    pub origin: Origin,
}

/// Who says what a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The game is over.
    Rules,
    /// A database.
    Database,
    /// A solution file.
    SolutionFile,
    /// A solver, now or earlier.
    Engine,
}

impl Origin {
    /// The word in outputs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Database => "database",
            Self::SolutionFile => "solution file",
            Self::Engine => "solver",
        }
    }

    /// A value that it says.
    pub(crate) fn says(self, value: impl Into<PartialValue>) -> SourcedValue {
        SourcedValue { value: value.into(), origin: self }
    }
}

impl SourcedValue {
    /// The same of the move that leads here, for the side that makes it.
    #[must_use]
    pub fn for_parent(self) -> Self {
        Self { value: self.value.for_parent(), ..self }
    }
}

/// The value of a position by those of its moves, and the moves that attain it; `None` if there is
/// none.
#[must_use]
pub fn best_of(moves: &[(Move, SourcedValue)]) -> Option<(SourcedValue, MoveSet)> {
    let (value, best) = game::best_of(moves.iter().map(|(m, known)| (*m, known.value)))?;
    let origin = moves.iter().rfind(|(m, _)| best.contains(*m))?.1.origin;
    Some((origin.says(value), best))
}

/// An update while an answer is being worked out, for the side to move.
#[derive(Clone, Copy, Debug)]
pub enum Update {
    /// The value of a move.
    Move(Move, SourcedValue),
    /// What the value of a move lies between.
    Bounds(Move, ValueBounds),
    /// A search to the end of the game has seen all of this number of plies.
    Depth(u32),
}

/// An oracle over databases, solution files and engines, asked by many at a time.
#[derive(Debug)]
pub struct Oracle {
    files: OracleFiles,
    engines: Engines,
    cache: Cache,
    /// Of registered games.
    solutions: Solutions,
    /// A solution of theirs takes no more.
    most_bytes: u64,
}

impl Oracle {
    /// An oracle with these files, and engines whose tables take at most `largest_table` MiB each.
    #[must_use]
    pub fn new(files: OracleFiles, largest_table: u64) -> Self {
        Self {
            files,
            engines: Engines::new(largest_table),
            cache: Cache::default(),
            solutions: Solutions::default(),
            most_bytes: largest_table << 20,
        }
    }

    /// The files.
    #[must_use]
    pub const fn files(&self) -> &OracleFiles {
        &self.files
    }

    /// The value of a position if that takes no search.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn cached(
        &self,
        game: &AnyGame,
        position: Stones,
    ) -> Result<Option<SourcedValue>, OracleError> {
        if let Some(outcome) = game.result(position) {
            return Ok(Some(Origin::Rules.says(Value::over(outcome))));
        }
        if let Some(value) = self.cache.get(game, position) {
            return Ok(Some(Origin::Engine.says(value)));
        }
        self.files.look_up(game, position)
    }

    /// The value of every move of a position if none of them takes a search.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn cached_moves(
        &self,
        game: &AnyGame,
        position: Stones,
    ) -> Result<Option<Vec<(Move, SourcedValue)>>, OracleError> {
        if game.result(position).is_some() {
            return Ok(Some(Vec::new()));
        }
        let known = |m| -> Result<Option<(Move, SourcedValue)>, OracleError> {
            Ok(self.cached(game, game.play(position, m))?.map(|known| (m, known.for_parent())))
        };
        game.moves(position).into_iter().map(known).collect()
    }

    /// The value of a position.
    ///
    /// # Errors
    /// If the control stops it, a file cannot be read, or there is no memory for an engine.
    pub fn value(
        &self,
        game: &AnyGame,
        position: Stones,
        control: &Control,
    ) -> Result<SourcedValue, OracleError> {
        if let Some(known) = self.cached(game, position)? {
            return Ok(known);
        }
        let value = self.engine(game, control)?.value(game, position, control, |_| ())?;
        self.cache.insert(game, position, value);
        Ok(Origin::Engine.says(value))
    }

    /// The value of every move, by ascending move; empty if the game is over. What is found on
    /// the way goes to `see`, so that a stopped search has told all it proved.
    ///
    /// # Errors
    /// If the control stops it, a file cannot be read, or there is no memory for an engine.
    pub fn moves(
        &self,
        game: &AnyGame,
        position: Stones,
        control: &Control,
        see: &mut dyn FnMut(Update),
    ) -> Result<Vec<(Move, SourcedValue)>, OracleError> {
        if game.result(position).is_some() {
            return Ok(Vec::new());
        }
        let mut results = Vec::new();
        let mut open = Vec::new();
        let playable = game.moves(position);
        for &m in game.centre_first().iter().filter(|&&m| playable.contains(m)) {
            match self.cached(game, game.play(position, m))? {
                Some(known) => {
                    see(Update::Move(m, known.for_parent()));
                    results.push((m, known.for_parent()));
                }
                None => open.push(m),
            }
        }
        if !open.is_empty() {
            let engine = self.engine(game, control)?;
            if let Engine::AlphaBeta(search) = &*engine {
                // Until the root is proved; that proves most moves, and fills the table.
                for (m, value) in search.moves(game, position, control, see) {
                    self.cache.insert(game, game.play(position, m), value);
                }
            }
            for m in open {
                let next = game.play(position, m);
                // Or a symmetric move was solved just now.
                let known = match self.cached(game, next)? {
                    Some(known) => known,
                    None => {
                        let value = engine.value(game, next, control, |bounds| {
                            see(Update::Bounds(m, bounds.for_parent()));
                        })?;
                        self.cache.insert(game, next, value);
                        Origin::Engine.says(value)
                    }
                };
                see(Update::Move(m, known.for_parent()));
                results.push((m, known.for_parent()));
            }
        }
        results.sort_unstable_by_key(|(m, _)| *m);
        Ok(results)
    }

    /// The moves that attain the value of a position; none if the game is over. Cheaper than the
    /// value of every move.
    ///
    /// # Errors
    /// The errors of [`moves`](Self::moves).
    pub fn best(
        &self,
        game: &AnyGame,
        position: Stones,
        control: &Control,
    ) -> Result<MoveSet, OracleError> {
        if let Some(moves) = self.cached_moves(game, position)? {
            return Ok(best_of(&moves).unzip().1.unwrap_or_default());
        }
        let engine = self.engine(game, control)?;
        if let Engine::Solver(solver) = &*engine
            && let Some(value) = self.value(game, position, control)?.value.exact()
        {
            return Ok(solver.best_moves(position, value, control)?);
        }
        let moves = self.moves(game, position, control, &mut |_| ())?;
        Ok(best_of(&moves).unzip().1.unwrap_or_default())
    }

    /// The move nearest to the middle that attains the value of a position; `None` if the game
    /// is over. Cheaper than all of them.
    ///
    /// # Errors
    /// The errors of [`moves`](Self::moves).
    pub fn best_move(
        &self,
        game: &AnyGame,
        position: Stones,
        control: &Control,
    ) -> Result<Option<Move>, OracleError> {
        if self.cached_moves(game, position)?.is_none()
            && let Engine::Solver(solver) = &*self.engine(game, control)?
            && let Some(value) = self.value(game, position, control)?.value.exact()
        {
            return Ok(solver.best_move(position, value, control)?);
        }
        let best = self.best(game, position, control)?;
        Ok(game.centre_first().iter().copied().find(|&m| best.contains(m)))
    }

    /// Best play of both sides to the end of the game, as far as its length is known; among
    /// equals the move nearer to the middle.
    ///
    /// # Errors
    /// The errors of [`moves`](Self::moves).
    pub fn variation(
        &self,
        game: &AnyGame,
        mut position: Stones,
        control: &Control,
    ) -> Result<Vec<Move>, OracleError> {
        let mut variation = Vec::new();
        while game.result(position).is_none() {
            if self.cached_moves(game, position)?.is_none()
                && let Engine::Solver(solver) = &*self.engine(game, control)?
                && let Some(value) = self.value(game, position, control)?.value.exact()
            {
                variation.extend(solver.principal_variation(position, value, control)?);
                break;
            }
            let Some(m) = self.best_move(game, position, control)? else { break };
            variation.push(m);
            position = game.play(position, m);
        }
        Ok(variation)
    }

    /// The solver for a board of Connect Four; `None` if it is not made for it.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(crate) fn solver(
        &self,
        game: &AnyGame,
    ) -> Result<Option<engine::SharedSolver>, OracleError> {
        let engine = self.engine(game, &Control::default())?;
        Ok(engine::SharedSolver::new(engine))
    }

    fn engine(
        &self,
        game: &AnyGame,
        control: &Control,
    ) -> Result<std::sync::Arc<Engine>, OracleError> {
        self.engines.get(game, control)
    }
}

#[cfg(test)]
mod tests;
