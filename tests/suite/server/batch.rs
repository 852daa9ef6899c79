//! The list of games, batches of positions, and methods that an address does not have.

use serde_json::{Value, json};

use super::Server;
use crate::command_line::valued_moves;
use crate::support::Place;

fn lines(server: &Server, query: &str, body: &str) -> Vec<Value> {
    let (status, text) = server.post(&format!("/api/v1/positions?{query}"), body);
    assert_eq!(status, 200, "{query}: {text}");
    super::lines(&text)
}

#[test]
fn games_are_listed_with_their_options() {
    let server = Server::start(&[]);
    let told = server.json("/api/v1/games");
    let games = told["games"].as_array().unwrap();
    let nim = games.iter().find(|game| game["game"] == "nim").unwrap();
    let misere = nim["options"].as_array().unwrap().iter().find(|o| o["name"] == "misere");
    assert_eq!(misere.unwrap()["kind"], "rule");
    for game in games {
        let word = game["game"].as_str().unwrap();
        let position = server.json(&format!("/api/v1/reply?game={word}&level=beginner"));
        assert!(game["first_moves"].as_array().unwrap().contains(&position["move"]), "{word}");
    }
    // The error for an unknown name lists all names.
    let (status, said) = server.get("/api/v1/position?game=chess");
    let is_named = |game: &Value| said.contains(game["game"].as_str().unwrap());
    assert!(status == 400 && games.iter().all(is_named), "{said}");
}

#[test]
fn batches_have_the_values_of_single_positions_in_their_order() {
    let server = Server::start(&[]);
    let moves = [
        "44444326",
        "444443264",
        "4444432643",
        "44455554221",
        "44444326435",
        "7777",
        "9",
        "4453",
        "2252576253462244111563365343671351441",
        "121212",
    ];
    let body = json!({"moves": moves}).to_string();
    let told = lines(&server, "game=connect4&all-moves=true", &body);
    assert_eq!(told.len(), moves.len());
    for (text, line) in moves.iter().zip(&told) {
        assert_eq!(line["moves"], *text);
        let query = format!("/api/v1/position?game=connect4&moves={text}&all-moves=true");
        let (status, single) = server.get(&query);
        let single: Value = serde_json::from_str(&single).unwrap();
        if status == 400 {
            assert_eq!(line["error"], single["error"]);
            continue;
        }
        assert_eq!(line["value"]["outcome"], single["value"]["outcome"], "{text}");
        assert_eq!(line["value"]["remoteness"], single["value"]["remoteness"], "{text}");
        assert_eq!(line["best"], single["best"], "{text}");
        assert_eq!(valued_moves(line), valued_moves(&single), "{text}");
    }
    // By keys, and in a game that is not solved by a search.
    let hexapawn = lines(&server, "game=hexapawn&best=true", r#"{"moves": ["", "a1a2", "b1b2"]}"#);
    assert_eq!(hexapawn[0]["value"], json!({"outcome": "loss", "remoteness": 6}));
    assert_eq!(hexapawn[0]["source"], "solver");
    let nim = lines(&server, "game=nim&position=1,2", r#"{"moves": ["2-1", "2-2"]}"#);
    assert_eq!(nim[0]["value"]["outcome"], "loss");
    assert_eq!(nim[1]["value"]["outcome"], "win");
    let place = Place::new();
    place.run("ttt --csv .").success();
    let rows = place.table("ttt-solution.csv");
    let keys: Vec<u64> = rows.iter().map(|row| row["key"].parse().unwrap()).collect();
    let told = lines(&server, "game=ttt", &json!({"keys": keys}).to_string());
    assert_eq!(told.len(), rows.len());
    for (row, line) in rows.iter().zip(&told) {
        assert_eq!(line["value"]["outcome"], row["outcome"], "{line}");
    }
    let refused = lines(&server, "game=ttt", &json!({"keys": [u64::MAX]}).to_string());
    assert!(refused[0]["error"].as_str().unwrap().starts_with("key 18446744073709551615: "));
}

#[test]
fn batches_end_in_time_with_a_line_for_every_position() {
    let server = Server::start(&["--limit", "0.3"]);
    let hard = json!({"moves": vec![""; 40]}).to_string();
    let told = lines(&server, "game=connect4&size=8x8", &hard);
    assert_eq!(told.len(), 40);
    assert!(told.iter().all(|line| line["value"].is_null() && line["error"].is_null()));
    // Values that need no search are in the answer all the same.
    let told = lines(&server, "game=connect4&timeout=0.001", r#"{"moves": ["44", "45"]}"#);
    assert_eq!(told[1]["source"], "opening book");
}

#[test]
fn batches_beyond_the_limits_are_refused() {
    let server = Server::start(&[]);
    let many = json!({"moves": vec![""; 10_001]}).to_string();
    let long = "x".repeat((1 << 20) + 1);
    for (query, body, status, said) in [
        ("game=ttt", &many[..], 400, "10001 positions are too many: at most 10000"),
        ("game=ttt", &long, 413, "longer than 1048576 bytes"),
        ("game=ttt", "", 400, "{\\\"moves\\\": [\\\"4453\\\", ...]}"),
        ("game=ttt", r#"{"boards": []}"#, 400, "expected `moves` or `keys`"),
        ("game=ttt", r#"{"keys": [-1]}"#, 400, "line 1 column"),
        ("game=ttt&moves=1", r#"{"moves": []}"#, 400, "give the positions in the body"),
        ("game=ttt&outcome-only=true", r#"{"moves": []}"#, 400, "unexpected parameter"),
        ("", r#"{"moves": []}"#, 400, "the parameter 'game' is missing"),
    ] {
        let (found, text) = server.post(&format!("/api/v1/positions?{query}"), body);
        assert!(found == status && text.contains(said), "{query}: {found} {text}");
    }
}

#[test]
fn a_wrong_method_is_answered_with_those_that_are_possible() {
    let server = Server::start(&[]);
    for (method, target, allowed) in [
        ("GET", "/api/v1/positions", "POST"),
        ("POST", "/api/v1/position", "GET,HEAD"),
        ("DELETE", "/", "GET,HEAD"),
    ] {
        let request = server.request(target).replacen("GET", method, 1);
        let head = server.whole_answer(&request);
        assert!(head.starts_with("HTTP/1.1 405"), "{head}");
        let allow = format!("allow: {}", allowed.to_lowercase());
        assert!(head.to_lowercase().contains(&allow), "{head}");
        assert!(head.contains("application/json") && head.contains("\"error\""), "{head}");
    }
}
