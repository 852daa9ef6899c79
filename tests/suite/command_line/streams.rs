//! The content of stdout and stderr, and the help texts.

use std::process::Stdio;

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::{Place, stderr};

#[test]
fn stderr_is_empty_where_it_is_no_terminal() {
    for arguments in [
        "ttt",
        "ttt 15 --csv out",
        "connect4 --depth 8",
        "connect4 4455 -q",
        "count connect4 --plies 9 --method walk",
        "compare connect4 --depth 5",
        "export everyply.db --format csv --out out.csv",
        "completions zsh",
        "man",
    ] {
        let place = Place::new();
        place.run("ttt 15").success();
        place.run(arguments).success().stderr("").stdout(contains("\n"));
    }
}

#[test]
fn nothing_is_written_with_no_db() {
    for arguments in ["ttt", "connect4 --depth 5", "count ttt", "compare ttt --depth 3"] {
        let place = Place::new();
        place.run(&format!("{arguments} --no-db")).success();
        assert!(place.entries().is_empty(), "{arguments}: {:?}", place.entries());
    }
    for arguments in ["ttt", "connect4 --depth 5", "count ttt"] {
        let place = Place::new();
        place.run(&format!("{arguments} --db other.db")).success();
        assert_eq!(place.entries(), ["other.db"], "{arguments}");
    }
}

#[test]
fn the_text_names_the_numbers_that_matter() {
    let place = Place::new();
    let text = contains("549,946").and(contains("255,168")).and(contains("131,184"));
    let text = text.and(contains("5,478")).and(contains("765")).and(contains("362,880"));
    place.run("ttt").success().stdout(text.and(contains("draw in 9 plies")));
    place.run("ttt 12").success().stdout(contains("win in 5 plies for X"));
    place
        .run("connect4 4455")
        .success()
        .stdout(contains("win in 3 plies for X").and(contains("18 (Pons)")));
    place.run("connect4 --depth 4").success().stdout(contains("not proven"));
    place.run("count connect4 --plies 7").success().stdout(contains("823,536"));
    let ladder = contains("minimax").and(contains("alpha-beta")).and(contains("transposition"));
    place.run("compare connect4 --depth 4").success().stdout(ladder);
}

#[test]
fn the_help_of_a_game_names_its_own_board() {
    let place = Place::new();
    for (command, usual, other) in [
        ("ttt", ["[default: 3x3]", "[default: 3]"], "7x6]"),
        ("connect4", ["[default: 7x6]", "[default: 4]"], "3x3"),
        ("book", ["[default: 7x6]", "[default: 4]"], "3x3"),
        ("convert", ["[default: 7x6]", "[default: 4]"], "[default: 3x3]"),
    ] {
        let said = contains(usual[0]).and(contains(usual[1])).and(contains(other).not());
        place.run(&format!("{command} --help")).success().stdout(said);
    }
    for (game, position) in [
        ("ttt", "Position: the cells played, from 1 row by row"),
        ("connect4", "Position: the columns played, from 1"),
        ("nim", "Position: the heaps, as 3,5,7"),
    ] {
        let said = contains(position).and(contains("analyze games").not());
        place.run(&format!("{game} --help")).success().stdout(said);
    }
    let both = contains("3x3 for ttt").and(contains("7x6 for connect4"));
    place.run("count --help").success().stdout(both);
    // An option that games share has the help of each.
    let help = place.output("compare -h");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["The last stone loses (nim)", "A row loses (wild"] {
        assert!(help.contains(part), "{help}");
    }
}

fn ended(place: &Place, arguments: &str, stdout: Stdio) -> (Option<i32>, String) {
    let mut child = place.background(arguments).stdout(stdout).spawn().unwrap();
    drop(child.stdout.take());
    // This fails if the program has ended already.
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"1234\n");
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Closed readers (`analyze ... | head -0`), and `/dev/full` as a full disk.
#[test]
fn a_reader_that_has_seen_enough_is_no_error_but_a_full_disk_is() {
    let place = Place::new();
    for arguments in [
        "ttt",
        "ttt --no-db --json",
        "connect4 --depth 4",
        "count ttt",
        "compare ttt --depth 2",
        "--help",
        "-h",
        "--version",
        "help connect4",
        "connect4 --help",
        "completions bash",
        "man",
        "convert --from moves1 --to moves0",
        "connect4 --size 4x4 --input -",
        "play ttt",
    ] {
        let (code, said) = ended(&place, arguments, Stdio::piped());
        assert_eq!((code, &*said), (Some(0), ""), "{arguments}");
        if cfg!(target_os = "linux") {
            let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let (code, said) = ended(&place, arguments, full.into());
            assert_eq!(code, Some(1), "{arguments}: {said}");
            assert!(said.contains("cannot write to stdout"), "{arguments}: {said}");
        }
    }
}

#[test]
fn completions_for_every_shell_and_a_man_page() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let completions = contains("analyze").and(contains("connect4")).and(contains("scoring"));
        place.run(&format!("completions {shell}")).success().stderr("").stdout(completions);
    }
    place.run("man").success().stderr("").stdout(contains(".TH").and(contains("connect4")));
    assert!(place.entries().is_empty());
}

/// The flags that every command promises.
const FLAGS: [(&str, &str); 7] = [
    (
        "ttt",
        "[POSITION] --board --size --line --scoring --threads --json --quiet --db --no-db --csv \
         everyply.db inverse-depth ten-minus-depth",
    ),
    (
        "connect4",
        "[POSITION] --board --size --line --depth --all-moves --table-size --threads \
         --json --quiet --db --no-db --csv",
    ),
    ("compare", "<GAME> [POSITION] --depth --limit --threads --json --quiet --csv"),
    ("count", "<GAME> --size --line --plies --threads --json --quiet --db --no-db --csv"),
    ("export", "<FILE> --csv"),
    ("bench", "--json"),
    ("completions", "<SHELL> bash fish zsh"),
];

#[test]
fn the_help_of_every_command_mentions_every_flag() {
    let place = Place::new();
    for (command, flags) in FLAGS {
        let text = place.output(&format!("{command} --help"));
        for flag in flags.split(' ') {
            assert!(text.contains(flag), "{flag} in the help of {command}:\n{text}");
        }
        place.run("--help").success().stdout(contains(command));
        place.run(&format!("help {command}")).success();
    }
    place.run("--version").success().stdout(contains(env!("CARGO_PKG_VERSION")));
    assert!(place.entries().is_empty());
}

#[test]
fn every_page_that_the_manual_names_is_written() {
    let place = Place::new();
    place.run("man --dir pages/man1").success().stdout(contains("pages/man1: "));
    let front = place.text("pages/man1/analyze.1");
    let named: Vec<_> = front.lines().filter_map(|line| line.strip_suffix("(1)")).collect();
    assert!(named.len() > 15, "{named:?}");
    for page in named {
        place.read(&format!("pages/man1/{}.1", page.replace("\\-", "-")));
    }
    std::fs::write(place.path("file"), "").unwrap();
    place.refuses("man --dir file", 1, "not a directory");
}

#[test]
fn progress_without_a_terminal_is_silent_for_a_minute_or_lines_of_json() {
    let place = Place::new();
    let search = "connect4 --size 9x7 --no-db --timeout 1.5";
    let said = stderr(&place.run(&format!("{search} --progress json")).code(124));
    let lines: Vec<serde_json::Value> =
        said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(!lines.is_empty() && lines.len() + 1 == said.lines().count(), "{said}");
    for line in &lines {
        assert_eq!(line["unit"], "nodes", "{line}");
        assert!(line["done"].is_u64() && line["total"].is_null() && line["left_s"].is_null());
        assert!(line["message"].is_string() && line["elapsed_s"].as_f64().unwrap() > 0.0);
    }
    // The number of positions of an endless game is unknown beforehand; the memory's limit is
    // known.
    let endless = "popout --size 7x6 --no-db --timeout 1.5 --progress json";
    let said = stderr(&place.run(endless).code(124));
    assert!(said.contains("\"solving, room for "), "{said}");
    let forms = ["", " --progress plain", " --quiet"];
    for child in forms.map(|form| place.start(&format!("{search}{form}"))) {
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(124));
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "stopped after --timeout 1.5 s\n");
    }
    place.refuses("ttt --quiet --progress json", 2, "cannot be used with");
    place.refuses("ttt --progress bar", 2, "auto, plain, json");
}
