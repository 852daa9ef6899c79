//! Verification of stored values: rows against the rules and against each other, against exact
//! counts, against a new search, and against files of other programs.
//!
//! [`check`] goes through a game once, two plies in memory at a time; [`resolve`] solves a sample
//! anew. Nothing is taken from a row that another check relies on without having been checked
//! itself; every disagreement is reported with both sides.

mod against;
mod counts;
mod rows;
mod sample;

use std::fmt;

use crate::control::{Control, Stopped};
use crate::database::{Database, DatabaseError, PositionRow};
use crate::game::{Key, Symmetry};
use crate::games::line::notation::{picture, some_moves_to, write_moves};
use crate::games::line::{LineGame, Stones};

pub use against::{Against, AgainstCounts, RecordedValue};
pub use counts::{PlyCheck, Published, exact_counts};
pub use rows::RowCounts;
pub use sample::{Sample, Solve, resolve, resolve_records};

/// A disagreement between the database and another side.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Disagreement {
    /// The check that found it: `row`, `children`, `count`, `sample` or `against`.
    pub check: &'static str,
    /// The subject: a position by moves and picture, or a ply.
    pub subject: String,
    /// The value in the database.
    pub stored: String,
    /// The value of the other side, and its name.
    pub other: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { check, subject, stored, other } = self;
        write!(f, "{check}: {subject}: stored {stored}; {other}")
    }
}

/// The reason why a verification ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The database cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A stop was asked for.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The result of a check of all rows.
#[derive(Debug, Default)]
pub struct Checked {
    /// Counts of rows by how far their children settle their values.
    pub rows: RowCounts,
    /// Every ply with a row.
    pub plies: Vec<PlyCheck>,
    /// The rows drawn for another look.
    pub sample: Vec<PositionRow>,
    /// The comparison with the other file.
    pub against: Option<AgainstCounts>,
    /// Everything that disagrees, in the order of ply and key.
    pub disagreements: Vec<Disagreement>,
}

/// Checks every stored position of a game by the rules and against its children, counts the rows
/// of every ply, draws a sample, and compares with other people's values. Counts work in
/// positions.
///
/// # Errors
/// If the database cannot be read or a stop is asked for.
pub fn check<G: LineGame>(
    database: &Database,
    game: &G,
    sample: &mut Sample,
    mut against: Option<&mut Against>,
    control: &Control,
) -> Result<Checked, VerifyError> {
    let mut checked = Checked::default();
    database.plies(&game.game_id(), |layer, next| {
        let mut ply = PlyCheck::of(layer);
        for row in layer.rows() {
            control.advance(1);
            control.check()?;
            let Some(position) = rows::check(game, row, next, &mut checked) else { continue };
            ply.count(game, position, row);
            sample.offer(*row);
            if let Some(against) = &mut against {
                against.compare(game, position, row, &mut checked.disagreements);
            }
        }
        checked.plies.push(ply);
        Ok::<(), VerifyError>(())
    })?;
    checked.sample = sample.drawn();
    checked.against = against.map(|against| against.counts());
    Ok(checked)
}

/// A position as people can find it: moves that lead to it, and its picture.
fn name<G: LineGame>(game: &G, position: Stones) -> String {
    match some_moves_to(game, position) {
        Ok(moves) => format!("{} ({})", write_moves(game, &moves), picture(game, position)),
        Err(_) => picture(game, position),
    }
}

/// The number of positions that a canonical one stands for: its different images.
fn orbit<G: LineGame>(game: &G, position: Stones) -> u64 {
    let mut images: Vec<Key> = (0..game.symmetries())
        .map(|symmetry| game.image_key(position, Symmetry(symmetry)))
        .collect();
    images.sort_unstable();
    images.dedup();
    images.len() as u64
}
