//! The tiers of a game of any type.

use everyply_core::game::{Game, Ply, Registered, Shown, Unreadable};

/// The tiers of a game as a database counts them: from the start of the game that its parameters
/// name, the same game for all games that share positions.
pub(super) struct Tiers<G: Game> {
    /// The constructor of the game that parameters name.
    named: fn([u8; 3]) -> Result<G, Unreadable>,
    /// An upper bound on the plies to the end; `None` if play may be endless.
    plies_left: Option<fn(&G, G::Position) -> u32>,
    /// The plies of the longest game; 0 if play may be endless, or longer than a database has
    /// tiers: then all positions have tier 0.
    pub longest: u32,
}

impl<G: Game> Clone for Tiers<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Tiers<G> {}

impl<G: Shown> Tiers<G> {
    /// The last tier of a database.
    const LAST: u32 = 63;

    pub fn new<R: Registered<Game = G>>(
        game: &G,
        plies_left: Option<fn(&G, G::Position) -> u32>,
    ) -> Self {
        let mut tiers = Self { named: R::of_parameters, plies_left, longest: 0 };
        let start = tiers.start(game);
        let longest = plies_left.map_or(0, |left| left(&start, start.initial()));
        tiers.longest = if longest <= Self::LAST { longest } else { 0 };
        tiers
    }

    /// Returns the game that the parameters of a game name: the largest that has them.
    pub fn start(&self, game: &G) -> G {
        (self.named)(game.parameters()).unwrap_or_else(|_| game.clone())
    }

    pub fn plies_left(&self, game: &G, position: G::Position) -> Option<u32> {
        self.plies_left.map(|left| left(game, position))
    }

    pub fn of(&self, game: &G, position: G::Position) -> Ply {
        let left = self.plies_left(game, position).unwrap_or(0);
        Ply(u8::try_from(self.longest.saturating_sub(left)).unwrap_or(u8::MAX))
    }
}
