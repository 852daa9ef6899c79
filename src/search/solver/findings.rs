//! What can be found out of a position step by step, so that a run that is stopped has something
//! to show.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Solved, Solver, ValueBounds};
use crate::control::{Control, Stopped};
use crate::game::{Game, Move, MoveSet, Outcome, Stones, Value};

/// What is wanted of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Win, draw or loss, which is cheaper.
    Outcome,
    /// The value, all best moves, and best play to the end.
    Value,
    /// The same, and the value of every move.
    AllMoves,
}

/// What was found out of a position.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What the value lies between, as far as it was proved.
    pub bounds: Option<ValueBounds>,
    /// Outcome and remoteness for the side to move.
    pub value: Option<Value>,
    /// The outcome, which may be known without the value.
    pub outcome: Option<Outcome>,
    /// All moves that attain the value; empty if they were not asked for or the game is over.
    pub best: MoveSet,
    /// Best play of both sides to the end of the game.
    pub variation: Vec<Move>,
    /// Moves with their values for the side that makes them.
    pub moves: Vec<(Move, Solved)>,
    /// Positions searched for the value of the root.
    pub nodes: u64,
}

impl Findings {
    /// Positions searched for the value of the root and of its moves.
    #[must_use]
    pub fn all_nodes(&self) -> u64 {
        self.nodes + self.moves.iter().map(|(_, solved)| solved.nodes).sum::<u64>()
    }
}

impl Solver {
    /// Finds out what is wanted of a position, and notes every step in `found`.
    ///
    /// # Errors
    /// If the control asks it to stop; what was noted until then is proved all the same.
    pub fn find_out(
        &self,
        root: Stones,
        wanted: Wanted,
        found: &Mutex<Findings>,
        control: &Control,
    ) -> Result<(), Stopped> {
        let note =
            || -> MutexGuard<'_, Findings> { found.lock().unwrap_or_else(PoisonError::into_inner) };
        if wanted == Wanted::Outcome {
            let (outcome, nodes) = self.outcome_only(root, control)?;
            let mut found = note();
            (found.outcome, found.nodes) = (Some(outcome), nodes);
            return Ok(());
        }
        let watch = |bounds| note().bounds = Some(bounds);
        let Solved { value, nodes } = self.value_watched(root, control, watch)?;
        {
            let mut found = note();
            (found.value, found.outcome) = (Some(value), Some(value.outcome));
            found.nodes = nodes;
        }
        if wanted == Wanted::AllMoves && self.game.terminal(root).is_none() {
            for m in self.game.moves(root) {
                let below = self.value(self.game.play(root, m), control)?;
                note().moves.push((m, Solved { value: below.value.for_parent(), ..below }));
            }
        }
        let best = self.best_moves(root, value, control)?;
        note().best = best;
        let variation = self.principal_variation(root, value, control)?;
        note().variation = variation;
        Ok(())
    }
    /// The move nearest to the middle that attains the value of a position, which is known
    /// already; `None` if the game is over. Cheaper than all [`best_moves`](Self::best_moves).
    ///
    /// # Errors
    /// If the control asks it to stop.
    pub fn best_move(
        &self,
        position: Stones,
        value: Value,
        control: &Control,
    ) -> Result<Option<Move>, Stopped> {
        if self.game.terminal(position).is_some() {
            return Ok(None);
        }
        let moves = self.game.moves(position);
        for &m in self.game.centre_first().iter().filter(|&&m| moves.contains(m)) {
            if self.attains(position, value, m, control)? {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }
}
