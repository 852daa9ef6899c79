//! The operating system's file system.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::{Disk, DiskFile, Kind, OpenMode};

#[derive(Clone, Copy, Debug)]
pub(super) struct Real;

/// The longest chain of links followed, as on Linux.
const LINKS: usize = 40;

impl Disk for Real {
    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Box<dyn DiskFile>> {
        let mut options = File::options();
        options.read(true);
        match mode {
            OpenMode::Read => &mut options,
            OpenMode::Update => options.write(true),
            OpenMode::UpdateOrCreate => options.write(true).create(true).truncate(false),
            OpenMode::CreateNew => options.write(true).create_new(true),
        };
        Ok(Box::new(options.open(path)?))
    }

    fn kind(&self, path: &Path) -> io::Result<Option<Kind>> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Ok(Some(Kind::File)),
            Ok(metadata) if metadata.is_dir() => Ok(Some(Kind::Folder)),
            Ok(_) => Ok(Some(Kind::Other)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let mut path = std::path::absolute(path)?;
        for _ in 0..LINKS {
            match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_symlink() => {
                    let to = fs::read_link(&path)?;
                    // An absolute path replaces what it is joined to.
                    path.pop();
                    path.push(to);
                }
                Ok(_) => match fs::canonicalize(&path) {
                    // Another process removed it meanwhile.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path),
                    resolved => return resolved,
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path),
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("too many links, one after the other"))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect()
    }

    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir(folder)
    }

    #[cfg(unix)]
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            // A folder with write permission only, or a file system that protects names by other
            // means: no further step is possible.
            Err(error) if matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported) => {
                Ok(())
            }
            synced => synced,
        }
    }

    /// Other systems have no such call.
    #[cfg(not(unix))]
    fn sync_folder(&self, _folder: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl DiskFile for File {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        let mut read = 0;
        while read < bytes.len() {
            match read_some_at(self, &mut bytes[read..], at + read as u64) {
                Ok(0) => break,
                Ok(more) => read += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(read)
    }

    #[cfg(unix)]
    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self, bytes, at)
    }

    #[cfg(windows)]
    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        let mut written = 0;
        while written < bytes.len() {
            let at = at + written as u64;
            match std::os::windows::fs::FileExt::seek_write(self, &bytes[written..], at)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                more => written += more,
            }
        }
        Ok(())
    }

    #[cfg(not(any(unix, windows)))]
    fn write_at(&self, _bytes: &[u8], _at: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        Self::set_len(self, len)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }

    fn try_lock(&self) -> io::Result<bool> {
        match Self::try_lock(self) {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(unix)]
fn read_some_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, at)
}

#[cfg(windows)]
fn read_some_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, at)
}

#[cfg(not(any(unix, windows)))]
fn read_some_at(_file: &File, _bytes: &mut [u8], _at: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}
