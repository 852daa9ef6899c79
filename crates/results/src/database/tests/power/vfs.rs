//! A layer below SQLite (VFS) that keeps its files on a simulated disk.
//!
//! It has no shared memory, so that databases on it are opened in exclusive locking mode, in which
//! SQLite keeps the index of its log on the heap. Everything else is as below SQLite on Unix: the
//! folder is synced with the first sync of a new journal or log, and a file that was deleted is
//! followed by a sync of its folder where SQLite asks for it.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::size_of;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{io, ptr};

use rusqlite::ffi;

use crate::disk::simulated::{Simulated, Trouble};
use crate::disk::{Disk, DiskFile, Kind, OpenMode, folder_of};

/// A disk that SQLite can be told to use, by its name, until this is dropped.
pub struct Vfs {
    /// Points to `disk` and `name`, as SQLite does to it.
    raw: *mut ffi::sqlite3_vfs,
    disk: *mut Simulated,
    name: CString,
}

impl Vfs {
    pub fn new(disk: Simulated) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = CString::new(format!("simulated-{number}")).unwrap();
        let disk = Box::into_raw(Box::new(disk));
        // SAFETY: SQLite has a usual layer. Its clock and its random numbers serve this one as well.
        let mut raw: ffi::sqlite3_vfs = unsafe { *ffi::sqlite3_vfs_find(ptr::null()) };
        raw.iVersion = 2;
        raw.szOsFile = size_of::<File>() as c_int;
        raw.mxPathname = 1024;
        raw.zName = name.as_ptr();
        raw.pAppData = disk.cast();
        raw.xOpen = Some(open);
        raw.xDelete = Some(delete);
        raw.xAccess = Some(access);
        raw.xFullPathname = Some(full_pathname);
        let raw = Box::into_raw(Box::new(raw));
        // SAFETY: it stays where it is, with all it points to, until it is unregistered.
        let code = unsafe { ffi::sqlite3_vfs_register(raw, 0) };
        assert_eq!(code, ffi::SQLITE_OK);
        Self { raw, disk, name }
    }

    pub fn name(&self) -> &CStr {
        &self.name
    }
}

impl Drop for Vfs {
    fn drop(&mut self) {
        // SAFETY: both came from boxes; no connection uses them any more, as each test closes its
        // own before this goes.
        unsafe {
            ffi::sqlite3_vfs_unregister(self.raw);
            drop(Box::from_raw(self.raw));
            drop(Box::from_raw(self.disk));
        }
    }
}

/// SQLite's handle of an open file.
#[repr(C)]
struct File {
    base: ffi::sqlite3_file,
    inner: *mut Inner,
}

struct Inner {
    disk: Simulated,
    file: Box<dyn DiskFile>,
    /// The folder to sync with the file, for the first time, where its name is new.
    new_in: Option<PathBuf>,
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 1,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(lock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(characteristics),
    xShmMap: None,
    xShmLock: None,
    xShmBarrier: None,
    xShmUnmap: None,
    xFetch: None,
    xUnfetch: None,
};

/// The code of a result: `other` for errors that SQLite has no code for.
fn code(result: io::Result<()>, other: c_int) -> c_int {
    match result {
        Ok(()) => ffi::SQLITE_OK,
        Err(error) if error.kind() == io::ErrorKind::StorageFull => ffi::SQLITE_FULL,
        Err(_) => other,
    }
}

/// The disk of a layer.
///
/// # Safety
/// `vfs` was made by [`Vfs::new`].
unsafe fn disk_of<'a>(vfs: *mut ffi::sqlite3_vfs) -> &'a Simulated {
    // SAFETY: it points to the disk, which stays as long as the layer.
    unsafe { &*(*vfs).pAppData.cast::<Simulated>() }
}

/// # Safety
/// `name` is a string of SQLite's that ends with a zero.
unsafe fn path_of<'a>(name: *const c_char) -> &'a Path {
    // SAFETY: as above.
    let name = unsafe { CStr::from_ptr(name) };
    Path::new(name.to_str().expect("names of tests are plain"))
}

/// # Safety
/// `file` was opened by [`open`] and is not closed yet.
unsafe fn inner_of<'a>(file: *mut ffi::sqlite3_file) -> &'a mut Inner {
    // SAFETY: SQLite gives back what `open` filled in, and uses a file from one thread at a time.
    unsafe { &mut *(*file.cast::<File>()).inner }
}

unsafe extern "C" fn open(
    vfs: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite has made room for a `File`; without methods it is not closed.
    unsafe { (*file).pMethods = ptr::null() };
    let opened = if name.is_null() {
        // A temporary file of SQLite's needs no disk that fails.
        let disk = Simulated::new(Trouble::None);
        let path = Path::new("/temporary");
        disk.open(path, OpenMode::UpdateOrCreate).map(|file| Inner { disk, file, new_in: None })
    } else {
        // SAFETY: the arguments are what SQLite gives.
        let (disk, path) = unsafe { (disk_of(vfs).clone(), path_of(name)) };
        let opening = if flags & ffi::SQLITE_OPEN_CREATE != 0 {
            OpenMode::UpdateOrCreate
        } else if flags & ffi::SQLITE_OPEN_READWRITE != 0 {
            OpenMode::Update
        } else {
            OpenMode::Read
        };
        let logs = ffi::SQLITE_OPEN_MAIN_JOURNAL | ffi::SQLITE_OPEN_WAL;
        let is_log = flags & logs != 0 && opening == OpenMode::UpdateOrCreate;
        let new_in = is_log.then(|| folder_of(path).to_owned());
        disk.open(path, opening).map(|file| Inner { disk, file, new_in })
    };
    let Ok(inner) = opened else { return ffi::SQLITE_CANTOPEN };
    // SAFETY: SQLite has made room for a `File`, and `out_flags` may be null.
    unsafe {
        (*file.cast::<File>()).inner = Box::into_raw(Box::new(inner));
        (*file).pMethods = &METHODS;
        if !out_flags.is_null() {
            *out_flags = flags;
        }
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn delete(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    sync_folder: c_int,
) -> c_int {
    // SAFETY: the arguments are what SQLite gives.
    let (disk, path) = unsafe { (disk_of(vfs), path_of(name)) };
    match disk.remove(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => ffi::SQLITE_IOERR_DELETE_NOENT,
        Ok(()) if sync_folder != 0 => {
            code(disk.sync_folder(folder_of(path)), ffi::SQLITE_IOERR_DIR_FSYNC)
        }
        removed => code(removed, ffi::SQLITE_IOERR_DELETE),
    }
}

unsafe extern "C" fn access(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    flags: c_int,
    result: *mut c_int,
) -> c_int {
    // SAFETY: the arguments are what SQLite gives.
    let (disk, path) = unsafe { (disk_of(vfs), path_of(name)) };
    let there = disk.kind(path).and_then(|kind| match kind {
        // As on Unix, an empty file is as good as none.
        Some(Kind::File) if flags == ffi::SQLITE_ACCESS_EXISTS => {
            disk.open(path, OpenMode::Read)?.length().map(|length| length > 0)
        }
        kind => Ok(kind.is_some()),
    });
    let Ok(there) = there else { return ffi::SQLITE_IOERR_ACCESS };
    // SAFETY: SQLite gives a place for the result.
    unsafe { *result = c_int::from(there) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn full_pathname(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    room: c_int,
    full: *mut c_char,
) -> c_int {
    // SAFETY: `name` ends with a zero, and `full` has `room` bytes.
    unsafe {
        let bytes = CStr::from_ptr(name).to_bytes_with_nul();
        if bytes.len() > room as usize {
            return ffi::SQLITE_CANTOPEN;
        }
        ptr::copy_nonoverlapping(bytes.as_ptr().cast(), full, bytes.len());
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: `open` made it, and SQLite closes it once.
    unsafe { drop(Box::from_raw((*file.cast::<File>()).inner)) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    bytes: *mut c_void,
    length: c_int,
    at: i64,
) -> c_int {
    // SAFETY: the file is open, and `bytes` has room for so many.
    let (inner, bytes) = unsafe {
        (inner_of(file), std::slice::from_raw_parts_mut(bytes.cast::<u8>(), length as usize))
    };
    match inner.file.read_at(bytes, at as u64) {
        Ok(read) if read == bytes.len() => ffi::SQLITE_OK,
        Ok(read) => {
            bytes[read..].fill(0);
            ffi::SQLITE_IOERR_SHORT_READ
        }
        Err(_) => ffi::SQLITE_IOERR_READ,
    }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    at: i64,
) -> c_int {
    // SAFETY: the file is open, and `bytes` are so many.
    let (inner, bytes) = unsafe {
        (inner_of(file), std::slice::from_raw_parts(bytes.cast::<u8>(), length as usize))
    };
    code(inner.file.write_at(bytes, at as u64), ffi::SQLITE_IOERR_WRITE)
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, length: i64) -> c_int {
    // SAFETY: the file is open.
    let inner = unsafe { inner_of(file) };
    code(inner.file.set_len(length as u64), ffi::SQLITE_IOERR_TRUNCATE)
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: the file is open.
    let inner = unsafe { inner_of(file) };
    let synced = inner.file.sync();
    if synced.is_ok()
        && let Some(folder) = inner.new_in.take()
    {
        return code(inner.disk.sync_folder(&folder), ffi::SQLITE_IOERR_DIR_FSYNC);
    }
    code(synced, ffi::SQLITE_IOERR_FSYNC)
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, size: *mut i64) -> c_int {
    // SAFETY: the file is open.
    let inner = unsafe { inner_of(file) };
    let Ok(length) = inner.file.length() else { return ffi::SQLITE_IOERR_FSTAT };
    // SAFETY: SQLite gives a place for the result.
    unsafe { *size = length as i64 };
    ffi::SQLITE_OK
}

/// Every lock is free, since there is one connection at a time.
unsafe extern "C" fn lock(_: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(_: *mut ffi::sqlite3_file, result: *mut c_int) -> c_int {
    // SAFETY: SQLite gives a place for the result.
    unsafe { *result = 0 };
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_control(_: *mut ffi::sqlite3_file, _: c_int, _: *mut c_void) -> c_int {
    ffi::SQLITE_NOTFOUND
}

/// The same as on Unix.
unsafe extern "C" fn sector_size(_: *mut ffi::sqlite3_file) -> c_int {
    4096
}

/// The same as on Unix: a write that is cut off leaves the bytes around it unchanged.
unsafe extern "C" fn characteristics(_: *mut ffi::sqlite3_file) -> c_int {
    ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE
}
