//! Games of stones and lines as a registry takes them, for what works on every game alike.

use crate::game::{Choices, Chosen, Registered, Unreadable};
use crate::games::line::{Board, ConnectFour, Mnk, Rules, Size, SizeError, Standard, TicTacToe};

impl From<SizeError> for Unreadable {
    fn from(error: SizeError) -> Self {
        Self(error.to_string())
    }
}

const fn choices(rules: Rules) -> Choices {
    let usual = rules.usual();
    Choices { size: Some((usual.width, usual.height)), flags: &[] }
}

/// The size chosen, with the usual line length.
fn chosen(rules: Rules, chosen: &Chosen) -> Result<Size, SizeError> {
    rules.size(chosen.size.map(|(width, height)| Board { width, height }), None)
}

macro_rules! registered {
    ($game:ty, $rules:expr, $make:expr) => {
        impl Registered for $game {
            const ABOUT: &'static str = $rules.about();
            const CHOICES: Choices = choices($rules);

            fn choose(given: &Chosen) -> Result<Self, Unreadable> {
                $make(chosen($rules, given)?)
            }

            fn of_parameters([width, height, line]: [u8; 3]) -> Result<Self, Unreadable> {
                $make(Size::new(width, height, line)?)
            }
        }
    };
}

/// A board whose size is part of its type.
fn the<G>(game: G, own: Size, size: Size) -> Result<G, Unreadable> {
    if size == own { Ok(game) } else { Err(Unreadable(format!("a board of {size} is not {own}"))) }
}

registered!(Mnk, Rules::Mnk, |size| Self::new(size).map_err(Unreadable::from));
registered!(ConnectFour, Rules::ConnectFour, |size| Self::new(size).map_err(Unreadable::from));
registered!(TicTacToe, Rules::Mnk, |size| the(Self::fixed(), Rules::Mnk.usual(), size));
registered!(Standard, Rules::ConnectFour, |size| {
    the(Self::fixed(), Rules::ConnectFour.usual(), size)
});

#[cfg(feature = "database")]
mod study {
    use crate::games::line::{AnyGame, Stones, with_game};
    use crate::registry::{self, Study};

    impl AnyGame {
        /// A position for what works on every game alike. What is made for stones and lines is
        /// faster where it is asked often.
        #[must_use]
        pub fn study(&self, position: Stones) -> Box<dyn Study> {
            let study = with_game!(self, game => registry::study(*game, position));
            study.expect("a board has at most 64 moves, and a position a key")
        }
    }
}

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

    #[test]
    #[cfg(feature = "database")]
    fn every_game_alike_serves_the_boards_of_lines() {
        use crate::control::Control;
        use crate::game::{Key, Outcome, Remoteness, Value, Worth};
        use crate::games::line::AnyGame;
        use crate::games::line::notation::parse_moves;

        let game = AnyGame::new(Rules::Mnk, None, None).unwrap();
        let start = game.study(parse_moves(&game, "").unwrap());
        let solved = start.solve(10_000, &Control::default()).unwrap();
        assert_eq!(solved.totals().positions, 5_478);
        let study = game.study(parse_moves(&game, "1245").unwrap());
        assert_eq!(study.picture(), "XO./XO./...");
        let won = Worth::Ends(Value::new(Outcome::Win, Remoteness(1)));
        assert_eq!(solved.worth_of(study.key()), Some(won));
        assert_eq!(solved.worth_of(Key(u64::MAX)), None);
    }
}
