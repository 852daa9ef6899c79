//! Runs of a book that are killed, interrupted, or compete with another.

use std::time::{Duration, Instant};

use everyply::database::{Database, Ending};
use predicates::prelude::*;
use predicates::str::contains;

use super::books::rows;
use super::endings;
use crate::support::{Place, positions, signal};

/// A board on which a book takes a second or two.
const WORK: &str = "book connect4 --size 6x5 --plies 5 --table-size 8";

/// Kills a command without warning, at random moments of a run, each time with another number of
/// threads; `reach` is the latest moment, as a share of the time of an undisturbed run. Its result
/// in the end is that of an undisturbed run.
fn killed_over_and_over(work: &str, kills: u32, reach: f64) -> Place {
    let alone = Place::new();
    let begun = Instant::now();
    alone.run(&format!("{work} --threads 2")).success();
    let undisturbed = begun.elapsed();
    let expected = rows(&alone, "everyply.db");

    let place = Place::new();
    let mut random = fastrand::Rng::with_seed(3);
    let (mut killed, mut grown) = (0, 0);
    let mut held = 0;
    while killed < kills {
        let moment = undisturbed.mul_f64(random.f64() * reach);
        let mut child = place.start(&format!("{work} --threads {}", 1 + killed % 4));
        std::thread::sleep(moment);
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            // It was done before: once more from the beginning.
            assert_eq!(rows(&place, "everyply.db"), expected);
            std::fs::remove_file(place.path("everyply.db")).unwrap();
            held = 0;
            continue;
        }
        killed += 1;
        if let Ok(database) = Database::open(&place.path("everyply.db")) {
            database.check().unwrap();
            let games = database.games().unwrap();
            let holds = games.first().map_or(0, |game| positions(&database, game).unwrap().len());
            assert!(holds >= held, "{holds} positions, {held} before");
            grown += u32::from(holds > held);
            held = holds;
        }
    }
    assert!(grown > 0, "nothing was ever kept");
    place.run(&format!("{work} --threads 3")).success();
    assert_eq!(rows(&place, "everyply.db"), expected);
    assert_eq!(place.entries(), ["everyply.db"]);
    place
}

#[test]
fn a_book_that_is_killed_over_and_over_ends_like_one_that_is_left_alone() {
    // On average a fifteenth of the time it takes.
    let place = killed_over_and_over(WORK, 6, 2.0 / 15.0);
    place.run(WORK).success().stdout(contains("nothing to do"));
}

#[test]
#[ignore = "50 kills of runs of a second or two: minutes"]
fn a_tree_that_is_killed_fifty_times_ends_like_one_that_is_left_alone() {
    killed_over_and_over("ttt --size 4x3 --line 4 --quiet", 50, 1.0);
}

#[cfg(unix)]
#[test]
fn an_interrupted_book_says_how_to_go_on() {
    let place = Place::new();
    let command = "book connect4 --plies 7 --table-size 1 --no-book";
    let child = place.start(command);
    let runs = || Database::open(&place.path("everyply.db")).and_then(|database| database.runs());
    while !runs().is_ok_and(|runs| !runs.is_empty()) {
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("everyply.db, and the same command continues from there"), "{said}");
    assert_eq!(endings(&place.path("everyply.db")), [Some(Ending::Interrupted)]);
    assert_eq!(place.entries(), ["everyply.db"]);
}

#[test]
fn a_second_process_at_the_same_book_is_refused() {
    let place = Place::new();
    // Solving this takes minutes, so the second comes while the first is at work.
    let mut first = place.start("book connect4 --plies 8 --table-size 1 --threads 1 --no-book");
    while !place.path("everyply.db-lock").exists() {
        assert!(first.try_wait().unwrap().is_none(), "the first has ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    let said = contains("another process is at work on everyply.db").and(contains("--db"));
    place.run("book connect4 --plies 1 --table-size 1").code(1).stdout("").stderr(said);
    // Other writers take turns, and all programs can read.
    place.run("connect4 44444432").success();
    place.run("query everyply.db 44444432").success();
    first.kill().unwrap();
    first.wait().unwrap();
    // The lock ended with the process.
    place.run("book connect4 --plies 0 --size 4x4 --table-size 1").success();
    Database::open(&place.path("everyply.db")).unwrap().check().unwrap();
}

/// After a kill in the first commit, the journal of the new file undoes all of it.
#[test]
fn a_book_that_is_killed_while_its_database_is_made_is_begun_anew() {
    let place = Place::new();
    let command = "book connect4 --plies 3 --size 4x4 --db b.db";
    place.run(command).success();
    let expected = rows(&place, "b.db");
    // A journal of a file that had no pages (SQLite's file format, 3).
    let mut journal = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7".to_vec();
    for number in [0_u32, 0, 0, 512, 4096] {
        journal.extend(number.to_be_bytes());
    }
    journal.resize(512, 0);
    std::fs::write(place.path("b.db-journal"), journal).unwrap();
    place.run(command).success().stdout(contains("37 positions added"));
    assert_eq!(rows(&place, "b.db"), expected);
}
