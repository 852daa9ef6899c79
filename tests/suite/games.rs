//! Games of the registry on the command line.

use std::collections::HashMap;

use everyply::registry::builtin;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::known_answers::rows;
use crate::support::{Place, document};

#[test]
fn a_strategy_that_takes_too_long_is_given_up() {
    let place = Place::new();
    let prove = "prove connect4 --size 7x6 --timeout 0.2 --out a.proof";
    place.refuses(prove, 124, "stopped after --timeout 0.2 s; nothing was");
    assert!(place.entries().is_empty());
}

#[test]
fn a_game_has_commands_and_examples() {
    let place = Place::new();
    let listed = place.output("games");
    let commands = |game: &str| {
        let of = listed.split(&format!("\n{game}: ")).last().unwrap();
        of.lines().find_map(|line| line.strip_prefix("  commands  ")).unwrap().to_owned()
    };
    assert_eq!(
        commands("nim"),
        "compare, count, explain, solve, query, verify, export, sample, tree, play, rules, nim"
    );
    assert!(commands("connect4").contains("solve") && commands("connect4").contains("prove"));
    // A search to a depth needs a game that ends.
    assert!(!commands("pong").contains("compare") && commands("pong").contains("solve"));
    place.refuses("compare pong --depth 2", 2, "play of pong may be endless");
    for (game, position) in
        [("nim", "1,"), ("hexapawn", "a"), ("dots", "1,2"), ("pong", ""), ("morris", "a3")]
    {
        let help = place.output(&format!("{game} --help"));
        let (_, examples) = help.split_once("Examples:\n").expect("examples");
        let second = examples.lines().nth(1).unwrap().trim();
        assert!(second.starts_with(&format!("analyze {game} {position}")), "{help}");
        place.run(&format!("{} --no-db", second.strip_prefix("analyze ").unwrap())).success();
    }
    place.run("help --help").success().stdout(contains("Usage: analyze"));
    let solved = place.output("nim 3,4,5 --no-db");
    let rows = solved.lines().skip_while(|line| !line.starts_with("move")).skip(1);
    let ends: Vec<usize> = rows.map_while(|row| Some(row.find("plies")? + 5)).collect();
    assert!(ends.len() > 5 && ends.iter().all(|end| *end == ends[0]), "{solved}");
    assert!(solved.contains("plies  best\n"), "{solved}");
    assert!(!place.output("count nim 1,2 --no-db").contains("losses"));
}

#[test]
fn every_game_is_listed_with_what_it_can_do() {
    let place = Place::new();
    let text = place.output("games");
    for game in builtin().entries() {
        assert!(text.contains(&format!("{}: ", game.name)), "{text}");
    }
    assert!(text.contains("--misere (The last stone loses)"), "{text}");
    assert!(text.contains("--size WxH (usual: 7x6), --line K (usual: 4)"), "{text}");
    let about = contains("Hexapawn: pawns across").and(contains("Pong Hau K'i: who cannot move"));
    place.run("--help").success().stdout(about);
    place.run("completions bash").success().stdout(contains("hexapawn"));
    place.run("man").success().stdout(contains("hexapawn"));
}

#[test]
fn positions_of_more_than_64_moves_are_solved_stored_and_read_again() {
    let place = Place::new();
    let told = place.json("nim 100");
    assert_eq!((&told["best"], &told["value"]["remoteness"]), (&json!(["1-100"]), &json!(1)));
    place.run("verify everyply.db").success();
    let read = place.json("query everyply.db 100 --search");
    assert_eq!((&read["best"], &read["value"]), (&told["best"], &told["value"]));
    let deep = place.json("nim 40,80 --depth 3");
    assert_eq!(deep["values"].as_array().unwrap().len(), 120, "{deep}");
    // The bound of plies is above 255.
    place.json("kalah --pits 6 --seeds 4 --depth 3 --no-db");
}

#[test]
fn games_that_count_points_show_them() {
    let place = Place::new();
    let kalah = place.json("kalah --no-db");
    let moves = kalah["values"].as_array().unwrap();
    let points: Vec<i64> = moves.iter().map(|m| m["points"].as_i64().unwrap()).collect();
    assert_eq!((kalah["points"].as_i64(), points), (Some(2), vec![2, 2, -4]));
    let text = contains("points     -8 for the side to move").and(contains("leads to  points"));
    place.run("othello --no-db").success().stdout(text);
    assert!(place.json("hexapawn --no-db").get("points").is_none());
    // Points have no distances.
    let text = contains("X wins with 2; no other move wins.").and(contains("plies").not());
    place.run("explain awari").success().stdout(text.and(contains("shortest win").not()));
}

#[test]
fn a_tree_that_is_too_large_is_not_built_but_its_value_proved() {
    let place = Place::new();
    let won = place.json("ttt --size 6x6 --line 4 --db games.db");
    assert_eq!(won["value"], json!({"outcome": "win", "remoteness": 11}));
    assert_eq!(won["interrupted"], false);
    let stored = place.json("query games.db --game ttt --size 6x6 --line 4");
    assert_eq!((&stored["value"], &stored["best"]), (&won["value"], &won["best"]));
    // The first player's points are known for these rules.
    for (pits, seeds, points, best) in [(3, 6, -8, "1"), (4, 3, 6, "2")] {
        let game = format!("kalah --pits {pits} --seeds {seeds}");
        let proved = place.json(&format!("{game} --no-db"));
        assert_eq!(proved["points"], points, "{game}");
        assert_eq!(proved["best"], json!([best]), "{game}");
    }
    let text = contains("points     +6 for the side to move").and(contains("how        by search"));
    place.run("kalah --pits 4 --seeds 3 --no-db").success().stdout(text);
    // The bounds proved until the time is up are printed.
    let run = place.run("breakthrough --size 5x5 --no-db --timeout 1 --json").code(124);
    let told: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!((&told["value"], &told["interrupted"]), (&Value::Null, &json!(true)));
    let bounds = ["worst", "best"].map(|end| &told["bounds"][end]["outcome"]);
    assert_eq!(bounds, [&json!("loss"), &json!("win")]);
    // `--csv` writes the table, however large the tree.
    place.run("hexapawn --csv tables --no-db").success();
    place.text("tables/hexapawn-solution.csv");
}

/// The rows of data/values.csv that take little work.
#[test]
fn values_are_proved_anew() {
    let (place, mut proved) = (Place::new(), 0);
    for row in rows::<HashMap<String, String>>("values.csv") {
        if row["nodes"].parse::<u64>().unwrap() > 200_000 {
            continue;
        }
        let told = place.json(&format!("{} --no-db", row["command"]));
        assert_eq!(told["value"]["outcome"], row["outcome"], "{row:?}");
        assert_eq!(told["points"].as_i64(), row["points"].parse().ok(), "{row:?}");
        let is_drawn = row["outcome"] == "draw";
        let plies = told["value"]["remoteness"].as_u64().filter(|_| !is_drawn);
        assert_eq!(plies, row["plies"].parse().ok(), "{row:?}");
        proved += 1;
    }
    assert!(proved > 8, "{proved}");
}

#[test]
fn a_game_is_counted_solved_and_kept() {
    let place = Place::new();
    let nim = place.json("nim 3,5,7 --db games.db --csv tables");
    assert_eq!(nim["value"]["outcome"], "win");
    assert_eq!(nim["best"], json!(["1-1", "2-1", "3-1"]));
    // (3 + 1) (5 + 1) (7 + 1) positions, each once.
    assert_eq!(nim["counts"]["positions"], 192);
    let csv = place.text("tables/nim-solution.csv");
    assert_eq!(csv.lines().count(), 193);
    assert!(csv.starts_with("key,ply,position,outcome,remoteness,best,legal_moves,"));
    assert!(place.read("tables/nim-plies.csv").starts_with(b"ply,nodes,games,"));

    let again = place.output("nim 3,5,7 --db games.db");
    assert!(again.contains("0 positions added up to symmetry, 192 already there"), "{again}");
    // Another start on the same board shares its positions.
    place.run("nim 1,5,7 --db games.db").success().stdout(contains("0 positions added"));
    let misere = place.json("nim 1,1,1 --misere --no-db");
    assert_eq!(misere["value"]["outcome"], "loss");

    let hexapawn = place.json("hexapawn --db games.db");
    assert_eq!(hexapawn["value"]["outcome"], "loss");
    let hexapawn = place.json("hexapawn --size 4x4 --no-db");
    assert_eq!(hexapawn["value"]["outcome"], "win");
    let dots = place.json("dots --size 2x2 --db games.db");
    assert_eq!(dots["value"], json!({ "outcome": "win", "remoteness": 12 }));
    let pong = place.json("pong --db games.db");
    assert_eq!(pong["value"], json!({ "outcome": "draw", "remoteness": null, "endless": true }));
    assert_eq!(pong["plies"], json!([]));

    for game in ["nim", "hexapawn", "dots", "pong"] {
        let verified = place.json(&format!("verify games.db --game {game}"));
        let rows = |kind: &str| verified["rows"][kind].as_u64().unwrap();
        assert_eq!(rows("positions"), rows("proved") + rows("over"), "{game}");
        assert_eq!(verified["disagreements"], json!([]), "{game}");
        // Few enough positions to be counted and solved anew.
        let plies = verified["plies"].as_array().unwrap();
        assert!(plies.iter().all(|ply| ply["canonical"].is_u64()), "{game}: {verified}");
        let sample = &verified["sample"];
        assert_eq!(sample["solved"], sample["agreements"], "{game}");
        assert_eq!(sample["solved"].as_u64().unwrap(), rows("positions").min(100), "{game}");
        assert_eq!(sample["unsolved"], 0, "{game}");
    }
    let answer = place.json("query games.db 0,5,7 --game nim");
    assert_eq!(answer["value"]["outcome"], "win");
    assert_eq!(answer["best"], json!(["3-2"]));
    place.run("query games.db --game pong").success().stdout(contains("draw by endless play"));
    place.refuses("query games.db 1,5,9 --game nim", 2, "at most 7");

    // The position decides the game; `verify` checks all games at once.
    let answer = place.json("query games.db 0,5,7");
    assert_eq!(answer["game"], "nim");
    let answer = place.json("query games.db b1b2");
    assert_eq!(answer["game"], "hexapawn");
    place.run("query games.db").code(2).stderr(contains("several games").and(contains("dots 2x2")));
    place.run("ttt --db games.db").success();
    let all = place.json("verify games.db");
    let games = all["games"].as_array().unwrap();
    let names: Vec<&str> = games.iter().map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!(names, ["dots", "hexapawn", "nim", "pong", "ttt"]);
    assert!(games.iter().all(|game| game["disagreements"] == json!([])));
    let sample = contains("sample     5 of 5 positions solved anew agree");
    let told = place.run("verify games.db --sample 5").success();
    told.stdout(contains("Pong Hau K'i\nrows").and(sample));
}

#[test]
fn a_sample_finds_wrong_rows_of_every_game() {
    for game in ["nim 3,4,5", "hexapawn", "dots --size 2x2", "pong"] {
        let place = Place::new();
        place.run(&format!("{game} --db games.db")).success();
        // One lonely row, which no child contradicts.
        place.forge(
            "games.db",
            "DELETE FROM position WHERE key <> (SELECT key FROM position WHERE outcome <> 0
                 AND remoteness > 2 ORDER BY key LIMIT 1);
             UPDATE position SET outcome = -outcome, best = NULL",
        );
        let verified = document(&place.run("verify games.db --json").code(3));
        let mut found = verified["disagreements"].as_array().unwrap().iter();
        assert!(found.any(|found| found["check"] == "sample"), "{game}: {verified}");
    }
}

#[test]
fn a_wrong_row_is_found() {
    let place = Place::new();
    place.run("hexapawn --db games.db").success();
    let row = "(SELECT key FROM position WHERE remoteness = 3 LIMIT 1)";
    place.forge("games.db", &format!("UPDATE position SET outcome = -outcome WHERE key = {row}"));
    place.run("verify games.db").code(3).stdout(contains("children: ").and(contains("move ")));
}

#[test]
fn plies_of_any_game_are_counted() {
    let place = Place::new();
    let pong = place.json("count pong --plies 5 --no-db");
    let nodes: Vec<u64> =
        pong["plies"].as_array().unwrap().iter().map(|p| p["nodes"].as_u64().unwrap()).collect();
    assert_eq!((nodes.len(), nodes[0], nodes[1]), (6, 1, 2));
    assert_eq!(pong["complete"], false);
    let nim = place.json("count --no-db nim 1,2");
    assert_eq!(nim["complete"], true);
    place.refuses("count pong --no-db", 2, "play of pong may be endless: say with --plies N");
    place.refuses("count nim --line 3 --no-db", 2, "--line: nim has no such option");
    let walked = place.json("count --no-db nim 1,2 --method walk");
    assert_eq!(walked["plies"][2]["nodes"], nim["plies"][2]["nodes"]);
    place.refuses("count nim --method profiles --no-db", 2, "--method");
    let by_profiles = place.run("count connect4 --size 5x4 --method profiles --no-db");
    let said = "nodes and games are not counted by profiles: --method positions counts them";
    by_profiles.success().stdout(contains(said));
    place.refuses("count chess", 2, "[possible values: ttt, connect4, nim");
}

#[test]
fn what_is_wrong_is_said_with_the_remedy() {
    let place = Place::new();
    for (arguments, said) in [
        ("nim 3,x", "heap 2 of '3,x', 'x', is no number of stones"),
        ("nim 100,29", "up to 129 moves"),
        ("count nim 100,29 --plies 2", "up to 129 moves"),
        ("hexapawn a1a3", "choose one of a1a2 b1b2 c1c2"),
        ("hexapawn --size 9x9", "at most 31 cells"),
        ("dots --size 6x6", "at most 57 edges"),
        ("pong 3", "choose one of 4 5"),
        ("nim --size 3x3", "unexpected argument '--size'"),
    ] {
        place.refuses(&format!("{arguments} --no-db"), 2, said);
    }
    place.refuses("play nim 100,29", 2, "up to 129 moves");
    place.analyze().args(["nim", ""]).assert().code(2).stderr(contains("POSITION is empty"));
    assert_eq!(place.entries(), Vec::<String>::new());
}

#[test]
fn stored_positions_are_exported_in_every_format() {
    for start in ["nim 1,2,3", "hexapawn", "dots --size 2x1", "pong", "morris"] {
        let place = Place::new();
        place.run(&format!("{start} --db games.db")).success();
        let game = start.split(' ').next().unwrap();
        let verified = place.json(&format!("verify games.db --game {game}"));
        let export = format!("export games.db --game {game} --all-moves --format");
        let told = place.json(&format!("{export} csv --out {game}.csv"));
        assert_eq!(told["rows"], verified["rows"]["positions"], "{game}");
        assert_eq!(told["game"], game);
        assert_eq!(told["parameters"], verified["parameters"]);
        assert!(told.get("line").is_none() && told["index_base"].is_null());
        let csv = place.text(&format!("{game}.csv"));
        let points = if game == "dots" { [",points", ",legal_points"] } else { [""; 2] };
        let header = format!(
            "key,ply,moves,position,outcome,remoteness{},best,legal_moves,legal_outcomes,\
             legal_remotenesses{}",
            points[0], points[1]
        );
        assert_eq!(csv.lines().next(), Some(&header[..]));
        assert_eq!(csv.lines().count() as u64 - 1, told["rows"].as_u64().unwrap());
        // Every list is in brackets, and a list of moves is read as it is written.
        let mut asked = 0;
        for row in csv::Reader::from_reader(csv.as_bytes()).records().map(Result::unwrap) {
            let start = game != "nim" || row[2].len() > 2;
            for list in if game == "dots" { [2, 7, 8, 9, 10] } else { [2, 6, 7, 8, 9] } {
                assert!(row[list].starts_with('[') && row[list].ends_with(']'), "{row:?}");
            }
            if start && row[1].len() == 1 && &row[1] < "2" && asked < 20 {
                asked += 1;
                let query = ["query", "games.db", &row[2], "--game", game];
                place.analyze().args(query).assert().success().stdout(contains(&row[3]));
            }
        }
        place.json(&format!("{export} jsonl --out {game}.jsonl"));
        let lines = place.text(&format!("{game}.jsonl"));
        // The start with full heaps is not stored, only the start of this game.
        let query = place.run(&format!("query games.db --game {game} --json"));
        let start = serde_json::from_slice(&query.get_output().stdout);
        let start = start.map_or(json!("3,3,3"), |told: Value| told["position"].clone());
        for line in lines.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let words = |name: &str| -> Vec<&str> {
                row[name].as_str().unwrap().split_whitespace().collect()
            };
            assert_eq!(row["moves"] == "", row["position"] == start, "{line}");
            let (moves, outcomes) = (words("legal_moves"), words("legal_outcomes"));
            let remotenesses = words("legal_remotenesses");
            assert_eq!([outcomes.len(), remotenesses.len()], [moves.len(); 2], "{line}");
            // One ply later each best move leads to the value of the position.
            for best in words("best") {
                let at = moves.iter().position(|m| *m == best).unwrap();
                assert_eq!(row["outcome"], outcomes[at], "{line}");
                let remoteness = row["remoteness"].as_u64().map(|r| r.to_string());
                let endless = remotenesses[at] == "-" && outcomes[at] == "draw";
                assert!(remoteness.map_or(endless, |r| r == remotenesses[at]), "{line}");
            }
        }
        place.json(&format!("{export} parquet --out {game}.parquet"));
        assert!(place.read(&format!("{game}.parquet")).starts_with(b"PAR1"));
        place.run(&format!("verify games.db --game {game}")).success();
        let pons = format!("export games.db --game {game} --format pons");
        place.refuses(&pons, 2, "--format pons is for Connect Four, not for");
    }
}

#[test]
fn every_game_has_its_rules() {
    let place = Place::new();
    for entry in everyply::registry::builtin().entries() {
        let rules = entry.rules().unwrap_or_else(|| panic!("no rules of {}", entry.name));
        let lines = rules.lines().filter(|line| !line.is_empty()).count();
        assert!((5..=20).contains(&lines), "{}: {lines} lines", entry.name);
        assert!(rules.lines().all(|line| line.chars().count() <= 120), "{}", entry.name);
        let says = rules.to_lowercase().contains("a move is") || rules.contains("- Moves: ");
        assert!(says, "{}", entry.name);
        assert!(rules.contains("\n\nSource: "), "{}", entry.name);
        assert_eq!(place.output(&format!("rules {}", entry.name)), format!("{rules}\n"));
    }
    place.refuses("rules chess", 2, "invalid value 'chess'");
}
