//! Bits that flip on the medium.

use std::fs;
use std::ops::ControlFlow;

use super::*;
use crate::game::Value;

fn bound(key: u64) -> BoundRow {
    let value = |outcome, r| Value::new(outcome, Remoteness(r));
    BoundRow {
        key: Key(key),
        ply: Ply(3),
        worst: value(Outcome::Loss, 4),
        best: value(Outcome::Win, 5),
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

#[test]
fn a_row_that_was_changed_names_itself() {
    for sql in [
        "UPDATE position SET outcome = -outcome WHERE outcome <> 0",
        "UPDATE position SET remoteness = NULL",
        "UPDATE position SET best = best + 1",
        "UPDATE position SET sum = sum + 1",
        "UPDATE game SET line = 2",
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
