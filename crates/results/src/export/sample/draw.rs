//! Draws of positions: by random games, or each position as likely as any other.

use std::collections::{BTreeMap, BinaryHeap};

use super::super::positions::{ExportError, Ranges};
use everyply_core::control::Control;
use everyply_core::game::{Key, PartialValue, Ply, Remoteness};
use everyply_core::random::Random;
use everyply_registry::registry::{GameLength, Position, RandomGames};

/// A choice of positions at random.
#[derive(Clone, Debug)]
pub struct Draw {
    pub number: usize,
    /// True for so many of each ply.
    pub per_ply: bool,
    /// Plies; `None` for all.
    pub plies: Option<Ranges>,
    /// The seed: the same one draws the same positions.
    pub seed: u64,
}

/// The positions to draw from.
pub enum DrawFrom {
    /// Positions that random games reach: early ones are more frequent than late ones.
    RandomGames,
    /// All positions below the root, each as likely; at most so many are solved.
    Solved(u64),
}

impl DrawFrom {
    /// The positions in words.
    pub(super) const fn words(&self) -> &'static str {
        match self {
            Self::RandomGames => "random games",
            Self::Solved(_) => "all positions, each as likely",
        }
    }
}

/// A position that was drawn: the canonical one of its images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drawn {
    pub ply: Ply,
    pub key: Key,
}

/// Plies of a random game without tiers.
const ENDLESS: u32 = 64;

impl Draw {
    /// The most positions: their keys are in memory.
    pub const MOST: usize = 10_000_000;

    /// Draws positions below a root that are not over, each once up to symmetry, by ply and key.
    ///
    /// # Errors
    /// [`ExportError::TooFew`] if so many are not found; if the control asks it to stop, or the
    /// positions to draw from cannot be solved or read.
    pub(super) fn draw(
        &self,
        root: &dyn Position,
        from: &DrawFrom,
        control: &Control,
    ) -> Result<Vec<Drawn>, ExportError> {
        let mut drawn = match from {
            DrawFrom::RandomGames => self.by_random_games(root, control)?,
            DrawFrom::Solved(most) => {
                let solved = root.solve(*most, control)?;
                let mut lots = Lots::new(self);
                // What numbers its positions numbers some that no play reaches.
                let is_numbered = !root.ranked_tiers().is_empty();
                let is_reached = |key| {
                    !is_numbered
                        || root.of_key(key).is_some_and(|position| position.check_reached().is_ok())
                };
                solved.rows(&mut |rows| {
                    let rows = rows.into_iter().filter(|row| is_reached(row.key));
                    rows.for_each(|row| lots.offer(row.ply, row.key, row.value));
                });
                lots.drawn(self.plies_of(root))?
            }
        };
        drawn.sort_unstable();
        Ok(drawn)
    }

    /// The plies to draw from that games below the root have; one for play without tiers.
    fn plies_of(&self, root: &dyn Position) -> Vec<u8> {
        let first = root.tier().0;
        let left = root.plies_left().filter(|_| root.info().has_tiers).unwrap_or(1);
        let plies = (first..=u8::MAX).take(left as usize);
        plies.filter(|ply| self.plies.as_ref().is_none_or(|plies| plies.contains(*ply))).collect()
    }

    fn by_random_games(
        &self,
        root: &dyn Position,
        control: &Control,
    ) -> Result<Vec<Drawn>, ExportError> {
        let mut games = RandomGames::new(root, self.seed, true);
        let mut drawn = Vec::new();
        let mut see = |position: &dyn Position| {
            let (key, _) = position.canonical().expect("keys of 64 bits, as was checked");
            drawn.push(Drawn { ply: position.tier(), key });
        };
        let plies = self.plies_of(root);
        let moves: Vec<u32> = (0..ENDLESS).collect();
        let lengths: Vec<(GameLength<'_>, Option<u8>)> = match (root.info().has_tiers, self.per_ply)
        {
            (false, _) => vec![(GameLength::Moves(&moves), None)],
            (true, _) if plies.is_empty() => return Err(self.too_few(0, None, false)),
            (true, false) => vec![(GameLength::Tiers(&plies), None)],
            (true, true) => plies
                .iter()
                .map(|ply| (GameLength::Tiers(std::slice::from_ref(ply)), Some(*ply)))
                .collect(),
        };
        for (length, ply) in lengths {
            let found = games.find(self.number, length, control, &mut see)?;
            if found < self.number {
                return Err(self.too_few(found, ply, false));
            }
        }
        Ok(drawn)
    }

    fn too_few(&self, found: usize, ply: Option<u8>, are_all: bool) -> ExportError {
        ExportError::TooFew { wanted: self.number, found, ply, are_all }
    }
}

/// The positions with the lowest lots among those offered, in whatever order they come.
struct Lots<'d> {
    draw: &'d Draw,
    /// For each ply, or for all of them together.
    lowest: BTreeMap<Option<u8>, BinaryHeap<(u64, Drawn)>>,
}

impl<'d> Lots<'d> {
    const fn new(draw: &'d Draw) -> Self {
        Self { draw, lowest: BTreeMap::new() }
    }

    /// Offers a position, unless it is over.
    fn offer(&mut self, ply: Ply, key: Key, value: PartialValue) {
        let is_wanted = self.draw.plies.as_ref().is_none_or(|plies| plies.contains(ply.0));
        if !is_wanted || value.remoteness == Some(Remoteness(0)) {
            return;
        }
        let heap = self.lowest.entry(self.draw.per_ply.then_some(ply.0)).or_default();
        heap.push((Random::lot(self.draw.seed, key.0), Drawn { ply, key }));
        if heap.len() > self.draw.number {
            heap.pop();
        }
    }

    fn drawn(mut self, plies: Vec<u8>) -> Result<Vec<Drawn>, ExportError> {
        let parts = match self.draw.per_ply {
            true => plies.into_iter().map(Some).collect(),
            false => vec![None],
        };
        let mut drawn = Vec::new();
        for part in parts {
            let lowest = self.lowest.remove(&part).unwrap_or_default();
            if lowest.len() < self.draw.number {
                return Err(self.draw.too_few(lowest.len(), part, true));
            }
            drawn.extend(lowest.into_iter().map(|(_, drawn)| drawn));
        }
        Ok(drawn)
    }
}
