//! Stores: objects by name, in a folder or a bucket, and what the objects of the engine look like.
//!
//! A store has no state. Any number of processes on any number of machines use one at a time, and
//! two may put the same object: each gets its own down whole, and the later one stays.

#[cfg(feature = "bucket")]
mod bucket;
mod chunks;
mod codec;
mod folder;
mod header;
mod sealed;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "bucket")]
pub use bucket::Bucket;
pub(super) use chunks::{Chunks, encode};
pub use folder::Folder;
pub(super) use header::{ChunkError, Identity};
pub(super) use sealed::{seal, unseal};

/// The longest name of an object. A file's name has up to 255 bytes, some of which its temporary
/// file needs.
const LONGEST_NAME: usize = 200;

/// Objects by name. Each appears whole or not at all.
///
/// A name has letters (a to z), digits, `.` and `-`, at most 200 of them, the first one not a dot.
/// Errors name the object, the place and the remedy.
pub trait Store: fmt::Debug + Send + Sync {
    /// The bytes of a range of an object, fewer where the object ends before; `None` if there is
    /// no such object.
    ///
    /// # Errors
    /// If the object is there and cannot be read, or there is no memory for so many bytes.
    fn read(&self, name: &str, range: Range<u64>) -> io::Result<Option<Vec<u8>>>;

    /// The length of an object in bytes; `None` if there is no such object.
    ///
    /// # Errors
    /// If it cannot be found out.
    fn len(&self, name: &str) -> io::Result<Option<u64>>;

    /// Writes a whole object, which replaces the one of this name. It is safe against a loss of
    /// power when this returns.
    ///
    /// # Errors
    /// If it cannot be written whole: the old object, or none, is still there. If only its name
    /// could not be made safe against a loss of power, the new one is.
    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Writes a whole object, as [`put`](Self::put) does, unless there is one of this name: false
    /// if so. Of all who do so exactly one is told true; on file systems that know no second
    /// names and servers that know no conditions, two may be if they do it in the same instant.
    ///
    /// # Errors
    /// If it cannot be written whole.
    fn put_new(&self, name: &str, bytes: &[u8]) -> io::Result<bool>;

    /// Removes an object. A missing one is no error.
    ///
    /// # Errors
    /// If it is still there.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// The names that begin with a prefix, ascending.
    ///
    /// # Errors
    /// If the place cannot be listed.
    fn list(&self, prefix: &str) -> io::Result<Vec<String>>;

    /// Where the store is, for messages: the path of a folder, or `s3://bucket/prefix`.
    fn place(&self) -> String;
}

/// Opens a store: a folder, which is made if it is not there, or a bucket (`s3://bucket/prefix`).
///
/// # Errors
/// If the place is of no known kind, or cannot be used.
pub fn open(place: &str) -> io::Result<Arc<dyn Store>> {
    let refuse = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    match place.split_once("://") {
        None if place.is_empty() => refuse("the name of the store is empty: name a folder"),
        None => Ok(Arc::new(Folder::open(Path::new(place))?)),
        #[cfg(feature = "bucket")]
        Some(("s3", _)) => Ok(Arc::new(Bucket::open(place)?)),
        #[cfg(not(feature = "bucket"))]
        Some(("s3", _)) => refuse(&format!(
            "{place}: this program was built without buckets: build it with the feature `bucket`, \
             or name a folder"
        )),
        Some((scheme, _)) => refuse(&format!(
            "{place}: {scheme} is no kind of store: name a folder, or s3://bucket/prefix"
        )),
    }
}

/// True for what may stand in a name.
fn is_name_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-')
}

/// True for the names that objects have. All else in a folder is somebody else's, or temporary.
fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && !name.starts_with('.')
        && name.bytes().all(is_name_byte)
}

/// Refuses what is no object's name.
fn check_name(name: &str) -> io::Result<()> {
    match is_name(name) {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!(
                "{name:?} is no name of an object: use 1 to {LONGEST_NAME} of a to z, 0 to 9, . \
                 and -, the first not a dot"
            ),
        )),
    }
}
