//! Games of stones and lines for a registry: parameters and choices.

use crate::game::{Chosen, Parameter, Registered, Unreadable};
use crate::games::line::{
    Board, ConnectFour, Mnk, Rules, Size, SizeError, Standard, TicTacToe, Wide,
};

impl From<SizeError> for Unreadable {
    fn from(error: SizeError) -> Self {
        Self(error.to_string())
    }
}

/// Returns the number in a row that wins, as a parameter.
const fn line(usual: u8) -> Parameter {
    Parameter::number("line", "How many in a row win", usual, 1..=64)
}

impl Rules {
    pub const fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::Mnk => const { &[Parameter::size(3, 3), line(3)] },
            Self::ConnectFour => const { &[Parameter::size(7, 6), line(4)] },
        }
    }

    /// Returns the size chosen, with usual values for what is left out.
    pub fn chosen_size(self, chosen: &Chosen) -> Result<Size, SizeError> {
        let board = chosen.size.map(|(width, height)| Board { width, height });
        self.size(board, chosen.number("line"))
    }
}

macro_rules! line_game {
    ($game:ty, $rules:expr, $make:expr) => {
        impl Registered for $game {
            type Game = Self;
            const NAME: &'static str = $rules.word();
            const ABOUT: &'static str = $rules.about();
            const PARAMETERS: &'static [Parameter] = $rules.parameters();

            fn choose(given: &Chosen) -> Result<Self, Unreadable> {
                $make($rules.chosen_size(given)?)
            }

            fn of_parameters([width, height, line]: [u8; 3]) -> Result<Self, Unreadable> {
                $make(Size::new(width, height, line)?)
            }
        }
    };
}

/// Returns a game whose type fixes its size, if that is the size chosen.
fn the<G>(game: G, own: Size, size: Size) -> Result<G, Unreadable> {
    if size == own { Ok(game) } else { Err(Unreadable(format!("a board of {size} is not {own}"))) }
}

line_game!(Mnk, Rules::Mnk, |size| Self::new(size).map_err(Unreadable::from));
line_game!(ConnectFour, Rules::ConnectFour, |size| Self::new(size).map_err(Unreadable::from));
line_game!(Wide, Rules::ConnectFour, |size| Self::wide(size).map_err(Unreadable::from));
line_game!(TicTacToe, Rules::Mnk, |size| the(Self::fixed(), Rules::Mnk.usual(), size));
line_game!(Standard, Rules::ConnectFour, |size| {
    the(Self::fixed(), Rules::ConnectFour.usual(), size)
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    #[test]
    fn a_game_is_found_again_by_its_parameters() {
        let wide = Mnk::new(Size { width: 5, height: 2, line: 3 }).unwrap();
        assert_eq!(<Mnk>::of_parameters(wide.parameters()).unwrap().parameters(), [5, 2, 3]);
        let usual = <ConnectFour>::choose(&Chosen::default()).unwrap();
        assert_eq!(usual.parameters(), Standard::fixed().parameters());
        assert!(Standard::of_parameters([7, 6, 4]).is_ok());
        let refused = TicTacToe::of_parameters([4, 4, 4]).unwrap_err();
        assert_eq!(refused.0, "a board of 4x4, 4 in a row is not 3x3, 3 in a row");
        assert!(<ConnectFour>::of_parameters([9, 8, 4]).unwrap_err().0.contains("too large"));
    }
}
