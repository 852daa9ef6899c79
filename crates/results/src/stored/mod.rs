//! Files of results behind one interface: databases, solution files, opening books and strategies.

#[cfg(feature = "database")]
mod visit;
#[cfg(feature = "database")]
pub use visit::{Below, Visit};

use std::io::{self, Read};
use std::path::{Path, PathBuf};
#[cfg(feature = "database")]
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(feature = "database")]
use crate::database::{Database, DatabaseError, SQLITE};
use everyply_connect_four::OpeningBook;
use everyply_connect_four::strategy::{self, Strategy, is_strategy};
#[cfg(feature = "database")]
use everyply_core::control::Stopped;
use everyply_core::game::{GameId, PartialValue, ValueBounds, ValueWithBest};
use everyply_core::games::line::LineGame;
use everyply_files::reading::open_regular;
use everyply_registry::registry::Position;
use everyply_registry::solutions::{SolutionError, SolutionFile};

/// A file that this program wrote, open for reading. A visit of its rows ends at the first error of
/// its function.
#[derive(Debug)]
pub struct StoredFile {
    path: PathBuf,
    content: Content,
}

/// The content of a file by its kind.
#[derive(Debug)]
pub enum Content {
    #[cfg(feature = "database")]
    Database(Box<StoredDatabase>),
    Solution(Box<SolutionFile>),
    Book(Box<OpeningBook>),
    Strategies(Vec<Strategy>),
}

/// A database, used by one thread at a time, and the games that it held when it was opened.
#[cfg(feature = "database")]
#[derive(Debug)]
pub struct StoredDatabase {
    games: Vec<GameId>,
    database: Mutex<Database>,
}

/// The reason why a file cannot be opened or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoredError {
    #[error("{}: there is no such file", .0.display())]
    Missing(PathBuf),
    #[error("{} is a directory: give the name of a file in it", .0.display())]
    Directory(PathBuf),
    #[error("{} is empty: give a file that everyply wrote", .0.display())]
    Empty(PathBuf),
    #[error(
        "{} is neither a database nor a solution file nor a strategy nor an opening book: give a file \
         that everyply wrote",
        .0.display()
    )]
    Unknown(PathBuf),
    #[error("{} is a strategy, whose positions have no values of their own", .0.display())]
    WithoutValues(PathBuf),
    #[error("{}: {}", .0.display(), .1)]
    Unreadable(PathBuf, #[source] io::Error),
    /// An opening book is damaged.
    #[error("{}: {}", .0.display(), .1)]
    Book(PathBuf, #[source] io::Error),
    #[error("{}: {}", .0.display(), .1)]
    Strategy(PathBuf, #[source] strategy::FileError),
    #[error(transparent)]
    Solution(#[from] SolutionError),
    #[cfg(feature = "database")]
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[cfg(feature = "database")]
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl StoredError {
    /// Returns true if the file is damaged.
    pub const fn is_damage(&self) -> bool {
        match self {
            #[cfg(feature = "database")]
            Self::Database(error) => matches!(error, DatabaseError::Damaged { .. }),
            Self::Solution(error) => matches!(error, SolutionError::Damaged { .. }),
            Self::Book(..) => true,
            _ => false,
        }
    }
}

impl StoredFile {
    /// Opens a file; its first bytes show its kind.
    ///
    /// # Errors
    /// If the file is of no kind that this program writes, damaged, or cannot be read.
    pub fn open(path: &Path) -> Result<Self, StoredError> {
        let unreadable = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => StoredError::Missing(path.to_owned()),
            io::ErrorKind::IsADirectory => StoredError::Directory(path.to_owned()),
            _ => StoredError::Unreadable(path.to_owned(), source),
        };
        let mut first = Vec::new();
        let file = open_regular(path).map_err(unreadable)?;
        file.take(16).read_to_end(&mut first).map_err(unreadable)?;
        let content = match &first[..] {
            [] => return Err(StoredError::Empty(path.to_owned())),
            #[cfg(feature = "database")]
            first if first == SQLITE => {
                let database = Database::open(path)?;
                let games = database.games()?;
                let database = Mutex::new(database);
                Content::Database(Box::new(StoredDatabase { games, database }))
            }
            first if first.starts_with(&OpeningBook::MAGIC) => Content::Book(Box::new(
                OpeningBook::open(path).map_err(|source| match source.kind() {
                    io::ErrorKind::InvalidData => StoredError::Book(path.to_owned(), source),
                    _ => unreadable(source),
                })?,
            )),
            _ if is_strategy(path).map_err(unreadable)? => {
                let strategies = strategy::open(path);
                Content::Strategies(
                    strategies.map_err(|source| StoredError::Strategy(path.to_owned(), source))?,
                )
            }
            _ => Content::Solution(Box::new(SolutionFile::open(path).map_err(
                |error| match error {
                    SolutionError::NotASolution(path) => StoredError::Unknown(path),
                    error => error.into(),
                },
            )?)),
        };
        Ok(Self { path: path.to_owned(), content })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub const fn content(&self) -> &Content {
        &self.content
    }

    pub fn into_content(self) -> Content {
        self.content
    }

    /// Returns the strategies of the file; the file if it is of another kind.
    pub fn into_strategies(self) -> Result<Vec<Strategy>, Self> {
        match self.content {
            Content::Strategies(strategies) => Ok(strategies),
            content => Err(Self { content, ..self }),
        }
    }

    /// Returns the kind of the file, with its article.
    pub const fn kind(&self) -> &'static str {
        match self.content {
            #[cfg(feature = "database")]
            Content::Database(_) => "a database",
            Content::Solution(_) => "a solution file",
            Content::Book(_) => "an opening book",
            Content::Strategies(_) => "a strategy",
        }
    }

    /// Locks and returns the database; `None` for other files.
    #[cfg(feature = "database")]
    pub fn database(&self) -> Option<MutexGuard<'_, Database>> {
        let Content::Database(stored) = &self.content else { return None };
        Some(stored.database.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn solution(&self) -> Option<&SolutionFile> {
        let Content::Solution(solution) = &self.content else { return None };
        Some(solution)
    }

    /// Returns the games with values in the file; none for a strategy.
    pub fn games(&self) -> Vec<GameId> {
        match &self.content {
            #[cfg(feature = "database")]
            Content::Database(stored) => stored.games.clone(),
            Content::Solution(solution) => vec![solution.game_id().clone()],
            Content::Book(book) => vec![book.board().game().game_id()],
            Content::Strategies(_) => Vec::new(),
        }
    }

    /// Returns the value of a position, with its best moves, if the file has them, as bits of the
    /// canonical position; `None` if the file does not hold the position.
    ///
    /// # Errors
    /// If the file is damaged, cannot be read, or was written for other rules.
    pub fn row(&self, position: &dyn Position) -> Result<Option<ValueWithBest>, StoredError> {
        let of_value = |value: PartialValue| ValueWithBest { value, best: None };
        Ok(match &self.content {
            #[cfg(feature = "database")]
            Content::Database(stored) => stored.row(position)?,
            Content::Solution(solution) => solution.value(position)?.map(of_value),
            Content::Book(book) => {
                let stones = position.stones::<u64>();
                stones.and_then(|stones| book.value(stones)).map(|v| of_value(v.into()))
            }
            Content::Strategies(_) => None,
        })
    }

    /// Returns the final points of a position under best play for points, if a solution file has
    /// them.
    ///
    /// # Errors
    /// If the file is damaged, or was written for other rules.
    pub fn points(&self, position: &dyn Position) -> Result<Option<i32>, StoredError> {
        Ok(self.solution().map(|solution| solution.points(position)).transpose()?.flatten())
    }

    /// Returns the bounds of a position without a value.
    pub fn bounds(&self, position: &dyn Position) -> Result<Option<ValueBounds>, StoredError> {
        #[cfg(feature = "database")]
        if let (Some(database), Some((key, _))) = (self.database(), position.canonical()) {
            let row = database.lookup(&position.game_id())?.bound(key)?;
            return Ok(row.map(|row| row.bounds));
        }
        let _ = position;
        Ok(None)
    }
}

#[cfg(feature = "database")]
impl StoredDatabase {
    fn row(&self, position: &dyn Position) -> Result<Option<ValueWithBest>, DatabaseError> {
        let (id, Some((key, _))) = (position.game_id(), position.canonical()) else {
            return Ok(None);
        };
        let database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(row) = database.position(&id, key)? else { return Ok(None) };
        if row.ply != position.tier() {
            return Err(DatabaseError::OtherRules {
                path: database.path().to_owned(),
                game: id,
                position: position.picture(),
                plies: [row.ply, position.tier()],
            });
        }
        Ok(Some(ValueWithBest { value: row.value, best: row.best }))
    }

    pub fn into_inner(self) -> Database {
        self.database.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
