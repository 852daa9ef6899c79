//! Databases with bits flipped and ends cut off: a reader refuses them, or answers as from the
//! undamaged file. A query may also lack rows, since a lost row counts as never stored.

use std::collections::BTreeMap;
use std::path::Path;

use everyply::database::{Database, DatabaseError, PositionRow};
use everyply::game::{GameId, Key};
use serde_json::Value;

use crate::support::{self, Place};

/// A kind of database, with the commands that make and query it.
struct Kind {
    name: &'static str,
    make: &'static [&'static str],
    /// Positions to query: stored ones, and one that is not.
    queries: [&'static str; 3],
    /// A command that continues to write to it and ends with the same positions.
    resume: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "the whole tree of tic-tac-toe",
        make: &["ttt --db my.db"],
        queries: ["15", "1", "152"],
        resume: "ttt --db my.db --json",
    },
    Kind {
        name: "a book",
        make: &["book connect4 --plies 5 --size 5x4 --db my.db"],
        queries: ["331", "32145", "1122334"],
        resume: "book connect4 --plies 5 --size 5x4 --db my.db --json",
    },
    Kind {
        name: "a search with bounds and statistics",
        make: &[
            "connect4 --size 5x4 --threads 1 --db my.db",
            "connect4 --size 5x4 --depth 6 --threads 1 --db my.db",
        ],
        queries: ["3", "33", "54321"],
        resume: "connect4 --size 5x4 --depth 4 --threads 1 --db my.db --json",
    },
];

impl Kind {
    fn bytes(&self) -> Vec<u8> {
        let place = Place::new();
        for command in self.make {
            place.run(command).success();
        }
        place.read("my.db")
    }
}

/// A file with some bits flipped, or cut off, or with rows that changed places.
fn damaged(whole: &[u8], random: &mut fastrand::Rng) -> (String, Vec<u8>) {
    let mut bytes = whole.to_vec();
    let kind = random.u8(..8);
    if kind == 1 {
        return (exchanged(&mut bytes, random), bytes);
    }
    if kind == 0 {
        // Half of the cuts are between two pages, where nothing looks torn.
        let pages = random.bool();
        let length = random.usize(1..whole.len());
        let length = if pages { (length / 4096 * 4096).max(4096) } else { length };
        bytes.truncate(length);
        return (format!("cut to {length} bytes"), bytes);
    }
    let flips = [1, 1, 1, 2, 8][random.usize(..5)];
    let mut what = "flipped".to_owned();
    for _ in 0..flips {
        let (at, bit) = (random.usize(..bytes.len()), random.u8(..8));
        bytes[at] ^= 1 << bit;
        what += &format!(" {at}:{bit}");
    }
    (what, bytes)
}

/// Exchanges two pages that hold rows of tables, two rows of a page, or puts one in the place of
/// the other. Pages without rows are left alone: pages of empty tables are alike.
fn exchanged(bytes: &mut [u8], random: &mut fastrand::Rng) -> String {
    const PAGE: usize = 4096;
    // The kind of a page, and its number of cells (file format, 1.6).
    let cells = |bytes: &[u8], page: usize| {
        usize::from(u16::from_be_bytes([bytes[page * PAGE + 3], bytes[page * PAGE + 4]]))
    };
    let pages: Vec<usize> = (1..bytes.len() / PAGE)
        .filter(|page| bytes[page * PAGE] == 0x0a && cells(bytes, *page) > 1)
        .collect();
    let any = |random: &mut fastrand::Rng| pages[random.usize(..pages.len())];
    let (from, to, length) = if random.bool() {
        (any(random) * PAGE, any(random) * PAGE, PAGE)
    } else {
        let page = any(random);
        let cell =
            |random: &mut fastrand::Rng| page * PAGE + 8 + 2 * random.usize(..cells(bytes, page));
        (cell(random), cell(random), 2)
    };
    if random.bool() {
        (0..length).for_each(|i| bytes.swap(from + i, to + i));
        format!("{length} bytes at {from} and {to} exchanged")
    } else {
        bytes.copy_within(from..from + length, to);
        format!("{length} bytes at {from} copied to {to}")
    }
}

/// Everything that a database holds.
#[derive(Debug, PartialEq)]
pub struct Content {
    games: Vec<GameId>,
    runs: String,
    positions: Vec<Vec<PositionRow>>,
    bounds: String,
    /// Single look-ups: of some stored positions, and of keys that are not stored.
    found: usize,
}

pub fn content(database: &Database) -> Result<Content, DatabaseError> {
    database.check()?;
    let games = database.games()?;
    let runs = database.runs()?;
    let mut numbers = format!("{runs:?}");
    for run in &runs {
        numbers += &format!("{:?}", database.ply_counts(run.id)?);
    }
    let (mut positions, mut bounds, mut found) = (Vec::new(), String::new(), 0);
    for game in &games {
        let rows = support::positions(database, game)?;
        database.bounds(game, |bound| bounds += &format!("{bound:?}"))?;
        let mut lookup = database.lookup(game)?;
        for key in some_of(&rows).flat_map(|row| [row.key, Key(row.key.0 ^ 1)]) {
            found += usize::from(lookup.position(key)?.is_some());
            found += usize::from(lookup.bound(key)?.is_some());
        }
        positions.push(rows);
    }
    Ok(Content { games, runs: numbers, positions, bounds, found })
}

/// Some thirty rows from all over the file.
fn some_of(rows: &[PositionRow]) -> impl Iterator<Item = &PositionRow> {
    rows.iter().step_by(rows.len() / 30 + 1)
}

/// The answers of single look-ups: `None` if one is refused.
fn answers(path: &Path, keys: &[(GameId, Key)]) -> Vec<Option<Option<PositionRow>>> {
    let Ok(database) = Database::open(path) else { return vec![None; keys.len()] };
    keys.iter().map(|(game, key)| database.position(game, *key).ok()).collect()
}

/// Damages to each kind of file.
const DAMAGES: usize = 100;

#[test]
fn the_library_refuses_damage_or_reads_what_was_written() {
    for kind in &KINDS {
        let whole = kind.bytes();
        let place = Place::new();
        let path = place.path("my.db");
        std::fs::write(&path, &whole).unwrap();
        let database = Database::open(&path).unwrap();
        let expected = content(&database).unwrap();
        assert!(expected.found > 0);
        let mut keys: Vec<(GameId, Key)> = Vec::new();
        for (game, rows) in expected.games.iter().zip(&expected.positions) {
            keys.extend(some_of(rows).map(|row| (game.clone(), row.key)));
            keys.extend(some_of(rows).map(|row| (game.clone(), Key(row.key.0 ^ 2))));
        }
        drop(database);
        let right = answers(&path, &keys);
        let mut random = fastrand::Rng::with_seed(7);
        let mut refused = 0;
        for _ in 0..DAMAGES {
            let (what, bytes) = damaged(&whole, &mut random);
            std::fs::write(&path, &bytes).unwrap();
            match Database::open(&path).and_then(|database| content(&database)) {
                Ok(read) => assert!(read == expected, "{}, {what}", kind.name),
                Err(error) => {
                    assert!(error.to_string().contains("my.db"), "{error}");
                    refused += 1;
                }
            }
            for (i, answer) in answers(&path, &keys).iter().enumerate() {
                let fits = answer.is_none_or(|row| row.is_none() || Some(row) == right[i]);
                assert!(fits, "{}, {what}: {:?} is {answer:?}", kind.name, keys[i]);
            }
            // A refused file stays as it is.
            std::fs::write(&path, &bytes).unwrap();
            if let Err(error) = Database::create_or_open(&path) {
                assert!(error.to_string().contains("my.db"), "{error}");
                assert!(std::fs::read(&path).unwrap() == bytes, "{what}: {error}");
            }
            assert_eq!(place.entries(), ["my.db"], "{what}");
        }
        // The rest hit pages that are free, or space between rows.
        assert!(refused > DAMAGES / 4, "{}: {refused} of {DAMAGES}", kind.name);
    }
}

/// A JSON document without what differs from run to run.
fn settled(document: &mut Value) {
    match document {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                !name.starts_with("elapsed")
                    && !name.contains("per_s")
                    && !["seconds", "busy_s"].contains(&name.as_str())
            });
            fields.values_mut().for_each(settled);
        }
        Value::Array(values) => values.iter_mut().for_each(settled),
        _ => (),
    }
}

/// True if the answer to a query is the expected one but for rows that are not there.
fn lacks_rows(left: &[u8], expected: &[u8]) -> bool {
    if left == b"not there" {
        return true;
    }
    let [left, expected]: [Value; 2] =
        [left, expected].map(|bytes| serde_json::from_slice(bytes).unwrap_or_default());
    let null_or_same = |left: &Value, expected: &Value| left.is_null() || left == expected;
    let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let [moves, all] = [&left, &expected].map(|document| items(&document["values"]));
    let text = |document: &Value| document["pv"].as_str().unwrap_or_default().to_owned();
    null_or_same(&left["value"]["outcome"], &expected["value"]["outcome"])
        && null_or_same(&left["value"]["remoteness"], &expected["value"]["remoteness"])
        && null_or_same(&left["bounds"], &expected["bounds"])
        && moves.len() == all.len()
        && moves.iter().zip(&all).all(|(m, expected)| {
            m["move"] == expected["move"]
                && null_or_same(&m["outcome"], &expected["outcome"])
                && null_or_same(&m["remoteness"], &expected["remoteness"])
        })
        && items(&left["best"]).iter().all(|best| items(&expected["best"]).contains(best))
        && text(&expected).starts_with(&text(&left))
}

/// The parts of a command's output and files that can be compared.
type Left = BTreeMap<&'static str, Vec<u8>>;

/// Runs a command on `my.db` and returns its answer, or `None` if it refused.
fn ask(place: &Place, bytes: &[u8], arguments: &str, what: &str) -> Option<Left> {
    let path = place.path("my.db");
    std::fs::write(&path, bytes).unwrap();
    let before = Database::open(&path).and_then(|database| content(&database));
    std::fs::write(&path, bytes).unwrap();
    let output = place.analyze().args(arguments.split(' ')).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    if said.contains("does not hold the position") {
        return Some(Left::from([("stdout", b"not there".to_vec())]));
    }
    if code != Some(0) {
        let refused = matches!(code, Some(1..=3)) && !said.contains("panicked");
        assert!(refused, "{arguments}, {what}: {:?} {said}", output.status);
        assert!(said.contains("my.db"), "{arguments}, {what}: {said}");
        for name in ["out.csv", "report.html"] {
            assert!(!place.path(name).exists(), "{arguments}, {what}: {name} was written");
        }
        return None;
    }
    let mut left = Left::new();
    if arguments.contains("--json") {
        let mut document: Value = serde_json::from_slice(&output.stdout).unwrap();
        settled(&mut document);
        if arguments.contains("--book") {
            // The work differs, as it does without a book.
            document = serde_json::json!([document["value"], document["score"], document["best"]]);
        }
        left.insert("stdout", document.to_string().into_bytes());
    }
    for name in ["out.csv", "report.html"] {
        if let Ok(bytes) = std::fs::read(place.path(name)) {
            std::fs::remove_file(place.path(name)).unwrap();
            left.insert(name, bytes);
        }
    }
    let after = Database::open(&path).and_then(|database| content(&database));
    match after {
        Ok(rows) => {
            left.insert("positions", format!("{:?}", rows.positions).into_bytes());
        }
        // A command that reads the whole file has to find the damage. A command that reads a part may
        // answer from it, if the file was refused as a whole before, too.
        Err(error) => {
            assert!(!arguments.starts_with("verify"), "{arguments}, {what}, then: {error}");
            assert!(before.is_err(), "{arguments} damaged a file, {what}: {error}");
        }
    }
    Some(left)
}

/// Each command on many damaged files.
fn none_silent(damages: usize) {
    for kind in &KINDS {
        let whole = kind.bytes();
        let place = Place::new();
        let mut commands = vec![
            "verify my.db --sample 3 --json".to_owned(),
            "export my.db --format csv --out out.csv".to_owned(),
            "report my.db --quiet".to_owned(),
            kind.resume.to_owned(),
        ];
        commands.extend(kind.queries.map(|moves| format!("query my.db {moves} --json")));
        if !kind.make[0].starts_with("ttt") {
            commands.push(
                "connect4 3333 --size 5x4 --book my.db --no-db --threads 1 --json".to_owned(),
            );
        }
        let expected: Vec<Left> = commands
            .iter()
            .map(|command| ask(&place, &whole, command, "whole").expect("it is sound"))
            .collect();
        let mut random = fastrand::Rng::with_seed(20);
        let (mut refused, mut right) = (0, 0);
        for _ in 0..damages {
            let (what, bytes) = damaged(&whole, &mut random);
            for (command, expected) in commands.iter().zip(&expected) {
                match ask(&place, &bytes, command, &what) {
                    None => refused += 1,
                    Some(left) => {
                        for (name, expected) in expected {
                            // A file that is not read whole has no positions to compare.
                            let fits = match left.get(name) {
                                Some(left) if command.starts_with("query") => {
                                    left == expected || lacks_rows(left, expected)
                                }
                                Some(left) => left == expected,
                                None => *name == "positions",
                            };
                            assert!(fits, "{}: {command}, {what}: {name}", kind.name);
                        }
                        right += 1;
                    }
                }
            }
        }
        eprintln!("{}: {damages} damages, {refused} refused, {right} answered right", kind.name);
        assert!(refused > 0 && right > 0, "{}: {refused} refused, {right} right", kind.name);
    }
}

#[test]
fn no_command_is_silent_about_damage() {
    none_silent(3);
}

#[test]
#[ignore = "2,000 damaged files, some 17,000 runs of the program: minutes"]
fn no_command_is_silent_about_two_thousand_damages() {
    none_silent(667);
}
