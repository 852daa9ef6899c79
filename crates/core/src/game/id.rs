//! The identity of a game.

use std::fmt;

/// A game on a board: its name, and the numbers that distinguish its boards.
///
/// Positions of games with different identities never mix; a key means one position in all games
/// with equal identities.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The name: lower case letters, digits and hyphens.
    pub name: String,
    /// Numbers from 1 to 255, in the order that the game defines; 1 for each that it does not have.
    pub parameters: [u8; 3],
}

impl GameId {
    /// The game with this name and these parameters.
    pub fn new(name: &str, parameters: [u8; 3]) -> Self {
        Self { name: name.to_owned(), parameters }
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match self.parameters {
            [1, 1, 1] => Ok(()),
            [one, 1, 1] => write!(f, " {one}"),
            [one, two, 1] => write!(f, " {one}x{two}"),
            [one, two, three] => write!(f, " {one}x{two}, {three}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_that_a_game_does_not_have_are_left_out() {
        let shown = |parameters| GameId::new("nim", parameters).to_string();
        assert_eq!(shown([1, 1, 1]), "nim");
        assert_eq!(shown([3, 1, 1]), "nim 3");
        assert_eq!(shown([3, 7, 1]), "nim 3x7");
        assert_eq!(shown([3, 7, 2]), "nim 3x7, 2");
    }
}
