//! Best moves, and best play to the end of the game.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::values::{best_of_moves, in_order};
use super::{Oracle, OracleError};
use crate::control::Control;
use crate::game::{MoveSet, PartialValue, Value};
use crate::registry::{Branch, Engine, Study};

/// Best play from a position.
pub struct BestPlay {
    /// The moves as text, each with whether its side moves again after it.
    pub moves: Vec<(String, bool)>,
    /// The bits of the moves, each in its position.
    pub bits: Vec<u32>,
    /// True if the last move leads to a position that was there before: play has no end.
    pub repeats: bool,
}

impl BestPlay {
    /// The moves as text.
    pub fn texts(&self) -> Vec<String> {
        self.moves.iter().map(|(text, _)| text.clone()).collect()
    }
}

/// The engine of a board, and the exact value of a position.
type EngineAndValue = (Arc<dyn Engine>, Value);

impl Oracle {
    /// The bits of the moves that attain the value of a position; none if the game is over.
    /// Cheaper than the value of every move.
    ///
    /// # Errors
    /// The errors of [`prove`](Self::prove).
    pub fn best_moves(&self, study: &dyn Study, control: &Control) -> Result<MoveSet, OracleError> {
        if let Some(best) = self.known_best_moves(study)? {
            return Ok(best);
        }
        if let Some((engine, value)) = self.engine_and_value(study, control)?
            && let Some(best) = engine.best(study, value, control)?
        {
            return Ok(best);
        }
        let moves = self.prove_moves(study, control, &mut |_| ())?;
        Ok(best_of_moves(&moves).map(|(_, best)| best).unwrap_or_default())
    }

    /// The bits of the best moves, if that takes no search.
    fn known_best_moves(&self, study: &dyn Study) -> Result<Option<MoveSet>, OracleError> {
        match self.known_moves(study)? {
            Some(moves) => {
                Ok(Some(best_of_moves(&moves).map(|(_, best)| best).unwrap_or_default()))
            }
            None => self.files.best_moves(study),
        }
    }

    /// A move that attains the value of a position, the most promising one of those found; `None`
    /// if the game is over. Cheaper than all of them.
    ///
    /// # Errors
    /// The errors of [`prove`](Self::prove).
    pub fn best_move_of(
        &self,
        study: &dyn Study,
        control: &Control,
    ) -> Result<Option<Branch>, OracleError> {
        let first = |best: MoveSet| in_order(study).into_iter().find(|branch| best.has(branch.bit));
        if let Some(best) = self.known_best_moves(study)? {
            return Ok(first(best));
        }
        if let Some(branch) = self.stored_best_move_of(study)? {
            return Ok(Some(branch));
        }
        if let Some((engine, value)) = self.engine_and_value(study, control)?
            && let Some(bit) = engine.best_move(study, value, control)?
        {
            return Ok(first(MoveSet(1 << bit)));
        }
        Ok(first(self.best_moves(study, control)?))
    }

    /// A move that attains the value of a position by what files alone hold: they store best play
    /// as a line, without the moves beside it.
    fn stored_best_move_of(&self, study: &dyn Study) -> Result<Option<Branch>, OracleError> {
        let stored = |study: &dyn Study| -> Result<Option<PartialValue>, OracleError> {
            if let Some(outcome) = study.result() {
                return Ok(Some(Value::over(outcome).into()));
            }
            Ok(self.files.find(study)?.map(|known| known.value))
        };
        let Some(value) = stored(study)?.filter(|value| value.is_exact()) else { return Ok(None) };
        for branch in in_order(study) {
            let known = stored(branch.to.as_ref())?;
            if known.is_some_and(|known| known.one_ply_earlier(branch.keeps_turn) == value) {
                return Ok(Some(branch));
            }
        }
        Ok(None)
    }

    /// The engine of a board, and the exact value of a position.
    fn engine_and_value(
        &self,
        study: &dyn Study,
        control: &Control,
    ) -> Result<Option<EngineAndValue>, OracleError> {
        let value = self.prove(study, control)?.value.exact();
        let engine = self.engines.get(study, control)?;
        Ok(value.map(|value| (engine, value)))
    }

    /// Best play of both sides to the end of the game, or to where it repeats itself; of equal
    /// moves the most promising one, unless a file holds another.
    ///
    /// # Errors
    /// The errors of [`prove`](Self::prove).
    pub fn best_play(&self, study: &dyn Study, control: &Control) -> Result<BestPlay, OracleError> {
        let mut seen = FxHashSet::from_iter([study.identity()]);
        let (mut moves, mut bits) = (Vec::new(), Vec::new());
        let mut at = study.boxed();
        while let Some(branch) = self.best_move_of(at.as_ref(), control)? {
            let value = self.known(at.as_ref())?.map(|known| known.value);
            moves.push((branch.text, branch.keeps_turn));
            bits.push(branch.bit);
            if !seen.insert(branch.to.identity()) {
                return Ok(BestPlay { moves, bits, repeats: true });
            }
            // The value after a best move follows.
            if let Some(value) = value.and_then(PartialValue::exact)
                && !branch.keeps_turn
                && self.known(branch.to.as_ref())?.is_none_or(|known| !known.value.is_exact())
            {
                self.cache.insert(branch.to.as_ref(), value.after_best_move().into());
            }
            at = branch.to;
        }
        Ok(BestPlay { moves, bits, repeats: false })
    }

    /// Best play if that takes no search.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn known_best_play(&self, study: &dyn Study) -> Result<Option<BestPlay>, OracleError> {
        let mut seen = FxHashSet::from_iter([study.identity()]);
        let (mut moves, mut bits) = (Vec::new(), Vec::new());
        let mut at = study.boxed();
        while at.result().is_none() {
            let Some(value) = self.known(at.as_ref())? else { return Ok(None) };
            let mut best = None;
            for branch in in_order(at.as_ref()) {
                let known = self.known(branch.to.as_ref())?;
                let value_here = known.map(|known| known.one_ply_earlier(branch.keeps_turn).value);
                if value_here == Some(value.value) {
                    best = Some(branch);
                    break;
                }
            }
            let Some(branch) = best else { return Ok(None) };
            moves.push((branch.text, branch.keeps_turn));
            bits.push(branch.bit);
            if !seen.insert(branch.to.identity()) {
                return Ok(Some(BestPlay { moves, bits, repeats: true }));
            }
            at = branch.to;
        }
        Ok(Some(BestPlay { moves, bits, repeats: false }))
    }
}
