//! `analyze explain`.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::support::Place;

fn told(arguments: &str) -> String {
    let place = Place::new();
    let text = place.output(&format!("explain {arguments}"));
    assert!(place.entries().is_empty(), "nothing is written");
    text
}

fn document(arguments: &str) -> Value {
    serde_json::from_str(&told(&format!("{arguments} --json"))).unwrap()
}

#[test]
fn a_plan_in_words_and_drawn() {
    let told = told("connect4 4444443265555532333226762");
    for part in [
        "\n5  . X X X O . .\n",
        "\nO loses with every move, latest with 1 (a1) or 2 (b6) or 3 (c6) or 5 (e6) or 7 (g2).\n\n",
        "value      loss in 16 plies for O\n",
        "X has a plan from here on.\n",
        "\n5  . X X X O ! ",
        "\n   a b c d e f g\n",
        "!  X can win here\n",
        "Whatever O plays, X wins, at ply 41 at the latest.\nX has a threat in f5.\n",
        "O cannot avoid f4, and X wins in f5.\n",
    ] {
        assert!(told.contains(part), "{part:?} in {told}");
    }
    assert!(!told.contains("not how soon"), "{told}");
}

#[test]
fn the_same_as_data() {
    let told = document("connect4 4444443265555532333226762");
    assert_eq!(told["value"], json!({"outcome": "loss", "remoteness": 16}));
    let [planned] = &told["plans"].as_array().unwrap()[..] else { panic!("{told}") };
    assert_eq!((&planned["side"], &planned["moves"]), (&json!("X"), &json!("")));
    assert_eq!(planned["proves"], "score");
    let plan = &planned["plan"];
    assert_eq!(plan["at_least"], 1);
    assert_eq!(plan["legend"][0], json!(["!", "X can win here"]));
    let sentences: Vec<&str> =
        plan["sentences"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    assert!(told["text"].as_str().unwrap().contains(&sentences.join("\n")));
}

#[test]
fn where_no_plan_holds_best_play_leads_to_one() {
    let told = document("connect4 --size 6x6");
    let [planned] = &told["plans"].as_array().unwrap()[..] else { panic!("{told}") };
    let (plies, moves) = (planned["plies"].as_u64().unwrap(), planned["moves"].as_str().unwrap());
    assert!(plies > 1 && moves.len() as u64 == plies, "{planned}");
    assert_eq!(planned["side"], "O");
    // The plan holds at that position, by the same answer.
    let after = document(&format!("connect4 {moves} --size 6x6"));
    assert_eq!(after["plans"][0]["plies"], 0);
    assert_eq!(after["plans"][0]["plan"], planned["plan"]);
}

#[test]
fn of_a_draw_a_side_that_holds_it() {
    let told = told("connect4 --size 5x6");
    assert!(told.contains("value      draw in 30 plies\n"), "{told}");
    assert!(told.contains("O has a plan from here on.\n"), "{told}");
    assert!(told.contains("Whatever X plays, O draws or wins.\n"), "{told}");
}

#[test]
fn what_is_over_or_ends_at_once_needs_no_plan() {
    assert!(told("connect4 1212121").contains("The game is over: X has won.\n"));
    assert!(told("connect4 445566").contains("X ends the game at once: c1.\n"));
    assert!(told("ttt 14253").contains("The game is over: X has won.\n"));
    assert!(told("ttt 123546879").contains("The game is over: "));
}

#[test]
fn forks_forced_moves_and_wins_of_small_games() {
    let fork = told("ttt 1259");
    assert!(fork.contains("\n\nX wins with 4 or 7; no other move wins.\n\nvalue"), "{fork}");
    assert!(fork.contains("4 is a fork: it threatens 6 and 7.\n"), "{fork}");
    assert!(fork.contains("7 is a fork: it threatens 4 and 3.\n"), "{fork}");
    let shortest = "The shortest win:\n  X 4\n    O 3 or 7 or 8, X 6 wins\n    O 6, X 7 wins\n";
    assert!(fork.contains(shortest), "{fork}");
    assert!(told("ttt 152").contains("\nO draws with 3; every other move loses.\n"));
    assert!(told("ttt 1").contains("\nO draws with 5; every other move loses.\n"));
    let nim = told("nim 1,1");
    assert!(nim.contains("The side to move loses with every move.\n"), "{nim}");
    let shortest = "The shortest win:\n  the side to move 1-1, the other side 2-1 wins\n";
    assert!(nim.contains(shortest), "{nim}");
    let told = document("ttt 1259");
    assert_eq!(told["forks"][0], json!({"move": "4", "threats": ["6", "7"]}));
    assert_eq!(told["win"][0]["plies"], 3);
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let place = Place::new();
    for (arguments, said) in [
        ("connect4 1111111", "move 7 ('1', character 7): column 1 is full"),
        ("connect4 --size 9x8", "too large: a Connect Four board has width x (height + 1) <= 64"),
        ("connect4 44 --line 7", "made for lines of 3 to 6"),
        ("awari --pits 6 --seeds 4", "--book FILE explains from it"),
        ("nim 1,2 --line 3", "--line: nim has no such option"),
        ("chess", "invalid value 'chess'"),
    ] {
        place.refuses(&format!("explain {arguments}"), 2, said);
    }
}

#[test]
fn a_time_limit_ends_an_explanation() {
    let place = Place::new();
    let stopped = "stopped after --timeout 0.2 s, without a reason";
    place.refuses("explain connect4 --size 9x6 --timeout 0.2", 124, stopped);
    place.refuses("explain ttt --size 6x6 --line 4 --timeout 0.2", 124, stopped);
    place.run("explain ttt 152 --timeout 60").success();
}

#[test]
fn values_of_a_solution_file_give_the_same_reasons_as_a_search() {
    let place = Place::new();
    place.run("solve morris --out m.solution").success();
    place.run("solve nim 1,2,3 --out n.solution").success();
    for explained in ["morris", "morris a1,b2,c3", "nim 1,2,3", "nim 0,2,3"] {
        let file = if explained.starts_with("nim") { "n.solution" } else { "m.solution" };
        let mut searched = place.json(&format!("explain {explained}"));
        let mut stored = place.json(&format!("explain {explained} --book {file}"));
        searched["elapsed_s"] = serde_json::Value::Null;
        stored["elapsed_s"] = serde_json::Value::Null;
        assert_eq!(stored, searched, "{explained}");
    }
    for (refused, said) in [
        ("nim 4,5 --book m.solution", "do not hold the position"),
        ("morris --flying --book m.solution", "do not hold the position"),
        ("connect4 4 --book m.solution", "take values from no file"),
    ] {
        place.refuses(&format!("explain {refused}"), 2, said);
    }
    place.refuses("explain morris --book none", 1, "--book: none");
    let said = contains("is a solution file").and(contains("analyze export m.solution --format"));
    place.analyze().args(["sql", "m.solution", "SELECT 1"]).assert().code(2).stderr(said);
}
