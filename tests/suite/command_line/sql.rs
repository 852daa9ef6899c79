//! `analyze sql`, the view `solution`, and the queries of the documentation.

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::support::Place;

/// The database that the documentation's queries are about.
fn documented() -> Place {
    let place = Place::new();
    for command in
        ["ttt", "connect4 --size 4x4", "book connect4 --size 5x4 --plies 5 --table-size 1", "pong"]
    {
        place.run(command).success();
    }
    place
}

fn sql(place: &Place, query: &str, arguments: &[&str]) -> assert_cmd::assert::Assert {
    place.analyze().args(["sql", "everyply.db", query]).args(arguments).assert()
}

fn rows(place: &Place, query: &str) -> Vec<Value> {
    let told = sql(place, query, &["--json"]).success().stderr("");
    serde_json::from_slice(&told.get_output().stdout).expect("one JSON document")
}

#[test]
fn the_queries_of_the_documentation_have_answers() {
    let place = documented();
    let page = include_str!("../../../docs/databases.md");
    let queries: Vec<&str> = page
        .split("```sql\n")
        .skip(1)
        .map(|rest| rest.split("```").next().expect("the block has an end"))
        .collect();
    assert_eq!(queries.len(), 10);
    for query in queries {
        assert!(!rows(&place, query).is_empty(), "{query}");
        sql(&place, query, &[]).success();
        sql(&place, query, &["--format", "csv"]).success();
    }
}

#[test]
fn the_view_explains_itself_without_this_program() {
    let place = documented();
    let connection = rusqlite::Connection::open(place.path("everyply.db")).unwrap();
    let text: String = connection
        .query_row("SELECT sql FROM sqlite_schema WHERE name = 'solution'", [], |row| row.get(0))
        .unwrap();
    for word in ["-- Plies to the end", "`bound`", "`run`", "analyze sql"] {
        assert!(text.contains(word), "{word}");
    }
    let query = "SELECT game, size, ply, to_move, outcome, remoteness, best FROM solution
                 WHERE game = 'ttt' AND ply <= 1 ORDER BY ply, key";
    let mut statement = connection.prepare(query).unwrap();
    let mut found = statement.query([]).unwrap();
    let mut told = Vec::new();
    while let Some(row) = found.next().unwrap() {
        let text = |i| row.get::<_, String>(i).unwrap();
        let numbers = (row.get::<_, i64>(2).unwrap(), row.get::<_, i64>(5).unwrap());
        let (ply, remoteness) = numbers;
        told.push(format!(
            "{} {} {ply} {} {} {remoteness} {}",
            text(0),
            text(1),
            text(3),
            text(4),
            text(6)
        ));
    }
    assert_eq!(
        told,
        [
            "ttt 3x3 0 X draw 9 1 2 3 4 5 6 7 8 9",
            "ttt 3x3 1 O draw 8 5",
            "ttt 3x3 1 O draw 8 1 3 5 8",
            "ttt 3x3 1 O draw 8 1 3 7 9",
        ]
    );
    // A finished game has no best move, a game of another kind no numbers for them.
    let count = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0)).unwrap();
    assert!(count("SELECT count(*) FROM solution WHERE best = '' AND remoteness = 0") > 0);
    assert!(count("SELECT count(*) FROM solution WHERE game = 'pong' AND best IS NULL") > 0);
    assert_eq!(count("SELECT count(*) FROM solution WHERE game = 'pong' AND best IS NOT NULL"), 0);
}

#[test]
fn positions_are_drawn_played_to_and_scored() {
    let place = documented();
    let found = rows(
        &place,
        "SELECT board(game, key) AS board, moves('ttt', key) AS moves FROM solution
         WHERE game = 'ttt' AND ply = 2 AND best = '4 5 7'",
    );
    assert_eq!(found, [json!({"board": "XO./.../...", "moves": "12"})]);
    let query = "SELECT moves(game_id, key) AS moves, board(game_id, key) AS board FROM solution
                 WHERE game = 'pong'";
    for row in rows(&place, query) {
        let moves = row["moves"].as_str().expect("play reaches every row");
        let command = format!("pong {moves} --no-db --json").replace("  ", " ");
        let told = place.run(&command).success();
        let told: Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
        assert_eq!(told["position"], row["board"]);
    }
    // The score is that of the solver.
    let scored = rows(
        &place,
        "SELECT moves(game_id, key) AS moves, score(game_id, ply, outcome, remoteness) AS score
         FROM solution WHERE size = '5x4' AND ply IN (3, 4) AND remoteness > 0 LIMIT 20",
    );
    for row in scored {
        let moves = row["moves"].as_str().unwrap();
        let told = place.run(&format!("connect4 {moves} --size 5x4 --no-db --json")).success();
        let told: Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
        assert_eq!(told["score"], row["score"], "{moves}");
    }
    assert_eq!(rows(&place, "SELECT score('ttt', 0, 'draw', 9) AS s"), [json!({"s": null})]);
    assert_eq!(
        rows(
            &place,
            "SELECT score(game_id, 4, 1, 3) AS s FROM solution WHERE size = '5x4' LIMIT 1"
        ),
        [json!({"s": 7})]
    );
}

#[test]
fn rows_are_a_table_csv_or_json() {
    let place = documented();
    let query = "SELECT ply, outcome AS \"the outcome\", NULL AS n, 'a,\"b' AS t FROM solution
                 WHERE game = 'ttt' AND ply = 0";
    let table = "\
ply  the outcome  n     t
  0         draw     a,\"b
";
    sql(&place, query, &[]).success().stdout(table).stderr("");
    let csv = "ply,the outcome,n,t\n0,draw,,\"a,\"\"b\"\n";
    sql(&place, query, &["--format", "csv"]).success().stdout(csv);
    let json = "[\n{\"ply\":0,\"the outcome\":\"draw\",\"n\":null,\"t\":\"a,\\\"b\"}\n]\n";
    sql(&place, query, &["--format", "json"]).success().stdout(json);
    // Lists are as the query has them, unlike in data sets.
    let lists = "SELECT best, '[' || best || ']' AS list FROM solution
                 WHERE game = 'ttt' AND ply = 2 AND best = '4 5 7'";
    sql(&place, lists, &["--format", "csv"]).success().stdout("best,list\n4 5 7,[4 5 7]\n");
    let none = "SELECT ply FROM solution WHERE ply > 64";
    sql(&place, none, &[]).success().stdout("ply\n");
    sql(&place, none, &["--format", "csv"]).success().stdout("ply\n");
    sql(&place, none, &["--json"]).success().stdout("[]\n");
}

#[test]
fn what_is_wrong_with_a_query_is_said() {
    let place = documented();
    let bytes = place.read("everyply.db");
    for (query, said) in [
        ("SELECT wins FROM solution", "QUERY: no such column: wins (character 8)"),
        ("SELEKT 1", "QUERY: near \"SELEKT\": syntax error (character 1)"),
        ("", "QUERY: "),
        ("DELETE FROM position", "QUERY: it is not a statement that reads rows"),
        ("DROP VIEW solution", "QUERY: it is not a statement that reads rows"),
        ("UPDATE run SET threads = 1 RETURNING id", "QUERY: it is not a statement that reads rows"),
        ("VACUUM INTO 'copy.db'", "QUERY: it is not a statement that reads rows"),
        ("ATTACH 'other.db' AS other", "QUERY: it is not a statement that reads rows"),
        ("PRAGMA journal_mode = delete", "QUERY: it is not a statement that reads rows"),
        ("SELECT 1; SELECT 2", "QUERY: it has several statements"),
        ("SELECT ?1", "QUERY: it has a parameter"),
        ("SELECT board('chess', 1)", "QUERY: board: this file has no game 'chess'"),
        ("SELECT board(99, 1)", "QUERY: board: no game of this file has the id 99"),
        (
            "SELECT board('ttt', 3 * key + 2) FROM solution WHERE key = 0",
            "is the key of no position",
        ),
        ("SELECT moves('connect4', 1)", "'connect4' has several boards: give a game_id"),
        ("SELECT score('ttt', 1)", "wrong number of arguments to function score()"),
        ("SELECT score(2, 1, 'won', 3)", "an outcome is 'win', 'draw' or 'loss'"),
    ] {
        sql(&place, query, &[]).code(2).stdout("").stderr(contains(said));
    }
    assert_eq!(place.entries(), ["everyply.db"]);
    assert!(place.read("everyply.db") == bytes);
    let missing = place.analyze().args(["sql", "none.db", "SELECT 1"]).assert();
    missing.code(1).stderr(contains("none.db does not exist"));
}

#[test]
fn a_damaged_file_does_not_answer() {
    let place = Place::new();
    place.run("ttt").success();
    let change = "UPDATE position SET outcome = 1 WHERE key = 0";
    rusqlite::Connection::open(place.path("everyply.db")).unwrap().execute_batch(change).unwrap();
    let query = "SELECT count(*) AS n FROM solution";
    sql(&place, query, &[]).code(3).stdout("").stderr(contains("is damaged"));
    sql(&place, query, &["--unchecked"]).success().stdout(contains("765"));
}

#[test]
fn a_file_without_the_view_shows_it_and_gets_it_by_the_next_run() {
    let place = Place::new();
    place.run("ttt").success();
    let open = || rusqlite::Connection::open(place.path("everyply.db")).unwrap();
    let views = || -> i64 {
        open()
            .query_row("SELECT count(*) FROM sqlite_schema WHERE type = 'view'", [], |row| {
                row.get(0)
            })
            .unwrap()
    };
    open().execute_batch("DROP VIEW solution; VACUUM").unwrap();
    let query = "SELECT count(*) AS n FROM solution";
    sql(&place, query, &["--json"]).success().stdout("[\n{\"n\":765}\n]\n");
    assert_eq!(views(), 0);
    place.run("query everyply.db 15").success();
    assert_eq!(views(), 0);
    place.run("ttt").success();
    assert_eq!(views(), 1);
    // Another view of that name is not taken for ours, and replaced by the next run.
    open().execute_batch("DROP VIEW solution; CREATE VIEW solution AS SELECT 1").unwrap();
    sql(&place, query, &["--json"]).success().stdout("[\n{\"n\":765}\n]\n");
    place.run("ttt").success();
    let text: String = open()
        .query_row("SELECT sql FROM sqlite_schema WHERE name = 'solution'", [], |row| row.get(0))
        .unwrap();
    assert!(text.contains("only the rules say"), "{text}");
}

#[test]
fn games_of_other_kinds_have_best_moves_and_sides_where_the_rules_tell() {
    let place = Place::new();
    place.run("hexapawn").success();
    place.run("nim 1,2").success();
    place.run("dots --size 1x1").success();
    place.run("pong").success();
    // As `query` says it, for every position.
    for game in ["hexapawn", "nim"] {
        let query = format!(
            "SELECT moves(game_id, key) AS moves, board(game_id, key) AS board,
                    to_move(game_id, key) AS to_move,
                    best_moves(game_id, key, position.best) AS best
             FROM solution JOIN position USING (game_id, key)
             WHERE game = '{game}' AND position.remoteness > 0 ORDER BY solution.ply, key"
        );
        let found = rows(&place, &query);
        assert!(found.len() > 3, "{game}");
        for row in found.iter().take(20) {
            let text = if game == "nim" { &row["board"] } else { &row["moves"] };
            let text = text.as_str().unwrap();
            let told = place.run(&format!("query everyply.db {text} --game {game} --json"));
            let told: Value = serde_json::from_slice(&told.success().get_output().stdout).unwrap();
            let best: Vec<&str> =
                told["best"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
            assert_eq!(row["best"], best.join(" "), "{text}");
            // Moves alternate in hexapawn; in nim either side may be to move.
            let played = text.split(',').filter(|m| !m.is_empty()).count();
            let side = if game == "nim" { json!(null) } else { json!(["X", "O"][played % 2]) };
            assert_eq!(row["to_move"], side, "{text}");
        }
    }
    let over = "SELECT DISTINCT best_moves(game_id, key, best) AS best FROM position
                WHERE remoteness = 0";
    assert_eq!(rows(&place, over), [json!({"best": ""})]);
    let sides = "SELECT game, group_concat(DISTINCT to_move(game_id, key)) AS sides FROM solution
                 GROUP BY game ORDER BY game";
    assert_eq!(
        rows(&place, sides),
        [
            json!({"game": "dots", "sides": null}),
            json!({"game": "hexapawn", "sides": "X,O"}),
            json!({"game": "nim", "sides": null}),
            json!({"game": "pong", "sides": "X,O"}),
        ]
    );
    // Plain SQL does not know, and says so.
    let connection = rusqlite::Connection::open(place.path("everyply.db")).unwrap();
    let known = "SELECT count(best) + count(to_move) FROM solution";
    assert_eq!(connection.query_row(known, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    let refused = "SELECT best_moves('nim', 1, 'x')";
    sql(&place, refused, &[]).code(2).stderr(contains("best_moves: its third argument"));
}

#[cfg(unix)]
#[test]
fn a_long_query_is_broken_off() {
    use std::time::{Duration, Instant};
    let place = Place::new();
    place.run("ttt").success();
    let query = "SELECT count(*) FROM position a, position b, position c, position d";
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_analyze"))
        .args(["sql", "everyply.db", query])
        .current_dir(place.directory())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let asked = Instant::now();
    // SAFETY: the process is ours and not yet waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let ended = child.wait().unwrap();
    assert_eq!(ended.code(), Some(130));
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_query() {
    let place = Place::new();
    place.run("ttt").success();
    let query = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    let command =
        format!("'{}' sql everyply.db '{query}' | head -n 3", env!("CARGO_BIN_EXE_analyze"));
    let told = assert_cmd::Command::new("sh")
        .args(["-c", &command])
        .current_dir(place.directory())
        .timeout(std::time::Duration::from_secs(60))
        .assert();
    told.success().stdout(predicate::str::ends_with("\n   2\n"));
}
