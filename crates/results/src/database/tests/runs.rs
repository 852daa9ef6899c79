//! The beginning, the record and the end of runs.

use std::time::Duration;

use super::*;
use everyply_core::statistics::PlyCounts;

#[test]
fn a_run_tells_what_it_was() {
    let test = TestFile::new();
    let writer = Database::create_or_open(&test.path).unwrap();
    let writer = writer.begin_run(&game(), "analyze ttt --db 'a b'", 7).unwrap();
    let begun = &test.runs()[0];
    assert_eq!((begun.id, begun.ending), (writer.run_id(), None));
    assert_eq!(begun.finished_at, None);
    writer.finish(Ending::Interrupted).unwrap();

    let ended = &test.runs()[0];
    assert_eq!(ended.game, game());
    assert_eq!(ended.command, "analyze ttt --db 'a b'");
    assert_eq!(ended.version, env!("CARGO_PKG_VERSION"));
    assert_eq!(ended.threads, 7);
    assert_eq!(ended.ending, Some(Ending::Interrupted));
    assert_eq!(ended.started_at, begun.started_at);
    for time in [&ended.started_at, ended.finished_at.as_ref().unwrap()] {
        // 2001-02-03T04:05:06.789Z
        let shape: String =
            time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        assert_eq!(shape, "0000-00-00T00:00:00.000Z");
    }
    assert_eq!(test.entries(), ["test.db"]);
}

#[test]
fn counts_of_a_run_come_back_and_those_beyond_the_integers_of_the_file_are_refused() {
    let test = TestFile::new();
    let writer = test.begin();
    let plies = [
        PlyCounts { ply: Ply(0), nodes: Some(1), losses: Some(0), ..PlyCounts::default() },
        PlyCounts::new(Ply(9), [u64::MAX >> 1, 2, 3, 4, 5, 6, 7, 8].map(Some)),
    ];
    // Later counts of a ply replace earlier ones.
    writer.ply_counts(&[PlyCounts { nodes: Some(99), ..plies[0] }]).unwrap();
    writer.ply_counts(&plies).unwrap();
    let run = writer.run_id();
    writer.finish(Ending::Finished).unwrap();
    let database = Database::open(&test.path).unwrap();
    assert_eq!(database.ply_counts(run).unwrap(), plies);
    assert_eq!(database.ply_counts(RunId(99)).unwrap(), []);

    let writer = test.begin();
    writer.ply_counts(&[PlyCounts { nodes: Some(1 << 63), ..PlyCounts::default() }]).unwrap();
    let error = writer.finish(Ending::Finished).unwrap_err();
    assert!(matches!(error, DatabaseError::TooLarge(_)), "{error}");
    assert_eq!(test.runs()[1].ending, Some(Ending::Failed));
}

#[test]
fn a_run_that_is_dropped_or_panics_keeps_its_positions_and_is_marked_as_failed() {
    for panics in [false, true] {
        let test = TestFile::new();
        let writer = test.begin();
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
            writer.sink().send(rows(500)).unwrap();
            if panics {
                // A panic without its message on the terminal.
                std::panic::resume_unwind(Box::new(()));
            }
        }));
        assert_eq!(caught.is_err(), panics);
        assert_eq!(test.read(), rows(500));
        assert_eq!(test.runs()[0].ending, Some(Ending::Failed));
        assert_eq!(test.entries(), ["test.db"]);
    }
}

#[test]
fn a_writer_that_does_not_let_go_is_named() {
    let test = TestFile::new();
    test.write(&rows(1)).unwrap();
    let holder = rusqlite::Connection::open(&test.path).unwrap();
    let waiting = Database::create_or_open(&test.path).unwrap();
    waiting.connection.busy_timeout(Duration::from_millis(1)).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = waiting.begin_run(&game(), "analyze", 1).unwrap_err();
    assert!(matches!(error, DatabaseError::Busy(_)), "{error}");
    let message = error.to_string();
    assert!(message.starts_with("another process is writing to "), "{message}");
    assert!(message.ends_with("test.db: wait for it or choose another file"), "{message}");
    drop(holder);
    test.write(&rows(2)).unwrap();
    assert_eq!(test.read(), rows(2));
}

#[test]
fn a_crash_loses_nothing_that_was_committed() {
    let test = TestFile::new();
    test.write(&rows(10)).unwrap();
    let writer = test.begin();
    // A copy of the files as a killed process leaves them.
    let crashed = TestFile::new();
    for name in test.entries() {
        let copy = crashed.directory.path().join(&name);
        std::fs::copy(test.directory.path().join(&name), copy).unwrap();
    }
    assert!(crashed.entries().contains(&"test.db-wal".to_owned()));
    let runs = crashed.runs();
    assert_eq!((runs.len(), runs[1].ending), (2, None));
    assert_eq!(crashed.read(), rows(10));
    assert_eq!(crashed.entries(), ["test.db"]);
    crashed.write(&rows(20)).unwrap();
    assert_eq!(crashed.read(), rows(20));
    drop(writer);
}
