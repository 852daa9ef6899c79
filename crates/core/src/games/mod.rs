//! Games of several kinds: their rules in the words of the [contract](crate::game).
//!
//! One file a game, and [`line`](mod@line) for all games of stones and lines.

mod aligned;
mod dots;
mod hexapawn;
pub mod lattice;
pub mod line;
pub mod masks;
mod morris;
mod nim;
mod pong;
pub mod ranks;
#[cfg(test)]
mod searches;
#[cfg(test)]
mod stack;
#[cfg(feature = "serde")]
pub mod table;
#[cfg(test)]
mod tests;

pub use aligned::{Aligned, Dao, Neutreeko, Placed, Shift, Teeko};
pub use dots::{Dots, Drawn};
pub use hexapawn::{Hexapawn, Pawns, Step};
pub use morris::{Men, Morris, Step as MorrisStep};
pub use nim::{Heaps, Nim, Take};
pub use pong::{Points, Pong};
