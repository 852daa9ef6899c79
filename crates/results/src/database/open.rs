//! Opening of files; a file of another program is refused before anything in it changes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::error::At;
use super::{DatabaseError, check, schema};
use everyply_files::disk::names_folder;

/// The time to wait for another process before opening or starting a run fails.
const PATIENCE: Duration = Duration::from_secs(5);

/// Pages that stay in memory, in KiB: positions from a search come in no order, so their tree
/// should fit.
const CACHE_KIB: i64 = 64 * 1024;

/// Pages in the write-ahead log that start a checkpoint: 64 MiB, so that a large analysis does
/// not stop for one after every few thousand positions.
const CHECKPOINT_PAGES: i64 = 16 * 1024;

/// The length of SQLite's header: a shorter file is no database.
const HEADER_LENGTH: u64 = 100;

/// The first bytes of every SQLite file.
pub(crate) const SQLITE: &[u8] = b"SQLite format 3\0";

/// Opens or creates the file at `path` and switches it to write-ahead logging.
pub(super) fn for_writing(path: &Path) -> Result<Connection, DatabaseError> {
    let file = absolute(path)?;
    let is_new = match fs::metadata(&file) {
        Ok(metadata) => refuse_by_metadata(path, &metadata)? == 0,
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(source) => return Err(DatabaseError::Io { path: path.to_owned(), source }),
    };
    if !is_new {
        refuse_by_header(path, &file)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&file, flags)
        .and_then(|connection| connection.busy_timeout(PATIENCE).map(|()| connection))
        .map_err(|error| cannot_create(path, &file, error))?;
    move_log(&file, &connection).map_err(|error| cannot_create(path, &file, error))?;
    refuse_false_length(path, &file, &connection)?;
    refuse_damage(path, &connection)?;
    sign(path, &connection)?;
    // Only now, because the log would hide the signature from `refuse_by_header`.
    configure(&connection).map_err(|error| cannot_create(path, &file, error))?;
    Ok(connection)
}

/// Opens the existing file at `path` for queries alone.
///
/// The file is opened for writing if that is permitted, because only then SQLite can recover and
/// remove the log of a crashed run; `query_only` then keeps statements from changing anything.
pub(super) fn for_reading(path: &Path) -> Result<Connection, DatabaseError> {
    let file = absolute(path)?;
    let metadata = fs::metadata(&file).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => DatabaseError::Missing(path.to_owned()),
        _ => DatabaseError::Io { path: path.to_owned(), source },
    })?;
    if refuse_by_metadata(path, &metadata)? == 0 {
        return Err(DatabaseError::Empty(path.to_owned()));
    }
    refuse_by_header(path, &file)?;
    let examined = |open: fn(&Path) -> rusqlite::Result<Connection>| {
        let connection = open(&file)?;
        // In one snapshot, so that no other process writes between two reads.
        let snapshot = check::snapshot(&connection)?;
        let fault = schema::fault(&connection)?;
        drop(snapshot);
        Ok((connection, fault))
    };
    let opened = examined(for_queries).or_else(|error| {
        // If the log cannot be created there is none to read, unless it exists already.
        let has_none = is_refused_log(&error) && !has_log(&file);
        if has_none { examined(immutable) } else { Err(error) }
    });
    let (connection, fault) = opened.at(path)?;
    if let Some(reason) = fault {
        // A run that was killed while it signed the file has left nothing, once its journal is
        // rolled back.
        let blank = schema::is_blank(&connection);
        return Err(match blank.at(path)? {
            true => DatabaseError::Empty(path.to_owned()),
            false => DatabaseError::Damaged { path: path.to_owned(), reason },
        });
    }
    refuse_false_length(path, &file, &connection)?;
    Ok(connection)
}

fn for_queries(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    Ok(connection)
}

/// Returns the absolute path, since SQLite gives `:memory:`, the empty name and `file:` a meaning
/// of their own. A path that ends like a folder's is refused: SQLite would make a file without the
/// end.
fn absolute(path: &Path) -> Result<PathBuf, DatabaseError> {
    if names_folder(path) {
        return Err(DatabaseError::Directory(path.to_owned()));
    }
    std::path::absolute(path).map_err(|source| DatabaseError::Io { path: path.to_owned(), source })
}

/// Returns the length of a file that may be a database, and refuses others.
fn refuse_by_metadata(path: &Path, metadata: &fs::Metadata) -> Result<u64, DatabaseError> {
    if metadata.is_dir() {
        return Err(DatabaseError::Directory(path.to_owned()));
    }
    if !metadata.is_file() {
        return Err(DatabaseError::NotAFile(path.to_owned()));
    }
    match metadata.len() {
        1..HEADER_LENGTH => Err(DatabaseError::NotADatabase(path.to_owned())),
        length => Ok(length),
    }
}

/// Refuses a file of another program or version by its first page.
///
/// The page is read through SQLite, as an immutable file: no locks, no log, nothing created.
/// Reading it as a plain file would not do, since closing that file drops all locks this process
/// holds on it, those of its other connections included. The page always shows the truth,
/// because a file is signed before it ever has a log.
fn refuse_by_header(path: &Path, file: &Path) -> Result<(), DatabaseError> {
    let signature = immutable(file).and_then(|connection| {
        // Admits a file that is shorter than its header says: another process may be just
        // creating it. Whether it is damaged is decided under locks.
        connection.pragma_update(None, "writable_schema", true)?;
        schema::signature(&connection)
    });
    match signature {
        Ok(signature) => refuse_by_signature(path, signature),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::CannotOpen) => {
            Err(DatabaseError::Io { path: path.to_owned(), source: reason_unreadable(file) })
        }
        Err(error) => Err(DatabaseError::of_sqlite(path, error)),
    }
}

fn refuse_by_signature(path: &Path, (id, version): (i32, i32)) -> Result<(), DatabaseError> {
    let path = path.to_owned();
    match (id, version) {
        (schema::APPLICATION_ID, schema::VERSION) => Ok(()),
        (schema::APPLICATION_ID, found) => {
            Err(DatabaseError::OtherVersion { path, found, known: schema::VERSION })
        }
        _ => Err(DatabaseError::Foreign(path)),
    }
}

/// Makes the tables if the file is blank, under the write lock, so that two processes cannot both
/// find the file blank.
fn sign(path: &Path, connection: &Connection) -> Result<(), DatabaseError> {
    let execute = |sql| connection.execute_batch(sql).at(path);
    execute("BEGIN IMMEDIATE")?;
    if schema::is_blank(connection).at(path)? {
        schema::create(connection).at(path)?;
        return execute("COMMIT");
    }
    refuse_by_signature(path, schema::signature(connection).at(path)?)?;
    // A commit would write: SQLite corrects the page count in a damaged header in passing.
    execute("ROLLBACK")
}

/// Moves the log that a crashed run left into the file, so that its length can be checked; unless
/// another process has the file open, which has checked it itself.
fn move_log(file: &Path, connection: &Connection) -> rusqlite::Result<()> {
    if has_log(file) {
        connection.busy_timeout(Duration::ZERO)?;
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        connection.busy_timeout(PATIENCE)?;
    }
    Ok(())
}

/// Refuses a file whose length is not the number of pages in its header. SQLite counts a last page
/// that is cut short as a whole one until it reads it; and if a file is longer than its header
/// says, SQLite overwrites the pages beyond with new ones.
fn refuse_false_length(
    path: &Path,
    file: &Path,
    connection: &Connection,
) -> Result<(), DatabaseError> {
    let examine = || {
        // While this process reads, no other one changes the length, except by way of a log.
        let _snapshot = check::snapshot(connection)?;
        let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
        let (pages, page_size) = (number("page_count")?, number("page_size")?);
        let length = fs::metadata(file).map(|metadata| metadata.len());
        // A log that was not yet moved into the file holds the pages that this lacks.
        Ok(has_log(file) || length.is_ok_and(|length| length == pages * page_size))
    };
    if examine().at(path)? {
        return Ok(());
    }
    let reason = "it was cut short, or is longer than its header says".to_owned();
    Err(DatabaseError::Damaged { path: path.to_owned(), reason })
}

/// Refuses a damaged file: new rows would be lost in a damaged page, stored twice beside one, or
/// replace rows in a page that the list of free pages names by mistake. The check holds no write
/// lock, since it takes a minute for 50 million positions.
fn refuse_damage(path: &Path, connection: &Connection) -> Result<(), DatabaseError> {
    let examine = || {
        let _snapshot = check::snapshot(connection)?;
        if schema::is_blank(connection)? {
            return Ok(None);
        }
        match schema::fault(connection)? {
            None => check::fault(connection),
            fault => Ok(fault),
        }
    };
    match examine().at(path)? {
        None => Ok(()),
        Some(reason) => Err(DatabaseError::Damaged { path: path.to_owned(), reason }),
    }
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    // Rows name the game and the run that this connection found or added: no need to look for
    // them at every row.
    connection.pragma_update(None, "foreign_keys", false)?;
    connection.pragma_update_and_check(None, "wal_autocheckpoint", CHECKPOINT_PAGES, |_| Ok(()))
}

/// Opens a file on the assumption that it does not change.
fn immutable(file: &Path) -> rusqlite::Result<Connection> {
    let mut uri = String::from("file:");
    for &byte in file.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(uri, flags)
}

/// Returns true if SQLite could not make the log files beside a database.
fn is_refused_log(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Returns true if there is a log whose content the database needs.
fn has_log(file: &Path) -> bool {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    fs::metadata(log).is_ok_and(|metadata| metadata.len() > 0)
}

/// Returns the reason why a file cannot be created: SQLite reports "unable to open" for every
/// reason, and the operating system knows the right one.
fn cannot_create(path: &Path, file: &Path, error: rusqlite::Error) -> DatabaseError {
    if error.sqlite_error_code() != Some(ErrorCode::CannotOpen) {
        return DatabaseError::of_sqlite(path, error);
    }
    let directory = file.parent().unwrap_or(file);
    match tempfile::tempfile_in(directory) {
        Err(source) if source.kind() != io::ErrorKind::PermissionDenied => {
            DatabaseError::Io { path: path.to_owned(), source }
        }
        _ => DatabaseError::ReadOnly(path.to_owned()),
    }
}

/// Returns the operating system's reason why a file cannot be read. Opening it as a plain file is
/// safe here: SQLite just failed to, so this process holds no locks on it.
fn reason_unreadable(file: &Path) -> io::Error {
    match fs::File::open(file) {
        Ok(_) => io::Error::other("it could not be opened"),
        Err(error) => error,
    }
}
