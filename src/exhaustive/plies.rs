//! Counts per ply of any game: histories, and the distinct positions they end in.

use dashmap::{DashMap, DashSet};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::walk::Games;
use crate::control::{Control, Stopped};
use crate::game::contract::{Game, Symmetric, branches};
use crate::game::{Outcome, Ply, Symmetry};
use crate::statistics::PlyCounts;

/// Histories that end in a position: those with the side to move there that is to move at the
/// root, and the others; saturating.
pub(super) type Histories = [u64; 2];

/// Positions of a ply, by the key that stands for them.
type Layer<K> = DashMap<K, Histories, FxBuildHasher>;

/// What is at every ply below a root. A position that is reached at several plies counts at each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plies {
    /// One entry a ply; ply 0 is the root.
    pub counts: Vec<PlyCounts>,
    /// Finished games by result; the first player is the side to move at the root. 2^64 - 1
    /// stands for that or more.
    pub games: Games,
    /// True if every game ends within these plies.
    pub complete: bool,
}

/// Counts up to `plies` moves from a root; `outcome` tells what is known of positions.
///
/// # Errors
/// If the control asks it to stop.
pub fn count_plies<G: Symmetric>(
    game: &G,
    root: G::Position,
    plies: u32,
    outcome: impl Fn(G::Position) -> Option<Outcome> + Sync,
    control: &Control,
) -> Result<Plies, Stopped> {
    let key = game.key(root);
    let fold: Vec<Symmetry> =
        (0..game.symmetries()).map(Symmetry).filter(|&s| game.image_key(root, s) == key).collect();
    let folded = |position| {
        fold.iter().map(|&s| game.image_key(position, s)).min().expect("one is the identity")
    };
    let mut layer = Layer::with_hasher(FxBuildHasher);
    layer.insert(key, [1, 0]);
    let mut counted = Plies::default();
    control.start(0);
    loop {
        let outcome = |position, _: &Histories| outcome(position);
        counted.add(game, &layer, &fold, |histories| *histories, outcome, control)?;
        if counted.counts.len() as u32 > plies {
            // Nothing follows a ply on which every game is over.
            let last = counted.counts.last();
            counted.complete = last.is_some_and(|ply| ply.terminal == ply.positions);
            return Ok(counted);
        }
        let next = Layer::with_hasher(FxBuildHasher);
        layer.par_iter().try_for_each(|node| {
            control.check()?;
            control.advance(1);
            let position = game.position_of(*node.key()).expect("only keys of positions are kept");
            if game.result(position).is_none() {
                for (_, _, keeps_turn, child) in branches(game, position) {
                    let [here, there] = *node.value();
                    let more = if keeps_turn { [here, there] } else { [there, here] };
                    let mut sum = next.entry(folded(child)).or_insert([0; 2]);
                    *sum = [sum[0].saturating_add(more[0]), sum[1].saturating_add(more[1])];
                }
            }
            Ok(())
        })?;
        if next.is_empty() {
            counted.complete = true;
            return Ok(counted);
        }
        layer = next;
    }
}

/// What is summed up over a layer.
#[derive(Clone, Copy, Default)]
struct Sum {
    nodes: u64,
    games: [u64; 3],
    positions: u64,
    terminal: u64,
    /// Losses, draws, wins and what is not known.
    outcomes: [u64; 4],
}

impl Sum {
    fn plus(mut self, other: Self) -> Self {
        let add = |a: &mut u64, b: u64| *a = a.saturating_add(b);
        add(&mut self.nodes, other.nodes);
        add(&mut self.positions, other.positions);
        add(&mut self.terminal, other.terminal);
        self.games.iter_mut().zip(other.games).for_each(|(a, b)| add(a, b));
        self.outcomes.iter_mut().zip(other.outcomes).for_each(|(a, b)| add(a, b));
        self
    }
}

impl Plies {
    /// Adds a ply: all its positions, with what is kept of them.
    pub(super) fn add<G: Symmetric, V: Send + Sync>(
        &mut self,
        game: &G,
        layer: &DashMap<G::Key, V, FxBuildHasher>,
        fold: &[Symmetry],
        histories: impl Fn(&V) -> Histories + Sync,
        outcome: impl Fn(G::Position, &V) -> Option<Outcome> + Sync,
        control: &Control,
    ) -> Result<(), Stopped> {
        control.check()?;
        let whole = fold.len() == usize::from(game.symmetries());
        let canonical = DashSet::with_hasher(FxBuildHasher);
        let sum = layer
            .par_iter()
            .map(|node| {
                let key = *node.key();
                let position = game.position_of(key).expect("only keys of positions are kept");
                if !whole {
                    canonical.insert(game.canonical(position).0);
                }
                let still = fold.iter().filter(|&&s| game.image_key(position, s) == key).count();
                let [same, other] = histories(node.value());
                let orbit = (fold.len() / still) as u64;
                let mut sum =
                    Sum { nodes: same.saturating_add(other), positions: orbit, ..Sum::default() };
                if let Some(result) = game.result(position) {
                    sum.terminal = orbit;
                    match result {
                        Outcome::Win => sum.games = [same, other, 0],
                        Outcome::Loss => sum.games = [other, same, 0],
                        Outcome::Draw => sum.games[2] = same.saturating_add(other),
                    }
                }
                let known = outcome(position, node.value())
                    .map_or(3, |outcome| (outcome.sign() + 1) as usize);
                sum.outcomes[known] = orbit;
                sum
            })
            .reduce(Sum::default, Sum::plus);
        let [first, second, draws] = sum.games;
        let known = |n: u64| (n != u64::MAX).then_some(n);
        let all = |n: u64| (sum.outcomes[3] == 0).then_some(n);
        self.counts.push(PlyCounts {
            ply: Ply(u8::try_from(self.counts.len()).unwrap_or(u8::MAX)),
            nodes: known(sum.nodes),
            games: known(first.saturating_add(second).saturating_add(draws)),
            positions: Some(sum.positions),
            canonical: Some(if whole { layer.len() } else { canonical.len() } as u64),
            terminal: Some(sum.terminal),
            losses: all(sum.outcomes[0]),
            draws: all(sum.outcomes[1]),
            wins: all(sum.outcomes[2]),
        });
        let add = |a: &mut u64, b: u64| *a = a.saturating_add(b);
        add(&mut self.games.first_player_wins, first);
        add(&mut self.games.second_player_wins, second);
        add(&mut self.games.draws, draws);
        for n in [first, second, draws] {
            add(&mut self.games.games, n);
        }
        Ok(())
    }
}

/// Counts histories per ply by visiting each, without memory: the slow and obvious way.
///
/// # Errors
/// If the control asks it to stop.
pub fn walk_plies<G: Game>(
    game: &G,
    root: G::Position,
    plies: u32,
    control: &Control,
) -> Result<Vec<u64>, Stopped> {
    let mut counts = Vec::new();
    visit(game, root, plies, 0, &mut counts, control)?;
    Ok(counts)
}

fn visit<G: Game>(
    game: &G,
    position: G::Position,
    plies: u32,
    depth: usize,
    counts: &mut Vec<u64>,
    control: &Control,
) -> Result<(), Stopped> {
    if counts.len() == depth {
        counts.push(0);
    }
    counts[depth] += 1;
    if counts[depth].is_multiple_of(1 << 12) {
        control.check()?;
    }
    if depth as u32 == plies || game.result(position).is_some() {
        return Ok(());
    }
    game.moves(position)
        .into_iter()
        .try_for_each(|m| visit(game, game.play(position, m), plies, depth + 1, counts, control))
}
