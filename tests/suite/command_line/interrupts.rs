//! Runs that are stopped from outside at any moment leave a database that opens.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use everyply::database::{Database, Ending};

use super::{content, endings, runs};
use crate::support::{Place, signal};

/// Milliseconds from the start to the signal: before the first line of the program, while files
/// are opened, while work continues.
const MOMENTS: [u64; 6] = [0, 3, 13, 71, 173, 419];

/// Starts a command and interrupts it after a while.
fn interrupt(place: &Place, arguments: &str, name: &str, after: Duration) -> Output {
    let child = place.start(arguments);
    std::thread::sleep(after);
    signal(&child, name);
    child.wait_with_output().unwrap()
}

/// Checks that the command was interrupted, or done before, and left sound files.
fn check(place: &Place, output: &Output, number: i32, what: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let database = place.path("everyply.db");
    if output.status.signal() == Some(number) {
        // The signal came before the program listened, and so before it did anything: an earlier
        // run left the files.
        let left = place.entries();
        assert!(left.is_empty() || left == ["everyply.db"], "{what}: {left:?}");
        return;
    }
    if output.status.success() {
        // A machine so fast that it was done before.
        assert_eq!(endings(&database).last(), Some(&Some(Ending::Finished)), "{what}");
        assert_eq!(place.entries(), ["everyply.db"], "{what}");
        return;
    }
    assert_eq!(output.status.code(), Some(130), "{what}: {stderr}");
    assert!(stderr.contains("interrupted"), "{what}: {stderr}");
    assert!(!stderr.contains("panicked"), "{what}: {stderr}");
    if place.entries().is_empty() {
        // Before there was anything to keep.
        return;
    }
    if stderr.trim() == "interrupted" {
        // A machine so busy that the run was not done when its second was over.
        assert!(is_sound(&database), "{what}");
        return;
    }
    assert_eq!(endings(&database).last(), Some(&Some(Ending::Interrupted)), "{what}");
    assert!(runs(&database).last().is_some_and(|run| run.finished_at.is_some()), "{what}");
    assert_eq!(place.entries(), ["everyply.db"], "{what}");
}

/// SQLite finds nothing wrong with the file.
fn is_sound(path: &Path) -> bool {
    let connection = rusqlite::Connection::open(path).unwrap();
    let report: String =
        connection.pragma_query_value(None, "integrity_check", |row| row.get(0)).unwrap();
    report == "ok"
}

fn interrupted_at_any_moment(arguments: &str) {
    for moment in MOMENTS {
        let place = Place::new();
        let what = format!("{arguments} after {moment} ms");
        let output = interrupt(&place, arguments, "-INT", Duration::from_millis(moment));
        check(&place, &output, 2, &what);
    }
    // Interrupted runs on one database, then an undisturbed one.
    let place = Place::new();
    for moment in [97, 211, 307] {
        let output = interrupt(&place, arguments, "-INT", Duration::from_millis(moment));
        check(&place, &output, 2, &format!("{arguments} again after {moment} ms"));
    }
    let output = interrupt(&place, arguments, "-TERM", Duration::from_millis(151));
    check(&place, &output, 15, &format!("{arguments} terminated"));
    place.run("ttt").success();
    let database = place.path("everyply.db");
    assert_eq!(endings(&database).last(), Some(&Some(Ending::Finished)));
    assert!(is_sound(&database));
}

#[test]
fn an_interrupted_run_leaves_a_database_that_opens() {
    interrupted_at_any_moment("ttt --size 4x4 --line 4 --quiet");
    interrupted_at_any_moment("connect4 --depth 30");
}

#[test]
fn a_run_that_was_interrupted_can_be_run_again_to_its_end() {
    for (arguments, files) in [
        ("connect4 --size 4x4 --threads 1", &[][..]),
        ("ttt --size 4x3 --line 3 --csv out", &["out/ttt-solution.csv", "out/ttt-plies.csv"]),
    ] {
        let (alone, place) = (Place::new(), Place::new());
        alone.run(arguments).success();
        let [expected, database] = [&alone, &place].map(|place| place.path("everyply.db"));
        for moment in [40, 90, 200] {
            let output = interrupt(&place, arguments, "-INT", Duration::from_millis(moment));
            let code = output.status.code();
            assert!(matches!(code, None | Some(0 | 130)), "{}", output.status);
        }
        place.run(arguments).success();
        assert_eq!(endings(&database).last(), Some(&Some(Ending::Finished)));
        assert_eq!(content(&database).positions, content(&expected).positions);
        for name in files {
            assert!(place.read(name) == alone.read(name), "{name}");
        }
    }
}

#[test]
fn an_interrupted_search_still_says_what_it_found() {
    let place = Place::new();
    let arguments = "connect4 --depth 30 --json";
    // A busy machine may need longer for a first result.
    let moments = [900, 4_000, 16_000].map(Duration::from_millis).into_iter();
    let mut outputs = moments.map(|moment| interrupt(&place, arguments, "-INT", moment));
    let output = outputs.find(|output| !output.stdout.is_empty()).expect("a result");
    check(&place, &output, 2, arguments);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["interrupted"], true);
    let iterations = document["iterations"].as_array().unwrap();
    assert_eq!(document["depth"], iterations.len());
}

/// A kill without warning, as when the power fails, leaves whole files, and the next run
/// continues.
#[test]
fn a_killed_run_leaves_whole_files_or_none() {
    let arguments = "ttt --size 4x3 --line 4 --csv out";
    let alone = Place::new();
    alone.run(arguments).success();
    let place = Place::new();
    let database = place.path("everyply.db");
    for moment in [10, 50, 100, 200, 300, 400, 600, 800] {
        let output = interrupt(&place, arguments, "-KILL", Duration::from_millis(moment));
        for name in ["out/ttt-solution.csv", "out/ttt-plies.csv"] {
            if place.path(name).exists() {
                assert!(place.read(name) == alone.read(name), "{name} after {moment} ms");
            }
        }
        if database.exists() {
            // A new file may still be empty, which the error says.
            match Database::open(&database) {
                Ok(database) => drop(database.runs().unwrap()),
                Err(error) => assert!(error.to_string().contains("is empty"), "{error}"),
            }
        }
        if output.status.success() {
            break;
        }
    }
    place.run(arguments).success();
    let expected = content(&alone.path("everyply.db")).positions;
    assert_eq!(content(&database).positions, expected);
    assert!(is_sound(&database));
}

#[test]
fn an_interrupted_run_leaves_none_of_the_folders_that_it_made() {
    for arguments in [
        "sample connect4 --size 8x7 --plies 8-10 --number 1000 --no-db --out a/b",
        "sample neutreeko --number 3 --no-db --out a/b",
        "connect4 --depth 40 --no-db --csv a/b",
    ] {
        let place = Place::new();
        let output = interrupt(&place, arguments, "-INT", Duration::from_millis(800));
        assert_eq!(output.status.code(), Some(130), "{arguments}");
        assert_eq!(place.entries(), Vec::<String>::new(), "{arguments}");
    }
}

/// An interrupt ends only the improvement: the strategy found by then is checked and written.
#[test]
fn an_interrupt_writes_the_strategy() {
    let place = Place::new();
    let make = "strategy connect4 --size 5x5 --for second --improve 600 --out a.strategy";
    // Only a very busy machine needs more than the first of these for any strategy at all.
    let is_written = [3, 12, 48].into_iter().any(|seconds| {
        let made = interrupt(&place, make, "-INT", Duration::from_secs(seconds));
        made.status.success() || {
            assert_eq!((made.status.code(), place.entries()), (Some(130), Vec::new()));
            false
        }
    });
    assert!(is_written);
    assert_eq!(place.entries(), ["a.strategy"]);
    let told = place.json("verify a.strategy");
    assert!(told["strategies"][0]["positions"].as_u64() > Some(0), "{told}");
}
