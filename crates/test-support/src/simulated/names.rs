//! Names in folders: the synced ones and the pending changes.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The object of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    File(u64),
    Folder,
}

/// All names of a disk, as whole paths.
#[derive(Debug, Default)]
pub(super) struct Names {
    current: BTreeMap<PathBuf, Named>,
    /// The names that survive any loss of power.
    synced: BTreeMap<PathBuf, Named>,
    /// The changes from the synced to the current names, in order.
    pending: Vec<Change>,
    /// The number of files created.
    made: u64,
}

/// A change of names, kept or lost as a whole.
#[derive(Clone, Debug)]
struct Change {
    /// The folder whose sync makes the change safe.
    folder: PathBuf,
    removed: Option<PathBuf>,
    added: Option<(PathBuf, Named)>,
}

impl Change {
    fn apply(&self, names: &mut BTreeMap<PathBuf, Named>) {
        if let Some(path) = &self.removed {
            names.remove(path);
        }
        if let Some((path, entry)) = &self.added {
            names.insert(path.clone(), *entry);
        }
    }
}

/// Returns true for the root folder, which always exists.
fn is_root(path: &Path) -> bool {
    path.parent().is_none_or(|parent| parent.as_os_str().is_empty() && path == Path::new("."))
}

fn parent(path: &Path) -> PathBuf {
    everyply_files::disk::folder_of(path).to_owned()
}

impl Names {
    /// Returns the object at a path; an error if a parent of the path is a file.
    pub fn get(&self, path: &Path) -> io::Result<Option<Named>> {
        if is_root(path) {
            return Ok(Some(Named::Folder));
        }
        for ancestor in path.ancestors().skip(1) {
            if let Some(Named::File(_)) = self.current.get(ancestor) {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        Ok(self.current.get(path).copied())
    }

    fn file(&self, path: &Path) -> io::Result<u64> {
        match self.get(path)? {
            Some(Named::File(id)) => Ok(id),
            Some(Named::Folder) => Err(io::ErrorKind::IsADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn folder(&self, path: &Path) -> io::Result<()> {
        match self.get(path)? {
            Some(Named::Folder) => Ok(()),
            Some(Named::File(_)) => Err(io::ErrorKind::NotADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn change(&mut self, change: Change) {
        change.apply(&mut self.current);
        self.pending.push(change);
    }

    fn add(&mut self, path: &Path, entry: Named) -> io::Result<()> {
        let folder = parent(path);
        self.folder(&folder)?;
        if self.get(path)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.change(Change { folder, removed: None, added: Some((path.to_owned(), entry)) });
        Ok(())
    }

    /// Creates a file and returns its number.
    pub fn create(&mut self, path: &Path) -> io::Result<u64> {
        self.made += 1;
        self.add(path, Named::File(self.made)).map(|()| self.made)
    }

    pub fn make_folder(&mut self, path: &Path) -> io::Result<()> {
        self.add(path, Named::Folder)
    }

    pub fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let id = self.file(from)?;
        let folder = parent(to);
        self.folder(&folder)?;
        if self.get(to)? == Some(Named::Folder) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let added = Some((to.to_owned(), Named::File(id)));
        self.change(Change { folder, removed: Some(from.to_owned()), added });
        Ok(())
    }

    pub fn link(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let id = self.file(from)?;
        self.add(to, Named::File(id))
    }

    pub fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.file(path)?;
        self.change(Change { folder: parent(path), removed: Some(path.to_owned()), added: None });
        Ok(())
    }

    pub fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.folder(folder)?;
        Ok(self.current.keys().filter(|path| parent(path) == folder).cloned().collect())
    }

    pub fn sync(&mut self, folder: &Path) -> io::Result<()> {
        self.folder(folder)?;
        let (synced, pending) =
            std::mem::take(&mut self.pending).into_iter().partition(|c| c.folder == folder);
        self.pending = pending;
        let synced: Vec<Change> = synced;
        synced.iter().for_each(|change| change.apply(&mut self.synced));
        Ok(())
    }

    /// Returns the names after a loss of power: none, half, most or all of the pending changes are kept.
    pub fn after_power_loss(&self, random: &mut fastrand::Rng) -> Self {
        let share = [0.0, 0.5, 0.9, 1.0][random.usize(..4)];
        let mut names = self.synced.clone();
        for change in &self.pending {
            if random.f64() < share {
                change.apply(&mut names);
            }
        }
        // Objects in a lost folder are lost as well.
        let folders = names.clone();
        names.retain(|path, _| {
            let above = path.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
            above.into_iter().all(|path| is_root(path) || folders.get(path) == Some(&Named::Folder))
        });
        Self { current: names.clone(), synced: names, pending: Vec::new(), made: self.made }
    }

    /// Returns the files and their numbers.
    pub fn paths(&self) -> impl Iterator<Item = (&Path, u64)> {
        self.current.iter().filter_map(|(path, entry)| match entry {
            Named::File(id) => Some((&**path, *id)),
            Named::Folder => None,
        })
    }

    /// Returns the numbers of the files.
    pub fn files(&self) -> impl Iterator<Item = u64> {
        self.paths().map(|(_, id)| id)
    }
}
