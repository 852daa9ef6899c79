//! `analyze export`: the tables of a database, and which game is exported.

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::Place;

const FILES: [&str; 5] =
    ["iterations.csv", "plies.csv", "root-moves.csv", "runs.csv", "solution.csv"];

/// The rows of a table without their first column, if that is this run.
fn of_run(place: &Place, table: &str, run: &str) -> String {
    let text = String::from_utf8(place.read(table)).unwrap();
    let rows = text.lines().filter_map(|line| line.split_once(','));
    let rows = rows.filter(|(first, _)| ["run", run].contains(first));
    rows.map(|(_, rest)| format!("{rest}\n")).collect()
}

#[test]
fn the_tables_of_a_database_are_exported_as_they_are() {
    let place = Place::new();
    let odd = "it's a \"path\" $HOME";
    for command in
        ["ttt 15 --csv 1", "connect4 --depth 5 --all-moves --csv 2", "count ttt --values --csv 3"]
    {
        let arguments = command.split(' ').chain(["--db", "my 'own'.db"]);
        place.analyze().args(arguments).assert().success();
    }
    let exported = place.analyze().args(["export", "my 'own'.db", "--csv", odd]).assert();
    exported.success().stderr("").stdout(contains("solution.csv"));
    let mut names: Vec<String> = std::fs::read_dir(place.path(odd))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, FILES);
    for (run, table, own) in [
        ("1", "plies.csv", "1/ttt-plies.csv"),
        ("2", "iterations.csv", "2/connect4-iterations.csv"),
        ("2", "root-moves.csv", "2/connect4-root-moves.csv"),
        ("3", "plies.csv", "3/count-plies.csv"),
    ] {
        let own = String::from_utf8(place.read(own)).unwrap();
        assert!(own.lines().count() > 3, "{own}");
        assert_eq!(of_run(&place, &format!("{odd}/{table}"), run), own, "{table}");
    }
    let runs = String::from_utf8(place.read(&format!("{odd}/runs.csv"))).unwrap();
    assert!(runs.contains("\n3,ttt,3x3,3,analyze count ttt"), "{runs}");
    let solution = String::from_utf8(place.read(&format!("{odd}/solution.csv"))).unwrap();
    let row = "\n1,ttt,3x3,3,2,";
    assert!(solution.starts_with("game_id,game,size,line,ply,key,to_move,outcome,"), "{solution}");
    assert_eq!(solution.matches(row).count(), 1, "{solution}");
    assert!(solution.contains(",X,draw,7,["), "{solution}");
    assert!(solution.lines().skip(1).all(|line| line.ends_with(']')), "{solution}");
}

#[test]
fn tables_are_named_in_a_document() {
    let place = Place::new();
    place.run("ttt 15").success();
    let said = super::json(&place, "export everyply.db --csv tables");
    let files = said["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap());
    let files: Vec<String> = files.map(|file| file.replace('\\', "/")).collect();
    let mut expected = FILES.map(|name| format!("tables/{name}"));
    expected.sort_by_key(|name| files.iter().position(|file| file == name));
    assert_eq!(files, expected);
}

#[test]
fn a_game_that_is_named_is_the_only_one() {
    let place = Place::new();
    place.run("ttt 15").success();
    place.run("nim 1,2").success();
    place.run("export everyply.db --csv out --game nim").success();
    for table in ["runs.csv", "solution.csv"] {
        let text = String::from_utf8(place.read(&format!("out/{table}"))).unwrap();
        assert!(text.contains(",nim,") && !text.contains(",ttt,"), "{table}: {text}");
    }
    let refused = contains("no such game");
    place.run("export everyply.db --csv out --game pong").code(2).stderr(refused);
}

#[test]
fn every_option_of_a_game_chooses_among_its_games() {
    let place = Place::new();
    place.run("morris --men 3 --db m.db").success();
    place.run("morris --men 3 --flying --db m.db").success();
    place.run("misere4 --size 3x3 --line 3 --db m.db").success();
    place.run("popout --size 3x3 --line 3 --db m.db").success();
    place.run("popout --size 3x3 --line 3 --misere --db m.db").success();
    for (options, game) in [
        ("--flying", "Three men's morris, flying"),
        ("--misere", "PopOut 3x3, 3 in a row, a line loses"),
        ("--game popout --misere --line 3", "PopOut 3x3, 3 in a row, a line loses"),
    ] {
        let checked = place.run(&format!("verify m.db --sample 0 {options}")).success();
        let text = String::from_utf8_lossy(&checked.get_output().stdout).into_owned();
        assert!(text.contains(game) && text.matches("rows").count() < 4, "{options}: {text}");
    }
    let out = "--out m.csv --format csv";
    place
        .run(&format!("export m.db {out} --game popout"))
        .code(2)
        .stderr(contains("popout 3x3, 131: --game popout --size 3x3 --line 3 --misere"));
    place.run(&format!("export m.db {out} --game popout --misere")).success();
    place.run(&format!("export m.db {out} --game popout --flying")).code(2);
}

#[test]
fn a_database_that_is_missing_or_damaged_is_not_exported() {
    let place = Place::new();
    place.run("export none.db --csv out").code(1).stdout("").stderr(contains("none.db"));
    place.run("ttt 15").success();
    let change = "UPDATE position SET outcome = -1 WHERE ply = 2";
    rusqlite::Connection::open(place.path("everyply.db")).unwrap().execute_batch(change).unwrap();
    for export in ["--csv out", "--format csv --out out.csv"] {
        let refused = contains("everyply.db").and(contains("fails its checksum"));
        place.run(&format!("export everyply.db {export}")).code(1).stdout("").stderr(refused);
    }
    assert_eq!(place.entries(), ["everyply.db"]);
}

#[test]
fn what_is_asked_settles_which_game_is_exported() {
    let place = Place::new();
    place.run("ttt").success();
    place.run("book connect4 --size 4x4 --plies 9 --table-size 1").success();
    place.run("nim 3,4").success();
    let exported = |arguments: &str| -> serde_json::Value {
        let run = place.run(&format!("export everyply.db {arguments} --json")).success();
        serde_json::from_slice(&run.get_output().stdout).unwrap()
    };
    let name = |document: &serde_json::Value| {
        format!("{} {}", document["game"].as_str().unwrap(), document["board"])
    };
    // A format that only one game has.
    assert_eq!(name(&exported("--format pons")), "connect4 \"4x4\"");
    // Plies and distances that the database holds of only one game.
    assert_eq!(name(&exported("--format csv --plies 0 --remoteness 16")), "connect4 \"4x4\"");
    assert_eq!(name(&exported("--format csv --plies 0 --remoteness 9")), "ttt \"3x3\"");
    assert_eq!(name(&exported("--format csv --plies 1 --outcome win")), "nim null");
    // Of the boards of one game the usual one.
    place.run("connect4 44455554221").success();
    assert_eq!(name(&exported("--format csv --game connect4")), "connect4 \"7x6\"");
    assert_eq!(name(&exported("--format csv --game connect4 --plies 5")), "connect4 \"4x4\"");
    // Where several are left, they are listed.
    let listed = contains("several games").and(contains("ttt 3x3")).and(contains("nim"));
    place.run("export everyply.db --format csv").code(2).stdout("").stderr(listed);
}
