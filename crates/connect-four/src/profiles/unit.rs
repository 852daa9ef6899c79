//! Units: the parts of a board that are made and kept one at a time, and their names.

use std::fmt;

use crate::game::Ply;

worded! {
    /// The content of a unit, about the positions of its part of a tier.
    pub enum Content,
    /// The content in names of units.
    name:
    /// The reachable positions without a line, one bit a colouring.
    NonTerminal "alive",
    /// The values as codes, a few bits a colouring.
    Values "values",
    /// Compressed blocks of a solution file.
    Packed "packed",
    /// Compressed blocks of a solution file of outcomes alone.
    PackedOutcomes "outcomes",
    /// A mark that the blocks of a solution file were right.
    Verified "checked",
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A part of a tier that is made, kept and discarded as a whole. Its name has content, ply and
/// number: `alive-07-00012`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit {
    /// The content.
    pub content: Content,
    /// The number of stones on the boards of its tier.
    pub ply: Ply,
    /// The number of the unit in the tier.
    pub number: u32,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}-{:05}", self.content, self.ply.0, self.number)
    }
}
