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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    Everything,
    TwoPlies,
}

impl GraphEstimate {
    /// Bounds the needs of building and solving the position graph of a root.
    pub fn of_graph<G: LineGame>(game: &G, root: Stones) -> Self {
        estimate(game, root, u32::MAX, Keep::Everything)
    }

    /// Bounds the needs of counting positions up to `plies` moves below a root.
    pub fn of_count<G: LineGame>(game: &G, root: Stones, plies: u32) -> Self {
        estimate(game, root, plies, Keep::TwoPlies)
    }
}

fn estimate<G: LineGame>(game: &G, root: Stones, plies: u32, keep: Keep) -> GraphEstimate {
    // Boards with i more stones: the ways to place i stones in the columns (or cells), times the
    // ways to colour them; and no more boards than histories.
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
    let plies = (plies as usize).min(shapes.len() - 1);
    let tiers: Vec<f64> = (0..=plies)
        .map(|i| {
            let placements = shapes[i] * choose(i, i / 2);
            // Few positions are symmetric, so folding divides by nearly all symmetries.
            (placements / folds).min(histories[i]).max(1.0)
        })
        .collect();
    let positions = match keep {
        Keep::Everything => tiers.iter().sum(),
        Keep::TwoPlies => {
            tiers.iter().zip(tiers.iter().skip(1)).map(|(a, b)| a + b).fold(1.0, f64::max)
        }
    };
    let listed = if keep == Keep::Everything { BYTES_LISTED } else { 0.0 };
    let each = Solution::BYTES_PER_POSITION as f64 + listed;
    GraphEstimate { positions, bytes: positions * each }
}

fn choose(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64)
}
