//! Distinct positions, tier by tier, on concurrent hash maps; for every game.

use dashmap::mapref::entry::Entry as MapEntry;
use dashmap::{DashMap, DashSet};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::walk::{Histories, groups};
use crate::control::{Control, Stopped};
use crate::game::{
    Continuations, Game, Key, MoveSet, Outcome, Ply, Remoteness, Stones, Symmetry, Value,
};
use crate::statistics::PlyCounts;

/// What is kept of a position. A tier holds millions of them, so: 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Histories from the root that end in this position or, taken together, in any of the
    /// positions folded into it; saturating.
    pub histories: u64,
    /// The moves that attain the value, once solved.
    pub best: MoveSet,
    /// [`Value::to_byte`], 0 while unknown. A finished game is known when it is found.
    pub value: u8,
}

/// Shards of a map: enough that two workers seldom meet, few enough to be made for a tier of one.
const SHARDS: usize = 64;

pub(super) type Nodes = DashMap<Key, Node, FxBuildHasher>;

/// Bytes a position takes in a tier's map at worst: key and node, at 8/7 of the capacity just
/// after the map has doubled.
const BYTES_PER_POSITION: f64 = 33.0 * 16.0 / 7.0;

/// Bytes it takes besides, when all solved positions are listed by key: 24, and those of the
/// largest tier, less than a third of all, once more.
const BYTES_LISTED: f64 = 32.0;

/// All positions with the same number of stones that a root leads to.
#[derive(Debug)]
pub struct Tier {
    ply: Ply,
    pub(super) nodes: Nodes,
}

impl Tier {
    /// The number of stones on its boards.
    #[must_use]
    pub const fn ply(&self) -> Ply {
        self.ply
    }
}

/// The positions a root leads to, folded by the symmetries that leave the root unchanged.
///
/// Symmetric positions below a symmetric root have the same histories, values and futures, so one
/// of them stands for all: from the empty board these are the canonical positions. Folding by a
/// symmetry that changes the root would count boards that the root does not lead to.
#[derive(Debug)]
pub struct Tree<G> {
    pub(super) game: G,
    pub(super) root: Stones,
    pub(super) fold: Vec<Symmetry>,
    pub(super) tiers: Vec<Tier>,
    counts: Vec<PlyCounts>,
    histories: Histories,
    complete: bool,
}

/// What building a tree needs at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// An upper bound of the positions kept at a time.
    pub positions: f64,
    /// An upper bound of the memory for them.
    pub bytes: f64,
}

/// Whether a tree is kept whole, as solving it needs, or only as far as counting does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    Everything,
    NewestTier,
}

impl<G: Game> Tree<G> {
    /// Finds every position the root leads to and keeps them all, so that they can be solved.
    ///
    /// # Errors
    /// If the control asks it to stop.
    pub fn build(game: G, root: Stones, control: &Control) -> Result<Self, Stopped> {
        Self::grow(game, root, u32::MAX, Keep::Everything, control)
    }

    /// Counts the positions up to `plies` moves below the root, keeping two tiers at a time.
    ///
    /// # Errors
    /// If the control asks it to stop.
    pub fn count(game: G, root: Stones, plies: u32, control: &Control) -> Result<Self, Stopped> {
        Self::grow(game, root, plies, Keep::NewestTier, control)
    }

    /// What [`build`](Self::build) needs at most.
    #[must_use]
    pub fn estimate_build(game: &G, root: Stones) -> Estimate {
        estimate(game, root, u32::MAX, Keep::Everything)
    }

    /// What [`count`](Self::count) needs at most.
    #[must_use]
    pub fn estimate_count(game: &G, root: Stones, plies: u32) -> Estimate {
        estimate(game, root, plies, Keep::NewestTier)
    }

    fn grow(
        game: G,
        root: Stones,
        plies: u32,
        keep: Keep,
        control: &Control,
    ) -> Result<Self, Stopped> {
        let fold = fold_of(&game, root);
        let plies = plies.min(game.plies_left(root));
        let mut tree = Self {
            game,
            root,
            fold,
            tiers: Vec::new(),
            counts: Vec::new(),
            histories: Histories::starting_at(root.ply().0),
            complete: false,
        };
        let first = DashMap::with_hasher_and_shard_amount(FxBuildHasher, SHARDS);
        let key = tree.folded(root).0;
        first.insert(key, Node { histories: 1, best: MoveSet::EMPTY, value: ended(&game, root) });
        let mut tier = Tier { ply: root.ply(), nodes: first };
        control.start(0);
        loop {
            tree.take_stock(&tier, control)?;
            let last = u32::from(tier.ply.0 - root.ply().0) >= plies;
            let next = if last { None } else { Some(tree.next_tier(&tier, control)?) };
            let Some(next) = next.filter(|next| !next.nodes.is_empty()) else {
                tree.complete = !last || plies == game.plies_left(root);
                tree.tiers.push(tier);
                return Ok(tree);
            };
            if keep == Keep::Everything {
                tree.tiers.push(tier);
            }
            tier = next;
        }
    }

    fn next_tier(&self, tier: &Tier, control: &Control) -> Result<Tier, Stopped> {
        let next = Nodes::with_hasher_and_shard_amount(FxBuildHasher, SHARDS);
        try_for_each_node(&tier.nodes, control, |key, node| {
            if node.value != 0 {
                return;
            }
            let position = self.position(key);
            for m in self.game.moves(position) {
                let child = self.game.play(position, m);
                match next.entry(self.folded(child).0) {
                    MapEntry::Occupied(mut found) => {
                        let histories = &mut found.get_mut().histories;
                        *histories = histories.saturating_add(node.histories);
                    }
                    MapEntry::Vacant(place) => {
                        let value = ended(&self.game, child);
                        place.insert(Node {
                            histories: node.histories,
                            best: MoveSet::EMPTY,
                            value,
                        });
                    }
                }
            }
        })?;
        Ok(Tier { ply: Ply(tier.ply.0 + 1), nodes: next })
    }

    /// Adds a tier's counts to the tables.
    fn take_stock(&mut self, tier: &Tier, control: &Control) -> Result<(), Stopped> {
        #[derive(Default)]
        struct Sum {
            positions: u64,
            terminal: u64,
            histories: Continuations,
        }
        control.check()?;
        let canonical = DashSet::with_hasher(FxBuildHasher);
        let whole = self.fold.len() == usize::from(self.game.symmetries());
        let sum = tier
            .nodes
            .par_iter()
            .map(|node| {
                let position = self.position(*node.key());
                let orbit = self.orbit(*node.key(), position);
                if !whole {
                    canonical.insert(self.game.canonical(position).0);
                }
                let n = node.histories;
                let mut sum = Sum { positions: orbit, ..Sum::default() };
                sum.histories.nodes = n;
                match Value::from_byte(node.value) {
                    Some(Value { outcome: Outcome::Loss, .. }) => sum.histories.lines = n,
                    Some(_) => sum.histories.draws = n,
                    None => return sum,
                }
                sum.terminal = orbit;
                sum
            })
            .reduce(Sum::default, |a, b| Sum {
                positions: a.positions + b.positions,
                terminal: a.terminal + b.terminal,
                histories: Continuations {
                    nodes: a.histories.nodes.saturating_add(b.histories.nodes),
                    lines: a.histories.lines.saturating_add(b.histories.lines),
                    draws: a.histories.draws.saturating_add(b.histories.draws),
                },
            });
        let known = |n: u64| (n != u64::MAX).then_some(n);
        self.counts.push(PlyCounts {
            ply: tier.ply,
            nodes: known(sum.histories.nodes),
            games: known(sum.histories.lines.saturating_add(sum.histories.draws)),
            positions: Some(sum.positions),
            canonical: Some(if whole { tier.nodes.len() } else { canonical.len() } as u64),
            terminal: Some(sum.terminal),
            ..PlyCounts::default()
        });
        self.histories.push(sum.histories);
        Ok(())
    }

    pub(super) fn position(&self, key: Key) -> Stones {
        self.game.position_of(key).expect("only keys of positions are in a tier")
    }

    /// The key that stands for a position in this tree, and the symmetry that leads to it.
    #[inline]
    pub(super) fn folded(&self, position: Stones) -> (Key, Symmetry) {
        self.fold[1..].iter().fold((self.game.key(position), Symmetry::IDENTITY), |best, &s| {
            let key = self.game.image_key(position, s);
            if key < best.0 { (key, s) } else { best }
        })
    }

    /// How many positions a key of this tree stands for: by the orbit-stabilizer theorem, the
    /// symmetries folded by over those that leave the position unchanged.
    pub(super) fn orbit(&self, key: Key, position: Stones) -> u64 {
        let still = self.fold.iter().filter(|&&s| self.game.image_key(position, s) == key).count();
        (self.fold.len() / still) as u64
    }

    /// The counts of every ply from the root's on; outcomes are unknown.
    #[must_use]
    pub fn counts(&self) -> &[PlyCounts] {
        &self.counts
    }

    /// The histories of every ply, counted as paths over the positions. 2^64 - 1 stands for
    /// that or more.
    #[must_use]
    pub const fn histories(&self) -> &Histories {
        &self.histories
    }

    /// True if the tree reaches to the end of every game.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }
}

/// The symmetries that leave a position unchanged, the identity first.
fn fold_of<G: Game>(game: &G, root: Stones) -> Vec<Symmetry> {
    let key = game.key(root);
    (0..game.symmetries()).map(Symmetry).filter(|&s| game.image_key(root, s) == key).collect()
}

/// The value byte of a game that is over, 0 for one that is not.
#[inline]
fn ended<G: Game>(game: &G, position: Stones) -> u8 {
    game.terminal(position).map_or(0, |outcome| Value::new(outcome, Remoteness(0)).to_byte())
}

/// Calls `see` for every node of a tier, in parallel, until the control asks to stop.
pub(super) fn try_for_each_node(
    nodes: &Nodes,
    control: &Control,
    see: impl Fn(Key, &Node) + Send + Sync,
) -> Result<(), Stopped> {
    nodes.par_iter().try_for_each(|node| {
        // Cheap enough for every node: two relaxed loads of lines that hardly change.
        control.check()?;
        see(*node.key(), &node);
        control.advance(1);
        Ok(())
    })
}

fn estimate<G: Game>(game: &G, root: Stones, plies: u32, keep: Keep) -> Estimate {
    // Boards with i stones more: which cells (in how many ways can the columns, or the cells,
    // take i stones) times which of them are whose; and no more than there are histories.
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
    let folds = fold_of(game, root).len() as f64;
    let plies = (plies as usize).min(shapes.len() - 1);
    let tiers: Vec<f64> = (0..=plies)
        .map(|i| {
            let placements = shapes[i] * choose(i, i / 2);
            // Few positions are symmetric themselves, so folding divides by nearly all symmetries.
            (placements / folds).min(histories[i]).max(1.0)
        })
        .collect();
    let positions = match keep {
        Keep::Everything => tiers.iter().sum(),
        Keep::NewestTier => {
            tiers.iter().zip(tiers.iter().skip(1)).map(|(a, b)| a + b).fold(1.0, f64::max)
        }
    };
    let listed = if keep == Keep::Everything { BYTES_LISTED } else { 0.0 };
    Estimate { positions, bytes: positions * (BYTES_PER_POSITION + listed) }
}

fn choose(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64)
}
