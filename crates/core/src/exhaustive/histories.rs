//! Histories: move sequences from a root, and their ends.

use std::ops::AddAssign;

use super::layer::{Layer, PathCounts};
use super::rooted::KeyedRules;
use crate::game::{Outcome, Ply};

/// Finished games by result. The first player is the side to move at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Games {
    pub games: u64,
    pub first_player_wins: u64,
    pub second_player_wins: u64,
    pub draws: u64,
}

impl Games {
    pub(super) const fn new(first: u64, second: u64, draws: u64) -> Self {
        Self {
            games: first.saturating_add(second).saturating_add(draws),
            first_player_wins: first,
            second_player_wins: second,
            draws,
        }
    }

    /// Returns these games with the players of a start `ply` plies before the root, whose side to move
    /// may be the other one. The sides must alternate.
    #[must_use]
    pub const fn after(mut self, ply: Ply) -> Self {
        if ply.is_second_players_turn() {
            std::mem::swap(&mut self.first_player_wins, &mut self.second_player_wins);
        }
        self
    }
}

impl AddAssign for Games {
    fn add_assign(&mut self, more: Self) {
        let add = |a: &mut u64, b: u64| *a = a.saturating_add(b);
        add(&mut self.games, more.games);
        add(&mut self.first_player_wins, more.first_player_wins);
        add(&mut self.second_player_wins, more.second_player_wins);
        add(&mut self.draws, more.draws);
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyHistories {
    /// All histories of this length: perft.
    pub nodes: u64,
    pub games: Games,
}

impl PlyHistories {
    /// Counts the histories that end in a position with this result.
    #[inline]
    pub(super) fn ending(result: Option<Outcome>, [same, other]: PathCounts) -> Self {
        let games = match result {
            None => Games::default(),
            Some(Outcome::Win) => Games::new(same, other, 0),
            Some(Outcome::Loss) => Games::new(other, same, 0),
            Some(Outcome::Draw) => Games::new(0, 0, same.saturating_add(other)),
        };
        Self { nodes: same.saturating_add(other), games }
    }

    /// Counts the histories that end in the positions of a layer.
    pub(super) fn of(rules: &dyn KeyedRules, layer: &Layer) -> Self {
        let parts = layer.map_slots(&|slots| {
            let mut sum = Self::default();
            for (slot, key) in layer.keys.iter_in(slots) {
                sum += Self::ending(rules.result(key), layer.histories(slot));
            }
            sum
        });
        let mut sum = Self::default();
        parts.into_iter().for_each(|part| sum += part);
        sum
    }
}

impl AddAssign for PlyHistories {
    fn add_assign(&mut self, more: Self) {
        self.nodes = self.nodes.saturating_add(more.nodes);
        self.games += more.games;
    }
}

/// Histories below a root, by length; the end of the game ends a history. 2^64 - 1 means that
/// number or more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histories {
    pub(super) plies: Vec<PlyHistories>,
}

impl Histories {
    /// Returns the table; index i is i plies below the root.
    pub fn plies(&self) -> &[PlyHistories] {
        &self.plies
    }

    fn sum(&self) -> PlyHistories {
        let mut sum = PlyHistories::default();
        self.plies.iter().for_each(|ply| sum += *ply);
        sum
    }

    /// Counts all histories, the root included.
    pub fn nodes(&self) -> u64 {
        self.sum().nodes
    }

    pub fn games(&self) -> Games {
        self.sum().games
    }
}
