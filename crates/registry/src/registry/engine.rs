//! Engines: values of positions that no file and no book has.

use std::any::Any;
use std::fmt::Debug;

use super::ahead;
use super::position::Position;
use super::solved::Answers;
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::SolveError;
use everyply_core::game::{MoveSet, Outcome, PartialValue, Remoteness, Value, ValueBounds};
use everyply_core::search::{Aim, Proof, Report, RootScores, Settings, SharedTable};

/// A value, and the positions searched for it as far as they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The value for the side to move; a draw without a distance is one by endless play.
    pub value: PartialValue,
    /// Positions searched.
    pub nodes: u64,
}

/// A result on the way to the values of all moves, for the side that makes them.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// The value of the move with this bit.
    Move(u32, PartialValue),
    /// Bounds of it.
    Bounds(u32, ValueBounds),
    /// All moves were searched to this number of plies.
    Depth(u32),
}

/// The receiver of the bounds that are proved on the way to a value.
pub type See<'s> = &'s mut dyn FnMut(ValueBounds);

/// Values of the positions of one game, found by work.
pub trait Engine: Send + Sync {
    /// True if the engine has the value of a position, or can find it.
    fn covers(&self, study: &dyn Position) -> bool;

    /// The value of a position that it [covers](Self::covers).
    fn value(
        &self,
        study: &dyn Position,
        control: &Control,
        see: See<'_>,
    ) -> Result<Proved, Stopped>;

    /// The final points of such a position for the side to move if both sides play for points; `None` if
    /// the game counts none, or the engine does not know them.
    fn points(&self, study: &dyn Position, control: &Control) -> Result<Option<i32>, Stopped> {
        let _ = (study, control);
        Ok(None)
    }

    /// The exact solver of Connect Four, for boards of either word, if the engine is one.
    fn as_solver(&self) -> Option<&dyn Any> {
        None
    }

    /// True if values are there without work.
    fn is_solution(&self) -> bool {
        false
    }

    /// True if [`look_ahead`](Self::look_ahead) is the cheapest way to the values of all moves.
    fn deepens(&self) -> bool {
        false
    }

    /// Searches all moves together, deeper and deeper; `see` gets what is proved. Moves may be left
    /// out.
    fn look_ahead(&self, study: &dyn Position, control: &Control, see: &mut dyn FnMut(Step)) {
        let _ = (study, control, see);
    }

    /// The outcome, where that is cheaper than the value.
    fn outcome(&self, study: &dyn Position, control: &Control) -> Result<(Outcome, u64), Stopped> {
        let proved = self.value(study, control, &mut |_| ())?;
        Ok((proved.value.outcome, proved.nodes))
    }

    /// All moves that attain a value, where that is cheaper than the values of all of them;
    /// `None` where it is not.
    fn best(
        &self,
        study: &dyn Position,
        value: Value,
        control: &Control,
    ) -> Result<Option<MoveSet>, Stopped> {
        let _ = (study, value, control);
        Ok(None)
    }

    /// The bit of the most promising move that attains a value, likewise.
    fn best_move(
        &self,
        study: &dyn Position,
        value: Value,
        control: &Control,
    ) -> Result<Option<u32>, Stopped> {
        let _ = (study, value, control);
        Ok(None)
    }
}

/// The reason why there is no engine.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EngineError {
    /// The control asked to stop while it was made.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The game does not fit, or memory does not.
    #[error("{0}")]
    Refused(String),
}

impl From<SolveError> for EngineError {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Stopped(stopped) => Self::Stopped(stopped),
            error => Self::Refused(error.to_string()),
        }
    }
}

/// Limits of an engine.
#[derive(Clone, Copy, Debug)]
pub struct EngineLimits {
    /// MiB of its table, or of the solution of all positions that it keeps.
    pub mib: u64,
    /// True if it may solve all positions beforehand where a search would do as well.
    pub may_solve_all: bool,
}

/// All positions below one, solved.
pub(super) struct Solution(pub Box<dyn Answers>);

impl Solution {
    fn find(&self, study: &dyn Position) -> Option<PartialValue> {
        self.0.worth_of(study.key()?)
    }
}

impl Engine for Solution {
    fn covers(&self, study: &dyn Position) -> bool {
        self.find(study).is_some()
    }

    fn value(&self, study: &dyn Position, _: &Control, _: See<'_>) -> Result<Proved, Stopped> {
        let value = self.find(study).expect("the solution covers the position");
        Ok(Proved { value, nodes: 0 })
    }

    fn points(&self, study: &dyn Position, control: &Control) -> Result<Option<i32>, Stopped> {
        let Some(key) = study.key().filter(|_| study.info().counts_points) else { return Ok(None) };
        // Without a limit of positions, nothing but the control ends it.
        self.0.points_of(key, control).map_err(|_| Stopped)
    }

    fn is_solution(&self) -> bool {
        true
    }
}

/// MiB of the table of a search to the end of the game, at most.
const SEARCH_TABLE: u64 = 32;

/// Search to the end of the game, with a table that stays.
#[derive(Debug)]
pub(super) struct SearchToEnd {
    table: SharedTable,
}

impl SearchToEnd {
    /// The search of a game with keys of so many bits.
    pub fn new(key_bits: u32, mib: u64) -> Result<Self, EngineError> {
        let table = SharedTable::new(SEARCH_TABLE.min(mib), key_bits);
        let table = table.map_err(|error| EngineError::Refused(error.to_string()))?;
        Ok(Self { table })
    }

    fn prove(
        &self,
        study: &dyn Position,
        aim: (Aim, RootScores),
        control: &Control,
        see: See<'_>,
    ) -> Result<Proof, Stopped> {
        let proof = study.prove(aim, &self.table, control, &mut |bounds| {
            let draw = study.whole(PartialValue { outcome: Outcome::Draw, remoteness: None });
            if let Some(bounds) = draw.remoteness.and_then(|plies| bounds.of_values(plies)) {
                see(bounds);
            }
        });
        // It is the engine of games that end, which can be proved.
        proof.filter(|proof| !proof.stopped).ok_or(Stopped)
    }
}

impl Engine for SearchToEnd {
    fn covers(&self, _: &dyn Position) -> bool {
        true
    }

    fn value(
        &self,
        study: &dyn Position,
        control: &Control,
        see: See<'_>,
    ) -> Result<Proved, Stopped> {
        let proof = self.prove(study, (Aim::Value, RootScores::OneBest), control, see)?;
        let score = proof.bounds.proved().expect("a proof that is not stopped");
        Ok(Proved { value: study.whole(score.value()), nodes: proof.counters.nodes })
    }

    fn best(
        &self,
        study: &dyn Position,
        _: Value,
        control: &Control,
    ) -> Result<Option<MoveSet>, Stopped> {
        let aim = (Aim::Value, RootScores::AllBest);
        Ok(Some(self.prove(study, aim, control, &mut |_| ())?.best))
    }

    fn points(&self, study: &dyn Position, control: &Control) -> Result<Option<i32>, Stopped> {
        if !study.info().counts_points {
            return Ok(None);
        }
        let aim = (Aim::Points, RootScores::OneBest);
        let proof = self.prove(study, aim, control, &mut |_| ())?;
        Ok(proof.bounds.proved().and_then(|score| score.points))
    }

    fn deepens(&self) -> bool {
        true
    }

    fn look_ahead(&self, study: &dyn Position, control: &Control, see: &mut dyn FnMut(Step)) {
        look_ahead(study, &self.table, control, see);
    }
}

/// The bounds of a move that decides nothing within some plies.
pub(super) fn ends_after(plies: u32) -> ValueBounds {
    // Plies beyond those of a value are of no use to anybody.
    let later = Remoteness(u8::try_from(plies + 1).unwrap_or(u8::MAX));
    ValueBounds { worst: Value::new(Outcome::Loss, later), best: Value::new(Outcome::Win, later) }
}

/// Searches all moves, deeper and deeper, until one wins, all are decided, or the control stops it: by
/// alpha-beta, if play ends.
pub fn look_ahead(
    study: &dyn Position,
    table: &SharedTable,
    control: &Control,
    see: &mut dyn FnMut(Step),
) {
    let Some(left) = study.plies_left() else {
        return ahead::look_ahead(study, control, see);
    };
    let mut split_after = u64::MAX;
    for depth in 1..=left {
        let settings = Settings {
            root_scores: RootScores::All,
            principal_variation: false,
            deepening: false,
            split_after,
            ..Settings::to_depth(depth)
        };
        let report = study.search(&settings, Some(table), control);
        let is_whole = |report: &Report| !report.stopped && report.depth == depth;
        let Some(report) = report.filter(is_whole) else { return };
        if report.counters().nodes >= Settings::SPLIT_AFTER {
            split_after = 0;
        }
        for row in &report.root_moves {
            match row.value.filter(|value| value.is_exact()) {
                Some(value) => see(Step::Move(row.m.0.into(), value)),
                None if depth < left => see(Step::Bounds(row.m.0.into(), ends_after(depth))),
                None => {}
            }
        }
        see(Step::Depth(depth));
        if report.value.is_some_and(|value| value.outcome != Outcome::Draw) {
            return;
        }
    }
}
