//! The games that a database holds.

use super::{Position, Registry};
use everyply_core::game::{Chosen, GameId, Unreadable};

impl Registry {
    /// A stored game of the registry at its start; `None` if the registry does not have it.
    pub fn start_of(&self, id: &GameId) -> Option<Result<Box<dyn Position>, Unreadable>> {
        Some(self.find(&id.name)?.of_parameters(id.parameters))
    }

    /// True if a stored game has the size that its rules are usually played on: the one that is
    /// meant where a name alone is given.
    pub fn is_usual(&self, id: &GameId) -> bool {
        let usual = self.find(&id.name).map(|entry| entry.choose(&Chosen::default()));
        usual.is_some_and(|usual| usual.is_ok_and(|usual| usual.game_id() == *id))
    }

    /// The one of several stored games that is meant where nothing more is said: the only one, or of one
    /// game's boards that of the usual size.
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
