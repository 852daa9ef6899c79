//! Files that this program writes: results appear in their places whole or not at all.
//!
//! [`NewFile`] is the one way to write a result. Below it, `Disk` is what work folders, results
//! and solution files need of a file system. The real one is the operating system's; the tests
//! have a simulated one that fails or loses its power at any operation.

mod leftovers;
mod new_file;
mod real;
#[cfg(test)]
pub(crate) mod simulated;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use leftovers::remove_leftovers;
pub use new_file::{FileError, NewFile, in_directory};
pub(crate) use real::Real;

/// How a file is opened. A file that is made has the permissions of any new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// An existing file, to be read.
    Read,
    /// An existing file, to be read and written.
    #[cfg_attr(not(test), expect(dead_code, reason = "databases on the simulated disk need it"))]
    Update,
    /// A file that is made if it is missing, to be read and written; it keeps its content.
    #[cfg_attr(not(test), expect(dead_code, reason = "databases on the simulated disk need it"))]
    UpdateOrCreate,
    /// A file that must not exist yet, to be read and written.
    CreateNew,
}

/// What a path leads to, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Folder,
    /// A device, pipe or socket.
    Other,
}

/// What this program needs of a file system.
///
/// Nothing is promised to survive a loss of power but the content of files that were synced since
/// they were written, and names in folders that were synced since they were changed.
pub(crate) trait Disk: fmt::Debug + Send + Sync {
    /// Opens a file.
    fn open(&self, path: &Path, opening: Opening) -> io::Result<Box<dyn DiskFile>>;
    /// What is there; `None` if nothing is, or a link that leads nowhere.
    fn kind(&self, path: &Path) -> io::Result<Option<Kind>>;
    /// Where a file of this path is, or would be made: links are followed, the last one also
    /// if it leads nowhere yet.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;
    /// Gives a file another name, in one step; a file that had that name is replaced.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file a second name, unless there is a file of that name.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if there is. Some file systems have no second names.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// The paths of what is in a folder, in any order.
    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>>;
    /// Makes a folder in one that exists.
    fn make_folder(&self, folder: &Path) -> io::Result<()>;
    /// Returns once the names in a folder would survive a loss of power.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// An open file. Dropping it closes it and gives up its lock.
pub(crate) trait DiskFile: fmt::Debug + Send + Sync {
    /// Reads from a place; fewer bytes than asked for only at the end of the file.
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize>;
    /// Fills the whole buffer.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if the file ends before that.
    fn read_exact_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        match self.read_at(bytes, at)? {
            read if read == bytes.len() => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
    /// Writes all the bytes; a file that is too short is filled up with zeros.
    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<()>;
    /// The length.
    fn len(&self) -> io::Result<u64>;
    /// Cuts the file, or fills it up with zeros.
    #[cfg_attr(not(test), expect(dead_code, reason = "databases on the simulated disk need it"))]
    fn set_len(&self, len: u64) -> io::Result<()>;
    /// Returns once the content would survive a loss of power.
    fn sync(&self) -> io::Result<()>;
    /// Locks the file against everyone else who asks; false if it is locked already.
    fn try_lock(&self) -> io::Result<bool>;
}

/// The operating system's file system.
pub(crate) fn real() -> Arc<dyn Disk> {
    Arc::new(Real)
}

/// The folder a path lies in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Makes a folder, with its parents, unless it is there; the new names survive a loss of power.
pub(crate) fn make_folders(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
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
        // Another run was faster.
        Err(error)
            if error.kind() == io::ErrorKind::AlreadyExists
                && disk.kind(folder)? == Some(Kind::Folder) => {}
        made => made?,
    }
    disk.sync_folder(parent)
}
