//! A game chosen at run time.

use super::{
    Board, ConnectFour, LineGame, Lines, Mnk, Rules, Size, SizeError, Stones, capabilities, rules,
};
use crate::game::{
    Continuations, Evaluate, Game, Key, Keyed, Move, MoveSet, Outcome, Perft, Symmetric, Symmetry,
    Tiered, Urgent,
};

/// A game on a board chosen at run time, with a branch in every call: for a few positions. An engine,
/// which a registry compiles for each game, would be slow.
#[derive(Clone, Copy, Debug)]
pub enum AnyGame {
    Mnk(Mnk),
    ConnectFour(ConnectFour),
}

impl AnyGame {
    /// Creates the game on a board; the usual one of the rules for what is left out.
    pub fn new(rules: Rules, board: Option<Board>, line: Option<u8>) -> Result<Self, SizeError> {
        Self::of_size(rules, rules.size(board, line)?)
    }

    pub fn of_size(rules: Rules, size: Size) -> Result<Self, SizeError> {
        match rules {
            Rules::Mnk => Mnk::new(size).map(Self::Mnk),
            Rules::ConnectFour => ConnectFour::new(size).map(Self::ConnectFour),
        }
    }
}

impl From<ConnectFour> for AnyGame {
    fn from(game: ConnectFour) -> Self {
        Self::ConnectFour(game)
    }
}

/// Passes methods on to the game inside.
macro_rules! passed_on {
    ($(fn $name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        fn $name(&self $(, $argument: $kind)*) -> $result {
            match self {
                Self::Mnk(game) => game.$name($($argument),*),
                Self::ConnectFour(game) => game.$name($($argument),*),
            }
        }
    )*};
}

impl Game for AnyGame {
    rules!(u64);

    passed_on! {
        fn moves(position: Stones) -> MoveSet<u64>;
        fn play(position: Stones, m: Move) -> Stones;
        fn move_of_bit(position: Stones, bit: u32) -> Option<Move>;
    }
}

impl Keyed for AnyGame {
    type Key = Key;

    passed_on! {
        fn key(position: Stones) -> Key;
        fn key_bits() -> u32;
        fn position_of(key: Key) -> Option<Stones>;
    }
}

impl Symmetric for AnyGame {
    passed_on! {
        fn symmetries() -> u8;
        fn image_key(position: Stones, symmetry: Symmetry) -> Key;
        fn image_move(m: Move, symmetry: Symmetry) -> Move;
        fn image_moves(position: Stones, moves: MoveSet, symmetry: Symmetry) -> MoveSet;
        fn moves_of_image(position: Stones, images: MoveSet, symmetry: Symmetry) -> MoveSet;
    }
}

capabilities!([] AnyGame, u64);

impl LineGame for AnyGame {
    passed_on! {
        fn size() -> Size;
        fn rules() -> Rules;
        fn lines() -> &Lines;
        fn cell(column: u32, row: u32) -> u64;
        fn last_moves(position: Stones) -> MoveSet<u64>;
        fn take_back(position: Stones, m: Move) -> Stones;
        fn playable(position: Stones) -> u64;
        fn landing(position: Stones, m: Move) -> u64;
        fn above(cells: u64) -> u64;
        fn moves_to(position: Stones, cells: u64) -> MoveSet<u64>;
        fn inverse(symmetry: Symmetry) -> Symmetry;
        fn centre_first() -> &[Move];
        fn completing_cells(stones: u64) -> u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::tests::lines;

    impl Notation for AnyGame {
        const NAME: &'static str = "any";

        passed_on! {
            fn parameters() -> [u8; 3];
            fn title() -> String;
            fn write_move(m: Move) -> String;
            fn picture(position: Stones) -> String;
        }
    }

    #[test]
    fn the_laws_hold() {
        let board = Some(Board { width: 4, height: 3 });
        lines::check(AnyGame::new(Rules::Mnk, board, None).unwrap());
        lines::check(AnyGame::new(Rules::ConnectFour, board, Some(3)).unwrap());
    }
}
