//! Units as objects in a store, such as a work folder.
//!
//! ```text
//! plan                    the board, and its division into units
//! alive-07-00012          the array of a unit, in compressed chunks
//! alive-07-00012.summary  its counts; written after the array, so that a unit counts as made once
//!                         its summary exists
//! ```
//!
//! There are no locks: any number of processes may work on one board in one place, since all make
//! the same bytes of a unit.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};

use super::chunks::{CHUNK, Chunks, encode};
use super::lane::Lane;
use super::lanes::{ArrayCache, Lanes, Pool};
use super::storage::Storage;
use super::unit::{Cut, Result, StorageError, Unit};
use super::writer::{Turn, Writer};
use everyply_core::games::line::Size;
use everyply_core::parallel::lock;
use everyply_files::store::Store;
use everyply_files::store::sealed::{ChunkError, Identity, seal, unseal};

/// The storage of units in a store, for boards larger than memory and any number of processes. An
/// interrupted run continues from its last complete unit.
#[derive(Debug)]
pub struct Objects {
    store: Arc<dyn Store>,
    size: Size,
    cut: Cut,
    spare: Pool,
    writer: Writer,
    cache: ArrayCache,
    /// The cached chunk tables of arrays.
    tables: Mutex<HashMap<Unit, Arc<Chunks>>>,
}

/// The usual bytes of a unit per plane: few enough that several units fit in memory.
pub const UNIT_BYTES: u64 = 16 << 20;

const TABLES: usize = 1024;

/// The most bytes of spare memory kept for reuse: about as many as are in use at a time.
const SPARE: usize = 1 << 30;

/// The name of the object with the board and unit size of a store.
const PLAN: &str = "plan";

impl Objects {
    /// Opens a store for a board, in units of at most this many bytes per plane. A store that was
    /// used for the board keeps its unit size.
    ///
    /// # Errors
    /// If the store cannot be used, or holds another board.
    pub fn open(store: Arc<dyn Store>, size: Size, unit_bytes: u64) -> Result<Self> {
        let plan = Self::find(&store)?;
        let lanes = match plan {
            Some((board, _)) if board != size => {
                return Err(StorageError::OtherBoard(store.place(), board));
            }
            Some((_, lanes)) => lanes,
            None => {
                let lanes = Cut::of_bytes(unit_bytes).lanes as u64;
                let plan = seal(&lanes.to_le_bytes(), &plan_identity(size));
                match store.put_new(PLAN, &plan)? {
                    true => lanes,
                    // Another process wrote a plan first; its unit size may differ.
                    false => return Self::open(store, size, unit_bytes),
                }
            }
        };
        let lanes = usize::try_from(lanes).unwrap_or(usize::MAX);
        let cut = Cut { lanes, profiles: true };
        let (spare, writer, cache) = (Pool::default(), Writer::default(), ArrayCache::default());
        Ok(Self { store, size, cut, spare, writer, cache, tables: Mutex::default() })
    }

    /// Caches the newest arrays in memory, up to this many bytes, so that they need not be read.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Self {
        Self { cache: ArrayCache::of(bytes), ..self }
    }

    /// Returns the board of a store, and the lanes of its units; `None` if the store has no plan.
    fn find(store: &Arc<dyn Store>) -> Result<Option<(Size, u64)>> {
        let failed = |error| storage_error(&**store, PLAN.into(), None, error);
        let damaged = |what| Err(failed(ChunkError::Damaged(what)));
        // The identity is unknown: the error for a wrong identity holds the right one.
        let any = [0; size_of::<Identity>()];
        let identity = match unseal(&**store, PLAN, &any) {
            Err(ChunkError::Missing) => return Ok(None),
            Err(ChunkError::Other(identity)) => identity,
            Err(error) => return Err(failed(error)),
            Ok(_) => return damaged("it names no board"),
        };
        let size = Size { width: identity[0], height: identity[1], line: identity[2] };
        if identity != plan_identity(size) || Size::new(size.width, size.height, size.line).is_err()
        {
            return Err(StorageError::OtherGame(store.place()));
        }
        let bytes = unseal(&**store, PLAN, &identity).map_err(failed)?;
        let lanes = <[u8; 8]>::try_from(&bytes[..]).map(u64::from_le_bytes);
        match lanes {
            Ok(lanes @ 1..) => Ok(Some((size, lanes))),
            _ => damaged("it names no size of units"),
        }
    }

    fn identity(&self, unit: Unit) -> Identity {
        let Size { width, height, line } = self.size;
        let mut identity = [0; 24];
        identity[..5].copy_from_slice(&[width, height, line, unit.content as u8 + 1, unit.ply.0]);
        identity[8..12].copy_from_slice(&unit.number.to_le_bytes());
        identity[16..].copy_from_slice(&(self.cut.lanes as u64).to_le_bytes());
        identity
    }

    /// Returns the identity in the summary of a unit, different from the identity of its array.
    fn summary_identity(&self, unit: Unit) -> Identity {
        let mut identity = self.identity(unit);
        identity[5] = 1;
        identity
    }

    /// Begins to write an object of a unit, and then its summary.
    fn put(&self, unit: Unit, object: Vec<u8>, summary: &[u64]) -> Result<()> {
        let summary: Vec<u8> = summary.iter().flat_map(|number| number.to_le_bytes()).collect();
        let summary = seal(&summary, &self.summary_identity(unit));
        let store = Arc::clone(&self.store);
        self.writer.begin(unit, Turn::Any, move || {
            store.put(&unit.to_string(), &object)?;
            Ok(store.put(&summary_name(unit), &summary)?)
        })
    }

    /// Reads the chunk table of a unit into the cache.
    fn open_table(&self, unit: Unit) -> Result<Arc<Chunks>, ChunkError> {
        let table = Chunks::open(&*self.store, &unit.to_string(), &self.identity(unit))?;
        let table = Arc::new(table);
        let mut tables = lock(&self.tables);
        if tables.len() >= TABLES {
            tables.clear();
        }
        tables.insert(unit, Arc::clone(&table));
        Ok(table)
    }
}

/// Returns the bytes of an object that [`seal`] made; `None` if it is missing.
///
/// # Errors
/// If the store cannot be read, or the object is damaged or has another identity.
pub fn read_sealed(store: &dyn Store, name: &str, identity: &Identity) -> Result<Option<Vec<u8>>> {
    match unseal(store, name, identity) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ChunkError::Missing) => Ok(None),
        Err(ChunkError::Other(_)) => Err(StorageError::OtherGame(store.place())),
        Err(error) => Err(storage_error(store, name.to_owned(), None, error)),
    }
}

/// The version of the format of units.
const VERSION: u8 = 2;

/// Returns the identity in the plan of a board.
fn plan_identity(size: Size) -> Identity {
    let mut identity = [0; 24];
    identity[..4].copy_from_slice(&[size.width, size.height, size.line, VERSION]);
    identity
}

fn summary_name(unit: Unit) -> String {
    format!("{unit}.summary")
}

/// Turns the error of an object into a storage error, with the unit of the object if it has one.
fn storage_error(
    store: &dyn Store,
    object: String,
    unit: Option<Unit>,
    error: ChunkError,
) -> StorageError {
    let damaged = |object, what| StorageError::Damaged { place: store.place(), object, unit, what };
    match (error, unit) {
        (ChunkError::Missing, Some(unit)) => StorageError::Missing(unit),
        (ChunkError::Missing, None) => damaged(object, "it is missing"),
        (ChunkError::Damaged(what), _) => damaged(object, what),
        (ChunkError::Other(_), _) => damaged(object, "written for another unit, or its header is"),
        (ChunkError::Io(source), _) => source.into(),
        (ChunkError::Memory, _) => {
            let bytes = store.len(&object).ok().flatten().unwrap_or(0);
            let source = io::ErrorKind::OutOfMemory.into();
            StorageError::Memory(usize::try_from(bytes).unwrap_or(usize::MAX), source)
        }
    }
}

impl Storage for Objects {
    fn cut(&self) -> Cut {
        self.cut
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn pool(&self) -> &Pool {
        &self.spare
    }

    fn keep(&self, unit: Unit, array: Lanes, fill: &[Lane], summary: &[u64]) -> Result<()> {
        let bytes = encode(&array, fill, &self.identity(unit), CHUNK);
        self.spare.give(self.cache.keep(unit, array));
        self.spare.keep_while(&|_, bytes| bytes <= SPARE);
        lock(&self.tables).remove(&unit);
        self.put(unit, bytes, summary)
    }

    fn keep_bytes(&self, unit: Unit, bytes: Vec<u8>, summary: &[u64]) -> Result<()> {
        self.put(unit, seal(&bytes, &self.identity(unit)), summary)
    }

    fn summary(&self, unit: Unit) -> Result<Option<Vec<u64>>> {
        self.writer.settle(unit);
        let name = summary_name(unit);
        let bytes = match unseal(&*self.store, &name, &self.summary_identity(unit)) {
            Err(ChunkError::Missing) => return Ok(None),
            read => read.map_err(|error| storage_error(&*self.store, name, Some(unit), error))?,
        };
        let (numbers, _) = bytes.as_chunks::<8>();
        Ok(Some(numbers.iter().map(|&number| u64::from_le_bytes(number)).collect()))
    }

    fn holds(&self, unit: Unit) -> Result<bool> {
        self.writer.settle(unit);
        Ok(self.store.len(&unit.to_string())?.is_some())
    }

    fn shared(&self, unit: Unit) -> Result<Option<Arc<Lanes>>> {
        Ok(self.cache.get(unit))
    }

    fn read(&self, unit: Unit, first: usize, fill: &[Lane], out: &mut [Lane]) -> Result<()> {
        self.writer.settle(unit);
        let name = unit.to_string();
        let mut read = |table: Arc<Chunks>| table.read(&*self.store, &name, first, fill, out);
        let cached = lock(&self.tables).get(&unit).cloned();
        // A failure is no error yet: another version of this program may have rewritten the unit.
        if cached.is_some_and(|table| read(table).is_ok()) {
            return Ok(());
        }
        self.open_table(unit).and_then(read).map_err(|error| {
            lock(&self.tables).remove(&unit);
            storage_error(&*self.store, name, Some(unit), error)
        })
    }

    fn bytes(&self, unit: Unit) -> Result<Arc<[u8]>> {
        self.writer.settle(unit);
        let name = unit.to_string();
        let bytes = unseal(&*self.store, &name, &self.identity(unit));
        Ok(bytes.map_err(|error| storage_error(&*self.store, name, Some(unit), error))?.into())
    }

    fn discard(&self, unit: Unit) -> Result<()> {
        lock(&self.tables).remove(&unit);
        self.spare.give(self.cache.remove(unit));
        let store = Arc::clone(&self.store);
        self.writer.begin(unit, Turn::AfterAll, move || Ok(store.remove(&unit.to_string())?))
    }

    fn forget(&self, unit: Unit) -> Result<()> {
        // The summary is removed first: a unit without one does not count as made.
        self.writer.settle(unit);
        self.store.remove(&summary_name(unit))?;
        self.discard(unit)
    }

    fn settle(&self) -> Result<()> {
        self.writer.settle_all()
    }

    fn free_spare(&self) {
        self.cache.clear();
        self.spare.keep_while(&|_, _| false);
    }
}
