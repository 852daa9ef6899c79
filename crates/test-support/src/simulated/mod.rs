//! A disk in memory that fails or loses power at the n-th operation.
//!
//! Changes that were not synced when the power failed may survive or not, in any combination: every
//! sector of a write by itself, every change of a length, every name. A real disk loses less, and a
//! program may rely on no more.
//!
//! ```text
//! let disk = Simulated::new(Trouble::PowerLoss(n));
//! run(disk.clone());                      // fails at operation n and at all later ones
//! let after = disk.reboot(seed);          // keeps a seeded choice of the unsynced changes
//! run(after);                             // must be right
//! ```

mod content;
mod names;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use content::{Change, Content};
use everyply_files::disk::{Disk, DiskFile, Kind, OpenMode};
use names::{Named, Names};

/// The fault of a disk, and its operation, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trouble {
    /// No fault.
    #[default]
    None,
    /// From this operation on, every operation that needs room fails. A write writes part of its
    /// bytes.
    Full(u64),
    /// The operation fails; later ones work. A write writes part of its bytes.
    Broken(u64),
    /// The power fails during this operation: this one and all later ones fail.
    PowerLoss(u64),
}

/// A disk in memory. Clones are the same disk.
#[derive(Clone, Debug)]
pub struct Simulated(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    files: HashMap<u64, Content>,
    names: Names,
    locks: HashSet<u64>,
    trouble: Trouble,
    operations: u64,
    without_power: bool,
}

/// The need of an operation for room on the disk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    Needed,
    NotNeeded,
}

/// The progress of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Done,
    /// The operation fails; a write takes effect in part.
    Failed,
    /// The power fails during the operation: its change may be kept or not.
    PowerLost,
}

fn no_power() -> io::Error {
    io::Error::other("the power is gone")
}

impl State {
    /// Counts an operation and returns its progress.
    fn begin(&mut self, room: Room) -> io::Result<Progress> {
        let number = self.operations;
        self.operations += 1;
        if self.without_power {
            return Err(no_power());
        }
        Ok(match self.trouble {
            Trouble::Full(at) if number >= at && room == Room::Needed => Progress::Failed,
            Trouble::Broken(at) if number == at => Progress::Failed,
            Trouble::PowerLoss(at) if number == at => {
                self.without_power = true;
                Progress::PowerLost
            }
            _ => Progress::Done,
        })
    }

    /// Fails if the operation did not complete.
    fn end(&self, progress: Progress) -> io::Result<()> {
        match progress {
            Progress::Done => Ok(()),
            Progress::PowerLost => Err(no_power()),
            Progress::Failed => Err(match self.trouble {
                Trouble::Full(_) => io::ErrorKind::StorageFull.into(),
                _ => io::Error::other("the disk failed"),
            }),
        }
    }

    /// Makes a change of names. A change that fails is not made; if the power fails during a
    /// change, it may be kept.
    fn change_names(
        &mut self,
        room: Room,
        change: impl FnOnce(&mut Names) -> io::Result<()>,
    ) -> io::Result<()> {
        let progress = self.begin(room)?;
        if progress != Progress::Failed {
            change(&mut self.names)?;
        }
        self.end(progress)
    }
}

impl Simulated {
    /// Creates an empty disk.
    pub fn new(trouble: Trouble) -> Self {
        Self::of(State { trouble, ..State::default() })
    }

    fn of(state: State) -> Self {
        Self(Arc::new(Mutex::new(state)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Counts an operation that changes nothing unless it completes, and returns the state.
    fn begin(&self) -> io::Result<MutexGuard<'_, State>> {
        let mut state = self.state();
        let progress = state.begin(Room::NotNeeded)?;
        state.end(progress)?;
        Ok(state)
    }

    /// Returns the number of operations begun, including those without power.
    pub fn operations(&self) -> u64 {
        self.state().operations
    }

    /// Sets another fault, and counts operations from 0 again.
    pub fn set_trouble(&self, trouble: Trouble) {
        let mut state = self.state();
        (state.trouble, state.operations) = (trouble, 0);
    }

    /// Returns the disk after a loss of power: all synced changes and a seeded choice of the
    /// others. Open files are closed; the new disk has no fault.
    pub fn reboot(&self, seed: u64) -> Self {
        let state = self.state();
        let mut random = fastrand::Rng::with_seed(seed);
        let names = state.names.after_power_loss(&mut random);
        let files =
            names.files().map(|id| (id, state.files[&id].after_power_loss(&mut random))).collect();
        Self::of(State { names, files, ..State::default() })
    }

    /// Returns all files and their contents, whatever the fault of the disk.
    pub fn contents(&self) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
        let state = self.state();
        let content = |id| state.files[&id].current.clone();
        state.names.paths().map(|(path, id)| (path.to_owned(), content(id))).collect()
    }
}

impl Disk for Simulated {
    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Box<dyn DiskFile>> {
        let mut state = self.state();
        let existing = state.names.get(path)?;
        let room = if existing.is_none() { Room::Needed } else { Room::NotNeeded };
        let progress = state.begin(room)?;
        let id = match (existing, mode) {
            (Some(Named::Folder), _) => return Err(io::ErrorKind::IsADirectory.into()),
            (Some(Named::File(_)), OpenMode::CreateNew) => {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            (Some(Named::File(id)), _) => id,
            (None, OpenMode::Read | OpenMode::Update) => {
                return Err(io::ErrorKind::NotFound.into());
            }
            (None, _) if progress == Progress::Failed => 0,
            (None, _) => {
                let id = state.names.create(path)?;
                state.files.insert(id, Content::default());
                id
            }
        };
        state.end(progress)?;
        let disk = self.clone();
        let writable = mode != OpenMode::Read;
        Ok(Box::new(File { disk, id, writable, locked: AtomicBool::new(false) }))
    }

    fn kind(&self, path: &Path) -> io::Result<Option<Kind>> {
        let state = self.begin()?;
        Ok(state.names.get(path)?.map(|entry| match entry {
            Named::File(_) => Kind::File,
            Named::Folder => Kind::Folder,
        }))
    }

    /// Returns the path itself: the disk has no links.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_owned())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.state().change_names(Room::NotNeeded, |names| names.rename(from, to))
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.state().change_names(Room::Needed, |names| names.link(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.state().change_names(Room::NotNeeded, |names| names.remove(path))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.begin()?.names.list(folder)
    }

    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        self.state().change_names(Room::Needed, |names| names.make_folder(folder))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.begin()?.names.sync(folder)
    }
}

/// An open file of a simulated disk.
#[derive(Debug)]
struct File {
    disk: Simulated,
    id: u64,
    writable: bool,
    locked: AtomicBool,
}

impl Drop for File {
    fn drop(&mut self) {
        if *self.locked.get_mut() {
            self.disk.state().locks.remove(&self.id);
        }
    }
}

impl File {
    fn change(&self, room: Room, change: Change) -> io::Result<()> {
        if !self.writable {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let mut state = self.disk.state();
        let progress = state.begin(room)?;
        let file = state.files.get_mut(&self.id).expect("a file stays as long as its disk");
        match progress {
            Progress::Failed => file.apply_in_part(change),
            _ => file.apply(change),
        }
        state.end(progress)
    }
}

impl DiskFile for File {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        Ok(self.disk.begin()?.files[&self.id].read(bytes, at))
    }

    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        self.change(Room::Needed, Change::Write { at, bytes: bytes.to_vec() })
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.disk.begin()?.files[&self.id].current.len() as u64)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let grows = len > self.disk.state().files[&self.id].current.len() as u64;
        let room = if grows { Room::Needed } else { Room::NotNeeded };
        self.change(room, Change::SetLen(len))
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.disk.begin()?;
        state.files.get_mut(&self.id).expect("a file stays as long as its disk").sync();
        Ok(())
    }

    fn try_lock(&self) -> io::Result<bool> {
        let mut state = self.disk.begin()?;
        let free = state.locks.insert(self.id);
        self.locked.fetch_or(free, Ordering::Relaxed);
        Ok(free)
    }
}
