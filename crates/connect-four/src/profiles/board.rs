//! The board of the engine: cells in index order, lines, and size tables.

use super::code::Codes;
use super::combinadic::{Colour, Exchanges, Patterns, Sizes, choose, next_string};
use crate::processor::Processor;
use everyply_core::game::{Keyed, Ply, Symmetric, Symmetry, Value};
use everyply_core::games::line::{ConnectFour, LineGame, Size, SizeError, Stones};
use everyply_core::games::ranks::subset_rank;

/// The most columns of a board: width x (height + 1) <= 64.
pub(super) const MAX_COLUMNS: usize = 32;

/// The bits of a block: large enough that reaching a block is cheap compared with computing it,
/// small enough that its patterns stay in the nearest cache and few columns end inside it.
const BLOCK_BITS: usize = 14;

/// Column heights, as one number: digit c to the base height + 1 is the height of column c.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Profile(pub u64);

/// A Connect Four board with the tables the engine needs for it.
///
/// # Layout
/// The cells of the board are numbered row by row from the bottom, so that the top stones of the
/// columns, which moves add and remove, have high numbers. Within a row mirrored columns are
/// neighbours:
///
/// ```text
///   row 1   6  8 10 11  9  7
///   row 0   0  2  4  5  3  1
/// ```
///
/// The lesser of a profile and its mirror image is stored; the other is computed on demand
/// (`mirror`). In a profile the occupied cells, in this order, are the index bits of a colouring: 1
/// for a stone of the first player. Its colourings are kept in the order of `combinadic`; the bits
/// of occupied cells with a number below `low_cells` form the blocks.
#[derive(Debug)]
pub struct Board {
    pub(super) game: ConnectFour,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) low_cells: usize,
    /// The columns by their place in a row of the numbering.
    pub(super) places: Vec<usize>,
    /// (height + 1)^c: the amount that a stone in column c adds to a [`Profile`].
    pub(super) powers: Vec<u64>,
    /// The lines, as (column, row) cells.
    pub(super) lines: Vec<Vec<(usize, usize)>>,
    pub(super) sizes: Sizes,
    pub(super) patterns: Patterns,
    pub(super) exchanges: Exchanges,
    pub(super) processor: Processor,
}

impl Board {
    /// Builds the tables for a board.
    ///
    /// # Errors
    /// If the board does not fit the 64-bit word of [`ConnectFour`].
    pub fn new(size: Size) -> Result<Self, SizeError> {
        let game = ConnectFour::new(size)?;
        let (width, height) = (usize::from(size.width), usize::from(size.height));
        let cells = width * height;
        // Each pair of mirrored cells lies in the blocks as a whole or not at all.
        let most = BLOCK_BITS.min(cells);
        let low_cells = if most == cells { cells } else { most - most % width % 2 };
        let sizes = Sizes::new(low_cells, cells);
        let patterns = Patterns::new(&sizes, low_cells);
        let exchanges = Exchanges::new(&sizes, low_cells);
        let places =
            (0..width).map(|p| if p % 2 == 0 { p / 2 } else { width - 1 - p / 2 }).collect();
        let powers = (0..width as u32).map(|c| (height as u64 + 1).pow(c)).collect();
        let mut lines = Vec::new();
        game.lines().for_each(|mask| {
            let mut line = Vec::new();
            for column in 0..width {
                for row in 0..height {
                    if mask & game.cell(column as u32, (height - 1 - row) as u32) != 0 {
                        line.push((column, row));
                    }
                }
            }
            lines.push(line);
        });
        Ok(Self {
            game,
            width,
            height,
            low_cells,
            places,
            powers,
            lines,
            sizes,
            patterns,
            exchanges,
            processor: Processor::detect(),
        })
    }

    /// Selects another form of the kernels, for tests and measurements.
    ///
    /// # Panics
    /// If this machine cannot run it: take one of [`Processor::available`].
    #[must_use]
    pub fn with_processor(mut self, processor: Processor) -> Self {
        assert!(Processor::available().contains(&processor), "{processor:?} is not available");
        self.processor = processor;
        self
    }

    pub const fn game(&self) -> &ConnectFour {
        &self.game
    }

    pub fn size(&self) -> Size {
        self.game.size()
    }

    pub const fn last_ply(&self) -> Ply {
        Ply(self.cells() as u8)
    }

    pub(super) const fn cells(&self) -> usize {
        self.width * self.height
    }

    /// Returns the place of a column in a row of the numbering: the inverse of `places`.
    pub(super) const fn place(&self, column: usize) -> usize {
        if 2 * column < self.width { 2 * column } else { 2 * (self.width - 1 - column) + 1 }
    }

    pub(super) fn heights(&self, profile: Profile) -> [u8; MAX_COLUMNS] {
        let mut heights = [0; MAX_COLUMNS];
        let mut rest = profile.0;
        for height in &mut heights[..self.width] {
            *height = (rest % (self.height as u64 + 1)) as u8;
            rest /= self.height as u64 + 1;
        }
        heights
    }

    pub(super) fn mirrored(&self, profile: Profile) -> Profile {
        let heights = self.heights(profile);
        let mirrored = self.powers.iter().rev().zip(heights);
        Profile(mirrored.map(|(power, height)| power * u64::from(height)).sum())
    }

    /// Returns the lesser of a profile and its mirror image, which is the stored one.
    pub(super) fn canonical(&self, profile: Profile) -> Profile {
        profile.min(self.mirrored(profile))
    }

    /// Returns the stored profile of a position or its mirror image, and the rank of its colouring:
    /// its index among the [`positions`](Self::positions) of the profile.
    pub fn canonical_rank(&self, position: Stones) -> (Profile, u64) {
        let (mut profile, mut bits) = self.index(position);
        if self.canonical(profile) != profile {
            let image = self.game.position_of(self.game.image_key(position, Symmetry(1)));
            (profile, bits) = self.index(image.expect("the mirror image of a position"));
        }
        (profile, subset_rank(bits))
    }

    /// Returns all colourings of a profile by ascending rank, reachable or not.
    pub fn positions(&self, profile: Profile) -> impl Iterator<Item = Stones> {
        let stones: u8 = self.heights(profile).iter().sum();
        let ones = Self::first_players(usize::from(stones));
        let lowest = (1u64 << ones) - 1;
        let strings = std::iter::successors(Some(lowest), |bits| Some(next_string(*bits)));
        let count = self.colourings(Ply(stones)) as usize;
        strings.take(count).map(move |bits| self.position(profile, bits))
    }

    /// Returns the stored profiles of every ply from the empty board on, ascending.
    pub fn canonical_profiles(&self) -> impl Iterator<Item = Vec<Profile>> {
        let first = vec![Profile::default()];
        std::iter::successors(Some(first), |profiles| Some(self.canonical_children(profiles)))
    }

    /// Returns the stored profiles with one more stone than these, ascending.
    fn canonical_children(&self, profiles: &[Profile]) -> Vec<Profile> {
        let mut children = Vec::new();
        for &profile in profiles {
            let heights = self.heights(profile);
            for (&height, power) in heights.iter().zip(&self.powers) {
                if usize::from(height) < self.height {
                    children.push(self.canonical(Profile(profile.0 + power)));
                }
            }
        }
        children.sort_unstable();
        children.dedup();
        children
    }

    /// Returns the number of colourings of a profile of this ply.
    pub fn colourings(&self, ply: Ply) -> u64 {
        choose(ply.index(), Self::first_players(ply.index()))
    }

    /// Decodes a byte of a solution file to the value at a ply; `None` if the byte is invalid.
    pub fn value_of(&self, ply: Ply, byte: u8) -> Option<Value> {
        let codes = Codes::new(self.size());
        (usize::from(byte) < 1 << codes.planes()).then(|| codes.value(ply, byte))
    }

    pub(super) const fn first_players(ply: usize) -> usize {
        ply.div_ceil(2)
    }

    pub(super) const fn to_move(ply: usize) -> Colour {
        if ply.is_multiple_of(2) { Colour::FIRST } else { Colour::SECOND }
    }

    /// Returns the profile of a position, and its colouring as an index.
    pub(super) fn index(&self, position: Stones) -> (Profile, u64) {
        let (first, _) = position.by_player();
        let occupied = position.occupied();
        let (mut profile, mut bits, mut n) = (0, 0u64, 0);
        for row in 0..self.height {
            for &column in &self.places {
                let cell = self.game.cell(column as u32, (self.height - 1 - row) as u32);
                if occupied & cell != 0 {
                    profile += self.powers[column];
                    bits |= u64::from(first & cell != 0) << n;
                    n += 1;
                }
            }
        }
        (Profile(profile), bits)
    }

    pub(super) fn position(&self, profile: Profile, bits: u64) -> Stones {
        let heights = self.heights(profile);
        let (mut first, mut second, mut n) = (0, 0, 0);
        for row in 0..self.height {
            for &column in &self.places {
                if usize::from(heights[column]) > row {
                    let cell = self.game.cell(column as u32, (self.height - 1 - row) as u32);
                    *if bits >> n & 1 == 1 { &mut first } else { &mut second } |= cell;
                    n += 1;
                }
            }
        }
        Stones::from_players(first, second)
    }
}
