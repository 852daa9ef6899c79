//! The document of an oracle's results for a position.

use everyply_connect_four::solver::Goal;
use everyply_core::control::Control;
use everyply_core::game::PartialValue;
use everyply_registry::registry::{Branch, Position};

use super::PositionDocument;
use super::position::MoveDocument;
use crate::oracle::{Oracle, OracleError, ValuedMoves};

impl PositionDocument {
    /// Creates the document of the oracle's results for a position. After a stop by the control, it
    /// has what was proved by then, and is marked as interrupted.
    ///
    /// # Errors
    /// If there is no engine for the game, or a file cannot be read.
    pub fn ask(
        oracle: &Oracle,
        position: &dyn Position,
        goal: Goal,
        control: &Control,
    ) -> Result<Self, OracleError> {
        let mut document = Self::new(position, None);
        let mut moves = Vec::new();
        let found = document.find(oracle, position, goal, control, &mut moves);
        document.interrupted = Some(match found {
            Ok(()) => false,
            Err(OracleError::Stopped(_)) => true,
            Err(error) => return Err(error),
        });
        if matches!(goal, Goal::BestMoves | Goal::AllMoves) {
            let row = |branch: Branch| {
                let proved = moves.iter().find(|(bit, _)| *bit == branch.bit);
                let known = match proved {
                    Some((_, known)) => Some(*known),
                    None => {
                        let below = oracle.known(branch.to.as_ref())?;
                        below.map(|known| known.one_ply_earlier(branch.keeps_turn))
                    }
                };
                Ok(MoveDocument::known(position, &branch.text, known))
            };
            let rows = position.branches().into_iter().map(row);
            document.values = Some(rows.collect::<Result<_, OracleError>>()?);
        }
        Ok(document)
    }

    /// Fills in results one by one, until a stop.
    fn find(
        &mut self,
        oracle: &Oracle,
        position: &dyn Position,
        goal: Goal,
        control: &Control,
        moves: &mut ValuedMoves,
    ) -> Result<(), OracleError> {
        let mut bounds = None;
        let proved = match goal {
            Goal::Outcome => oracle.prove_outcome(position, control),
            _ => oracle.prove_with_progress(position, control, &mut |proved| bounds = Some(proved)),
        };
        self.bounds = bounds.filter(|_| proved.is_err()).map(Into::into);
        let (mut known, _) = proved?;
        if goal == Goal::Outcome {
            known.value = PartialValue::of_outcome(known.value.outcome);
        }
        self.set_known(position, known);
        if goal == Goal::AllMoves {
            let (proved, found) = oracle.found_moves(position, control);
            *moves = proved;
            found?;
        }
        if matches!(goal, Goal::BestMoves | Goal::AllMoves) {
            self.set_best(position, oracle.best_moves(position, control)?);
            // Files have no points, but the engine that found the best moves has them.
            self.points = self.points.or(oracle.known(position)?.and_then(|known| known.points));
        }
        Ok(())
    }

    /// Adds best play of both sides.
    ///
    /// # Errors
    /// The errors of [`ask`](Self::ask).
    pub fn add_best_play(
        &mut self,
        oracle: &Oracle,
        position: &dyn Position,
        control: &Control,
    ) -> Result<(), OracleError> {
        match oracle.best_play(position, control) {
            Ok(play) => {
                self.pv = Some(play.texts().join(position.info().separator));
                self.pv_complete = Some(play.is_over);
            }
            Err(OracleError::Stopped(_)) => self.interrupted = Some(true),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
