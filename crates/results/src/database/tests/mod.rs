//! Tests over whole files: rows written are read again, and foreign files are left alone.

mod damage;
mod refusals;
mod runs;
mod writing;

use std::path::{Path, PathBuf};

use super::*;
use everyply_core::game::{Key, MoveSet, Outcome, PartialValue, Ply, Remoteness};

/// A directory that is removed after the test, and the path of a database in it.
struct TestFile {
    directory: tempfile::TempDir,
    path: PathBuf,
}

impl TestFile {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("test.db");
        Self { directory, path }
    }

    /// The names in the directory, in order.
    fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(&self.directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn begin(&self) -> RunWriter {
        Database::create_or_open(&self.path).unwrap().begin_run(&game(), "analyze", 1).unwrap()
    }

    /// Writes these rows by a finished run.
    fn write(&self, rows: &[PositionRow]) -> Result<WriteSummary, DatabaseError> {
        let writer = self.begin();
        writer.sink().send(rows.to_vec()).unwrap();
        writer.finish(Ending::Finished)
    }

    fn read(&self) -> Vec<PositionRow> {
        read(&self.path, None)
    }

    fn runs(&self) -> Vec<Run> {
        Database::open(&self.path).unwrap().runs().unwrap()
    }

    /// Runs statements on the file behind the program's back.
    fn tamper(&self, sql: &str) {
        rusqlite::Connection::open(&self.path).unwrap().execute_batch(sql).unwrap();
    }
}

fn read(path: &Path, ply: Option<Ply>) -> Vec<PositionRow> {
    let mut rows = Vec::new();
    Database::open(path)
        .unwrap()
        .positions::<DatabaseError>(&game(), ply, |row| {
            rows.push(row);
            Ok(())
        })
        .unwrap();
    rows
}

fn game() -> GameId {
    GameId::new("ttt", [3, 3, 3])
}

fn row(key: u64) -> PositionRow {
    PositionRow {
        key: Key(key),
        ply: Ply((key % 10) as u8),
        value: PartialValue {
            outcome: [Outcome::Loss, Outcome::Draw, Outcome::Win][(key % 3) as usize],
            remoteness: Some(Remoteness((key % 7) as u8)),
        },
        best: Some(MoveSet(key.rotate_left(13).into())),
    }
}

/// Rows with well spread keys over all of 64 bits, sorted as they are read.
fn rows(count: u64) -> Vec<PositionRow> {
    let mut rows: Vec<PositionRow> =
        (1..=count).map(|i| row(i.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    rows.sort_by_key(|row| (row.ply, row.key));
    rows
}
