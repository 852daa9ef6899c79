//! The games a program knows besides the boards of lines, and what can be done with each.
//!
//! Which engine serves a game is a matter of its capabilities: it is compiled for the game when
//! the game is put into the registry, and asked for through [`Study`] and [`Answers`], which cost
//! one indirect call a command and none a node.

mod solved;
mod study;

use std::fmt;

pub use solved::{Answers, Row};
pub use study::{Branch, Capability, Study};

use crate::game::contract::{Chosen, Registered, Settings, Tiered, Unreadable};
use study::{Ending, Endless, Studied};

/// A game of the registry.
#[derive(Clone)]
pub struct Entry {
    /// The word for the game.
    pub name: &'static str,
    /// The game in a few words.
    pub about: &'static str,
    /// What can be chosen.
    pub settings: Settings,
    choose: fn(&Chosen) -> Result<Box<dyn Study>, Unreadable>,
    of_parameters: fn([u8; 3]) -> Result<Box<dyn Study>, Unreadable>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Entry {
    /// The game chosen, at its start.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn choose(&self, chosen: &Chosen) -> Result<Box<dyn Study>, Unreadable> {
        (self.choose)(chosen)
    }

    /// The game of a database with these parameters, at its start.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn of_parameters(&self, parameters: [u8; 3]) -> Result<Box<dyn Study>, Unreadable> {
        (self.of_parameters)(parameters)
    }
}

/// The games a program knows.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: Vec<Entry>,
}

impl Registry {
    /// A registry without a game.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a game that ends whatever the sides do.
    #[must_use]
    pub fn with<G: Registered + Tiered>(self) -> Self {
        self.and(Entry {
            name: G::NAME,
            about: G::ABOUT,
            settings: G::SETTINGS,
            choose: |chosen| Ok(Box::new(Studied::<G, Ending>::at_the_start(G::choose(chosen)?))),
            of_parameters: |of| {
                Ok(Box::new(Studied::<G, Ending>::at_the_start(G::of_parameters(of)?)))
            },
        })
    }

    /// Adds a game whose positions may come back.
    #[must_use]
    pub fn with_endless<G: Registered>(self) -> Self {
        self.and(Entry {
            name: G::NAME,
            about: G::ABOUT,
            settings: G::SETTINGS,
            choose: |chosen| Ok(Box::new(Studied::<G, Endless>::at_the_start(G::choose(chosen)?))),
            of_parameters: |of| {
                Ok(Box::new(Studied::<G, Endless>::at_the_start(G::of_parameters(of)?)))
            },
        })
    }

    /// A game of a name that is there already takes its place.
    fn and(mut self, entry: Entry) -> Self {
        self.entries.retain(|there| there.name != entry.name);
        self.entries.push(entry);
        self
    }

    /// The games, in the order they were added.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The game of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}
