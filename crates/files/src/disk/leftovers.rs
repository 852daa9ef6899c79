//! Temporary files: their names, and the removal of files whose writers are gone.
//!
//! ```text
//! .everyply-4711-0-report.html.tmp      process 4711, its first file, to become report.html
//! ```
//!
//! The writer of such a file holds a lock on it, which the operating system releases when the
//! process ends in any way. So a file whose lock is free is a leftover. The process number decides
//! nothing: it may be another machine's, or have been reused.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Disk, DiskFile, Kind, OpenMode, folder_of};

const PREFIX: &str = ".everyply-";
const SUFFIX: &str = ".tmp";
/// The most bytes of the target's name in a temporary name: names have at most 255 bytes, 55 of
/// which are for the prefix, the numbers and the suffix.
const NAME: usize = 200;
/// The most names tried: a name can be in use only if two machines share a folder.
const TRIES: u32 = 100;

/// Creates a locked temporary file beside a target.
pub(super) fn create(disk: &dyn Disk, target: &Path) -> io::Result<(PathBuf, Box<dyn DiskFile>)> {
    let folder = folder_of(target);
    for _ in 0..TRIES {
        let path = folder.join(name(target.file_name().unwrap_or_default()));
        let file = match disk.open(&path, OpenMode::CreateNew) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            opened => opened?,
        };
        match file.try_lock() {
            // Another process took the file for a leftover before it was locked.
            Ok(false) => continue,
            Ok(true) if disk.kind(&path)?.is_none() => continue,
            Ok(true) => {}
            // On a file system without locks no process removes the file.
            Err(_) => {}
        }
        return Ok((path, file));
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn name(target: &OsStr) -> OsString {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let target = repeated(target);
    format!("{PREFIX}{}-{number}-{target}{SUFFIX}", std::process::id()).into()
}

/// Returns the part of the target's name that the name of its temporary file repeats.
fn repeated(target: &OsStr) -> String {
    let mut target = target.to_string_lossy().into_owned();
    while target.len() > NAME {
        target.pop();
    }
    target
}

/// Returns the part of the target's name in a name that [`create`] makes; `None` for other names.
fn target_of(path: &Path) -> Option<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let inner = path.file_name()?.to_str()?.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let mut parts = inner.splitn(3, '-');
    let is_ours = parts.next().is_some_and(is_number) && parts.next().is_some_and(is_number);
    parts.next().filter(|_| is_ours)
}

/// Returns true if another writer has a temporary file for the same target as this one.
pub(super) fn has_another(disk: &dyn Disk, target: &Path, own: &Path) -> bool {
    let name = repeated(target.file_name().unwrap_or_default());
    let is_locked = |path: &Path| {
        disk.open(path, OpenMode::Read).is_ok_and(|file| matches!(file.try_lock(), Ok(false)))
    };
    let paths = disk.list(folder_of(target)).unwrap_or_default();
    let mut others = paths.iter().filter(|path| path.file_name() != own.file_name());
    others.any(|path| target_of(path) == Some(&name) && is_locked(path))
}

/// Removes temporary files whose writers are gone, except files that it cannot inspect or remove.
pub fn remove_leftovers(disk: &dyn Disk, folder: &Path) {
    for path in disk.list(folder).unwrap_or_default() {
        if target_of(&path).is_none() || !matches!(disk.kind(&path), Ok(Some(Kind::File))) {
            continue;
        }
        // The lock is held until the file is removed, so that no other process writes it.
        if let Ok(file) = disk.open(&path, OpenMode::Read)
            && matches!(file.try_lock(), Ok(true))
        {
            let _ = disk.remove(&path);
        }
    }
}
