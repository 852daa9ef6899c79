//! Reports: one HTML page of figures from databases, solution files, strategies and comparisons.
//!
//! [`gather`] reads the files and makes figures, each with its numbers as a table; [`page`] writes
//! them as one HTML page without other files.

mod colour;
mod comparison;
mod drawing;
mod figure;
mod first_moves;
mod page;
mod plot;
mod poster;
mod search_tree;
mod shares;
mod solved;
mod stored;
mod strategy;

use std::path::{Path, PathBuf};

use crate::connect_four;
use crate::connect_four::profiles::{PassError, SolutionError};
use crate::connect_four::strategy::{FileError, is_strategy};
use crate::control::Control;
use crate::database::{Database, DatabaseError, is_database};
use crate::registry::Registry;
use crate::solutions::AnySolution;

pub use figure::{DataTable, Figure, Section};
pub use page::page;
pub use search_tree::search_tree;

/// Errors of [`gather`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A database cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A solution file cannot be read.
    #[error(transparent)]
    Solution(#[from] SolutionError),
    /// The count of a board ended early.
    #[error(transparent)]
    Pass(#[from] PassError),
    /// A file cannot be read.
    #[error("{path}: {source}; give databases, solution files, strategies and compare.csv files")]
    File {
        /// The file.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A strategy cannot be read.
    #[error("{path}: {source}")]
    Strategy {
        /// The file.
        path: String,
        /// The fault in the file.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file is not of a kind that reports are made of.
    #[error(
        "{path} is neither a database nor a solution file nor a strategy nor a compare.csv \
         ({reason}); analyses, solutions of whole boards, strategies and comparisons write such \
         files"
    )]
    Unknown {
        /// The file.
        path: String,
        /// The fault of the file as a CSV file.
        reason: String,
    },
    /// A database holds only games that the program does not know.
    #[error(
        "{path} holds {game}, a game that this program does not know: `analyze games` lists the \
         games it knows, and the program that wrote the file may know more"
    )]
    Game {
        /// The file.
        path: String,
        /// The game's name.
        game: String,
    },
}

/// Reads files and makes a section of each, and one of all comparisons together. Games of a database
/// that the program does not know are left out.
///
/// # Errors
/// If a file cannot be read, or the control stops the work.
pub fn gather(
    paths: &[PathBuf],
    registry: &Registry,
    control: &Control,
) -> Result<Vec<Section>, ReportError> {
    let mut sections = Vec::new();
    let mut comparisons = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let of_io = |source| ReportError::File { path: name.clone(), source };
        if is_database(path).map_err(of_io)? {
            let database = Database::open(path)?;
            database.check_structure()?;
            sections.extend(stored::sections(&name, &database, registry)?);
            continue;
        }
        if is_strategy(path).map_err(of_io)? {
            let of_strategy = |source: FileError| ReportError::Strategy {
                path: name.clone(),
                source: source.into(),
            };
            let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
            for strategy in connect_four::strategy::open(path).map_err(of_strategy)? {
                sections.push(strategy::section(&name, bytes, strategy)?);
            }
            continue;
        }
        match AnySolution::open(path) {
            Ok(AnySolution::Board(board)) => {
                sections.push(solved::section(&name, path, &board, control)?);
            }
            Ok(AnySolution::Game(solution)) => {
                let id = solution.game_id();
                let unknown = || ReportError::Game { path: name.clone(), game: id.name.clone() };
                let start = registry.start_of(id).and_then(Result::ok).ok_or_else(unknown)?;
                sections.push(solved::of_game(&name, &solution, start.as_ref(), control)?);
            }
            Err(SolutionError::NotASolution { .. }) => {
                let rows = comparison::read(path).map_err(|error| ReportError::Unknown {
                    path: name.clone(),
                    reason: error.to_string(),
                })?;
                sections.push(comparison::section(&name, &rows));
                comparisons.push(rows);
            }
            Err(error) => return Err(error.into()),
        }
    }
    sections.extend(comparison::speed_up(&comparisons));
    Ok(sections)
}

/// Returns a name for the figures of a file.
fn stem(path: &str) -> String {
    let stem = Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    stem.unwrap_or_default().chars().map(plain).collect()
}
