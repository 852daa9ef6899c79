//! The values of all positions below one, of a game of any type.

use super::native_only;
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{Plies, Solution, SolvedKey, Totals, ValuedKey};
use everyply_core::game::{
    Game, Key, MoveSet, PartialValue, Ply, PositionRow, Registered, Symmetric, branches,
};

/// The values of a root and of all positions that it leads to.
pub trait SolvedGame: Send + Sync {
    /// Returns the value of the root for the side to move.
    fn value(&self) -> PartialValue;

    /// Returns the value of the position of this key for the side to move; `None` if the root does
    /// not lead to it.
    fn value_of(&self, key: Key) -> Option<PartialValue>;

    /// Returns the final points of the position of this key for the side to move if both sides play
    /// for points; `None` if the game counts none, or the root does not lead to the position.
    fn points_of(&self, key: Key) -> Option<i32>;

    /// Returns every move of the root, ascending, with its value for the side that makes it, and
    /// true if it is a best one.
    fn moves(&self) -> Vec<(String, PartialValue, bool)>;

    /// Returns the number of positions.
    fn totals(&self) -> Totals;

    /// Counts per ply, with the values of positions.
    fn plies(&self, most: u32, control: &Control) -> Result<Plies, Stopped>;

    /// Hands over every canonical position, in parts.
    fn rows(&self, see: &mut dyn FnMut(Vec<PositionRow>));

    /// Hands over the value of every canonical position, by ascending key, in parts.
    fn values(&self, see: &mut dyn FnMut(&[ValuedKey]));
}

/// The tiers of a game as a database counts them: from the start of the game that its parameters
/// name, which is one for all games that share its positions.
pub(super) struct Tiers<G: Game> {
    /// A number of plies within which a game ends; `None` if play may be endless.
    plies_left: Option<fn(&G, G::Position) -> u32>,
    /// The plies of the longest game; 0 if play may be endless, or if the bound is beyond the tiers of a
    /// database: then all positions are of tier 0.
    pub longest: u32,
}

impl<G: Game> Clone for Tiers<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Tiers<G> {}

impl<G: Registered> Tiers<G> {
    /// The last tier of a database.
    const LAST: u32 = 63;

    pub fn new(game: &G, plies_left: Option<fn(&G, G::Position) -> u32>) -> Self {
        let named = G::of_parameters(game.parameters()).unwrap_or_else(|_| game.clone());
        let longest = plies_left.map_or(0, |left| left(&named, named.initial()));
        let longest = if longest <= Self::LAST { longest } else { 0 };
        Self { plies_left, longest }
    }

    pub fn plies_left(&self, game: &G, position: G::Position) -> Option<u32> {
        self.plies_left.map(|left| left(game, position))
    }

    pub fn of(&self, game: &G, position: G::Position) -> Ply {
        let left = self.plies_left(game, position).unwrap_or(0);
        Ply(u8::try_from(self.longest.saturating_sub(left)).unwrap_or(u8::MAX))
    }
}

/// A solution of a game of a known type.
pub(super) struct Solved<G: Symmetric> {
    pub solution: Solution<G>,
    pub tiers: Tiers<G>,
}

impl<G: Registered<Key = Key>> Solved<G> {
    fn row(&self, &SolvedKey { key, value, best }: &SolvedKey) -> PositionRow {
        let position = self.solution.game().position_of(key).expect("a key of the solution");
        let best = self.best_for_points(position).unwrap_or(best);
        let ply = self.tiers.of(self.solution.game(), position);
        PositionRow { key, ply, value, best: Some(best) }
    }

    /// Returns the moves of a position with the most points for the side that makes them; `None` in
    /// games that count none.
    fn best_for_points(&self, position: G::Position) -> Option<MoveSet> {
        if !G::COUNTS_POINTS {
            return None;
        }
        let game = self.solution.game();
        if game.result(position).is_some() {
            return Some(MoveSet::EMPTY);
        }
        let (mut best, mut most) = (MoveSet::EMPTY, i32::MIN);
        for (bit, _, keeps_turn, child) in branches(game, position) {
            let points = self.solution.points(child)?;
            let points = if keeps_turn { points } else { -points };
            if points > most {
                (best, most) = (MoveSet::EMPTY, points);
            }
            if points == most {
                best.0 |= 1 << bit;
            }
        }
        Some(best)
    }
}

impl<G: Registered<Key = Key>> SolvedGame for Solved<G> {
    fn value(&self) -> PartialValue {
        self.solution.value(self.solution.root()).expect("the root is solved")
    }

    fn value_of(&self, key: Key) -> Option<PartialValue> {
        self.solution.value(self.solution.game().position_of(key)?)
    }

    fn points_of(&self, key: Key) -> Option<i32> {
        self.solution.points(self.solution.game().position_of(key)?)
    }

    fn moves(&self) -> Vec<(String, PartialValue, bool)> {
        let (game, root) = (self.solution.game(), self.solution.root());
        let (best, mut moves) = (self.solution.best(root), Vec::new());
        for (bit, m, value) in self.solution.moves(root) {
            moves.push((game.write_move(m), value, best.has(bit)));
        }
        moves
    }

    fn totals(&self) -> Totals {
        self.solution.totals()
    }

    fn plies(&self, most: u32, control: &Control) -> Result<Plies, Stopped> {
        self.solution.plies(most, control)
    }

    fn rows(&self, see: &mut dyn FnMut(Vec<PositionRow>)) {
        native_only();
        self.solution.canonical(&mut |part| {
            let mut rows = Vec::with_capacity(part.len());
            for solved in part {
                rows.push(self.row(solved));
            }
            see(rows);
        });
    }

    fn values(&self, see: &mut dyn FnMut(&[ValuedKey])) {
        native_only();
        self.solution.values(see);
    }
}
