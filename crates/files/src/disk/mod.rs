//! Files that this program writes: a result appears in its place whole or not at all.
//!
//! [`NewFile`] is the one way to write a result. Below it, `Disk` has the file system operations
//! of work folders, results and solution files. The real disk is the operating system's; tests use
//! a simulated disk that fails or loses power at any operation.

mod leftovers;
mod new_file;
mod real;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

pub use leftovers::remove_leftovers;
pub use new_file::{FileError, NewFile, all_in_directory, in_directory};
use real::Real;

/// The mode in which a file is opened. A created file has the permissions of any new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    Read,
    Update,
    /// Opens a file for reading and writing; creates it if it is missing, and keeps its content.
    UpdateOrCreate,
    CreateNew,
}

/// The kind of object at a path, after following links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    /// A device, pipe or socket.
    Other,
}

/// The file system operations that this program needs.
///
/// Only two things are sure to survive a loss of power: the content of files synced since they were
/// written, and names in folders synced since they were changed.
pub trait Disk: fmt::Debug + Send + Sync {
    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Box<dyn DiskFile>>;
    /// Returns the kind of object at a path; `None` for no object, or a dangling link.
    fn kind(&self, path: &Path) -> io::Result<Option<Kind>>;
    /// Returns the place where a file of this path is or would be created: links are followed, the
    /// last one even if it dangles.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;
    /// Renames a file in one step; a file with the new name is replaced.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Makes a hard link, unless the new name is taken. Some file systems have none.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Returns the paths of all objects in a folder, in any order.
    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>>;
    fn make_folder(&self, folder: &Path) -> io::Result<()>;
    /// Returns once the names in a folder would survive a loss of power.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// An open file. Dropping it closes it and releases its lock.
pub trait DiskFile: fmt::Debug + Send + Sync {
    /// Reads from an offset; returns fewer bytes than requested only at the end of the file.
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize>;
    /// Fills the whole buffer from an offset, or fails if the file ends earlier.
    fn read_exact_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        match self.read_at(bytes, at)? {
            read if read == bytes.len() => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
    /// Writes all bytes at an offset; a file that is too short is padded with zeros.
    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<()>;
    fn length(&self) -> io::Result<u64>;
    /// Sets the length: truncates the file, or pads it with zeros.
    fn set_len(&self, len: u64) -> io::Result<()>;
    /// Returns once the content would survive a loss of power.
    fn sync(&self) -> io::Result<()>;
    /// Takes the advisory lock of the file; returns false if it is locked already.
    fn try_lock(&self) -> io::Result<bool>;
}

pub fn real() -> Arc<dyn Disk> {
    Arc::new(Real)
}

pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns true if a path ends like a folder's: with a separator, or with a dot after one.
pub fn names_folder(path: &Path) -> bool {
    let path = path.as_os_str().to_string_lossy();
    path.strip_suffix('.').unwrap_or(&path).ends_with(std::path::is_separator)
}

/// Creates a folder and its parents if missing; the new names survive a loss of power.
pub fn make_folders(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
    match disk.kind(folder)? {
        Some(Kind::Folder) => return Ok(()),
        Some(_) => return Err(io::ErrorKind::AlreadyExists.into()),
        None => {}
    }
    let parent = folder_of(folder);
    if parent != folder && parent != Path::new(".") {
        make_folders(disk, parent).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
            _ => error,
        })?;
    }
    match disk.make_folder(folder) {
        // Another process created it first.
        Err(error)
            if error.kind() == io::ErrorKind::AlreadyExists
                && disk.kind(folder)? == Some(Kind::Folder) => {}
        made => made?,
    }
    disk.sync_folder(parent)
}
