//! Solutions: the values of all positions that a root leads to, listed by key.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::code::Code;
use super::error::SolveError;
use super::histories::Histories;
use super::layer::Layer;
use super::listed::Listed;
use super::plies::{Plies, count_plies};
use super::points::BestPoints;
use super::rooted::{Order, Rooted};
use super::solved::{SolvedKey, SolvedPosition, Totals};
use super::strong::StrongSolution;
use crate::control::{Control, Stopped};
use crate::game::{
    Key, MOST_PLIES_LEFT, PartialValue, Ply, Symmetric, Symmetry, Tiered, Unsuited, check_moves,
};
use crate::parallel;

/// A strong solution: outcome, remoteness and best moves of every position a root leads to.
#[derive(Debug)]
pub struct Solution<G: Symmetric> {
    rooted: Rooted<G>,
    listed: Listed,
    /// Values by tier and number.
    codes: Vec<Vec<Code>>,
    /// The root's ply, if each move leaves one ply less: the number of moves since the start.
    first: Ply,
    /// The histories of every ply, if tiers are plies.
    histories: Option<Histories>,
    /// The numbers of positions by tier, counted at the first use.
    totals: OnceLock<Vec<Totals>>,
    /// Final points found so far; `None` if the game counts none.
    points: Mutex<Option<BestPoints<G>>>,
}

impl<G: Symmetric<Key = Key>> Solution<G> {
    /// The most bytes of memory that a position of a game that ends takes, while it is found.
    pub const BYTES_PER_POSITION: u64 = Layer::BYTES_PER_POSITION;

    /// Checks that a game that ends fits: its sets of moves and its bound of plies. The length of
    /// best play is known only once the game is solved.
    pub fn check(game: &G, root: G::Position) -> Result<(), Unsuited>
    where
        G: Tiered,
    {
        check_moves(game)?;
        match game.plies_left(root) {
            0..=MOST_PLIES_LEFT => Ok(()),
            more => Err(Unsuited::Plies(more)),
        }
    }

    /// Finds every position of a game that ends, at most `most` of them, and solves them all.
    pub fn within(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError>
    where
        G: Tiered,
    {
        Self::check(&game, root)?;
        let played = game.plies_left(game.initial()).saturating_sub(game.plies_left(root));
        let first = Ply(u8::try_from(played).unwrap_or(u8::MAX));
        let points = Mutex::new(BestPoints::of(game.clone(), u64::MAX));
        let left = game.plies_left(root);
        let rooted = Rooted::new(game, root, Order::PliesLeft { root: left, of: G::plies_left });
        let (listed, histories) = Listed::find_ending(&rooted, left, most, control)?;
        let codes = listed.solve(&rooted, 0, control)?;
        Ok(Self { rooted, listed, codes, first, histories, totals: OnceLock::new(), points })
    }

    /// Finds every position of a game whose play may be endless, at most `most`, and solves them
    /// all.
    pub fn endless(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        check_moves(&game)?;
        let rooted = Rooted::new(game, root, Order::Loops);
        let listed = Listed::find(&rooted, false, most, control)?;
        let codes = listed.solve(&rooted, 0, control)?;
        let (totals, points) = (OnceLock::new(), Mutex::default());
        Ok(Self { rooted, listed, codes, first: Ply(0), histories: None, totals, points })
    }

    /// Returns value and best moves of a position; `None` if the root does not lead to it.
    ///
    /// # Panics
    /// If its play is endless.
    pub fn entry(&self, position: G::Position) -> Option<SolvedPosition<G::Position>> {
        let value = self.value(position)?.exact().expect("play ends");
        let key = self.rooted.game.key(position);
        Some(SolvedPosition { position, key, value, best: self.best(position) })
    }

    /// Iterates over the tiers, the root's first: the moves played, if each leaves one ply less.
    pub fn tiers(&self) -> impl Iterator<Item = Ply> + '_ {
        let plies = u32::from(self.first.0)..;
        plies.zip(&self.listed.tiers).map(|(ply, _)| Ply(u8::try_from(ply).unwrap_or(u8::MAX)))
    }

    /// Returns every distinct position of a tier, by ascending key; empty without such a tier.
    pub fn entries(&self, tier: Ply) -> Vec<SolvedPosition<G::Position>> {
        let Rooted { game, fold, .. } = &self.rooted;
        let tier = self.tiers().position(|ply| ply == tier).map(|tier| &self.listed.tiers[tier]);
        let images = |key: Key| {
            let position = self.rooted.position(key);
            fold.symmetries().iter().map(move |s: &Symmetry| game.image_key(position, *s))
        };
        let mut keys: Vec<Key> = tier.into_iter().flat_map(Layer::keys).flat_map(images).collect();
        keys.sort_unstable();
        keys.dedup();
        let entry = |key: &Key| self.entry(self.rooted.position(*key)).expect("an image is solved");
        let entries = parallel::map_parts(0..keys.len(), 256, &|part| {
            keys[part].iter().map(entry).collect::<Vec<_>>()
        });
        entries.concat()
    }

    fn value_at(&self, (tier, number): (usize, usize)) -> PartialValue {
        self.codes[tier][number].value().expect("the number is of a position")
    }

    /// Returns the numbers of positions by tier.
    fn totals_of_tiers(&self) -> &[Totals] {
        let value = |_, place| self.value_at(place);
        self.totals.get_or_init(|| self.listed.totals(&self.rooted, &value))
    }
}

impl<G: Symmetric<Key = Key>> StrongSolution<G> for Solution<G> {
    fn game(&self) -> &G {
        &self.rooted.game
    }

    fn root(&self) -> G::Position {
        self.rooted.root
    }

    fn value(&self, position: G::Position) -> Option<PartialValue> {
        self.listed.place(self.rooted.place(position)).map(|place| self.value_at(place))
    }

    fn points(&self, position: G::Position, control: &Control) -> Result<Option<i32>, SolveError> {
        let mut points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        let points = points.as_mut().filter(|_| self.value(position).is_some());
        points.map(|points| points.best(position, control)).transpose()
    }

    fn canonical(&self, see: &mut dyn FnMut(&[SolvedKey])) {
        let solved = |key, place| {
            let position = self.rooted.position(key);
            self.solved_key(position, self.value_at(place))
        };
        self.listed.canonical(&solved, see);
    }

    fn totals(&self) -> Totals {
        self.totals_of_tiers().iter().fold(Totals::default(), |sum, tier| sum.plus(*tier))
    }

    fn plies(&self, plies: u32, control: &Control) -> Result<Plies, Stopped> {
        let Some(histories) = &self.histories else {
            let outcome = |position| self.value(position).map(|value| value.outcome);
            return count_plies(self.game(), self.root(), Ply(0), plies, &outcome, control);
        };
        let mut counted = Plies::default();
        let tiers = histories.plies().iter().zip(self.totals_of_tiers());
        for (histories, totals) in tiers.take((plies as usize).saturating_add(1)) {
            counted.add(self.first, *histories, *totals);
        }
        counted.complete = counted.counts.len() == histories.plies().len();
        Ok(counted)
    }
}
