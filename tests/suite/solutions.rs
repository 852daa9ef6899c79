//! Solution files of any game, through the program.

use std::collections::BTreeMap;

use everyply::game::Chosen;
use everyply::registry::builtin;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

use crate::support::Place;

#[test]
fn a_game_is_solved_into_a_file_that_other_commands_read() {
    let place = Place::new();
    for (game, options, canonical, value) in [
        ("ttt", "", Some(765), "draw"),
        ("pong", "", Some(28), "draw"),
        ("nim", "", Some(192), "win"),
        ("dao", "", None, "draw"),
        ("awari", "", None, "win"),
    ] {
        let solved = place.json(&format!("solve {game} {options} --out {game}.solution"));
        assert_eq!(solved["value"]["outcome"], value, "{game}");
        let positions = solved["positions"].as_u64().unwrap();
        assert!(canonical.is_none_or(|canonical| canonical == positions), "{game}: {positions}");
        let bytes = std::fs::metadata(place.path(&format!("{game}.solution"))).unwrap().len();
        assert_eq!(solved["bytes"], bytes);
        let plan = place.json(&format!("solve {game} {options} --plan"));
        assert_eq!(plan["complete"], true);
        let number = |name: &str| plan[name].as_u64().unwrap();
        assert!(number("positions") >= positions, "{plan}");
        assert!(canonical.is_none_or(|canonical| canonical == number("positions")), "{plan}");
        assert!((2 * positions..1 << 30).contains(&number("memory")), "{plan}");
        let file = number("file") + 500;
        assert!((bytes / 10..10 * bytes).contains(&file), "{plan}: {bytes} bytes");

        let found = place.json(&format!("query {game}.solution"));
        assert_eq!(found["value"], solved["value"], "{game}");
        assert_eq!(found["best_complete"], true);
        let verified = place.json(&format!("verify {game}.solution"));
        assert_eq!(verified["solution"]["proved"], positions);
        let sampled = place.json(&format!("verify {game}.solution --sample 40"));
        assert_eq!(sampled["sample"]["agreements"], sampled["sample"]["solved"]);
        assert_eq!(sampled["sample"]["solved"], positions.min(40));
        let export = format!("export {game}.solution --format jsonl --out {game} --json");
        let rows: Value = serde_json::from_str(&place.output(&export)).unwrap();
        let [rows, skipped] = ["rows", "skipped"].map(|field| rows[field].as_u64().unwrap());
        assert_eq!(rows + skipped, positions);
        values_are_counted(&place, game, &solved);
        let page = format!("report {game}.solution -o {game}.html");
        place.run(&page).success().stdout(contains("1 figure\n"));
        // All commands name what the file holds.
        let holds = solved["holds"].as_str().unwrap();
        assert_eq!(found["holds"], holds);
        assert!(place.text(&format!("{game}.manifest.json")).contains(holds));
        assert!(place.text(&format!("{game}.html")).contains(holds));
        place.run(&format!("verify {game}.solution")).success().stdout(contains(holds));
    }
    // The points that `analyze awari` gives, as a brute force does.
    let points = |told: &Value| {
        let moves = told["values"].as_array().unwrap().iter();
        (told["points"].as_i64(), moves.map(|m| m["points"].as_i64()).collect::<Vec<_>>())
    };
    let found = points(&place.json("query awari.solution"));
    assert_eq!(found, (Some(3), vec![Some(-2), Some(3), Some(0)]));
    assert_eq!(points(&place.json("awari --no-db")), found);
    let shown = contains("points     +3 for the side to move").and(contains("  points\n"));
    place.run("query awari.solution").success().stdout(shown);
    let proved = contains("10,479 positions have the points that solving them anew finds");
    place.run("verify awari.solution").success().stdout(proved);
    // Solving it anew takes as much memory as solving it took.
    place.run("verify awari.solution --memory 0.04").success();
    let refused = contains("28.1 MiB of memory are needed").and(contains("check a --sample"));
    place.run("verify awari.solution --memory 0.02").code(2).stderr(refused);
    // The rows equal an export of a database of all positions.
    place.run("ttt --db all.db --quiet").success();
    place.run("export all.db --format csv --all-moves --out a.csv").success();
    place.run("export ttt.solution --format csv --all-moves --out b.csv").success();
    assert!(place.read("a.csv") == place.read("b.csv"));
    let mut play = place.analyze();
    play.args(["play", "ttt", "--book", "ttt.solution"]).write_stdin("hint\nquit\n");
    play.assert().success().stdout(contains("the best moves are 1 2 3"));
}

/// Counts the positions of a file by value and compares them with the counts of its tiers.
fn values_are_counted(place: &Place, game: &str, solved: &Value) {
    place.run(&format!("export {game}.solution --csv {game}-tables")).success();
    let text = place.text(&format!("{game}-tables/values.csv"));
    let (header, rows) = text.split_once('\n').unwrap();
    let distance = if game == "awari" { "points" } else { "remoteness" };
    assert_eq!(header, format!("tier,outcome,{distance},positions"));
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(',').collect()).collect();
    let mut compared = 0;
    for tier in solved["tiers"].as_array().unwrap() {
        let name = tier["name"].as_str().unwrap();
        let of_tier = || rows.iter().filter(|row| row[0] == name);
        let sum = |outcome: &str, is_endless: bool| {
            let wanted =
                of_tier().filter(|row| row[1] == outcome && row[2].is_empty() == is_endless);
            wanted.map(|row| row[3].parse::<u64>().unwrap()).sum::<u64>()
        };
        assert_eq!(sum("win", false), tier["wins"], "{game} {name}");
        assert_eq!(sum("draw", false), tier["draws"], "{game} {name}");
        assert_eq!(sum("draw", true), tier["endless"], "{game} {name}");
        assert_eq!(sum("loss", false), tier["losses"], "{game} {name}");
        let decided = of_tier().filter(|row| row[1] != "draw");
        let longest = decided.map(|row| row[2].parse::<i64>().unwrap().unsigned_abs()).max();
        assert_eq!(longest.unwrap_or(0), tier["longest"], "{game} {name}");
        compared += of_tier().count();
    }
    assert!(compared == rows.len() && compared > 1, "{game}: {compared}");
}

#[test]
fn tiers_solved_alone_are_kept_for_the_whole_game() {
    let place = Place::new();
    place.run("solve morris --tier 3-3 --work w --out part").success();
    let kept = || {
        let files = std::fs::read_dir(place.path("w")).unwrap().map(Result::unwrap);
        let of_file =
            |file: std::fs::DirEntry| (file.path(), file.metadata().unwrap().modified().unwrap());
        files.map(of_file).collect::<BTreeMap<_, _>>()
    };
    let before = kept();
    assert!(before.len() > 4, "{before:?}");
    place.run("solve morris --work w --out whole").success();
    place.run("solve morris --tier 3-3 --work w --out again").success();
    assert!(place.read("part") == place.read("again"));
    let after = kept();
    assert!(before.iter().all(|(path, time)| after[path] == *time));
}

/// The expected counts come from another program.
#[test]
fn a_game_of_95_moves_is_solved_by_tiers() {
    let place = Place::new();
    let solve = "solve morris --men 9 --flying --tier 3-3 --out nine.solution";
    let solved = place.json(&format!("{solve} --work work"));
    let tier = solved["tiers"].as_array().unwrap().iter().find(|tier| tier["name"] == "3-3");
    let number = |name: &str| tier.unwrap()[name].as_u64().unwrap();
    let drawn = number("draws") + number("endless");
    let found = [number("wins"), drawn, number("losses"), number("longest")];
    assert_eq!(found, [140_621, 269, 28_736, 26]);
    let verified = place.json("verify nine.solution");
    assert_eq!(verified["solution"]["proved"], solved["positions"]);
    let found = place.json("query nine.solution");
    assert_eq!(found["value"], solved["value"]);
    assert_eq!(found["best_complete"], true);
    place.run("report nine.solution -o nine.html").success();
    place.run("export nine.solution --format csv --out x").success();
    place.refuses("solve morris --men 8 --plan", 2, "3 to 7 or 9 a side");
}

/// `data/morris-9-positions-by-value.csv`: the small tiers counted anew, and the number of all positions.
#[test]
fn nine_men_by_value_are_the_known_ones() {
    let data = include_str!("../../data/morris-9-positions-by-value.csv");
    let known: Vec<&str> = data.lines().filter(|line| !line.starts_with('#')).collect();
    let stones = |row: &str| row.bytes().step_by(2).take(2).map(|b| b - b'0').min().unwrap();
    let positions = |row: &str| row.rsplit(',').next().unwrap().parse::<u64>().unwrap();
    let of_three_or_more = known[1..].iter().filter(|row| stones(row) > 2);
    // The placements of three to nine stones each, up to the 16 symmetries of the board (Burnside's lemma).
    assert_eq!(of_three_or_more.map(|row| positions(row)).sum::<u64>(), 8_904_593_601);

    let place = Place::new();
    place.run("solve morris --men 9 --tier 4-4 --out nine --quiet").success();
    place.run("export nine --csv tables").success();
    let anew = place.text("tables/values.csv");
    let anew: Vec<&str> = anew.lines().collect();
    let tiers: Vec<&str> = anew.iter().map(|row| row.split(',').next().unwrap()).collect();
    let of_tiers = |row: &&&str| tiers.contains(&row.split(',').next().unwrap());
    assert_eq!(known.iter().filter(of_tiers).copied().collect::<Vec<_>>(), anew);
    assert!(anew.len() > 100, "{}", anew.len());
}

#[test]
fn damage_and_what_a_file_cannot_hold_are_refused() {
    let place = Place::new();
    place.run("solve nim 1,2,3 --out nim.solution --quiet").success();
    place.run("query nim.solution 1,2,0").success().stdout(contains("win in 3 plies"));
    let elsewhere = place.run("query nim.solution 3,3,3").code(1);
    elsewhere.stderr(contains("does not hold the position"));
    let mut bytes = place.read("nim.solution");
    bytes[70] ^= 4;
    std::fs::write(place.path("damaged"), &bytes).unwrap();
    place.refuses("query damaged 1,2,0", 1, "is damaged: chunk 0 at byte 64");
    place.run("verify damaged").code(3).stderr(contains("wrong checksum"));
    bytes[8] = 9;
    std::fs::write(place.path("newer"), &bytes).unwrap();
    place.refuses("query newer", 1, "version 9 of the format");
    for (arguments, says) in [
        ("ttt --work w --out x", "in memory"),
        ("connect4 44 --out x", "empty board"),
        ("connect4 --size 12x12 --out x", "too large"),
        ("neutreeko --memory 0.001 --out x", "MiB of memory, in a work folder"),
        ("morris --tier 3-9 --out x", "no such tier"),
        ("nim --tier 3-3 --out x", "has no tiers"),
        ("morris a1 --tier 3-3 --out x", "takes the place of POSITION"),
        ("ttt --men 3 --out x", "no such option"),
        ("ttt", "--out"),
    ] {
        place.refuses(&format!("solve {arguments}"), 2, says);
    }
    place.refuses("solve ttt --out no/where", 1, "cannot write");
    place.run("solve connect4 --size 3x3 --out board --quiet").success();
    place.refuses("export board --csv tables", 2, "no tables");
    place.refuses("export nim.solution --csv tables --game ttt", 2, "nothing else");
    place.refuses("export damaged --csv tables", 1, "wrong checksum");
    let expected = ["board", "damaged", "newer", "nim.solution"];
    assert_eq!(place.entries(), expected);
}

/// A numbering includes positions that play cannot reach, such as a side to move that has won
/// already.
#[test]
fn positions_that_the_rules_make_impossible_are_left_out_of_data_sets() {
    let place = Place::new();
    place.run("solve dao --out d.sol").success();
    let said = contains("1,164 positions were left out: no game reaches this position");
    place.run("export d.sol --format csv --out d.csv").success().stderr(said);
    let start = builtin().find("dao").unwrap().choose(&Chosen::default()).unwrap();
    for row in place.table("d.csv").iter().step_by(97) {
        let position = &row["position"];
        start.read(position).unwrap_or_else(|error| panic!("{position}: {error}"));
    }
    place.refuses("query d.sol XXXX/O.../.O../.OO.:X", 2, "X is to move and has won already");
}

/// A game whose positions are not counted has bounds, and a refusal names the place to read them.
#[test]
fn a_plan_bounds_the_positions_of_a_large_game() {
    let place = Place::new();
    let plan = place.output("solve popout --size 7x6 --plan");
    for part in [
        "more than 1,048,576, fewer than ",
        "growth     ",
        " are allowed: ",
        "file       more than ",
    ] {
        assert!(plan.contains(part), "{part}: {plan}");
    }
    let small = "solve popout --size 7x6 --memory 0.02 --out x.solution";
    place.refuses(small, 2, "the memory is too small; --plan says how they grow");
}
