//! The positions of a book, tier by tier, the order in which those of the last one are solved, and
//! the values of a tier from those of the next.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::control::{Control, Stopped};
use crate::game::{Key, MoveSet, Ply, Value, best_of};
use crate::games::line::{LineGame, Stones};
use crate::parallel;
use crate::search::ValueWithBest;
use crate::statistics::PlyCounts;

/// The canonical keys of all positions with the same number of stones, ascending, finished games
/// included.
pub type Tier = Vec<Key>;

/// The reason why the positions of a book cannot be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TierError {
    /// A stop that was asked for.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A ply with more positions than this limit.
    #[error("more than {1} positions, up to mirror images, at ply {0}")]
    TooMany(Ply, usize),
}

/// Returns the tiers from a position on, the position's own first, down to `plies` below it or to
/// the end of the longest game; `most` positions of a tier are allowed.
///
/// # Errors
/// If a tier is larger, or the control asks it to stop.
pub fn tiers<G: LineGame>(
    game: &G,
    root: Stones,
    plies: u8,
    most: usize,
    control: &Control,
) -> Result<Vec<Tier>, TierError> {
    let mut tiers = vec![vec![game.canonical(root).0]];
    for below in 1..=plies {
        control.check()?;
        let next = gathered(&tiers[tiers.len() - 1], &|keys| {
            keys.iter().flat_map(|key| children(game, *key)).collect()
        });
        if next.len() > most {
            return Err(TierError::TooMany(Ply(root.ply().0 + below), most));
        }
        if next.is_empty() {
            break;
        }
        tiers.push(next);
    }
    Ok(tiers)
}

/// Collects the keys after the moves of a tier, each once.
fn gathered(tier: &[Key], children: &(dyn Fn(&[Key]) -> Tier + Sync)) -> Tier {
    // Every child is listed once for each of its parents, so lists are cut down as they grow.
    tier.par_chunks(1 << 16)
        .map(|keys| sorted(children(keys)))
        .reduce(Vec::new, |a, b| sorted([a, b].concat()))
}

fn sorted(mut keys: Tier) -> Tier {
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Returns the canonical keys of the positions after each move; none if the game is over.
pub(super) fn children<G: LineGame>(game: &G, key: Key) -> impl Iterator<Item = Key> {
    let position = position_of(game, key);
    let moves = if game.result(position).is_some() { MoveSet::EMPTY } else { game.moves(position) };
    moves.into_iter().map(move |m| game.canonical(game.play(position, m)).0)
}

pub(super) fn position_of<G: LineGame>(game: &G, key: Key) -> Stones {
    game.position_of(key).expect("a key of the game")
}

/// Returns the value of a finished game.
pub(super) fn finished_value<G: LineGame>(game: &G, position: Stones) -> Option<ValueWithBest> {
    let outcome = game.result(position)?;
    Some(ValueWithBest { value: Value::over(outcome).into(), best: Some(MoveSet::EMPTY) })
}

/// Backs up the values of a tier from those of the next tier, `below`; returns them by ascending
/// key.
///
/// If the remoteness of a child is not known, that of the position is not known either, unless it
/// is drawn, and the best moves are those that attain the outcome.
pub(super) fn back_up<G: LineGame>(
    game: &G,
    tier: &[Key],
    below: &FxHashMap<Key, ValueWithBest>,
) -> Vec<(Key, ValueWithBest)> {
    let backed_up = |&key: &Key| (key, backed_up(game, key, below));
    let parts = parallel::map_parts(0..tier.len(), 1, &|part| {
        tier[part].iter().map(backed_up).collect::<Vec<_>>()
    });
    parts.concat()
}

fn backed_up<G: LineGame>(
    game: &G,
    key: Key,
    below: &FxHashMap<Key, ValueWithBest>,
) -> ValueWithBest {
    let position = position_of(game, key);
    if let Some(proven) = finished_value(game, position) {
        return proven;
    }
    let value_of = |m| {
        let child = below[&game.canonical(game.play(position, m)).0];
        (m, child.value.for_parent())
    };
    let moves: Vec<_> = game.moves(position).into_iter().map(value_of).collect();
    // Keys are canonical, so the moves are those of the canonical position.
    let (value, best) = best_of(moves.iter().copied()).expect("a move");
    ValueWithBest { value, best: Some(best) }
}

/// Counts the positions of a tier, mirror images included: by outcome for the side to move,
/// finished games, canonical positions.
pub(super) fn count<'v, G: LineGame>(
    game: &G,
    ply: Ply,
    values: impl IntoIterator<Item = (Key, &'v ValueWithBest)>,
) -> PlyCounts {
    let (mut canonical, mut terminal, mut by_outcome) = (0, 0, [0; 3]);
    for (key, proven) in values {
        let position = position_of(game, key);
        let mut images: Vec<Key> = (0..game.symmetries())
            .map(|s| game.image_key(position, crate::game::Symmetry(s)))
            .collect();
        images.sort_unstable();
        images.dedup();
        canonical += 1;
        by_outcome[(proven.value.outcome.sign() + 1) as usize] += images.len() as u64;
        if game.result(position).is_some() {
            terminal += images.len() as u64;
        }
    }
    let [losses, draws, wins] = by_outcome;
    PlyCounts {
        ply,
        positions: Some(losses + draws + wins),
        canonical: Some(canonical),
        terminal: Some(terminal),
        wins: Some(wins),
        draws: Some(draws),
        losses: Some(losses),
        ..PlyCounts::default()
    }
}

/// Returns the positions of the last tier in depth-first order: the children of a position
/// together, then those of its siblings, and so on up to the root. Entries that neighbours share
/// are still in the table; other orders take 8 to 30 % more nodes (`benches/book.md`).
pub fn depth_first_order<G: LineGame>(game: &G, tiers: &[Tier]) -> Vec<Key> {
    let Some((first, rest)) = tiers.split_first() else { return Vec::new() };
    let mut seen = vec![FxHashSet::default(); rest.len()];
    let mut found = Vec::with_capacity(tiers[rest.len()].len());
    for key in first {
        descend(game, *key, &mut seen, &mut found);
    }
    found
}

/// Appends the positions `seen.len()` plies below a position that were not found before.
fn descend<G: LineGame>(game: &G, key: Key, seen: &mut [FxHashSet<Key>], found: &mut Vec<Key>) {
    let Some((next, deeper)) = seen.split_first_mut() else {
        found.push(key);
        return;
    };
    for child in children(game, key) {
        if next.insert(child) {
            descend(game, child, deeper, found);
        }
    }
}
