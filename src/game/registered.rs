//! How a game is chosen on the command line, and found again from a database.

use super::{Evaluate, Notation, Symmetric, Unreadable};
use crate::game::Key;

/// What a game can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The usual size, if the game has boards of several: columns x rows.
    pub size: Option<(u8, u8)>,
    /// Rules that can be chosen: the name of a flag, and what it does.
    pub flags: &'static [(&'static str, &'static str)],
}

/// What a game is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The size: columns x rows.
    pub size: Option<(u8, u8)>,
    /// The flags given.
    pub flags: Vec<String>,
    /// The position as text, for a game whose board follows from it.
    pub position: Option<String>,
}

impl Chosen {
    /// True if a flag was given.
    #[must_use]
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|given| given == flag)
    }
}

/// A game that can be put into the registry of a program.
pub trait Registered: Notation + Symmetric<Key = Key> + Evaluate + 'static {
    /// The game in a few words: for help texts.
    const ABOUT: &'static str;

    /// What can be chosen.
    const CHOICES: Choices;

    /// The game chosen.
    ///
    /// # Errors
    /// If there is no such game: the rule, and what is possible.
    fn choose(chosen: &Chosen) -> Result<Self, Unreadable>;

    /// A game with these [parameters](Notation::parameters) that can read every position of them.
    ///
    /// # Errors
    /// If there is no such game.
    fn of_parameters(parameters: [u8; 3]) -> Result<Self, Unreadable>;
}
