//! The rules of each game, as an implementation of the [contract](crate::game).
//!
//! One file per game or family; [`line`](mod@line) has all games of stones and lines.

/// Registers a game, which `$of` creates from parameters; without `impl`, one that shares its type with
/// others.
macro_rules! registered {
    (impl $game:ty: $type:ty = $name:expr, $about:expr, $parameters:expr, $of:expr $(, $help:expr)?) => {
        impl $crate::game::Registered for $game {
            type Game = $type;
            const NAME: &'static str = $name;
            const ABOUT: &'static str = $about;
            $(const POSITION_HELP: &'static str = $help;)?
            const PARAMETERS: &'static [$crate::game::Parameter] = $parameters;

            fn of_parameters(parameters: [u8; 3]) -> Result<$type, $crate::game::Unreadable> {
                $of(parameters)
            }
        }
    };
    ($game:ident: $($rest:tt)*) => {
        pub struct $game;

        registered!(impl $game: $($rest)*);
    };
}

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
