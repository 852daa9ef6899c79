//! Tiers as files in a work folder.
//!
//! ```text
//! lock                 held while a run uses the folder
//! alive-07.tier        a complete tier: header, then its lanes
//! alive-07.summary     what was found out about it; written after the tier, so that a tier
//!                      counts as complete once its summary is there
//! *.partial            being written; worthless
//! ```
//!
//! Both kinds of file begin with the header below and are renamed into place when everything in
//! them has reached the disk. All numbers are little-endian.
//!
//! ```text
//!  0  8  "everyply"
//!  8  4  version of this layout: 2
//! 12  4  checksum (CRC-32) of the bytes from 16 to the end
//! 16  4  board: width, height, line, 0
//! 20  4  content (0 alive, 1 values, 2 packed), ply, 0, 0
//! 24  8  bytes that follow the header
//! 32 32  zeros
//! 64     lanes, or the summary's 8-byte numbers
//! ```

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crc32fast::Hasher;
use memmap2::Mmap;

use super::lane::Lane;
use super::storage::{Content, Lanes, Storage, StorageError, Stored, TierKey};
use crate::game::Size;

const MAGIC: [u8; 8] = *b"everyply";
const VERSION: u32 = 2;
const HEADER: usize = 64;
/// Where the checksum is, and where what it covers begins.
const CHECKSUM: usize = 12;
const COVERED: usize = 16;

/// The lanes a batch should have: 256 MiB.
const BATCH: usize = (256 << 20) / size_of::<Lane>();

/// Keeps tiers in a folder, so that boards larger than memory can be worked on and a run that was
/// cut off goes on from its last complete tier.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    size: Size,
    buffer: Lanes,
    open: Option<Open>,
    /// Locked as long as the storage lives.
    _lock: File,
}

/// The tier being written.
#[derive(Debug)]
struct Open {
    key: TierKey,
    path: PathBuf,
    file: File,
    checksum: Hasher,
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> StorageError {
    let path = path.to_owned();
    |source| StorageError::File { path, source }
}

impl Files {
    /// Opens a work folder for a board, and makes it if it is not there.
    ///
    /// # Errors
    /// If the folder cannot be made, is in use, or belongs to another board.
    pub fn open(folder: &Path, size: Size) -> Result<Self, StorageError> {
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(failed(&path))?;
        lock.try_lock().map_err(|refused| match refused {
            fs::TryLockError::WouldBlock => StorageError::InUse { path: folder.to_owned() },
            fs::TryLockError::Error(source) => StorageError::File { path, source },
        })?;
        let buffer = Lanes::zeroed(0, 0)?;
        let files = Self { folder: folder.to_owned(), size, buffer, open: None, _lock: lock };
        for path in files.files("partial")? {
            fs::remove_file(&path).map_err(failed(&path))?;
        }
        for path in files.files("summary")? {
            files.numbers(&path)?;
        }
        Ok(files)
    }

    /// The files of the folder with this extension.
    fn files(&self, extension: &str) -> Result<Vec<PathBuf>, StorageError> {
        let entries = fs::read_dir(&self.folder).map_err(failed(&self.folder))?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let mut paths: Vec<_> = paths.collect::<io::Result<_>>().map_err(failed(&self.folder))?;
        paths.retain(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let ours = ["alive-", "values-", "packed-"].iter().any(|kind| name.starts_with(kind));
            ours && path.extension().is_some_and(|found| found == extension)
        });
        Ok(paths)
    }

    fn path(&self, key: TierKey, extension: &str) -> PathBuf {
        self.folder.join(format!("{}-{:02}.{extension}", key.content, key.ply))
    }

    /// The header of a file, its checksum not yet known.
    fn header(&self, key: TierKey, bytes: u64) -> [u8; HEADER] {
        let content = match key.content {
            Content::Alive => 0,
            Content::Values => 1,
            Content::Packed => 2,
        };
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[16..19].copy_from_slice(&[self.size.width, self.size.height, self.size.line]);
        header[20..22].copy_from_slice(&[content, key.ply.0]);
        header[24..32].copy_from_slice(&bytes.to_le_bytes());
        header
    }

    /// Refuses a file that is not what was written for this board.
    fn check(&self, path: &Path, bytes: &[u8]) -> Result<(), StorageError> {
        let damaged = |what| StorageError::Damaged { path: path.to_owned(), what };
        let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(damaged("shorter than its header"));
        };
        if header[..8] != MAGIC {
            return Err(damaged("not a file of this program"));
        }
        if header[8..12] != VERSION.to_le_bytes() {
            return Err(damaged("written by another version of this program"));
        }
        if header[24..32] != (body.len() as u64).to_le_bytes() {
            return Err(damaged("not of its full length"));
        }
        if header[CHECKSUM..COVERED] != crc32fast::hash(&bytes[COVERED..]).to_le_bytes() {
            return Err(damaged("wrong checksum"));
        }
        let found = Size { width: header[16], height: header[17], line: header[18] };
        if found != self.size {
            return Err(StorageError::OtherBoard { path: path.to_owned(), found });
        }
        Ok(())
    }

    /// The numbers of a summary file.
    fn numbers(&self, path: &Path) -> Result<Vec<u64>, StorageError> {
        let bytes = fs::read(path).map_err(failed(path))?;
        self.check(path, &bytes)?;
        let (numbers, _) = bytes[HEADER..].as_chunks::<8>();
        Ok(numbers.iter().map(|&number| u64::from_le_bytes(number)).collect())
    }

    /// Makes a finished `*.partial` file the real one.
    fn publish(&self, file: &File, partial: &Path, path: &Path) -> Result<(), StorageError> {
        file.sync_all().map_err(failed(partial))?;
        fs::rename(partial, path).map_err(failed(path))?;
        // The new name has to reach the disk before anything is built on it.
        #[cfg(unix)]
        File::open(&self.folder).and_then(|f| f.sync_all()).map_err(failed(&self.folder))?;
        Ok(())
    }
}

impl Storage for Files {
    fn create(&mut self, key: TierKey, lanes: usize) -> Result<(), StorageError> {
        let path = self.path(key, "partial");
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path)
            .map_err(failed(&path))?;
        let header = self.header(key, (lanes * size_of::<Lane>()) as u64);
        file.write_all(&header).map_err(failed(&path))?;
        let mut checksum = Hasher::new();
        checksum.update(&header[COVERED..]);
        self.open = Some(Open { key, path, file, checksum });
        Ok(())
    }

    fn batch(&self) -> usize {
        BATCH
    }

    fn buffer(&mut self, lanes: usize) -> Result<&mut [Lane], StorageError> {
        let buffer = std::mem::replace(&mut self.buffer, Lanes::zeroed(0, 0)?);
        self.buffer = buffer.reuse(lanes)?;
        Ok(&mut self.buffer)
    }

    fn commit(&mut self) -> Result<(), StorageError> {
        let open = self.open.as_mut().expect("a tier that was created and not finished");
        for lane in self.buffer.iter_mut() {
            lane.0 = lane.0.map(u64::to_le);
        }
        let bytes = bytemuck::cast_slice(&self.buffer);
        open.checksum.update(bytes);
        open.file.write_all(bytes).map_err(failed(&open.path))
    }

    fn finish(&mut self, summary: &[u64]) -> Result<(), StorageError> {
        let Some(Open { key, path, mut file, checksum }) = self.open.take() else {
            return Ok(());
        };
        file.seek(SeekFrom::Start(CHECKSUM as u64))
            .and_then(|_| file.write_all(&checksum.finalize().to_le_bytes()))
            .map_err(failed(&path))?;
        self.publish(&file, &path, &self.path(key, "tier"))?;

        let path = self.path(key, "summary.partial");
        let mut bytes = self.header(key, 8 * summary.len() as u64).to_vec();
        bytes.extend(summary.iter().flat_map(|number| number.to_le_bytes()));
        let checksum = crc32fast::hash(&bytes[COVERED..]);
        bytes[CHECKSUM..COVERED].copy_from_slice(&checksum.to_le_bytes());
        let mut file = File::create(&path).map_err(failed(&path))?;
        file.write_all(&bytes).map_err(failed(&path))?;
        self.publish(&file, &path, &self.path(key, "summary"))
    }

    fn summary(&mut self, key: TierKey) -> Result<Option<Vec<u64>>, StorageError> {
        let path = self.path(key, "summary");
        if path.exists() { self.numbers(&path).map(Some) } else { Ok(None) }
    }

    fn read(&mut self, key: TierKey) -> Result<Arc<Stored>, StorageError> {
        let path = self.path(key, "tier");
        let file = File::open(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => StorageError::Missing { key },
            _ => StorageError::File { path: path.clone(), source },
        })?;
        // SAFETY: the folder is locked against other runs, and this run never changes a file
        // after it has its final name.
        let map = unsafe { Mmap::map(&file) }.map_err(failed(&path))?;
        self.check(&path, &map)?;
        if cfg!(target_endian = "little") {
            return Ok(Arc::new(Stored::File(map, HEADER)));
        }
        let mut lanes = Lanes::zeroed((map.len() - HEADER) / size_of::<Lane>(), 0)?;
        bytemuck::cast_slice_mut(&mut lanes).copy_from_slice(&map[HEADER..]);
        for lane in lanes.iter_mut() {
            lane.0 = lane.0.map(u64::from_le);
        }
        Ok(Arc::new(Stored::Memory(lanes)))
    }

    fn clear(&mut self) -> Result<(), StorageError> {
        // Summaries first: without one, a tier does not count.
        for extension in ["summary", "tier", "partial"] {
            for path in self.files(extension)? {
                fs::remove_file(&path).map_err(failed(&path))?;
            }
        }
        Ok(())
    }

    fn discard(&mut self, key: TierKey) -> Result<(), StorageError> {
        let path = self.path(key, "tier");
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(StorageError::File { path, source })
            }
            _ => Ok(()),
        }
    }
}
