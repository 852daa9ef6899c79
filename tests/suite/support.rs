//! Shared by the tests: a directory to work in, the program, small boards, and their values.

#![allow(dead_code, reason = "every test file takes what it needs")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use everyply::control::Control;
use everyply::database::{Database, DatabaseError, PositionRow, checksum};
use everyply::exhaustive::Solution;
use everyply::game::{Game, GameId, Value};
use everyply::games::line::{ConnectFour, LineGame, Mnk, Size};
use predicates::str::contains;

const PROGRAM: &str = env!("CARGO_BIN_EXE_analyze");

/// A directory that is removed after the test; the program runs in it.
pub struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The rows of a CSV file, each with its fields by column.
    pub fn table(&self, name: &str) -> Vec<HashMap<String, String>> {
        let reader = csv::Reader::from_path(self.path(name)).unwrap();
        reader.into_deserialize().map(Result::unwrap).collect()
    }

    /// The names in the directory, in order.
    pub fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.directory())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The program, about to run here; it is killed after five minutes.
    pub fn analyze(&self) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.directory()).timeout(Duration::from_secs(300));
        command
    }

    /// The program with arguments separated by spaces.
    pub fn run(&self, arguments: &str) -> Assert {
        self.analyze().args(arguments.split_whitespace()).assert()
    }

    /// The stdout of a command that succeeds.
    pub fn output(&self, arguments: &str) -> String {
        stdout(&self.run(arguments).success())
    }

    /// The JSON document of a command that succeeds and writes nothing to stderr.
    pub fn json(&self, arguments: &str) -> serde_json::Value {
        document(&self.run(&format!("{arguments} --json")).success().stderr(""))
    }

    /// Runs a command that fails with this exit code and message, and writes nothing to stdout.
    pub fn refuses(&self, arguments: &str, code: i32, message: &str) {
        self.run(arguments).code(code).stdout("").stderr(contains(message));
    }

    /// The program with arguments separated by spaces, about to start in the background with pipes
    /// for all streams.
    pub fn background(&self, arguments: &str) -> std::process::Command {
        let mut command = std::process::Command::new(PROGRAM);
        command.args(arguments.split(' ')).current_dir(self.directory());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Tests that a script started in the background ignore SIGINT, and so would the program
        // until it has a handler.
        // SAFETY: `signal` may be called between fork and exec.
        #[cfg(unix)]
        unsafe {
            std::os::unix::process::CommandExt::pre_exec(&mut command, || {
                libc::signal(libc::SIGINT, libc::SIG_DFL);
                Ok(())
            });
        }
        command
    }

    pub fn start(&self, arguments: &str) -> Child {
        self.background(arguments).spawn().unwrap()
    }

    /// Runs the program in a shell after a command that sets a limit, such as `ulimit`.
    pub fn limited(&self, limit: &str, arguments: &str) -> Output {
        let script = format!("{limit}; exec \"$0\" {arguments}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, PROGRAM]).current_dir(self.directory());
        shell.timeout(Duration::from_secs(60)).output().unwrap()
    }

    /// Runs statements on a database behind the program's back.
    pub fn tamper(&self, name: &str, sql: &str) {
        rusqlite::Connection::open(self.path(name)).unwrap().execute_batch(sql).unwrap();
    }

    /// Changes positions so that they pass for written by a run.
    pub fn forge(&self, name: &str, sql: &str) {
        self.tamper(name, sql);
        sign_positions(&self.path(name));
    }
}

pub fn stdout(run: &Assert) -> String {
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

pub fn stderr(run: &Assert) -> String {
    String::from_utf8(run.get_output().stderr.clone()).unwrap()
}

/// The JSON document that a command wrote to stdout; nothing else may be there.
pub fn document(run: &Assert) -> serde_json::Value {
    serde_json::from_slice(&run.get_output().stdout).expect("one JSON document and no more")
}

/// Sends a signal by its option of `kill`.
pub fn signal(child: &Child, option: &str) {
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args([option, &id]).status().unwrap().success());
}

pub fn positions(database: &Database, game: &GameId) -> Result<Vec<PositionRow>, DatabaseError> {
    let mut rows = Vec::new();
    database.positions(game, None, |row| {
        rows.push(row);
        Ok::<(), DatabaseError>(())
    })?;
    Ok(rows)
}

pub fn connect_four(width: u8, height: u8, line: u8) -> ConnectFour {
    ConnectFour::new(Size::new(width, height, line).unwrap()).unwrap()
}

pub fn mnk(width: u8, height: u8, line: u8) -> Mnk {
    Mnk::new(Size::new(width, height, line).unwrap()).unwrap()
}

/// The solution of a whole board by visiting every position.
pub fn solution<G: LineGame>(game: G) -> Solution {
    let root = game.initial();
    Solution::within(game, root, u64::MAX, &Control::default()).unwrap()
}

/// The value of a position by its definition, without a table.
pub fn value<G: Game>(game: &G, position: G::Position) -> Value {
    if let Some(outcome) = game.result(position) {
        return Value::over(outcome);
    }
    let moves = game.moves(position).into_iter();
    moves.map(|m| value(game, game.play(position, m)).for_parent()).max().unwrap()
}

/// Gives all positions of a database the checksums of their present content, so that changed rows
/// pass for written ones.
fn sign_positions(path: &Path) {
    use everyply::game::{Key, MoveSet, Outcome, PartialValue, Ply, Remoteness};
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.execute_batch("BEGIN").unwrap();
    let mut rows = connection
        .prepare(
            "SELECT name, width, height, line, key, ply, outcome, remoteness, best, game_id
             FROM position JOIN game ON game.id = game_id",
        )
        .unwrap();
    let signed: Vec<(i64, i64, i32)> = rows
        .query_map([], |row| {
            let parameters = [row.get(1)?, row.get(2)?, row.get(3)?];
            let game = GameId { name: row.get(0)?, parameters };
            let key: i64 = row.get(4)?;
            let position = PositionRow {
                key: Key(key.cast_unsigned()),
                ply: Ply(row.get(5)?),
                value: PartialValue {
                    outcome: Outcome::from_sign(row.get(6)?).unwrap(),
                    remoteness: row.get::<_, Option<u8>>(7)?.map(Remoteness),
                },
                best: row
                    .get::<_, Option<i64>>(8)?
                    .map(|best| MoveSet(best.cast_unsigned().into())),
            };
            Ok((row.get(9)?, key, checksum(&game, &position).cast_signed()))
        })
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let mut sign =
        connection.prepare("UPDATE position SET sum = ?3 WHERE game_id = ?1 AND key = ?2").unwrap();
    for row in signed {
        sign.execute(row).unwrap();
    }
    connection.execute_batch("COMMIT").unwrap();
}
