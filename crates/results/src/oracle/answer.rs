//! The answer about a position in one go, for lists of many positions.

use std::time::Duration;

use super::{Oracle, OracleError, Origin, SourcedValue, ValuedMoves, best_of};
use everyply_connect_four::solver::Goal;
use everyply_core::clock::Instant;
use everyply_core::control::Control;
use everyply_core::game::MoveSet;
use everyply_registry::registry::Position;

/// The answer about a position; parts beyond its goal are empty.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub value: Option<SourcedValue>,
    /// Positions searched for the value, and the time.
    pub nodes: u64,
    pub elapsed: Duration,
    pub moves: ValuedMoves,
    pub best: Option<MoveSet>,
}

impl Oracle {
    /// Answers a goal for a position.
    pub fn answer(
        &self,
        position: &dyn Position,
        goal: Goal,
        control: &Control,
    ) -> Result<Answer, OracleError> {
        let (begun, mut answer) = (Instant::now(), Answer::default());
        let mut quick = None;
        if !position.info().counts_points && self.known(position)?.is_none() {
            let engine = self.engines.get(position, control)?;
            quick = Some(engine).filter(|engine| !engine.is_solution() && !engine.deepens());
        }
        let Some(engine) = quick else {
            let (value, nodes) = self.prove_with_progress(position, control, &mut |_| ())?;
            (answer.value, answer.nodes, answer.elapsed) = (Some(value), nodes, begun.elapsed());
            if goal == Goal::AllMoves {
                answer.moves = self.prove_moves(position, control, &mut |_| ())?;
            }
            if matches!(goal, Goal::BestMoves | Goal::AllMoves) {
                answer.best = Some(self.best_moves(position, control)?);
            }
            return Ok(answer);
        };
        // Easy positions take microseconds: the engine answers alone, and nothing is cached.
        let proved = engine.value(position, control, &mut |_| ())?;
        answer.value = Some(Origin::Engine.says(proved.value));
        (answer.nodes, answer.elapsed) = (proved.nodes, begun.elapsed());
        if goal == Goal::AllMoves {
            for branch in position.branches() {
                let below = engine.value(branch.to.as_ref(), control, &mut |_| ())?.value;
                let value = Origin::Engine.says(below).one_ply_earlier(branch.keeps_turn);
                answer.moves.push((branch.bit, value));
            }
            answer.best = best_of(answer.moves.iter().copied()).map(|(_, best)| best);
        } else if let (Goal::BestMoves, Some(value)) = (goal, proved.value.exact()) {
            answer.best = engine.best(position, value, control)?;
        }
        Ok(answer)
    }
}
