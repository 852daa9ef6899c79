//! Which boards the solver is made for, and with which table.

use super::Solver;
use crate::games::line::{LineGame, Rules, Size, Word};

impl Solver {
    /// The boards the solver is made for, in words.
    pub const BOARDS: &str = "Connect Four with lines of 3 to 6";

    /// Returns true if the solver is made for a game.
    #[must_use]
    pub fn serves<W: Word, G: LineGame<W>>(game: &G) -> bool {
        game.rules() == Rules::ConnectFour && Self::supports(game.size())
    }

    /// Returns true if the solver's static bounds are made for lines of this length; other boards
    /// can be searched to the end by [`search`](crate::search::search).
    #[must_use]
    pub const fn supports(size: Size) -> bool {
        3 <= size.line && size.line <= 6
    }

    /// Returns the table that measured best on boards of this size, in MiB: the smaller it is, the
    /// more of it stays in the processor's caches; what many threads put into it and the many
    /// orders of moves on a wide board need more room. Every board has room in it.
    #[must_use]
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
