//! Construction of a book: its positions by tier, the order in which the last tier is solved, and
//! the values of each tier, backed up from the next.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use everyply_core::control::{Control, Stopped};
use everyply_core::game::{
    Game, Key, Keyed, MoveSet, Ply, Symmetric, Value, ValueWithBest, best_of, images,
};
use everyply_core::games::line::{ConnectFour, LineGame, Size, Stones};
use everyply_core::statistics::PlyCounts;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookDetail {
    Exact,
    /// The outcome, which is cheaper. Draws are still exact, because they fill the board.
    Outcome,
}

#[derive(Clone, Debug)]
pub struct Book {
    game: ConnectFour,
    plan: BookPlan,
    detail: BookDetail,
    known: FxHashMap<Key, ValueWithBest>,
}

impl Book {
    /// Bytes of memory for a position of the last ply: its key in two lists and a set, its value in
    /// a map.
    pub const BYTES_PER_POSITION: f64 = 150.0;

    pub fn new(game: ConnectFour, plan: BookPlan, detail: BookDetail) -> Self {
        Self { game, plan, detail, known: FxHashMap::default() }
    }

    /// Returns the size of the table that measured best, in MiB: neighbours in a book share more
    /// entries than the search of one position needs.
    pub fn default_table(size: Size) -> u64 {
        match size.cells() {
            ..=30 => 8,
            31..=36 => 64,
            _ => 256,
        }
    }

    pub const fn game(&self) -> &ConnectFour {
        &self.game
    }

    pub const fn plan(&self) -> &BookPlan {
        &self.plan
    }

    pub fn known(&self, key: Key) -> Option<ValueWithBest> {
        self.known.get(&key).copied()
    }

    /// Inserts a value known from elsewhere, if the book has its position.
    pub fn learn(&mut self, ply: Ply, key: Key, known: ValueWithBest) {
        if self.plan.contains(ply, key) {
            self.known.insert(key, known);
        }
    }

    /// Returns the ply of a position of a game by its key.
    ///
    /// # Panics
    /// If the game has no position with this key.
    pub fn ply_of(game: &ConnectFour, key: Key) -> Ply {
        game.position_of(key).expect("a key of the game").ply()
    }

    pub fn insert(&mut self, key: Key, proven: ValueWithBest) {
        self.known.insert(key, proven);
    }

    /// Returns the open positions: their values are missing, or lack the book's detail.
    pub fn open_positions(&self) -> FxHashSet<Key> {
        self.plan.keys().filter(|key| self.is_open(**key)).copied().collect()
    }

    fn is_open(&self, key: Key) -> bool {
        self.known.get(&key).is_none_or(|proven| match self.detail {
            BookDetail::Exact => !proven.value.is_exact() || proven.best.is_none(),
            BookDetail::Outcome => !proven.value.is_exact() && proven.best.is_none(),
        })
    }

    /// Returns the open positions of the last ply, in the order to solve them.
    pub fn unsolved(&self) -> Vec<Key> {
        self.plan.last().iter().filter(|key| self.is_open(**key)).copied().collect()
    }

    /// Backs up values from the last ply to the empty board, and calls `consume` with the values of
    /// each ply.
    ///
    /// # Panics
    /// If a position of the last ply has no value.
    pub fn back_up(&mut self, mut consume: impl FnMut(&[(Key, ValueWithBest)])) {
        for tier in self.plan.above().iter().rev() {
            let backed_up: Vec<(Key, ValueWithBest)> =
                tier.par_iter().map(|&key| (key, self.backed_up(key))).collect();
            consume(&backed_up);
            self.known.extend(backed_up);
        }
    }

    /// Returns the value of a position from the known values after its moves.
    ///
    /// If the remoteness of a child is unknown, the remoteness of the position is unknown too,
    /// unless the position is drawn; the best moves are then the moves that attain the outcome.
    fn backed_up(&self, key: Key) -> ValueWithBest {
        let game = &self.game;
        let position = position_of(game, key);
        finished_value(game, position).unwrap_or_else(|| {
            let values = game.moves(position).into_iter().map(|m| {
                let child = self.known[&game.canonical(game.play(position, m)).0];
                (m, child.value.for_parent())
            });
            // Keys are canonical, so these are moves of the canonical position.
            let (value, best) = best_of(values).expect("a move");
            ValueWithBest { value, best: Some(best) }
        })
    }

    pub fn counts(&self) -> Vec<PlyCounts> {
        let values = |tier: &[Key]| -> Vec<_> {
            tier.iter().filter_map(|key| Some((*key, self.known.get(key)?))).collect()
        };
        let tiers = self.plan.tiers().iter().enumerate();
        tiers.map(|(ply, tier)| count(&self.game, Ply(ply as u8), values(tier))).collect()
    }
}

#[derive(Clone, Debug)]
pub struct BookPlan {
    tiers: Vec<Tier>,
    last: Vec<Key>,
}

impl BookPlan {
    /// Creates the plan of all positions up to a ply, at most `most` positions a ply.
    ///
    /// # Errors
    /// If a ply has more positions, or the control asks it to stop.
    pub fn of_plies(
        game: &ConnectFour,
        plies: u8,
        most: usize,
        control: &Control,
    ) -> Result<Self, TierError> {
        let tiers = tiers(game, game.initial(), plies, most, control)?;
        let last = depth_first_order(game, &tiers);
        Ok(Self { tiers, last })
    }

    pub fn positions(&self) -> usize {
        self.tiers.iter().map(Vec::len).sum()
    }

    pub fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    pub(super) fn above(&self) -> &[Tier] {
        self.tiers.split_last().map_or(&[], |(_, above)| above)
    }

    /// Returns the positions of the last tier, in the order to solve them.
    pub fn last(&self) -> &[Key] {
        &self.last
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.above().iter().flatten().chain(&self.last)
    }

    pub(super) fn contains(&self, ply: Ply, key: Key) -> bool {
        self.tiers.get(ply.index()).is_some_and(|keys| keys.binary_search(&key).is_ok())
    }
}

/// The canonical keys of all positions with the same number of stones, ascending, finished games
/// included.
pub type Tier = Vec<Key>;

/// The reason why the positions of a book cannot be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TierError {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error("more than {1} positions, up to mirror images, at ply {0}")]
    TooMany(Ply, usize),
}

/// Returns the tiers of the positions up to `plies` plies after a root, or up to the end of the
/// longest game, the root's own tier first. A tier has at most `most` positions.
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

/// Collects the children of a tier, ascending and each once.
fn gathered(tier: &[Key], children: &(dyn Fn(&[Key]) -> Tier + Sync)) -> Tier {
    // A child is listed once for each of its parents, so duplicates are removed as the lists grow.
    tier.par_chunks(1 << 16)
        .map(|keys| sorted(children(keys)))
        .reduce(Vec::new, |a, b| sorted([a, b].concat()))
}

fn sorted(mut keys: Tier) -> Tier {
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Returns the canonical keys of the positions after each move, or no keys if the game is over.
pub(super) fn children<G: LineGame>(game: &G, key: Key) -> impl Iterator<Item = Key> {
    let position = position_of(game, key);
    let moves = if game.result(position).is_some() { MoveSet::EMPTY } else { game.moves(position) };
    moves.into_iter().map(move |m| game.canonical(game.play(position, m)).0)
}

pub(super) fn position_of<G: LineGame>(game: &G, key: Key) -> Stones {
    game.position_of(key).expect("a key of the game")
}

pub(super) fn finished_value<G: LineGame>(game: &G, position: Stones) -> Option<ValueWithBest> {
    let outcome = game.result(position)?;
    Some(ValueWithBest { value: Value::over(outcome).into(), best: Some(MoveSet::EMPTY) })
}

/// Counts the canonical positions of a tier, and with their mirror images the finished games and
/// the positions by outcome for the side to move.
pub(super) fn count<'v, G: LineGame>(
    game: &G,
    ply: Ply,
    values: impl IntoIterator<Item = (Key, &'v ValueWithBest)>,
) -> PlyCounts {
    let (mut canonical, mut terminal, mut by_outcome) = (0, 0, [0; 3]);
    for (key, proven) in values {
        let position = position_of(game, key);
        let images = images(game, position).len() as u64;
        canonical += 1;
        by_outcome[(proven.value.outcome.sign() + 1) as usize] += images;
        if game.result(position).is_some() {
            terminal += images;
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

/// Returns the positions of the last tier in depth-first order: the children of a position, then
/// the children of its siblings, and so on up to the root. The table then still has the entries
/// that neighbours share; other orders take 8 to 30 % more nodes (`benches/book.md`).
pub fn depth_first_order<G: LineGame>(game: &G, tiers: &[Tier]) -> Vec<Key> {
    let Some((first, rest)) = tiers.split_first() else { return Vec::new() };
    let mut seen = vec![FxHashSet::default(); rest.len()];
    let mut order = Vec::with_capacity(tiers[rest.len()].len());
    for key in first {
        descend(game, *key, &mut seen, &mut order);
    }
    order
}

/// Appends the positions `seen.len()` plies below a position that are not in the order yet.
fn descend<G: LineGame>(game: &G, key: Key, seen: &mut [FxHashSet<Key>], order: &mut Vec<Key>) {
    let Some((next, deeper)) = seen.split_first_mut() else {
        order.push(key);
        return;
    };
    for child in children(game, key) {
        if next.insert(child) {
            descend(game, child, deeper, order);
        }
    }
}
