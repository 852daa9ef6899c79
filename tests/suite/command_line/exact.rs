//! Exact values of Connect Four positions.

use predicates::prelude::*;
use predicates::str::contains;

use super::json_alone;
use crate::support::{Place, document, stdout};

#[test]
fn the_exact_value_comes_with_best_moves_and_best_play() {
    let told = json_alone("connect4 44444326");
    assert_eq!(told["exact"], true);
    let remoteness = told["value"]["remoteness"].as_u64().unwrap() as usize;
    assert_eq!(told["pv"].as_str().unwrap().len(), remoteness);
    let all = json_alone("connect4 44444326 --all-moves");
    for field in ["value", "score", "best", "pv"] {
        assert_eq!(told[field], all[field]);
    }
    let best = all["best"].as_array().unwrap();
    for row in all["values"].as_array().unwrap() {
        assert_eq!(row["score"] == all["score"], best.contains(&row["move"]), "{row}");
    }
}

#[test]
fn the_outcome_alone_has_no_distance() {
    let told = json_alone("connect4 --size 6x4 --outcome-only");
    assert_eq!(told["value"]["outcome"], "loss");
    assert!(told["value"]["remoteness"].is_null() && told["score"].is_null());
}

#[test]
fn the_value_alone_costs_no_search_for_best_moves() {
    let told = json_alone("connect4 --size 6x4 --threads 1");
    let stats = &told["stats"];
    assert!(stats["nodes_of_value"].as_u64() < stats["nodes"].as_u64());
    assert!(stats["table_hits"].as_u64() < stats["table_probes"].as_u64());
    let alone = json_alone("connect4 --size 6x4 --threads 1 --value-only");
    assert_eq!(alone["stats"]["nodes"], stats["nodes_of_value"]);
    for field in ["value", "score", "exact"] {
        assert_eq!(alone[field], told[field]);
    }
    assert_eq!((&alone["best"], &alone["pv"]), (&serde_json::json!([]), &"".into()));
    let place = Place::new();
    std::fs::write(place.path("in.txt"), "4455 18\n").unwrap();
    let row = place.output("connect4 --input in.txt --value-only");
    assert!(row.contains("\n[4 4 5 5],win,3,18,,"), "{row}");
    place.run("connect4 4455 --value-only --all-moves").code(2);
}

#[test]
fn a_batch_answers_line_by_line_and_checks_expected_scores() {
    let place = Place::new();
    let lines = "4455 18\n[4 4 4 5 5 5 5 4 2 2 1] -15\n4444444\n\n4453x\n12121\n";
    std::fs::write(place.path("in.txt"), lines).unwrap();
    for threads in [1, 2, 8] {
        let told = place.run(&format!("connect4 --input in.txt --threads {threads}")).code(1);
        let text = stdout(&told);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 7);
        assert_eq!(
            rows[0],
            "moves,outcome,remoteness,score,best,nodes,elapsed_us,error,line,expected"
        );
        assert!(rows[1].starts_with("[4 4 5 5],win,3,18,[3 6],"), "{}", rows[1]);
        assert!(rows[2].starts_with("[4 4 4 5 5 5 5 4 2 2 1],loss,2,-15,"), "{}", rows[2]);
        // The empty board is a known one.
        assert!(rows[4].starts_with("[],win,41,1,[4],"), "{}", rows[4]);
        assert!(rows[1].ends_with(",,1,18") && rows[6].ends_with(",,6,"), "{rows:?}");
        for (row, text, line) in [(rows[3], "4444444,,,,,,,", 3), (rows[5], "4453x,,,,,,,", 5)] {
            let why = row.strip_prefix(text).and_then(|row| row.strip_suffix(&format!(",{line},")));
            assert!(why.is_some_and(|why| !why.is_empty()), "{row}");
        }
        told.stderr(contains("line 3: move 7 ('4', character 7): column 4 is full"))
            .stderr(contains("line 5: character 5 ('x')"));
    }
    std::fs::write(place.path("wrong.txt"), "4455 17\n").unwrap();
    let told = place.run("connect4 --input wrong.txt").code(3);
    told.stderr(contains("has score 18, not 17"));
    place.run("connect4 --input nowhere").code(1);
}

#[test]
fn batches_and_depths_are_for_every_game() {
    let place = Place::new();
    for (game, position) in
        [("ttt", "15"), ("nim", "1,2,4"), ("pong", ""), ("kalah --pits 2 --seeds 3", "")]
    {
        let whole = place.json(&format!("{game} {position} --no-db"));
        std::fs::write(place.path("in.txt"), format!("{position}\n?\n")).unwrap();
        let text = stdout(&place.run(&format!("{game} --input in.txt")).code(1));
        let rows: Vec<csv::StringRecord> =
            csv::Reader::from_reader(text.as_bytes()).records().map(Result::unwrap).collect();
        let best = whole["best"].as_array().unwrap().iter().map(ToString::to_string);
        let best = best.map(|m| m.trim_matches('"').to_owned()).collect::<Vec<_>>().join(" ");
        assert_eq!(whole["value"]["outcome"], rows[0][1], "{game}: {text}");
        assert_eq!((&rows[0][4], &rows[0][7]), (&format!("[{best}]")[..], ""), "{game}: {text}");
        assert!(rows[1][1].is_empty() && !rows[1][7].is_empty(), "{game}: {text}");
    }
    let proved = place.json("ttt 1 --depth 8 --all-moves --no-db");
    assert_eq!((&proved["exact"], &proved["value"]["outcome"]), (&true.into(), &"draw".into()));
    let value = place.json("othello --size 4x4 --value-only --no-db");
    let whole = place.json("othello --size 4x4 --no-db");
    assert_eq!(value["points"], whole["points"]);
    place.refuses("pong --depth 3 --no-db", 2, "may be endless");
    place.refuses("nim --input in.txt --all-moves", 2, "have no scores");
}

#[test]
fn a_time_limit_says_what_is_proved() {
    for search in ["--size 8x7 --no-db", "--size 10x8 --table-size 8"] {
        for threads in [1, 2] {
            let place = Place::new();
            let command = format!("connect4 {search} --timeout 0.2 --json --threads {threads}");
            let told = document(&place.run(&command).code(124));
            assert_eq!(told["interrupted"], true, "{command}");
            assert!(told["value"].is_null(), "{command}");
            assert!(told["bounds"]["worst"]["outcome"].is_string(), "{command}");
            assert!(told["stats"]["nodes"].as_u64() > Some(0), "{command}");
            assert!(place.entries().is_empty(), "{command}");
        }
    }
}

#[test]
fn proven_positions_go_to_the_database() {
    let place = Place::new();
    let told = place.json("connect4 4455 --db solved.db");
    let stored = super::books::rows(&place, "solved.db");
    // Best play to its end, and some moves tried beside it.
    for ply in 4..=4 + told["pv"].as_str().unwrap().len() {
        assert!(stored.iter().any(|row| usize::from(row.ply.0) == ply), "ply {ply}");
    }
    place.json("connect4 4455 --depth 8 --db solved.db");
}

#[test]
fn what_was_found_is_not_searched_again() {
    for (run, least) in [
        ("connect4 21 --size 6x5 --threads 1", 100_000),
        ("connect4 21 --size 6x5 --threads 1 --all-moves", 100_000),
        // Several moves are best, and the values of all are kept.
        ("connect4 4453 --all-moves --threads 1", 10_000),
    ] {
        let place = Place::new();
        let nodes = |told: &serde_json::Value| told["stats"]["nodes"].as_u64().unwrap();
        let first = place.json(run);
        assert!(nodes(&first) > least, "{first}");
        let second = place.json(run);
        for field in ["value", "best", "pv"] {
            assert_eq!(first[field], second[field], "{field}");
        }
        // Only the claim that moves nearer to the middle are worse is proved anew.
        assert!(nodes(&second) < 1_000, "{run}: {} nodes", nodes(&second));
        assert_eq!(second["stats"]["nodes_of_value"], 0, "{run}");
        let mut of_moves = second["values"].as_array().unwrap().iter();
        assert!(of_moves.all(|row| row["nodes"].as_u64().unwrap_or(0) == 0), "{run}");
        assert!(nodes(&place.json(&format!("{run} --no-db"))) > least);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn results_are_printed_where_nothing_can_be_kept() {
    for (command, result) in [
        ("ttt", "765 up to symmetry"),
        ("connect4 44444326", "score      0 (Pons)"),
        ("connect4 --depth 3", "at depth 3"),
        ("count ttt", "255,168"),
        ("pong", "draw by endless play"),
        ("count pong --plies 3", "ply"),
    ] {
        // No user may write there.
        let told = |arguments: &str| {
            let mut analyze = assert_cmd::Command::new(env!("CARGO_BIN_EXE_analyze"));
            analyze.current_dir("/proc").args(arguments.split_whitespace()).assert()
        };
        let said = || contains("everyply.db cannot be").and(contains("--no-db nowhere"));
        told(command).code(1).stdout(contains(result)).stderr(said());
        told(&format!("{command} --json")).code(1).stdout(contains("{")).stderr(said());
        told(&format!("{command} --no-db")).success().stdout(contains(result)).stderr("");
        // The command creates a requested file before the work.
        told(&format!("{command} --db my.db")).code(1).stdout("").stderr(contains("my.db"));
    }
}
