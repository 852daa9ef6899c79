//! The plan of a board: its tiers cut into units, and the inputs of each unit.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::board::{Board, Profile};
use super::code::Codes;
use super::piece::{Direction, Geometry, InputPiece, Neighbour, Piece};
use super::unit::{Content, Cut, Unit};
use everyply_core::game::Ply;
use everyply_core::games::ranks::subset;

/// The units of a board and their dependencies.
///
/// Every tier is cut into units. The positions of a unit are found from units of the tier before,
/// its values from its positions and from the values of the tier after it, and its packed chunks
/// from both. The same board and [`Cut`] always give the same plan.
#[derive(Debug)]
pub struct Plan<'a> {
    pub(super) board: &'a Board,
    pub(super) tiers: Vec<Tier>,
}

impl<'a> Plan<'a> {
    /// Makes the plan of the plies up to a limit.
    pub fn new(board: &'a Board, cut: Cut, plies: usize) -> Self {
        let profiles = board.canonical_profiles().take(plies.min(board.cells()) + 1);
        let tier = |(ply, profiles)| Tier::new(board, cut, ply, profiles);
        Self { board, tiers: profiles.enumerate().map(tier).collect() }
    }

    pub fn last_ply(&self) -> Ply {
        Ply((self.tiers.len() - 1) as u8)
    }

    /// Returns the units of a content and a ply, in order.
    pub fn units(&self, content: Content, ply: Ply) -> impl Iterator<Item = Unit> + use<> {
        let units = self.tiers.get(ply.index()).map_or(0, Tier::units);
        (0..units as u32).map(move |number| Unit { content, ply, number })
    }

    /// Returns the number of bits per colouring in a unit of this content.
    pub(super) fn planes(&self, content: Content) -> usize {
        match content {
            Content::Values => Codes::new(self.board.size()).planes(),
            _ => 1,
        }
    }

    /// Returns the bytes of the array of a unit, before compression.
    pub fn bytes(&self, unit: Unit) -> u64 {
        let lanes = self.tiers[unit.ply.index()].unit(unit.number as usize).len();
        (lanes * self.planes(unit.content) * size_of::<super::Lane>()) as u64
    }

    /// Returns the units that a unit is made from, ascending.
    pub fn inputs(&self, unit: Unit) -> Vec<Unit> {
        let ply = unit.ply.index();
        let other = |content, ply: usize, number| Unit { content, ply: Ply(ply as u8), number };
        let neighbours = |content, direction, ply: usize| {
            let tier = &self.tiers[ply];
            let mut numbers = vec![0];
            if tier.units() > 1 {
                let range = |input: InputPiece| tier.range(self.board, &input.stored);
                let ranges = self.input_pieces(unit, direction).map(range);
                numbers = ranges.flat_map(|range| tier.units_of(&range)).collect();
                numbers.sort_unstable();
                numbers.dedup();
            }
            numbers.into_iter().map(move |number| other(content, ply, number as u32))
        };
        let mut inputs = Vec::new();
        match unit.content {
            Content::NonTerminal if ply == 0 => {}
            Content::NonTerminal => {
                inputs.extend(neighbours(Content::NonTerminal, Direction::Before, ply - 1));
            }
            Content::Values => {
                inputs.push(Unit { content: Content::NonTerminal, ..unit });
                if ply + 1 < self.tiers.len() {
                    inputs.extend(neighbours(Content::Values, Direction::After, ply + 1));
                }
            }
            Content::Packed | Content::Verified => {
                let tier = &self.tiers[ply];
                let packed = self.packed(unit.ply, self.chunks(unit));
                let lanes = packed.map(|packed| packed.lanes_of_tier(self.board, tier));
                let units = lanes.reduce(|all, next| all.start..next.end);
                let units = units.map_or(0..0, |lanes| tier.units_of(&lanes));
                for content in [Content::NonTerminal, Content::Values] {
                    inputs.extend(units.clone().map(|number| other(content, ply, number as u32)));
                }
            }
        }
        inputs
    }

    /// Returns the most lanes in memory at a time while positions are counted, with `at_once` units
    /// in parallel: each unit is discarded after its last reader is made.
    pub(super) fn counting_lanes(&self, at_once: usize) -> usize {
        let lanes = |unit: Unit| self.tiers[unit.ply.index()].unit(unit.number as usize).len();
        let mut live = self.tiers[0].lanes();
        let mut most = live;
        for ply in 1..self.tiers.len() {
            let units: Vec<Unit> = self.units(Content::NonTerminal, Ply(ply as u8)).collect();
            let inputs: Vec<Vec<Unit>> = units.iter().map(|&unit| self.inputs(unit)).collect();
            let mut readers = vec![0; self.tiers[ply - 1].units()];
            inputs.iter().flatten().for_each(|input| readers[input.number as usize] += 1);
            for (units, inputs) in units.chunks(at_once).zip(inputs.chunks(at_once)) {
                live += units.iter().map(|&unit| lanes(unit)).sum::<usize>();
                most = most.max(live);
                for &input in inputs.iter().flatten() {
                    let left = &mut readers[input.number as usize];
                    *left -= 1;
                    live -= if *left == 0 { lanes(input) } else { 0 };
                }
            }
        }
        most
    }

    /// Returns the inputs of the pieces of a unit from the tier before or after it.
    pub(super) fn input_pieces(
        &self,
        unit: Unit,
        direction: Direction,
    ) -> impl Iterator<Item = InputPiece> {
        let tier = &self.tiers[unit.ply.index()];
        let pieces = &tier.pieces[tier.pieces_of(unit.number as usize)];
        pieces.iter().flat_map(move |piece| {
            let geometry = Geometry::new(self.board, piece.profile);
            let neighbours = Neighbour::all(self.board, &geometry, direction);
            let input = move |neighbour: Neighbour| {
                InputPiece::new(self.board, geometry.n, piece, direction, &neighbour)
            };
            neighbours.into_iter().filter_map(input)
        })
    }

    /// Returns the number of ranks of a ply: colourings of its stored profiles.
    pub fn ranks(&self, ply: Ply) -> u64 {
        self.tiers[ply.index()].profiles.len() as u64 * self.board.colourings(ply)
    }

    /// Returns the chunks of a tier that are packed with a unit, which holds their first ranks.
    pub(super) fn chunks(&self, unit: Unit) -> Range<u64> {
        let tier = &self.tiers[unit.ply.index()];
        let first = |unit: usize| match tier.units.get(unit).and_then(|&at| tier.pieces.get(at)) {
            None => self.ranks(Ply(tier.ply as u8)),
            Some(piece) => {
                let before = tier.profiles.partition_point(|profile| *profile < piece.profile);
                let within = piece.ranks(&Geometry::new(self.board, piece.profile)).start;
                before as u64 * self.board.colourings(Ply(tier.ply as u8)) + within
            }
        };
        let chunk = |unit: usize| first(unit).div_ceil(CHUNK as u64);
        chunk(unit.number as usize)..chunk(unit.number as usize + 1)
    }

    /// Returns the ranks of some chunks of a tier, profile by profile.
    pub(super) fn packed(
        &self,
        ply: Ply,
        chunks: Range<u64>,
    ) -> impl Iterator<Item = Packed> + use<'_, 'a> {
        let (profiles, of_each) = (&self.tiers[ply.index()].profiles, self.board.colourings(ply));
        let mut next = chunks.start * CHUNK as u64;
        let end = self.ranks(ply).min(chunks.end * CHUNK as u64);
        std::iter::from_fn(move || {
            let (profile, first) = ((next / of_each) as usize, next % of_each);
            let left = end.checked_sub(next).filter(|left| *left > 0)?;
            let ranks = first..of_each.min(first + left);
            next += ranks.end - first;
            Some(Packed { profile: profiles[profile], ranks })
        })
    }

    /// Returns the pieces of a unit, with their numbers.
    pub(super) fn pieces(&self, unit: Unit) -> impl Iterator<Item = (usize, &Piece)> {
        let tier = &self.tiers[unit.ply.index()];
        tier.pieces_of(unit.number as usize).map(|number| (number, &tier.pieces[number]))
    }
}

/// The number of ranks in a chunk of a solution file.
pub const CHUNK: usize = 1 << 16;

/// Ranks of a profile that are packed together.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    pub(super) profile: Profile,
    pub(super) ranks: Range<u64>,
}

impl Packed {
    /// Returns the lanes of the tier that hold the ranks.
    pub(super) fn lanes_of_tier(&self, board: &Board, tier: &Tier) -> Range<usize> {
        let (lanes, start) = (self.lanes(board), tier.profile(self.profile).start);
        start + lanes.start..start + lanes.end
    }

    /// Returns the lanes of the profile that hold the ranks, which must not be empty.
    pub(super) fn lanes(&self, board: &Board) -> Range<usize> {
        let geometry = Geometry::new(board, self.profile);
        let Geometry { n, block, .. } = geometry;
        let lane = |rank| {
            let bits = subset(n as u32, geometry.ones() as u32, rank);
            board.sizes.locate(block, n, bits).0
        };
        lane(self.ranks.start)..lane(self.ranks.end - 1) + 1
    }
}

/// The canonical profiles of a tier in ascending order, their pieces, and the first lane of each
/// piece.
#[derive(Clone, Debug)]
pub(super) struct Tier {
    pub(super) ply: usize,
    pub(super) profiles: Vec<Profile>,
    pub(super) pieces: Vec<Piece>,
    /// The first lane of every piece, and the number of lanes.
    starts: Vec<usize>,
    /// The number of the first piece of every unit, and the number of pieces.
    units: Vec<usize>,
    /// The lanes of every profile.
    index: FxHashMap<Profile, Range<usize>>,
}

impl Tier {
    fn new(board: &Board, cut: Cut, ply: usize, profiles: Vec<Profile>) -> Self {
        let mut tier = Self {
            ply,
            profiles: Vec::new(),
            pieces: Vec::with_capacity(profiles.len()),
            starts: vec![0],
            units: vec![0],
            index: FxHashMap::default(),
        };
        let most = if cut.profiles { cut.lanes } else { usize::MAX };
        // The lanes of the last unit so far.
        let mut last = 0;
        for &profile in &profiles {
            let geometry = Geometry::new(board, profile);
            let start = tier.lanes();
            for piece in Piece::cut(board, profile, most) {
                let lanes = piece.lanes(board, &geometry);
                if last > 0 && last + lanes > cut.lanes {
                    tier.units.push(tier.pieces.len());
                    last = 0;
                }
                last += lanes;
                tier.pieces.push(piece);
                tier.starts.push(tier.lanes() + lanes);
            }
            tier.index.insert(profile, start..tier.lanes());
        }
        tier.units.push(tier.pieces.len());
        Self { profiles, ..tier }
    }

    /// Returns the lanes of the whole tier, for one plane.
    pub(super) fn lanes(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    pub(super) fn units(&self) -> usize {
        self.units.len() - 1
    }

    pub(super) fn pieces_of(&self, unit: usize) -> Range<usize> {
        self.units[unit]..self.units[unit + 1]
    }

    pub(super) fn unit(&self, unit: usize) -> Range<usize> {
        self.starts[self.units[unit]]..self.starts[self.units[unit + 1]]
    }

    /// Returns the lanes of a piece, by its number.
    pub(super) fn piece(&self, number: usize) -> Range<usize> {
        self.starts[number]..self.starts[number + 1]
    }

    /// Returns the units that hold a range of lanes, which must not be empty.
    pub(super) fn units_of(&self, lanes: &Range<usize>) -> Range<usize> {
        let first = |unit: &usize| self.starts[*unit];
        let begin = self.units.partition_point(|unit| first(unit) <= lanes.start) - 1;
        let end = self.units.partition_point(|unit| first(unit) < lanes.end);
        begin..end
    }

    /// Returns the lanes of a profile.
    ///
    /// # Panics
    /// If the profile is not of this tier.
    pub(super) fn profile(&self, profile: Profile) -> Range<usize> {
        self.index.get(&profile).expect("a profile of the tier").clone()
    }

    /// Returns the lanes of any piece of a profile of the tier, even one that the tier is not cut
    /// into.
    pub(super) fn range(&self, board: &Board, piece: &Piece) -> Range<usize> {
        let whole = self.profile(piece.profile);
        if piece.left == self.ply {
            return whole;
        }
        let geometry = Geometry::new(board, piece.profile);
        let start = whole.start + piece.lane(board, &geometry);
        start..start + piece.lanes(board, &geometry)
    }
}
