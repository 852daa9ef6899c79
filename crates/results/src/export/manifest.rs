//! Manifests: descriptions of exported files, each in a file beside it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use sha2::{Digest, Sha256};

use everyply_files::disk::{self, Disk, FileError, NewFile};

/// The version of manifests and data sets, for programs that read them: raised if a field or column
/// is renamed, dropped or gets another meaning.
pub const SCHEMA: u32 = 4;

/// The description of an exported file. Equal files have equal manifests: no times, no paths.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema)]
pub struct Manifest {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The exported file's name, without its directory.
    pub file: String,
    pub format: &'static str,
    pub program: &'static str,
    pub version: &'static str,
    /// The game's name in the database.
    pub game: String,
    /// Columns x rows, of boards of stones and lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The length of a line that wins, of boards of stones and lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u8>,
    /// The numbers that distinguish the boards of another game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<[u8; 3]>,
    /// The rules in a sentence, or the game's title.
    pub rules: String,
    /// Rows, a header not counted.
    pub rows: u64,
    /// Rows per ply and outcome.
    pub plies: Vec<ManifestPly>,
    /// Selected positions that cannot be written in the format.
    pub skipped: u64,
    /// The filter of positions, if there is one.
    pub filter: Option<ManifestFilter>,
    /// True if every image of a position was written.
    pub mirror: bool,
    /// The positions in the file, in words.
    pub selection: &'static str,
    /// The positions that the exported solution file holds, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<&'static str>,
    /// The draw of a random sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<ManifestSample>,
    /// True if these are all positions of the selection in its plies; `None` if that is unknown.
    pub complete: Option<bool>,
    /// The side that the values are for.
    pub perspective: &'static str,
    /// The number of the first column or cell; `None` if none are numbered.
    pub index_base: Option<u8>,
    /// The order of the rows, in words.
    pub order: &'static str,
    /// The columns, of formats that name them.
    pub columns: Option<Vec<String>>,
    pub bytes: u64,
    pub sha256: String,
}

/// A filter of positions, as on the command line; `None` selects all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ManifestFilter {
    /// Plies.
    pub plies: Option<String>,
    /// Outcomes for the side to move.
    pub outcome: Option<String>,
    /// Plies to the end.
    pub remoteness: Option<String>,
}

/// The draw of a random sample.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ManifestSample {
    /// Positions drawn and kept, in all parts together.
    pub positions: u64,
    /// The source of the draw, in words.
    pub from: &'static str,
    pub seed: u64,
    /// True if equally many were drawn of each ply.
    pub per_ply: bool,
    /// True if positions were left out until outcomes were equally many.
    pub balanced: bool,
    /// The plies drawn from, as on the command line; `None` for all.
    pub plies: Option<String>,
    /// The picture of the position that the drawn ones follow, unless it is the start.
    pub root: Option<String>,
    /// The part of the sample in the file, if it was split.
    pub part: Option<&'static str>,
    /// The share of the positions in the file, likewise.
    pub share: Option<f64>,
}

/// Rows of a ply by outcome, in the file's perspective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ManifestPly {
    pub ply: u8,
    pub rows: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

/// A new file whose length and hash are computed as it is written, with its manifest beside it. Both
/// appear whole; a manifest is never beside a file that it does not describe.
#[derive(Debug)]
pub struct ManifestedFile {
    manifest: NewFile,
    // Dropped after the manifest: with the last file of a new folder, the folder is removed.
    data: NewFile,
    hash: Sha256,
    bytes: u64,
}

impl ManifestedFile {
    /// Begins both files, so that a path that cannot be written is refused before the work.
    ///
    /// # Errors
    /// The errors of [`NewFile::create`]; [`FileError::Busy`] if another process writes the file.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        Self::of(NewFile::create(path)?)
    }

    pub fn of(data: NewFile) -> Result<Self, FileError> {
        Self::on(disk::real(), data)
    }

    fn on(disk: Arc<dyn Disk>, data: NewFile) -> Result<Self, FileError> {
        let manifest = NewFile::create_on(disk, &manifest_path(data.path()))?;
        // Of two writers, one would leave its file beside the manifest of the other.
        data.refuse_second_writer()?;
        Ok(Self { manifest, data, hash: Sha256::new(), bytes: 0 })
    }

    pub fn path(&self) -> &Path {
        self.data.path()
    }

    /// Puts both files in their places, and fills in the manifest's file name, length and hash.
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
        // Writes that can fill the disk come first; then the old manifest is removed before its file
        // is replaced.
        self.data.prepare()?;
        self.manifest.prepare()?;
        self.manifest.remove_old()?;
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

/// Returns the name of the manifest of a file: `rows.csv.manifest.json`.
pub fn manifest_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".manifest.json");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyply_test_support::{Simulated, Trouble};

    #[test]
    fn the_hash_is_that_of_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("abc.csv");
        let mut file = ManifestedFile::create(&path).unwrap();
        file.write_all(b"a").unwrap();
        file.write_all(b"bc").unwrap();
        let mut manifest = Manifest::default();
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
    fn a_file_in_the_making_is_not_begun_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.csv");
        let first = ManifestedFile::create(&path).unwrap();
        let second = ManifestedFile::create(&path).unwrap_err();
        assert!(second.to_string().contains("another process is writing"), "{second}");
        // Other files of the folder are begun, and the refused one left nothing.
        drop(ManifestedFile::create(&directory.path().join("y.csv")).unwrap());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 2);
        first.commit(&mut Manifest::default()).unwrap();
        drop(ManifestedFile::create(&path).unwrap());
    }

    /// Returns the content of the file, and true if the manifest describes it; `None` without one.
    fn state(disk: &Simulated, path: &Path) -> (Vec<u8>, Option<bool>) {
        let contents = disk.contents();
        let data = contents[path].clone();
        let manifest = contents.get(&manifest_path(path)).map(|text| {
            let manifest: serde_json::Value = serde_json::from_slice(text).unwrap();
            let hash: String = Sha256::digest(&data).iter().map(|b| format!("{b:02x}")).collect();
            manifest["sha256"] == hash.as_str()
        });
        (data, manifest)
    }

    fn export(disk: &Simulated, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        let disk: Arc<dyn Disk> = Arc::new(disk.clone());
        let data = NewFile::create_on(Arc::clone(&disk), path)?;
        let mut file = ManifestedFile::on(disk, data)?;
        let written = file.write_all(bytes).map_err(|error| error.kind().into());
        written.map_err(|source| FileError::Write { path: path.to_owned(), source })?;
        file.commit(&mut Manifest::default())
    }

    #[test]
    fn a_manifest_that_is_there_fits_its_file_whatever_fails() {
        let path = Path::new("/rows.csv");
        let (old, new) = (vec![b'o'; 3000], vec![b'n'; 700_000]);
        let mut ends = std::collections::BTreeSet::new();
        let mut check = |disk: &Simulated, at: u64| {
            let (data, fits) = state(disk, path);
            assert!(data == old || data == new, "{at}: {} bytes", data.len());
            assert_ne!(fits, Some(false), "operation {at}");
            ends.insert((data == new, fits));
            // Leftovers do not disturb the next run, which removes them.
            disk.set_trouble(Trouble::None);
            export(disk, path, &new).unwrap();
            assert_eq!(state(disk, path), (new.clone(), Some(true)));
            assert_eq!(disk.contents().len(), 2, "{:?}", disk.contents().keys());
        };
        for at in 0.. {
            let begin = |trouble| {
                let disk = Simulated::new(Trouble::None);
                export(&disk, path, &old).unwrap();
                disk.set_trouble(trouble);
                (export(&disk, path, &new), disk)
            };
            for trouble in [Trouble::Broken(at), Trouble::Full(at)] {
                let (exported, disk) = begin(trouble);
                match exported {
                    Err(error) => assert!(error.to_string().contains("rows.csv"), "{error}"),
                    Ok(()) => assert_eq!(state(&disk, path).0, new),
                }
                check(&disk, at);
            }
            let (exported, disk) = begin(Trouble::PowerLoss(at));
            for seed in 0..8 {
                check(&disk.reboot(seed), at);
            }
            if exported.is_ok() {
                break;
            }
        }
        // Old with its manifest, old and new without one, new with its own.
        let expected = [(false, None), (false, Some(true)), (true, None), (true, Some(true))];
        assert!(ends.into_iter().eq(expected));
    }
}
