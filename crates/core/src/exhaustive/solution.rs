//! Solutions: the values of all positions that a root leads to, listed by key.

use std::fmt::Debug;
use std::sync::OnceLock;

use rayon::slice::ParallelSliceMut;

use super::backwards::Child;
use super::code::Code;
use super::error::SolveError;
use super::histories::Histories;
use super::layer::Layer;
use super::listed::{CodeKind, Listed, Place};
use super::plies::{Plies, count};
use super::rooted::{KeyedRules, Order, Rooted};
use super::solved::{SolvedKey, Totals, ValuedKey};
use crate::control::{Control, Stopped};
use crate::game::{
    Key, MOST_PLIES_LEFT, Move, MoveSet, Outcome, PartialValue, Ply, Symmetric, Tiered, Unsuited,
    check_moves,
};

/// A strong solution: the value of every position that a root leads to, by key. It is compiled once
/// for all games.
#[derive(Debug)]
pub struct Solution {
    rules: Box<dyn KeyedRules>,
    listed: Listed,
    values: Numbered,
    /// The root's ply, if each move leaves one ply less: the number of moves since the start.
    first: Ply,
    /// The histories of every ply, if tiers are plies.
    histories: Option<Histories>,
    /// The numbers of positions by tier, counted at the first use.
    totals: OnceLock<Vec<Totals>>,
}

/// Codes by tier and number.
#[derive(Debug)]
pub(super) struct Numbered {
    /// Values; none if a game is solved for points alone.
    pub values: Vec<Vec<Code>>,
    /// Final points; none if the game does not count them.
    pub points: Vec<Vec<Code>>,
}

impl Numbered {
    fn value(&self, (tier, number): Place) -> PartialValue {
        let value = match self.values.get(tier) {
            Some(codes) => codes[number].value(),
            None => {
                let points = self.points[tier][number].points();
                Outcome::from_sign(points.signum().into()).map(PartialValue::of_outcome)
            }
        };
        value.expect("the number is of a position")
    }

    /// Returns the final points of a position for the side to move if both sides play for points;
    /// `None` if they are not known.
    fn points(&self, (tier, number): Place) -> Option<i32> {
        self.points.get(tier).map(|codes| codes[number].points())
    }
}

impl Solution {
    /// The most bytes of memory that a position of a game that ends takes, while it is found.
    pub const BYTES_PER_POSITION: u64 = Layer::BYTES_PER_POSITION;

    /// Checks that a game that ends fits: its sets of moves and its bound of plies. The length of
    /// best play is known only once the game is solved.
    pub fn check<G: Tiered>(game: &G, root: G::Position) -> Result<(), Unsuited> {
        check_moves(game)?;
        match game.plies_left(root) {
            0..=MOST_PLIES_LEFT => Ok(()),
            more => Err(Unsuited::Plies(more)),
        }
    }

    pub(super) fn new(rules: Box<dyn KeyedRules>, listed: Listed, values: Numbered) -> Self {
        Self { rules, listed, values, first: Ply(0), histories: None, totals: OnceLock::new() }
    }

    /// Finds every position of a game that ends, at most `most` of them, and solves them all.
    pub fn within<G: Symmetric<Key = Key> + Tiered>(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        Self::check(&game, root)?;
        let left = game.plies_left(root);
        let played = game.plies_left(game.initial()).saturating_sub(left);
        let order = Order::PliesLeft { root: left, of: G::plies_left };
        let rules = Box::new(Rooted::new(game, root, order));
        Self::ending(rules, played, left, most, control)
    }

    /// Solves a game that ends within `left` plies of the root, `played` plies from the start.
    fn ending(
        rules: Box<dyn KeyedRules>,
        played: u32,
        left: u32,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        let (listed, histories) = Listed::find_ending(&*rules, left, most, control)?;
        let values = listed.solve(&*rules, CodeKind::Values, 0, control)?;
        let points = match rules.counts_points() {
            true => listed.solve(&*rules, CodeKind::Points, 0, control)?,
            false => Vec::new(),
        };
        let values = Numbered { values, points };
        let first = Ply(u8::try_from(played).unwrap_or(u8::MAX));
        Ok(Self { first, histories, ..Self::new(rules, listed, values) })
    }

    /// Finds every position of a game whose play may be endless, at most `most`, and solves them
    /// all.
    pub fn endless<G: Symmetric<Key = Key>>(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Self, SolveError> {
        check_moves(&game)?;
        let rules = Box::new(Rooted::new(game, root, Order::Loops));
        let listed = Listed::find(&*rules, false, most, control)?;
        let values = listed.solve(&*rules, CodeKind::Values, 0, control)?;
        let values = Numbered { values, points: Vec::new() };
        Ok(Self::new(rules, listed, values))
    }

    /// Returns the value of the root.
    pub fn value(&self) -> PartialValue {
        self.value_of(self.rules.root()).expect("the root is solved")
    }

    fn place(&self, key: Key) -> Option<Place> {
        self.listed.place(self.rules.kept(key)?)
    }

    /// Returns the value of the position of this key; `None` if the root does not lead to it.
    pub fn value_of(&self, key: Key) -> Option<PartialValue> {
        self.place(key).map(|place| self.values.value(place))
    }

    /// Returns the final points of the position of this key for the side to move if both sides play
    /// for points; `None` if the game counts none, or the root does not lead to the position.
    pub fn points_of(&self, key: Key) -> Option<i32> {
        self.place(key).and_then(|place| self.values.points(place))
    }

    /// Returns the bit of every move of the position of this key, and its value for the side that
    /// makes it, in move order; none if the game is over or the root does not lead to the position.
    pub fn moves_of(&self, key: Key) -> Vec<(u32, PartialValue)> {
        let (mut moves, mut children) = (Vec::new(), Vec::new());
        if let Some((tier, _)) = self.place(key) {
            self.rules.children(tier, key, &self.listed.tiers, &mut children);
            moves.extend(children.iter().map(|child| (child.bit.into(), self.value_by(child))));
        }
        moves
    }

    /// Returns the moves that attain the value of the position of this key or, if play is endless,
    /// all moves to a draw; empty if the game is over or the root does not lead to the position.
    pub fn best_of(&self, key: Key) -> MoveSet {
        let best =
            |place: Place| self.attaining(place.0, key, self.values.value(place), &mut Vec::new());
        self.place(key).map_or(MoveSet::EMPTY, best)
    }

    /// Returns the moves to the most points for the side that makes them, of a position that the
    /// root leads to; `None` in games that count none.
    pub fn best_for_points(&self, key: Key) -> Option<MoveSet> {
        if !self.rules.counts_points() {
            return None;
        }
        let (mut children, (tier, _)) = (Vec::new(), self.rules.kept(key)?);
        self.rules.children(tier, key, &self.listed.tiers, &mut children);
        let points = |child: &Child| {
            let place = self.listed.place((child.tier as usize, child.key))?;
            let points = self.values.points(place)?;
            Some(if child.keeps_turn { points } else { -points })
        };
        let points = children.iter().map(points).collect::<Option<Vec<_>>>()?;
        let most = points.iter().max();
        let best = children.iter().zip(&points).filter(|(_, points)| Some(*points) == most);
        Some(best.map(|(child, _)| Move(child.bit)).collect())
    }

    fn attaining(
        &self,
        tier: usize,
        key: Key,
        value: PartialValue,
        children: &mut Vec<Child>,
    ) -> MoveSet {
        self.rules.children(tier, key, &self.listed.tiers, children);
        let attaining = children.iter().filter(|child| self.value_by(child).attains(value));
        attaining.map(|child| Move(child.bit)).collect()
    }

    /// Returns the value of a move from a position that the root leads to.
    fn value_by(&self, &Child { tier, key, keeps_turn, .. }: &Child) -> PartialValue {
        let place = self.listed.place((tier as usize, key)).expect("the root leads to it");
        self.values.value(place).one_ply_earlier(keeps_turn)
    }

    /// Calls `see` with every canonical position, by ascending key, in parts.
    pub fn canonical(&self, see: &mut dyn FnMut(&[SolvedKey])) {
        let mut all = Vec::with_capacity(self.listed.len() as usize);
        // One tier after another, because each is in memory twice for a moment.
        for (tier, layer) in self.listed.tiers.iter().enumerate() {
            let parts = layer.map_slots(&|slots| {
                let mut children = Vec::new();
                let solved = |(number, key)| {
                    let value = self.values.value((tier, number));
                    let best = self.attaining(tier, key, value, &mut children);
                    let (key, best) = self.rules.canonical(key, best);
                    SolvedKey { key, value, best, tier: tier as u32 }
                };
                layer.keys.iter_in(slots).map(solved).collect::<Vec<_>>()
            });
            all.append(&mut parts.concat());
        }
        all.par_sort_unstable_by_key(|solved| solved.key);
        all.dedup_by_key(|solved| solved.key);
        all.chunks(1 << 16).for_each(see);
    }

    /// Calls `see` with the value of every canonical position, by ascending key, in parts.
    pub fn values(&self, see: &mut dyn FnMut(&[ValuedKey])) {
        let valued = |solved: &SolvedKey| (solved.key, solved.value);
        self.canonical(&mut |part| see(&part.iter().map(valued).collect::<Vec<_>>()));
    }

    /// Returns the numbers of positions by tier.
    fn totals_of_tiers(&self) -> &[Totals] {
        self.totals.get_or_init(|| {
            let of = |(tier, layer)| {
                let value = |_, number| Some(self.values.value((tier, number)));
                Totals::of(&*self.rules, layer, &value).0
            };
            let mut totals: Vec<_> = self.listed.tiers.iter().enumerate().map(of).collect();
            if self.rules.counts_points() {
                // If sides play for points, a draw has no distance.
                totals.iter_mut().for_each(|tier| tier.endless = 0);
            }
            totals
        })
    }

    pub fn totals(&self) -> Totals {
        self.totals_of_tiers().iter().fold(Totals::default(), |sum, tier| sum.plus(*tier))
    }

    /// Counts up to `plies` moves from the root, with the values of positions.
    pub fn plies(&self, plies: u32, control: &Control) -> Result<Plies, Stopped> {
        let Some(histories) = &self.histories else {
            let outcome = |key| self.value_of(key).map(|value| value.outcome);
            return match count(&*self.rules.by_ply(), Ply(0), plies, &outcome, u64::MAX, control) {
                Err(SolveError::Stopped(stopped)) => Err(stopped),
                counted => Ok(counted.expect("there is no limit")),
            };
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
