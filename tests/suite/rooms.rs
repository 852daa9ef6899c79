//! What belongs into which room of the source.

use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The code of every Rust file, by its path below `src`: without comments and without tests, which
/// may take a game or an option to try things on.
fn code() -> Vec<(String, String)> {
    fn files(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { files(&path, into) } else { into.push(path) }
        }
    }
    let mut all = Vec::new();
    files(&source(), &mut all);
    let is_code = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "rs");
    let code: Vec<(String, String)> = all
        .iter()
        .filter(is_code)
        .map(|path| {
            let name = path.strip_prefix(source()).unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read_to_string(path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            (name, lines.map(|line| format!("{line}\n")).collect())
        })
        .filter(|(name, _): &(String, String)| !name.contains("tests"))
        .collect();
    assert!(code.len() > 200, "{}", source().display());
    code
}

#[test]
fn no_file_outside_a_games_own_folder_names_it() {
    for (name, code) in code().iter().filter(|(name, _)| !name.starts_with("games/")) {
        for line in code.lines() {
            for word in line.split(|c: char| !c.is_alphanumeric() && c != '_') {
                let named = ["nim", "Nim", "hexapawn", "Hexapawn", "dots", "Dots", "pong", "Pong"];
                assert!(!named.contains(&word), "{name}: {line}");
            }
        }
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
