//! Memory, disk and time that a board needs, estimated before any work.

use super::board::Board;
use super::code::Codes;
use super::lane::Lane;
use super::plan::{Plan, Tier};
use super::storage::{Memory, Storage};

/// Memory and disk that a board takes, in bytes, from the sizes of its tiers alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    pub profiles: u64,
    /// Memory for counting positions: the two largest neighbouring tiers, or less if units are
    /// discarded before their tier is done.
    pub count: u64,
    /// Memory for solving: one bit for every colouring of every tier, and the codes of the two
    /// largest neighbouring tiers.
    pub solve: u64,
    /// The expected largest size of the work folder while solving, from the compression of boards
    /// solved so far; without compression it equals `solve`.
    pub folder: u64,
}

/// The compression of positions and values in a folder: less than measured on the boards of
/// `benches/profiles.md`, and large boards compress better.
const POSITIONS: u128 = 6;
const VALUES: u128 = 12;

/// Processor time in seconds per lane of 512 colourings, all arrays read from a work folder, measured
/// on 7x5 (`benches/profiles.md`): for positions, and for values with their packing.
const SECONDS: f64 = 4e-7 + 1.8e-6;

impl Plan<'_> {
    /// Returns the processor time that solving the board in a work folder takes, in seconds.
    pub fn core_seconds(&self) -> f64 {
        let lanes: usize = self.tiers.iter().map(Tier::lanes).sum();
        lanes as f64 * SECONDS
    }
}

/// Boards that take more bytes than `LARGE` are estimated unit by unit, which takes an instant, if
/// they have at most `PLANNED` profiles.
const LARGE: u64 = 2 << 30;
const PLANNED: u64 = 200_000;

const PER_PROFILE: u128 = 40;

/// The number of profiles by their number of index bits inside blocks.
type ByBlock = Vec<u128>;

impl Board {
    /// Estimates memory and disk for the plies up to a limit.
    pub fn estimate(&self, plies: usize) -> Estimate {
        let plies = plies.min(self.cells());
        let tiers = &self.profiles_by_block()[..=plies];
        let profiles = |blocks: &ByBlock| blocks.iter().sum::<u128>();
        let bytes: Vec<u128> = tiers
            .iter()
            .enumerate()
            .map(|(n, blocks)| {
                let lanes = |block| self.sizes.lanes(block, n, Self::first_players(n)) as u128;
                let bytes = |block| lanes(block) * size_of::<Lane>() as u128 + PER_PROFILE;
                (0..).zip(blocks).map(|(block, count)| count * bytes(block)).sum()
            })
            .collect();
        let pair = bytes.windows(2).map(|pair| pair[0] + pair[1]).max().unwrap_or(bytes[0]);
        let all: u128 = bytes.iter().sum();
        let planes = Codes::new(self.size()).planes() as u128;
        let narrow = |bytes: u128| u64::try_from(bytes).unwrap_or(u64::MAX);
        let all_profiles = narrow(tiers.iter().map(profiles).sum());
        let mut count = narrow(pair);
        if count > LARGE && all_profiles <= PLANNED {
            let threads = rayon::current_num_threads();
            let plan = Plan::new(self, Memory::new().cut(), plies);
            let spare = (threads + 2) * Memory::new().cut().lanes;
            let lanes = plan.counting_lanes(threads) + spare;
            count = count.min(narrow(
                (lanes * size_of::<Lane>()) as u128 + PER_PROFILE * u128::from(all_profiles),
            ));
        }
        Estimate {
            profiles: all_profiles,
            count,
            solve: narrow(all + planes * pair),
            folder: narrow(all / POSITIONS + planes * pair / VALUES),
        }
    }

    /// Counts, per tier, the canonical profiles by their number of index bits inside blocks.
    fn profiles_by_block(&self) -> Vec<ByBlock> {
        let low_rows = |place: usize| {
            (0..self.height).filter(|row| row * self.width + place < self.low_cells).count()
        };
        // In a profile each column has any height; in a symmetric profile mirrored columns have the
        // same height.
        let all = self.by_block((0..self.width).map(|place| (1, low_rows(place))));
        let pairs = (0..self.width).step_by(2).map(|place| {
            let columns = 2.min(self.width - place);
            (columns, low_rows(place))
        });
        let symmetric = self.by_block(pairs);
        let half = |(all, symmetric): (&ByBlock, &ByBlock)| {
            all.iter().zip(symmetric).map(|(all, symmetric)| (all + symmetric) / 2).collect()
        };
        all.iter().zip(&symmetric).map(half).collect()
    }

    /// Counts, per tier, the ways to give heights to groups of columns, by index bits inside
    /// blocks. A group is a number of columns of equal height, and the number of their rows inside
    /// blocks.
    fn by_block(&self, groups: impl Iterator<Item = (usize, usize)>) -> Vec<ByBlock> {
        let mut tiers = vec![vec![0; self.low_cells + 1]; self.cells() + 1];
        tiers[0][0] = 1;
        for (columns, low_rows) in groups {
            let mut with_group = vec![vec![0; self.low_cells + 1]; self.cells() + 1];
            for (n, blocks) in tiers.iter().enumerate() {
                for (block, &count) in blocks.iter().enumerate().filter(|(_, count)| **count > 0) {
                    for height in 0..=self.height {
                        let low = columns * height.min(low_rows);
                        with_group[n + columns * height][block + low] += count;
                    }
                }
            }
            tiers = with_group;
        }
        tiers
    }
}

#[cfg(test)]
mod tests {
    use super::super::unit::Cut;
    use super::*;
    use everyply_core::games::line::Size;

    #[test]
    fn the_estimate_is_the_size_of_the_arrays() {
        for (width, height) in [(5, 4), (4, 5), (3, 6), (1, 9), (6, 3), (9, 1)] {
            let board = Board::new(Size::new(width, height, 4).unwrap()).unwrap();
            let cut = Cut { lanes: usize::MAX, profiles: false };
            let tiers = Plan::new(&board, cut, usize::MAX).tiers;
            let profiles: u64 = tiers.iter().map(|tier| tier.profiles.len() as u64).sum();
            let lanes: Vec<u64> = tiers.iter().map(|tier| tier.lanes() as u64).collect();
            let pair = lanes.windows(2).map(|pair| pair[0] + pair[1]).max().unwrap();
            let estimate = board.estimate(usize::MAX);
            assert_eq!(estimate.profiles, profiles);
            let heights = |columns: u8| (u64::from(height) + 1).pow(columns.into());
            assert_eq!(profiles, (heights(width) + heights(width.div_ceil(2))) / 2);
            let arrays = pair * size_of::<Lane>() as u64;
            assert!(estimate.count >= arrays);
            assert!(estimate.solve >= lanes.iter().sum::<u64>() * size_of::<Lane>() as u64);
            assert!(estimate.count <= arrays + profiles * PER_PROFILE as u64);
        }
    }
}
