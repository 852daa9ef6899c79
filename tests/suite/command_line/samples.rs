//! `analyze sample`: random positions with exact values, as data sets.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use everyply::database::Database;
use predicates::prelude::*;
use predicates::str::contains;

use crate::support::{Place, positions};

/// The files of a folder with their content.
fn folder(place: &Place, name: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(place.path(name)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.map(|file| (file.clone(), place.read(&format!("{name}/{file}")))).collect()
}

/// The rows of a CSV file by their keys, with the header under "key".
fn rows(text: &[u8]) -> BTreeMap<String, String> {
    let text = std::str::from_utf8(text).unwrap();
    let row = |line: &str| (line.split(',').next().unwrap().to_owned(), line.to_owned());
    let rows: BTreeMap<_, _> = text.lines().map(row).collect();
    assert_eq!(rows.len(), text.lines().count(), "no key comes twice");
    rows
}

/// The number of rows by the field in this column.
fn counts(text: &[u8], column: usize) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in std::str::from_utf8(text).unwrap().lines().skip(1) {
        *counts.entry(line.split(',').nth(column).unwrap().to_owned()).or_default() += 1;
    }
    counts
}

#[test]
fn a_sample_has_the_values_of_the_whole_solution_whatever_the_threads() {
    let place = Place::new();
    place.run("solve connect4 --size 4x4 --out 4x4.solution --quiet").success();
    place.run("export 4x4.solution --format csv --all-moves --mirror --out all.csv").success();
    let all = rows(&place.read("all.csv"));
    let sample = "sample connect4 --size 4x4 --plies 3-12 --number 300 --all-moves --mirror \
                  --split 0.8 --seed 3";
    for threads in ["1", "2", "3"] {
        place.run(&format!("{sample} --no-db --threads {threads} --out {threads}")).success();
    }
    let files = folder(&place, "1");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let expected = ["test.csv", "test.csv.manifest.json", "train.csv", "train.csv.manifest.json"];
    assert_eq!(names, expected);
    assert_eq!(files, folder(&place, "2"));
    assert_eq!(files, folder(&place, "3"));
    // Each row equals that of the solution, which another engine made.
    let mut positions = 0;
    let mut parts: Vec<BTreeSet<String>> = Vec::new();
    for name in ["train.csv", "test.csv"] {
        let rows = rows(&files[name]);
        rows.iter().for_each(|(key, row)| assert_eq!(row, &all[key], "{name}"));
        // Both images of a position are in one part.
        let mirrored = |board: &str| -> String {
            let rows = board.split('/').map(|row| row.chars().rev().collect::<String>());
            rows.collect::<Vec<_>>().join("/")
        };
        let boards: BTreeSet<String> =
            rows.values().filter_map(|row| row.split(',').nth(3)).map(Into::into).collect();
        for board in boards.iter().filter(|board| *board != "board") {
            let image = mirrored(board);
            assert!(boards.contains(&image), "{board}");
            positions += if image == *board { 2 } else { 1 };
        }
        parts.push(boards);
    }
    assert_eq!(positions, 600, "300 positions, two images each or one that counts twice");
    assert_eq!(parts[0].intersection(&parts[1]).count(), 1, "the header alone");
    let manifest: serde_json::Value =
        serde_json::from_slice(&files["test.csv.manifest.json"]).unwrap();
    assert_eq!(manifest["sample"]["seed"], 3);
    assert_eq!(manifest["sample"]["part"], "test");
    assert_eq!(manifest["rows"].as_u64().unwrap() as usize, rows(&files["test.csv"]).len() - 1);
    // Another seed draws others.
    place.run(&format!("{sample} --no-db --out 4").replace("--seed 3", "--seed 4")).success();
    assert_ne!(files["train.csv"], folder(&place, "4")["train.csv"]);
}

#[test]
fn a_sample_is_split_in_three_and_balanced() {
    let place = Place::new();
    let sample = "sample connect4 --size 4x4 --number 400 --no-db --seed 5";
    place.run(&format!("{sample} --split 0.7,0.2 --out three")).success();
    place.run(&format!("{sample} --out one")).success();
    let parts = ["train", "validation", "test"].map(|part| format!("three/{part}.csv"));
    let parts = parts.map(|part| rows(&place.read(&part)));
    // With the header.
    assert_eq!(parts.each_ref().map(BTreeMap::len), [281, 81, 41]);
    let together: BTreeMap<String, String> = parts.into_iter().flatten().collect();
    assert_eq!(together, rows(&place.read("one/positions.csv")));
    for shares in ["0.9,0.1", "0.5,0.5,0.5", "1", "0", "0.5,-0.1", "nan", "x", "0.5,"] {
        place.refuses(
            &format!("{sample} --split {shares} --out four"),
            2,
            "shares are one or two numbers above 0, together below 1: 0.9 or 0.8,0.1",
        );
    }
    let outcomes = |folder: &str| {
        let mut outcomes = counts(&place.read(&format!("{folder}/positions.csv")), 5);
        outcomes.remove("outcome");
        outcomes
    };
    let fewest = *outcomes("one").values().min().unwrap();
    assert!(outcomes("one").values().any(|n| *n > fewest));
    for threads in [1, 2] {
        let out = format!("balanced{threads}");
        place
            .run(&format!("{sample} --balance --mirror --threads {threads} --out {out}"))
            .success();
        place
            .run(&format!("{sample} --balance --threads {threads} --out plain{threads}"))
            .success();
        let of_each = outcomes(&format!("plain{threads}"));
        assert!(of_each.len() == 3 && of_each.values().all(|n| *n == fewest), "{of_each:?}");
    }
    assert_eq!(folder(&place, "balanced1"), folder(&place, "balanced2"));
    // The rest is a subset of the sample.
    let all = rows(&place.read("one/positions.csv"));
    assert!(rows(&place.read("plain1/positions.csv")).iter().all(|(key, row)| all[key] == *row));
    let manifest = place.text("plain1/positions.csv.manifest.json");
    assert!(manifest.contains("\"balanced\": true"), "{manifest}");
}

#[test]
fn the_number_can_be_of_each_ply_and_the_draw_uniform() {
    let place = Place::new();
    let per_ply = "sample ttt --number 3 --per-ply --plies 1-4,6 --no-db";
    place.run(per_ply).success().stderr("").stdout(contains("positions.csv  15 rows"));
    let kept = contains("database   everyply.db: ").and(contains(" positions added"));
    place.run("sample ttt --number 3 --plies 1 --out kept").success().stdout(kept);
    let of_each = counts(&place.read("ttt-sample/positions.csv"), 1);
    assert_eq!(of_each.into_values().collect::<Vec<_>>(), [3; 5]);
    // Tic-tac-toe has 627 positions that are not over, up to symmetry: the draw can have all.
    place.run("sample ttt --number 627 --uniform --no-db --out all").success();
    let plies = counts(&place.read("all/positions.csv"), 1);
    assert_eq!(plies.into_values().collect::<Vec<_>>(), [1, 3, 12, 38, 108, 153, 183, 95, 34]);
    let one_more = contains("--number 628: there are only 627 positions to draw from");
    place.run("sample ttt --number 628 --uniform --no-db --out more").code(2).stderr(one_more);
    place.refuses(
        "sample ttt --number 4 --uniform --per-ply --plies 1-2 --no-db --out more",
        2,
        "there are only 3 positions of ply 1 to draw from",
    );
    let plies =
        contains("--plies 9-12: positions from here on that are not over have plies 0 to 8");
    place.run("sample ttt --number 1 --plies 9-12 --no-db --out more").code(2).stderr(plies);
    place.run("sample ttt --number 4 --plies 1 --no-db --out more").code(2).stderr(
        contains("random games lead to only 3 positions up to symmetry").and(contains("--uniform")),
    );
    assert!(!place.path("more").exists());
    // Random games and uniform draws differ: most positions are late ones.
    place.run("sample ttt --number 100 --uniform --no-db --out uniform").success();
    let uniform = counts(&place.read("uniform/positions.csv"), 1);
    assert!(uniform.get("1").is_none_or(|count| *count < 3), "{uniform:?}");
}

#[test]
fn a_sample_of_any_game_is_written_in_every_format() {
    let place = Place::new();
    for game in ["nim 3,4,5", "hexapawn", "dots --size 2x2", "pong", "ttt --size 4x3 --line 3"] {
        for format in ["csv", "jsonl", "parquet"] {
            let uniform = if game == "pong" { "--uniform" } else { "" };
            let run = format!("sample {game} --number 15 {uniform} --all-moves --format {format}");
            let out = format!("{}-{format}", &game[..3]);
            let document = place.json(&format!("{run} --out {out}"));
            assert_eq!(document["files"][0]["rows"], 15, "{run}");
            // Users would take the files of another sample for its own.
            let again =
                place.run(&format!("sample nim --number 5 --format csv --out {out}")).code(2);
            again.stderr(contains(format!("a sample is there already (positions.{format})")));
        }
        let text = place.text(&format!("{}-jsonl/positions.jsonl", &game[..3]));
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(row["best"].as_str().is_some_and(|best| !best.is_empty()), "{game}: {row}");
            assert_ne!(row["remoteness"], 0, "{game}: the game is over");
        }
    }
    // The stored values are right, also of endless play.
    place.run("verify everyply.db --game pong").success();
    place.run("verify everyply.db --game ttt --size 4x3 --line 3").success();
}

#[test]
fn a_sample_that_is_killed_over_and_over_ends_like_one_that_is_left_alone() {
    let sample = "sample connect4 --size 6x5 --plies 2-12 --number 500 --all-moves";
    let alone = Place::new();
    alone.run(&format!("{sample} --no-db")).success();
    let place = Place::new();
    let held = || {
        let database = Database::open(&place.path("everyply.db")).ok()?;
        let games = database.games().ok()?;
        Some(positions(&database, games.first()?).ok()?.len())
    };
    let (mut before, mut kills) = (0, 0);
    for threads in 1..=3 {
        let mut child = place.start(&format!("{sample} --threads {threads}"));
        // Until it has kept something more, or is done.
        while child.try_wait().unwrap().is_none() && held().is_none_or(|now| now <= before) {
            std::thread::sleep(Duration::from_millis(20));
        }
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        Database::open(&place.path("everyply.db")).unwrap().check().unwrap();
        let now = held().unwrap();
        assert!(now > before, "{now} positions, {before} before");
        before = now;
        assert!(!place.path("connect4-sample/positions.csv").exists());
    }
    assert!(kills > 0, "it was done before anything was kept");
    place.run(sample).success();
    assert_eq!(folder(&place, "connect4-sample"), folder(&alone, "connect4-sample"));
}
