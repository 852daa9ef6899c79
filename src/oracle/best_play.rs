//! Best moves, and best play to the end of the game.

use super::engine::SharedSolver;
use super::{Oracle, OracleError, Valued, best_of};
use crate::control::Control;
use crate::game::{Move, MoveSet, PartialValue, Value};
use crate::games::line::Stones;

impl Oracle {
    /// The moves that attain the value of a position; none if the game is over. Cheaper than the
    /// value of every move.
    ///
    /// # Errors
    /// The errors of [`moves`](Self::moves).
    pub fn best<G: Valued>(
        &self,
        game: &G,
        position: Stones<G::Word>,
        control: &Control,
    ) -> Result<MoveSet, OracleError> {
        if let Some(best) = self.known_best(game, position)? {
            return Ok(best);
        }
        if let Some((solver, value)) = self.solver_and_value(game, position, control)? {
            return Ok(solver.best_moves(position, value, control)?);
        }
        let moves = self.moves(game, position, control, &mut |_| ())?;
        Ok(best_of(&moves).unzip().1.unwrap_or_default())
    }

    /// The moves that attain the value of a position, if that takes no search.
    fn known_best<G: Valued>(
        &self,
        game: &G,
        position: Stones<G::Word>,
    ) -> Result<Option<MoveSet>, OracleError> {
        match self.cached_moves(game, position)? {
            Some(moves) => Ok(Some(best_of(&moves).unzip().1.unwrap_or_default())),
            None => game.best_in_files(&self.files, position),
        }
    }

    /// A move that attains the value of a position, the one nearest to the middle of those found;
    /// `None` if the game is over. Cheaper than all of them.
    ///
    /// # Errors
    /// The errors of [`moves`](Self::moves).
    pub fn best_move<G: Valued>(
        &self,
        game: &G,
        position: Stones<G::Word>,
        control: &Control,
    ) -> Result<Option<Move>, OracleError> {
        let middle =
            |best: MoveSet| game.centre_first().iter().copied().find(|&m| best.contains(m));
        if let Some(best) = self.known_best(game, position)? {
            return Ok(middle(best));
        }
        if let Some(m) = self.stored_best_move(game, position)? {
            return Ok(Some(m));
        }
        if let Some((solver, value)) = self.solver_and_value(game, position, control)? {
            return Ok(solver.best_move(position, value, control)?);
        }
        Ok(middle(self.best(game, position, control)?))
    }

    /// A move of which the files alone say that it attains the value of a position: best play is
    /// stored there as a line, without the moves beside it.
    fn stored_best_move<G: Valued>(
        &self,
        game: &G,
        position: Stones<G::Word>,
    ) -> Result<Option<Move>, OracleError> {
        let Some(value) = game.in_files(&self.files, position)?.and_then(|k| k.value.exact())
        else {
            return Ok(None);
        };
        let playable = game.moves(position);
        for &m in game.centre_first().iter().filter(|&&m| playable.contains(m)) {
            let next = game.play(position, m);
            let over = game.result(next).map(|outcome| Value::over(outcome).into());
            let known = match over {
                Some(known) => Some(known),
                None => game.in_files(&self.files, next)?.map(|known| known.value),
            };
            if known.is_some_and(|known: PartialValue| known.for_parent() == value.into()) {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    /// The solver of a board it is made for, and the exact value of a position.
    fn solver_and_value<G: Valued>(
        &self,
        game: &G,
        position: Stones<G::Word>,
        control: &Control,
    ) -> Result<Option<(SharedSolver<G>, Value)>, OracleError> {
        let Some(solver) = SharedSolver::new(self.engine(game, control)?) else { return Ok(None) };
        let value = self.value(game, position, control)?.value.exact();
        Ok(value.map(|value| (solver, value)))
    }

    /// Best play of both sides to the end of the game, as far as its length is known; among
    /// equals the move nearer to the middle, unless a file holds another.
    ///
    /// # Errors
    /// The errors of [`moves`](Self::moves).
    pub fn variation<G: Valued>(
        &self,
        game: &G,
        mut position: Stones<G::Word>,
        control: &Control,
    ) -> Result<Vec<Move>, OracleError> {
        let mut variation = Vec::new();
        while let Some(m) = self.best_move(game, position, control)? {
            let value = self.cached(game, position)?.and_then(|known| known.value.exact());
            variation.push(m);
            position = game.play(position, m);
            // What follows a best move need not be solved.
            if let Some(value) = value {
                self.remember(game, position, value.after_best_move())?;
            }
        }
        Ok(variation)
    }
}
