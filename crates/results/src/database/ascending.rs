//! The order of rows in tables, and its check.

use super::check::damaged;
use crate::game::Key;

/// The place of a key in a table, whose order is that of signed numbers.
pub(super) const fn in_table(key: Key) -> (u8, u64) {
    (0, key.0 ^ 1 << 63)
}

/// A check that rows come in ascending order, each key once. Every row passes its own checksum where
/// rows of a damaged file are exchanged or repeated.
#[derive(Debug, Default)]
pub(super) struct Ascending {
    last: Option<(u8, u64)>,
}

impl Ascending {
    /// Refuses a row that does not follow the last one.
    pub(super) fn check(&mut self, place: (u8, u64), key: Key) -> rusqlite::Result<()> {
        if self.last.replace(place).is_some_and(|last| last >= place) {
            return Err(damaged(format!(
                "the row of the position with key {} is there twice, or not in order",
                key.0
            )));
        }
        Ok(())
    }
}
