//! The rules of each game, as an implementation of the [contract](crate::game).
//!
//! One file a game, and [`line`](mod@line) for all games of stones and lines; every game is named here.

mod aligned;
mod awari;
mod dobutsu;
mod dots;
mod drops;
mod gobblet;
mod hexapawn;
mod holes;
mod kalah;
pub mod lattice;
pub mod line;
mod marks;
pub mod masks;
mod morris;
mod nim;
mod othello;
mod pong;
pub mod ranks;
#[cfg(feature = "serde")]
pub mod table;

pub use aligned::{Aligned, Dao, Neutreeko, Placed, Shift, Teeko};
pub use awari::Awari;
pub use dobutsu::{Act, Animals, Dobutsu};
pub use dots::{Dots, Drawn};
pub use drops::{CylinderFour, Drop, Drops, Fallen, MisereFour, PopOut};
pub use gobblet::{Gobble, Gobblet, Stacks};
pub use hexapawn::{Breakthrough, Hexapawn, PawnGame, Pawns, Step};
pub use holes::Holes;
pub use kalah::Kalah;
pub use line::{ConnectFour, Mnk, Size, TicTacToe};
pub use marks::{Mark, Marked, Marks, Misere, Notakto, Qubic, WideQubic, Wild};
pub use morris::{Men, Morris, Step as MorrisStep};
pub use nim::{Heaps, Nim, Take, Takes};
pub use othello::{Discs, Othello};
pub use pong::{Points, Pong};
