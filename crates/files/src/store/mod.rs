//! Stores: objects by name, in a folder, and the layout of sealed objects.
//!
//! A store has no state. Any number of processes on any number of machines may use one at a time.
//! If two processes put the same object, each writes it whole, and the later one stays.

mod folder;
pub mod sealed;

use std::ops::Range;
use std::{fmt, io};

pub use folder::Folder;
pub use sealed::{Identity, seal};

/// The most bytes of the name of an object. A file name has at most 255 bytes, some of which the
/// temporary file needs.
const LONGEST_NAME: usize = 200;

/// A store of objects by name. Each object appears whole or not at all.
///
/// A name has letters (a to z), digits, `.` and `-`, at most 200 of them, the first one not a dot.
/// A method fails if the store or the object cannot be read or changed; errors name the object, the
/// place and the remedy.
pub trait Store: fmt::Debug + Send + Sync {
    /// Returns the bytes of a range of an object, fewer if the object ends earlier; `None` if there
    /// is no such object.
    fn read(&self, name: &str, range: Range<u64>) -> io::Result<Option<Vec<u8>>>;

    /// Returns the length of an object in bytes; `None` if there is no such object.
    fn len(&self, name: &str) -> io::Result<Option<u64>>;

    /// Writes a whole object, which replaces an object of this name. On return the object survives
    /// a loss of power.
    ///
    /// # Errors
    /// If it cannot be written whole: the old object, if any, stays. If only the last sync of its
    /// name failed, the new object stays.
    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Writes a whole object, like [`put`](Self::put), unless an object of this name exists;
    /// returns false if one exists. Of all concurrent callers exactly one gets true; on file
    /// systems without hard links, two simultaneous callers may get true.
    fn put_new(&self, name: &str, bytes: &[u8]) -> io::Result<bool>;

    /// Removes an object. A missing object is no error.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Returns the names that begin with a prefix, ascending.
    fn list(&self, prefix: &str) -> io::Result<Vec<String>>;

    /// Returns the place of the store, for messages: the path of a folder.
    fn place(&self) -> String;
}

/// Returns true for a name of an object. Other files of a folder are temporary or not ours.
fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && !name.starts_with('.')
        && name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'))
}

/// Refuses an invalid name of an object.
fn check_name(name: &str) -> io::Result<()> {
    match is_name(name) {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!(
                "{name:?} is not a name of an object: use 1 to {LONGEST_NAME} of a to z, 0 to 9, . \
                 and -, the first not a dot"
            ),
        )),
    }
}
