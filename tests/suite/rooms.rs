//! What belongs into which room of the source.

use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The code of every Rust file, by its path below `src`: without comments, without the examples of
/// help texts, and without tests, all of which may take a game or an option to try things on.
fn code() -> Vec<(String, String)> {
    let mut all = Vec::new();
    files(&source(), &mut all);
    let name = |path: &Path| path.strip_prefix(source()).unwrap().to_str().unwrap().to_owned();
    let texts: Vec<(String, String)> = all
        .iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .map(|path| (name(path), std::fs::read_to_string(path).unwrap()))
        .collect();
    let tests: Vec<String> =
        texts.iter().flat_map(|(name, text)| modules_of_tests(name, text)).collect();
    let is_test = |name: &str| tests.iter().any(|test| name.starts_with(test));
    let code: Vec<(String, String)> = texts
        .iter()
        .filter(|(name, _)| !is_test(name))
        .map(|(name, text)| (name.clone(), code_of(text)))
        .collect();
    assert!(code.len() > 200, "{}", source().display());
    code
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, into) } else { into.push(path) }
    }
}

/// What the paths of modules begin with that a file has for its tests alone.
fn modules_of_tests(name: &str, text: &str) -> Vec<String> {
    let file = Path::new(name);
    let folder = match file.file_name().and_then(|name| name.to_str()) {
        Some("mod.rs" | "lib.rs") => file.parent().unwrap().to_owned(),
        _ => file.with_extension(""),
    };
    let after = text.split("#[cfg(test)]\n").skip(1);
    let module = |text: &str| Some(text.strip_prefix("mod ")?.split_once(';')?.0.to_owned());
    let named = after.filter_map(module).filter(|module| !module.contains(char::is_whitespace));
    named.map(|module| folder.join(module).to_str().unwrap().to_owned()).collect()
}

fn code_of(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let (mut kept, mut in_help) = (String::new(), false);
    for line in code.lines() {
        in_help |= line.contains("after_help =");
        if !in_help && !line.trim_start().starts_with("//") {
            kept.push_str(line);
            kept.push('\n');
        }
        in_help &= !line.ends_with(")]") && line != ")]";
    }
    kept
}

/// What is a game's own: its rules, what only it has, and its commands.
const OF_GAMES: [&str; 8] = [
    "games/",
    "connect_four/",
    "cli/ttt",
    "cli/connect4",
    "cli/solve",
    "cli/book",
    "cli/strategy",
    "cli/convert",
];

/// Files that name games all the same, and why.
const EXCEPTIONS: [(&str, &str); 6] = [
    ("cli/mod.rs", "lists every command, those of single games too"),
    ("cli/bench.rs", "is a fixed workload, which consists of boards of certain games"),
    ("cli/export/positions.rs", "leads to the formats of a single game"),
    ("cli/verify/database.rs", "compares with files of others, all of which are of one game"),
    ("database/view.rs", "is SQL for other programs, which cannot ask a game what its moves are"),
    ("verify/against.rs", "compares with files of others, all of which are of one game"),
];

#[test]
fn no_file_outside_a_games_own_folder_names_it() {
    let words = [
        "nim",
        "Nim",
        "hexapawn",
        "Hexapawn",
        "dots",
        "Dots",
        "pong",
        "Pong",
        "ttt",
        "Ttt",
        "connect4",
        "Connect4",
        "TicTacToe",
        "Mnk",
        "ConnectFour",
        "Standard",
    ];
    let names = ["Connect Four", "ic-tac-toe", "m,n,k"];
    let mut used = Vec::new();
    for (name, code) in code() {
        if OF_GAMES.iter().any(|room| name.starts_with(room)) {
            continue;
        }
        for line in code.lines() {
            let mut parts = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            if !parts.any(|word| words.contains(&word)) && !names.iter().any(|n| line.contains(n)) {
                continue;
            }
            let exception = EXCEPTIONS.iter().find(|(file, _)| *file == name);
            let (file, _) = exception.unwrap_or_else(|| panic!("{name}: {line}"));
            used.push(*file);
        }
    }
    for (file, why) in EXCEPTIONS {
        assert!(used.contains(&file), "{file} is no exception any more: it {why}");
    }
}

#[test]
fn only_the_command_line_knows_options() {
    for (name, code) in code().iter().filter(|(name, _)| !name.starts_with("cli/")) {
        for line in code.lines() {
            let mut after_dashes = line.split("--").skip(1);
            let is_option = after_dashes.any(|rest| rest.starts_with(|c: char| c.is_lowercase()));
            assert!(!is_option && !line.contains("clap"), "{name}: {line}");
        }
    }
}
