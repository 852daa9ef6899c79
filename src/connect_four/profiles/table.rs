//! The values of all positions of a board, in memory.

use std::sync::Arc;

use rayon::prelude::*;

use super::board::{Board, Geometry, Profile};
use super::code::Codes;
use super::counts::{Counts, Extent, run_plan};
use super::lane::Lane;
use super::making::{Maker, PassError};
use super::memory::Memory;
use super::run::Run;
use super::storage::{Lanes, Storage, StorageError};
use super::tier::{Cut, Tier};
use super::unit::{Content, Unit};
use crate::control::Control;
use crate::game::{Keyed, Outcome, Ply, Remoteness, Value};
use crate::games::line::{LineGame, Stones};

/// Every reachable position of a board with its value, for boards whose codes fit in memory.
#[derive(Debug)]
pub struct Table<'a> {
    board: &'a Board,
    codes: Codes,
    counts: Counts,
    /// By ply, from the first: the positions and the codes.
    tiers: Vec<(Tier, Arc<Lanes>, Arc<Lanes>)>,
}

impl<'a> Table<'a> {
    /// Computes the values of a board and keeps them.
    ///
    /// # Errors
    /// If the control stops it or there is not enough memory.
    pub fn new(board: &'a Board, control: &Control) -> Result<Self, PassError> {
        // A tier is one unit.
        let storage = Memory::with_cut(Cut { lanes: usize::MAX, profiles: false });
        let extent = Extent::WholeWithValues;
        let plan = extent.plan(board, &storage);
        let maker = Maker { plan: &plan, storage: &storage, control };
        let counts = run_plan(&Run { maker, harvest: None, keep: true }, extent)?;
        let array = |content, ply| {
            let unit = Unit { content, ply: Ply(ply as u8), number: 0 };
            storage.shared(unit)?.ok_or(StorageError::Missing { unit })
        };
        let tier = |tier: Tier| {
            let non_terminal = array(Content::NonTerminal, tier.ply)?;
            let values = array(Content::Values, tier.ply)?;
            Ok((tier, non_terminal, values))
        };
        let tiers =
            plan.tiers.clone().into_iter().map(tier).collect::<Result<_, StorageError>>()?;
        Ok(Self { board, codes: Codes::new(board.size()), counts, tiers })
    }

    /// What was counted on the way.
    #[must_use]
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The value of a position; `None` if it is not reachable.
    #[must_use]
    pub fn value(&self, position: Stones) -> Option<Value> {
        let game = self.board.game();
        let ply = usize::from(position.ply().0);
        if game.position_of(game.key(position)) != Some(position) {
            return None;
        }
        let (profile, bits) = self.board.canonical_index(position);
        if game.lines().is_complete(position.other) {
            let mut before =
                game.last_moves(position).into_iter().map(|m| game.take_back(position, m));
            let reached = before.any(|before| {
                let (profile, bits) = self.board.canonical_index(before);
                self.is_alive(ply - 1, profile, bits)
            });
            return reached.then_some(Value::new(Outcome::Loss, Remoteness(0)));
        }
        self.is_alive(ply, profile, bits).then(|| {
            let (tier, _, values) = self.tiers.get(ply).expect("a tier for every ply");
            let planes = self.codes.planes();
            let (lane, bit) = self.place(profile, bits);
            let array = &values[(tier.profile(profile).start + lane) * planes..][..planes];
            self.codes.value(Ply(ply as u8), code_at(array, bit))
        })
    }

    /// Calls `visit`, on all threads and in no order, with every non-terminal position of a
    /// ply (full boards without a line among them), and its value. Of two positions that are mirror
    /// images of one another at least one is visited.
    pub fn visit(&self, ply: Ply, visit: impl Fn(Stones, Value) + Sync) {
        let Some((tier, non_terminal, values)) = self.tiers.get(ply.index()) else { return };
        let (board, planes) = (self.board, self.codes.planes());
        tier.profiles.par_iter().for_each(|&profile| {
            let geometry = Geometry::new(board, profile);
            let (n, block, ones) = (geometry.n, geometry.block, geometry.ones());
            let lanes = tier.profile(profile);
            let codes = &values[lanes.start * planes..lanes.end * planes];
            let codes = codes.par_chunks_exact(planes);
            let lanes = non_terminal[lanes].par_iter().zip(codes).enumerate();
            lanes.for_each(|(i, (non_terminal, planes))| {
                for (word, mut left) in non_terminal.0.into_iter().enumerate() {
                    while left != 0 {
                        let bit = word as u32 * 64 + left.trailing_zeros();
                        left &= left - 1;
                        let (table, sizes) = (&board.binomials, &board.sizes);
                        let colouring = sizes.colouring(table, block, n, ones, (i, bit));
                        let value = self.codes.value(ply, code_at(planes, bit));
                        visit(board.position(profile, colouring), value);
                    }
                }
            });
        });
    }

    fn place(&self, profile: Profile, bits: u64) -> (usize, u32) {
        let Geometry { n, block, .. } = Geometry::new(self.board, profile);
        self.board.sizes.locate(&self.board.binomials, block, n, bits)
    }

    fn is_alive(&self, ply: usize, profile: Profile, bits: u64) -> bool {
        let (tier, non_terminal, _) = &self.tiers[ply];
        let (lane, bit) = self.place(profile, bits);
        bit_at(&non_terminal[tier.profile(profile).start + lane], bit) == 1
    }
}

/// A bit of a lane.
pub(super) const fn bit_at(lane: &Lane, bit: u32) -> u8 {
    (lane.0[bit as usize / 64] >> (bit % 64) & 1) as u8
}

/// The code at a bit place of the planes of a lane.
pub(super) fn code_at(planes: &[Lane], bit: u32) -> u8 {
    planes.iter().rev().fold(0, |code, plane| code << 1 | bit_at(plane, bit))
}
