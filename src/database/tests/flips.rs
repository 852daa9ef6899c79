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
    let place = Place::new();
    let written = rows(300);
    let bounds: Vec<BoundRow> = (0..100).map(bound).collect();
    let writer = place.begin();
    writer.sink().send(written.clone()).unwrap();
    writer.bounds(&bounds).unwrap();
    writer.finish(Ending::Finished).unwrap();
    let whole = fs::read(&place.path).unwrap();
    let (mut found, mut harmless) = (0, 0);
    for at in (0..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at / 37 % 8);
        let flipped = Place::new();
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
fn full() -> Place {
    use crate::game::Move;
    use crate::statistics::{Iteration, PlyCounts, RootMove, Score, SearchCounters};
    let place = Place::new();
    let writer = place.begin();
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
    place
}

#[test]
fn a_small_table_that_was_changed_is_refused_at_once() {
    for sql in [
        "UPDATE ply_count SET nodes = nodes + 1",
        "UPDATE search_iteration SET score = 1",
        "UPDATE root_move SET nodes = 2",
        "UPDATE run SET command = 'other'",
        "UPDATE game SET line = 2",
        "UPDATE task SET root = root + 1",
        "UPDATE task SET scoring = 'ten'",
        "DELETE FROM task",
        "DELETE FROM digest WHERE name = 'task'",
        "UPDATE tally SET rows = rows + 1 WHERE ply = 3",
        "UPDATE digest SET sum = sum + 1 WHERE name = 'run'",
        "DELETE FROM ply_count",
        "DELETE FROM root_move",
        "DELETE FROM tally WHERE ply = 3",
        "DELETE FROM digest WHERE name = 'root_move'",
        "PRAGMA ignore_check_constraints = on; UPDATE run SET status = 'odd'",
    ] {
        let place = full();
        place.tamper(&format!("PRAGMA foreign_keys = off; {sql}"));
        for open in [Database::open, Database::create_or_open] {
            let error = open(&place.path).unwrap_err();
            assert!(matches!(error, DatabaseError::Damaged { .. }), "{sql}: {error}");
            assert!(error.to_string().contains("is not as it was written"), "{sql}: {error}");
        }
    }
}

#[test]
fn a_lost_row_is_not_taken_for_one_that_never_was() {
    let written = rows(6000);
    let [lost, other] = [written[123], written[4567]];
    let with_key = |row: PositionRow| format!("key = {}", row.key.0.cast_signed());
    for sql in [
        format!("DELETE FROM position WHERE {}", with_key(lost)),
        format!("UPDATE OR REPLACE position SET key = {} WHERE {}", 1_i64 << 40, with_key(lost)),
        "DELETE FROM span".to_owned(),
        "UPDATE span SET rows = rows - 1".to_owned(),
        format!(
            "DELETE FROM span WHERE first = (SELECT max(first) FROM span WHERE first <= {})",
            lost.key.0.cast_signed()
        ),
    ] {
        let place = full();
        place.tamper(&sql);
        let database = Database::open(&place.path).unwrap();
        let absent = Key(lost.key.0 ^ 1);
        for key in [lost.key, absent] {
            match database.position(&game(), key) {
                Ok(Some(row)) => assert!(sql.contains("span") && row == lost, "{sql}: {row}"),
                Ok(None) => panic!("{sql}: key {} is said not to be there", key.0),
                Err(error) => assert!(matches!(error, DatabaseError::Damaged { .. }), "{error}"),
            }
        }
        assert_eq!(database.position(&game(), other.key).unwrap(), Some(other));
        let error = database.check().unwrap_err();
        assert!(matches!(error, DatabaseError::Damaged { .. }), "{sql}: {error}");
        drop(database);
        // Nor is it added once more.
        let error = place.write(&[lost]).unwrap_err();
        assert!(matches!(error, DatabaseError::Damaged { .. }), "{sql}: {error}");
    }
}

#[test]
fn whoever_reads_all_rows_misses_none() {
    let place = full();
    place.tamper("DELETE FROM position WHERE ply = 3 AND key % 3 = 0");
    let database = Database::open(&place.path).unwrap();
    let all = database.positions(&game(), None, |_| Ok::<_, DatabaseError>(()));
    let of_ply = database.positions(&game(), Some(Ply(3)), |_| Ok::<_, DatabaseError>(()));
    let scan = database.scan(&game(), |_| Ok::<_, DatabaseError>(()));
    for result in [all, of_ply, scan] {
        let message = result.unwrap_err().to_string();
        assert!(message.contains("positions of ply 3 it has"), "{message}");
    }
    database.positions(&game(), Some(Ply(4)), |_| Ok::<_, DatabaseError>(())).unwrap();
    place.tamper("DELETE FROM bound WHERE key = 7");
    let bounds = database.bounds(&game(), |_| ControlFlow::Continue(()));
    assert!(bounds.unwrap_err().to_string().contains("of 50 bounds of ply 3 it has 49"));
}

#[test]
fn a_file_without_counts_is_read_and_brought_up_to_date() {
    const BEFORE: &str = "DROP TABLE task; DROP TABLE span; DROP TABLE tally; DROP TABLE digest;
                          PRAGMA user_version = 2";
    let place = full();
    place.tamper(BEFORE);
    let bytes = fs::read(&place.path).unwrap();
    let mut written = rows(6000);
    assert_eq!(place.read(), written);
    let database = Database::open(&place.path).unwrap();
    assert_eq!(database.position(&game(), Key(1)).unwrap(), None);
    database.check().unwrap();
    drop(database);
    assert!(fs::read(&place.path).unwrap() == bytes, "reading changed it");

    place.write(&[row(2), row(12)]).unwrap();
    written.extend([row(2), row(12)]);
    written.sort_by_key(|row| (row.ply, row.key));
    assert_eq!(place.read(), written);
    Database::open(&place.path).unwrap().check().unwrap();
    place.tamper("DELETE FROM position WHERE key = 12");
    let error = Database::open(&place.path).unwrap().position(&game(), Key(12)).unwrap_err();
    assert!(matches!(error, DatabaseError::Damaged { .. }), "{error}");

    // What is damaged is neither read nor brought up to date.
    let place = full();
    place.tamper(BEFORE);
    place.tamper("UPDATE position SET outcome = -outcome WHERE outcome <> 0 AND ply = 3");
    for open in [Database::open, Database::create_or_open] {
        assert!(matches!(open(&place.path), Err(DatabaseError::Damaged { .. })));
    }
}

#[test]
fn a_file_without_tasks_is_read_and_brought_up_to_date() {
    const BEFORE: &str = "DROP TABLE task; DELETE FROM digest WHERE name = 'task';
                          PRAGMA user_version = 3";
    let place = full();
    let runs = place.runs();
    assert!(runs.iter().all(|run| run.task == Some(task())));
    place.tamper(BEFORE);
    let bytes = fs::read(&place.path).unwrap();
    let unknown = |run: &Run| Run { task: None, ..run.clone() };
    let mut known: Vec<Run> = runs.iter().map(unknown).collect();
    assert_eq!(place.runs(), known);
    assert_eq!(place.read(), rows(6000));
    Database::open(&place.path).unwrap().check().unwrap();
    assert!(fs::read(&place.path).unwrap() == bytes, "reading changed it");

    place.write(&[row(2)]).unwrap();
    let mut now = place.runs();
    known.push(now.pop().unwrap());
    assert_eq!(known.last().unwrap().task, Some(task()));
    now.push(known.last().unwrap().clone());
    assert_eq!(now, known);
    Database::open(&place.path).unwrap().check().unwrap();

    // What is damaged is neither read nor brought up to date.
    let place = full();
    place.tamper(BEFORE);
    place.tamper("UPDATE run SET command = 'other'");
    for open in [Database::open, Database::create_or_open] {
        assert!(matches!(open(&place.path), Err(DatabaseError::Damaged { .. })));
    }
}

#[test]
fn counts_follow_whatever_is_written_in_whatever_order() {
    let place = Place::new();
    let all = rows(30_000);
    let bare = |row: &PositionRow| PositionRow {
        value: PartialValue::of_outcome(row.value.outcome),
        best: None,
        ..*row
    };
    // Some at first without their distance, in an order that is not that of the keys.
    place.write(&all[..9000].iter().map(bare).collect::<Vec<_>>()).unwrap();
    Database::open(&place.path).unwrap().check().unwrap();
    let writer = place.begin();
    for batch in all.chunks(777).rev() {
        writer.sink().send(batch.to_vec()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    writer.bounds(&(0..9000).map(bound).collect::<Vec<_>>()).unwrap();
    writer.bounds(&(5000..12_000).map(bound).collect::<Vec<_>>()).unwrap();
    writer.finish(Ending::Finished).unwrap();
    let database = Database::open(&place.path).unwrap();
    database.check().unwrap();
    let mut lookup = database.lookup(&game()).unwrap();
    for row in all.iter().step_by(101) {
        assert_eq!(lookup.position(row.key).unwrap(), Some(*row));
        assert_eq!(lookup.position(Key(row.key.0 ^ 1)).unwrap(), None);
    }
    // No look-up reads more than some thousand rows.
    let most: i64 =
        database.connection.query_row("SELECT max(rows) FROM span", [], |row| row.get(0)).unwrap();
    assert!(most <= 4096, "{most}");
}

#[test]
fn a_row_that_was_changed_names_itself() {
    for sql in [
        "UPDATE position SET outcome = -outcome WHERE outcome <> 0",
        "UPDATE position SET remoteness = NULL",
        "UPDATE position SET best = best + 1",
        "UPDATE position SET sum = sum + 1",
    ] {
        let place = Place::new();
        place.write(&rows(5)).unwrap();
        place.tamper(sql);
        let error = Database::open(&place.path).unwrap().check().unwrap_err();
        assert!(matches!(error, DatabaseError::Damaged { .. }), "{sql}: {error}");
        assert!(error.to_string().contains("fails its checksum"), "{sql}: {error}");
        assert!(error.to_string().contains("restore it from a copy"), "{sql}: {error}");
    }
}

#[test]
fn a_writer_does_not_build_on_a_row_that_was_changed() {
    let place = Place::new();
    place.write(&rows(5)).unwrap();
    place.tamper("UPDATE position SET remoteness = NULL");
    let error = place.write(&rows(5)).unwrap_err();
    assert!(matches!(error, DatabaseError::Damaged { .. }), "{error}");
}
