//! Upper bounds of the positions of a board, so that a graph too large for memory is refused.

use super::{LineGame, Stones, groups};
use crate::exhaustive::Solution;
use crate::game::Symmetry;

/// The most that a position graph needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphEstimate {
    /// An upper bound of the positions in memory at a time.
    pub positions: f64,
    /// An upper bound of the memory for them.
    pub bytes: f64,
}

/// Additional bytes a position takes when all solved positions are listed by key: 24 each, and 24
/// once more for those of the largest tier, less than a third of all.
const BYTES_LISTED: f64 = 32.0;

impl GraphEstimate {
    /// Bounds the needs of building and solving the position graph of a root.
    pub fn of_graph<G: LineGame>(game: &G, root: Stones) -> Self {
        Self::new(tiers(game, root).iter().sum(), BYTES_LISTED)
    }

    /// Bounds the needs of counting positions up to `plies` moves below a root.
    pub fn of_count<G: LineGame>(game: &G, root: Stones, plies: u32) -> Self {
        let mut tiers = tiers(game, root);
        tiers.truncate((plies as usize).saturating_add(1));
        // Two tiers are in memory at a time.
        let positions = tiers.windows(2).map(|pair| pair[0] + pair[1]).fold(1.0, f64::max);
        Self::new(positions, 0.0)
    }

    fn new(positions: f64, bytes_listed: f64) -> Self {
        let each = Solution::BYTES_PER_POSITION as f64 + bytes_listed;
        Self { positions, bytes: positions * each }
    }
}

/// Returns upper bounds of the positions with i more stones: the ways to place i stones in the columns
/// (or cells), times the ways to colour them; and no more boards than histories.
fn tiers<G: LineGame>(game: &G, root: Stones) -> Vec<f64> {
    let mut shapes = vec![1.0f64];
    let mut histories = vec![1.0f64];
    for group in groups(game, root) {
        let mut more_shapes = vec![0.0; shapes.len() + group];
        let mut more_histories = more_shapes.clone();
        for i in 0..shapes.len() {
            for j in 0..=group {
                more_shapes[i + j] += shapes[i];
                more_histories[i + j] += histories[i] * choose(i + j, j);
            }
        }
        (shapes, histories) = (more_shapes, more_histories);
    }
    let folds = (0..game.symmetries())
        .filter(|&s| game.image_key(root, Symmetry(s)) == game.key(root))
        .count() as f64;
    let tier = |(i, (shapes, histories)): (usize, (f64, f64))| {
        // Few positions are symmetric, so folding divides by nearly all symmetries.
        (shapes * choose(i, i / 2) / folds).min(histories).max(1.0)
    };
    shapes.into_iter().zip(histories).enumerate().map(tier).collect()
}

fn choose(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64)
}
