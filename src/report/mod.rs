//! Reports: one HTML page of figures from databases, solution files and comparisons.
//!
//! [`gather`] reads the files and makes figures, each with its numbers as a table; [`page`] writes
//! them as one HTML page without other files.

mod colour;
mod comparison;
mod counts;
mod figure;
mod page;
mod plot;
mod solved;
mod stored;

use std::path::{Path, PathBuf};

use everyply_connect_four::profiles::PassError;
use everyply_core::control::Control;
use everyply_core::game::{Outcome, PartialValue};
use everyply_registry::registry::{Position, Registry};
use everyply_registry::solutions::SolutionError;
use everyply_results::database::DatabaseError;
use everyply_results::stored::{Content, StoredError, StoredFile};

pub use figure::{DataTable, Figure, Section};
pub use page::page;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    #[error(transparent)]
    File(#[from] StoredError),
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Solution(#[from] SolutionError),
    /// The count of a board ended early.
    #[error(transparent)]
    Pass(#[from] PassError),
    /// A file of a kind that has no report.
    #[error(
        "{path} is neither a database nor a solution file nor a compare.csv ({reason}); analyses, \
         solutions of whole boards and comparisons write such files"
    )]
    Unknown {
        path: String,
        /// The fault of the file as a CSV file.
        reason: String,
    },
    /// A database all of whose games are unknown to the program.
    #[error(
        "{path} holds {game}, a game that this program does not know: `analyze games` lists the \
         games it knows, and the program that wrote the file may know more"
    )]
    Game { path: String, game: String },
}

/// Reads files and makes a section of each, and of each game of a database. Games that the program
/// does not know are left out.
///
/// # Errors
/// If a file cannot be read, or the control stops the work.
pub fn gather(
    paths: &[PathBuf],
    registry: &Registry,
    control: &Control,
) -> Result<Vec<Section>, ReportError> {
    let mut sections = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let unknown = |reason: String| ReportError::Unknown { path: name.clone(), reason };
        let file = match StoredFile::open(path) {
            Ok(file) => file,
            Err(StoredError::Unknown(_) | StoredError::Empty(_)) => {
                let section = comparison::section(&name, path);
                sections.push(section.map_err(|error| unknown(error.to_string()))?);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        if let Some(database) = file.database() {
            database.check_structure()?;
            sections.extend(stored::sections(&name, &database, registry)?);
            continue;
        }
        match file.content() {
            Content::Solution(solution) => {
                let id = solution.game_id();
                let unknown = || ReportError::Game { path: name.clone(), game: id.name.clone() };
                let start = registry.start_of(id).and_then(Result::ok).ok_or_else(unknown)?;
                sections.push(solved::section(&name, solution, start.as_ref(), control)?);
            }
            _ => return Err(unknown(format!("it is {}", file.kind()))),
        }
    }
    Ok(sections)
}

/// Returns a name for the figures of a file.
fn stem(path: &str) -> String {
    let stem = Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    stem.unwrap_or_default().chars().map(plain).collect()
}

/// Writes the value of a position as a title: `Kalah(3,3) is a win in 18 plies for X`.
fn headline(root: &dyn Position, value: Option<PartialValue>) -> String {
    let start = root.start();
    let is_start = root.picture() == start.picture();
    let mut game = start.info().title.clone();
    if !is_start {
        game = format!("{game}, from {}", root.picture());
    }
    let Some(value) = value else { return format!("{game}: the start is not solved") };
    // A name with a clause after a comma needs a comma after the clause.
    if game.contains(", ") && !game.ends_with(')') {
        game.push(',');
    }
    let value = match (root.to_move(), value.outcome) {
        (None, Outcome::Win | Outcome::Loss) if is_start => value.words_for("the first player"),
        _ => root.value_for_mover(value),
    };
    format!("{game} is a {value}")
}
