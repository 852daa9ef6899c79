//! Bits that flip on the medium.

use std::fs;
use std::ops::ControlFlow;

use super::*;
use crate::game::{Value, ValueBounds};

fn bound(key: u64) -> BoundRow {
    let value = |outcome, r| Value::new(outcome, Remoteness(r));
    BoundRow {
        key: Key(key),
        ply: Ply(3),
        bounds: ValueBounds { worst: value(Outcome::Loss, 4), best: value(Outcome::Win, 5) },
    }
}

/// Everything in a file that passes the check, or why it does not.
fn read_checked(path: &Path) -> Result<(Vec<PositionRow>, Vec<BoundRow>), DatabaseError> {
    let database = Database::open(path)?;
    database.check()?;
    let (mut positions, mut bounds) = (Vec::new(), Vec::new());
    database.positions(&game(), None, |row| {
        positions.push(row);
        Ok::<_, DatabaseError>(())
    })?;
    database.bounds(&game(), |row| {
        bounds.push(row);
        ControlFlow::Continue(())
    })?;
    Ok((positions, bounds))
}

#[test]
fn a_flipped_bit_is_found_or_harmless_and_never_answered_from() {
    let test = TestFile::new();
    let written = rows(300);
    let bounds: Vec<BoundRow> = (0..100).map(bound).collect();
    let writer = test.begin();
    writer.sink().send(written.clone()).unwrap();
    writer.bounds(&bounds).unwrap();
    writer.finish(Ending::Finished).unwrap();
    let whole = fs::read(&test.path).unwrap();
    let (mut found, mut harmless) = (0, 0);
    for at in (0..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at / 37 % 8);
        let flipped = TestFile::new();
        fs::write(&flipped.path, &bytes).unwrap();
        match read_checked(&flipped.path) {
            // Free space, text of runs, and what SQLite never reads.
            Ok(read) => {
                assert_eq!(read, (written.clone(), bounds.clone()), "byte {at}");
                harmless += 1;
            }
            Err(_) => found += 1,
        }
        // A single look-up trusts no row that was changed.
        let Ok(database) = Database::open(&flipped.path) else { continue };
        for row in written.iter().step_by(23) {
            if let Ok(Some(read)) = database.position(&game(), row.key) {
                assert_eq!(read, *row, "byte {at}");
            }
        }
    }
    assert!(found > 150, "{found} of {}", found + harmless);
}

/// A file with positions, bounds and numbers of a run.
fn full() -> TestFile {
    use crate::game::Move;
    use crate::statistics::{Iteration, PlyCounts, RootMove, Score, SearchCounters};
    let test = TestFile::new();
    let writer = test.begin();
    writer.sink().send(rows(6000)).unwrap();
    writer.bounds(&(0..50).map(bound).collect::<Vec<_>>()).unwrap();
    writer.ply_counts(&[PlyCounts { nodes: Some(1), ..PlyCounts::default() }]).unwrap();
    let iteration = Iteration {
        depth: 1,
        score: Score(5),
        counters: SearchCounters::default(),
        elapsed: std::time::Duration::ZERO,
    };
    writer.iterations(&[iteration]).unwrap();
    let known = RootMove { m: Move(0), value: None, score: None, nodes: 1 };
    writer.root_moves(&[known]).unwrap();
    writer.finish(Ending::Finished).unwrap();
    test
}

#[test]
fn a_row_of_no_game_is_refused_before_anything_is_added() {
    let test = full();
    test.tamper("PRAGMA foreign_keys = off; UPDATE position SET game_id = 9 WHERE ply = 3");
    let error = Database::open(&test.path).unwrap().check_structure().unwrap_err();
    assert!(error.to_string().contains("row of the table position belongs to no row"), "{error}");
    let error = Database::create_or_open(&test.path).unwrap_err();
    assert!(matches!(error, DatabaseError::Damaged { .. }), "{error}");
}

#[test]
fn numbers_of_a_run_that_were_changed_are_refused() {
    for sql in [
        "UPDATE ply_count SET nodes = nodes + 1",
        "UPDATE search_iteration SET score = 1",
        "UPDATE root_move SET nodes = 2",
        "UPDATE run SET command = 'other'",
        "UPDATE game SET line = 2",
        "UPDATE run_sum SET sum = sum + 1",
        "DELETE FROM ply_count",
        "DELETE FROM root_move",
    ] {
        let test = full();
        test.tamper(sql);
        let checked = Database::open(&test.path).unwrap().check_structure();
        for error in [checked.unwrap_err(), Database::create_or_open(&test.path).unwrap_err()] {
            assert!(matches!(error, DatabaseError::Damaged { .. }), "{sql}: {error}");
            assert!(error.to_string().contains("run 1 fails its checksum"), "{sql}: {error}");
        }
    }
}

#[test]
fn a_page_that_loses_rows_is_refused_before_anything_is_added() {
    let test = full();
    let whole = fs::read(&test.path).unwrap();
    let mut refused = 0;
    for page in whole.chunks_exact(4096).enumerate().skip(1).map(|(page, _)| page * 4096) {
        // Pages of tables without row ids; their number of cells (file format, 1.6).
        if !matches!(whole[page], 2 | 10) || whole[page + 4] == 0 {
            continue;
        }
        let mut bytes = whole.clone();
        bytes[page + 4] -= 1;
        let flipped = TestFile::new();
        fs::write(&flipped.path, &bytes).unwrap();
        let error = Database::create_or_open(&flipped.path).unwrap_err();
        assert!(matches!(error, DatabaseError::Damaged { .. }), "{error}");
        assert!(fs::read(&flipped.path).unwrap() == bytes);
        refused += 1;
    }
    assert!(refused > 40, "{refused}");
}

#[test]
fn other_programs_may_delete_and_add_rows() {
    let test = full();
    test.write(&[]).unwrap();
    test.tamper("DELETE FROM run WHERE id = 2");
    let written = rows(6000);
    let lost = written[123];
    test.tamper(&format!("DELETE FROM position WHERE key = {}", lost.key.0.cast_signed()));
    let database = Database::open(&test.path).unwrap();
    database.check().unwrap();
    assert_eq!(database.position(&game(), lost.key).unwrap(), None);
    drop(database);
    assert_eq!(test.write(&written).unwrap().added, 1);
    assert_eq!(test.read(), written);

    let added =
        PositionRow { best: None, value: PartialValue::of_outcome(Outcome::Draw), ..row(5) };
    test.tamper(&format!(
        "INSERT INTO position VALUES (1, 5, 5, 0, NULL, NULL, {})",
        added.checksum(&game()).cast_signed()
    ));
    let database = Database::open(&test.path).unwrap();
    database.check().unwrap();
    assert_eq!(database.position(&game(), Key(5)).unwrap(), Some(added));
}

/// Files of the same version had tables of checksums, and what their runs were asked for.
#[test]
fn other_tables_and_another_view_are_ignored() {
    let test = full();
    test.tamper(
        "CREATE TABLE span (x); CREATE TABLE tally (x); CREATE TABLE digest (x);
         CREATE TABLE task (run_id INTEGER PRIMARY KEY REFERENCES run (id));
         INSERT INTO task VALUES (1); INSERT INTO digest VALUES ('run');
         DROP TABLE run_sum; DROP VIEW solution; CREATE VIEW solution AS SELECT 1",
    );
    Database::open(&test.path).unwrap().check().unwrap();
    assert_eq!(test.read(), rows(6000));
    test.write(&rows(6100)).unwrap();
    assert_eq!(test.read(), rows(6100));
    let connection = Connection::open(&test.path).unwrap();
    let count = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM solution"), 6100);
    assert_eq!(count("SELECT count(*) FROM digest"), 1);
}

#[test]
fn a_row_that_was_changed_names_itself() {
    for sql in [
        "UPDATE position SET outcome = -outcome WHERE outcome <> 0",
        "UPDATE position SET remoteness = NULL",
        "UPDATE position SET best = best + 1",
        "UPDATE position SET sum = sum + 1",
    ] {
        let test = TestFile::new();
        test.write(&rows(5)).unwrap();
        test.tamper(sql);
        let error = Database::open(&test.path).unwrap().check().unwrap_err();
        assert!(matches!(error, DatabaseError::Damaged { .. }), "{sql}: {error}");
        assert!(error.to_string().contains("fails its checksum"), "{sql}: {error}");
        assert!(error.to_string().contains("restore it from a copy"), "{sql}: {error}");
    }
}

#[test]
fn a_writer_does_not_build_on_a_row_that_was_changed() {
    let test = TestFile::new();
    test.write(&rows(5)).unwrap();
    test.tamper("UPDATE position SET remoteness = NULL");
    let error = test.write(&rows(5)).unwrap_err();
    assert!(matches!(error, DatabaseError::Damaged { .. }), "{error}");
}
