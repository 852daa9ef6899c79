//! Connect Four: the exact solver, whole boards on bit arrays, books, a built-in opening
//! book, the file formats of other programs, and published counts. The rules are in
//! [`ConnectFour`](everyply_core::games::line::ConnectFour).
//!
//! The crate `everyply` re-exports this crate as its module `connect_four`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "solutions"), allow(dead_code, unused_imports))]

/// Declares an enum, all its values in `ALL`, and a method that returns the word for each.
macro_rules! worded {
    (
        $(#[$of_enum:meta])* pub enum $name:ident, $(#[$of_word:meta])* $word:ident:
        $($(#[$of_value:meta])* $value:ident $text:literal,)*
    ) => {
        $(#[$of_enum])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$of_value])* $value,)*
        }

        impl $name {
            /// All values.
            pub const ALL: [Self; [$($text),*].len()] = [$(Self::$value),*];

            $(#[$of_word])*
            pub const fn $word(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)*
                }
            }
        }
    };
}

pub mod book;
pub mod formats;
mod opening;
mod processor;
pub mod profiles;
pub mod solver;
#[cfg(feature = "solutions")]
pub mod strategy;

use everyply_core::games::line::{LineGame, Rules};

pub use opening::{OpeningBook, OpeningError};

/// Returns the published numbers of positions by ply and outcome for the first player (Böck 2025,
/// arXiv 2507.05267), as lines of ply, won, drawn and lost; empty unless the board is 7x6.
pub fn plies_by_outcome<G: LineGame>(game: &G) -> &'static str {
    if game.rules() == Rules::ConnectFour && game.size() == Rules::ConnectFour.usual() {
        include_str!("../data/connect4-7x6-plies.csv")
    } else {
        ""
    }
}
