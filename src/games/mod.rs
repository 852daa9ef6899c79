//! Games of several kinds, one file each: their rules in the words of the [contract](crate::game::contract).

mod dots;
mod hexapawn;
pub mod lattice;
pub mod masks;
mod nim;
mod pong;
#[cfg(test)]
mod tests;

pub use dots::{Dots, Drawn};
pub use hexapawn::{Hexapawn, Pawns, Step};
pub use nim::{Heaps, Nim, Take};
pub use pong::{Points, Pong};

/// The games of this crate.
#[cfg(feature = "database")]
#[must_use]
pub fn registry() -> crate::registry::Registry {
    crate::registry::Registry::new()
        .with::<Nim>()
        .with::<Hexapawn>()
        .with::<Dots>()
        .with_endless::<Pong>()
}
