//! The position graph of a game that ends: every position from a root once, solved backwards.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use dashmap::DashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::plies::{Histories, Plies, count_plies};
use super::strong::{SolveError, Solved, StrongSolution, Totals, best_moves};
use crate::control::{Control, Stopped};
use crate::game::contract::{
    Symmetric, Tiered, Unsuited, Worth, branches, check_moves, image_moves,
};
use crate::game::{MoveSet, Remoteness, Symmetry, Value};

/// What is kept of a position: its value once it is known, 0 until then ([`Value::to_byte`]), the
/// moves that attain it, and the histories that end in it.
#[derive(Clone, Copy, Debug)]
struct Node {
    histories: Histories,
    value: u8,
    best: MoveSet,
}

type Nodes<K> = DashMap<K, Node, FxBuildHasher>;

/// Shards of a map: enough that two workers seldom meet, few enough for maps that stay empty.
const SHARDS: usize = 64;

/// The values of all positions that a root leads to, of a game whose play ends.
///
/// Positions are kept by tiers: how many plies may be left. A move leads to a lower tier, so tiers
/// are found from the root's on and solved from the last one back, each in parallel. Images under
/// the symmetries that leave the root unchanged share a node.
#[derive(Debug)]
pub struct Graph<G: Symmetric> {
    game: G,
    root: G::Position,
    fold: Vec<Symmetry>,
    /// The root's tier first.
    tiers: Vec<Nodes<G::Key>>,
    /// Nodes in all tiers.
    len: AtomicU64,
    /// True if a move leads past a tier: tiers are then no plies.
    skips: AtomicBool,
}

impl<G: Symmetric + Tiered> Graph<G> {
    /// Bytes that a position takes at worst: key and node, at 8/7 of the capacity just after a
    /// map has doubled.
    pub const BYTES_PER_POSITION: u64 = 96;

    /// Whether a game fits: its sets of moves and its distances.
    ///
    /// # Errors
    /// If a position may have more than 64 moves, or play from the root last for more than 63
    /// plies.
    pub fn check(game: &G, root: G::Position) -> Result<(), Unsuited> {
        check_moves(game)?;
        match game.plies_left(root) {
            0..=63 => Ok(()),
            more => Err(Unsuited::Plies(more)),
        }
    }

    /// Finds every position from the root on, `most` of them at most, and solves them all.
    ///
    /// # Errors
    /// If the control asks it to stop, there are more positions, or [`check`](Self::check)
    /// refuses the root.
    pub fn solve(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        Self::check(&game, root)?;
        let key = game.key(root);
        let fold: Vec<Symmetry> = (0..game.symmetries())
            .map(Symmetry)
            .filter(|&s| game.image_key(root, s) == key)
            .collect();
        let tiers = (0..=game.plies_left(root))
            .map(|_| DashMap::with_hasher_and_shard_amount(FxBuildHasher, SHARDS))
            .collect();
        let graph =
            Self { game, root, fold, tiers, len: AtomicU64::new(0), skips: AtomicBool::new(false) };
        graph.find(root, [1, 0]);
        control.start(0);
        for tier in &graph.tiers {
            tier.par_iter().try_for_each(|node| {
                control.check()?;
                control.advance(1);
                if graph.len() > most {
                    return Err(SolveError::Positions(most));
                }
                if node.value == 0 {
                    let position = graph.position(*node.key());
                    let left = graph.game.plies_left(position);
                    let [same, other] = node.histories;
                    for (_, _, keeps, next) in branches(&graph.game, position) {
                        graph.find(next, if keeps { [same, other] } else { [other, same] });
                        if graph.game.plies_left(next) + 1 != left {
                            graph.skips.store(true, Relaxed);
                        }
                    }
                }
                Ok(())
            })?;
        }
        control.start(graph.len());
        for tier in graph.tiers.iter().rev() {
            tier.par_iter_mut().try_for_each(|mut node| {
                control.check()?;
                control.advance(1);
                if node.value == 0 {
                    let position = graph.position(*node.key());
                    let children = branches(&graph.game, position).map(|(bit, _, keeps, next)| {
                        (
                            bit,
                            graph
                                .value(next)
                                .expect("later tiers are solved")
                                .one_ply_earlier(keeps),
                        )
                    });
                    let (value, best) = best_of(children);
                    (node.value, node.best) = (value.to_byte(), best);
                }
                Ok::<(), SolveError>(())
            })?;
        }
        Ok(graph)
    }

    /// Keeps a position, or adds to the histories of one that is kept; a game that is over is
    /// known when it is found.
    fn find(&self, position: G::Position, histories: Histories) {
        let (key, _) = self.folded(position);
        let tier = self.game.plies_left(self.root) - self.game.plies_left(position);
        let mut node = self.tiers[tier as usize].entry(key).or_insert_with(|| {
            self.len.fetch_add(1, Relaxed);
            let over = self.game.result(position);
            let value = over.map_or(0, |outcome| Value::new(outcome, Remoteness(0)).to_byte());
            Node { value, best: MoveSet::EMPTY, histories: [0; 2] }
        });
        for (sum, more) in node.histories.iter_mut().zip(histories) {
            *sum = sum.saturating_add(more);
        }
    }

    fn position(&self, key: G::Key) -> G::Position {
        self.game.position_of(key).expect("only keys of positions are kept")
    }

    /// The key that stands for a position, and the symmetry that leads to it.
    #[inline]
    fn folded(&self, position: G::Position) -> (G::Key, Symmetry) {
        self.fold[1..].iter().fold((self.game.key(position), Symmetry::IDENTITY), |best, &s| {
            let key = self.game.image_key(position, s);
            if key < best.0 { (key, s) } else { best }
        })
    }

    fn node(&self, position: G::Position) -> Option<Node> {
        let left = self.game.plies_left(position);
        let tier = self.game.plies_left(self.root).checked_sub(left)?;
        self.tiers.get(tier as usize)?.get(&self.folded(position).0).map(|node| *node)
    }

    fn value(&self, position: G::Position) -> Option<Value> {
        Value::from_byte(self.node(position)?.value)
    }

    /// Nodes kept: positions up to the symmetries of the root.
    fn len(&self) -> u64 {
        self.len.load(Relaxed)
    }
}

/// The best of the values of moves, and the moves that attain it.
fn best_of(children: impl Iterator<Item = (u32, Value)>) -> (Value, MoveSet) {
    let mut best: Option<(Value, u64)> = None;
    for (bit, value) in children {
        match &mut best {
            Some((attained, set)) if *attained == value => *set |= 1 << bit,
            Some((attained, _)) if *attained > value => {}
            best => *best = Some((value, 1 << bit)),
        }
    }
    let (value, set) = best.expect("a position without a result has a move");
    (value, MoveSet(set))
}

impl<G: Symmetric + Tiered> StrongSolution<G> for Graph<G> {
    fn game(&self) -> &G {
        &self.game
    }

    fn root(&self) -> G::Position {
        self.root
    }

    fn worth(&self, position: G::Position) -> Option<Worth> {
        self.value(position).map(Worth::Ends)
    }

    fn canonical(&self, see: &mut dyn FnMut(Vec<Solved<G>>)) {
        for tier in &self.tiers {
            let mut solved: Vec<Solved<G>> = tier
                .par_iter()
                .filter_map(|node| {
                    let position = self.position(*node.key());
                    let (key, symmetry) = self.game.canonical(position);
                    let best = image_moves(&self.game, position, node.best, symmetry);
                    let worth = Worth::Ends(Value::from_byte(node.value)?);
                    Some(Solved { key, position: self.position(key), worth, best })
                })
                .collect();
            solved.par_sort_unstable_by_key(|solved| solved.key);
            solved.dedup_by_key(|solved| solved.key);
            see(solved);
        }
    }

    fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for node in self.tiers.iter().flatten() {
            let position = self.position(*node.key());
            let images = self.fold.iter().map(|&s| self.game.image_key(position, s));
            let still = images.filter(|image| image == node.key()).count();
            let over = self.game.result(position).is_some();
            let value = Value::from_byte(node.value).expect("every node is solved");
            totals.add((self.fold.len() / still) as u64, over, Worth::Ends(value));
        }
        self.canonical(&mut |part| totals.canonical += part.len() as u64);
        totals
    }

    /// Where tiers are plies, all of it is known already.
    fn plies(&self, plies: u32, control: &Control) -> Result<Plies, Stopped> {
        if self.skips.load(Relaxed) {
            let outcome = |position| self.value(position).map(|value| value.outcome);
            return count_plies(&self.game, self.root, plies, outcome, control);
        }
        let mut counted = Plies { complete: true, ..Plies::default() };
        let outcome = |_, node: &Node| Value::from_byte(node.value).map(|value| value.outcome);
        for (tier, ply) in self.tiers.iter().filter(|tier| !tier.is_empty()).zip(0..) {
            if ply > plies {
                counted.complete = false;
                break;
            }
            let histories = |node: &Node| node.histories;
            counted.add(&self.game, tier, &self.fold, histories, outcome, control)?;
        }
        Ok(counted)
    }

    fn best(&self, position: G::Position) -> MoveSet {
        best_moves(self, position)
    }
}
