//! `analyze verify` by studies: every row against the rules and against the rows
//! its moves lead to.

use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::game_filter::worth;
use crate::database::{Database, DatabaseError, PositionRow};
use crate::game::Worth;
use crate::registry::{Situation, Study};
use crate::statistics::{counted, grouped};

/// Disagreements that are listed.
const LISTED: usize = 20;

#[derive(Serialize)]
pub(super) struct RowsDocument {
    file: String,
    game: &'static str,
    title: String,
    parameters: [u8; 3],
    rows: u64,
    /// Rows with every move's row there, whose value was worked out anew.
    checked: u64,
    disagreements: Vec<String>,
}

/// Checks the rows of a game, which is given by its start.
pub(super) fn verified(database: &Database, start: &dyn Study) -> Result<RowsDocument, Failure> {
    let game = start.game_id();
    let mut lookup = database.lookup(&game).map_err(Failure::runtime)?;
    let (mut rows, mut checked, mut disagreements) = (0, 0, Vec::new());
    let visited = database.positions(&game, None, |row| -> Result<(), Failure> {
        rows += 1;
        match check(start, row, &mut |study| worth(&mut lookup, study))? {
            RowCheck::Proved => checked += 1,
            RowCheck::Open => {}
            RowCheck::Wrong(what) => disagreements.push(format!("key {}: {what}", row.key.0)),
        }
        Ok(())
    });
    visited?;
    Ok(RowsDocument {
        file: database.path().display().to_string(),
        game: start.name(),
        title: start.title(),
        parameters: start.parameters(),
        rows,
        checked,
        disagreements,
    })
}

impl RowsDocument {
    pub fn text(&self) -> String {
        let listed = self.disagreements.iter().take(LISTED);
        let listed: String = listed.map(|what| format!("  {what}\n")).collect();
        format!(
            "{}: {}\nrows       {}, {} of them worked out anew from their moves\n{listed}",
            self.file,
            self.title,
            grouped(self.rows),
            grouped(self.checked)
        )
    }

    /// The failure that disagreements are.
    pub fn outcome(&self) -> Result<(), Failure> {
        match self.disagreements.len() {
            0 => Ok(()),
            n => Err(Failure::Mismatch(format!(
                "{}: {n} of {} disagree with the rules or with what their moves lead to",
                self.file,
                counted(self.rows, "row")
            ))),
        }
    }
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        match error {
            error @ DatabaseError::Damaged { .. } => Self::Mismatch(error.to_string()),
            error => Self::runtime(error),
        }
    }
}

/// Looks up the value that is stored of a position.
type LookUp<'a> = dyn FnMut(&dyn Study) -> Result<Option<Worth>, DatabaseError> + 'a;

/// The result of a look at a row.
enum RowCheck {
    /// The row follows from the rows of its moves.
    Proved,
    /// The row agrees with those rows of its moves that are there.
    Open,
    Wrong(String),
}

/// Checks a row by the rules and the rows of its moves.
fn check(
    start: &dyn Study,
    row: PositionRow,
    look_up: &mut LookUp<'_>,
) -> Result<RowCheck, DatabaseError> {
    let Some(study) = start.of_key(row.key) else {
        return Ok(RowCheck::Wrong("no position has it".to_owned()));
    };
    let picture = study.picture();
    if study.canonical().expect("games of 64-bit keys are stored").0 != row.key {
        return Ok(RowCheck::Wrong(format!("{picture} has a symmetric image of a lower key")));
    }
    if study.tier() != row.ply {
        let (stored, is) = (row.ply, study.tier());
        return Ok(RowCheck::Wrong(format!(
            "{picture} is stored at ply {stored} and belongs to {is}"
        )));
    }
    let Some(stored) = row.worth() else {
        return Ok(RowCheck::Wrong(format!(
            "{picture} is stored as a {} without its distance",
            row.value.outcome
        )));
    };
    let situation = Situation::of(study.as_ref(), look_up)?;
    let found = if study.result().is_some() { situation.worth } else { situation.by_moves() };
    let Some(found) = found else {
        let stuck = situation.moves.is_empty();
        return Ok(match stuck {
            true => RowCheck::Wrong(format!("{picture} has no move")),
            false => RowCheck::Open,
        });
    };
    if stored != found {
        let [stored, found] = [stored, found].map(|worth| worth.to_string());
        return Ok(RowCheck::Wrong(format!(
            "{picture} is stored as {stored}; its moves make it {found}"
        )));
    }
    if row.best.is_some_and(|best| best != situation.best) {
        return Ok(RowCheck::Wrong(format!(
            "{picture} is stored with other best moves than its moves have"
        )));
    }
    Ok(RowCheck::Proved)
}
