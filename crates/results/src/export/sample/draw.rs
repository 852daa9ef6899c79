//! Draws of positions: by random games, or uniformly.

use std::collections::{BTreeMap, BinaryHeap};

use super::super::positions::{ExportError, Ranges};
use everyply_core::control::Control;
use everyply_core::exhaustive::SolveError;
use everyply_core::game::{Key, Ply, Remoteness};
use everyply_core::random::Random;
use everyply_registry::registry::{GameLength, Position, RandomGames};

/// A choice of positions at random.
#[derive(Clone, Debug)]
pub struct Draw {
    pub number: usize,
    /// True to draw `number` of each ply.
    pub per_ply: bool,
    /// Plies; `None` for all.
    pub plies: Option<Ranges>,
    /// The seed: equal seeds draw equal positions.
    pub seed: u64,
    /// The most positions solved for a uniform draw; `None` for a draw by random games, which reach
    /// early positions more frequently than late ones.
    pub uniform: Option<u64>,
}

/// A position that was drawn: the canonical one of its images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drawn {
    pub ply: Ply,
    pub key: Key,
}

/// Plies of a random game without tiers.
const ENDLESS: u32 = 64;

/// Positions with the lowest lots, by ply or, by `None`, of all plies together.
type Lots = BTreeMap<Option<u8>, BinaryHeap<(u64, Drawn)>>;

impl Draw {
    /// The most positions: their keys are in memory.
    pub const MOST: usize = 10_000_000;

    /// Draws positions below a root that are not over, each once up to symmetry, by ply and key.
    ///
    /// # Errors
    /// [`ExportError::TooFew`] if fewer are found; if the control asks to stop, or the positions to
    /// draw from cannot be solved or read.
    pub(super) fn draw(
        &self,
        root: &dyn Position,
        control: &Control,
    ) -> Result<Vec<Drawn>, ExportError> {
        let has_tiers = root.info().has_tiers;
        let left = root.plies_left().filter(|_| has_tiers).unwrap_or(1);
        let plies = (root.tier().0..=u8::MAX).take(left as usize);
        let plies: Vec<u8> = plies.filter(|ply| self.wants(*ply)).collect();
        let moves: Vec<u32> = (0..ENDLESS).collect();
        let mut parts: Vec<(Option<u8>, GameLength<'_>)> = match has_tiers {
            false => vec![(None, GameLength::Moves(&moves))],
            true => vec![(None, GameLength::Tiers(&plies))],
        };
        if has_tiers && self.per_ply && !plies.is_empty() {
            let each = plies.chunks(1);
            parts = each.map(|ply| (Some(ply[0]), GameLength::Tiers(ply))).collect();
        }
        let mut lots = self.uniform.map(|most| self.lots(root, most, control)).transpose()?;
        let mut games = RandomGames::new(root, self.seed, true);
        let mut drawn = Vec::new();
        for (ply, length) in parts {
            let found = match &mut lots {
                Some(lots) => {
                    let lowest = lots.remove(&ply).unwrap_or_default();
                    let found = lowest.len();
                    drawn.extend(lowest.into_iter().map(|(_, drawn)| drawn));
                    found
                }
                None if has_tiers && plies.is_empty() => 0,
                None => games.find(self.number, length, control, &mut |position| {
                    let (key, _) = position.canonical().expect("keys of 64 bits, as was checked");
                    drawn.push(Drawn { ply: position.tier(), key });
                })?,
            };
            if found < self.number {
                let (wanted, are_all) = (self.number, lots.is_some());
                return Err(ExportError::TooFew { wanted, found, ply, are_all });
            }
        }
        drawn.sort_unstable();
        Ok(drawn)
    }

    fn wants(&self, ply: u8) -> bool {
        self.plies.as_ref().is_none_or(|plies| plies.contains(ply))
    }

    /// Solves all positions below a root, and draws lots among those that are not over.
    fn lots(&self, root: &dyn Position, most: u64, control: &Control) -> Result<Lots, SolveError> {
        let per_ply = self.per_ply && root.info().has_tiers;
        // A game that numbers its positions numbers some that no play reaches.
        let is_numbered = !root.ranked_tiers().is_empty();
        let is_reached = |key| {
            !is_numbered
                || root.of_key(key).is_some_and(|position| position.check_reached().is_ok())
        };
        let mut lots = Lots::new();
        root.rows(&root.solve(most, control)?, &mut |rows| {
            for row in rows {
                let is_over = row.value.remoteness == Some(Remoteness(0));
                if is_over || !self.wants(row.ply.0) || !is_reached(row.key) {
                    continue;
                }
                let lowest = lots.entry(per_ply.then_some(row.ply.0)).or_default();
                let drawn = Drawn { ply: row.ply, key: row.key };
                lowest.push((Random::lot(self.seed, row.key.0), drawn));
                if lowest.len() > self.number {
                    lowest.pop();
                }
            }
        });
        Ok(lots)
    }
}
