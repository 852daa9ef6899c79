//! The oracle: who knows the value of a position.
//!
//! [`Oracle`] answers for every game and from any number of threads. It asks in this order: the
//! rules, its cache, databases, solution files, the built-in opening book, an engine. What it keeps
//! in memory is bounded, whatever it is asked.

mod analysis;
mod best_play;
mod book;
mod cache;
mod engine;
mod engines;
mod files;
mod found;
mod shown;
mod studied;
mod valued;

use std::sync::Arc;

use crate::connect_four::OpeningBook;
use crate::connect_four::profiles::SolutionError;
use crate::connect_four::solver::{Solved, SolverWord};
use crate::control::{Control, Stopped};
use crate::database::DatabaseError;
use crate::game::{self, Move, MoveSet, PartialValue, Value, ValueBounds};
use crate::games::line::{LineGame, Stones};

pub use book::load_book;
use cache::Cache;
use engine::{Engine, Engines};
pub use files::OracleFiles;
pub(crate) use shown::SharedEngine;
pub use shown::{BestPlay, Finding, ValuedMove, best_of_moves};
use studied::Solutions;
pub use studied::{StudiedPlay, studied_play};
pub use valued::{OtherEngine, Valued};

/// The reason why there is no answer.
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
        /// The error of the system.
        source: std::io::Error,
    },
    /// There is no memory for an engine.
    #[error("no engine for {board}: {reason}")]
    Engine {
        /// The board.
        board: String,
        /// The reason.
        reason: String,
    },
}

/// A value, as far as it is known, with its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcedValue {
    /// The value, for the side to move.
    pub value: PartialValue,
    /// The source of the value.
    pub origin: Origin,
}

/// The source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The game is over.
    Rules,
    /// A database.
    Database,
    /// A solution file.
    SolutionFile,
    /// The opening book in the program.
    OpeningBook,
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
            Self::OpeningBook => "opening book",
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
        self.one_ply_earlier(false)
    }

    /// The same one ply earlier, for the side to move there: the other one, or with `keeps_turn`
    /// the same.
    #[must_use]
    pub fn one_ply_earlier(self, keeps_turn: bool) -> Self {
        Self { value: self.value.one_ply_earlier(keeps_turn), ..self }
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
    pool: engines::Engines,
    found: found::Found,
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
            pool: engines::Engines::new(largest_table),
            found: found::Found::default(),
            most_bytes: largest_table << 20,
        }
    }

    /// The files.
    #[must_use]
    pub const fn files(&self) -> &OracleFiles {
        &self.files
    }

    /// The value of a position if that takes no search; a value in full is preferred to an outcome.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn cached<G: Valued>(
        &self,
        game: &G,
        position: Stones<G::Word>,
    ) -> Result<Option<SourcedValue>, OracleError> {
        if let Some(outcome) = game.result(position) {
            return Ok(Some(Origin::Rules.says(Value::over(outcome))));
        }
        if let Some(value) = self.cache.get(game, position) {
            return Ok(Some(Origin::Engine.says(value)));
        }
        let stored = game.in_files(&self.files, position)?;
        if stored.is_some_and(|known| known.value.is_exact()) {
            return Ok(stored);
        }
        let value = in_opening(game, position);
        Ok(value.map(|value| Origin::OpeningBook.says(value)).or(stored))
    }

    /// Keeps a value that an engine proved, unless somebody else tells it: who does is part of the
    /// answer.
    fn remember<G: Valued>(
        &self,
        game: &G,
        position: Stones<G::Word>,
        value: Value,
    ) -> Result<(), OracleError> {
        let told = self.cached(game, position)?;
        if told.is_none_or(|known| !known.value.is_exact()) {
            self.cache.insert(game, position, value);
        }
        Ok(())
    }

    /// The value of every move of a position if none of them takes a search.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn cached_moves<G: Valued>(
        &self,
        game: &G,
        position: Stones<G::Word>,
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
    pub fn value<G: Valued>(
        &self,
        game: &G,
        position: Stones<G::Word>,
        control: &Control,
    ) -> Result<SourcedValue, OracleError> {
        Ok(self.value_with_progress(game, position, control, |_| ())?.0)
    }

    /// The value of a position, and how many were searched for it; `see` is told what is proved on
    /// the way.
    fn value_with_progress<G: Valued>(
        &self,
        game: &G,
        position: Stones<G::Word>,
        control: &Control,
        see: impl FnMut(ValueBounds),
    ) -> Result<(SourcedValue, u64), OracleError> {
        if let Some(known) = self.cached(game, position)? {
            return Ok((known, 0));
        }
        let engine = self.engine(game, control)?;
        let Solved { value, nodes } = engine.value(game, position, control, see)?;
        self.remember(game, position, value)?;
        Ok((Origin::Engine.says(value), nodes))
    }

    /// The value of every move, by ascending move; empty if the game is over. What is found on
    /// the way goes to `see`, so that a stopped search has told all it proved.
    ///
    /// # Errors
    /// If the control stops it, a file cannot be read, or there is no memory for an engine.
    pub fn moves<G: Valued>(
        &self,
        game: &G,
        position: Stones<G::Word>,
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
        if !open.is_empty()
            && let Engine::Other(engine) = &*self.engine(game, control)?
        {
            // Until the root is proved; that proves most moves, and fills the table.
            for (m, value) in engine.moves(game, position, control, see) {
                self.remember(game, game.play(position, m), value)?;
            }
        }
        for m in open {
            // Or a symmetric move was solved just now.
            let next = game.play(position, m);
            let tell = |bounds: ValueBounds| see(Update::Bounds(m, bounds.for_parent()));
            let known = self.value_with_progress(game, next, control, tell)?.0;
            see(Update::Move(m, known.for_parent()));
            results.push((m, known.for_parent()));
        }
        results.sort_unstable_by_key(|(m, _)| *m);
        Ok(results)
    }

    fn engine<G: Valued>(
        &self,
        game: &G,
        control: &Control,
    ) -> Result<Arc<Engine<G>>, OracleError> {
        self.engines.get(game, control)
    }
}

/// The value that the built-in opening book has of a position.
pub(crate) fn in_opening<W: SolverWord>(
    game: &impl LineGame<W>,
    position: Stones<W>,
) -> Option<Value> {
    let book = OpeningBook::builtin(game.size()).filter(|_| game.rules().stones_fall())?;
    W::in_opening(book, position)
}

#[cfg(test)]
mod tests;
