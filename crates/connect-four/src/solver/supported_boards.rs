//! Boards that the solver supports, and their default table sizes.

use super::Solver;
use crate::games::line::{LineGame, Rules, Size, Word};

impl Solver {
    /// The boards the solver supports, in words.
    pub const BOARDS: &str = "Connect Four with lines of 3 to 6";

    /// Returns true if the solver supports the game.
    pub fn serves<W: Word, G: LineGame<W>>(game: &G) -> bool {
        game.rules() == Rules::ConnectFour && Self::supports(game.size())
    }

    /// Returns true if the solver's static bounds support lines of this length;
    /// [`search`](crate::search::search) can search other boards to the end.
    pub const fn supports(size: Size) -> bool {
        3 <= size.line && size.line <= 6
    }

    /// Returns the size of the table that measured best on boards of this size, in MiB. More of a
    /// small table stays in the processor's caches; many threads, and wide boards with their many
    /// transpositions, need a larger one. The keys of every board fit this table.
    pub const fn default_table(size: Size, threads: usize) -> u64 {
        match (size.width, size.cells()) {
            (9.., ..=36) => 64,
            (9.., _) => 256,
            (_, ..=42) if threads < 4 => 8,
            (_, ..=42) => 16,
            (_, 43..=47 | 49) => 64,
            _ => 256,
        }
    }
}
