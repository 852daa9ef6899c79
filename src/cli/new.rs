//! `analyze new`: a crate for a game of one's own.

use super::prelude::*;

/// A crate for a game of your own, with its tests, to start from
///
/// Writes a program with the whole command line of everyply and one more game, NAME. Until you
/// change src/rules.rs, it has the rules of treblecross: both sides put crosses on a strip, and three
/// in a row win. The tests in src/values.rs are for treblecross, to be replaced; the tests in
/// src/main.rs hold for every game. docs/adding-a-game.md explains every part.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze new chomp chomp --path everyply   on a copy of everyply's source
  cd chomp && cargo test                    the laws that every game obeys
  cargo run --release -- chomp --size 7x1   the command of the game")]
pub(super) struct NewArgs {
    /// The word for the game: lower-case letters, digits and hyphens
    #[arg(value_name = "NAME", value_parser = word)]
    name: String,
    /// The directory; made if it is missing
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// A copy of everyply's source to build on [default: the one that this program was built from,
    /// if it is still there, else the version of this program, from crates.io]
    #[arg(long, value_name = "SOURCE")]
    path: Option<PathBuf>,
}

/// The example, which is the template, and Cargo's settings that its engines need.
const MAIN: &str = include_str!("../../examples/your_game/main.rs");
const RULES: &str = include_str!("../../examples/your_game/rules.rs");
const VALUES: &str = include_str!("../../examples/your_game/values.rs");
const CONFIG: &str = include_str!("../../.cargo/config.toml");

/// The source of the program; none for an archive, whose program was built on another machine.
const BUILT_FROM: Option<&str> =
    if cfg!(everyply_archive) { None } else { Some(env!("CARGO_MANIFEST_DIR")) };

fn word(text: &str) -> Result<String, String> {
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match text.len() {
        1..=30
            if text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(is_word) =>
        {
            Ok(text.to_owned())
        }
        _ => Err("a game has a word of up to 30 lower-case letters, digits and hyphens, a letter \
                  first, as chomp"
            .to_owned()),
    }
}

/// Writes the crate. Names of commands in `definition` are refused as names of the game.
pub(super) fn run(args: &NewArgs, definition: &clap::Command) -> Result<(), Failure> {
    let NewArgs { name: game, directory, path } = args;
    let built_from = BUILT_FROM.map(Path::new).filter(|folder| is_source(folder));
    let source = path.as_deref().or(built_from);
    if definition.find_subcommand(game).is_some() {
        return Err(usage!("NAME: {game} is a command already: choose another word"));
    }
    if std::fs::read_dir(directory).is_ok_and(|mut files| files.next().is_some()) {
        return Err(usage!(
            "DIR: {} holds files already: choose a new directory",
            directory.display()
        ));
    }
    for (folder, name, text) in [
        ("", "Cargo.toml", manifest(game, source)?),
        (".cargo", "config.toml", CONFIG.to_owned()),
        ("src", "main.rs", renamed(MAIN, game)),
        ("src", "rules.rs", renamed(RULES, game)),
        ("src", "values.rs", renamed(VALUES, game)),
    ] {
        let folder = if folder.is_empty() { directory.clone() } else { directory.join(folder) };
        let [file] = in_directory(&folder, [name])?;
        output::write_file(file, |file| Ok(file.write_all(text.as_bytes())?))?;
    }
    let shown = directory.display();
    let from = match (path, source) {
        (Some(path), _) => format!("everyply's source in {}.", path.display()),
        (None, Some(source)) => format!(
            "everyply's source in {}, which this program was built from;\n--path SOURCE takes another \
             copy.",
            source.display()
        ),
        (None, None) => {
            "everyply from crates.io; --path SOURCE takes a copy of the source.".to_owned()
        }
    };
    text::print(&format!(
        "{shown} holds a game with the rules of treblecross. Try it:\n  cd {shown}\n  cargo test\n  \
         cargo run --release -- {game} --size 7x1\nThen change src/rules.rs, and src/values.rs, whose tests are \
         those of treblecross;\nthe tests in src/main.rs are for every game. For the explorer write \
         \"web\" beside\n\"cli\" in Cargo.toml: cargo run --release -- serve\nIt builds on {from}\n"
    ))
}

fn is_source(folder: &Path) -> bool {
    folder.join("crates/core/Cargo.toml").is_file()
        && folder.join("examples/your_game/rules.rs").is_file()
}

fn manifest(game: &str, path: Option<&Path>) -> Result<String, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    let source = match path {
        None => format!("version = \"{version}\""),
        Some(path) => {
            let full = path.canonicalize().ok().filter(|_| is_source(path));
            let path = full.ok_or_else(|| {
                usage!("--path: {} is no copy of everyply's source", path.display())
            })?;
            // A text of JSON is one of TOML.
            let path = serde_json::to_string(&path.display().to_string())?;
            format!("path = {path}")
        }
    };
    Ok(format!(
        r#"[package]
name = "analyze-{game}"
version = "0.1.0"
edition = "2024"
publish = false

[dependencies]
# The command line; "web" adds the explorer (serve), "report", "parquet" and "book" the rest, for a longer build.
everyply = {{ {source}, default-features = false, features = ["cli"] }}

# A shorter build, as fast: no loop over positions is compiled here.
[profile.release.package]
everyply = {{ opt-level = 1 }}
libsqlite3-sys = {{ opt-level = 1 }}

# Backtraces with lines, and a shorter build.
[profile.dev]
debug = "line-tables-only"

# Not a part of a workspace around it.
[workspace]
"#
    ))
}

/// A text of the example with the game's names in place of its own. The type has a name that no
/// other type has.
fn renamed(text: &str, game: &str) -> String {
    let words = game.split('-').filter(|word| !word.is_empty());
    let title: String = words.map(|word| word[..1].to_uppercase() + &word[1..]).collect();
    // Part by part, so that a game which is called Treblecross is not renamed twice.
    let parts = text.split("\"Treblecross").map(|part| {
        part.replace("Treblecross", &format!("{title}Game")).replace("treblecross", game)
    });
    parts.collect::<Vec<_>>().join(&format!("\"{title}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_everywhere() {
        let text = renamed(RULES, "my-game");
        assert!(text.contains("const NAME: &'static str = \"my-game\""), "{text}");
        assert!(text.contains("pub struct MyGameGame(u32);"), "{text}");
        assert!(text.contains("\"MyGame, {} cells\""), "{text}");
        assert!(!(text + &renamed(MAIN, "my-game")).to_lowercase().contains("treblecross"));
        assert!(renamed(RULES, "treblecross").contains("\"Treblecross, {} cells\""));
    }
}
