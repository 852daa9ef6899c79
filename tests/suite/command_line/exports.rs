//! `analyze export`: which game of a database is exported.

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::Place;

#[test]
fn every_option_of_a_game_chooses_among_its_games() {
    let place = Place::new();
    for game in [
        "morris --men 3",
        "morris --men 3 --flying",
        "misere4 --size 3x3 --line 3",
        "popout --size 3x3 --line 3",
        "popout --size 3x3 --line 3 --misere",
    ] {
        place.run(&format!("{game} --db m.db")).success();
    }
    for (options, game) in [
        ("--flying", "Three men's morris, flying"),
        ("--misere", "PopOut 3x3, 3 in a row, a line loses"),
        ("--game popout --misere --line 3", "PopOut 3x3, 3 in a row, a line loses"),
    ] {
        let text = place.output(&format!("verify m.db --sample 0 {options}"));
        assert!(text.contains(game) && text.matches("rows").count() < 4, "{options}: {text}");
    }
    let out = "--out m.csv --format csv";
    place.refuses(
        &format!("export m.db {out} --game popout"),
        2,
        "popout 3x3, 131: --game popout --size 3x3 --line 3 --misere",
    );
    place.run(&format!("export m.db {out} --game popout --misere")).success();
    place.run(&format!("export m.db {out} --game popout --flying")).code(2);
}

#[test]
fn a_database_that_is_missing_or_damaged_is_not_exported() {
    let place = Place::new();
    place.refuses("export none.db --format csv", 1, "none.db");
    place.run("ttt 15").success();
    let change = "UPDATE position SET outcome = -1 WHERE ply = 2";
    place.tamper("everyply.db", change);
    let refused = contains("everyply.db").and(contains("fails its checksum"));
    place.run("export everyply.db --format csv").code(1).stdout("").stderr(refused);
    place.refuses("export everyply.db --csv out", 2, "`analyze sql`");
    assert_eq!(place.entries(), ["everyply.db"]);
}

#[test]
fn what_is_asked_settles_which_game_is_exported() {
    let place = Place::new();
    place.run("ttt").success();
    place.run("book connect4 --size 4x4 --plies 9 --table-size 1").success();
    place.run("nim 3,4").success();
    let exported = |arguments: &str| {
        let document = place.json(&format!("export everyply.db {arguments}"));
        format!("{} {}", document["game"].as_str().unwrap(), document["board"])
    };
    // A format that only one game has.
    assert_eq!(exported("--format pons"), "connect4 \"4x4\"");
    // Among the boards of one game, the usual one.
    place.run("connect4 44455554221").success();
    assert_eq!(exported("--format csv --game connect4"), "connect4 \"7x6\"");
    // If several remain, the error lists them.
    let listed = contains("several games").and(contains("ttt 3x3")).and(contains("nim"));
    place.run("export everyply.db --format csv").code(2).stdout("").stderr(listed);
}

/// A way to each of many positions takes far more time than their solution by rank.
#[test]
fn rows_of_a_large_game_with_ranks_have_no_ways() {
    let place = Place::new();
    for (game, has_ways) in [("dao", false), ("morris --men 3", true)] {
        place.run(&format!("{game} --db d.db")).success();
        place.run(&format!("solve {game} --out d.solution")).success();
        for file in ["d.db", "d.solution"] {
            place
                .run(&format!("export {file} --format jsonl --remoteness 9 --out d.jsonl"))
                .success();
            let rows = place.text("d.jsonl");
            let with_ways = rows.lines().filter(|row| !row.contains("\"moves\":null")).count();
            assert_eq!(with_ways > 0, has_ways, "{game} in {file}: {with_ways}");
        }
        std::fs::remove_file(place.path("d.db")).unwrap();
    }
}
