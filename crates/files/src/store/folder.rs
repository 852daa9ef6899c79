//! The folder store: a file for every object.

use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Store, check_name, is_name};
use crate::disk::{self, Disk, DiskFile, FileError, Kind, NewFile, OpenMode};

/// The remedy for most errors of a folder.
const REMEDY: &str = "make room or correct the permissions, then try again";

/// A folder that holds a file for every object.
///
/// An object is written to a temporary file beside its place, which is locked while its writer
/// lives, and then renamed in one step. There are no other locks: any number of processes may use a
/// folder at a time, also over a network file system.
#[derive(Clone, Debug)]
pub struct Folder {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
}

impl Folder {
    /// Opens a folder, creates it and its parents if missing, and removes temporary files whose
    /// writers are gone.
    ///
    /// # Errors
    /// If the path is no folder, or cannot be created.
    pub fn open(folder: &Path) -> io::Result<Self> {
        Self::open_on(disk::real(), folder)
    }

    /// Opens a folder on any disk, like [`open`](Self::open).
    pub fn open_on(disk: Arc<dyn Disk>, folder: &Path) -> io::Result<Self> {
        disk::make_folders(&*disk, folder).map_err(|error| {
            let message = match error.kind() {
                io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                    "not a folder: choose another one".to_owned()
                }
                _ => format!("{error}; choose another folder"),
            };
            io::Error::new(error.kind(), format!("{}: {message}", folder.display()))
        })?;
        disk::remove_leftovers(&*disk, folder);
        Ok(Self { disk, folder: folder.to_owned() })
    }

    fn path(&self, name: &str) -> io::Result<PathBuf> {
        check_name(name).map(|()| self.folder.join(name))
    }

    /// Writes an object to a temporary file, ready to commit.
    fn written(&self, name: &str, bytes: &[u8]) -> io::Result<NewFile> {
        let path = self.path(name)?;
        let mut file =
            NewFile::create_beside_leftovers(self.disk.clone(), &path).map_err(unwritten)?;
        file.write_all(bytes)?;
        Ok(file)
    }

    fn file(&self, path: &Path) -> io::Result<Option<Box<dyn DiskFile>>> {
        // Opening a pipe would wait for its writer.
        match self.disk.kind(path)? {
            None => return Ok(None),
            Some(Kind::File) => {}
            Some(Kind::Folder | Kind::Other) => {
                let error = "not a regular file";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, error));
            }
        }
        match self.disk.open(path, OpenMode::Read) {
            // Another process removed it meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some),
        }
    }
}

/// Adds the path and the remedy to an error.
fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error {
    let path = path.to_owned();
    move |error| {
        let remedy = match error.kind() {
            io::ErrorKind::InvalidInput => "move it elsewhere, or choose another folder",
            _ => REMEDY,
        };
        io::Error::new(error.kind(), format!("{}: {error}; {remedy}", path.display()))
    }
}

/// Turns the error of a new file, which names the file and the remedy, into an I/O error.
fn unwritten(error: FileError) -> io::Error {
    let kind = error.kind();
    io::Error::new(kind, error)
}

impl Store for Folder {
    fn read(&self, name: &str, range: Range<u64>) -> io::Result<Option<Vec<u8>>> {
        let path = self.path(name)?;
        let read = || {
            let Some(file) = self.file(&path)? else { return Ok(None) };
            // The range may be longer than the file.
            let length = range.end.min(file.length()?).saturating_sub(range.start);
            let length = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
            bytes.resize(length, 0);
            let read = file.read_at(&mut bytes, range.start)?;
            bytes.truncate(read);
            Ok(Some(bytes))
        };
        read().map_err(at(&path))
    }

    fn len(&self, name: &str) -> io::Result<Option<u64>> {
        let path = self.path(name)?;
        let length = |file: Option<Box<dyn DiskFile>>| file.map(|file| file.length()).transpose();
        self.file(&path).and_then(length).map_err(at(&path))
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.written(name, bytes)?.commit().map_err(unwritten)
    }

    fn put_new(&self, name: &str, bytes: &[u8]) -> io::Result<bool> {
        self.written(name, bytes)?.commit_unless_there().map_err(unwritten)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.path(name)?;
        match self.disk.remove(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(at(&path)),
        }
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<String>> {
        let paths = self.disk.list(&self.folder).map_err(at(&self.folder))?;
        let name = |path: PathBuf| Some(path.file_name()?.to_str()?.to_owned());
        let mut names: Vec<String> = paths.into_iter().filter_map(name).collect();
        names.retain(|name| name.starts_with(prefix) && is_name(name));
        names.sort_unstable();
        Ok(names)
    }

    fn place(&self) -> String {
        self.folder.display().to_string()
    }
}
