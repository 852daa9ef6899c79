//! The explorer without a server, and the addresses of its pages.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use everyply::oracle::{Oracle, OracleFiles};
use everyply::registry::builtin;
use everyply::web::{Page, Shown};
use serde_json::Value;

/// A page with all games, and the lines that it sends.
fn page() -> (Page, Arc<Mutex<Vec<u8>>>) {
    let shown = Shown {
        oracle: Oracle::new(OracleFiles::default(), 4),
        registry: builtin(),
        strategies: Vec::new(),
    };
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sent = Arc::clone(&lines);
    let sink = move |line: &[u8]| sent.lock().unwrap().extend_from_slice(line);
    (Page::new(shown, Duration::from_secs(60), sink), lines)
}

fn text(page: &mut Page, address: &str, status: u16) -> String {
    let answer = page.ask(address, false).unwrap();
    assert_eq!(answer.status, status, "{address}");
    String::from_utf8(answer.body).unwrap()
}

/// The address of a link by its name; `None` if there is nothing to follow.
fn link(page: &str, id: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("id=\"{id}\" href=\""))?;
    Some(rest.split_once('"')?.0.replace("&amp;", "&"))
}

#[test]
fn pages_and_the_api_answer_without_a_server() {
    let (mut page, _) = page();
    assert!(text(&mut page, "/", 200).starts_with("<!DOCTYPE html>"));
    let main = page.ask("/ttt?moves=15", true).unwrap();
    assert_eq!(main.kind, "text/html; charset=utf-8");
    assert!(!String::from_utf8(main.body).unwrap().contains("<html"));
    for entry in builtin().entries() {
        text(&mut page, &format!("/game/{}", entry.name), 200);
    }
    let document = text(&mut page, "/api/v1/position?game=ttt&moves=1529", 200);
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["value"]["outcome"], "win");
    let why = text(&mut page, "/api/v1/why?game=nim&position=3,2", 200);
    assert!(why.contains("\"elapsed_s\""), "{why}");
    assert!(text(&mut page, "/ttt?moves=11", 400).contains("refused"));
    assert!(text(&mut page, "/no/such/page", 404).contains("no such page"));
    assert_eq!(page.ask("not an address", false), None);
}

#[test]
fn a_long_search_says_something_of_every_move() {
    let (mut page, lines) = page();
    for (game, moves) in [("connect4&size=8x8", 8), ("neutreeko", 14)] {
        let address = format!("/api/v1/watch?game={game}&timeout=1.5");
        let answer = page.ask(&address, false).unwrap();
        assert_eq!((answer.status, answer.body.len()), (200, 0));
        let lines = String::from_utf8(std::mem::take(&mut lines.lock().unwrap())).unwrap();
        let lines: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let is_told = |line: &&Value| !line["bounds"].is_null() || !line["outcome"].is_null();
        let told: BTreeSet<String> =
            lines.iter().filter(is_told).map(|line| line["move"].to_string()).collect();
        assert_eq!(told.len(), moves, "{game}");
        // Bounds only become narrower.
        let plies = |line: &Value| line["bounds"]["best"]["remoteness"].as_u64();
        let of_one = lines.iter().filter(|line| line["move"].to_string().trim_matches('"') == "1");
        assert!(of_one.filter_map(plies).collect::<Vec<_>>().is_sorted(), "{game}");
        let last = lines.last().unwrap();
        let words = last["text"].as_str().unwrap();
        assert!(words.contains("no win in less than") || words.contains(": win in"), "{last}");
        assert_eq!(last["done"], true, "{last}");
        // Only a win found on the way is a value.
        assert!(last["interrupted"] == true || last["value"]["outcome"] == "win", "{last}");
    }
}

#[test]
fn addresses_hold_everything() {
    let (mut page, _) = page();
    for address in [
        "/ttt?moves=15&at=1&side=second&hints=off&level=casual",
        "/ttt?size=4x4&line=3&moves=16%2C1%2C2&level=varied",
        "/ttt?size=4x4&moves=16%2C",
        "/connect4?moves=4453",
        "/connect4?size=6x5&line=4&moves=1&side=second",
        "/connect4?size=9x8&moves=1",
        "/game/nim?misere=true&position=1%2C2&moves=2-1%2C1-1&at=1",
        "/game/hexapawn?size=4x4&moves=a1a2&level=beginner",
        "/game/dots?parameters=2-1-1&moves=1",
    ] {
        // Flipped twice, a page has its address again.
        let flipped = link(&text(&mut page, address, 200), "flip").unwrap();
        assert_ne!(flipped, address);
        assert_eq!(link(&text(&mut page, &flipped, 200), "flip").unwrap(), address);
    }
    let usual = text(&mut page, "/ttt?size=3x3&line=3", 200);
    assert_eq!(link(&usual, "new").unwrap(), "/ttt");
    let next = text(&mut page, "/game/nim?position=1,2&moves=2-1", 200);
    assert!(next.contains("href=\"/game/nim?position=1%2C2&amp;moves=2-1%2C1-1\""), "{next}");
}

#[test]
fn wrong_parameters_are_refused_by_name() {
    let (mut page, _) = page();
    let long = format!("/ttt?{}", "a".repeat(9999));
    for (address, error) in [
        ("/part/values?game=chess", "invalid value 'chess' for 'game': ttt, connect4"),
        ("/part/values?game=ttt&size=7x6", "at most 40 cells"),
        ("/part/values?game=ttt&moves=11", "cell 1 is taken"),
        ("/part/values?game=ttt&moves=1&at=2", "invalid value '2' for 'at': 0 to 1"),
        ("/part/values?game=ttt&side=left", "invalid value 'left' for 'side': first, second"),
        ("/part/values?game=ttt&level=godlike", "invalid value 'godlike' for 'level'"),
        ("/part/values?game=ttt&colour=red", "unexpected parameter 'colour'"),
        ("/part/values?game=ttt&moves=1&moves=2", "'moves' is given twice"),
        ("/part/values?game=ttt&moves=1&board=X", "give moves or board, not both"),
        ("/part/values?game=nim&size=3x3", "unexpected parameter 'size'"),
        ("/part/values?game=nim&position=x", "is no number of stones"),
        ("/part/values?game=nim&misere=yes", "invalid value 'yes' for 'misere': true or false"),
        ("/part/values?game=nim&parameters=1-2", "three numbers"),
        ("/part/values?game=pong&moves=3", "'3', is not possible there: choose one of 4 5"),
        ("/part/values?game=pong&line=3", "unexpected parameter 'line'"),
        ("/part/values?game=hexapawn&size=0x0", "invalid value '0x0' for 'size'"),
        (&long, "longer than"),
    ] {
        let refused = text(&mut page, address, 400);
        assert!(refused.contains(error), "{address}: {refused}");
    }
}

#[test]
fn pasted_text_is_a_picture_or_moves() {
    let (mut page, _) = page();
    for (pasted, moves) in [
        ("519", "519"),
        ("5+1+9", "519"),
        ("X../.O./..X", "159"),
        ("X..%0A.O.%0A..X", "159"),
        ("[[1,0,0],[0,-1,0],[0,0,1]]", "159"),
    ] {
        let answer = page.ask(&format!("/ttt?paste={pasted}"), false).unwrap();
        assert_eq!(answer.location, Some(format!("/ttt?moves={moves}")), "{pasted}");
    }
}

#[test]
fn undo_against_the_machine_leads_to_the_visitors_own_turn() {
    let (mut page, _) = page();
    for (query, before, after) in [
        ("moves=1524&at=3", Some("moves=1524&at=2"), Some("moves=1524")),
        ("moves=1524&level=perfect", Some("moves=1524&at=2&level=perfect"), None),
        (
            "moves=1524&at=2&level=perfect",
            Some("moves=1524&at=0&level=perfect"),
            Some("moves=1524&level=perfect"),
        ),
        // The visitor's last move.
        ("moves=15243&level=perfect", Some("moves=15243&at=4&level=perfect"), None),
        (
            "moves=15&at=1&level=perfect",
            Some("moves=15&at=0&level=perfect"),
            Some("moves=15&level=perfect"),
        ),
        // The first move is the machine's: the visitor has no move to take back.
        ("moves=1&side=second&level=perfect", None, None),
        (
            "moves=152&side=second&level=perfect",
            Some("moves=152&at=1&side=second&level=perfect"),
            None,
        ),
        (
            "moves=1523&at=0&side=second&level=perfect",
            None,
            Some("moves=1523&at=1&side=second&level=perfect"),
        ),
    ] {
        let shown = text(&mut page, &format!("/ttt?{query}"), 200);
        for (id, target) in [("undo", before), ("redo", after)] {
            assert_eq!(link(&shown, id), target.map(|to| format!("/ttt?{to}")), "{id} of {query}");
        }
    }
}

#[test]
fn the_machine_moves_on_its_turn_only() {
    let (mut page, _) = page();
    for (address, moves) in [
        ("/ttt?moves=1", false),
        ("/ttt?moves=1&level=perfect", true),
        ("/ttt?moves=15&level=perfect", false),
        ("/ttt?level=perfect&side=second", true),
        // Only looking back.
        ("/ttt?moves=152&at=1&level=perfect", false),
        // The game is over.
        ("/ttt?moves=14253&level=perfect", false),
        // The side that wins a box moves again.
        ("/game/dots?size=1x1&moves=1,2,3&level=perfect", true),
    ] {
        let asks = text(&mut page, address, 200).contains("data-reply=\"/api/v1/reply?");
        assert_eq!(asks, moves, "{address}");
    }
}
