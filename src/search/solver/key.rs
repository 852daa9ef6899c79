//! What the table knows a position by.

use super::board::Board;
use super::layout::Layout;

/// A position's name in the table: two words as wide as the layout, the same for a position and
/// its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableKey {
    /// Guards and the marks of the side to move.
    pub own: u64,
    /// Guards and the marks of the other side; 0 in a narrow key.
    pub other: u64,
}

/// A key, and whether it names the position's mirror image.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The key.
    pub key: TableKey,
    /// True if columns of the table are mirrored.
    pub mirrored: bool,
}

/// How much of a position a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// One word: the stones of one side under a guard on top of every column.
    Narrow,
    /// Two words: the stones of each side under the guards.
    Wide,
}

/// The key of a position.
#[inline(always)]
pub fn key_of(l: &Layout, kind: KeyKind, board: &Board) -> Named {
    let guards = board.occupied() + l.bottom;
    let key = match kind {
        KeyKind::Narrow => TableKey { own: board.own | guards, other: 0 },
        KeyKind::Wide => TableKey { own: board.own | guards, other: board.other | guards },
    };
    let image = TableKey { own: l.mirror(key.own), other: l.mirror(key.other) };
    if image < key { Named { key: image, mirrored: true } } else { Named { key, mirrored: false } }
}
