//! The moves that lead to a position.

use std::hash::Hash;

use rustc_hash::FxHashSet;

use super::{Keyed, branches};

/// The moves of a shortest way from the start to a position; of several, the first in the order of
/// moves.
///
/// # Errors
/// If there is no way, or none was found within a fixed amount of work.
///
/// ```
/// # use everyply_core as everyply;
/// use everyply::game::{Move, shortest_moves};
/// use everyply::games::line::{Standard, notation::parse_moves};
/// let game = Standard::fixed();
/// let position = parse_moves(&game, "4433").unwrap();
/// assert_eq!(shortest_moves(&game, position).unwrap(), [2, 2, 3, 3].map(Move));
/// ```
pub fn shortest_moves<G: Keyed>(game: &G, to: G::Position) -> Result<Vec<G::Move>, Unreached> {
    let start = game.initial();
    let mut plies = game.plies_between(start, to).ok_or(Unreached::NoWay)?;
    let mut search =
        Search { game, to, way: Vec::new(), stuck: Stuck(FxHashSet::default()), cut: false };
    // Longer ways are tried only after all shorter ones.
    while !search.reaches(start, plies)? {
        if !std::mem::take(&mut search.cut) {
            return Err(Unreached::NoWay);
        }
        plies += 1;
    }
    Ok(search.way)
}

/// The reason why [`shortest_moves`] found no way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreached {
    /// Play cannot get there.
    #[error("no game reaches this position")]
    NoWay,
    /// The search gave up.
    #[error("the search for a game that reaches this position gave up")]
    Undecided,
}

/// Dead ends that are remembered before the search gives up. The standard Connect Four board has 7^7
/// vectors of heights, fewer than this; other games can have any number.
const MOST_STUCK: usize = 1 << 20;

/// Dead ends: positions, each with a number of plies in which it does not lead to the target.
struct Stuck<K>(FxHashSet<(K, u32)>);

/// Compiled once for all games of a type of keys.
impl<K: Hash + Eq> Stuck<K> {
    #[inline(never)]
    fn contains(&self, key: K, plies: u32) -> bool {
        self.0.contains(&(key, plies))
    }

    #[inline(never)]
    fn insert(&mut self, key: K, plies: u32) -> Result<bool, Unreached> {
        if self.0.len() >= MOST_STUCK {
            return Err(Unreached::Undecided);
        }
        self.0.insert((key, plies));
        Ok(false)
    }
}

struct Search<'g, G: Keyed> {
    game: &'g G,
    to: G::Position,
    way: Vec<G::Move>,
    stuck: Stuck<G::Key>,
    /// True if more plies may lead to the target.
    cut: bool,
}

impl<G: Keyed> Search<'_, G> {
    /// True if exactly this number of plies leads to the target; `way` then ends with the moves.
    fn reaches(&mut self, from: G::Position, plies: u32) -> Result<bool, Unreached> {
        if from == self.to {
            return Ok(plies == 0);
        }
        let Some(least) = self.game.plies_between(from, self.to) else { return Ok(false) };
        if least.max(1) > plies {
            self.cut = true;
            return Ok(false);
        }
        let key = self.game.key(from);
        if self.game.result(from).is_some() || self.stuck.contains(key, plies) {
            return Ok(false);
        }
        let game = self.game;
        for (_, m, _, next) in branches(game, from) {
            self.way.push(m);
            if self.reaches(next, plies - 1)? {
                return Ok(true);
            }
            self.way.pop();
        }
        self.stuck.insert(key, plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Key, Registered, laws};
    use crate::games::Hexapawn;
    use crate::games::line::{LineGame, Standard, Stones};
    use crate::tests::lines::{drops, mnk};

    #[test]
    fn a_position_that_no_game_reaches_has_no_way() {
        let game = Hexapawn::of_parameters([3, 3, 1]).unwrap();
        // A first player's pawn alone in its second row: what has taken all the others?
        let lone = game.position_of(Key(1 << (32 + 3))).unwrap();
        assert_eq!(shortest_moves(&game, lone), Err(Unreached::NoWay));
        let game = Standard::fixed();
        // Four on top of each other in the first column, and the other side's in the second.
        let towers = Stones { own: 0b1111, other: 0b1111 << 7 };
        assert_eq!(shortest_moves(&game, towers), Err(Unreached::NoWay));
        // A second player's stone at the bottom of every column: there is no first move.
        let floor = Stones { own: 0x0408_1020_4081 << 1, other: 0x0408_1020_4081 };
        assert_eq!(shortest_moves(&game, floor), Err(Unreached::NoWay));
    }

    /// Random games, because late positions have the most ways to them.
    fn leads_back<G: LineGame + crate::game::Notation>(game: &G) {
        laws::random_positions(game, 300, |position: Stones| {
            let way = shortest_moves(game, position).unwrap();
            let played = way.iter().fold(game.initial(), |p, m| game.play(p, *m));
            assert_eq!(played, position);
        });
    }

    #[test]
    fn large_boards_are_quick() {
        leads_back(&Standard::fixed());
        leads_back(&drops(8, 7, 4));
        leads_back(&drops(12, 4, 4));
        leads_back(&mnk(8, 5, 4));
        leads_back(&mnk(6, 6, 6));
    }
}
