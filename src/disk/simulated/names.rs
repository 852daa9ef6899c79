//! Names in folders: which there are, which were synced, and which were not.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    File(u64),
    Folder,
}

/// All names of a disk, as whole paths.
#[derive(Debug, Default)]
pub(super) struct Names {
    current: BTreeMap<PathBuf, Entry>,
    /// What survives in any case.
    synced: BTreeMap<PathBuf, Entry>,
    /// What makes one of the other, in order.
    pending: Vec<Change>,
    /// Files that were made.
    made: u64,
}

/// One step, kept or lost as a whole.
#[derive(Clone, Debug)]
struct Change {
    /// The folder to sync.
    folder: PathBuf,
    removed: Option<PathBuf>,
    added: Option<(PathBuf, Entry)>,
}

impl Change {
    fn apply(&self, names: &mut BTreeMap<PathBuf, Entry>) {
        if let Some(path) = &self.removed {
            names.remove(path);
        }
        if let Some((path, entry)) = &self.added {
            names.insert(path.clone(), *entry);
        }
    }
}

/// True for the folder that is always there.
fn is_root(path: &Path) -> bool {
    path.parent().is_none_or(|parent| parent.as_os_str().is_empty() && path == Path::new("."))
}

fn parent(path: &Path) -> PathBuf {
    super::super::folder_of(path).to_owned()
}

impl Names {
    /// What is at a path; an error if a part of the path is a file.
    pub fn get(&self, path: &Path) -> io::Result<Option<Entry>> {
        if is_root(path) {
            return Ok(Some(Entry::Folder));
        }
        for ancestor in path.ancestors().skip(1) {
            if let Some(Entry::File(_)) = self.current.get(ancestor) {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        Ok(self.current.get(path).copied())
    }

    fn file(&self, path: &Path) -> io::Result<u64> {
        match self.get(path)? {
            Some(Entry::File(id)) => Ok(id),
            Some(Entry::Folder) => Err(io::ErrorKind::IsADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn folder(&self, path: &Path) -> io::Result<()> {
        match self.get(path)? {
            Some(Entry::Folder) => Ok(()),
            Some(Entry::File(_)) => Err(io::ErrorKind::NotADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn change(&mut self, change: Change) {
        change.apply(&mut self.current);
        self.pending.push(change);
    }

    fn add(&mut self, path: &Path, entry: Entry) -> io::Result<()> {
        let folder = parent(path);
        self.folder(&folder)?;
        if self.get(path)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.change(Change { folder, removed: None, added: Some((path.to_owned(), entry)) });
        Ok(())
    }

    /// A new file's number.
    pub fn create(&mut self, path: &Path) -> io::Result<u64> {
        self.made += 1;
        self.add(path, Entry::File(self.made)).map(|()| self.made)
    }

    pub fn make_folder(&mut self, path: &Path) -> io::Result<()> {
        self.add(path, Entry::Folder)
    }

    pub fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let id = self.file(from)?;
        let folder = parent(to);
        self.folder(&folder)?;
        if self.get(to)? == Some(Entry::Folder) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let added = Some((to.to_owned(), Entry::File(id)));
        self.change(Change { folder, removed: Some(from.to_owned()), added });
        Ok(())
    }

    pub fn link(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let id = self.file(from)?;
        self.add(to, Entry::File(id))
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

    /// Of what was not synced nothing, half, most or all has reached the disk.
    pub fn after_power_loss(&self, random: &mut fastrand::Rng) -> Self {
        let kept = [0.0, 0.5, 0.9, 1.0][random.usize(..4)];
        let mut names = self.synced.clone();
        for change in &self.pending {
            if random.f64() < kept {
                change.apply(&mut names);
            }
        }
        // What lies in a lost folder is lost as well.
        let folders = names.clone();
        names.retain(|path, _| {
            let above = path.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
            above.into_iter().all(|path| is_root(path) || folders.get(path) == Some(&Entry::Folder))
        });
        Self { current: names.clone(), synced: names, pending: Vec::new(), made: self.made }
    }

    /// The files and their numbers.
    pub fn paths(&self) -> impl Iterator<Item = (&Path, u64)> {
        self.current.iter().filter_map(|(path, entry)| match entry {
            Entry::File(id) => Some((&**path, *id)),
            Entry::Folder => None,
        })
    }

    /// The numbers of the files.
    pub fn files(&self) -> impl Iterator<Item = u64> {
        self.paths().map(|(_, id)| id)
    }
}
