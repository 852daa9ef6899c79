//! The rooms of the source: their contents, and the arrows between them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The crates that make up the library: the folder of the source of each, and the room it is, if it
/// is one.
const CRATES: [(&str, &str); 6] = [
    ("src", ""),
    ("crates/core/src", ""),
    ("crates/files/src", ""),
    ("crates/registry/src", ""),
    ("crates/results/src", ""),
    ("crates/connect-four/src", "connect_four/"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The code of every Rust file, by its path within its room, without comments, examples of help texts
/// and tests, which may use a game or an option as an example.
fn code() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for (folder, room) in CRATES {
        let (mut all, folder) = (Vec::new(), root().join(folder));
        files(&folder, &mut all);
        for path in all.iter().filter(|path| path.extension().is_some_and(|end| end == "rs")) {
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
            texts.push((format!("{room}{name}"), std::fs::read_to_string(path).unwrap()));
        }
    }
    let tests: Vec<String> =
        texts.iter().flat_map(|(name, text)| modules_of_tests(name, text)).collect();
    let is_test = |name: &str| tests.iter().any(|test| name.starts_with(test));
    let code: Vec<(String, String)> = texts
        .iter()
        .filter(|(name, _)| !is_test(name))
        .map(|(name, text)| (name.clone(), code_of(text)))
        .collect();
    assert!(code.len() > 200, "{}", root().display());
    code
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, into) } else { into.push(path) }
    }
}

/// The paths of the modules that a file declares for tests alone.
fn modules_of_tests(name: &str, text: &str) -> Vec<String> {
    let file = Path::new(name);
    let folder = match file.file_name().and_then(|name| name.to_str()) {
        Some("mod.rs" | "lib.rs") => file.parent().unwrap().to_owned(),
        _ => file.with_extension(""),
    };
    let after = text.split("#[cfg(test)]\n").skip(1);
    let module = |text: &str| {
        let text = text.strip_prefix("pub(crate) ").unwrap_or(text);
        Some(text.strip_prefix("mod ")?.split_once(';')?.0.to_owned())
    };
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

/// The folders and files of single games: rules, engines and commands.
const OF_GAMES: [&str; 7] =
    ["games/", "connect_four/", "cli/ttt", "cli/solve", "cli/book", "cli/strategy", "cli/convert"];

/// Files outside these that name games, each with the reason.
const EXCEPTIONS: [(&str, &str); 9] = [
    ("web/api/mod.rs", "has an address in the form of another server, which is about one game"),
    ("registry/all.rs", "lists the games of this crate"),
    ("registry/builtin.rs", "has the engines made for boards of lines"),
    ("registry/workload.rs", "is a fixed workload, which consists of boards of certain games"),
    ("cli/mod.rs", "lists every command, those of single games too"),
    ("export/positions/selection.rs", "says which boards the formats of a single game are for"),
    ("cli/verify/mod.rs", "says which games files of others are of"),
    (
        "database/schema.rs",
        "has SQL for other programs, which cannot ask a game what its moves are",
    ),
    ("cli/values.rs", "describes the formats of single games"),
];

#[test]
fn no_file_outside_a_games_own_folder_names_it() {
    let words = "nim Nim hexapawn Hexapawn dots Dots pong Pong morris Morris neutreeko Neutreeko Dao \
                 teeko Teeko wild Wild notakto Notakto qubic Qubic popout PopOut cylinder4 CylinderFour \
                 misere4 MisereFour breakthrough Breakthrough othello Othello kalah Kalah awari Awari \
                 dobutsu Dobutsu gobblet Gobblet ttt Ttt connect4 Connect4 TicTacToe Mnk ConnectFour \
                 Standard";
    let words: Vec<&str> = words.split(' ').collect();
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
        assert!(used.contains(&file), "{file} names no game any more: it {why}");
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

/// The rooms that each room may use: the block of docs/architecture.md that is marked `arrows`.
fn allowed_arrows() -> BTreeSet<(String, String)> {
    let page = root().join("docs/architecture.md");
    let text = std::fs::read_to_string(page).unwrap();
    let block = text.split("```arrows\n").nth(1).expect("a block marked `arrows`");
    let lines = block.split("```").next().unwrap_or_default().lines();
    let arrows = lines.flat_map(|line| {
        let (from, to) = line.split_once(" -> ").expect("a room, an arrow, and the rooms it uses");
        to.split(' ').map(move |to| (from.to_owned(), to.to_owned()))
    });
    arrows.collect()
}

/// The room of a file: its folder, or the file itself.
fn room_of(file: &str) -> &str {
    file.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

/// The arrows between rooms in the code, each with a file that has it.
fn arrows_of_code() -> BTreeMap<(String, String), String> {
    let mut arrows = BTreeMap::new();
    let code = code();
    // The library shows the modules of all crates as its own.
    for (file, text) in code.iter().filter(|(file, _)| *file != "lib.rs") {
        let mut used = BTreeSet::new();
        // One room is a crate, whose modules name each other from its root.
        if !file.starts_with("connect_four/") {
            used.extend(text.split("crate::").skip(1).flat_map(names_after));
        }
        let others = ["core", "files", "registry", "results"];
        for name in others.map(|name| format!("everyply_{name}::")) {
            used.extend(text.split(&name).skip(1).flat_map(names_after));
        }
        if text.contains("everyply_connect_four::") {
            used.insert("connect_four".to_owned());
        }
        used.retain(|name| !name.is_empty() && room_of(file) != name);
        for name in used {
            arrows.entry((room_of(file).to_owned(), name)).or_insert(file.clone());
        }
    }
    assert!(arrows.len() > 50, "{arrows:?}");
    arrows
}

#[test]
fn rooms_use_the_rooms_of_the_picture_in_the_documentation() {
    let allowed = allowed_arrows();
    for (arrow, file) in arrows_of_code() {
        let is_allowed = allowed.contains(&arrow);
        let (from, to) = arrow;
        assert!(is_allowed, "{file}: {from} must not use {to} (see docs/architecture.md)");
    }
}

/// The arrows that lead into a circle or around it.
fn circle_among(mut arrows: BTreeSet<(String, String)>) -> BTreeSet<(String, String)> {
    loop {
        let sources: BTreeSet<String> = arrows.iter().map(|(from, _)| from.clone()).collect();
        let before = arrows.len();
        arrows.retain(|(_, to)| sources.contains(to));
        if arrows.len() == before {
            return arrows;
        }
    }
}

/// In the other crates, whose modules are not in the root of `src`, the compiler enforces this.
#[test]
fn code_names_the_modules_of_another_crate_by_that_crate() {
    let own = ["cli", "html", "report", "svg", "web"];
    let code = code();
    let of_src = code.iter().filter(|(file, _)| own.contains(&room_of(file)));
    assert!(of_src.clone().count() > 80);
    for (file, text) in of_src {
        for name in text.split("crate::").skip(1).flat_map(names_after) {
            assert!(name.is_empty() || own.contains(&&*name), "{file}: crate::{name}");
        }
    }
}

#[test]
fn the_picture_of_rooms_has_no_circle() {
    assert_eq!(circle_among(allowed_arrows()), BTreeSet::new());
}

/// The names after a path that ends in `::`; empty for types, whose names are capitalised.
fn names_after(path: &str) -> Vec<String> {
    let is_part = |c: char| c.is_lowercase() || c.is_ascii_digit() || c == '_';
    let name = |text: &str| text.trim_start().chars().take_while(|c| is_part(*c)).collect();
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut names, mut depth, mut begun) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '}' | ',' if depth == 0 => {
                names.push(name(&group[begun..at]));
                begun = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

#[test]
fn modules_of_a_folder_do_not_use_each_other_in_a_circle() {
    let code = code();
    let module = |file: &str| file.trim_end_matches(".rs").trim_end_matches("/mod").to_owned();
    let modules: BTreeSet<String> = code.iter().map(|(file, _)| module(file)).collect();
    let mut folders = BTreeMap::<String, BTreeSet<(String, String)>>::new();
    for (file, code) in &code {
        let path = module(file);
        let own: Vec<&str> = path.split('/').collect();
        let mut levels = 0;
        for after in code.split("super::").skip(1) {
            levels += 1;
            if after.is_empty() {
                continue;
            }
            if let Some(above) = own.len().checked_sub(levels) {
                let folder = own[..above].iter().map(|name| format!("{name}/")).collect::<String>();
                for name in names_after(after) {
                    if name != own[above] && modules.contains(&format!("{folder}{name}")) {
                        let arrow = (own[above].to_owned(), name);
                        folders.entry(folder.clone()).or_default().insert(arrow);
                    }
                }
            }
            levels = 0;
        }
    }
    assert!(folders.len() > 20, "{folders:?}");
    for (folder, arrows) in folders {
        let circle = circle_among(arrows);
        assert_eq!(circle, BTreeSet::new(), "{folder}");
    }
}

/// The most methods of a trait.
const MOST_METHODS: usize = 25;

#[test]
fn no_trait_has_too_many_methods() {
    let mut traits = 0;
    for (file, code) in code() {
        let mut lines = code.lines();
        while let Some(line) = lines.next() {
            let (head, name) = line.split_once("trait ").unwrap_or_default();
            if !matches!(head, "pub " | "pub(super) " | "pub(crate) ") || !line.ends_with('{') {
                continue;
            }
            let body = lines.by_ref().take_while(|line| *line != "}");
            let methods = body.filter(|line| line.starts_with("    fn ")).count();
            assert!(methods <= MOST_METHODS, "{file}: {methods} methods of {name}");
            traits += 1;
        }
    }
    assert!(traits > 20, "{traits}");
}
