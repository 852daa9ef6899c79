//! Databases that are not ours, damaged, newer, or that contradict what a run finds out.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;

use super::{content, endings};
use crate::support::{Place, sign_positions};
use everyply::database::Ending;

const WRITERS: [&str; 3] =
    ["ttt --csv out", "connect4 --depth 30 --csv out", "count ttt --csv out"];

fn tamper(path: &Path, sql: &str) {
    rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

/// Changes positions so that they pass for written by a run.
fn forge(path: &Path, sql: &str) {
    tamper(path, sql);
    sign_positions(path);
}

/// All commands refuse `my.db`, saying why, and leave it as it is.
fn refused(place: &Place, reason: &str, remedy: &str) {
    let bytes = place.read("my.db");
    let exports = ["export my.db --csv out".to_owned()];
    for command in WRITERS.map(|command| format!("{command} --db my.db")).iter().chain(&exports) {
        place
            .run(command)
            .code(1)
            .stdout("")
            .stderr(contains("my.db").and(contains(reason)).and(contains(remedy)));
        if remedy == "another file" && command.contains("--db") {
            place.run(command).code(1).stderr(contains("(--db FILE)"));
        }
        assert!(place.read("my.db") == bytes, "{command} changed the file");
        // A directory for CSV files may have been made; no file.
        let files: Vec<String> = place.entries().into_iter().filter(|name| name != "out").collect();
        assert_eq!(files, ["my.db"], "{command}");
        let tables = fs::read_dir(place.path("out")).map_or(0, Iterator::count);
        assert_eq!(tables, 0, "{command}");
    }
}

#[test]
fn a_text_file_is_refused_and_left_alone() {
    for length in [1, 99, 100, 4096, 20_000] {
        let place = Place::new();
        let text = "It was a dark and stormy night. ".repeat(1000);
        fs::write(place.path("my.db"), &text[..length]).unwrap();
        refused(&place, "is not a database", "another file");
    }
}

#[test]
fn a_csv_file_of_ours_is_refused_and_left_alone() {
    let place = Place::new();
    place.run("ttt --no-db --csv tables").success();
    fs::rename(place.path("tables/ttt-solution.csv"), place.path("my.db")).unwrap();
    fs::remove_dir_all(place.path("tables")).unwrap();
    refused(&place, "is not a database", "another file");
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    for sql in [
        "CREATE TABLE contacts (name TEXT); INSERT INTO contacts VALUES ('Ada');",
        "CREATE TABLE position (x); PRAGMA user_version = 1;",
        "PRAGMA journal_mode = wal; CREATE TABLE contacts (name TEXT);",
    ] {
        let place = Place::new();
        tamper(&place.path("my.db"), sql);
        refused(&place, "of another program", "another file");
    }
}

#[test]
fn a_database_of_a_newer_version_is_refused_and_left_alone() {
    let place = Place::new();
    place.run("ttt --db my.db").success();
    let version: i32 = rusqlite::Connection::open(place.path("my.db"))
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert!(version > 0);
    tamper(&place.path("my.db"), &format!("PRAGMA user_version = {}", version + 1));
    refused(&place, "newer everyply", "update everyply");
    tamper(&place.path("my.db"), "PRAGMA user_version = 0");
    refused(&place, "older everyply", "another file");
}

#[test]
fn a_database_cut_short_is_refused_and_left_alone() {
    let place = Place::new();
    place.run("ttt --db my.db").success();
    let whole = place.read("my.db");
    let half = whole.len() / 2;
    for length in [100, 4096, half, half / 4096 * 4096, whole.len() - 1] {
        let place = Place::new();
        fs::write(place.path("my.db"), &whole[..length]).unwrap();
        refused(&place, "my.db is ", "");
    }
    let place = Place::new();
    fs::write(place.path("my.db"), &whole[..half]).unwrap();
    refused(&place, "is damaged", "restore it from a copy");
}

#[test]
fn a_value_that_contradicts_the_stored_one_is_a_mismatch_that_names_the_position() {
    let place = Place::new();
    let database = place.path("everyply.db");
    place.run("ttt").success();
    // The empty board of tic-tac-toe, whose key is 0, as a win.
    forge(&database, "UPDATE position SET outcome = 1 WHERE key = 0");
    let before = content(&database).positions;
    place
        .run("ttt --csv out")
        .code(3)
        .stdout(contains("value      draw").and(contains("added").not()))
        .stderr(contains("everyply.db").and(contains("position with key 0")).and(contains("draw")));
    assert_eq!(content(&database).positions, before, "never an overwrite");
    assert_eq!(endings(&database), [Some(Ending::Finished), Some(Ending::Failed)]);
    assert_eq!(place.entries(), ["everyply.db"], "a folder without a file is removed");
}

#[test]
fn a_contradiction_met_by_a_search_is_a_mismatch_too() {
    let place = Place::new();
    let database = place.path("everyply.db");
    place.run("connect4 4455").success();
    let mut key = None;
    for row in &content(&database).positions[0] {
        if row.ply.0 == 4 {
            key = Some(row.key.0);
        }
    }
    let key = key.expect("the root is proven");
    forge(&database, &format!("UPDATE position SET outcome = -1 WHERE key = {key}"));
    let named = contains(format!("position with key {key}"));
    place.run("connect4 4455").code(3).stdout(contains("value  ")).stderr(named);
}

#[test]
fn a_remoteness_that_is_missing_is_filled_and_one_that_is_wrong_is_a_mismatch() {
    let place = Place::new();
    let database = place.path("everyply.db");
    place.run("ttt").success();
    let whole = content(&database).positions;
    forge(&database, "UPDATE position SET remoteness = NULL, best = NULL WHERE ply < 4");
    assert!(content(&database).positions != whole);
    place.run("ttt").success();
    assert_eq!(content(&database).positions, whole);
    forge(&database, "UPDATE position SET remoteness = 7 WHERE key = 0");
    place.run("ttt").code(3).stderr(contains("position with key 0"));
}

#[test]
fn several_analyses_share_a_database() {
    let place = Place::new();
    let database = place.path("everyply.db");
    for arguments in ["ttt", "ttt --size 3x2", "connect4 --depth 7", "connect4 --size 4x4"] {
        place.run(arguments).success();
    }
    let content = content(&database);
    assert_eq!(content.games.len(), 4);
    assert!(content.positions.iter().all(|rows| !rows.is_empty()), "{:?}", content.games);
    assert_eq!(endings(&database), [Some(Ending::Finished); 4]);
}

#[test]
fn an_empty_file_becomes_a_database() {
    let place = Place::new();
    fs::write(place.path("everyply.db"), "").unwrap();
    place.run("ttt").success();
    assert_eq!(content(&place.path("everyply.db")).positions[0].len(), 765);
}
