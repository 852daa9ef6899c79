//! Moves that attain a known value, and best play.

use super::driver::Interval;
use super::score::score_of;
use super::{RefutedMove, Solver, SolverWord};
use crate::control::{Control, Stopped};
use crate::game::{Game, Move, MoveSet, Outcome, Value, ValueBounds};
use crate::games::line::Stones;

impl<W: SolverWord> Solver<W> {
    /// Returns the moves that attain the known value of a position; none if the game is over.
    /// Cheaper than the exact value of every move.
    pub fn best_moves(
        &self,
        position: Stones<W>,
        value: Value,
        control: &Control,
    ) -> Result<MoveSet, Stopped> {
        self.best_moves_counted(position, value, control, &mut 0)
    }

    /// Returns the best moves, and adds the positions searched to `nodes`.
    pub(super) fn best_moves_counted(
        &self,
        position: Stones<W>,
        value: Value,
        control: &Control,
        nodes: &mut u64,
    ) -> Result<MoveSet, Stopped> {
        let mut best = MoveSet::EMPTY;
        if self.game.result(position).is_none() {
            for m in self.game.moves(position) {
                if self.refutation(position, value, m, control, nodes)?.is_none() {
                    best = best.with(m);
                }
            }
        }
        Ok(best)
    }

    /// Returns the moves that attain the known outcome of a position; none if the game is over.
    pub fn moves_to_outcome(
        &self,
        position: Stones<W>,
        outcome: Outcome,
        control: &Control,
    ) -> Result<MoveSet, Stopped> {
        let mut best = MoveSet::EMPTY;
        if self.game.result(position).is_some() {
            return Ok(best);
        }
        // The greatest score of the other side after a move that attains the outcome. In a lost
        // position every move attains it.
        let most = match outcome {
            Outcome::Win => -1,
            Outcome::Draw => 0,
            Outcome::Loss => return Ok(self.game.moves(position)),
        };
        let wanted = Interval { lower: most, upper: most + 1 };
        for m in self.game.moves(position) {
            let next = self.game.play(position, m);
            if self.prove(next, wanted, control, |_| ())?.0.upper <= most {
                best = best.with(m);
            }
        }
        Ok(best)
    }

    /// Returns best play of both sides to the end of the game, from a position of known value. Of
    /// equally good moves the one nearer to the middle is played.
    pub fn principal_variation(
        &self,
        position: Stones<W>,
        value: Value,
        control: &Control,
    ) -> Result<Vec<Move>, Stopped> {
        self.best_play(position, value, control, &mut 0, &mut Vec::new())
    }

    /// Returns best play, the worse moves tried before each of its moves in `refuted`, and the
    /// positions searched in `nodes`.
    pub(super) fn best_play(
        &self,
        position: Stones<W>,
        value: Value,
        control: &Control,
        nodes: &mut u64,
        refuted: &mut Vec<Vec<RefutedMove>>,
    ) -> Result<Vec<Move>, Stopped> {
        let mut variation = Vec::with_capacity(usize::from(value.remoteness.0));
        let (mut position, mut value) = (position, value);
        while value.remoteness.0 > 0 {
            let (m, before) = self.first_best_move(position, value, control, nodes)?;
            let m = m.expect("a move attains the value");
            variation.push(m);
            refuted.push(before);
            position = self.game.play(position, m);
            value = value.after_best_move();
        }
        Ok(variation)
    }

    /// Returns the proved bounds of the position after a move that does not attain the value;
    /// `None` if the move attains it. Adds the positions searched to `nodes`.
    pub(super) fn refutation(
        &self,
        position: Stones<W>,
        value: Value,
        m: Move,
        control: &Control,
        nodes: &mut u64,
    ) -> Result<Option<ValueBounds>, Stopped> {
        let score = score_of(value, self.empties(position));
        let next = self.game.play(position, m);
        // No move is better, so the other side scores at least this after it.
        let wanted = Interval { lower: -score, upper: -score + 1 };
        let (known, searched) = self.prove(next, wanted, control, |_| ())?;
        *nodes += searched;
        let attains = known.upper <= -score;
        Ok((!attains).then(|| known.bounds(self.empties(next))))
    }
}
