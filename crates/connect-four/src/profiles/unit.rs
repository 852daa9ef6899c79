//! Units: the parts of a board that are made and kept one at a time, and their names.

use std::fmt;
use std::str::FromStr;

use crate::game::Ply;

/// The content of a unit, about the positions of its part of a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// The reachable positions without a line, one bit a colouring.
    NonTerminal,
    /// The values as [`Codes`](super::Codes), a few bits a colouring.
    Values,
    /// Compressed blocks of a solution file.
    Packed,
    /// Compressed blocks of a solution file of outcomes alone.
    PackedOutcomes,
    /// A mark that the blocks of a solution file were right.
    Checked,
}

impl Content {
    /// All contents, in the order of their numbers.
    pub(super) const ALL: [Self; 5] =
        [Self::NonTerminal, Self::Values, Self::Packed, Self::PackedOutcomes, Self::Checked];

    const fn name(self) -> &'static str {
        match self {
            Self::NonTerminal => "alive",
            Self::Values => "values",
            Self::Packed => "packed",
            Self::PackedOutcomes => "outcomes",
            Self::Checked => "checked",
        }
    }
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

/// A text that is not the name of a unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a unit: write content, ply and number, as in alive-07-00012")]
pub struct NotAUnit(String);

impl FromStr for Unit {
    type Err = NotAUnit;

    fn from_str(text: &str) -> Result<Self, NotAUnit> {
        let read = || {
            let (content, rest) = text.split_once('-')?;
            let (ply, number) = rest.split_once('-')?;
            let content = Content::ALL.into_iter().find(|known| known.name() == content)?;
            let unit = Self { content, ply: Ply(ply.parse().ok()?), number: number.parse().ok()? };
            // A unit has exactly one name.
            (unit.to_string() == text).then_some(unit)
        };
        read().ok_or_else(|| NotAUnit(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for content in Content::ALL {
            for (ply, number) in [(0, 0), (7, 12), (42, 123_456)] {
                let unit = Unit { content, ply: Ply(ply), number };
                assert_eq!(unit.to_string().parse(), Ok(unit));
            }
        }
        for text in [
            "",
            "alive",
            "alive-07",
            "alive-7-00012",
            "alive-07-12",
            "dead-07-00012",
            "alive-07-00012x",
            "alive--7-00012",
            "alive-256-00000",
        ] {
            assert!(text.parse::<Unit>().is_err(), "{text}");
        }
    }
}
