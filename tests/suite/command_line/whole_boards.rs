//! Counting, solving, asking and verifying whole Connect Four boards.

use predicates::str::contains;

use super::{json_alone, valued_moves};
use crate::support::{Place, stderr};

#[test]
fn a_whole_board_is_counted_with_histories_where_they_are_few() {
    let small = json_alone("count connect4 --size 4x4");
    assert_eq!(small["method"], "profiles");
    assert_eq!(small["totals"]["positions"], 161_029);
    let walked = json_alone("count connect4 --size 4x4 --method positions");
    assert_eq!(small["totals"]["nodes"], walked["totals"]["nodes"]);
    assert_eq!(small["plies"], walked["plies"]);
    let large = json_alone("count connect4 --size 5x5");
    assert_eq!(large["totals"]["positions"], 69_763_700);
    assert!(large["totals"]["nodes"].is_null());
}

#[test]
fn values_are_counted_by_outcome_and_by_remoteness() {
    let counted = json_alone("count connect4 --size 5x4 --values");
    let generic = json_alone("count connect4 --size 5x4 --values --method positions");
    assert_eq!(counted["plies"], generic["plies"]);
    assert_eq!(counted["value"]["outcome"], "draw");
    assert_eq!(counted["value"]["remoteness"], 20);
    let by_value = counted["by_value"].as_array().unwrap();
    let all: u64 = by_value.iter().map(|row| row["positions"].as_u64().unwrap()).sum();
    assert_eq!(all, 3_945_711);
    assert_eq!(counted["longest_win"]["outcome"], "win");
    assert!(counted["branching_factor"].as_f64().unwrap() > 1.0);
}

/// Lines of two end every game on this board after 13 of 20 plies.
#[test]
fn all_methods_list_the_plies_that_games_reach() {
    let board = "connect4 --size 5x4 --line 2";
    for options in ["", " --values", " --plies 20"] {
        let plies = |method: &str| {
            let options =
                if method == "walk" { options.replace(" --values", "") } else { options.into() };
            let mut plies =
                json_alone(&format!("count {board}{options} --method {method}"))["plies"].clone();
            for ply in plies.as_array_mut().unwrap() {
                // Profiles do not know these.
                ply["nodes"].take();
                ply["games"].take();
            }
            plies
        };
        let positions = plies("positions");
        assert_eq!(positions.as_array().unwrap().len(), 14);
        assert_eq!(plies("profiles"), positions);
        assert_eq!(plies("auto"), positions);
        assert_eq!(plies("walk").as_array().unwrap().len(), 14);
    }
    let place = Place::new();
    for method in ["auto", "positions"] {
        let out = format!("--method {method} --db {method}.db --csv {method}");
        place.run(&format!("count {board} {out}")).success();
    }
    let expected = place.read("positions/count-plies.csv");
    assert_eq!(expected.iter().filter(|&&byte| byte == b'\n').count(), 15);
    assert_eq!(place.read("auto/count-plies.csv"), expected);
}

#[test]
fn a_solved_board_answers_from_its_file_alone() {
    let place = Place::new();
    let solved = place.json("solve connect4 --size 5x4 --out board.solution");
    assert_eq!(solved["value"]["outcome"], "draw");
    assert_eq!(solved["positions"], 3_945_711);
    assert_eq!(solved["bytes"].as_u64().unwrap(), place.read("board.solution").len() as u64);
    let asked = place.json("query board.solution 334");
    let searched = json_alone("connect4 334 --size 5x4 --all-moves");
    assert_eq!(asked["value"], searched["value"]);
    assert_eq!(asked["best"], searched["best"]);
    assert_eq!(valued_moves(&asked), valued_moves(&searched));
    let remoteness = asked["value"]["remoteness"].as_u64().unwrap() as usize;
    assert_eq!(asked["pv"].as_str().unwrap().len(), remoteness);
    place.run("verify board.solution").success();
    // A finished game has a value and no moves; a position of another board is refused.
    let over = place.json("query board.solution 1212121");
    assert_eq!(over["value"]["outcome"], "loss");
    assert!(over["values"].as_array().unwrap().is_empty());
    place.run("query board.solution 6").code(2);
}

#[test]
fn the_plan_of_the_usual_board_tells_its_size() {
    let place = Place::new();
    let plan = place.json("solve connect4 --plan --work work --out never");
    assert!(place.entries().is_empty(), "{:?}", place.entries());
    assert_eq!(plan["board"], "7x6");
    assert_eq!(plan["profiles"], 412_972);
    let tiers = plan["tiers"].as_array().unwrap();
    assert_eq!(tiers.len(), 3 * 43);
    let largest = tiers.iter().map(|tier| tier["largest_unit"].as_u64().unwrap()).max();
    assert!(largest <= Some(6 * (16 << 20)), "{largest:?}");
    assert!(tiers.iter().any(|tier| tier["units"].as_u64() > Some(1)));
    assert!(plan["folder"].as_u64() < plan["memory"].as_u64());
    assert!(plan["core_seconds"].as_f64() > Some(3600.0));
    let text = place.output("solve connect4 --size 5x5 --plan");
    assert!(text.contains("packed-25"), "{text}");
    place.run("solve connect4 --size 5x5").code(2);
    place.run("solve connect4 --size 12x12 --plan").code(2);
}

#[test]
fn a_damaged_or_foreign_solution_is_refused_by_name() {
    let place = Place::new();
    place.run("solve connect4 --size 4x3 --out good").success();
    let good = place.read("good");
    let mut bad = good.clone();
    *bad.last_mut().unwrap() ^= 1;
    std::fs::write(place.path("bad"), &bad).unwrap();
    place.run("verify bad").code(3).stderr(contains("bad is damaged"));
    std::fs::write(place.path("short"), &good[..good.len() / 2]).unwrap();
    place.run("query short").failure();
}

#[test]
fn boards_that_cannot_fit_say_what_they_need() {
    let place = Place::new();
    let said = |arguments: &str| stderr(&place.run(arguments).code(2));
    let in_memory = said("solve connect4 --out never");
    assert!(in_memory.contains("7x6, 4 in a row needs "), "{in_memory}");
    assert!(in_memory.contains("of memory, or with --work DIR about "), "{in_memory}");
    // The expected size, and its upper bound.
    let in_folder = said("solve connect4 --size 8x7 --out never --work work");
    for text in [&in_memory, &in_folder] {
        let bytes = |after: &str| {
            let (_, rest) = text.split_once(after).unwrap_or_else(|| panic!("{after}: {text}"));
            let mut words = rest.split([' ', ',']);
            let number: f64 = words.next().unwrap().parse().unwrap();
            match words.next().unwrap() {
                "GiB" => number,
                "TiB" => 1024.0 * number,
                "PiB" => 1024.0 * 1024.0 * number,
                unit => panic!("{unit}: {text}"),
            }
        };
        let (expected, most) = (bytes("about "), bytes("at most "));
        assert!(100.0 < expected && 4.0 * expected < most, "{expected} {most}");
    }
    assert!(in_folder.contains("in --work work; ") && in_folder.contains("are free there"));
    let allowed = said("solve connect4 --size 5x5 --out never --memory 0.001");
    assert!(allowed.contains("are allowed by --memory"), "{allowed}");
    assert!(place.entries().is_empty());
}
