//! `analyze export` writes, from the database alone, what the run itself wrote with --csv.

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::Place;

const TTT: [&str; 2] = ["ttt-solution.csv", "ttt-plies.csv"];
const CONNECT4: [&str; 2] = ["connect4-iterations.csv", "connect4-root-moves.csv"];
const COUNT: [&str; 1] = ["count-plies.csv"];

/// The command's own files and those exported afterwards are the same, and are all there is.
fn exports_the_same(arguments: &str, files: &[&str]) {
    let place = Place::new();
    place.run(&format!("{arguments} --csv own")).success();
    place.run("export everyply.db --csv exported").success().stderr("");
    same_files(&place, "own", "exported", files, arguments);
}

fn same_files(place: &Place, own: &str, exported: &str, files: &[&str], what: &str) {
    for directory in [own, exported] {
        let mut names: Vec<String> = std::fs::read_dir(place.path(directory))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let mut expected = files.to_vec();
        expected.sort_unstable();
        assert_eq!(names, expected, "{what}: {directory}");
    }
    for name in files {
        let own = place.read(&format!("{own}/{name}"));
        // At least a header.
        assert!(own.len() > 30, "{what}: {name} holds {} bytes", own.len());
        assert!(own == place.read(&format!("{exported}/{name}")), "{what}: {name} differs");
    }
}

#[test]
fn the_solution_of_tic_tac_toe_by_every_scoring() {
    for scoring in ["outcome", "ten", "ten-minus-depth", "inverse-depth"] {
        exports_the_same(&format!("ttt --scoring {scoring}"), &TTT);
    }
    exports_the_same("ttt", &TTT);
}

#[test]
fn the_solution_below_a_position() {
    exports_the_same("ttt 15", &TTT);
    exports_the_same("ttt 2 --scoring ten-minus-depth", &TTT);
    exports_the_same("ttt --board X.O/.X./..O", &TTT);
    exports_the_same("ttt 14253", &TTT);
    exports_the_same("ttt --size 4x3 --line 4 1,12", &TTT);
}

#[test]
fn searches_and_counts() {
    exports_the_same("connect4 --depth 6", &CONNECT4);
    exports_the_same("connect4 4453 --depth 5 --all-moves", &CONNECT4);
    exports_the_same("connect4 4455", &CONNECT4);
    exports_the_same("connect4 1212121 --depth 2", &CONNECT4);
    exports_the_same("count connect4 --plies 6", &COUNT);
    exports_the_same("count connect4 --plies 5 --method walk", &COUNT);
    exports_the_same("count ttt --values", &COUNT);
}

#[test]
fn later_runs_change_nothing_about_what_is_exported() {
    let place = Place::new();
    place.run("ttt 15 --scoring ten --csv ttt").success();
    place.run("connect4 --depth 5 --csv connect4").success();
    place.run("count ttt --csv count").success();
    place.run("ttt --size 4x3 --line 4 --csv larger").success();
    place.run("connect4 --depth 7 44").success();
    place.run("ttt --csv whole").success();
    place.run("count connect4 --plies 3 --csv last").success();
    for (run, own, files) in [
        (1, "ttt", &TTT[..]),
        (2, "connect4", &CONNECT4),
        (3, "count", &COUNT),
        (4, "larger", &TTT),
        (6, "whole", &TTT),
        (7, "last", &COUNT),
    ] {
        let exported = format!("run{run}");
        place.run(&format!("export everyply.db --csv {exported} --run {run}")).success();
        same_files(&place, own, &exported, files, &exported);
    }
    // Of the last run of each command, where none is named.
    place.run("export everyply.db --csv latest").success();
    let latest = |name: &str| place.read(&format!("latest/{name}"));
    assert!(latest("ttt-solution.csv") == place.read("whole/ttt-solution.csv"));
    assert!(latest("count-plies.csv") == place.read("last/count-plies.csv"));
    // And by another convention than the run's.
    place.run("export everyply.db --csv other --run 6 --scoring ten").success();
    place.run("ttt --no-db --scoring ten --csv expected").success();
    assert!(place.read("other/ttt-solution.csv") == place.read("expected/ttt-solution.csv"));
}

#[test]
fn a_path_with_spaces_and_quotes_is_no_obstacle() {
    let place = Place::new();
    let odd = "it's a \"path\" $HOME";
    place.analyze().args(["ttt", "15", "--csv", odd, "--db", "my 'own'.db"]).assert().success();
    place.analyze().args(["export", "my 'own'.db", "--csv", "exported"]).assert().success();
    same_files(&place, odd, "exported", &TTT, odd);
}

#[test]
fn what_cannot_be_exported_is_refused_with_what_there_is() {
    let place = Place::new();
    place.run("export none.db --csv out").code(1).stdout("").stderr(contains("none.db"));
    assert!(place.entries().is_empty(), "{:?}", place.entries());
    place.run("ttt 15").success();
    place
        .run("export everyply.db --csv out --run 2")
        .code(2)
        .stdout("")
        .stderr(contains("--run 2").and(contains("analyze ttt 15")));
    assert_eq!(place.entries(), ["everyply.db"]);
}

#[test]
fn what_is_asked_settles_which_game_is_exported() {
    let place = Place::new();
    place.run("ttt").success();
    place.run("book connect4 --size 4x4 --plies 9 --table-size 1").success();
    place.run("nim 3,4").success();
    let exported = |arguments: &str| -> serde_json::Value {
        let run = place.run(&format!("export everyply.db {arguments} --json")).success();
        serde_json::from_slice(&run.get_output().stdout).unwrap()
    };
    let name = |document: &serde_json::Value| {
        format!("{} {}", document["game"].as_str().unwrap(), document["board"])
    };
    // A format that only one game has.
    assert_eq!(name(&exported("--format pons")), "connect4 \"4x4\"");
    // Plies and distances that the database holds of only one game.
    assert_eq!(name(&exported("--format csv --plies 0 --remoteness 16")), "connect4 \"4x4\"");
    assert_eq!(name(&exported("--format csv --plies 0 --remoteness 9")), "ttt \"3x3\"");
    assert_eq!(name(&exported("--format csv --plies 1 --outcome win")), "nim null");
    // Of the boards of one game the usual one.
    place.run("connect4 44455554221").success();
    assert_eq!(name(&exported("--format csv --game connect4")), "connect4 \"7x6\"");
    assert_eq!(name(&exported("--format csv --game connect4 --plies 5")), "connect4 \"4x4\"");
    // Where several are left, they are listed.
    let listed = contains("several games").and(contains("ttt 3x3")).and(contains("nim"));
    place.run("export everyply.db --format csv").code(2).stdout("").stderr(listed);
    // A run is one of one game.
    place.run("export everyply.db --csv runs").code(2).stderr(contains("several games"));
    place.run("export everyply.db --csv runs --run 3").success().stdout(contains("nim"));
    place.run("export everyply.db --csv runs --game ttt").success().stdout(contains("ttt"));
}
