//! The values of all positions below one, of a game that is known by name only.

use std::marker::PhantomData;

use super::method::Method;
use super::position::Position;
use super::studied::{not_in_a_page, tiers};
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{
    Plies, SolveError, SolvedKey, SolvedPosition, StrongSolution, Subtree, Totals, ValuedKey,
};
use everyply_core::game::{Key, MoveSet, PartialValue, Ply, Registered, branches};

/// A solved position as a database keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedRow {
    /// The canonical key.
    pub key: Key,
    /// The tier.
    pub tier: Ply,
    /// The value for the side to move.
    pub worth: PartialValue,
    /// The best moves, as bits of the canonical position: in games that count points, those with the most.
    pub best: MoveSet,
}

/// The final points of a position if both sides play for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// The points by which the side to move wins, negative if it loses.
    pub best: i32,
    /// The bits of the moves, ascending by move, with the points for the side that makes them.
    pub moves: Vec<(u32, i32)>,
}

impl Points {
    /// Those of a position and of its moves, by those of single positions, which `known` gives for games
    /// that are not over; `None` if one is not known.
    ///
    /// # Errors
    /// Those of `known`.
    pub fn of<E>(
        study: &dyn Position,
        known: impl Fn(&dyn Position) -> Result<Option<i32>, E>,
    ) -> Result<Option<Self>, E> {
        let of =
            |at: &dyn Position| at.final_points().map_or_else(|| known(at), |over| Ok(Some(over)));
        let Some(best) = of(study)? else { return Ok(None) };
        let mut moves = Vec::new();
        for branch in study.branches() {
            let Some(there) = of(&*branch.to)? else { return Ok(None) };
            moves.push((branch.bit, if branch.keeps_turn { there } else { -there }));
        }
        Ok(Some(Self { best, moves }))
    }

    /// The bits of the moves with the most points.
    pub fn best_moves(&self) -> MoveSet {
        let best = self.moves.iter().filter(|(_, there)| *there == self.best);
        MoveSet(best.fold(0, |set, (bit, _)| set | 1 << bit))
    }
}

/// A position of a [listing](Answers::listing).
#[derive(Clone, Debug)]
pub struct ListedRow {
    /// The position, which may be any image.
    pub solved: SolvedRow,
    /// The bits of its moves, each with its value for the side that makes it.
    pub moves: Vec<(u32, PartialValue)>,
    /// The tree below it.
    pub below: Subtree,
}

/// A solution of all positions below one.
pub trait Answers: Send + Sync {
    /// The value of the root for the side to move.
    fn worth(&self) -> PartialValue;

    /// The value of the position of this key for the side to move; `None` if the root does not lead
    /// to it.
    fn worth_of(&self, key: Key) -> Option<PartialValue>;

    /// The final points of the position of this key for the side to move if both sides play for points;
    /// `None` if the game counts none, or the root does not lead to the position.
    ///
    /// # Errors
    /// If the control asks it to stop.
    fn points_of(&self, key: Key, control: &Control) -> Result<Option<i32>, SolveError>;

    /// Every move of the root, ascending, with its value for the side that makes it, and whether
    /// it is a best one.
    fn moves(&self) -> Vec<(String, PartialValue, bool)>;

    /// The number of positions.
    fn totals(&self) -> Totals;

    /// Counts per ply, with the values of positions.
    fn plies(&self, most: u32, control: &Control) -> Result<Plies, Stopped>;

    /// Hands over every canonical position, in parts.
    fn rows(&self, see: &mut dyn FnMut(Vec<SolvedRow>));

    /// Hands over the value of every canonical position, by ascending key, in parts.
    fn values(&self, see: &mut dyn FnMut(&[ValuedKey]));

    /// Hands over every position, by tier and key, with the tree below it; none where play may be
    /// endless.
    fn listing(&self, see: &mut dyn FnMut(ListedRow));
}

/// A solution by the method of a game.
pub(super) struct Answered<G, M, S> {
    solution: S,
    of: PhantomData<(G, M)>,
}

impl<G, M, S> Answered<G, M, S> {
    pub const fn new(solution: S) -> Self {
        Self { solution, of: PhantomData }
    }
}

impl<G: Registered<Key = Key>, M, S: StrongSolution<G>> Answered<G, M, S> {
    /// The moves of a position with the most points for the side that makes them; `None` in games that count
    /// none.
    fn best_for_points(&self, position: G::Position) -> Option<MoveSet> {
        if !G::COUNTS_POINTS {
            return None;
        }
        let (game, control) = (self.solution.game(), Control::default());
        let points = |(bit, _, keeps_turn, child): (u32, _, bool, _)| {
            let points = self.solution.points(child, &control).ok()??;
            Some((bit, if keeps_turn { points } else { -points }))
        };
        let is_over = game.result(position).is_some();
        let moves = (!is_over).then(|| branches(game, position)).into_iter().flatten();
        let moves: Vec<_> = moves.map(points).collect::<Option<_>>()?;
        let most = moves.iter().map(|(_, points)| *points).max();
        let best = moves.iter().filter(|(_, points)| Some(*points) == most);
        Some(MoveSet(best.fold(0, |set, (bit, _)| set | 1 << bit)))
    }
}

impl<G, M, S> Answers for Answered<G, M, S>
where
    G: Registered<Key = Key>,
    M: Method<G>,
    S: StrongSolution<G> + Send + Sync,
{
    fn worth(&self) -> PartialValue {
        self.solution.worth(self.solution.root()).expect("the root is solved")
    }

    fn worth_of(&self, key: Key) -> Option<PartialValue> {
        self.solution.worth(self.solution.game().position_of(key)?)
    }

    fn points_of(&self, key: Key, control: &Control) -> Result<Option<i32>, SolveError> {
        let position = self.solution.game().position_of(key);
        position.map_or(Ok(None), |position| self.solution.points(position, control))
    }

    fn moves(&self) -> Vec<(String, PartialValue, bool)> {
        let (game, root) = (self.solution.game(), self.solution.root());
        let best = self.solution.best(root);
        let moves = self.solution.moves(root).into_iter();
        moves.map(|(bit, m, worth)| (game.write_move(m), worth, best.has(bit))).collect()
    }

    fn totals(&self) -> Totals {
        self.solution.totals()
    }

    fn plies(&self, most: u32, control: &Control) -> Result<Plies, Stopped> {
        self.solution.plies(most, control)
    }

    fn rows(&self, see: &mut dyn FnMut(Vec<SolvedRow>)) {
        not_in_a_page();
        let (game, tier) = (self.solution.game(), tiers::<G, M>(self.solution.game()));
        self.solution.canonical(&mut |part| {
            let row = |&SolvedKey { key, value: worth, best }: &SolvedKey| {
                let position = game.position_of(key).expect("a key of the solution");
                let best = self.best_for_points(position).unwrap_or(best);
                SolvedRow { key, tier: tier(position), worth, best }
            };
            see(part.iter().map(row).collect());
        });
    }

    fn values(&self, see: &mut dyn FnMut(&[ValuedKey])) {
        not_in_a_page();
        self.solution.values(see);
    }

    fn listing(&self, see: &mut dyn FnMut(ListedRow)) {
        not_in_a_page();
        let tier = tiers::<G, M>(self.solution.game());
        self.solution.listing(&mut |SolvedPosition { position, key, value, best }, below| {
            let moves = self.solution.moves(position).into_iter();
            let moves = moves.map(|(bit, _, worth)| (bit, worth)).collect();
            let best = self.best_for_points(position).unwrap_or(best);
            let solved = SolvedRow { key, tier: tier(position), worth: value.into(), best };
            see(ListedRow { solved, moves, below });
        });
    }
}
