//! The complete answer of a solver about a position, in a form that can be compared.

use std::sync::Mutex;

use super::super::*;
use crate::game::PartialValue;

/// A move and its value for the side that makes it.
pub type ValuedMove = (Move, Value);

/// Returns the moves that attain a value.
pub fn best(value: Value, moves: &[ValuedMove]) -> MoveSet {
    moves.iter().filter(|(_, other)| *other == value).map(|(m, _)| *m).collect()
}

/// Returns true if a goal includes moves.
pub const fn is_about_moves(goal: Goal) -> bool {
    matches!(goal, Goal::BestMoves | Goal::AllMoves)
}

/// The answer of a solver about a position, for a goal.
#[derive(Debug, PartialEq)]
pub struct SolverAnswer {
    goal: Goal,
    value: PartialValue,
    best: MoveSet,
    moves: Vec<ValuedMove>,
    /// The plies of best play, and the result at its end for the side to move there.
    play: (usize, Option<Outcome>),
    /// Reported bounds, or bounds known without a search, that exclude the value.
    wrong_bounds: Vec<ValueBounds>,
}

impl SolverAnswer {
    /// Creates the right answer for a position of this value whose moves have these values. They
    /// are not needed where the goal is the value or the outcome.
    pub fn right(goal: Goal, value: Value, moves: &[ValuedMove]) -> Self {
        let end = if value.remoteness.0 % 2 == 1 { -value.outcome } else { value.outcome };
        let (best, play) = match is_about_moves(goal) {
            true => (best(value, moves), (value.remoteness.0.into(), Some(end))),
            false => (MoveSet::EMPTY, (0, None)),
        };
        let moves = if goal == Goal::AllMoves { moves.to_vec() } else { Vec::new() };
        let value = match goal {
            Goal::Outcome => PartialValue::of_outcome(value.outcome),
            _ => value.into(),
        };
        Self { goal, value, best, moves, play, wrong_bounds: Vec::new() }
    }

    /// Creates the answer of a solver about a position of this value.
    pub fn of<W: SolverWord>(
        solver: &Solver<W>,
        position: Stones<W>,
        goal: Goal,
        value: Value,
    ) -> Self {
        let (game, found) = (solver.game(), Mutex::default());
        let before = solver.known(position);
        solver.analyze(position, goal, &found, &Control::default()).expect("no stop");
        let found: Analysis = found.into_inner().unwrap();
        let bounds = [before, found.bounds, solver.known(position)].into_iter().flatten();
        let end = found.variation.iter().try_fold(position, |p, &m| game.try_play(p, m));
        Self {
            goal,
            value: found.value.expect("the goal is reached"),
            best: found.best,
            moves: found.moves.into_iter().map(|(m, solved)| (m, solved.value)).collect(),
            play: (found.variation.len(), end.ok().and_then(|end| game.result(end))),
            wrong_bounds: bounds.filter(|b| value < b.worst || b.best < value).collect(),
        }
    }
}
