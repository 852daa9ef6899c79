//! Rows that enter the table `position`, and rows that do not.

use super::*;
use everyply_core::game::{Value, ValueBounds};

fn written(added: u64, refined: u64, unchanged: u64) -> WriteSummary {
    WriteSummary { added, refined, unchanged, left_out: false }
}

#[test]
fn rows_come_back_by_ply_and_unsigned_key() {
    let test = TestFile::new();
    let mut all = rows(1000);
    // The longest wins of six men's morris take 131 plies.
    all[1].value = PartialValue::from(Value::new(Outcome::Win, Remoteness(131)));
    for (i, key) in [0, 1, i64::MAX as u64, 1 << 63, u64::MAX].into_iter().enumerate() {
        let best = (i > 2).then_some(MoveSet(key.into()));
        all.push(PositionRow {
            ply: Ply(255),
            value: PartialValue::of_outcome(row(key).value.outcome),
            best,
            ..row(key)
        });
    }
    let mut shuffled = all.clone();
    shuffled.sort_by_key(|row| row.key.0.reverse_bits());
    let summary = test.write(&shuffled).unwrap();
    assert_eq!(summary, written(1005, 0, 0));
    assert_eq!(test.read(), all);
    assert_eq!(read(&test.path, Some(Ply(255))), all[1000..]);
    assert_eq!(read(&test.path, Some(Ply(63))), []);

    let database = Database::open(&test.path).unwrap();
    for row in all {
        assert_eq!(database.position(&game(), row.key).unwrap(), Some(row));
    }
    assert_eq!(database.position(&game(), Key(2)).unwrap(), None);
    // The same key of another board.
    let other = GameId::new("ttt", [3, 3, 2]);
    assert_eq!(database.position(&other, Key(1)).unwrap(), None);
    let writer = Database::create_or_open(&test.path).unwrap();
    let writer = writer.begin_run(&other, "analyze", 1).unwrap();
    let contrary = PositionRow { value: PartialValue::of_outcome(Outcome::Draw), ..row(1) };
    writer.sink().send(vec![contrary]).unwrap();
    writer.finish(Ending::Finished).unwrap();
    assert_eq!(database.position(&other, Key(1)).unwrap(), Some(contrary));
}

#[test]
fn best_moves_beyond_the_64_bits_of_the_column_are_not_stored() {
    let test = TestFile::new();
    let wide = PositionRow { best: Some(MoveSet(1 << 64 | 1)), ..row(1) };
    for (added, unchanged) in [(1, 0), (0, 1)] {
        let summary = test.write(&[wide]).unwrap();
        assert_eq!((summary.added, summary.refined, summary.unchanged), (added, 0, unchanged));
    }
    assert_eq!(test.read(), [PositionRow { best: None, ..wide }]);
}

/// Insert statements of many rows end at the first stored row, and keep the rows before it.
#[test]
fn new_rows_among_stored_ones_are_added_once() {
    let all = rows(2000);
    for (skip, step) in [(0, 2), (31, 33), (5, 640), (1999, 1), (0, 1)] {
        let test = TestFile::new();
        let stored: Vec<PositionRow> = all.iter().copied().skip(skip).step_by(step).collect();
        test.write(&stored).unwrap();
        let unchanged = stored.len() as u64;
        let summary = test.write(&all).unwrap();
        assert_eq!(summary, written(2000 - unchanged, 0, unchanged));
        assert_eq!(test.read(), all);
        assert_eq!(test.runs().len(), 2);
        let database = Database::open(&test.path).unwrap();
        assert_eq!(database.games().unwrap(), [game()]);
        database.check().unwrap();
    }
}

/// More rows than are written before a stop takes effect.
const SENT: u64 = 1_000_000;

#[test]
fn a_stopped_run_gives_up_what_is_on_its_way_and_is_marked_as_interrupted() {
    for (sent, ending) in
        [(SENT, Ending::Interrupted), (SENT, Ending::Finished), (0, Ending::Finished)]
    {
        let test = TestFile::new();
        let writer = test.begin();
        let control = std::sync::Arc::new(everyply_core::control::Control::default());
        writer.stop_by(std::sync::Arc::clone(&control));
        writer.sink().send(rows(sent)).unwrap();
        control.stop();
        let summary = writer.finish(ending).unwrap();
        assert_eq!(summary.left_out, summary.added < sent);
        assert_eq!(summary.left_out, sent > 0);
        // A stop after all was written changes nothing.
        let expected = if sent > 0 { Ending::Interrupted } else { ending };
        assert_eq!(test.runs()[0].ending, Some(expected));
        assert_eq!(test.read().len() as u64, summary.added);
        assert_eq!(test.entries(), ["test.db"]);
        Database::open(&test.path).unwrap().check().unwrap();
    }
}

#[test]
fn unknown_values_are_filled_and_known_ones_kept() {
    let test = TestFile::new();
    let full = rows(50);
    let bare = |row: PositionRow| PositionRow {
        value: PartialValue::of_outcome(row.value.outcome),
        best: None,
        ..row
    };
    let outcomes: Vec<PositionRow> = full.iter().copied().map(bare).collect();
    test.write(&outcomes).unwrap();
    assert_eq!(test.read(), outcomes);

    let half: Vec<PositionRow> =
        full.iter().map(|&row| PositionRow { best: None, ..row }).collect();
    let summary = test.write(&half[..20]).unwrap();
    assert_eq!(summary, written(0, 20, 0));
    let summary = test.write(&full).unwrap();
    assert_eq!(summary, written(0, 50, 0));
    assert_eq!(test.read(), full);

    let summary = test.write(&outcomes).unwrap();
    assert_eq!(summary, written(0, 0, 50));
    assert_eq!(test.read(), full);
}

#[test]
fn a_distance_narrows_the_best_moves() {
    let exact = PositionRow {
        value: Value::new(Outcome::Win, Remoteness(3)).into(),
        best: Some(MoveSet(0b100)),
        ..row(10)
    };
    let value = PartialValue::of_outcome(Outcome::Win);
    let outcome = PositionRow { value, best: Some(MoveSet(0b110)), ..exact };
    // Moves that attain the outcome say nothing about those that attain it in time.
    let bare = PositionRow { best: None, ..exact };
    for (first, second, merged) in [
        (outcome, exact, exact),
        (exact, outcome, exact),
        (outcome, bare, bare),
        (bare, outcome, bare),
    ] {
        let test = TestFile::new();
        test.write(&[first]).unwrap();
        test.write(&[second]).unwrap();
        assert_eq!(test.read(), [merged]);
    }
    let test = TestFile::new();
    test.write(&[outcome]).unwrap();
    let wrong = PositionRow { best: Some(MoveSet(0b101)), ..exact };
    assert!(matches!(test.write(&[wrong]), Err(DatabaseError::Conflict(_))));
}

#[test]
fn bounds_narrow() {
    let value = |outcome, r| Value::new(outcome, Remoteness(r));
    let bound =
        |worst, best| BoundRow { key: Key(7), ply: Ply(3), bounds: ValueBounds { worst, best } };
    let test = TestFile::new();
    for (worst, best) in [
        (value(Outcome::Loss, 4), value(Outcome::Win, 5)),
        (value(Outcome::Loss, 6), value(Outcome::Win, 3)),
    ] {
        let writer = test.begin();
        writer.bounds(&[bound(worst, best)]).unwrap();
        writer.finish(Ending::Finished).unwrap();
    }
    let database = Database::open(&test.path).unwrap();
    let mut lookup = database.lookup(&game()).unwrap();
    let narrow = bound(value(Outcome::Loss, 6), value(Outcome::Win, 5));
    assert_eq!(lookup.bound(Key(7)).unwrap(), Some(narrow));
    assert_eq!(lookup.bound(Key(8)).unwrap(), None);
}

#[test]
fn a_contradiction_in_any_column_is_an_error_and_changes_nothing() {
    let stored = PositionRow {
        key: Key(u64::MAX),
        ply: Ply(4),
        value: PartialValue { outcome: Outcome::Win, remoteness: Some(Remoteness(3)) },
        best: Some(MoveSet(0b101)),
    };
    let contradictions = [
        PositionRow { ply: Ply(6), ..stored },
        PositionRow { value: PartialValue { outcome: Outcome::Draw, ..stored.value }, ..stored },
        PositionRow { value: PartialValue::of_outcome(Outcome::Loss), best: None, ..stored },
        PositionRow { value: Value::new(Outcome::Win, Remoteness(5)).into(), ..stored },
        PositionRow { best: Some(MoveSet(0b100)), ..stored },
    ];
    // The table's order is by signed key, so the conflict comes between these two.
    let (before, after) = (row(1 << 63), row(7));
    for offered in contradictions {
        let test = TestFile::new();
        test.write(&[stored]).unwrap();
        let error = test.write(&[after, offered, before]).unwrap_err();
        let DatabaseError::Conflict(conflict) = &error else { panic!("{error}") };
        assert_eq!((conflict.stored, conflict.offered), (stored, offered));
        assert_eq!(conflict.game, game());
        let message = error.to_string();
        for part in [
            test.path.to_str().unwrap(),
            "ttt 3x3, 3",
            "18446744073709551615",
            "a win at ply 4, 3 plies from the end, best moves 1 3",
            &offered.to_string(),
        ] {
            assert!(message.contains(part), "{part}: {message}");
        }
        assert_eq!(read(&test.path, Some(Ply(4))), [stored]);
        assert!(!test.read().contains(&after));
        assert_eq!(test.runs()[1].ending, Some(Ending::Failed));
        assert_eq!(test.entries(), ["test.db"]);
    }
}

#[test]
fn what_was_committed_before_a_contradiction_stays() {
    let test = TestFile::new();
    let writer = test.begin();
    let sink = writer.sink();
    sink.send(rows(100)).unwrap();
    let wrong = PositionRow {
        value: PartialValue { outcome: -row(3).value.outcome, ..row(3).value },
        ..row(3)
    };
    sink.send(vec![row(3)]).unwrap();
    // Commits.
    writer.ply_counts(&[]).unwrap();
    sink.send(vec![wrong]).unwrap();
    // The writer stops at the contradiction, and from then on takes nothing.
    while sink.send(vec![row(4)]).is_ok() {}
    assert_eq!(sink.send(Vec::new()), Err(WriterStopped));
    assert_eq!(writer.ply_counts(&[]), Err(WriterStopped));
    assert!(matches!(writer.finish(Ending::Finished), Err(DatabaseError::Conflict(_))));
    let mut expected = rows(100);
    expected.push(row(3));
    expected.sort_by_key(|row| (row.ply, row.key));
    assert_eq!(test.read(), expected);
    assert_eq!(test.runs()[0].ending, Some(Ending::Failed));
}

#[test]
fn a_full_disk_is_named_and_keeps_what_was_committed() {
    let test = TestFile::new();
    test.write(&rows(100)).unwrap();
    let database = Database::create_or_open(&test.path).unwrap();
    // SQLite reports the limit as it reports a full disk.
    database.connection.pragma_update_and_check(None, "max_page_count", 40, |_| Ok(())).unwrap();
    let writer = database.begin_run(&game(), "analyze", 1).unwrap();
    writer.sink().send(rows(100_000)).unwrap();
    let error = writer.finish(Ending::Finished).unwrap_err();
    assert!(matches!(error, DatabaseError::DiskFull(_)), "{error}");
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(test.read(), rows(100));
    assert_eq!(test.runs()[1].ending, Some(Ending::Failed));
    assert_eq!(test.entries(), ["test.db"]);
}
