//! Databases that are foreign, damaged, of another version, or contradict a run.

use std::fs;

use predicates::prelude::*;
use predicates::str::contains;

use super::{content, endings};
use crate::support::Place;
use everyply::database::Ending;

const WRITERS: [&str; 3] =
    ["ttt --csv out", "connect4 --depth 30 --csv out", "count ttt --csv out"];

/// All commands refuse `my.db`, saying why, and leave it as it is.
fn refused(place: &Place, reason: &str, remedy: &str) {
    let bytes = place.read("my.db");
    for command in WRITERS.map(|command| format!("{command} --db my.db")) {
        let refusal = contains("my.db").and(contains(reason)).and(contains(remedy));
        let refused = place.run(&command).code(1).stdout("").stderr(refusal);
        if remedy == "another file" {
            refused.stderr(contains("(--db FILE)"));
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
fn files_that_are_no_database_of_this_version_are_refused_and_left_alone() {
    let place = Place::new();
    fs::write(place.path("my.db"), "It was a dark and stormy night. ".repeat(1000)).unwrap();
    refused(&place, "is not a database", "another file");
    let place = Place::new();
    let other = "CREATE TABLE position (x); PRAGMA user_version = 1;";
    place.tamper("my.db", other);
    refused(&place, "of another program", "another file");
    let place = Place::new();
    place.run("ttt --db my.db").success();
    let whole = place.read("my.db");
    place.tamper("my.db", "PRAGMA user_version = 1");
    refused(&place, "another version of everyply", "another file");
    fs::write(place.path("my.db"), &whole[..whole.len() / 2]).unwrap();
    refused(&place, "is damaged", "restore it from a copy");
}

#[test]
fn a_value_that_contradicts_the_stored_one_is_a_mismatch_that_names_the_position() {
    let place = Place::new();
    let database = place.path("everyply.db");
    place.run("ttt").success();
    // The empty board of tic-tac-toe, whose key is 0, as a win.
    place.forge("everyply.db", "UPDATE position SET outcome = 1 WHERE key = 0");
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
