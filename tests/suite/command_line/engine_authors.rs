//! The commands that an author of an engine checks it by.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::json;
use crate::support::Place;

#[test]
fn a_count_is_divided_by_the_first_move() {
    let place = Place::new();
    for (count, method) in [
        ("connect4 4453 --plies 5", "positions"),
        ("connect4 4453 --plies 5", "walk"),
        ("connect4 --plies 6", "auto"),
        ("ttt 15 --plies 7", "auto"),
        ("nim 1,2,3 --plies 3", "auto"),
        ("dots --size 2x1 --plies 4", "auto"),
        ("pong --plies 6", "auto"),
    ] {
        let counted = json(&place, &format!("count {count} --method {method} --divide --no-db"));
        let last = counted["plies"].as_array().unwrap().last().unwrap()["nodes"].as_u64().unwrap();
        let divided = counted["divide"].as_array().unwrap();
        assert!(divided.len() > 1 && divided[0]["move"].is_string(), "{count}: {divided:?}");
        let sum: u64 = divided.iter().map(|row| row["nodes"].as_u64().unwrap()).sum();
        assert!(sum == last && sum > 0, "{count}: {sum} and {last}");
    }
    place.run("count ttt --plies 2 --divide --no-db").success().stdout(contains("below each move"));
    place.run("count ttt --divide").code(2).stderr(contains("--plies"));
    place.run("count ttt --plies 0 --divide --no-db").success();
}

/// Each line is answered before the next one is written.
#[test]
fn another_program_asks_and_waits() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_analyze"))
        .args(["connect4", "--protocol", "pons", "--size", "6x5"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let mut answers = Vec::new();
    for question in ["3344", "33441", "7", "", "333333"] {
        writeln!(to, "{question}").unwrap();
        to.flush().unwrap();
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        answers.push(line);
    }
    drop(to);
    assert_eq!(child.wait().unwrap().code(), Some(1), "two lines are no positions");
    assert_eq!(answers[0].split(' ').next(), Some("3344"));
    let score = |line: &str| line.trim_end().rsplit(' ').next().unwrap().parse::<i32>().unwrap();
    assert!(score(&answers[0]) >= -score(&answers[1]), "{answers:?}");
    assert_eq!((&answers[2][..], &answers[3][..], &answers[4][..]), ("\n", " 0\n", "\n"));
}

#[test]
fn all_columns_have_scores_as_in_pons_program() {
    let place = Place::new();
    let asked = |arguments: &str, lines: &'static str| {
        let mut command = place.analyze();
        command.args(["connect4", "--protocol", "pons"]).args(arguments.split_whitespace());
        command.write_stdin(lines).assert()
    };
    asked("", "44455554221\n").success().stdout("44455554221 -15\n");
    // The fourth column is full.
    let told = asked("--all-moves", "444444326\n").success();
    let line = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    let fields: Vec<&str> = line.split_whitespace().collect();
    assert_eq!((fields.len(), fields[4]), (8, "-1000"), "{line}");
    asked("--all-moves", "1212121\n").success().stdout(contains("1212121 -18\n"));
    std::fs::write(place.path("in.txt"), "4455 18\n").unwrap();
    asked("--input in.txt", "").success().stdout("4455 18\n");
    asked("4455", "").code(2).stdout("");
}

/// The sizes of the files are those that their author publishes, and the checksums those of the
/// files that his program writes (`solver/connect4-script` at commit a3efe9c, H_SIZE and V_SIZE set).
#[test]
fn whole_boards_of_cadot_are_written_and_compared() {
    let place = Place::new();
    let of_4x4 = "b4a8e976725a6bac6de92968062dc45605b4da7cc861e05bef06779be7fea7d1";
    let of_5x4 = "974a338a62ab3f8146a2edc6ecac444a9d9a876008d80ee8ab16045c2750113f";
    for (board, bytes, sha256) in [("4x4", 322_164, of_4x4), ("5x4", 9_870_870, of_5x4)] {
        place.run(&format!("solve connect4 --size {board} --out {board}.solution")).success();
        let export = format!("export {board}.solution --format cadot --out {board}.dat");
        let manifest = json(&place, &export);
        assert_eq!((&manifest["bytes"], &manifest["skipped"]), (&bytes.into(), &0.into()));
        assert_eq!(
            (&manifest["perspective"], &manifest["sha256"]),
            (&"first player".into(), &sha256.into())
        );
    }
    place.run("book connect4 --size 4x4 --plies 7 --db book.db").success();
    let verify = "verify book.db --against 4x4.dat --values-only";
    let found = json(&place, verify);
    let against = &found["against"];
    assert_eq!((&against["format"], &against["records"]), (&"cadot".into(), &80_541.into()));
    assert_eq!(against["agreements"], found["rows"]["positions"]);
    assert!(
        against["agreements"].as_u64().unwrap() > 1_000 && found["plies"] == Value::Array(vec![])
    );
    let text = place.run(verify).success().stdout(contains("against    4x4.dat (cadot)"));
    text.stdout(contains("children").not());
    // A value that is wrong, and files that are none.
    let mut wrong = place.read("4x4.dat");
    assert_eq!(wrong[..4], [0, 0, 0, 16], "the empty board, a draw in 16 plies");
    wrong[3] = 64 + 15;
    std::fs::write(place.path("wrong.dat"), &wrong).unwrap();
    let said = contains("wrong.dat, record 1 says win in 15 plies");
    place.run("verify book.db --against wrong.dat --values-only").code(3).stdout(said);
    std::fs::write(place.path("cut.dat"), &wrong[..wrong.len() - 1]).unwrap();
    let refused = place.run("verify book.db --against cut.dat --against-format cadot").code(2);
    refused.stderr(contains("no whole number of records of 4"));
    place.run("verify book.db --values-only").code(2).stderr(contains("--against"));
    place.run("export 4x4.solution --format cadot --mirror").code(2);
}
