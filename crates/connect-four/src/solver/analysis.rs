//! The analysis of a position, step by step, so that a stopped run has a partial result: its value,
//! best moves and best play. Values of many positions at once.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::score::{Interval, Score, score_of};
use super::{Solved, Solver, SolverWord, all_scores};
use everyply_core::clock::Instant;
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{
    Game, Move, MoveSet, Outcome, PartialValue, Remoteness, Value, ValueBounds,
};
use everyply_core::games::line::{LineGame, Stones};
use everyply_core::parallel::in_order::each_in_order;

/// The goal of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Win, draw or loss, which is cheaper.
    Outcome,
    /// Outcome and remoteness.
    Value,
    /// The value, all best moves, and best play to the end. Every other move takes a proof that it
    /// is worse; all these proofs together can take longer than the value.
    BestMoves,
    /// All of `BestMoves`, and the value of every move.
    AllMoves,
}

/// The analysis of a position, complete or up to a stop.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// Proved bounds of the value.
    pub bounds: Option<ValueBounds>,
    /// The value for the side to move; its outcome alone if the goal was the outcome.
    pub value: Option<PartialValue>,
    /// All moves that attain the value; empty if the goal does not include them or the game is
    /// over.
    pub best: MoveSet,
    /// Best play of both sides to the end of the game.
    pub variation: Vec<Move>,
    /// For each move of best play, the worse moves that were tried before it.
    pub refuted: Vec<Vec<RefutedMove>>,
    /// Moves with their values for the side that makes them.
    pub moves: Vec<(Move, Solved)>,
    /// Positions searched for the value of the root.
    pub nodes: u64,
    /// The time spent on the value of the root.
    pub elapsed: Duration,
    /// Positions searched for best moves and best play after the value was known.
    pub nodes_of_play: u64,
}

/// A move that is worse than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefutedMove {
    /// The move.
    pub m: Move,
    /// Proved bounds of the position after the move.
    pub bounds: ValueBounds,
}

impl Analysis {
    /// Returns the value if it is exact.
    pub fn exact(&self) -> Option<Value> {
        self.value.and_then(PartialValue::exact)
    }

    /// Counts all positions searched: for the value of the root, for its moves and for best play.
    pub fn all_nodes(&self) -> u64 {
        let of_moves: u64 = self.moves.iter().map(|(_, solved)| solved.nodes).sum();
        self.nodes + of_moves + self.nodes_of_play
    }

    /// Adds the positions of a search that was stopped; `searched` counts all positions of the run.
    pub fn count_unfinished(&mut self, searched: u64) {
        let more = searched.saturating_sub(self.all_nodes());
        if self.value.is_some() {
            self.nodes_of_play += more;
        } else {
            self.nodes += more;
        }
    }
}

impl<W: SolverWord> Solver<W> {
    /// Analyzes a position to a goal, and writes every step to `analysis`.
    ///
    /// # Errors
    /// If the control asks it to stop; `analysis` then holds what is proved.
    pub fn analyze(
        &self,
        root: Stones<W>,
        goal: Goal,
        analysis: &Mutex<Analysis>,
        control: &Control,
    ) -> Result<(), Stopped> {
        let note = || analysis.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = Instant::now();
        let note_value = |value, nodes| {
            let mut partial = note();
            (partial.value, partial.nodes, partial.elapsed) = (Some(value), nodes, begun.elapsed());
        };
        if goal == Goal::Outcome {
            let (outcome, nodes) = self.outcome_only(root, control)?;
            note_value(PartialValue::of_outcome(outcome), nodes);
            return Ok(());
        }
        let watch = |bounds| note().bounds = Some(bounds);
        let Solved { value, nodes } = self.value_with_progress(root, control, watch)?;
        note_value(value.into(), nodes);
        if goal == Goal::Value {
            return Ok(());
        }
        if goal == Goal::AllMoves {
            for m in self.open_moves(root) {
                let solved = self.value(self.game.play(root, m), control)?;
                note().moves.push((m, Solved { value: solved.value.for_parent(), ..solved }));
            }
        }
        let before = control.progress().0;
        let best = self.best_moves(root, value, control)?;
        {
            let mut partial = note();
            (partial.best, partial.nodes_of_play) = (best, control.progress().0 - before);
        }
        let (variation, refuted) = self.best_play(root, value, control)?;
        let mut partial = note();
        partial.nodes_of_play = control.progress().0 - before;
        (partial.variation, partial.refuted) = (variation, refuted);
        Ok(())
    }

    /// Returns the moves that attain the known value of a position; none if the game is over.
    /// Cheaper than the exact value of every move.
    pub fn best_moves(
        &self,
        position: Stones<W>,
        value: Value,
        control: &Control,
    ) -> Result<MoveSet, Stopped> {
        self.moves_leaving(position, -score_of(value, self.empties(position)), control)
    }

    /// Returns the moves after which the other side gets at most this score; none if the game is
    /// over.
    fn moves_leaving(
        &self,
        position: Stones<W>,
        most: Score,
        control: &Control,
    ) -> Result<MoveSet, Stopped> {
        let mut moves = MoveSet::EMPTY;
        for m in self.open_moves(position) {
            if self.is_at_most(self.game.play(position, m), most, control)? {
                moves = moves.with(m);
            }
        }
        Ok(moves)
    }

    /// Returns the move nearest to the middle that attains the known value of a position, `None` if
    /// the game is over, and the worse moves that were tried before it. Cheaper than all
    /// [`best_moves`](Self::best_moves).
    pub fn best_move(
        &self,
        position: Stones<W>,
        value: Value,
        control: &Control,
    ) -> Result<(Option<Move>, Vec<RefutedMove>), Stopped> {
        let mut refuted = Vec::new();
        // No move is better, so the other side scores at least this after it.
        let least = -score_of(value, self.empties(position));
        let wanted = Interval { lower: least, upper: least + 1 };
        let moves = self.open_moves(position);
        for &m in self.game.centre_first().iter().filter(|&&m| moves.contains(m)) {
            let next = self.game.play(position, m);
            let (known, _) = self.prove(next, wanted, control, |_| ())?;
            if known.upper <= least {
                return Ok((Some(m), refuted));
            }
            refuted.push(RefutedMove { m, bounds: known.bounds(self.empties(next)) });
        }
        Ok((None, refuted))
    }

    /// Returns best play of both sides to the end of the game, from a position of known value, and
    /// the worse moves that were tried before each of its moves. Of equally good moves the one
    /// nearer to the middle is played.
    pub fn best_play(
        &self,
        mut position: Stones<W>,
        mut value: Value,
        control: &Control,
    ) -> Result<(Vec<Move>, Vec<Vec<RefutedMove>>), Stopped> {
        let (mut variation, mut refuted) = (Vec::new(), Vec::new());
        while value.remoteness.0 > 0 {
            let (m, before) = self.best_move(position, value, control)?;
            let m = m.expect("a move attains the value");
            variation.push(m);
            refuted.push(before);
            position = self.game.play(position, m);
            value = value.after_best_move();
        }
        Ok((variation, refuted))
    }

    /// Returns the moves that attain the known outcome of a position; none if the game is over.
    pub fn moves_to_outcome(
        &self,
        position: Stones<W>,
        outcome: Outcome,
        control: &Control,
    ) -> Result<MoveSet, Stopped> {
        let most = match outcome {
            Outcome::Win => -1,
            Outcome::Draw => 0,
            // In a lost position every move attains it.
            Outcome::Loss => return Ok(self.open_moves(position)),
        };
        self.moves_leaving(position, most, control)
    }

    /// Narrows the bounds of all moves together, two plies at a time: each round decides for every
    /// move whether a side can force a win within that number of plies. Calls `report` with the
    /// bounds of each move, for the side that makes it.
    pub fn look_ahead(
        &self,
        position: Stones<W>,
        control: &Control,
        mut report: impl FnMut(Move, ValueBounds),
    ) -> Result<(), Stopped> {
        let with_bounds = |m| {
            let next = self.game.play(position, m);
            (m, next, all_scores(self.empties(next)))
        };
        let mut open: Vec<_> = self.open_moves(position).into_iter().map(with_bounds).collect();
        for plies in (2..self.empties(position)).step_by(2) {
            for (m, next, known) in &mut open {
                let empties = self.empties(*next);
                let score = |outcome, plies| {
                    score_of(Value::new(outcome, Remoteness(plies as u8)), empties)
                };
                let (loss, win) = (score(Outcome::Loss, plies), score(Outcome::Win, plies + 1));
                let windows = [(win - 1, win), (loss, loss + 1)];
                for wanted in windows.map(|(lower, upper)| Interval { lower, upper }) {
                    if !known.decides(wanted) {
                        *known = known.and(self.prove(*next, wanted, control, |_| ())?.0);
                    }
                }
                report(*m, known.bounds(empties).for_parent());
            }
            open.retain(|(.., known)| !known.is_exact());
        }
        Ok(())
    }

    /// Solves many positions exactly, and calls `consume` with their values in the order of the
    /// positions, as early as that order allows.
    pub fn values(
        &self,
        positions: &[Stones<W>],
        threads: usize,
        control: &Control,
        mut consume: impl FnMut(Solved),
    ) -> Result<(), Stopped> {
        if positions.len() < MIN_POSITIONS_PER_THREAD * threads {
            for &position in positions {
                consume(self.value(position, control)?);
            }
            return Ok(());
        }
        // Neighbours in a sorted list share much of their trees: each worker takes one position
        // at a time, so that all of them use the same entries of the table.
        let mut positions = positions.iter();
        let next = || positions.next().copied();
        let work = |position, inner: &Control| self.value(position, inner);
        control.start(0);
        each_in_order(threads, control, next, work, |solved| {
            solved.into_iter().for_each(&mut consume);
            ControlFlow::Continue(())
        })
        .map(drop)
    }
}

/// The least number of positions for each thread at which every position is solved by one thread.
/// Fewer positions are solved one after the other by all threads.
pub const MIN_POSITIONS_PER_THREAD: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use everyply_core::game::Tiered;
    use everyply_core::game::laws::random_positions;
    use everyply_core::games::line::{Size, Standard, notation::parse_moves};

    #[test]
    fn looks_ahead_enclose_the_values_and_come_to_them() {
        let solver = Solver::<u64>::without_book(Size::new(5, 5, 4).unwrap(), 1).unwrap();
        let (game, control) = (*solver.game(), Control::default());
        random_positions(&game, 20, |position| {
            let values = solver.moves(position, &control).unwrap();
            let mut last = [None; 5];
            let look = solver.look_ahead(position, &control, |m, bounds| {
                let (_, Solved { value, .. }) = values.iter().find(|(of, _)| *of == m).unwrap();
                assert!(bounds.worst <= *value && *value <= bounds.best, "{value}: {bounds}");
                last[usize::from(m.0)] = bounds.value();
            });
            look.unwrap();
            for (m, Solved { value, .. }) in values.iter().filter(|_| game.plies_left(position) > 2)
            {
                assert_eq!(last[usize::from(m.0)], Some(*value));
            }
        });
    }

    #[test]
    fn values_come_in_the_order_of_the_positions() {
        let solver = Solver::new(Size::new(7, 6, 4).unwrap(), 1).unwrap();
        let texts = ["44455554221", "444444", "2252576253462244111563365343671351441", "", "4453"];
        let read = |text: &&str| parse_moves(&Standard::fixed(), text).unwrap();
        let positions: Vec<Stones> = texts.iter().map(read).collect();
        let control = Control::default();
        let one = |position| solver.value(position, &control).unwrap().value;
        let expected: Vec<_> = positions.iter().map(|&position| one(position)).collect();
        // 1: one thread solves each position. 2: all threads solve one position after the other.
        for threads in [1, 2] {
            let mut values = Vec::new();
            solver.values(&positions, threads, &control, |s| values.push(s.value)).unwrap();
            assert_eq!(values, expected, "{threads} threads");
        }
        control.stop();
        assert_eq!(solver.values(&positions, 1, &control, |_| ()), Err(Stopped));
    }
}
