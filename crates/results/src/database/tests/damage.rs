//! Content that was changed or lost, by a medium or by other programs.

use super::*;
use everyply_core::statistics::PlyCounts;

fn full() -> TestFile {
    let test = TestFile::new();
    let writer = test.begin();
    writer.sink().send(rows(6000)).unwrap();
    writer.ply_counts(&[PlyCounts { nodes: Some(1), ..PlyCounts::default() }]).unwrap();
    writer.finish(Ending::Finished).unwrap();
    test
}

#[test]
fn a_changed_file_is_refused_before_anything_is_added() {
    for (sql, fault) in [
        ("UPDATE position SET game_id = 9 WHERE ply = 3", "position belongs to no row"),
        ("UPDATE ply_count SET nodes = nodes + 1", "run 1 fails its checksum"),
        ("UPDATE run SET command = 'other'", "run 1 fails its checksum"),
        ("UPDATE game SET line = 2", "run 1 fails its checksum"),
        ("UPDATE run_sum SET sum = sum + 1", "run 1 fails its checksum"),
        ("DELETE FROM ply_count", "run 1 fails its checksum"),
    ] {
        let test = full();
        test.tamper(&format!("PRAGMA foreign_keys = off; {sql}"));
        let checked = Database::open(&test.path).unwrap().check_structure();
        for error in [checked.unwrap_err(), Database::create_or_open(&test.path).unwrap_err()] {
            assert!(matches!(error, DatabaseError::Damaged { .. }), "{sql}: {error}");
            assert!(error.to_string().contains(fault), "{sql}: {error}");
        }
    }
}

#[test]
fn a_changed_row_names_itself_and_no_run_builds_on_it() {
    for sql in [
        "UPDATE position SET outcome = -outcome WHERE outcome <> 0",
        "UPDATE position SET remoteness = NULL",
        "UPDATE position SET best = best + 1",
        "UPDATE position SET sum = sum + 1",
        "UPDATE position SET outcome = 2",
        "UPDATE position SET ply = 256",
    ] {
        let test = TestFile::new();
        test.write(&rows(5)).unwrap();
        test.tamper(&format!("PRAGMA ignore_check_constraints = on; {sql}"));
        let error = Database::open(&test.path).unwrap().check().unwrap_err();
        assert!(matches!(error, DatabaseError::Damaged { .. }), "{sql}: {error}");
        assert!(error.to_string().contains("restore it from a copy"), "{sql}: {error}");
        if !sql.contains("= 2") {
            assert!(error.to_string().contains("fails its checksum"), "{sql}: {error}");
        }
        let written = Database::create_or_open(&test.path).and_then(|database| {
            let writer = database.begin_run(&game(), "analyze", 1)?;
            let _ = writer.sink().send(rows(5));
            writer.finish(Ending::Finished)
        });
        assert!(matches!(written, Err(DatabaseError::Damaged { .. })), "{sql}: {written:?}");
    }
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
        checksum(&game(), &added).cast_signed()
    ));
    let database = Database::open(&test.path).unwrap();
    database.check().unwrap();
    assert_eq!(database.position(&game(), Key(5)).unwrap(), Some(added));
}
