//! Output files that appear whole or not at all.

use std::io::ErrorKind::{AlreadyExists, PermissionDenied, Unsupported};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Disk, DiskFile, Kind, folder_of, leftovers, make_folders, names_folder, real};

/// The reason why an output file or directory cannot be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    #[error("{} is a directory: give the name of a file", .0.display())]
    Directory(PathBuf),
    #[error("{} is not a regular file: choose another file", .0.display())]
    NotAFile(PathBuf),
    #[error("{} is not a directory: choose another one", .0.display())]
    NotADirectory(PathBuf),
    #[error("another process is writing {}: wait for it or choose another file", .0.display())]
    Busy(PathBuf),
    #[error("cannot create the directory {} ({source}): choose another one", .path.display())]
    CreateDirectory { path: PathBuf, source: io::Error },
    #[error("cannot write {} ({source}): choose another place", .path.display())]
    Create { path: PathBuf, source: io::Error },
    /// Writing failed half-way. The file has its old content; if only the last sync of its name
    /// failed, it has the whole new content.
    #[error("cannot finish {} ({source}): free some space or choose another place", .path.display())]
    Write { path: PathBuf, source: io::Error },
}

impl FileError {
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            Self::Directory(_) | Self::NotAFile(_) | Self::NotADirectory(_) => {
                io::ErrorKind::InvalidInput
            }
            Self::Busy(_) => io::ErrorKind::ResourceBusy,
            Self::CreateDirectory { source, .. }
            | Self::Create { source, .. }
            | Self::Write { source, .. } => source.kind(),
        }
    }
}

/// The size of the write buffer, in bytes.
const BUFFER: usize = 256 << 10;

/// A file in the making. [`commit`](Self::commit) puts it in its place, and replaces an older file;
/// a file dropped without a commit leaves no trace.
///
/// A link stays a link: its target is replaced, or created if the link dangles. An object that is
/// not a regular file, such as a device or a pipe, is refused. The file has the permissions of any
/// new file. Until the commit it stands beside its place under a name that begins with `.everyply-`
/// and ends with the target's name and `.tmp`; such files of killed runs are removed when the next
/// file is begun in the same directory.
///
/// Writing is buffered. If it fails, as on a full disk, the error names the file and the remedy,
/// and the old file stays.
#[derive(Debug)]
pub struct NewFile {
    disk: Arc<dyn Disk>,
    /// The path as the caller wrote it, for messages.
    path: PathBuf,
    /// The place of the file: `path`, or its target if it is a link.
    target: PathBuf,
    temporary: PathBuf,
    /// True once the temporary file has been renamed.
    in_place: bool,
    file: Box<dyn DiskFile>,
    /// Bytes not written yet; they go to the offset `written`.
    buffer: Vec<u8>,
    written: u64,
    /// The folders made for the file, shared with the other files in them.
    folders: Option<Arc<MadeFolders>>,
}

/// Folders made for files, the innermost first. Once the last of the files is dropped, the folders
/// that are still empty are removed.
#[derive(Debug)]
struct MadeFolders(Vec<PathBuf>);

impl Drop for MadeFolders {
    fn drop(&mut self) {
        // A folder with files in it is not removed, nor are the folders around it.
        let _ = self.0.iter().try_for_each(std::fs::remove_dir);
    }
}

impl NewFile {
    /// Begins a file, so that an unwritable place is refused before the work is done.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        Self::create_on(real(), path)
    }

    pub fn create_on(disk: Arc<dyn Disk>, path: &Path) -> Result<Self, FileError> {
        let target = target(&*disk, path)?;
        leftovers::remove_leftovers(&*disk, folder_of(&target));
        Self::begin(disk, path, target)
    }

    /// Begins a file and keeps leftovers, whose removal would list the folder for each file.
    pub fn create_beside_leftovers(disk: Arc<dyn Disk>, path: &Path) -> Result<Self, FileError> {
        let target = target(&*disk, path)?;
        Self::begin(disk, path, target)
    }

    fn begin(disk: Arc<dyn Disk>, path: &Path, target: PathBuf) -> Result<Self, FileError> {
        // A rename is atomic only within a file system: the temporary file goes beside its place.
        let (temporary, file) = leftovers::create(&*disk, &target)
            .map_err(|source| FileError::Create { path: path.to_owned(), source })?;
        let path = path.to_owned();
        let (in_place, buffer, written) = (false, Vec::new(), 0);
        let folders = None;
        Ok(Self { disk, path, target, temporary, in_place, file, buffer, written, folders })
    }

    /// Refuses this file if another writer has one for the same place; two that begin at once may
    /// both be refused.
    pub fn refuse_second_writer(&self) -> Result<(), FileError> {
        match leftovers::has_another(&*self.disk, &self.target, &self.temporary) {
            true => Err(FileError::Busy(self.path.clone())),
            false => Ok(()),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Overwrites bytes written before, such as a header whose content was not known yet.
    pub fn write_over(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.flush()?;
        self.file.write_at(bytes, at).map_err(|error| self.explain(&error))
    }

    /// Writes everything to the disk, so that few later steps can fail.
    pub fn prepare(&mut self) -> Result<(), FileError> {
        let written = self.write_buffer().and_then(|()| self.file.sync());
        written.map_err(|source| FileError::Write { path: self.path.clone(), source })
    }

    /// Removes the file that this one replaces, before the commit.
    pub fn remove_old(&self) -> Result<(), FileError> {
        refuse_other_kinds(&*self.disk, &self.target)?;
        let removed = match self.disk.remove(&self.target) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.and_then(|()| self.disk.sync_folder(folder_of(&self.target))),
        };
        removed.map_err(|source| FileError::Write { path: self.path.clone(), source })
    }

    /// Puts the file in its place once all of it is on the disk.
    pub fn commit(mut self) -> Result<(), FileError> {
        // Another process may have created a pipe in its place meanwhile.
        refuse_other_kinds(&*self.disk, &self.target)?;
        self.put_in_place().map_err(|source| FileError::Write { path: self.path.clone(), source })
    }

    /// Puts the file in its place once all of it is on the disk; returns false and changes nothing
    /// if the place is taken. Of any number of writers exactly one succeeds; on a file system
    /// without hard links, a later writer may replace the file.
    pub fn commit_unless_there(mut self) -> Result<bool, FileError> {
        refuse_other_kinds(&*self.disk, &self.target)?;
        self.link_in_place().map_err(|source| FileError::Write { path: self.path.clone(), source })
    }

    fn link_in_place(&mut self) -> io::Result<bool> {
        self.write_buffer()?;
        self.file.sync()?;
        let is_new = match self.disk.link(&self.temporary, &self.target) {
            Ok(()) => true,
            Err(error) if error.kind() == AlreadyExists => false,
            // The file system has no hard links.
            Err(error) if matches!(error.kind(), Unsupported | PermissionDenied) => {
                if self.disk.kind(&self.target)?.is_none() {
                    return self.put_in_place().map(|()| true);
                }
                false
            }
            Err(error) => return Err(error),
        };
        // The name that another writer made may not be synced yet.
        self.disk.sync_folder(folder_of(&self.target))?;
        Ok(is_new)
    }

    fn put_in_place(&mut self) -> io::Result<()> {
        self.write_buffer()?;
        self.file.sync()?;
        self.disk.rename(&self.temporary, &self.target)?;
        self.in_place = true;
        self.disk.sync_folder(folder_of(&self.target))
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            self.file.write_at(&self.buffer, self.written)?;
            self.written += self.buffer.len() as u64;
            self.buffer.clear();
        }
        Ok(())
    }

    fn explain(&self, error: &io::Error) -> io::Error {
        let source = io::Error::from(error.kind());
        io::Error::new(error.kind(), FileError::Write { path: self.path.clone(), source })
    }
}

/// Returns the place of a new file: its path, or the target if that is a link.
fn target(disk: &dyn Disk, path: &Path) -> Result<PathBuf, FileError> {
    refuse_other_kinds(disk, path)?;
    if names_folder(path) {
        return Err(FileError::Directory(path.to_owned()));
    }
    let target =
        disk.resolve(path).map_err(|source| FileError::Create { path: path.to_owned(), source })?;
    match target.file_name() {
        Some(_) => Ok(target),
        None => Err(FileError::Directory(path.to_owned())),
    }
}

fn refuse_other_kinds(disk: &dyn Disk, path: &Path) -> Result<(), FileError> {
    match disk.kind(path) {
        Ok(None | Some(Kind::File)) => Ok(()),
        Ok(Some(Kind::Folder)) => Err(FileError::Directory(path.to_owned())),
        Ok(Some(Kind::Other)) => Err(FileError::NotAFile(path.to_owned())),
        Err(source) => Err(FileError::Create { path: path.to_owned(), source }),
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush()?;
        }
        if bytes.len() >= BUFFER {
            self.file.write_at(bytes, self.written).map_err(|error| self.explain(&error))?;
            self.written += bytes.len() as u64;
        } else {
            self.buffer.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_buffer().map_err(|error| self.explain(&error))
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.in_place {
            // A file that stays is removed by the next run.
            let _ = self.disk.remove(&self.temporary);
        }
    }
}

/// Begins files of these names in a directory, which is created with its parents if missing. If
/// none of the files is committed, dropping the last one removes the created directories.
pub fn in_directory<const N: usize>(
    directory: &Path,
    names: [&str; N],
) -> Result<[NewFile; N], FileError> {
    Ok(all_in_directory(directory, &names)?.try_into().expect("one file for each name"))
}

/// Begins files for any number of names, like [`in_directory`].
pub fn all_in_directory(directory: &Path, names: &[&str]) -> Result<Vec<NewFile>, FileError> {
    let disk = real();
    let missing = directory.ancestors().filter(|path| !path.as_os_str().is_empty());
    let missing = missing.take_while(|path| matches!(disk.kind(path), Ok(None)));
    // Without names, the caller fills the directory itself.
    let missing = missing.take(if names.is_empty() { 0 } else { usize::MAX });
    let folders = Arc::new(MadeFolders(missing.map(Path::to_owned).collect()));
    make_folders(&*disk, directory).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => FileError::NotADirectory(directory.to_owned()),
        _ => FileError::CreateDirectory { path: directory.to_owned(), source },
    })?;
    let begin = |name: &&str| {
        let mut file = NewFile::create(&directory.join(name))?;
        file.folders = Some(Arc::clone(&folders));
        Ok(file)
    };
    names.iter().map(begin).collect()
}
