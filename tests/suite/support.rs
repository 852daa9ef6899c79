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
