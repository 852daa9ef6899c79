//! Files that may be databases: opening them gives a database or a refusal, and a refused file
//! keeps its bytes and gets no company.
//!
//! The input is a file as it is, or a list of changes to a sound database: random bytes alone do
//! not get past the header.
#![no_main]

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use everyply::database::{Database, DatabaseError, Ending, PositionRow};
use everyply::game::{GameId, Key, MoveSet, Outcome, PartialValue, Ply, Remoteness};
use everyply::statistics::PlyCounts;
use libfuzzer_sys::fuzz_target;

/// A sound database with a run and some positions.
fn sound() -> &'static [u8] {
    static SOUND: OnceLock<Vec<u8>> = OnceLock::new();
    SOUND.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sound.db");
        let writer =
            Database::create_or_open(&path).unwrap().begin_run(&game(), "fuzz", 1).unwrap();
        let row = |key| PositionRow {
            key: Key(key),
            ply: Ply(key as u8 % 10),
            value: PartialValue { outcome: Outcome::Draw, remoteness: Some(Remoteness(1)) },
            best: Some(MoveSet(key)),
        };
        writer.sink().send((0..500).map(row).collect()).unwrap();
        writer.ply_counts(&[PlyCounts::default()]).unwrap();
        writer.finish(Ending::Finished).unwrap();
        fs::read(&path).unwrap()
    })
}

fn game() -> GameId {
    GameId::new("ttt", [3, 3, 3])
}

/// The file that an input stands for.
fn file(input: &[u8]) -> Vec<u8> {
    let Some((mode, rest)) = input.split_first() else { return Vec::new() };
    if mode % 4 == 0 {
        return rest.to_vec();
    }
    let mut bytes = sound().to_vec();
    for change in rest.chunks_exact(4) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]]));
        // The header and the first pages are where most can go wrong.
        let at = if mode % 4 == 1 { at % 128 } else { at % bytes.len() };
        match change[2] % 8 {
            0 => bytes.truncate(at.max(1)),
            1 => bytes.extend([change[3]; 512]),
            _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = change[3]),
        }
    }
    bytes
}

/// Reads everything; damaged data gives errors.
fn read(database: &Database) -> Result<(), DatabaseError> {
    for game in database.games()? {
        database.positions(&game, None, |_| Ok::<(), DatabaseError>(()))?;
    }
    database.position(&game(), Key(7))?;
    for run in database.runs()? {
        database.ply_counts(run.id)?;
    }
    Ok(())
}

fn check(bytes: &[u8], open: impl Fn(&Path) -> Result<Database, DatabaseError>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("fuzz.db");
    fs::write(&path, bytes).unwrap();
    match open(&path) {
        Ok(database) => {
            if let Err(error) = read(&database) {
                assert!(error.to_string().contains("fuzz.db"), "{error}");
            }
        }
        Err(error) => {
            assert!(error.to_string().contains("fuzz.db"), "{error}");
            assert!(fs::read(&path).unwrap() == bytes, "{error}: the file was changed");
            let entries = fs::read_dir(&directory).unwrap().count();
            assert_eq!(entries, 1, "{error}: another file was left behind");
        }
    }
}

fuzz_target!(|input: &[u8]| {
    let bytes = file(input);
    check(&bytes, Database::open);
    check(&bytes, Database::create_or_open);
});
