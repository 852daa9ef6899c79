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

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crc32fast::Hasher;

use super::file_body::Body;
use super::lane::Lane;
use super::storage::{Content, Lanes, Storage, StorageError, Stored, TierKey};
use crate::disk::{self, Disk, DiskFile, Kind, Opening};
use crate::game::Ply;
use crate::games::line::Size;

const MAGIC: [u8; 8] = *b"everyply";
const VERSION: u32 = 2;
pub(super) const HEADER: usize = 64;
/// Where the checksum is, and where what it covers begins.
pub(super) const CHECKSUM: usize = 12;
pub(super) const COVERED: usize = 16;

/// The lanes a batch should have: 256 MiB.
const BATCH: usize = (256 << 20) / size_of::<Lane>();

/// Keeps tiers in a folder, so that boards larger than memory can be worked on and a run that was
/// cut off continues from its last complete tier.
#[derive(Debug)]
pub struct Files {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    size: Size,
    buffer: Lanes,
    open: Option<Open>,
    /// Tiers with more lanes are mapped into memory, not read.
    pub(super) most_read: usize,
    /// Locked as long as the storage lives.
    _lock: Box<dyn DiskFile>,
}

/// The tier being written.
#[derive(Debug)]
struct Open {
    key: TierKey,
    path: PathBuf,
    file: Box<dyn DiskFile>,
    written: u64,
    checksum: Hasher,
}

pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> StorageError {
    let path = path.to_owned();
    |source| StorageError::File { path, source }
}

impl Files {
    /// Opens a work folder for a board, and makes it if it is not there.
    ///
    /// # Errors
    /// If the folder cannot be made, is in use, or belongs to another board.
    pub fn open(folder: &Path, size: Size) -> Result<Self, StorageError> {
        Self::open_on(disk::real(), folder, size)
    }

    /// As [`open`](Self::open), on any disk.
    pub(crate) fn open_on(
        disk: Arc<dyn Disk>,
        folder: &Path,
        size: Size,
    ) -> Result<Self, StorageError> {
        disk::make_folders(&*disk, folder).map_err(failed(folder))?;
        let path = folder.join("lock");
        // Opening a pipe would wait for its other end.
        let kind = disk.kind(&path).map_err(failed(&path))?;
        if kind.is_some_and(|kind| kind != Kind::File) {
            return Err(failed(&path)(io::Error::other("not a regular file")));
        }
        let lock = disk.open(&path, Opening::UpdateOrCreate).map_err(failed(&path))?;
        if !lock.try_lock().map_err(failed(&path))? {
            return Err(StorageError::InUse { path: folder.to_owned() });
        }
        let (buffer, folder) = (Lanes::zeroed(0, 0)?, folder.to_owned());
        let (open, most_read) = (None, BATCH);
        let files = Self { disk, folder, size, buffer, open, most_read, _lock: lock };
        for path in files.files("partial")? {
            files.disk.remove(&path).map_err(failed(&path))?;
        }
        for path in files.files("summary")? {
            files.body(&path)?.check()?;
        }
        Ok(files)
    }

    /// The files of the folder with this extension.
    fn files(&self, extension: &str) -> Result<Vec<PathBuf>, StorageError> {
        let mut paths = self.disk.list(&self.folder).map_err(failed(&self.folder))?;
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
            Content::NonTerminal => 0,
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

    /// Opens a file and refuses it if its header is not what was written there for this board.
    fn body(&self, path: &Path) -> Result<Body, StorageError> {
        let damaged = |what| StorageError::Damaged { path: path.to_owned(), what };
        if self.disk.kind(path).map_err(failed(path))? == Some(Kind::Other) {
            return Err(damaged("not a regular file"));
        }
        let file = self.disk.open(path, Opening::Read).map_err(failed(path))?;
        let bytes = file.len().map_err(failed(path))?;
        let mut header = [0; HEADER];
        if file.read_at(&mut header, 0).map_err(failed(path))? < HEADER {
            return Err(damaged("shorter than its header"));
        }
        if header[..8] != MAGIC {
            return Err(damaged("not a file of this program"));
        }
        if header[8..12] != VERSION.to_le_bytes() {
            return Err(damaged("written by another version of this program"));
        }
        let bytes = bytes.saturating_sub(HEADER as u64);
        if header[24..32] != bytes.to_le_bytes() {
            return Err(damaged("not of its full length"));
        }
        let found = Size { width: header[16], height: header[17], line: header[18] };
        let content = [Content::NonTerminal, Content::Values, Content::Packed];
        let key = content
            .get(usize::from(header[20]))
            .map(|&content| TierKey { content, ply: Ply(header[21]) });
        let name = |extension| key.map(|key| self.path(key, extension));
        if found == self.size && [name("tier"), name("summary")].iter().flatten().all(|p| p != path)
        {
            return Err(damaged("written for another tier, or its header is"));
        }
        let body = Body { file, path: path.to_owned(), header, bytes };
        if found != self.size {
            // A flipped bit is told apart from another board.
            body.check()?;
            return Err(StorageError::OtherBoard { path: path.to_owned(), found });
        }
        Ok(body)
    }

    /// Makes a finished `*.partial` file the real one.
    fn publish(
        &self,
        file: &dyn DiskFile,
        partial: &Path,
        path: &Path,
    ) -> Result<(), StorageError> {
        file.sync().map_err(failed(partial))?;
        self.disk.rename(partial, path).map_err(failed(path))?;
        // The new name has to reach the disk before anything is built on it.
        self.disk.sync_folder(&self.folder).map_err(failed(&self.folder))
    }

    /// A new file; what an aborted tier of this run left there goes away.
    fn new_file(&self, path: &Path) -> Result<Box<dyn DiskFile>, StorageError> {
        match self.disk.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(path)(error)),
            _ => self.disk.open(path, Opening::CreateNew).map_err(failed(path)),
        }
    }
}

impl Storage for Files {
    fn create(&mut self, key: TierKey, lanes: usize) -> Result<(), StorageError> {
        let path = self.path(key, "partial");
        let file = self.new_file(&path)?;
        let header = self.header(key, (lanes * size_of::<Lane>()) as u64);
        file.write_at(&header, 0).map_err(failed(&path))?;
        let mut checksum = Hasher::new();
        checksum.update(&header[COVERED..]);
        self.open = Some(Open { key, path, file, written: HEADER as u64, checksum });
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
        let bytes: &[u8] = bytemuck::cast_slice(&self.buffer);
        open.checksum.update(bytes);
        open.file.write_at(bytes, open.written).map_err(failed(&open.path))?;
        open.written += bytes.len() as u64;
        Ok(())
    }

    fn finish(&mut self, summary: &[u64]) -> Result<(), StorageError> {
        let Some(Open { key, path, file, checksum, .. }) = self.open.take() else {
            return Ok(());
        };
        file.write_at(&checksum.finalize().to_le_bytes(), CHECKSUM as u64)
            .map_err(failed(&path))?;
        self.publish(&*file, &path, &self.path(key, "tier"))?;

        let path = self.path(key, "summary.partial");
        let mut bytes = self.header(key, 8 * summary.len() as u64).to_vec();
        bytes.extend(summary.iter().flat_map(|number| number.to_le_bytes()));
        let checksum = crc32fast::hash(&bytes[COVERED..]);
        bytes[CHECKSUM..COVERED].copy_from_slice(&checksum.to_le_bytes());
        let file = self.new_file(&path)?;
        file.write_at(&bytes, 0).map_err(failed(&path))?;
        self.publish(&*file, &path, &self.path(key, "summary"))
    }

    fn summary(&mut self, key: TierKey) -> Result<Option<Vec<u64>>, StorageError> {
        let path = self.path(key, "summary");
        match self.disk.kind(&path).map_err(failed(&path))? {
            Some(_) => self.body(&path)?.numbers().map(Some),
            None => Ok(None),
        }
    }

    fn read(&mut self, key: TierKey) -> Result<Arc<Stored>, StorageError> {
        let path = self.path(key, "tier");
        if self.disk.kind(&path).map_err(failed(&path))?.is_none() {
            return Err(StorageError::Missing { key });
        }
        let body = self.body(&path)?;
        if body.bytes % size_of::<Lane>() as u64 != 0 {
            return Err(body.damaged("not of its full length"));
        }
        let stored = match body.bytes > (self.most_read * size_of::<Lane>()) as u64 {
            true => body.mapped()?,
            false => Stored::Memory(body.lanes()?),
        };
        Ok(Arc::new(stored))
    }

    fn clear(&mut self) -> Result<(), StorageError> {
        // Summaries first: without one, a tier does not count.
        for extension in ["summary", "tier", "partial"] {
            for path in self.files(extension)? {
                self.disk.remove(&path).map_err(failed(&path))?;
            }
        }
        Ok(())
    }

    fn discard(&mut self, key: TierKey) -> Result<(), StorageError> {
        let path = self.path(key, "tier");
        match self.disk.remove(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(StorageError::File { path, source })
            }
            _ => Ok(()),
        }
    }
}
