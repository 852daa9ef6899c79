//! Counts per ply of any game: histories, and the distinct positions they end in.

use super::error::SolveError;
use super::histories::{Histories, PlyHistories};
use super::layer::{Layer, ROOT};
use super::listed::Listed;
use super::rooted::{KeyedRules, Order, Rooted};
use super::solved::Totals;
use crate::control::{Control, Stopped};
use crate::game::{Game, Key, Outcome, PartialValue, Ply, Symmetric, branches};
use crate::statistics::PlyCounts;

/// The counts of every ply below a root. A position reached at several plies counts at each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plies {
    pub counts: Vec<PlyCounts>,
    /// Positions of every ply up to symmetry that are won for the side to move at even plies, and for the
    /// other side, in a game whose sides alternate; 0 if no values are known.
    pub won: Vec<[u64; 2]>,
    /// Histories of every ply, counted as paths over the positions.
    pub histories: Histories,
    /// True if every game ends within these plies.
    pub complete: bool,
}

/// Counts up to `plies` moves from a root, whose own ply is `first`, in at most `memory` bytes; two
/// plies of positions are kept at a time. `outcome` returns the outcome of a position if it is known.
pub fn count_plies<G: Symmetric<Key = Key>>(
    game: &G,
    root: G::Position,
    first: Ply,
    plies: u32,
    outcome: Option<&(dyn Fn(G::Position) -> Option<Outcome> + Sync)>,
    memory: u64,
    control: &Control,
) -> Result<Plies, SolveError> {
    let rules = Rooted::new(game.clone(), root, Order::Plies);
    // A key is read again only for a value.
    let outcome = |key| outcome.and_then(|outcome| outcome(rules.position(key)));
    count(&rules, first, plies, &outcome, memory / Layer::BYTES_PER_POSITION, control)
}

/// Counts in memory for `most` positions of two plies.
pub(super) fn count(
    rules: &dyn KeyedRules,
    first: Ply,
    plies: u32,
    outcome: &(dyn Fn(Key) -> Option<Outcome> + Sync),
    most: u64,
    control: &Control,
) -> Result<Plies, SolveError> {
    let tiers = [1, 0].map(|positions| Layer::with_room_for(positions, true));
    let mut listed = Listed::new(tiers.into());
    listed.tiers[0].add(rules.root(), ROOT);
    let mut counted = Plies::default();
    control.start(0);
    loop {
        control.check()?;
        let value = |key, _| outcome(key).map(PartialValue::of_outcome);
        let (totals, histories) = Totals::of(rules, &listed.tiers[0], &value);
        counted.add(first, histories, totals);
        if counted.counts.len() as u64 > u64::from(plies) {
            // No ply follows one on which every game is over.
            counted.complete = totals.terminal == totals.positions;
            return Ok(counted);
        }
        match listed.expand(rules, 0, most, control) {
            Err(SolveError::Positions(_)) => {
                return Err(SolveError::Plies(counted.counts.len() as u32 - 1));
            }
            expanded => expanded?,
        }
        listed.tiers.remove(0);
        let positions = listed.tiers[0].keys.len();
        if positions == 0 {
            counted.complete = true;
            return Ok(counted);
        }
        listed.tiers.push(Layer::with_room_for(positions, true));
    }
}

impl Plies {
    /// Adds a ply, whose values are known if all positions are won, drawn or lost.
    pub(super) fn add(&mut self, first: Ply, histories: PlyHistories, totals: Totals) {
        let Totals { positions, canonical, terminal, wins, draws, losses, .. } = totals;
        let mut won = [totals.canonical_wins, totals.canonical_losses];
        let ply = usize::from(first.0) + self.counts.len();
        let exact = |histories: u64| (histories != u64::MAX).then_some(histories);
        let valued = |number: u64| (wins + draws + losses == positions).then_some(number);
        self.counts.push(PlyCounts {
            ply: Ply(u8::try_from(ply).unwrap_or(u8::MAX)),
            nodes: exact(histories.nodes),
            games: exact(histories.games.games),
            positions: Some(positions),
            canonical: Some(canonical),
            terminal: Some(terminal),
            wins: valued(wins),
            draws: valued(draws),
            losses: valued(losses),
        });
        if ply % 2 == 1 {
            won.reverse();
        }
        self.won.push(won);
        self.histories.plies.push(histories);
    }
}

/// Counts histories per ply by visiting each of them: the slow and obvious way.
pub fn walk_plies<G: Game>(
    game: &G,
    root: G::Position,
    plies: u32,
    control: &Control,
) -> Result<Histories, Stopped> {
    let mut histories = Histories::default();
    visit(game, root, plies, (0, true), &mut histories.plies, control)?;
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
    let result = game.result(position);
    count_history(counts, (depth, is_first), result, control)?;
    if result.is_some() || depth as u32 == plies {
        return Ok(());
    }
    for (_, _, keeps_turn, next) in branches(game, position) {
        visit(game, next, plies, (depth + 1, is_first == keeps_turn), counts, control)?;
    }
    Ok(())
}

/// Counts a history of a length.
#[inline(never)]
fn count_history(
    counts: &mut Vec<PlyHistories>,
    (depth, is_first): (usize, bool),
    result: Option<Outcome>,
    control: &Control,
) -> Result<(), Stopped> {
    if counts.len() == depth {
        counts.push(PlyHistories::default());
    }
    counts[depth] += PlyHistories::ending(result, if is_first { ROOT } else { [0, 1] });
    if counts[depth].nodes.is_multiple_of(1 << 12) {
        control.check()?;
    }
    Ok(())
}
