//! Solutions: the values of all positions that a root leads to, listed by key.

use std::fmt::Debug;
use std::sync::OnceLock;

use super::code::Code;
use super::error::SolveError;
use super::histories::Histories;
use super::layer::Layer;
use super::listed::{CodeKind, Listed, Place};
use super::plies::{Plies, count_plies};
use super::rooted::{Order, Rooted};
use super::solved::{SolvedKey, Totals, ValuedKey};
use crate::control::{Control, Stopped};
use crate::game::{
    Game, Key, MOST_PLIES_LEFT, MoveSet, PartialValue, Ply, Symmetric, Tiered, Unsuited, branches,
    check_moves,
};

/// A strong solution: the value of every position that a root leads to.
#[derive(Debug)]
pub struct Solution<G: Symmetric> {
    pub(super) rooted: Rooted<G>,
    listed: Listed,
    values: Box<dyn Values<G>>,
    /// The root's ply, if each move leaves one ply less: the number of moves since the start.
    first: Ply,
    /// The histories of every ply, if tiers are plies.
    histories: Option<Histories>,
    /// The numbers of positions by tier, counted at the first use.
    totals: OnceLock<Vec<Totals>>,
}

/// The values of listed positions.
pub(super) trait Values<G: Game>: Debug + Send + Sync {
    /// Returns the value of a position; `place` looks its place up.
    fn value(&self, position: G::Position, place: &dyn Fn() -> Place) -> PartialValue;

    /// Returns the final points of a position for the side to move if both sides play for points;
    /// `None` if they are not known.
    fn points(&self, position: G::Position, place: Place) -> Option<i32>;
}

/// Codes by tier and number.
#[derive(Debug)]
struct Numbered {
    values: Vec<Vec<Code>>,
    /// Final points; none if the game does not count them.
    points: Vec<Vec<Code>>,
}

impl<G: Game> Values<G> for Numbered {
    fn value(&self, _: G::Position, place: &dyn Fn() -> Place) -> PartialValue {
        let (tier, number) = place();
        self.values[tier][number].value().expect("the number is of a position")
    }

    fn points(&self, _: G::Position, (tier, number): Place) -> Option<i32> {
        self.points.get(tier).map(|codes| codes[number].points())
    }
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

    pub(super) fn new(rooted: Rooted<G>, listed: Listed, values: Box<dyn Values<G>>) -> Self {
        Self { rooted, listed, values, first: Ply(0), histories: None, totals: OnceLock::new() }
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
        let left = game.plies_left(root);
        let played = game.plies_left(game.initial()).saturating_sub(left);
        let first = Ply(u8::try_from(played).unwrap_or(u8::MAX));
        let rooted = Rooted::new(game, root, Order::PliesLeft { root: left, of: G::plies_left });
        let (listed, histories) = Listed::find_ending(&rooted, left, most, control)?;
        let values = listed.solve(&rooted, CodeKind::Values, 0, control)?;
        let points = match G::COUNTS_POINTS {
            true => listed.solve(&rooted, CodeKind::Points, 0, control)?,
            false => Vec::new(),
        };
        let values = Box::new(Numbered { values, points });
        Ok(Self { first, histories, ..Self::new(rooted, listed, values) })
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
        let values = listed.solve(&rooted, CodeKind::Values, 0, control)?;
        let values = Box::new(Numbered { values, points: Vec::new() });
        Ok(Self::new(rooted, listed, values))
    }

    pub fn game(&self) -> &G {
        &self.rooted.game
    }

    /// Returns the root: every other position follows from it.
    pub fn root(&self) -> G::Position {
        self.rooted.root
    }

    fn place(&self, position: G::Position) -> Option<Place> {
        self.listed.place(self.rooted.place(position))
    }

    /// Returns the value of a position; `None` if the root does not lead to it.
    pub fn value(&self, position: G::Position) -> Option<PartialValue> {
        self.place(position).map(|place| self.values.value(position, &|| place))
    }

    /// Returns the final points of a position for the side to move if both sides play for points;
    /// `None` if the game counts none, or the root does not lead to the position.
    pub fn points(&self, position: G::Position) -> Option<i32> {
        self.place(position).and_then(|place| self.values.points(position, place))
    }

    /// Returns the bit of every move of a position, the move, and its value for the side that makes
    /// it, in move order; none if the game is over or the root does not lead to the position.
    pub fn moves(&self, position: G::Position) -> Vec<(u32, G::Move, PartialValue)> {
        let (game, mut moves) = (self.game(), Vec::new());
        if self.place(position).is_some() && game.result(position).is_none() {
            for (bit, m, keeps_turn, next) in branches(game, position) {
                moves.push((bit, m, self.value_below(next).one_ply_earlier(keeps_turn)));
            }
        }
        moves
    }

    /// Returns the moves that attain the value of a position or, if play is endless, all moves to a
    /// draw; empty if the game is over or the root does not lead to the position.
    pub fn best(&self, position: G::Position) -> MoveSet {
        self.value(position).map_or(MoveSet::EMPTY, |value| self.attaining(position, value))
    }

    fn attaining(&self, position: G::Position, value: PartialValue) -> MoveSet {
        let (game, mut best) = (self.game(), MoveSet::EMPTY);
        if game.result(position).is_none() {
            for (bit, _, keeps_turn, next) in branches(game, position) {
                if self.value_below(next).one_ply_earlier(keeps_turn).attains(value) {
                    best.0 |= 1 << bit;
                }
            }
        }
        best
    }

    /// Returns the value of a child of a position that the root leads to.
    fn value_below(&self, child: G::Position) -> PartialValue {
        self.values.value(child, &|| self.place(child).expect("the root leads to the child"))
    }

    /// Calls `see` with every canonical position, by ascending key, in parts.
    pub fn canonical(&self, see: &mut dyn FnMut(&[SolvedKey])) {
        let solved = |key, place| {
            let position = self.rooted.position(key);
            let value = self.values.value(position, &|| place);
            let (key, symmetry) = self.game().canonical(position);
            let best = self.attaining(position, value);
            let best = self.game().image_moves(position, best, symmetry);
            SolvedKey { key, value, best }
        };
        self.listed.canonical(&solved, see);
    }

    /// Calls `see` with the value of every canonical position, by ascending key, in parts.
    pub fn values(&self, see: &mut dyn FnMut(&[ValuedKey])) {
        self.canonical(&mut |part| see(&valued(part)));
    }

    /// Returns the numbers of positions by tier.
    fn totals_of_tiers(&self) -> &[Totals] {
        let value = |key, place| self.values.value(self.rooted.position(key), &|| place);
        self.totals.get_or_init(|| {
            let mut totals = self.listed.totals(&self.rooted, &value);
            if G::COUNTS_POINTS {
                // A draw has no distance where sides play for points.
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

fn valued(part: &[SolvedKey]) -> Vec<ValuedKey> {
    part.iter().map(|solved| (solved.key, solved.value)).collect()
}
