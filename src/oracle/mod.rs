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
use crate::connect_four::solver::ValueBounds;
use crate::control::{Control, Stopped};
use crate::database::DatabaseError;
use crate::game::{Game, Move, MoveSet, Outcome, Remoteness, Value};
use crate::games::line::{AnyGame, LineGame, Stones};

use cache::Cache;
pub(crate) use engine::tree_is_small;
use engine::{Engine, Engines};
pub use files::OracleFiles;
pub(crate) use files::is_database;
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

/// What is known of a value, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Who wins.
    pub outcome: Outcome,
    /// Plies to the end under best play; `None` where only the outcome is known.
    pub remoteness: Option<Remoteness>,
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
}

impl Known {
    /// A value known in full.
    #[must_use]
    pub const fn exactly(value: Value, origin: Origin) -> Self {
        Self { outcome: value.outcome, remoteness: Some(value.remoteness), origin }
    }

    /// What is known of the move that leads here, for the side that makes it.
    #[must_use]
    pub fn for_parent(self) -> Self {
        let remoteness = self.remoteness.map(|Remoteness(r)| Remoteness(r + 1));
        Self { outcome: -self.outcome, remoteness, origin: self.origin }
    }

    /// The value, where it is known in full.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        self.remoteness.map(|remoteness| Value::new(self.outcome, remoteness))
    }

    /// A number that is higher for what the side to move prefers.
    #[must_use]
    pub fn preference(self) -> (Outcome, i16) {
        let r = self.remoteness.map_or(0, |Remoteness(r)| i16::from(r));
        (self.outcome, if self.outcome == Outcome::Win { -r } else { r })
    }
}

/// The moves that nothing known is better than.
#[must_use]
pub fn best_of(moves: &[(Move, Known)]) -> MoveSet {
    let most = moves.iter().map(|(_, known)| known.preference()).max();
    moves.iter().filter(|(_, known)| Some(known.preference()) == most).map(|(m, _)| *m).collect()
}

/// An update while an answer is being worked out, for the side to move.
#[derive(Clone, Copy, Debug)]
pub enum Update {
    /// The value of a move.
    Move(Move, Known),
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
    pub fn cached(&self, game: &AnyGame, position: Stones) -> Result<Option<Known>, OracleError> {
        if let Some(outcome) = game.result(position) {
            let over = Value::new(outcome, Remoteness(0));
            return Ok(Some(Known::exactly(over, Origin::Rules)));
        }
        if let Some(value) = self.cache.get(game, position) {
            return Ok(Some(Known::exactly(value, Origin::Engine)));
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
    ) -> Result<Option<Vec<(Move, Known)>>, OracleError> {
        if game.result(position).is_some() {
            return Ok(Some(Vec::new()));
        }
        let known = |m| -> Result<Option<(Move, Known)>, OracleError> {
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
    ) -> Result<Known, OracleError> {
        if let Some(known) = self.cached(game, position)? {
            return Ok(known);
        }
        let value = self.engine(game, control)?.value(game, position, control, |_| ())?;
        self.cache.insert(game, position, value);
        Ok(Known::exactly(value, Origin::Engine))
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
    ) -> Result<Vec<(Move, Known)>, OracleError> {
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
                            let ValueBounds { worst, best } = bounds;
                            let (worst, best) = (best.for_parent(), worst.for_parent());
                            see(Update::Bounds(m, ValueBounds { worst, best }));
                        })?;
                        self.cache.insert(game, next, value);
                        Known::exactly(value, Origin::Engine)
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
            return Ok(best_of(&moves));
        }
        let engine = self.engine(game, control)?;
        if let Engine::Solver(solver) = &*engine
            && let Some(value) = self.value(game, position, control)?.value()
        {
            return Ok(solver.best_moves(position, value, control)?);
        }
        Ok(best_of(&self.moves(game, position, control, &mut |_| ())?))
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
            && let Some(value) = self.value(game, position, control)?.value()
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
                && let Some(value) = self.value(game, position, control)?.value()
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
