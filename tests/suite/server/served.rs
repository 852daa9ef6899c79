//! Sources of values, boards that are served, and pages.

use serde_json::{Value, json};

use super::Server;
use crate::support::Place;

#[test]
fn what_a_database_holds_is_not_searched_again() {
    let place = Place::new();
    let moves = "44444326435";
    let printed = place.json(&format!("connect4 {moves} --all-moves --db c4.db"));
    assert!(printed["stats"]["nodes"].as_u64().unwrap() > 0, "it takes a search");
    let server = Server::of(&[place.path("c4.db")]);
    for more in ["", "&all-moves=true", "&outcome-only=true"] {
        let query = format!("/api/v1/position?game=connect4&moves={moves}{more}");
        let served = server.json(&query);
        assert_eq!(served["stats"]["nodes"], 0, "{more}");
        assert_eq!(served["source"], "database", "{more}");
        assert_eq!(served["value"]["outcome"], printed["value"]["outcome"], "{more}");
        if more != "&outcome-only=true" {
            for field in ["value", "score", "best", "pv"] {
                assert_eq!(served[field], printed[field], "{field} {more}");
            }
        }
    }
    let reply = server.json(&format!("/api/v1/reply?game=connect4&moves={moves}"));
    assert_eq!(reply["move"], printed["best"][0]);
    // The page contains the values from the start.
    let (_, page) = server.get(&format!("/connect4?moves={moves}"));
    assert!(page.contains("class=\"place v-win best\"") && !page.contains("data-watch"), "{page}");
}

#[test]
fn the_opening_book_answers_and_is_named() {
    let server = Server::start(&["--limit", "5"]);
    let told = server.json("/api/v1/position?game=connect4&moves=44&all-moves=true");
    assert_eq!((&told["source"], &told["interrupted"]), (&json!("opening book"), &json!(false)));
    // Best play leads out of the book; no move does.
    assert!(
        told["values"].as_array().unwrap().iter().all(|row| row["outcome"].is_string()),
        "{told}"
    );
    assert_eq!(server.json("/solve?pos=")["score"], json!([-2, -1, 0, 1, 0, -1, -2]));
    server.shows("/", &["href=\"/connect4?moves=4\"", "win in 41"]);
}

#[test]
fn boards_of_128_bits_are_served() {
    let server = Server::start(&["--limit", "0.5"]);
    for (board, columns) in [("8x8", 8), ("10x8", 10)] {
        let last = format!("data-move=\"{columns}\"");
        server.shows(&format!("/connect4?size={board}&line=4&moves=4"), &[&last]);
        // Far too large for half a second: the answer says so, and what it has is right.
        let told = server.json(&format!("/api/v1/position?game=connect4&size={board}"));
        assert_eq!((&told["interrupted"], &told["value"]), (&json!(true), &Value::Null), "{board}");
        for level in ["perfect", "casual"] {
            let told =
                server.json(&format!("/api/v1/reply?game=connect4&size={board}&level={level}"));
            assert!(told["move"].is_u64() && told["proved"] == false, "{board} {level}: {told}");
        }
    }
    let query = "game=connect4&size=8x8&moves=121212";
    let told = server.json(&format!("/api/v1/position?{query}"));
    assert_eq!(told["value"], json!({"outcome": "win", "remoteness": 1}));
    assert_eq!((&told["best"], &told["pv"]), (&json!([1]), &json!("1")));
    assert_eq!(told["source"], "solver");
    // Lines that the solver does not support are searched.
    let told = server.json("/api/v1/position?game=connect4&size=8x8&line=2");
    assert_eq!(told["value"], json!({"outcome": "win", "remoteness": 3}));
    let over = ["The game is over: X wins.", "winning"];
    server.shows("/connect4?size=8x8&moves=1212121", &over);
    for (query, said) in
        [("size=12x12", "at most 32 columns"), ("size=8x8&moves=111111111", "column 1 is full")]
    {
        server.refuses(&format!("/api/v1/position?game=connect4&{query}"), said);
    }
}

#[test]
fn addresses_that_lead_nowhere_tell_people_and_programs() {
    let server = Server::start(&[]);
    let ask = |target: &str, accept: &str| {
        let mut stream = server.connect();
        let request = server.request(target).replacen("\r\n", &format!("\r\n{accept}"), 1);
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        super::answer(&mut stream)
    };
    let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
    for (target, accept) in [("/foo", browser), ("/foo", ""), ("/game/chess", browser)] {
        let (status, body) = ask(target, accept);
        assert_eq!(status, 404, "{target}");
        assert!(body.starts_with("<!DOCTYPE html>"), "{target}: {body}");
        for link in ["/", "/ttt", "/connect4", "/game/nim"] {
            assert!(body.contains(&format!("href=\"{link}\"")), "{target}: {link}");
        }
    }
    for (target, accept) in [("/api/v1/foo", browser), ("/foo", "Accept: application/json\r\n")] {
        let (status, body) = ask(target, accept);
        let told: Value = serde_json::from_str(&body).unwrap();
        assert!(status == 404 && told["error"].as_str().unwrap().contains("no such page"));
    }
}

#[test]
fn pages_give_the_reasons_for_a_value() {
    let server = Server::start(&[]);
    // The script requests it; without a script the page waits for everything.
    let part = "data-src=\"/part/why?game=connect4&amp;";
    server.shows("/connect4?moves=44455554221", &[part]);
    let (_, page) = server.get("/connect4?moves=44455554221&hints=off");
    assert!(!page.contains("/part/why"), "{page}");
    for (page, part) in [
        ("/connect4?moves=444444&wait=true", "/part/why?game=connect4&moves=444444"),
        ("/connect4?size=10x8&moves=4&wait=true", "/part/why?game=connect4&size=10x8&moves=4"),
        ("/ttt?moves=1524&wait=true", "/part/why?game=ttt&moves=1524"),
        ("/game/hexapawn?wait=true", "/part/why?game=hexapawn"),
    ] {
        let (status, panel) = server.get(part);
        assert!(status == 200 && panel.starts_with("<h2>Why</h2><"), "{part}: {panel}");
        // Skips pages whose moves no engine can value in time.
        if !page.contains("10x8") {
            server.shows(page, &[&panel]);
        }
    }
    for (part, said) in [
        ("game=connect4&moves=4444443265555532333226762", "X has a plan from here on."),
        ("game=connect4&moves=444444", "moves=4444443265555532333226762\">Go to that position</a>"),
        ("game=connect4&size=10x8", "No plans on boards of more than 64 bits"),
        ("game=connect4&moves=1212121", "The game is over."),
        ("game=ttt&moves=1259", "<h3>The shortest win</h3>"),
        ("game=ttt&size=6x6&line=4", "more than 2,000,000 positions"),
        ("game=nim&position=1,2,3", "The side to move loses with every move, latest with"),
    ] {
        server.shows(&format!("/part/why?{part}"), &[said]);
    }
    // Against the machine there is no link.
    let (_, panel) = server.get("/part/why?game=connect4&moves=444444&level=perfect");
    assert!(!panel.contains("Go to that position"), "{panel}");
    server.refuses("/part/why?game=connect4&moves=4444444", "column 4 is full");
}

#[test]
fn pages_say_why_a_move_is_none_and_need_no_script() {
    let server = Server::start(&[]);
    let parts = [
        "data-why=\"cell 5 is taken\"",
        "there is no cell # on the board",
        "<noscript><button type=\"submit\">Apply</button></noscript>",
    ];
    server.shows("/ttt?moves=15", &parts);
    server.shows("/connect4?moves=444444&hints=off", &["data-why=\"column 4 is full\""]);
    // Undo against the machine ends at the visitor's own turn.
    let undo = "id=\"undo\" href=\"/ttt?moves=1524&amp;at=2&amp;level=perfect\"";
    server.shows("/ttt?moves=1524&level=perfect", &[undo]);
    let resume = "id=\"resume\" href=\"/ttt?moves=1&amp;level=perfect\"";
    server.shows("/ttt?moves=1524&at=1&level=perfect", &[resume]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_browser_is_opened_if_there_is_one() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    use std::time::Duration;
    let place = Place::new();
    let browser = place.path("xdg-open");
    std::fs::write(&browser, "#!/bin/sh\nprintf %s \"$1\" > part && /bin/mv part opened\n")
        .unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let opening = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_analyze"));
        command.args(["serve", "--open"]).env("PATH", place.directory());
        command.current_dir(place.directory());
        command
    };
    let server = Server::run(&mut opening());
    let begun = std::time::Instant::now();
    while !place.path("opened").exists() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(place.text("opened"), server.url("/"));
    // Without a browser the server prints the address and serves.
    std::fs::remove_file(browser).unwrap();
    let mut server = Server::run(opening().stderr(std::process::Stdio::piped()));
    let mut said = String::new();
    let stderr = server.child.stderr.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stderr), &mut said).unwrap();
    assert!(said.contains("no browser was found") && said.contains(&server.url("/")), "{said}");
    assert_eq!(server.get("/").0, 200);
}
