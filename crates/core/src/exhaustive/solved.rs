//! Solved positions, and counts of them.

use dashmap::DashSet;
use rustc_hash::FxBuildHasher;

use super::histories::PlyHistories;
use super::layer::Layer;
use super::rooted::{KeyedRules, Orbit};
use crate::game::{Key, MoveSet, Outcome, PartialValue};

/// The numbers of positions that a root leads to, each counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub positions: u64,
    pub canonical: u64,
    pub terminal: u64,
    pub wins: u64,
    /// Drawn positions, endless play included.
    pub draws: u64,
    /// Positions drawn by endless play.
    pub endless: u64,
    pub losses: u64,
    /// Positions up to symmetry that are won for the side to move.
    pub canonical_wins: u64,
    /// Positions up to symmetry that are lost for the side to move.
    pub canonical_losses: u64,
}

impl Totals {
    /// Counts the positions of a layer, all images of the kept ones included, and the histories
    /// that end in them, if the layer counts these. `value` gets a kept key and its slot; a
    /// position without a value counts as neither won, drawn nor lost.
    pub(super) fn of(
        rules: &dyn KeyedRules,
        layer: &Layer,
        value: &(dyn Fn(Key, usize) -> Option<PartialValue> + Sync),
    ) -> (Self, PlyHistories) {
        let met = DashSet::with_hasher(FxBuildHasher);
        let sums = layer.map_slots(&|slots| {
            let (mut sum, mut histories) = (Self::default(), PlyHistories::default());
            // A `for` loop would call the filter of the keys once a slot.
            layer.keys.iter_in(slots).for_each(|(slot, key)| {
                let Orbit { result, positions, canonical } = rules.orbit(key);
                // Images of one position that the root leads to count once.
                let is_new = canonical.is_none_or(|key| met.insert(key));
                histories += PlyHistories::ending(result, layer.histories(slot));
                let value = value(key, slot);
                let outcome = value.map(|value| value.outcome);
                let counted = |counts: bool| if counts { positions } else { 0 };
                let once = |counts: bool| u64::from(is_new && counts);
                sum = sum.plus(Self {
                    positions,
                    canonical: once(true),
                    terminal: counted(result.is_some()),
                    wins: counted(outcome == Some(Outcome::Win)),
                    draws: counted(outcome == Some(Outcome::Draw)),
                    endless: counted(value == Some(PartialValue::ENDLESS)),
                    losses: counted(outcome == Some(Outcome::Loss)),
                    canonical_wins: once(outcome == Some(Outcome::Win)),
                    canonical_losses: once(outcome == Some(Outcome::Loss)),
                });
            });
            (sum, histories)
        });
        let (mut totals, mut histories) = (Self::default(), PlyHistories::default());
        for (part, ending) in sums {
            totals = totals.plus(part);
            histories += ending;
        }
        (totals, histories)
    }

    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            canonical: self.canonical + other.canonical,
            terminal: self.terminal + other.terminal,
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            endless: self.endless + other.endless,
            losses: self.losses + other.losses,
            canonical_wins: self.canonical_wins + other.canonical_wins,
            canonical_losses: self.canonical_losses + other.canonical_losses,
        }
    }
}

/// The key of a canonical position, with its value.
pub type ValuedKey = (Key, PartialValue);

/// A solved position of any game, by key: sorting is compiled once for all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedKey {
    pub key: Key,
    pub value: PartialValue,
    /// The bits of the moves that attain the value or, if play is endless, a draw; empty if the
    /// game is over.
    pub best: MoveSet,
    /// The plies left at the root, less the plies left here; 0 if play may be endless.
    pub tier: u32,
}
