//! The JSON documents: every field that is promised, with its type, and the numbers in them.

use serde_json::{Value, json};

use super::json_alone;

/// The fields that commands promise: `in.of` is a field of a field, `each[].of` a field of every element
/// of a list that is not empty. After the colon come the types: `s`tring, whole `n`umber, `f`raction or
/// whole number, `b`ool, `a`rray, `o`bject, `0` null.
const PROMISED: [(&[&str], &str); 5] = [
    (
        &["ttt", "ttt 15", "ttt --board X.O/.X./..O", "ttt --size 4x3 --line 4 1,2"],
        "game:s board:s line:n value.outcome:s value.remoteness:n threads:n elapsed_s:f
         counts.nodes:n counts.games:n counts.first_player_wins:n counts.second_player_wins:n
         counts.draws:n counts.full_board_leaves:n counts.full_board_nodes:n counts.positions:n
         counts.canonical_positions:n counts.terminal_positions:n
         plies[].ply:n plies[].nodes:n plies[].games:n plies[].positions:n plies[].canonical:n
         plies[].terminal:n plies[].wins:n plies[].draws:n plies[].losses:n
         values[].move:n values[].outcome:s values[].remoteness:n",
    ),
    (
        &["connect4 4455", "connect4 --depth 5", "connect4 4453 --depth 6 --all-moves"],
        "game:s board:s line:n moves:s depth:n exact:b threads:n table_mib:f elapsed_s:f
         nodes_per_s:f value:o0 score:f best:a pv:s stats.nodes:n stats.leaf_evaluations:n0
         stats.table_probes:n0 stats.table_hits:n0 stats.table_stores:n0 stats.cutoffs:n0
         stats.first_move_cutoffs:n0 values[].move:n values[].outcome:s0 values[].remoteness:n0
         values[].score:f0 values[].nodes:n0",
    ),
    (
        &["connect4 --depth 5"],
        "stats.leaf_evaluations:n stats.table_probes:n stats.table_hits:n stats.table_stores:n
         stats.table_replacements:n stats.table_fill:f stats.cutoffs:n stats.first_move_cutoffs:n
         stats.per_thread[].nodes:n stats.per_thread[].deferrals:n stats.per_thread[].busy_s:f
         iterations[].depth:n iterations[].score:f iterations[].nodes:n iterations[].elapsed_s:f
         iterations[].threads:n iterations[].pv:s",
    ),
    (
        &[
            "count ttt",
            "count ttt --values",
            "count ttt --method walk",
            "count connect4 --plies 4",
            "count connect4 --plies 4 --method walk",
            "count ttt 15",
        ],
        "game:s board:s line:n totals.nodes:n totals.games:n totals.positions:n0
         plies[].ply:n plies[].nodes:n plies[].games:n0 plies[].positions:n0 plies[].canonical:n0
         plies[].terminal:n0 plies[].wins:n0 plies[].draws:n0 plies[].losses:n0",
    ),
    (
        &["compare connect4 --depth 5", "compare ttt 15 --depth 7"],
        "rows[].algorithm:s rows[].depth:n rows[].threads:n rows[].score:f rows[].nodes:n
         rows[].elapsed_s:f rows[].speed_up:f0 rows[].node_overhead:f0 rows[].largest_share:f0",
    ),
];

fn has_type(value: &Value, letter: char) -> bool {
    match letter {
        's' => value.is_string(),
        'n' => value.is_u64() || value.is_i64(),
        'f' => value.is_number(),
        'b' => value.is_boolean(),
        'a' => value.is_array(),
        'o' => value.is_object(),
        '0' => value.is_null(),
        _ => panic!("no type {letter}"),
    }
}

fn has_field(document: &Value, path: &str, types: &str) {
    let (name, below) =
        path.split_once('.').map_or((path, None), |(name, below)| (name, Some(below)));
    let value = document.get(name.trim_end_matches("[]"));
    // Fields that may be unknown may be absent.
    let value = value.or(types.contains('0').then_some(&Value::Null));
    let value = value.unwrap_or_else(|| panic!("no {name} in {document}"));
    match below {
        Some(below) if name.ends_with("[]") => {
            let elements = value.as_array().unwrap();
            assert!(!elements.is_empty(), "{name}");
            elements.iter().for_each(|element| has_field(element, below, types));
        }
        Some(below) => has_field(value, below, types),
        None => assert!(types.chars().any(|t| has_type(value, t)), "{name}: {value}, not {types}"),
    }
}

#[test]
fn documents_have_every_field_they_promise() {
    for (commands, fields) in PROMISED {
        for command in commands {
            let document = json_alone(command);
            for field in fields.split_whitespace() {
                let (path, types) = field.split_once(':').unwrap();
                has_field(&document, path, types);
            }
        }
    }
}

fn column(document: &Value, name: &str) -> Vec<u64> {
    let plies = document["plies"].as_array().unwrap();
    plies
        .iter()
        .map(|ply| ply[name].as_u64().unwrap_or_else(|| panic!("{name} in {ply}")))
        .collect()
}

#[test]
fn ttt_counts_the_classic_numbers() {
    let document = json_alone("ttt");
    assert_eq!(document["game"], "ttt");
    assert_eq!(document["board"], "3x3");
    assert_eq!(document["line"], 3);
    assert_eq!(document["value"], json!({"outcome": "draw", "remoteness": 9}));
    for (name, number) in [
        ("nodes", 549_946),
        ("games", 255_168),
        ("first_player_wins", 131_184),
        ("second_player_wins", 77_904),
        ("draws", 46_080),
        ("full_board_leaves", 362_880),
        ("full_board_nodes", 986_410),
        ("positions", 5_478),
        ("canonical_positions", 765),
        ("terminal_positions", 958),
    ] {
        assert_eq!(document["counts"][name], number, "{name}");
    }
    let positions = column(&document, "positions");
    assert_eq!(positions, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    let games = column(&document, "games");
    assert_eq!(games, [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127_872]);
    // A draw fills the board, so that every first move draws in nine plies.
    let draws: Vec<Value> =
        (1..10).map(|m| json!({"move": m, "outcome": "draw", "remoteness": 9})).collect();
    assert_eq!(document["values"], json!(draws));
}

#[test]
fn ttt_scores_by_the_four_conventions() {
    // O answered the corner beside it: X wins with his third move from here, five plies away.
    for (scoring, score) in
        [("outcome", 1.0), ("ten", 10.0), ("ten-minus-depth", 6.0), ("inverse-depth", 0.2)]
    {
        let document = json_alone(&format!("ttt 12 --scoring {scoring}"));
        assert_eq!(document["value"], json!({"outcome": "win", "remoteness": 5}));
        assert_eq!(document["score"].as_f64(), Some(score), "{scoring}");
    }
    // More than nine cells: the ten becomes cells + 1.
    let document = json_alone("ttt --size 4x3 --scoring ten-minus-depth");
    assert_eq!(document["value"]["outcome"], "win");
    let remoteness = document["value"]["remoteness"].as_i64().unwrap();
    assert_eq!(document["score"], 13 - (remoteness - 1));
}

#[test]
fn connect4_to_depth_8_proves_nothing_and_visits_a_fiftieth_of_minimax() {
    let document = json_alone("connect4 --depth 8 --threads 1");
    assert_eq!(document["board"], "7x6");
    assert_eq!(document["line"], 4);
    assert_eq!(document["moves"], "");
    assert_eq!(document["depth"], 8);
    assert_eq!(document["exact"], false);
    assert_eq!(document["value"], Value::Null);
    let iterations = document["iterations"].as_array().unwrap();
    let depths: Vec<u64> = iterations.iter().map(|i| i["depth"].as_u64().unwrap()).collect();
    assert_eq!(depths, [1, 2, 3, 4, 5, 6, 7, 8]);
    let nodes: u64 = iterations.iter().map(|i| i["nodes"].as_u64().unwrap()).sum();
    assert_eq!(document["stats"]["nodes"], nodes);
    // Minimax visits all histories: the sum of perft 0 to 8.
    const MINIMAX: u64 = 1 + 7 + 49 + 343 + 2401 + 16_807 + 117_649 + 823_536 + 5_673_234;
    assert!(nodes > 0 && nodes < MINIMAX / 50, "{nodes} nodes");
    // A decimal with two places.
    let hundredths = document["score"].as_f64().unwrap() * 100.0;
    assert!((hundredths - hundredths.round()).abs() < 1e-6, "{}", document["score"]);
}

#[test]
fn connect4_finds_the_win_within_its_horizon() {
    // X has three in a column.
    let document = json_alone("connect4 414141 --depth 2");
    assert_eq!(document["value"], json!({"outcome": "win", "remoteness": 1}));
    assert_eq!(document["best"], json!([4]));
    assert_eq!(document["pv"], "4");
    // Both moves of the pair lose against an open three.
    let document = json_alone("connect4 44553 --depth 4");
    assert_eq!(document["value"], json!({"outcome": "loss", "remoteness": 2}));
}

#[test]
fn count_gives_perft_and_positions_of_connect_four() {
    let perft = [1, 7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234];
    let document = json_alone("count connect4 --plies 8");
    assert_eq!(column(&document, "nodes"), perft);
    for name in ["nodes", "positions", "canonical"] {
        assert_eq!(document["totals"][name], column(&document, name).iter().sum::<u64>(), "{name}");
    }
    // Unknown is null: these plies say nothing about the ends of all games.
    assert_eq!(document["plies"][3]["wins"], Value::Null);

    let document = json_alone("count connect4 --plies 8 --method walk");
    assert_eq!(column(&document, "nodes"), perft);
    assert_eq!(document["plies"][3]["positions"], Value::Null);
}

#[test]
fn count_agrees_with_ttt_on_tic_tac_toe() {
    let known = &json_alone("ttt")["counts"];
    for arguments in ["count ttt", "count ttt --values", "count ttt --method walk"] {
        let totals = &json_alone(arguments)["totals"];
        for name in ["nodes", "games", "first_player_wins", "full_board_leaves", "full_board_nodes"]
        {
            assert_eq!(totals[name], known[name], "{arguments}: {name}");
        }
    }
}

#[test]
fn compare_takes_order_and_evaluation_away() {
    let rows = |arguments: &str| -> Vec<Value> {
        let document = json_alone(&format!("compare connect4 4 --depth 5 {arguments}"));
        document["rows"].as_array().unwrap().clone()
    };
    // Of the rung of move ordering.
    let nodes =
        |rows: &[Value]| rows[10..15].iter().map(|row| row["nodes"].as_u64().unwrap()).sum::<u64>();
    let usual = rows("");
    for row in &usual {
        // O is to move.
        let score = row["score"].as_f64().unwrap();
        assert_eq!(row["first_player_score"].as_f64(), Some(0.0 - score), "{row}");
    }
    // The rungs above null windows have an order of their own.
    assert_eq!(rows("--order natural").len(), usual.len() - 15);
    let worst = rows("--order worst");
    assert_eq!(worst[10]["algorithm"], "+ worst moves first");
    assert!(nodes(&worst) > 2 * nodes(&usual), "{} {}", nodes(&worst), nodes(&usual));
    assert!(rows("--evaluation none").iter().all(|row| row["score"] == 0.0));
    assert_eq!(nodes(&rows("--evaluation own --order best")), nodes(&usual));
}

#[test]
fn compare_has_one_score_for_each_depth() {
    for game in ["connect4", "nim 2,3", "nim 2,3 --misere", "hexapawn", "dots --size 2x1"] {
        let document = json_alone(&format!("compare {game} --depth 5"));
        let rows = document["rows"].as_array().unwrap();
        // The searches are too short to be shared: the rung of all threads is left out.
        assert_eq!(rows.len(), 8 * 5, "{game}");
        let minimax = &rows[..5];
        if game == "connect4" {
            // All histories up to each depth.
            let nodes = minimax.iter().map(|row| row["nodes"].as_u64().unwrap());
            assert!(nodes.eq([8, 57, 400, 2801, 19_608]), "{minimax:?}");
        }
        for row in rows {
            let same_depth = &minimax[row["depth"].as_u64().unwrap() as usize - 1];
            assert_eq!(same_depth["algorithm"], "minimax", "{game}");
            assert_eq!(row["score"], same_depth["score"], "{game}: {row}");
            let saves = row["nodes"].as_u64() <= same_depth["nodes"].as_u64();
            assert!(saves || row["depth"] == 1 || game != "connect4", "{game}: {row}");
        }
    }
    let document = json_alone("compare ttt 15 --depth 7");
    // To the end of the game: X in the corner, O in the centre is a draw.
    let deepest = document["rows"].as_array().unwrap().iter().filter(|row| row["depth"] == 7);
    assert!(deepest.clone().count() == 8 && deepest.clone().all(|row| row["score"] == 0.0));
}

#[test]
fn compare_skips_what_would_take_longer_than_the_limit() {
    let document = json_alone("compare connect4 --depth 9 --limit 0.001");
    let rows = document["rows"].as_array().unwrap();
    let last = rows.iter().find(|row| row["algorithm"] == "minimax" && row["depth"] == 9).unwrap();
    assert_eq!(last["nodes"], Value::Null);
    assert_eq!(last["score"], Value::Null);
    assert!(last["skipped"].is_string(), "{last}");
}
