//! The position graph of a game that ends: every position that a root leads to, once.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::error::SolveError;
use super::fold::Fold;
use super::layer::{Layer, ROOT, ended};
use super::plies::{Plies, add_children};
use crate::control::Control;
use crate::game::{Key, MOST_PLIES_LEFT, Ply, Symmetric, Tiered, Unsuited, check_moves};

/// The positions a root leads to, tier by tier, up to the symmetries that leave the root
/// unchanged.
///
/// A tier has all positions with the same [number of plies left](Tiered::plies_left). A move leads
/// to a later tier, so tiers are found from the root's on, each in parallel. If every move leaves
/// one ply less, as in games that place stones, a tier is a ply.
pub struct PositionGraph<G: Symmetric> {
    pub(super) game: G,
    pub(super) root: G::Position,
    pub(super) fold: Fold,
    /// The root's tier first.
    pub(super) tiers: Vec<Layer>,
    /// Counts per ply without outcomes, if tiers are plies.
    pub(super) plies: Option<Plies>,
}

impl<G: Symmetric> std::fmt::Debug for PositionGraph<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PositionGraph").field("game", &self.game).finish_non_exhaustive()
    }
}

impl<G: Symmetric<Key = Key> + Tiered> PositionGraph<G> {
    pub const BYTES_PER_POSITION: u64 = Layer::BYTES_PER_POSITION;

    /// Checks that a game fits: its sets of moves and its bound of plies. How long best play is
    /// shows only when the game is solved.
    pub fn check(game: &G, root: G::Position) -> Result<(), Unsuited> {
        check_moves(game)?;
        match game.plies_left(root) {
            0..=MOST_PLIES_LEFT => Ok(()),
            more => Err(Unsuited::Plies(more)),
        }
    }

    /// Finds every position that the root leads to, `most` of them at most.
    pub(super) fn build(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        Self::check(&game, root)?;
        let fold = Fold::of(&game, root);
        let left = game.plies_left(root);
        let mut tiers: Vec<Layer> = (0..=left).map(|_| Layer::with_room_for(0)).collect();
        tiers[0].add(fold.apply(&game, root).0, ROOT, &|| ended(&game, root));
        let skips = AtomicBool::new(false);
        let mut plies = Plies { complete: true, ..Plies::default() };
        let first = first_ply(&game, root);
        let mut kept = 0;
        control.start(0);
        for tier in 0..tiers.len() {
            let (found, later) = tiers.split_at_mut(tier + 1);
            let from = &found[tier];
            if from.len() == 0 {
                continue;
            }
            kept += from.len() as u64;
            // Neighbouring tiers have similar sizes, so room for as many positions is a good start.
            if let Some(next) = later.first_mut().filter(|next| next.len() == 0) {
                *next = Layer::with_room_for(from.len());
            }
            if !skips.load(Relaxed) {
                plies.add(&game, &fold, from, first, control)?;
            }
            let place = |child: G::Position| {
                let skipped = left as usize - tier - 1 - game.plies_left(child) as usize;
                if skipped > 0 {
                    skips.store(true, Relaxed);
                }
                skipped
            };
            let room = most.saturating_sub(kept);
            match add_children(&game, &fold, from, later, place, room, control) {
                Err(SolveError::Positions(_)) => return Err(SolveError::Positions(most)),
                added => added?,
            }
            found[tier].forget_histories();
        }
        let plies = (!skips.into_inner()).then_some(plies);
        while tiers.last().is_some_and(|tier| tier.len() == 0) {
            tiers.pop();
        }
        Ok(Self { game, root, fold, tiers, plies })
    }

    pub(super) fn position(&self, key: Key) -> G::Position {
        self.game.position_of(key).expect("only keys of positions are kept")
    }

    /// The tier and slot of a position; `None` if the root does not lead to the position.
    #[inline]
    pub(super) fn place(&self, position: G::Position) -> Option<(usize, usize)> {
        let tier = self.tier(position)?;
        let slot = self.tiers.get(tier)?.slot(self.fold.apply(&self.game, position).0)?;
        Some((tier, slot))
    }

    #[inline(always)]
    pub(super) fn tier(&self, position: G::Position) -> Option<usize> {
        let left = self.game.plies_left(self.root);
        left.checked_sub(self.game.plies_left(position)).map(|tier| tier as usize)
    }

    pub(super) fn kept(&self) -> u64 {
        Layer::total(&self.tiers)
    }
}

/// The ply of a root if each move leaves one ply less: the number of moves since the start.
pub(super) fn first_ply<G: Tiered>(game: &G, root: G::Position) -> Ply {
    let played = game.plies_left(game.initial()).saturating_sub(game.plies_left(root));
    Ply(u8::try_from(played).unwrap_or(u8::MAX))
}
