//! A disk that fails, fills up or loses its power at every single operation of a short run.

mod vfs;

use std::path::Path;

use rusqlite::OpenFlags;

use super::*;
use crate::disk::simulated::{Simulated, Trouble};
use crate::statistics::PlyCounts;
use vfs::Vfs;

const FILE: &str = "/test.db";

/// Rows in the first commit of positions, and in all.
const FIRST: u64 = 150;
const ALL: u64 = 400;

impl Database {
    /// Opens a database on a simulated disk. It has no shared memory: SQLite keeps the index of
    /// its log on the heap, which it does in exclusive locking mode.
    fn on(vfs: &Vfs) -> Result<Self, DatabaseError> {
        let path = Path::new(FILE);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let of_sqlite = |error| DatabaseError::of_sqlite(path, error);
        let connection = Connection::open_with_flags_and_vfs(path, flags, vfs.name())
            .and_then(|connection| {
                connection.pragma_update_and_check(
                    None,
                    "locking_mode",
                    "exclusive",
                    |_| Ok(()),
                )?;
                Ok(connection)
            })
            .map_err(of_sqlite)?;
        open::sign(path, &connection)?;
        open::configure(&connection).map_err(of_sqlite)?;
        Ok(Self { connection, path: path.to_owned() })
    }
}

fn counts() -> PlyCounts {
    PlyCounts { nodes: Some(1), ..PlyCounts::default() }
}

fn in_commits() -> (Vec<PositionRow>, Vec<PositionRow>) {
    let (mut first, mut all) = (rows(FIRST), rows(ALL));
    first.sort_by_key(|row| row.key);
    all.sort_by_key(|row| row.key);
    (first, all)
}

/// The last commit that the program knows to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Nothing,
    Begun,
    Finished,
}

/// A short run: tables, the run, positions, counts, more positions, the end.
fn short_run(disk: &Simulated) -> Told {
    let vfs = Vfs::new(disk.clone());
    let Ok(writer) = Database::on(&vfs).and_then(|database| database.begin_run(&game(), "a", 1))
    else {
        return Told::Nothing;
    };
    let (first, all) = in_commits();
    let _ = writer.sink().send(first);
    let _ = writer.ply_counts(&[counts()]);
    let _ = writer.sink().send(all);
    let _ = writer.bounds(&[]);
    match writer.finish(Ending::Finished) {
        Ok(_) => Told::Finished,
        Err(_) => Told::Begun,
    }
}

/// Asserts that the file opens, is whole, and has the content of one of the run's commits, none
/// before the last that the program knows of. The same run then gets to its end.
fn is_right(disk: &Simulated, told: Told, what: &str) {
    let vfs = Vfs::new(disk.clone());
    let database = Database::on(&vfs).unwrap_or_else(|error| panic!("{what}: {error}"));
    database.check().unwrap_or_else(|error| panic!("{what}: {error}"));
    let runs = database.runs().unwrap();
    let mut found = Vec::new();
    database
        .positions(&game(), None, |row| {
            found.push(row);
            Ok::<(), DatabaseError>(())
        })
        .unwrap();
    found.sort_by_key(|row| row.key);
    let (first, all) = in_commits();
    let counted = runs.first().map(|run| database.ply_counts(run.id).unwrap());
    let ending = runs.first().map(|run| run.ending);
    let committed = match (&counted, ending) {
        (None, None) if found.is_empty() => Told::Nothing,
        (Some(counted), Some(Some(Ending::Finished))) if found == all && *counted == [counts()] => {
            Told::Finished
        }
        // Ended by an error, or not at all; counts come with the first positions or after them.
        (Some(counted), Some(None | Some(Ending::Failed)))
            if (found.is_empty() && counted.is_empty())
                || (found == first && counted.is_empty())
                || ((found == first || found == all) && *counted == [counts()]) =>
        {
            Told::Begun
        }
        _ => panic!("{what}: {} positions, {counted:?}, {ending:?}", found.len()),
    };
    assert!(committed >= told, "{what}: {committed:?}, but {told:?} was told");
    drop(database);
    drop(vfs);
    assert_eq!(short_run(disk), Told::Finished, "{what}");
}

/// Every operation once; gives their number.
fn at_every_operation(trouble: fn(u64) -> Trouble, after: impl Fn(&Simulated, Told, u64)) -> u64 {
    let mut n = 0;
    loop {
        let disk = Simulated::new(trouble(n));
        let told = short_run(&disk);
        if disk.operations() <= n {
            return n;
        }
        after(&disk, told, n);
        n += 1;
    }
}

#[test]
fn a_loss_of_power_at_any_operation_keeps_what_was_committed() {
    let operations = at_every_operation(Trouble::PowerLoss, |disk, told, n| {
        for seed in 0..3 {
            is_right(&disk.reboot(seed), told, &format!("power lost at {n}, seed {seed}"));
        }
    });
    assert!(operations > 60, "{operations}");
}

#[test]
fn a_disk_that_fails_once_or_is_full_from_any_operation_on_keeps_what_was_committed() {
    let troubles: [fn(u64) -> Trouble; 2] = [|at| Trouble::Broken(at), |at| Trouble::Full(at)];
    for trouble in troubles {
        let operations = at_every_operation(trouble, |disk, told, n| {
            disk.set_trouble(Trouble::None);
            is_right(disk, told, &format!("{:?}", trouble(n)));
        });
        assert!(operations > 60, "{operations}");
    }
}
