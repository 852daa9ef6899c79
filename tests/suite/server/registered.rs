//! Registered games in the explorer and over HTTP.

use serde_json::{Value, json};

use super::Server;
use crate::support::Place;

#[test]
fn positions_agree_with_query() {
    let place = Place::new();
    for game in ["nim 1,2,3", "hexapawn", "dots --size 2x1", "pong"] {
        place.run(&format!("{game} --db games.db")).success();
    }
    // From the database, and from the engine.
    let servers = [Server::of(&[place.path("games.db")]), Server::start(&[])];
    for server in &servers {
        for (query, arguments) in [
            ("game=hexapawn", "--game hexapawn"),
            ("game=hexapawn&moves=a1a2,b3a2", "--game hexapawn a1a2,b3a2"),
            ("game=dots&size=2x1&moves=1,3", "--game dots 1,3"),
            ("game=dots&parameters=2-1-1&moves=1,3", "--game dots 1,3"),
            ("game=pong", "--game pong"),
        ] {
            let mut served = server.json(&format!("/api/v1/position?{query}"));
            assert_eq!(served["interrupted"], false, "{query}");
            let mut told = place.json(&format!("query games.db {arguments}"));
            // A database has no points; the engine finds them and their best moves.
            let counts_points = query.contains("dots");
            assert_eq!(served.get("points").cloned(), counts_points.then(|| json!(-2)), "{query}");
            for document in [&mut served, &mut told] {
                for of_move in document["values"].as_array_mut().unwrap() {
                    of_move.as_object_mut().unwrap().remove("source");
                    of_move.as_object_mut().unwrap().remove("points");
                }
            }
            for field in ["game", "title", "parameters", "position", "value", "best", "values"] {
                assert_eq!(served[field], told[field], "{query}: {field}");
            }
        }
        let nim = server.json("/api/v1/position?game=nim&position=1,2,3&moves=1-1");
        assert_eq!(nim["position"], "0,2,3");
        assert_eq!(nim["best"], json!(["3-1"]));
        let misere = server.json("/api/v1/position?game=nim&position=1,1&misere=true");
        let value = &misere["value"];
        assert_eq!((&value["outcome"], &value["remoteness"]), (&json!("win"), &json!(2)));
    }
}

#[test]
fn the_machine_replies() {
    let server = Server::start(&[]);
    for level in ["perfect", "varied"] {
        let told = server.json(&format!("/api/v1/reply?game=nim&position=1,2&level={level}"));
        let expected = json!({"move": "2-1", "moves": "2-1", "level": level, "proved": true});
        assert_eq!(told, expected);
    }
    let told = server.json("/api/v1/reply?game=nim&position=1&moves=1-1");
    assert_eq!(told["move"], Value::Null);
    let refused = "play of pong may be endless";
    server.refuses("/api/v1/reply?game=pong&level=casual", refused);
}

#[test]
fn a_page_shows_the_position_and_every_move_with_its_value() {
    let server = Server::start(&[]);
    server.shows(
        "/game/nim?position=1,2&wait=true",
        &[
            "<h1>Nim, the last stone wins</h1>",
            // The stones are drawn, and taken by a click.
            "<td class=\"any\" data-place=\"2-2\">",
            "The first player to move: win in 3 plies for the first player; best is 2-1.",
            "href=\"/game/nim?position=1%2C2&amp;moves=2-1\"",
            "<span class=\"spoken rest\"> plies, best</span>",
        ],
    );
    // A short game is solved while its page is made.
    let page = server.shows(
        "/game/nim?position=1,2&moves=2-1,1-1&at=1",
        &[
            "The second player to move: loss in 2 plies for the second player",
            "id=\"undo\" href=\"/game/nim?position=1%2C2&amp;moves=2-1%2C1-1&amp;at=0\"",
            "id=\"redo\" href=\"/game/nim?position=1%2C2&amp;moves=2-1%2C1-1\"",
        ],
    );
    assert!(!page.contains("data-src"), "{page}");
    // The script requests the values of a longer game; then they are cached.
    server.shows("/game/dots", &["data-watch=\"/api/v1/watch?game=dots\""]);
    let lines = server.watch("game=dots");
    assert!(lines.iter().any(|line| line["text"].is_string()), "{lines:?}");
    assert!(!server.shows("/game/dots", &[]).contains("data-watch"));
    let over = "The game is over: the second player wins.";
    server.shows("/game/dots?size=1x1&moves=1,2,3,4", &[over]);
    // The cards of games show their known values.
    let known = [
        "href=\"/game/dots\"",
        "Dots and boxes",
        "draw · 5,478 positions",
        "win in 41 plies · 4,531,985,219,092 positions",
        "win in 15 plies · 192 positions",
        "draw by endless play · 56 positions",
    ];
    let home = server.shows("/", &known);
    // A picture of each.
    let cards = home.matches("Play against the machine").count();
    assert_eq!(home.matches("class=\"thumbnail\"").count(), cards);
    // A move from a square to another is known by its squares.
    let squares = ["data-move=\"a1c1\"", "data-cells=\"0,3 2,3\"", "<td class=\"begins\">"];
    server.shows("/game/dao?hints=off", &squares);
    // The position after the move, with its value; the lines of the board are drawn.
    let after = "data-picture=\"O O\n X \n. X\" data-told=\"After 4: draw by endless play\"";
    let drawn = "draw by endless play with every move.";
    let page = server.shows("/game/pong?wait=true", &[drawn, after]);
    assert_eq!(page.matches("<line x1").count(), 7, "{page}");
    // Marks say nothing where all moves are equal.
    assert!(!page.contains("best\""), "{page}");
    // Pieces of several kinds have the colours of the sides.
    let pieces = ["x\" role=\"img\" aria-label=\"L\"", "o\" role=\"img\" aria-label=\"l\""];
    for piece in pieces {
        server.shows("/game/dobutsu?hints=off", &[&format!("stone {piece}")]);
    }
}

/// Reasons take a solution of their own; the page has everything else.
fn asks_only_why(page: &str) -> bool {
    let link = page.split_once("<noscript>").map_or("", |(_, link)| link);
    assert!(link.contains("wait=true") && link.contains("Wait for the"), "without scripts: {page}");
    page.matches("data-src").count() == 1 && page.contains("data-src=\"/part/why")
}

#[test]
fn games_of_files_are_on_the_first_page() {
    let place = Place::new();
    place.run("hexapawn --size 4x4 --db games.db").success();
    place.run("solve hexapawn --size 3x4 --out hexapawn.solution").success();
    let files = ["games.db", "hexapawn.solution"].map(|name| place.path(name));
    let server = Server::of(&files);
    let (_, home) = server.get("/");
    // With a picture and the value, if the file has it.
    for (game, value) in [("4-4-1", "win in 11 plies"), ("3-4-1", "loss in")] {
        let link = format!("href=\"/game/hexapawn?parameters={game}\"><svg");
        let (_, card) = home.split_once(&link).expect(game);
        let (card, _) = card.split_once("</li>").unwrap();
        assert!(card.contains("from a loaded file") && card.contains(value), "{card}");
    }
    // Values in a file take no search.
    let (_, page) = server.get("/game/hexapawn?parameters=4-4-1");
    assert!(page.contains("<h1>Hexapawn 4x4</h1>") && asks_only_why(&page), "{page}");
}

#[test]
fn wrong_questions_are_refused() {
    let server = Server::start(&["--table-size", "1"]);
    for (target, wanted, said) in [
        ("/game/chess", 404, "no such page"),
        ("/game/nim?position=100,29", 400, "up to 129 moves"),
        ("/game/hexapawn?size=%3Cb%3E", 400, "&lt;b&gt;"),
        ("/part/values?game=chess", 400, "invalid value"),
        ("/api/v1/position?game=dots&size=9x9", 400, "at most 57 edges"),
        ("/api/v1/position?game=popout&size=7x6", 400, "serve a database that holds it"),
    ] {
        let (status, body) = server.get(target);
        assert_eq!(status, wanted, "{target}: {body}");
        assert!(body.contains(said), "{target}: {body}");
    }
    // A page of a game that is too large has its moves all the same.
    let parts = ["data-move=\"p4\"", "take a smaller board"];
    server.shows("/game/popout?size=7x6&moves=4,4&wait=true", &parts);
}

#[test]
fn pages_have_the_same_parts_for_every_game() {
    let server = Server::start(&[]);
    let parts = [
        // Moves by result, the best first, with the distance.
        "<th colspan=\"2\" scope=\"rowgroup\">win: 1 move</th>",
        "moves=1-1%2C2-2\">2-2</a> <span title=\"best\">★</span>",
        "<td>win in 1 ply for the second player</td>",
        "<td>loss in 2 plies for the second player</td>",
        // The side that erred, the cost, and a link to the position.
        "data-mistakes=\"1\" data-missing=\"0\"",
        "moves=1-1%2C2-2&amp;at=1\">The first player's 1st move, 1-1</a>: win in 3 plies → loss in 2 plies",
        "ply 2, 2-2: loss for the first player, the game is over",
        // Best play to walk along.
        "<ol class=\"steps\" id=\"variation\">",
        "id=\"on\" href=\"/game/nim?position=1%2C2&amp;moves=1-1%2C2-2\"",
    ];
    let page = server.shows("/game/nim?position=1,2&moves=1-1,2-2&at=1&wait=true", &parts);
    let best = page.find("2-2</a>").unwrap();
    assert!(best < page.find("2-1</a>").unwrap(), "the best first");
    // If a search is needed, the script requests the parts one by one.
    for part in ["values", "line", "graph"] {
        let source = format!("data-src=\"/part/{part}?game=dots&amp;moves=1\"");
        server.shows("/game/dots?moves=1", &[&source]);
    }
    let parts = ["The game so far, for X", "data-missing=\"0\""];
    server.shows("/part/graph?game=hexapawn&moves=a1a2,b3a2", &parts);
    let (_, line) = server.get("/part/line?game=hexapawn");
    let steps = line.matches("<li>").count();
    let told = server.json("/api/v1/position?game=hexapawn");
    assert_eq!(told["value"]["remoteness"], steps, "{line}");
    // Endless play is walked until it repeats itself.
    server.shows("/part/line?game=pong", &["Then a position repeats: play is endless."]);
    server.shows("/part/values?game=pong", &["<td>draw by endless play</td>"]);
}
