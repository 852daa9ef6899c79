//! Units in stores: cut in any way, interrupted at any moment, damaged, foreign, shared, or full.

mod cuts;
mod damage;
mod failures;
mod inputs;
mod together;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use everyply::connect_four::profiles::{
    Board, Counts, Extent, Memory, Objects, PassError, Storage, count,
};
use everyply::control::Control;
use everyply::solutions::SolutionError;
use everyply::store::Store;

use crate::profiles::{board, solve};

type Contents = BTreeMap<String, Vec<u8>>;

/// Objects in memory: a store without the waiting of a disk.
#[derive(Debug, Default)]
struct Shelf(Mutex<Contents>);

impl Shelf {
    fn of(contents: &Contents) -> Arc<Self> {
        Arc::new(Self(Mutex::new(contents.clone())))
    }

    fn contents(&self) -> Contents {
        self.0.lock().unwrap().clone()
    }
}

impl Store for Shelf {
    fn read(&self, name: &str, range: Range<u64>) -> io::Result<Option<Vec<u8>>> {
        Ok(self.0.lock().unwrap().get(name).map(|bytes| {
            let end = (range.end as usize).min(bytes.len());
            bytes[(range.start as usize).min(end)..end].to_vec()
        }))
    }

    fn len(&self, name: &str) -> io::Result<Option<u64>> {
        Ok(self.0.lock().unwrap().get(name).map(|bytes| bytes.len() as u64))
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn put_new(&self, name: &str, bytes: &[u8]) -> io::Result<bool> {
        match self.0.lock().unwrap().entry(name.to_owned()) {
            Entry::Occupied(_) => Ok(false),
            Entry::Vacant(place) => {
                place.insert(bytes.to_vec());
                Ok(true)
            }
        }
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.0.lock().unwrap().remove(name);
        Ok(())
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<String>> {
        let objects = self.0.lock().unwrap();
        Ok(objects.keys().filter(|name| name.starts_with(prefix)).cloned().collect())
    }

    fn place(&self) -> String {
        "the shelf".to_owned()
    }
}

/// A hook before an object is written or removed, which an error prevents.
type OnWrite = Box<dyn Fn(&str) -> io::Result<()> + Send + Sync>;
/// A hook that changes the bytes read from an offset of an object.
type OnRead = Box<dyn Fn(&str, u64, &mut Option<Vec<u8>>) + Send + Sync>;

/// A shelf with hooks on its operations.
struct Watched {
    shelf: Arc<Shelf>,
    on_write: OnWrite,
    on_read: OnRead,
}

impl Watched {
    fn writes(
        shelf: &Arc<Shelf>,
        on_write: impl Fn(&str) -> io::Result<()> + Send + Sync + 'static,
    ) -> Arc<Self> {
        let (on_write, on_read): (OnWrite, OnRead) = (Box::new(on_write), Box::new(|_, _, _| {}));
        Arc::new(Self { shelf: Arc::clone(shelf), on_write, on_read })
    }

    fn reads(
        shelf: &Arc<Shelf>,
        on_read: impl Fn(&str, u64, &mut Option<Vec<u8>>) + Send + Sync + 'static,
    ) -> Arc<Self> {
        let (on_write, on_read): (OnWrite, OnRead) = (Box::new(|_| Ok(())), Box::new(on_read));
        Arc::new(Self { shelf: Arc::clone(shelf), on_write, on_read })
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watched")
    }
}

impl Store for Watched {
    fn read(&self, name: &str, range: Range<u64>) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = self.shelf.read(name, range.clone())?;
        (self.on_read)(name, range.start, &mut bytes);
        Ok(bytes)
    }

    fn len(&self, name: &str) -> io::Result<Option<u64>> {
        self.shelf.len(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        (self.on_write)(name)?;
        self.shelf.put(name, bytes)
    }

    fn put_new(&self, name: &str, bytes: &[u8]) -> io::Result<bool> {
        (self.on_write)(name)?;
        self.shelf.put_new(name, bytes)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        (self.on_write)(name)?;
        self.shelf.remove(name)
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<String>> {
        self.shelf.list(prefix)
    }

    fn place(&self) -> String {
        self.shelf.place()
    }
}

/// A store that is full after some writes and removals.
fn full_after(shelf: &Arc<Shelf>, writes: u32) -> Arc<Watched> {
    let left = AtomicU32::new(writes);
    Watched::writes(shelf, move |_| {
        let less = |left: u32| left.checked_sub(1);
        match left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) {
            Ok(_) => Ok(()),
            Err(_) => Err(io::ErrorKind::StorageFull.into()),
        }
    })
}

/// The number of writes and removals of a run.
fn writes_of(shelf: &Arc<Shelf>, run: impl FnOnce(&Arc<Watched>)) -> u32 {
    let writes = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&writes);
    run(&Watched::writes(shelf, move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }));
    writes.load(Ordering::Relaxed)
}

fn objects(store: &Arc<impl Store + 'static>, board: &Board, unit_bytes: u64) -> Objects {
    Objects::open(Arc::clone(store) as Arc<dyn Store>, board.size(), unit_bytes).unwrap()
}

/// A temporary folder, in memory if possible, since syncing thousands of files takes time.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
}

fn counted(board: &Board, extent: Extent, storage: &dyn Storage) -> Result<Counts, PassError> {
    count(board, extent, storage, &Control::default())
}

fn in_memory(board: &Board, extent: Extent) -> Counts {
    counted(board, extent, &Memory::new()).unwrap()
}

/// The counts of a board, and the bytes of its solution file.
#[derive(Debug, PartialEq)]
struct Solved {
    counts: Counts,
    file: Vec<u8>,
}

fn solved_with(
    board: &Board,
    storage: &dyn Storage,
    control: &Control,
) -> Result<Solved, SolutionError> {
    let folder = folder();
    let path = folder.path().join("solution");
    let counts = solve(board, storage, &path, control)?;
    Ok(Solved { counts, file: fs::read(&path).unwrap() })
}

fn solved(board: &Board, storage: &dyn Storage) -> Result<Solved, SolutionError> {
    solved_with(board, storage, &Control::default())
}

/// The result of an undisturbed run, and the final content of its store.
fn alone(board: &Board, unit_bytes: u64) -> (Solved, Contents) {
    let shelf = Arc::new(Shelf::default());
    let solved = solved(board, &objects(&shelf, board, unit_bytes)).unwrap();
    (solved, shelf.contents())
}

/// Compares results without printing whole files.
fn assert_same(found: &Solved, expected: &Solved, what: &str) {
    assert_eq!(found.counts, expected.counts, "{what}");
    assert!(found.file == expected.file, "{what}: another file");
}
