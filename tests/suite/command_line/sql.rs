//! `analyze sql`, the view `solution`, and the queries of the documentation.

use predicates::str::contains;
use serde_json::{Value, json};

use crate::support::{Place, signal};

fn sql(place: &Place, query: &str) -> assert_cmd::assert::Assert {
    place.analyze().args(["sql", "everyply.db", query]).assert()
}

/// The rows of an answer, the header first.
pub(super) fn rows(place: &Place, query: &str) -> Vec<Vec<String>> {
    let answer = sql(place, query).success().stderr("");
    let mut csv =
        csv::ReaderBuilder::new().has_headers(false).from_reader(&answer.get_output().stdout[..]);
    let row = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
    csv.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn the_queries_of_the_documentation_have_answers() {
    let place = Place::new();
    for command in
        ["ttt", "connect4 --size 4x4", "book connect4 --size 5x4 --plies 5 --table-size 1"]
    {
        place.run(command).success();
    }
    let page = include_str!("../../../docs/databases.md");
    let queries: Vec<&str> =
        page.split("```sql\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(queries.len() > 4);
    for query in queries {
        assert!(rows(&place, query).len() > 1, "{query}");
    }
}

#[test]
fn values_are_csv_and_null_is_empty() {
    let place = Place::new();
    place.run("ttt").success();
    let query =
        "SELECT ply, outcome AS \"the outcome\", NULL AS n, 'a,\"b' AS t, 0.5 AS r, x'0aff' AS b
                 FROM solution WHERE ply = 0";
    let csv = "ply,the outcome,n,t,r,b\n0,draw,,\"a,\"\"b\",0.5,0aff\n";
    sql(&place, query).success().stdout(csv);
    sql(&place, "SELECT ply FROM solution WHERE ply > 64").success().stdout("ply\n");
}

#[test]
fn keys_become_readable_by_the_rules_of_their_game() {
    let place = Place::new();
    for game in ["ttt", "hexapawn", "nim 1,2", "dots --size 1x1"] {
        place.run(game).success();
    }
    let drawn = "SELECT board(game, key), moves('ttt', key) FROM solution
                 WHERE game = 'ttt' AND ply = 2 AND best = '4 5 7'";
    assert_eq!(rows(&place, drawn)[1], ["XO./.../...", "12"]);
    // As `query` prints it.
    for game in ["ttt", "hexapawn", "nim"] {
        let query = format!(
            "SELECT moves(game_id, key), board(game_id, key), to_move(game_id, key),
                    best_moves(game_id, key, position.best)
             FROM solution JOIN position USING (game_id, key)
             WHERE game = '{game}' AND position.remoteness > 0 ORDER BY solution.ply, key LIMIT 9"
        );
        for row in &rows(&place, &query)[1..] {
            let text = if game == "nim" { &row[1] } else { &row[0] };
            let answer = place.json(&format!("query everyply.db {text} --game {game}"));
            let name = |m: &Value| m.to_string().replace('"', "");
            let best: Vec<String> = answer["best"].as_array().unwrap().iter().map(name).collect();
            assert_eq!(row[3], best.join(" "), "{game} {text}");
            let side = if row[2].is_empty() { Value::Null } else { json!(row[2]) };
            assert_eq!(answer["to_move"], side, "{game} {text}");
        }
    }
    let sides = "SELECT game, group_concat(DISTINCT to_move(game_id, key)) FROM solution
                 GROUP BY game ORDER BY game";
    let sides: Vec<_> = rows(&place, sides)[1..].iter().map(|row| row.join(" ")).collect();
    assert_eq!(sides, ["dots ", "hexapawn X,O", "nim ", "ttt X,O"]);
}

#[test]
fn what_is_wrong_with_a_query_is_said() {
    let place = Place::new();
    place.run("ttt").success();
    place.run("ttt --size 3x2").success();
    let bytes = place.read("everyply.db");
    for (query, said) in [
        ("SELECT wins FROM solution", "QUERY: no such column: wins"),
        ("SELEKT 1", "QUERY: near \"SELEKT\": syntax error"),
        ("", "QUERY: it is not a statement that reads rows"),
        ("DELETE FROM position", "QUERY: it is not a statement that reads rows"),
        ("UPDATE run SET threads = 1 RETURNING id", "QUERY: it is not a statement that reads rows"),
        ("VACUUM INTO 'copy.db'", "QUERY: it is not a statement that reads rows"),
        ("ATTACH 'other.db' AS other", "QUERY: it is not a statement that reads rows"),
        ("SELECT 1; SELECT 2", "QUERY: "),
        ("SELECT ?1", "QUERY: "),
        ("SELECT board('chess', 1)", "QUERY: board: this file has no game"),
        ("SELECT board(99, 1)", "QUERY: board: this file has no game"),
        ("SELECT board(1, 3 * key + 2) FROM solution WHERE key = 0", "is the key of no position"),
        ("SELECT moves('ttt', 1)", "2 games of this name: give a game_id"),
        ("SELECT best_moves(1, 0, 'x')", "QUERY: "),
    ] {
        sql(&place, query).code(2).stdout("").stderr(contains(said));
    }
    assert_eq!(place.entries(), ["everyply.db"]);
    assert!(place.read("everyply.db") == bytes);
    let missing = place.analyze().args(["sql", "none.db", "SELECT 1"]).assert();
    missing.code(1).stderr(contains("none.db: there is no such file"));
}

#[test]
fn a_damaged_file_does_not_answer() {
    let place = Place::new();
    place.run("ttt").success();
    let change = "UPDATE position SET outcome = 1 WHERE key = 0";
    place.tamper("everyply.db", change);
    let query = "SELECT count(*) FROM solution";
    sql(&place, query).code(3).stdout("").stderr(contains("is damaged"));
    let unchecked = place.analyze().args(["sql", "everyply.db", query, "--unchecked"]).assert();
    unchecked.success().stdout(contains("765"));
}

#[cfg(unix)]
#[test]
fn a_long_query_is_broken_off_by_a_signal_and_by_a_reader_that_has_seen_enough() {
    use std::time::{Duration, Instant};
    let place = Place::new();
    place.run("ttt").success();
    let query = "SELECT count(*) FROM position a, position b, position c, position d";
    let mut child = place.background("sql everyply.db").arg(query).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let asked = Instant::now();
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());

    let query = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    let command =
        format!("'{}' sql everyply.db '{query}' | head -n 3", env!("CARGO_BIN_EXE_analyze"));
    let head = assert_cmd::Command::new("sh")
        .args(["-c", &command])
        .current_dir(place.directory())
        .timeout(Duration::from_secs(60))
        .assert();
    head.success().stdout("i\n1\n2\n");
}
