//! Positions of random games.

use rustc_hash::FxHashSet;

use super::Position;
use everyply_core::control::{Control, Stopped};
use everyply_core::random::Random;

/// The games in a row without a new position after which the search ends.
const PATIENCE: u32 = 100_000;

/// Random games from a position on, and the positions they led to so far.
pub struct RandomGames<'s> {
    root: &'s dyn Position,
    random: Random,
    seen: FxHashSet<u128>,
    /// True if images of a position count as one position.
    up_to_symmetry: bool,
}

/// The length of a random game.
#[derive(Clone, Copy, Debug)]
pub enum GameLength<'l> {
    /// One of these numbers of moves from the root, equally likely.
    Moves(&'l [u32]),
    /// One of these tiers, equally likely.
    Tiers(&'l [u8]),
}

impl<'s> RandomGames<'s> {
    /// Creates the random games of a seed.
    #[must_use]
    pub fn new(root: &'s dyn Position, seed: u64, up_to_symmetry: bool) -> Self {
        Self { root, random: Random::new(seed), seen: FxHashSet::default(), up_to_symmetry }
    }

    /// Hands over `number` positions that no game led to before. Each is reached by moves drawn at
    /// random, and no game is over; games that end too early are played anew, so that positions
    /// late in the game are rarer. Returns the number found, which is less if nothing new comes up.
    ///
    /// # Errors
    /// If the control asks it to stop.
    pub fn find(
        &mut self,
        number: usize,
        length: GameLength<'_>,
        control: &Control,
        see: &mut dyn FnMut(&dyn Position),
    ) -> Result<usize, Stopped> {
        let (mut found, mut in_vain) = (0, 0);
        while found < number && in_vain < PATIENCE {
            if in_vain % 1024 == 0 {
                control.check()?;
            }
            in_vain += 1;
            let Some(position) = self.play(length) else { continue };
            let identity = match self.up_to_symmetry {
                true => position.canonical_identity().0,
                false => position.identity(),
            };
            if self.seen.insert(identity) {
                see(position.as_ref());
                (found, in_vain) = (found + 1, 0);
            }
        }
        Ok(found)
    }

    /// Plays one game; `None` if it ends too early, or has no position of the drawn tier.
    fn play(&mut self, length: GameLength<'_>) -> Option<Box<dyn Position>> {
        match length {
            GameLength::Moves(all) => {
                let wanted = all[self.random.below(all.len() as u64) as usize];
                self.root.random_game(&mut self.random, &|moves, _| moves == wanted)
            }
            GameLength::Tiers(all) => {
                let wanted = all[self.random.below(all.len() as u64) as usize];
                let position =
                    self.root.random_game(&mut self.random, &|_, tier| tier.0 >= wanted)?;
                (position.tier().0 == wanted).then_some(position)
            }
        }
    }
}
