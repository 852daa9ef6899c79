//! Strategies and proofs: made, checked, damaged, refused.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};

use crate::support::Place;

/// Rewrites a file of strategies with a changed text.
fn rewrite(place: &Place, name: &str, change: impl Fn(&str) -> String) {
    let text = zstd::decode_all(&place.read(name)[..]).unwrap();
    let text = change(std::str::from_utf8(&text).unwrap());
    std::fs::write(place.path(name), zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap();
}

#[test]
fn a_strategy_is_made_and_checked() {
    let place = Place::new();
    let made = place.json("strategy connect4 --size 5x5 --for first --improve 0 --out a.strategy");
    let checked = place.json("verify a.strategy");
    let [made, checked] = [&made, &checked].map(|document| &document["strategies"][0]);
    for key in ["board", "side", "score", "positions", "settled", "played"] {
        assert_eq!(made[key], checked[key], "{key}");
    }
    assert_eq!((&made["side"], &made["score"]), (&"first".into(), &0.into()));
    let text = place.output("verify a.strategy");
    assert!(text.starts_with("Connect Four: the first player does not lose on 5x5\n"));
}

#[test]
fn a_proof_has_both_halves() {
    let place = Place::new();
    let proof = place.json("prove connect4 44455554221 --improve 0 --out a.proof");
    let halves = proof["strategies"].as_array().unwrap();
    let claims: Vec<_> = halves.iter().map(|half| (&half["side"], &half["score"])).collect();
    assert_eq!(claims, [(&"second".into(), &(-15).into()), (&"first".into(), &15.into())]);
    let text = place.output("verify a.proof");
    let first = "the first player wins with stone 13 at the latest on 7x6 after 44455554221";
    assert!(text.contains(first), "{text}");
    assert!(text.contains("the second player does not lose before stone 13"), "{text}");
    // Neither half claims more.
    let made = place.read("a.proof");
    for (side, score) in [("second", "-14"), ("first", "16")] {
        let better = |text: &str| {
            let half = format!("side {side}\nscore ");
            let at = text.find(&half).unwrap() + half.len();
            let end = at + text[at..].find('\n').unwrap();
            format!("{}{score}{}", &text[..at], &text[end..])
        };
        std::fs::write(place.path("a.proof"), &made).unwrap();
        rewrite(&place, "a.proof", better);
        place.run("verify a.proof").code(3);
    }
}

#[test]
fn a_win_at_once_is_a_strategy_without_positions() {
    let place = Place::new();
    let made = place.json("strategy connect4 112233 --for first --out a");
    assert_eq!(made["strategies"][0]["positions"], 0);
    place.run("verify a").success();
    rewrite(&place, "a", |text| text.replace("112233", "1122"));
    place.run("verify a").code(3).stderr(contains("the starting position"));
}

#[test]
fn wrong_strategies_are_mismatches_with_the_line_that_shows_it() {
    let place = Place::new();
    place.json("strategy connect4 --size 5x5 --for second --improve 0 --out a");
    let made = place.read("a");
    let claim_more = |text: &str| text.replace("score 0", "score 1");
    let leave_out_the_last = |text: &str| {
        let last = text.trim_end().rfind('\n').unwrap();
        let lines = text.lines().count() - 8;
        text[..=last].replace(&format!("positions {}", lines + 1), &format!("positions {lines}"))
    };
    type Change<'c> = &'c dyn Fn(&str) -> String;
    for (change, message) in [
        (&claim_more as Change<'_>, "the plan allows"),
        (&leave_out_the_last, "there is no move to a position of the strategy"),
    ] {
        std::fs::write(place.path("a"), &made).unwrap();
        rewrite(&place, "a", change);
        let said = starts_with("mismatch: a: ").and(contains(message));
        place.run("verify a").code(3).stderr(said);
    }
}

#[test]
fn what_cannot_be_claimed_is_refused() {
    let place = Place::new();
    let refused = |arguments: &str, code: i32, message: &str| {
        place.refuses(arguments, code, message);
        assert_eq!(place.entries(), ["folder"], "{arguments}");
    };
    std::fs::create_dir(place.path("folder")).unwrap();
    let first = "strategy connect4 --for first --out a";
    refused(&format!("{first} --size 5x5 --claim win"), 2, "the first player gets less");
    refused(&format!("{first} --size 6x4"), 2, "`analyze prove` shows for how long");
    refused(&format!("{first} 1212121"), 2, "the game is over");
    refused(&format!("{first} 129"), 2, "'9'");
    refused(&format!("{first} --size 9x7"), 2, "9x7");
    refused(&format!("{first} --improve soon"), 2, "0 for no improvement");
    refused("strategy connect4 44455554221 --for first --out folder", 1, "folder");
    refused("strategy connect4 --out a", 2, "--for");
}

#[test]
fn samples_of_the_independent_checker() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/strategies");
    let place = Place::new();
    let mut found = 0;
    for entry in std::fs::read_dir(samples).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "strategy") {
            let text = std::fs::read(&path).unwrap();
            std::fs::write(place.path("a"), zstd::encode_all(&text[..], 1).unwrap()).unwrap();
            place.run("verify a").success();
            found += 1;
        }
    }
    assert!(found >= 6);
}
