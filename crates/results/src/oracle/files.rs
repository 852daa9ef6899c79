//! Databases, solution files and opening books, asked for single positions.

use std::path::PathBuf;

use super::store::Store;
use super::values::is_settled;
use super::{OracleError, Origin, SourcedValue};
use everyply_connect_four::OpeningBook;
use everyply_core::game::ValueWithBest;
use everyply_core::game::{GameId, MoveSet};
use everyply_core::games::line::LineGame;
use everyply_registry::registry::Position;
use everyply_registry::solutions::{AnySolution, GameSolution};

/// Databases, solution files and opening books, open for reading. Every question fails if a file
/// cannot be read.
#[derive(Debug, Default)]
pub struct OracleFiles {
    databases: Vec<Box<dyn Store>>,
    solutions: Vec<AnySolution>,
    books: Vec<OpeningBook>,
    paths: Vec<PathBuf>,
    whole_only: bool,
}

impl OracleFiles {
    /// Opens databases, solution files and opening books, told apart by their first bytes.
    ///
    /// # Errors
    /// If one of them is of another kind, or cannot be read.
    pub fn open(paths: &[PathBuf]) -> Result<Self, OracleError> {
        let mut files = Self { paths: paths.to_vec(), ..Self::default() };
        for path in paths {
            let name = || path.display().to_string();
            let unreadable = |source| OracleError::Unreadable { path: name(), source };
            #[cfg(feature = "database")]
            if let Some(database) = super::databases::open(path).map_err(unreadable)? {
                files.databases.push(database?);
                continue;
            }
            if OpeningBook::is_book(path).map_err(unreadable)? {
                let book = OpeningBook::open(path);
                let book = book.map_err(|source| OracleError::Book { path: name(), source })?;
                files.books.push(book);
            } else {
                files.solutions.push(AnySolution::open(path)?);
            }
        }
        Ok(files)
    }

    /// Opening books that are in memory already.
    pub fn of_books(books: Vec<OpeningBook>) -> Self {
        Self { books, ..Self::default() }
    }

    /// The same files, of which values without a distance are ignored: a search then finds those in
    /// full.
    #[must_use]
    pub fn with_whole_values_only(self) -> Self {
        Self { whole_only: true, ..self }
    }

    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    pub fn games(&self) -> impl Iterator<Item = &GameId> {
        self.databases.iter().flat_map(|database| database.games())
    }

    /// The games whose solution files and opening books these are.
    pub fn solved_games(&self) -> impl Iterator<Item = GameId> {
        let books = self.books.iter().map(|book| book.board().game().game_id());
        self.solutions.iter().map(AnySolution::game_id).chain(books)
    }

    /// The solution file of a game but Connect Four.
    pub fn solution_of(&self, id: &GameId) -> Option<&GameSolution> {
        let files = self.solutions.iter().filter(|solution| solution.game_id() == *id);
        files.into_iter().find_map(AnySolution::as_game)
    }

    /// The position that leads to all others of a game's solution file; the start without such a file.
    pub fn root(&self, start: Box<dyn Position>) -> Result<Box<dyn Position>, OracleError> {
        match self.solution_of(&start.game_id()) {
            Some(file) => Ok(file.root(start.as_ref())?),
            None => Ok(start),
        }
    }

    pub(super) fn databases_of(&self, id: &GameId) -> impl Iterator<Item = &dyn Store> {
        let databases = self.databases.iter().map(AsRef::as_ref);
        databases.filter(move |database| database.games().contains(id))
    }

    pub fn holds(&self, study: &dyn Position) -> Result<bool, OracleError> {
        Ok(self.find(study)?.is_some())
    }

    /// The row of a position in the first database that has it with its distance, else in the
    /// first that has it.
    fn row(&self, study: &dyn Position) -> Result<Option<ValueWithBest>, OracleError> {
        let mut outcome_only = None;
        for database in self.databases_of(&study.game_id()) {
            let Some(row) = database.row(study)? else { continue };
            if row.value.is_exact() {
                return Ok(Some(row));
            }
            outcome_only = outcome_only.or(Some(row));
        }
        Ok(outcome_only.filter(|row| !self.whole_only || is_settled(study, row.value)))
    }

    /// The value of a position as the files have it; a value in full is preferred to an outcome.
    pub(super) fn find(&self, study: &dyn Position) -> Result<Option<SourcedValue>, OracleError> {
        let mut outcome_only = self.row(study)?.map(|row| Origin::Database.says(row.value));
        if outcome_only.is_some_and(|known| known.value.is_exact()) {
            return Ok(outcome_only);
        }
        let id = study.game_id();
        for book in self.books.iter().filter(|book| book.board().game().game_id() == id) {
            let Some(&position) = study.position().downcast_ref() else { continue };
            if let Some(value) = book.value::<u64>(position) {
                return Ok(Some(Origin::BookFile.says(value)));
            }
        }
        for solution in self.solutions.iter().filter(|solution| solution.game_id() == id) {
            let Some(value) = solution.value(study)? else { continue };
            let known = Origin::SolutionFile.says(value);
            if is_settled(study, value) {
                return Ok(Some(known));
            }
            outcome_only = Some(known).filter(|_| !self.whole_only);
        }
        Ok(outcome_only)
    }

    /// The final points of a position under best play for points, if a solution file has them.
    ///
    /// # Errors
    /// If the file is damaged, or was written for other rules.
    pub fn points(&self, study: &dyn Position) -> Result<Option<i32>, OracleError> {
        let id = study.game_id();
        let files = self.solutions.iter().filter(|solution| solution.game_id() == id);
        for file in files.filter_map(AnySolution::as_game) {
            if let Some(points) = file.points(study)? {
                return Ok(Some(points));
            }
        }
        Ok(None)
    }

    /// The bits of the best moves of a position as a database has them.
    pub fn best_moves(&self, study: &dyn Position) -> Result<Option<MoveSet>, OracleError> {
        let Some((_, symmetry)) = study.canonical() else { return Ok(None) };
        let best = self.row(study)?.and_then(|row| row.best);
        Ok(best.map(|images| study.moves_of_image(images, symmetry)))
    }
}
