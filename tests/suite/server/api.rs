//! Answers of the API.

use serde_json::{Value, json};

use super::Server;
use crate::support::{Place, stderr};

/// Compares the documents of an address and of a command, by query and arguments: the fields that
/// both have, except the work and the source of a value.
fn are_alike(server: &Server, address: &str, command: &str, questions: &[(&str, &str)]) {
    let place = Place::new();
    let of_work = ["elapsed_s", "threads", "source", "stats", "bounds"];
    for (query, arguments) in questions {
        let served = server.json(&format!("/api/v1/{address}?{query}"));
        let printed = place.json(&format!("{command}{arguments}"));
        let printed = printed.as_object().unwrap();
        for (name, value) in printed.iter().filter(|(name, _)| !of_work.contains(&&name[..])) {
            match (&name[..], served.get(name)) {
                ("values", Some(values)) => {
                    let rows = plain(values).into_iter().zip(plain(value));
                    // Either may have more values of moves that were not requested.
                    let is_asked = query.contains("all-moves");
                    let is_known = |(served, printed): &(Value, Value)| {
                        is_asked || !served[1].is_null() && !printed[1].is_null()
                    };
                    rows.filter(is_known).for_each(|(a, b)| assert_eq!(a, b, "{query}"));
                }
                (_, Some(told)) => assert_eq!(told, value, "{query}: {name}"),
                // A command line has a search of its own.
                (_, None) => {
                    let is_asked = !query.contains("outcome-only");
                    assert!(!is_asked || SEARCH.contains(&&name[..]), "{query}: {name}");
                }
            }
        }
    }
}

const SEARCH: [&str; 5] = ["depth", "exact", "table_mib", "nodes_per_s", "value_elapsed_s"];

/// The values of moves in the fields of the command line, without their sources and the work.
fn plain(values: &Value) -> Vec<Value> {
    let row =
        |row: &Value| ["move", "outcome", "remoteness", "score"].map(|name| row[name].clone());
    values.as_array().unwrap().iter().map(|m| Value::from(row(m).to_vec())).collect()
}

#[test]
fn positions_are_the_documents_of_the_command_line() {
    const LOW: &str = "......./......./......./......./......./...X...";
    let [query, arguments] = [
        format!("game=connect4&board={LOW}&size=7x6&outcome-only=true"),
        format!("connect4 --outcome-only --board {LOW} --no-db"),
    ];
    let questions = [
        ("game=connect4&size=7x6&moves=44444326", "connect4 44444326 --no-db"),
        ("game=connect4&moves=44444326&all-moves=true", "connect4 44444326 --all-moves --no-db"),
        ("game=connect4&moves=4455&outcome-only=true", "connect4 4455 --outcome-only --no-db"),
        ("game=connect4&size=5x4&line=3", "connect4 --size 5x4 --line 3 --no-db"),
        (&query, &arguments),
        ("game=ttt", "ttt --no-db"),
        ("game=ttt&moves=159&scoring=inverse-depth", "ttt 159 --scoring inverse-depth --no-db"),
        ("game=ttt&board=X.O/.X./..O", "ttt --board X.O/.X./..O --no-db"),
        ("game=ttt&size=4x3&line=3", "ttt --size 4x3 --line 3 --no-db"),
    ];
    are_alike(&Server::start(&[]), "position", "", &questions);
}

#[test]
fn why_is_the_document_of_explain() {
    let server = Server::start(&[]);
    let questions = [
        ("game=connect4&moves=4444443265555532333226762", "connect4 4444443265555532333226762"),
        ("game=connect4&size=5x6", "connect4 --size 5x6"),
        ("game=connect4&moves=1212121", "connect4 1212121"),
        ("game=ttt&moves=1259", "ttt 1259"),
        ("game=ttt&board=X.O/.X./..O", "ttt --board X.O/.X./..O"),
        ("game=nim&position=1,2,3", "nim 1,2,3"),
    ];
    are_alike(&server, "why", "explain ", &questions);
    for (query, said) in [
        ("game=connect4&moves=4444444", "column 4 is full"),
        ("game=connect4&size=9x8", "no plans on boards of more than 64 bits"),
        ("game=ttt&size=6x6&line=4", "more than 2,000,000 positions"),
        ("game=connect4&plan=1", "plan"),
    ] {
        server.refuses(&format!("/api/v1/why?{query}"), said);
    }
}

#[test]
fn scores_of_all_columns_as_scripts_expect_them() {
    let server = Server::start(&[]);
    assert_eq!(
        server.json("/solve?pos=44455554221"),
        json!({"pos": "44455554221", "score": [-15, -15, -15, -15, -15, -15, -15]})
    );
    // Column 4 is full; after four in a row no column can be played.
    let told = server.json("/solve?pos=4444442255");
    assert_eq!(told["score"][3], 100);
    assert_eq!(server.json("/solve?pos=1212121")["score"], json!(vec![100; 7]));
    server.refuses("/solve?pos=4444444", "move 7 ('4', character 7): column 4 is full");
}

/// A message of the command line with the names of parameters in place of options.
fn with_names_of_parameters(said: &str) -> String {
    let said = said.strip_prefix("--size 9x9: ").unwrap_or(said);
    let options = [
        ("POSITION", "moves"),
        ("--board", "board"),
        ("--size <WxH>", "size"),
        ("--line <K>", "line"),
        ("--timeout <SECONDS>", "timeout"),
    ];
    options.iter().fold(said.to_owned(), |said, (option, name)| said.replace(option, name))
}

#[test]
fn input_is_refused_in_the_words_of_the_command_line() {
    let server = Server::start(&[]);
    let place = Place::new();
    for (query, arguments) in [
        ("game=connect4&moves=44x", "connect4 44x"),
        ("game=connect4&moves=4444444", "connect4 4444444"),
        ("game=ttt&moves=142539", "ttt 142539"),
        ("game=ttt&board=XX./.../...", "ttt --board XX./.../..."),
        ("game=ttt&size=9x9", "ttt --size 9x9"),
        ("game=ttt&size=3", "ttt --size 3"),
        ("game=connect4&size=0x4", "connect4 --size 0x4"),
        ("game=connect4&line=0", "connect4 --line 0"),
        ("game=connect4&timeout=0", "connect4 --timeout 0"),
    ] {
        let (status, body) = server.get(&format!("/api/v1/position?{query}"));
        assert_eq!(status, 400, "{query}");
        let told: Value = serde_json::from_str(&body).unwrap();
        let told = told["error"].as_str().unwrap();
        let said = stderr(&place.run(&format!("{arguments} --no-db")).code(2));
        let said = said.strip_prefix("error: ").unwrap().lines().next().unwrap();
        let said = with_names_of_parameters(said);
        // For a number out of range the parser of options has its own message.
        let same = told == said || (query.contains("line=0") && said.starts_with(&told[..30]));
        assert!(same, "{query}: {told:?} is not {said:?}");
    }
    for query in ["", "game=chess", "game=ttt&moves=1&board=x", "game=ttt&game=ttt", "game=ttt&x=1"]
    {
        assert_eq!(server.get(&format!("/api/v1/position?{query}")).0, 400, "{query}");
    }
    assert_eq!(server.get("/api/v2/position?game=ttt").0, 404);
}

#[test]
fn a_request_that_takes_too_long_gets_what_is_proved() {
    let server = Server::start(&["--limit", "0.3"]);
    let told = server.json("/api/v1/position?game=connect4&size=8x7");
    assert_eq!(told["interrupted"], true);
    assert!(told["value"].is_null() && told["bounds"]["worst"]["outcome"].is_string());
    let told = server.json("/api/v1/position?game=ttt&size=5x5&line=4&timeout=0.1");
    assert_eq!(told["interrupted"], true);
    let told = server.json("/solve?pos=");
    assert!(told["partial"] == true || told["score"][3] == 1);
    let lines = server.watch("game=connect4&size=8x7&timeout=0.2");
    let last = lines.last().unwrap();
    assert_eq!((&last["done"], &last["interrupted"]), (&json!(true), &json!(true)));
    // The machine moves all the same.
    let told = server.json("/api/v1/reply?game=connect4&size=8x7&level=perfect");
    assert!(told["move"].is_u64());
}

#[test]
fn values_come_line_by_line_and_games_are_judged() {
    let server = Server::start(&[]);
    let lines = server.watch("game=connect4&moves=44444326435");
    let all = server.json("/api/v1/position?game=connect4&moves=44444326435&all-moves=true");
    let mut told = 0;
    for row in all["values"].as_array().unwrap() {
        let line = lines.iter().find(|l| l["move"] == row["move"] && l["outcome"].is_string());
        let line = line.unwrap_or_else(|| panic!("no line for {row}"));
        assert_eq!((&line["outcome"], &line["remoteness"]), (&row["outcome"], &row["remoteness"]));
        told += 1;
    }
    assert_eq!(told, 6);
    let last = lines.last().unwrap();
    assert_eq!(last["best"], all["best"]);
    assert_eq!(last["text"], "O to move: win in 3 plies for O; best is 5.");

    let game = server.json("/api/v1/game?game=ttt&moves=1524");
    assert_eq!(game["interrupted"], false);
    let mistakes: Vec<bool> =
        game["plies"].as_array().unwrap().iter().map(|ply| ply["mistake"] == true).collect();
    // O leaves the row of X open.
    assert_eq!(mistakes, [false, false, false, false, true]);
    let reply = server.json("/api/v1/reply?game=ttt&moves=1524");
    assert_eq!(reply, json!({"move": 3, "moves": "15243", "level": "perfect", "proved": true}));
}

#[test]
fn values_come_from_databases_and_solution_files_where_these_hold_them() {
    let place = Place::new();
    place.run("solve connect4 --size 4x4 --out 4x4.solution").success();
    place.run("ttt --size 4x3 --line 4 --db ttt.db").success();
    let files = ["4x4.solution", "ttt.db"].map(|name| place.path(name));
    let server = Server::of(&files);
    let from = |query: &str| server.watch(query)[0]["source"].clone();
    assert_eq!(from("game=connect4&size=4x4"), "solution file");
    assert_eq!(from("game=ttt&size=4x3&line=4"), "database");
    assert_eq!(from("game=ttt&moves=12"), "solver");
    assert_eq!(from("game=connect4&moves=44"), "opening book");
    // The same values either way.
    let plain = Server::start(&[]);
    let rows = |server: &Server, query: &str| {
        let lines = server.watch(query);
        let mut rows: Vec<String> = lines
            .iter()
            .filter(|line| line["outcome"].is_string())
            .map(|line| format!("{} {} {}", line["move"], line["outcome"], line["remoteness"]))
            .collect();
        rows.sort();
        rows
    };
    for query in ["game=connect4&size=4x4&moves=12", "game=ttt&size=4x3&line=4&moves=1,2"] {
        assert_eq!(rows(&server, query), rows(&plain, query));
    }
    place.run("serve nowhere.db").code(1);
    std::fs::write(place.path("text"), "hello").unwrap();
    place.run("serve text").code(1);
}
