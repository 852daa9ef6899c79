//! What the tests of the command line share: a directory to work in, and the program.

#![allow(dead_code, reason = "every test file takes what it needs")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;

/// A directory that goes away with the test; the program runs in it.
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

    /// The names in the directory, in order.
    pub fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.directory())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The program, about to run here. It is killed where it hangs.
    pub fn analyze(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_analyze"));
        command.current_dir(self.directory()).timeout(Duration::from_secs(300));
        command
    }

    /// The program with arguments separated by spaces.
    pub fn run(&self, arguments: &str) -> assert_cmd::assert::Assert {
        self.analyze().args(arguments.split_whitespace()).assert()
    }
}

/// Gives all positions of a database the checksum of their present content: what a test changed
/// then passes for written.
pub fn sign_positions(path: &Path) {
    use everyply::database::PositionRow;
    use everyply::game::GameId;
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
                best: row.get::<_, Option<i64>>(8)?.map(|best| MoveSet(best.cast_unsigned())),
            };
            Ok((row.get(9)?, key, position.checksum(&game).cast_signed()))
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
