//! The values of all positions below one, of a game that is known by name only.

use std::marker::PhantomData;

use super::method::Method;
use super::studied::tiers;
use crate::control::{Control, Stopped};
use crate::exhaustive::{Plies, StrongSolution, Totals};
use crate::game::{Key, MoveSet, Ply};
use crate::game::{Registered, Worth};

/// A solved position as a database keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedRow {
    /// The canonical key.
    pub key: Key,
    /// The tier.
    pub tier: Ply,
    /// The value for the side to move.
    pub worth: Worth,
    /// The best moves, as bits of the canonical position.
    pub best: MoveSet,
}

/// A solution of all positions below one.
pub trait Answers: Send + Sync {
    /// The value of the root for the side to move.
    fn worth(&self) -> Worth;

    /// The value of the position of this key for the side to move; `None` if the root does not lead
    /// to it.
    fn worth_of(&self, key: Key) -> Option<Worth>;

    /// Every move of the root, ascending, with its value for the side that makes it, and whether
    /// it is a best one.
    fn moves(&self) -> Vec<(String, Worth, bool)>;

    /// The number of positions.
    fn totals(&self) -> Totals;

    /// Counts per ply, with the values of positions.
    ///
    /// # Errors
    /// If the control asks it to stop.
    fn plies(&self, most: u32, control: &Control) -> Result<Plies, Stopped>;

    /// Hands over every canonical position, in parts.
    fn rows(&self, see: &mut dyn FnMut(Vec<SolvedRow>));
}

/// A solution by the method of a game.
pub(super) struct Answered<G, M, S> {
    solution: S,
    of: PhantomData<(G, M)>,
}

impl<G, M, S> Answered<G, M, S> {
    pub const fn new(solution: S) -> Self {
        Self { solution, of: PhantomData }
    }
}

impl<G, M, S> Answers for Answered<G, M, S>
where
    G: Registered<Key = Key>,
    M: Method<G>,
    S: StrongSolution<G> + Send + Sync,
{
    fn worth(&self) -> Worth {
        self.solution.worth(self.solution.root()).expect("the root is solved")
    }

    fn worth_of(&self, key: Key) -> Option<Worth> {
        self.solution.worth(self.solution.game().position_of(key)?)
    }

    fn moves(&self) -> Vec<(String, Worth, bool)> {
        let (game, root) = (self.solution.game(), self.solution.root());
        let best = self.solution.best(root);
        let values = self.solution.moves(root);
        let bits = values.iter().zip(0..).map(|(&(m, _), ordinal)| game.bit(ordinal, m));
        let is_best: Vec<bool> = bits.map(|bit| best.0 >> bit & 1 == 1).collect();
        let values = values.into_iter().zip(is_best);
        values.map(|((m, worth), best)| (game.write_move(m), worth, best)).collect()
    }

    fn totals(&self) -> Totals {
        self.solution.totals()
    }

    fn plies(&self, most: u32, control: &Control) -> Result<Plies, Stopped> {
        self.solution.plies(most, control)
    }

    fn rows(&self, see: &mut dyn FnMut(Vec<SolvedRow>)) {
        let tier = tiers::<G, M>(self.solution.game());
        self.solution.canonical(&mut |part| {
            let row = |solved: crate::exhaustive::SolvedPosition<G::Position, Worth>| SolvedRow {
                key: solved.key,
                tier: tier(solved.position),
                worth: solved.value,
                best: solved.best,
            };
            see(part.into_iter().map(row).collect());
        });
    }
}
