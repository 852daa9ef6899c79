//! The identity of a game.

use std::fmt;

/// A game on a board: its word, and the numbers that tell its boards apart.
///
/// Positions of two games with different identities never mix; a key means the same position in
/// every game with the same one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The word for the game: lower case letters and digits.
    pub name: String,
    /// Numbers from 1 to 255, in the order of the game's own description of them; 1 for each that
    /// the game does not have.
    pub parameters: [u8; 3],
}

impl GameId {
    /// The game with this word and these parameters.
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
