//! The rules of what a database holds.

use super::{Registry, Study};
use crate::database::GameId;
use crate::games::line::{AnyGame, Rules};

/// A game that a database holds and this program knows.
pub enum StoredGame {
    /// A board of stones and lines.
    Lines(AnyGame),
    /// A game of the registry at its start.
    Registered(Box<dyn Study>),
}

impl StoredGame {
    /// The game of this name and size; `None` if the program does not know it.
    #[must_use]
    pub fn of(id: &GameId, registry: &Registry) -> Option<Self> {
        if let Some(rules) = Rules::of(&id.name) {
            return AnyGame::of_size(rules, id.size).ok().map(Self::Lines);
        }
        let parameters = [id.size.width, id.size.height, id.size.line];
        registry.find(&id.name)?.of_parameters(parameters).ok().map(Self::Registered)
    }
}
