//! The program in the hands of a new user who has read no documentation.

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::{Place, stdout};

#[test]
fn alone_it_names_four_things_to_try() {
    let place = Place::new();
    let said = stdout(&place.run("").success().stderr(""));
    let commands: Vec<&str> = said.lines().filter(|line| line.starts_with("  analyze ")).collect();
    assert_eq!(commands.len(), 4, "{said}");
    for command in &commands[..2] {
        let arguments = command.split("  ").nth(1).unwrap().strip_prefix("analyze ").unwrap();
        place.run(&format!("{arguments} --no-db")).success();
    }
    assert!(place.entries().is_empty());
}

#[test]
fn other_words_for_a_game_are_understood_and_not_listed() {
    let place = Place::new();
    for command in [
        "tictactoe --no-db",
        "tic-tac-toe 1259 --no-db",
        "c4 44455554221 --no-db",
        "connect-4 44455554221 --no-db",
        "connectfour 44455554221 --no-db",
        "count tictactoe --no-db",
        "explain tic-tac-toe 152",
        "compare c4 --depth 2",
        "solve connectfour --size 4x4 --out 4x4.solution",
    ] {
        place.run(command).success();
    }
    place.run("count --help").success().stdout(contains("tictactoe").not());
    place.run("--help").success().stdout(contains("tictactoe").not());
    // A database keeps the name.
    place.run("tictactoe --db ttt.db").success();
    place.run("query ttt.db 1259 --game tic-tac-toe").success().stdout(contains("win in 3"));
}

#[test]
fn a_position_in_the_place_of_a_command_is_led_to_one() {
    let place = Place::new();
    for (position, games) in [
        ("4453", "try `analyze connect4 4453`\n"),
        ("159", "try `analyze ttt 159`\n"),
        ("12", "try `analyze ttt 12` or `analyze connect4 12`"),
        ("1,2,4", "`analyze nim 1,2,4`"),
    ] {
        let said = format!("error: {position} is a position, not a command: ");
        place.run(position).code(2).stdout("").stderr(contains(said)).stderr(contains(games));
    }
    let said = "chess is neither a command nor a game: `analyze --help` lists the commands, `analyze games` the games";
    place.refuses("chess", 2, said);
    place.refuses("conect4", 2, "'connect4'");
    #[cfg(not(feature = "mcp"))]
    place.refuses("mcp", 2, "which this program was built without");
}

#[test]
fn a_crate_for_a_game_of_ones_own_is_written() {
    let place = Place::new();
    let source = env!("CARGO_MANIFEST_DIR");
    let new = format!("new my-game deep/crate --path {source}");
    place.run(&new).success().stdout(contains("cargo run --release -- my-game --size 7x1"));
    let from = "built from;\n--path SOURCE takes another copy";
    place.run("new my-game b").success().stdout(contains(source)).stdout(contains(from));
    assert!(place.text("b/src/values.rs").contains("these tests by tests of your own game"));
    for name in ["deep/crate/Cargo.toml", "b/Cargo.toml"] {
        let manifest = place.text(name);
        let expected = format!("everyply = {{ path = \"{source}\", ");
        assert!(manifest.contains(&expected), "{manifest}");
    }
    std::fs::write(place.path("file"), "").unwrap();
    for (arguments, code, said) in [
        (&*new, 2, "deep/crate holds files already"),
        ("new Nim2 c", 2, "lower-case letters"),
        ("new ../x c", 2, "lower-case letters"),
        ("new tictactoe c", 2, "tictactoe is a command already"),
        ("new count c", 2, "count is a command already"),
        ("new chomp c --path .", 2, "no copy of everyply's source"),
        ("new chomp file", 1, "is not a directory"),
    ] {
        place.refuses(arguments, code, said);
    }
    assert_eq!(place.entries(), ["b", "deep", "file"]);
}

#[test]
fn the_help_leads_to_the_words_for_statistics() {
    let place = Place::new();
    for command in ["connect4 --help", "compare --help"] {
        place.run(command).success().stdout(contains("docs/glossary.md"));
    }
    let glossary = include_str!("../../../docs/glossary.md");
    for name in everyply::statistics::SearchCounters::NAMES {
        assert!(glossary.contains(&format!("** (`{name}`) |")), "{name}");
    }
}
