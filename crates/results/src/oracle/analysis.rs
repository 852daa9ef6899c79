//! The analysis of a position of Connect Four: as the solver's, with what is known without a
//! search taken first.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Oracle, OracleError, Origin, SourcedValue};
use everyply_connect_four::solver::{Analysis, Goal, Solved};
use everyply_core::clock::Instant;
use everyply_core::control::Control;
use everyply_core::game::{Move, PartialValue};
use everyply_registry::registry::Position;

impl Oracle {
    /// Analyzes a position of Connect Four to a goal, and notes every step in `found`, with the
    /// source of its value.
    ///
    /// # Errors
    /// If the control asks it to stop; what was noted until then stays proved. If a file
    /// cannot be read, or there is no memory for the solver.
    pub fn analyze(
        &self,
        study: &dyn Position,
        goal: Goal,
        found: &Mutex<(Analysis, Option<Origin>)>,
        control: &Control,
    ) -> Result<(), OracleError> {
        let note = || -> MutexGuard<'_, (Analysis, Option<Origin>)> {
            found.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let begun = Instant::now();
        let settled = |known: SourcedValue, nodes: u64| {
            let mut found = note();
            found.0.value = Some(known.value);
            (found.0.nodes, found.0.elapsed) = (nodes, begun.elapsed());
            found.1 = Some(known.origin);
        };
        if goal == Goal::Outcome {
            let (known, nodes) = self.prove_outcome(study, control)?;
            let value = PartialValue::of_outcome(known.value.outcome);
            settled(SourcedValue { value, ..known }, nodes);
            return Ok(());
        }
        let mut watch = |bounds| note().0.bounds = Some(bounds);
        let (known, nodes) = self.prove_with_progress(study, control, &mut watch)?;
        settled(known, nodes);
        if goal == Goal::Value || study.result().is_some() {
            return Ok(());
        }
        if goal == Goal::AllMoves {
            for branch in study.branches() {
                let below = branch.to.as_ref();
                let (known, nodes) = self.prove_with_progress(below, control, &mut |_| ())?;
                if let Some(value) = known.value.one_ply_earlier(branch.keeps_turn).exact() {
                    note().0.moves.push((Move(branch.bit as u8), Solved { value, nodes }));
                }
            }
        }
        let best = self.best_moves(study, control)?;
        note().0.best = best;
        let play = self.best_play(study, control)?;
        let mut found = note();
        found.0.variation = play.bits.into_iter().map(|bit| Move(bit as u8)).collect();
        found.0.count_unfinished(control.progress().0);
        Ok(())
    }
}
