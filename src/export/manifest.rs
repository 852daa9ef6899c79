//! Manifests: what an exported file holds, in a file beside it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::database::GameId;
use crate::disk::{FileError, NewFile};

/// What an exported file holds. The same content has the same manifest: no times, no paths.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest {
    /// The exported file's name, without its directory.
    pub file: String,
    /// The format's name.
    pub format: &'static str,
    /// The program.
    pub program: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The game's name in the database.
    pub game: String,
    /// Columns x rows.
    pub board: String,
    /// How many in a row win.
    pub line: u8,
    /// The rules in a sentence.
    pub rules: String,
    /// Rows, a header not counted.
    pub rows: u64,
    /// Rows per ply and outcome.
    pub plies: Vec<ManifestPly>,
    /// Which positions there are.
    pub selection: &'static str,
    /// True if these are all positions of the selection in its plies; `None` where that is not
    /// known.
    pub complete: Option<bool>,
    /// Whose values they are.
    pub perspective: &'static str,
    /// What columns or cells are counted from; `None` where none are counted.
    pub index_base: Option<u8>,
    /// What the rows are sorted by.
    pub order: &'static str,
    /// The columns, of formats that name them.
    pub columns: Option<Vec<String>>,
    /// The length of the file.
    pub bytes: u64,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

/// Rows of a ply by outcome, in the file's perspective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ManifestPly {
    /// The ply.
    pub ply: u8,
    /// Rows.
    pub rows: u64,
    /// Won ones.
    pub wins: u64,
    /// Drawn ones.
    pub draws: u64,
    /// Lost ones.
    pub losses: u64,
}

/// The rules of a game in a sentence.
#[must_use]
pub fn rules(game: &GameId) -> String {
    let line = game.size.line;
    let place = if game.name == "connect4" {
        "stones fall to the lowest empty cell of a column"
    } else {
        "stones go on any empty cell"
    };
    format!(
        "two sides place stones in turn, {place}; the first {line} in a row, horizontally, \
         vertically or diagonally, win; a full board without them is a draw"
    )
}

/// A file in the making whose length and hash are taken as it is written, with its manifest
/// beside it. Both appear whole, or neither.
#[derive(Debug)]
pub struct ManifestedFile {
    data: NewFile,
    manifest: NewFile,
    hash: Sha256,
    bytes: u64,
}

impl ManifestedFile {
    /// Begins both files, so that a place that cannot be written is refused before the work.
    ///
    /// # Errors
    /// As [`NewFile::create`].
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let (data, manifest) = (NewFile::create(path)?, NewFile::create(&manifest_path(path))?);
        Ok(Self { data, manifest, hash: Sha256::new(), bytes: 0 })
    }

    /// The file, as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.data.path()
    }

    /// Puts both files in their places. File name, length and hash of the manifest are filled in.
    ///
    /// # Errors
    /// If one of them cannot be written whole. A new manifest never stands beside an old file.
    pub fn commit(mut self, manifest: &mut Manifest) -> Result<(), FileError> {
        let name = self.data.path().file_name().unwrap_or_default();
        manifest.file = name.to_string_lossy().into_owned();
        manifest.bytes = self.bytes;
        manifest.sha256 = self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let path = self.manifest.path().to_owned();
        let mut text = serde_json::to_string_pretty(manifest).unwrap_or_default();
        text.push('\n');
        self.manifest
            .write_all(text.as_bytes())
            .and_then(|()| self.manifest.flush())
            .map_err(|error| FileError::Write { path, source: error.kind().into() })?;
        self.data.commit()?;
        self.manifest.commit()
    }
}

impl Write for ManifestedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.data.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.data.flush()
    }
}

/// The name of the manifest of a file: `rows.csv.manifest.json`.
#[must_use]
pub fn manifest_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".manifest.json");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Size;

    fn manifest() -> Manifest {
        let size = Size { width: 7, height: 6, line: 4 };
        Manifest {
            file: String::new(),
            format: "csv",
            program: "everyply",
            version: "0",
            game: "connect4".to_owned(),
            board: size.board(),
            line: 4,
            rules: rules(&GameId { name: "connect4".to_owned(), size }),
            rows: 1,
            plies: Vec::new(),
            selection: "all",
            complete: None,
            perspective: "side to move",
            index_base: Some(1),
            order: "ply, key",
            columns: None,
            bytes: 0,
            sha256: String::new(),
        }
    }

    #[test]
    fn the_hash_is_that_of_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("abc.csv");
        let mut file = ManifestedFile::create(&path).unwrap();
        file.write_all(b"a").unwrap();
        file.write_all(b"bc").unwrap();
        let mut manifest = manifest();
        file.commit(&mut manifest).unwrap();
        // The test vector of FIPS 180 for "abc".
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((manifest.sha256.as_str(), manifest.bytes), (expected, 3));
        assert_eq!(std::fs::read(&path).unwrap(), b"abc");
        let written = std::fs::read(manifest_path(&path)).unwrap();
        let written: serde_json::Value = serde_json::from_slice(&written).unwrap();
        assert_eq!(written["sha256"], expected);
        assert_eq!(written["file"], "abc.csv");
        assert_eq!(written["complete"], serde_json::Value::Null);
    }

    #[test]
    fn an_export_that_is_given_up_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let mut file = ManifestedFile::create(&directory.path().join("x.csv")).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
