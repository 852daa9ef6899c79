//! Queries of a database, and of the solver for positions that are not stored.

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::sql::rows as sql_rows;
use super::{json_alone, valued_moves};
use crate::support::Place;

/// A database with a book of 5x4.
fn book(plies: u8) -> Place {
    let place = Place::new();
    place.run(&format!("book connect4 --size 5x4 --plies {plies} --table-size 1")).success();
    place
}

#[test]
fn a_file_of_another_kind_is_told_from_both_kinds_that_are_asked() {
    let place = Place::new();
    std::fs::write(place.path("notes.txt"), "4453").unwrap();
    let kinds = "notes.txt is neither a database nor a solution file";
    for command in ["query notes.txt 3", "export notes.txt --format csv"] {
        place.run(command).code(1).stderr(contains(kinds).and(contains("nor an opening book")));
    }
    // The errors name a directory and an empty file.
    std::fs::create_dir(place.path("folder")).unwrap();
    std::fs::write(place.path("empty"), "").unwrap();
    for command in ["export # --format csv", "verify #", "serve # --port 0", "connect4 --book #"] {
        let of = |name: &str| place.run(&command.replace('#', name)).code(1).stdout("");
        of("folder")
            .stderr(contains("folder: is a directory").or(contains("folder is a directory")));
        of("empty").stderr(contains("empty is empty"));
    }
}

#[test]
fn a_database_tells_value_moves_and_best_play_as_far_as_it_reaches() {
    let place = book(5);
    for moves in ["", "1", "12", "3124", "1515", "333"] {
        let told = place.json(&format!("query everyply.db {moves}"));
        let solved = json_alone(&format!("connect4 {moves} --size 5x4 --all-moves"));
        assert_eq!(told["value"], solved["value"], "{moves}");
        assert_eq!(told["best"], solved["best"], "{moves}");
        assert_eq!(valued_moves(&told), valued_moves(&solved), "{moves}");
        // Best play continues with the best moves of the last ply.
        let (pv, whole) = (told["pv"].as_str().unwrap(), solved["pv"].as_str().unwrap());
        assert!(whole.starts_with(pv), "{moves}: {pv}, {whole}");
        assert_eq!(pv.len(), 6 - moves.len(), "{moves}: {pv}");
        assert_eq!(told["pv_complete"], false);
    }
}

fn rows<'v>(document: &'v Value, field: &str) -> &'v Vec<Value> {
    document[field].as_array().unwrap()
}

#[test]
fn mirror_images_and_pictures_are_the_same_position() {
    let place = book(4);
    let one = place.json("query everyply.db 112");
    let other = place.json("query everyply.db 554");
    assert_eq!(one["value"], other["value"]);
    let mirrored: Vec<u64> =
        rows(&one, "best").iter().rev().map(|m| 6 - m.as_u64().unwrap()).collect();
    assert_eq!(other["best"], serde_json::json!(mirrored));
    let mut drawn = place.json("query everyply.db --board ...../...../O..../XX...");
    assert_eq!(drawn["moves"].take(), Value::Null);
    drawn["moves"] = "112".into();
    assert_eq!(drawn, one);
}

#[test]
fn the_text_is_for_people() {
    let place = book(4);
    let text = place.output("query everyply.db 3333");
    insta::assert_snapshot!(text, @r"
    Connect Four 5x4, 4 in a row, 4 stones, X to move

     . . O . .
     . . X . .
     . . O . .
     . . X . .
     1 2 3 4 5

    value      draw in 16 plies
    best       2 4
    line       2 ...

    move             value
       1                 -
       2  draw in 16 plies
       4  draw in 16 plies
       5                 -
    ");
}

#[test]
fn what_is_not_there_is_said_and_the_search_adds_it() {
    let place = book(3);
    place.refuses(
        "query everyply.db 12345123",
        1,
        "everyply.db does not hold the position: --search solves it",
    );
    // On the last ply the best moves are known, the others are not.
    let told = place.json("query everyply.db 331");
    assert!(rows(&told, "values").iter().any(|m| m["outcome"].is_null()), "{told}");
    let searched = place.json("query everyply.db 331 --search");
    let solved = json_alone("connect4 331 --size 5x4 --all-moves");
    for field in ["value", "best", "pv"] {
        assert_eq!(searched[field], solved[field], "{field}");
    }
    assert_eq!(searched["pv_complete"], true);
    assert!(rows(&searched, "values").iter().all(|m| m["outcome"].is_string()));
    // From now on the value is stored, and nothing is written again.
    let bytes = place.read("everyply.db");
    assert_eq!(place.json("query everyply.db 331"), searched);
    assert_eq!(place.json("query everyply.db 331 --search"), searched);
    assert!(place.read("everyply.db") == bytes);
    place.run("query everyply.db 3312 --search").success().stdout(contains(" added"));
}

#[test]
fn best_moves_are_named_as_far_as_they_are_stored() {
    let place = Place::new();
    let solved = place.json("connect4 33 --size 5x4");
    // For a position of best play only the value and the next position are kept.
    let next = &solved["pv"].as_str().unwrap()[..2];
    let told = place.json(&format!("query everyply.db 33{}", &next[..1]));
    assert_eq!(told["best"], serde_json::json!([next[1..].parse::<u64>().unwrap()]));
    assert_eq!(told["best_complete"], false);
    let text = place.output(&format!("query everyply.db 33{}", &next[..1]));
    assert!(text.contains(&format!("best       {} at least; not stored: ", &next[1..])), "{text}");
    let whole = place.json(&format!("query everyply.db 33{} --search", &next[..1]));
    assert_eq!(whole["best_complete"], true);
}

#[test]
fn what_the_opening_book_knows_of_moves_is_told() {
    let place = Place::new();
    place.run("connect4 4453").success();
    let told = place.json("query everyply.db 4453");
    let solved = json_alone("connect4 4453 --all-moves");
    assert_eq!(valued_moves(&told), valued_moves(&solved));
    let sources: Vec<_> = rows(&told, "values").iter().map(|m| m["source"].clone()).collect();
    assert!(sources.contains(&"database".into()) && sources.contains(&"opening book".into()));
    let said = contains("not stored: from the opening book of this program");
    place.run("query everyply.db 4453").success().stdout(said);
    // The opening book does not answer for a database without the position.
    place.refuses("query everyply.db 1212", 1, "does not hold the position");
}

#[test]
fn an_error_of_a_search_names_no_option_that_query_lacks() {
    let place = book(2);
    let other = rusqlite::Connection::open(place.path("everyply.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let said = contains("another process is writing to everyply.db").and(contains("--db").not());
    place.run("query everyply.db 12345 --search").code(1).stdout("").stderr(said);
}

#[test]
fn other_games_are_asked_about_too() {
    let place = Place::new();
    place.run("ttt").success();
    let told = place.json("query everyply.db 12");
    assert_eq!(told["value"], serde_json::json!({"outcome": "win", "remoteness": 5}));
    assert_eq!(told["best"], serde_json::json!([4, 5, 7]));
    assert_eq!(told["pv_complete"], true);
    let over = place.json("query everyply.db 14253");
    assert_eq!(over["value"], serde_json::json!({"outcome": "loss", "remoteness": 0}));
    place.run("query everyply.db 12 --search").success();

    place.run("ttt --size 3x2").success();
    // The usual board is meant, unless only another one has the position.
    let told = place.json("query everyply.db 12");
    assert_eq!(told["board"], "3x3");
    let drawn = place.json("query everyply.db --board XO./...");
    assert_eq!(drawn["board"], "3x2");
    place.run("connect4 12").success();
    let said = contains("choose one of its games").and(contains("connect4 7x6, 4"));
    place.run("query everyply.db 12").code(2).stdout("").stderr(said);
    // Only Connect Four holds this position, and only 3x3 has this one.
    place.run("connect4 7766").success();
    assert_eq!(place.json("query everyply.db 7766")["board"], "7x6");
    assert_eq!(place.json("query everyply.db 789")["board"], "3x3");
    let told = place.json("query everyply.db 12 --size 3x2");
    assert_eq!(told["board"], "3x2");
    let told = place.json("query everyply.db 12 --game connect4");
    assert_eq!(told["board"], "7x6");
    place.refuses("query everyply.db 12 --size 4x4", 2, "ttt 3x3");
}

#[test]
fn every_game_with_an_engine_is_searched() {
    for (game, below, position) in [
        ("nim 2,3,4", "nim 2,1,4", "2,1,4"),
        ("hexapawn", "hexapawn a1a2", "a1a2"),
        ("dots --size 2x1", "dots --size 2x1", ""),
        ("pong", "pong 5", "5"),
        ("ttt --size 4x3", "ttt --size 4x3 6,7,2,3", "6,7,2,3"),
    ] {
        let place = Place::new();
        let name = game.split(' ').next().unwrap();
        let whole = place.json(&format!("{below} --db whole.db"));
        // One row is left, so that the game is still known.
        place.run(&format!("{game} --db few.db")).success();
        let others = "key <> (SELECT min(key) FROM position)";
        place.tamper("few.db", &format!("DELETE FROM position WHERE {others}"));
        let query = format!("query few.db {position}");
        let found = place.json(&format!("{query} --search"));
        assert_eq!(found["game"], name);
        assert_eq!(found["value"], whole["value"], "{game}");
        assert_eq!((&found["best_complete"], &found["bounds"]), (&true.into(), &Value::Null));
        if !found["value"]["remoteness"].is_null() {
            assert_eq!(found["pv_complete"], true, "{game}: {found}");
        }
        assert_eq!(valued_moves(&found), valued_moves(&whole), "{game}");
        // The value is stored, and agrees with the rules.
        assert_eq!(place.json(&query), found, "{game}");
        assert_eq!(place.json(&format!("{query} --search")), found, "{game}");
        place.run("verify few.db").success();
    }
}

#[test]
fn bounds_of_positions_and_moves_hold() {
    let place = Place::new();
    place.run("connect4 --size 5x5 --table-size 1 --threads 1").success();
    // The places of a value among loss, draw and win.
    let rank = |outcome: &Value| ["loss", "draw", "win"].iter().position(|word| outcome == word);
    let holds = |bounds: &Value, value: &Value, turned: bool| {
        let value = rank(&value["outcome"]).unwrap();
        let value = if turned { 2 - value } else { value };
        let [worst, best] = ["worst", "best"].map(|end| rank(&bounds[end]["outcome"]).unwrap());
        assert!((worst..=best).contains(&value), "{bounds}: {value}");
    };
    let query = "SELECT board(game_id, key) FROM bound WHERE key NOT IN (SELECT key FROM position)
                 ORDER BY ply, key LIMIT 1";
    let query = format!("query everyply.db --board {}", sql_rows(&place, query)[1][0]);
    let told = place.json(&query);
    assert!(told["value"].is_null(), "{told}");
    let solved = query.replace("query everyply.db", "connect4 --size 5x5");
    holds(&told["bounds"], &json_alone(&solved)["value"], false);
    let text = contains("value      not known; proved: ").and(contains("between").not());
    place.run(&query).success().stdout(text);
    let mut bounded = 0;
    let query = "SELECT DISTINCT moves(game_id, key) FROM bound LIMIT 200";
    let lines = sql_rows(&place, query);
    // The positions before those that have bounds.
    let before: std::collections::BTreeSet<_> =
        lines[1..].iter().map(|row| &row[0][..row[0].len().saturating_sub(1)]).collect();
    for moves in before {
        let asked = place.run(&format!("query everyply.db {moves} --json"));
        let Ok(told) = serde_json::from_slice::<Value>(&asked.get_output().stdout) else {
            continue;
        };
        for m in rows(&told, "values").iter().filter(|m| m["bounds"].is_object()) {
            bounded += 1;
            assert!(m["outcome"].is_null(), "{told}");
            // The bounds are for the side that makes the move.
            let solved = json_alone(&format!("connect4 {moves}{} --size 5x5", m["move"]));
            holds(&m["bounds"], &solved["value"], true);
        }
    }
    assert!(bounded > 0);
}

#[test]
fn wrong_questions_are_refused() {
    let place = book(2);
    place.run("solve connect4 --size 4x4 --out 4x4.solution").success();
    for (arguments, code, said) in [
        ("query nowhere 1", 1, "nowhere: there is no such file; `analyze GAME`"),
        ("verify nowhere", 1, "nowhere: there is no such file; `analyze GAME`"),
        ("query everyply.db 9", 2, "character 1 ('9')"),
        ("query everyply.db 111111", 2, "column 1 is full"),
        ("query everyply.db 1 --size 5x5", 2, "holds connect4 5x4, 4 and nothing else"),
        ("query 4x4.solution 1 --search", 2, "leave out --search"),
        ("query 4x4.solution 1 --size 5x4", 2, "holds connect4 4x4"),
        ("query 4x4.solution 1 --game ttt", 2, "holds connect4 4x4"),
    ] {
        place.refuses(arguments, code, said);
    }
    // A changed row is no answer.
    let sql = "UPDATE position SET sum = sum + 1 WHERE ply = 2";
    place.tamper("everyply.db", sql);
    place.refuses("query everyply.db 12", 1, "checksum");
}
