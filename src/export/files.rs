//! Output files that appear whole or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Why an output file or directory cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file to write is a directory.
    #[error("{} is a directory: give the name of a file", .0.display())]
    Directory(PathBuf),
    /// The file to write is a device, pipe or socket.
    #[error("{} is not a regular file: choose another file", .0.display())]
    NotAFile(PathBuf),
    /// The directory to write to is something else.
    #[error("{} is not a directory: choose another one", .0.display())]
    NotADirectory(PathBuf),
    /// The directory cannot be made.
    #[error("cannot make the directory {} ({source}): choose another one", .path.display())]
    CreateDirectory {
        /// The directory.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The file cannot be made.
    #[error("cannot write {} ({source}): choose another place", .path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// Writing failed half-way; what the file held before is untouched.
    #[error("cannot finish {} ({source}): free some space or choose another place", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
}

/// A file in the making. It takes its place, and that of a file that was there, with
/// [`commit`](Self::commit); dropped before that, it leaves no trace.
///
/// Writing is buffered. Its errors name the file and the remedy.
#[derive(Debug)]
pub struct NewFile {
    /// As the caller wrote it: for messages.
    path: PathBuf,
    /// Where it goes: `path`, or what that links to.
    target: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Begins a file, so that a place that cannot be written is refused before the work is done.
    ///
    /// # Errors
    /// If the path is a directory or no regular file, or nothing can be created beside it.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let of_io = |source| FileError::Create { path: path.to_owned(), source };
        let target = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(FileError::Directory(path.to_owned()));
            }
            Ok(metadata) if !metadata.is_file() => {
                return Err(FileError::NotAFile(path.to_owned()));
            }
            // A link stays a link; what it leads to is replaced.
            Ok(_) => fs::canonicalize(path).map_err(of_io)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                std::path::absolute(path).map_err(of_io)?
            }
            Err(error) => return Err(of_io(error)),
        };
        // A rename is atomic only within a file system: the temporary file goes beside its place.
        let (Some(directory), Some(_)) = (target.parent(), target.file_name()) else {
            return Err(FileError::Directory(path.to_owned()));
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".everyply-").suffix(".tmp");
        #[cfg(unix)]
        {
            // What any new file gets: the umask takes off its part.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        // The kind alone, because tempfile's message names a file nobody has heard of.
        let file = builder.tempfile_in(directory).map_err(|error| of_io(error.kind().into()))?;
        Ok(Self { path: path.to_owned(), target, file: BufWriter::new(file) })
    }

    /// The file to be, as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file in its place once all of it is on the disk.
    ///
    /// # Errors
    /// If it cannot be written whole, as on a full disk. Its place is then as it was.
    pub fn commit(self) -> Result<(), FileError> {
        let Self { path, target, file } = self;
        let written = file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .and_then(|file| file.as_file().sync_all().map(|()| file))
            .and_then(|file| file.persist(&target).map_err(|error| error.error));
        written.map(drop).map_err(|source| FileError::Write { path, source })
    }

    fn explain(&self, error: &io::Error) -> io::Error {
        let source = io::Error::from(error.kind());
        io::Error::new(error.kind(), FileError::Write { path: self.path.clone(), source })
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| self.explain(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| self.explain(&error))
    }
}

/// Begins files of these names in a directory, which is made, with its parents, if missing.
///
/// # Errors
/// If the directory is something else or cannot be made, or a file cannot be begun in it.
pub fn in_directory<const N: usize>(
    directory: &Path,
    names: [&str; N],
) -> Result<[NewFile; N], FileError> {
    fs::create_dir_all(directory).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => FileError::NotADirectory(directory.to_owned()),
        _ => FileError::CreateDirectory { path: directory.to_owned(), source },
    })?;
    let files: Vec<NewFile> = names
        .iter()
        .map(|name| NewFile::create(&directory.join(name)))
        .collect::<Result<_, _>>()?;
    // As many as there are names.
    Ok(files.try_into().expect("one file for each name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(directory: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_with_its_commit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.csv");
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"a,b\n").unwrap();
        file.flush().unwrap();
        assert!(!path.exists());
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a,b\n");
        assert_eq!(entries(directory.path()), ["out.csv"]);
    }

    #[test]
    fn a_file_that_is_dropped_leaves_the_old_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(&[b'x'; 100_000]).unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(entries(directory.path()), ["out.csv"]);

        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let mode =
            |name: &str| fs::metadata(directory.path().join(name)).unwrap().permissions().mode();
        fs::File::create(directory.path().join("usual")).unwrap();
        NewFile::create(&directory.path().join("ours")).unwrap().commit().unwrap();
        assert_eq!(mode("ours"), mode("usual"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        let mut new = NewFile::create(&link).unwrap();
        new.write_all(b"new").unwrap();
        new.commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn places_that_cannot_be_written_are_refused_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let refused = |path: &Path| NewFile::create(path).unwrap_err();
        assert!(matches!(refused(directory.path()), FileError::Directory(_)));
        let nowhere = directory.path().join("none").join("out.csv");
        let error = refused(&nowhere);
        assert!(matches!(error, FileError::Create { .. }));
        let message = error.to_string();
        assert!(message.contains(nowhere.to_str().unwrap()), "{message}");
        assert!(!message.contains(".everyply-"), "{message}");
        assert!(matches!(refused(Path::new("")), FileError::Create { .. }));
        #[cfg(target_os = "linux")]
        assert!(matches!(refused(Path::new("/dev/full")), FileError::NotAFile(_)));
    }

    #[test]
    fn a_directory_is_made_for_its_files() {
        let directory = tempfile::tempdir().unwrap();
        let csv = directory.path().join("a").join("b");
        let [one, two] = in_directory(&csv, ["one.csv", "two.csv"]).unwrap();
        one.commit().unwrap();
        drop(two);
        assert_eq!(entries(&csv), ["one.csv"]);
        // An existing one is as good.
        in_directory(&csv, ["one.csv"]).unwrap();

        let file = csv.join("one.csv");
        assert!(matches!(in_directory(&file, ["x"]), Err(FileError::NotADirectory(_))));
        let below = file.join("c");
        assert!(matches!(in_directory(&below, ["x"]), Err(FileError::CreateDirectory { .. })));
        #[cfg(target_os = "linux")]
        assert!(matches!(
            in_directory(Path::new("/dev/full"), ["x"]),
            Err(FileError::NotADirectory(_))
        ));
    }
}
