//! Commands with which authors check their engines.

use predicates::str::contains;

use crate::support::Place;

#[test]
fn a_count_is_divided_by_the_first_move() {
    let place = Place::new();
    for (count, method) in [
        ("connect4 4453 --plies 5", "positions"),
        ("connect4 4453 --plies 5", "walk"),
        ("connect4 --plies 6", "auto"),
        ("ttt 15 --plies 7", "auto"),
        ("nim 1,2,3 --plies 3", "auto"),
        ("dots --size 2x1 --plies 4", "auto"),
        ("pong --plies 6", "auto"),
    ] {
        let counted = place.json(&format!("count {count} --method {method} --divide --no-db"));
        let last = counted["plies"].as_array().unwrap().last().unwrap()["nodes"].as_u64().unwrap();
        let divided = counted["divide"].as_array().unwrap();
        assert!(divided.len() > 1 && divided[0]["move"].is_string(), "{count}: {divided:?}");
        let sum: u64 = divided.iter().map(|row| row["nodes"].as_u64().unwrap()).sum();
        assert!(sum == last && sum > 0, "{count}: {sum} and {last}");
    }
    place.run("count ttt --plies 2 --divide --no-db").success().stdout(contains("below each move"));
    place.refuses("count ttt --divide", 2, "--plies");
    place.run("count ttt --plies 0 --divide --no-db").success();
}

#[test]
fn values_are_compared_without_the_other_checks() {
    let place = Place::new();
    place.run("book connect4 --size 4x4 --plies 7 --db book.db").success();
    place.run("export book.db --format pons --out book.txt").success();
    let verify = "verify book.db --against book.txt --values-only";
    let found = place.json(verify);
    assert!(found["against"]["agreements"].as_u64() > Some(1_000), "{found}");
    assert_eq!(found["plies"], serde_json::json!([]));
    let text = place.output(verify);
    assert!(text.contains("against    book.txt (pons)") && !text.contains("children"), "{text}");
    std::fs::write(place.path("wrong.txt"), "1 1\n").unwrap();
    place.run("verify book.db --against wrong.txt --values-only").code(3);
    place.refuses("verify book.db --values-only", 2, "--against");
}
