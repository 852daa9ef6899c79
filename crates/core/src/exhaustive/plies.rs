//! Counts per ply of any game: histories, and the distinct positions they end in.

use dashmap::DashSet;
use rustc_hash::FxBuildHasher;

use super::error::SolveError;
use super::fold::Fold;
use super::histories::{Games, Histories, PlyHistories};
use super::layer::{Layer, PathCounts, ROOT, ended};
use crate::control::{Control, Stopped};
use crate::game::{Game, Key, Outcome, Ply, Symmetric, Value, branches};
use crate::statistics::PlyCounts;

/// The counts of every ply below a root. A position reached at several plies counts at each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plies {
    pub counts: Vec<PlyCounts>,
    /// Histories of every ply, counted as paths over the positions.
    pub histories: Histories,
    /// True if every game ends within these plies.
    pub complete: bool,
}

/// Counts up to `plies` moves from a root, whose own ply is `first`; two plies of positions are
/// kept at a time. `outcome` gives the outcome of a position if it is known.
pub fn count_plies<G: Symmetric<Key = Key>>(
    game: &G,
    root: G::Position,
    first: Ply,
    plies: u32,
    outcome: &(dyn Fn(G::Position) -> Option<Outcome> + Sync),
    control: &Control,
) -> Result<Plies, Stopped> {
    match count_plies_within(game, root, first, plies, outcome, u64::MAX, control) {
        Err(SolveError::Stopped(stopped)) => Err(stopped),
        counted => Ok(counted.expect("there is no limit")),
    }
}

/// [`count_plies`] in at most `memory` bytes.
pub fn count_plies_within<G: Symmetric<Key = Key>>(
    game: &G,
    root: G::Position,
    first: Ply,
    plies: u32,
    outcome: &(dyn Fn(G::Position) -> Option<Outcome> + Sync),
    memory: u64,
    control: &Control,
) -> Result<Plies, SolveError> {
    let most = memory / Layer::BYTES_PER_POSITION;
    let fold = Fold::of(game, root);
    let mut layer = Layer::with_room_for(0);
    layer.add(fold.apply(game, root).0, ROOT, &|| ended(game, root));
    let mut counted = Plies::default();
    control.start(0);
    loop {
        counted.add(game, &fold, &layer, first, control)?;
        let newest = counted.counts.last_mut().expect("a ply was added");
        count_outcomes(newest, game, &fold, &layer, &|position, _| outcome(position));
        if counted.counts.len() as u64 > u64::from(plies) {
            // No ply follows one on which every game is over.
            let last = counted.counts.last();
            counted.complete = last.is_some_and(|ply| ply.terminal == ply.positions);
            return Ok(counted);
        }
        let mut next = [Layer::with_room_for(layer.len())];
        let room = most.saturating_sub(layer.len() as u64);
        match add_children(game, &fold, &layer, &mut next, |_| 0, room, control) {
            Err(SolveError::Positions(_)) => {
                return Err(SolveError::Plies(counted.counts.len() as u32 - 1));
            }
            added => added?,
        }
        [layer] = next;
        if layer.len() == 0 {
            counted.complete = true;
            return Ok(counted);
        }
    }
}

struct Child<G: Game> {
    layer: usize,
    key: Key,
    keeps_turn: bool,
    position: G::Position,
}

/// Adds the children of a layer's positions to later layers, `most` positions at most; `place`
/// gives the layer of a child.
///
/// The slots of all children are prefetched before the first child is added: layers are larger than
/// any cache, and their memory then arrives in parallel.
pub(super) fn add_children<G: Symmetric<Key = Key>>(
    game: &G,
    fold: &Fold,
    from: &Layer,
    into: &mut [Layer],
    place: impl Fn(G::Position) -> usize + Sync,
    most: u64,
    control: &Control,
) -> Result<(), SolveError> {
    let mut failed = Ok(());
    for round in from.rounds() {
        let layers = &*into;
        from.try_for_each_in(round, control, |children: &mut Vec<Child<G>>, slot, key| {
            if from.value(slot) != 0 {
                return;
            }
            let position = game.position_of(key).expect("only keys of positions are kept");
            children.clear();
            for (_, _, keeps_turn, position) in branches(game, position) {
                let (layer, key) = (place(position), fold.apply(game, position).0);
                layers[layer].prefetch(key);
                children.push(Child { layer, key, keeps_turn, position });
            }
            let [same, other] = from.histories(slot);
            for child in children.iter() {
                let histories = if child.keeps_turn { [same, other] } else { [other, same] };
                layers[child.layer].add(child.key, histories, &|| ended(game, child.position));
            }
        })?;
        into.iter_mut().for_each(Layer::grow);
        if Layer::total(into) > most {
            failed = Err(SolveError::Positions(most));
            break;
        }
    }
    failed
}

#[derive(Clone, Copy, Default)]
struct LayerSum {
    histories: PlyHistories,
    positions: u64,
    terminal: u64,
}

impl LayerSum {
    /// Adds a kept position that stands for `positions`, with its histories and its value byte.
    #[inline]
    fn add(&mut self, [same, other]: PathCounts, value: u8, positions: u64) {
        let result = Value::from_byte(value).map(|value| value.outcome);
        self.histories += PlyHistories {
            nodes: same.saturating_add(other),
            games: match result {
                None => Games::default(),
                Some(Outcome::Win) => Games::new(same, other, 0),
                Some(Outcome::Loss) => Games::new(other, same, 0),
                Some(Outcome::Draw) => Games::new(0, 0, same.saturating_add(other)),
            },
        };
        self.positions += positions;
        self.terminal += if result.is_some() { positions } else { 0 };
    }
}

impl Plies {
    /// Adds a ply: all its positions, with the histories that end in them.
    pub(super) fn add<G: Symmetric<Key = Key>>(
        &mut self,
        game: &G,
        fold: &Fold,
        layer: &Layer,
        first: Ply,
        control: &Control,
    ) -> Result<(), Stopped> {
        control.check()?;
        let canonical = DashSet::with_hasher(FxBuildHasher);
        let sums = layer.map_slots(&|slots| {
            let mut sum = LayerSum::default();
            for (slot, key) in layer.keys_in(slots) {
                let position = game.position_of(key).expect("only keys of positions are kept");
                if !fold.is_whole() {
                    canonical.insert(game.canonical(position).0);
                }
                sum.add(layer.histories(slot), layer.value(slot), fold.orbit(game, position));
            }
            sum
        });
        let canonical = if fold.is_whole() { layer.len() } else { canonical.len() };
        let mut sum = LayerSum::default();
        for part in sums {
            sum.histories += part.histories;
            sum.positions += part.positions;
            sum.terminal += part.terminal;
        }
        let known = |n: u64| (n != u64::MAX).then_some(n);
        let ply = usize::from(first.0) + self.counts.len();
        self.counts.push(PlyCounts {
            ply: Ply(u8::try_from(ply).unwrap_or(u8::MAX)),
            nodes: known(sum.histories.nodes),
            games: known(sum.histories.games.games),
            positions: Some(sum.positions),
            canonical: Some(canonical as u64),
            terminal: Some(sum.terminal),
            ..PlyCounts::default()
        });
        self.histories.push(sum.histories);
        Ok(())
    }
}

/// Fills in the numbers of wins, draws and losses of a layer if `outcome`, which gets a position and
/// its slot, knows the outcome of every position.
pub(super) fn count_outcomes<G: Symmetric<Key = Key>>(
    counts: &mut PlyCounts,
    game: &G,
    fold: &Fold,
    layer: &Layer,
    outcome: &(dyn Fn(G::Position, usize) -> Option<Outcome> + Sync),
) {
    let parts = layer.map_slots(&|slots| {
        let mut sums = [0; 3];
        for (slot, key) in layer.keys_in(slots) {
            let position = game.position_of(key).expect("only keys of positions are kept");
            sums[(outcome(position, slot)?.sign() + 1) as usize] += fold.orbit(game, position);
        }
        Some(sums)
    });
    let parts: Option<Vec<[u64; 3]>> = parts.into_iter().collect();
    if let Some(parts) = parts {
        let [losses, draws, wins] = [0, 1, 2].map(|i| Some(parts.iter().map(|sums| sums[i]).sum()));
        (counts.wins, counts.draws, counts.losses) = (wins, draws, losses);
    }
}

/// Counts histories per ply by visiting each of them: the slow and obvious way.
pub fn walk_plies<G: Game>(
    game: &G,
    root: G::Position,
    plies: u32,
    control: &Control,
) -> Result<Histories, Stopped> {
    let mut counted = Vec::new();
    visit(game, root, plies, (0, true), &mut counted, control)?;
    let mut histories = Histories::default();
    counted.into_iter().for_each(|ply| histories.push(ply));
    Ok(histories)
}

/// Visits a position some moves below the root, with the root's side to move or the other.
fn visit<G: Game>(
    game: &G,
    position: G::Position,
    plies: u32,
    (depth, is_first): (usize, bool),
    counts: &mut Vec<PlyHistories>,
    control: &Control,
) -> Result<(), Stopped> {
    if counts.len() == depth {
        counts.push(PlyHistories::default());
    }
    counts[depth].nodes += 1;
    if counts[depth].nodes.is_multiple_of(1 << 12) {
        control.check()?;
    }
    if let Some(outcome) = game.result(position) {
        let won = |first: bool| u64::from(outcome.sign() == if first { 1 } else { -1 });
        let drawn = u64::from(outcome == Outcome::Draw);
        counts[depth].games += Games::new(won(is_first), won(!is_first), drawn);
        return Ok(());
    }
    if depth as u32 == plies {
        return Ok(());
    }
    for (_, _, keeps_turn, next) in branches(game, position) {
        visit(game, next, plies, (depth + 1, is_first == keeps_turn), counts, control)?;
    }
    Ok(())
}
