//! Advisory lock for long runs: one process at a time.
//!
//! SQLite keeps two writers from harming the file; this lock keeps them from doing the same work.
//! The operating system releases the lock when its process ends in any way.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::DatabaseError;

/// The lock of a long run on a database. Dropping it releases it.
#[derive(Debug)]
pub struct DatabaseLock {
    /// Held, not read.
    _locked: File,
    path: PathBuf,
}

impl DatabaseLock {
    /// Locks a database, by a lock on the file `-lock` beside it. (Not on its own file: closing
    /// that one more time would drop SQLite's locks on it.)
    ///
    /// # Errors
    /// [`DatabaseError::Locked`] if another process has it; [`DatabaseError::Io`] if the file
    /// beside it cannot be made.
    pub fn take(database: &Path) -> Result<Self, DatabaseError> {
        let mut path = database.as_os_str().to_owned();
        path.push("-lock");
        let path = PathBuf::from(path);
        let failed = |source| DatabaseError::Io { path: path.clone(), source };
        let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _locked: file, path }),
            Err(TryLockError::WouldBlock) => Err(DatabaseError::Locked(database.to_owned())),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}

impl Drop for DatabaseLock {
    fn drop(&mut self) {
        // A file that is left behind does no harm, since only the lock on it counts.
        let _ = std::fs::remove_file(&self.path);
    }
}
