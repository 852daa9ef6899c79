//! Best moves, and best play to the end of the game.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::values::{best_of, in_order};
use super::{Oracle, OracleError, Origin, SourcedValue, ValuedMoves};
use everyply_core::control::Control;
use everyply_core::game::{MoveSet, Value};
use everyply_registry::registry::{Branch, Engine, Position};

pub struct BestPlay {
    /// The moves as text, each with true if its side moves again.
    pub moves: Vec<(String, bool)>,
    /// True if the last move repeats a position: play is endless.
    pub repeats: bool,
    /// True if the last move ends the game.
    pub is_over: bool,
}

impl BestPlay {
    /// Follows the moves that `next` returns, until the game ends or play repeats itself. In a game
    /// solved for points, which has no distances, winning moves could go in circles: it has no
    /// line.
    ///
    /// # Errors
    /// The errors of `next`.
    pub fn follow(
        position: &dyn Position,
        mut next: impl FnMut(&dyn Position) -> Result<Option<Branch>, OracleError>,
    ) -> Result<Self, OracleError> {
        let mut seen = FxHashSet::from_iter([position.identity()]);
        let mut play = Self { moves: Vec::new(), repeats: false, is_over: false };
        let mut at = position.boxed();
        while position.lead().is_none()
            && !play.repeats
            && let Some(Branch { text, keeps_turn, to, .. }) = next(at.as_ref())?
        {
            play.moves.push((text, keeps_turn));
            play.repeats = !seen.insert(to.identity());
            at = to;
        }
        play.is_over = at.result().is_some();
        Ok(play)
    }

    pub fn texts(&self) -> Vec<String> {
        self.moves.iter().map(|(text, _)| text.clone()).collect()
    }
}

/// Returns the most promising of a set of moves.
pub fn first_of(position: &dyn Position, best: MoveSet) -> Option<Branch> {
    in_order(position).into_iter().find(|branch| best.has(branch.bit))
}

/// Returns the most promising move that is known to keep the value of a position: its points, in
/// games that count them.
fn attaining(
    position: &dyn Position,
    value_of: impl Fn(&dyn Position) -> Result<Option<SourcedValue>, OracleError>,
) -> Result<Option<Branch>, OracleError> {
    let Some(best) = value_of(position)? else { return Ok(None) };
    for branch in in_order(position) {
        let Some(there) = value_of(branch.to.as_ref())? else { continue };
        let m = there.one_ply_earlier(branch.keeps_turn);
        let is_best = match position.info().counts_points {
            true => m.points.is_some() && m.points == best.points,
            false => m.value == best.value,
        };
        if is_best {
            return Ok(Some(branch));
        }
    }
    Ok(None)
}

fn best_bits(moves: ValuedMoves) -> MoveSet {
    best_of(moves.into_iter()).unzip().1.unwrap_or_default()
}

type EngineAndValue = (Arc<Engine>, Value);

impl Oracle {
    /// Returns the bits of the best moves of a position, by points or, in games without points, by
    /// value; none if the game is over. Cheaper than the value of every move.
    pub fn best_moves(
        &self,
        position: &dyn Position,
        control: &Control,
    ) -> Result<MoveSet, OracleError> {
        if let Some(best) = self.known_best_moves(position)? {
            return Ok(best);
        }
        if !position.info().counts_points
            && let Some((engine, value)) = self.engine_and_value(position, control)?
            && let Some(best) = engine.best(position, value, control)?
        {
            return Ok(best);
        }
        Ok(best_bits(self.prove_moves(position, control, &mut |_| ())?))
    }

    fn known_best_moves(&self, position: &dyn Position) -> Result<Option<MoveSet>, OracleError> {
        let counts_points = position.info().counts_points;
        match self.known_moves(position)? {
            Some(moves)
                if counts_points && moves.iter().any(|(_, there)| there.points.is_none()) =>
            {
                Ok(None)
            }
            Some(moves) => Ok(Some(best_bits(moves))),
            None if counts_points => Ok(None),
            None => self.files.best_moves(position),
        }
    }

    /// Returns the most promising of the [best moves](Self::best_moves) found; `None` if the game
    /// is over. Cheaper than all of them.
    pub fn best_move_of(
        &self,
        position: &dyn Position,
        control: &Control,
    ) -> Result<Option<Branch>, OracleError> {
        let first = |best| first_of(position, best);
        if let Some(best) = self.known_best_moves(position)? {
            return Ok(first(best));
        }
        if position.info().counts_points {
            return Ok(first(self.best_moves(position, control)?));
        }
        if let Some(branch) = self.stored_best_move_of(position)? {
            return Ok(Some(branch));
        }
        if let Some((engine, value)) = self.engine_and_value(position, control)?
            && let Some(bit) = engine.best_move(position, value, control)?
        {
            return Ok(first(MoveSet(1 << bit)));
        }
        Ok(first(self.best_moves(position, control)?))
    }

    /// Returns a move that attains the value of a position by files alone, which store best play as
    /// a line, without the moves beside it.
    fn stored_best_move_of(&self, position: &dyn Position) -> Result<Option<Branch>, OracleError> {
        let stored = |position: &dyn Position| -> Result<Option<SourcedValue>, OracleError> {
            match position.result() {
                Some(outcome) => Ok(Some(Origin::Rules.says(Value::over(outcome)))),
                None => self.files.find(position),
            }
        };
        match stored(position)? {
            Some(known) if known.value.is_exact() => attaining(position, stored),
            _ => Ok(None),
        }
    }

    fn engine_and_value(
        &self,
        position: &dyn Position,
        control: &Control,
    ) -> Result<Option<EngineAndValue>, OracleError> {
        let value = self.prove(position, control)?.value.exact();
        let engine = self.engines.get(position, control)?;
        Ok(value.map(|value| (engine, value)))
    }

    /// Returns best play of both sides until the game ends or repeats itself; of equal moves the
    /// most promising one, unless a file holds another.
    pub fn best_play(
        &self,
        position: &dyn Position,
        control: &Control,
    ) -> Result<BestPlay, OracleError> {
        BestPlay::follow(position, |at| {
            let Some(branch) = self.best_move_of(at, control)? else { return Ok(None) };
            // The value after a best move follows, unless the move is best for points.
            if !at.info().counts_points
                && let Some(value) = self.known(at)?.and_then(|known| known.value.exact())
                && !branch.keeps_turn
                && self.known(branch.to.as_ref())?.is_none_or(|known| !known.value.is_exact())
            {
                self.cache.insert(branch.to.as_ref(), value.after_best_move().into());
            }
            Ok(Some(branch))
        })
    }

    /// Returns best play if that takes no search.
    pub fn known_best_play(
        &self,
        position: &dyn Position,
    ) -> Result<Option<BestPlay>, OracleError> {
        let mut is_known = true;
        let play = BestPlay::follow(position, |at| {
            if at.result().is_some() {
                return Ok(None);
            }
            let best = attaining(at, |position| self.known(position))?;
            is_known = best.is_some();
            Ok(best)
        })?;
        Ok(Some(play).filter(|_| is_known))
    }
}
