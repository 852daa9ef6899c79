//! Look-ups of single positions in files with values.

use std::path::PathBuf;

use super::values::is_settled;
use super::{OracleError, Origin, SourcedValue};
use crate::stored::{StoredError, StoredFile};
use everyply_core::game::{GameId, MoveSet, ValueBounds, ValueWithBest};
use everyply_registry::registry::Position;
use everyply_registry::solutions::SolutionFile;

/// Databases, solution files and opening books, open for reading. Every look-up fails if a file
/// cannot be read.
#[derive(Debug, Default)]
pub struct OracleFiles {
    /// Each with its games; databases first, which have best moves as well.
    files: Vec<(Vec<GameId>, StoredFile)>,
    whole_only: bool,
}

impl OracleFiles {
    /// Opens databases, solution files and opening books.
    ///
    /// # Errors
    /// If one of them is of another kind, or cannot be read.
    pub fn open(paths: &[PathBuf]) -> Result<Self, StoredError> {
        Self::of(paths.iter().map(|path| StoredFile::open(path)).collect::<Result<_, _>>()?)
    }

    /// Takes files that are open already.
    ///
    /// # Errors
    /// If one of them is a strategy.
    pub fn of(files: Vec<StoredFile>) -> Result<Self, StoredError> {
        if let Some(file) = files.iter().find(|file| Origin::of(file).is_none()) {
            return Err(StoredError::WithoutValues(file.path().to_owned()));
        }
        let files = files.into_iter().map(|file| (file.games(), file));
        let mut files: Vec<_> = files.collect();
        files.sort_by_key(|(_, file)| Origin::of(file) != Some(Origin::Database));
        Ok(Self { files, whole_only: false })
    }

    /// Ignores values without a distance, so that a search finds them in full.
    #[must_use]
    pub fn with_whole_values_only(self) -> Self {
        Self { whole_only: true, ..self }
    }

    pub fn games(&self) -> impl Iterator<Item = &GameId> {
        self.files.iter().flat_map(|(games, _)| games)
    }

    fn of_game(&self, id: &GameId) -> impl Iterator<Item = &StoredFile> {
        let files = self.files.iter().filter(move |(games, _)| games.contains(id));
        files.map(|(_, file)| file)
    }

    pub fn solution_of(&self, id: &GameId) -> Option<&SolutionFile> {
        self.of_game(id).find_map(StoredFile::solution)
    }

    /// Returns the position that leads to all others in the game's solution file; without such a
    /// file the start.
    pub fn root(&self, start: Box<dyn Position>) -> Result<Box<dyn Position>, OracleError> {
        match self.solution_of(&start.game_id()) {
            Some(file) => Ok(file.root(start.as_ref()).map_err(StoredError::from)?),
            None => Ok(start),
        }
    }

    pub fn holds(&self, position: &dyn Position) -> Result<bool, OracleError> {
        Ok(self.find(position)?.is_some())
    }

    /// Returns the row of a position from the first file that has its value in full, else from the
    /// first that has any.
    fn row(&self, position: &dyn Position) -> Result<Option<(ValueWithBest, Origin)>, OracleError> {
        let mut outcome_only = None;
        for file in self.of_game(&position.game_id()) {
            let Some(row) = file.row(position)? else { continue };
            let found = Origin::of(file).map(|origin| (row, origin));
            if is_settled(position, row.value) {
                return Ok(found);
            }
            outcome_only = outcome_only.or(found);
        }
        Ok(outcome_only.filter(|_| !self.whole_only))
    }

    /// Returns the value of a position from the files; prefers a full value to an outcome.
    pub(super) fn find(
        &self,
        position: &dyn Position,
    ) -> Result<Option<SourcedValue>, OracleError> {
        Ok(self.row(position)?.map(|(row, origin)| origin.says(row.value)))
    }

    /// Returns the final points of a position under best play for points, if a solution file has
    /// them.
    ///
    /// # Errors
    /// If the file is damaged, or was written for other rules.
    pub fn points(&self, position: &dyn Position) -> Result<Option<i32>, OracleError> {
        let id = position.game_id();
        let mut points = self.of_game(&id).map(|file| file.points(position));
        Ok(points.find_map(Result::transpose).transpose()?)
    }

    /// Returns the bits of the best moves of a position, if a database has them.
    pub fn best_moves(&self, position: &dyn Position) -> Result<Option<MoveSet>, OracleError> {
        let Some((_, symmetry)) = position.canonical() else { return Ok(None) };
        let best = self.row(position)?.and_then(|(row, _)| row.best);
        Ok(best.map(|images| position.moves_of_image(images, symmetry)))
    }

    /// Returns the bounds that the databases have of a position without a value.
    pub fn bounds(&self, position: &dyn Position) -> Result<Option<ValueBounds>, OracleError> {
        let mut bounds: Option<ValueBounds> = None;
        for file in self.of_game(&position.game_id()) {
            let Some(found) = file.bounds(position)? else { continue };
            bounds = Some(bounds.map_or(found, |known| ValueBounds {
                worst: known.worst.max(found.worst),
                best: known.best.min(found.best),
            }));
        }
        Ok(bounds)
    }
}
