//! The games that a database holds.

use super::{Position, Registry};
use everyply_core::game::{Chosen, GameId, Unreadable};

impl Registry {
    /// Returns a stored game of the registry at its start; `None` if the registry lacks it.
    pub fn start_of(&self, id: &GameId) -> Option<Result<Box<dyn Position>, Unreadable>> {
        Some(self.find(&id.name)?.of_parameters(id.parameters))
    }

    /// Returns true if a stored game is the one that its name alone means.
    pub fn is_usual(&self, id: &GameId) -> bool {
        let usual = self.find(&id.name).map(|entry| entry.choose(&Chosen::default()));
        usual.is_some_and(|usual| usual.is_ok_and(|usual| usual.game_id() == *id))
    }

    /// Chooses a stored game if the user names none: the only one, or the board of the usual size
    /// among boards of one game.
    pub fn meant<'g>(&self, games: &'g [GameId]) -> Option<&'g GameId> {
        match games {
            [one] => Some(one),
            several => {
                let of_one_name = several.iter().all(|id| id.name == several[0].name);
                several.iter().find(|id| of_one_name && self.is_usual(id))
            }
        }
    }
}
