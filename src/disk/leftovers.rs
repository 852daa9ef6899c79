//! Temporary files: names that say whose they are, and the removal of those nobody works at.
//!
//! ```text
//! .everyply-4711-0-report.html.tmp      process 4711, its first file, on its way to report.html
//! ```
//!
//! Whoever writes such a file holds a lock on it, which the operating system drops with the
//! process, however that ends. So a file whose lock is free is a leftover, and nobody has to trust
//! a process number, which may be another machine's or used once more.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Disk, DiskFile, Kind, Opening, folder_of};

const PREFIX: &str = ".everyply-";
const SUFFIX: &str = ".tmp";
/// The most bytes of the target's name that are repeated: names have up to 255 bytes, and 32 and
/// the rest of this one's are for the numbers.
const NAME: usize = 200;
/// Names that are tried: each can be in use only where two machines share a folder.
const TRIES: u32 = 100;

/// Makes a locked temporary file beside a target.
pub(super) fn create(disk: &dyn Disk, target: &Path) -> io::Result<(PathBuf, Box<dyn DiskFile>)> {
    let folder = folder_of(target);
    for _ in 0..TRIES {
        let path = folder.join(name(target.file_name().unwrap_or_default()));
        let file = match disk.open(&path, Opening::CreateNew) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            opened => opened?,
        };
        match file.try_lock() {
            // Another run took the file for a leftover before it was locked.
            Ok(false) => continue,
            Ok(true) if disk.kind(&path)?.is_none() => continue,
            Ok(true) => {}
            // Without locks nobody removes it; that is all they are for.
            Err(_) => {}
        }
        return Ok((path, file));
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn name(target: &OsStr) -> OsString {
    /// Counts the files of this process.
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut target = target.to_string_lossy().into_owned();
    while target.len() > NAME {
        target.pop();
    }
    format!("{PREFIX}{}-{number}-{target}{SUFFIX}", std::process::id()).into()
}

/// True for the names that [`create`] gives.
fn is_ours(path: &Path) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let name = path.file_name().and_then(OsStr::to_str);
    let inner = name.and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    let mut parts = inner.unwrap_or_default().splitn(3, '-');
    parts.next().is_some_and(is_number)
        && parts.next().is_some_and(is_number)
        && parts.next().is_some()
}

/// Removes temporary files that nobody works at. What cannot be looked at or removed stays: it is
/// only untidy.
pub(crate) fn remove_leftovers(disk: &dyn Disk, folder: &Path) {
    for path in disk.list(folder).unwrap_or_default() {
        if !is_ours(&path) || !matches!(disk.kind(&path), Ok(Some(Kind::File))) {
            continue;
        }
        // Locked until it is removed, so that nobody begins to write it in between.
        if let Ok(file) = disk.open(&path, Opening::Read)
            && matches!(file.try_lock(), Ok(true))
        {
            let _ = disk.remove(&path);
        }
    }
}
