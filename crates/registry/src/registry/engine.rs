//! Engines: values of positions that no file and no book has.

use std::sync::Arc;

use super::ahead::{Finding, look_ahead};
use super::position::Position;
use everyply_connect_four::solver::{Solved, Solver, SolverWord};
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{Solution, SolveError};
use everyply_core::game::{Move, MoveSet, Outcome, PartialValue, Value, ValueBounds};
use everyply_core::games::line::{Size, Stones};
use everyply_core::search::{Aim, Proof, RootScores, SharedTable};

/// A value, and the number of positions searched for it if they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The value for the side to move; a draw without a distance is an endless draw.
    pub value: PartialValue,
    /// Positions searched.
    pub nodes: u64,
}

/// The receiver of bounds proved on the way to a value.
pub type See<'s> = &'s mut dyn FnMut(ValueBounds);

/// The reason why there is no engine.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EngineError {
    /// The control asked to stop while it was made.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The game does not fit the engine, or the engine does not fit in memory.
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
    /// True if it may solve all positions beforehand though a search would do.
    pub may_solve_all: bool,
}

/// An engine that computes the values of one game's positions.
pub enum Engine {
    /// The solution of all positions below one.
    Solution(Box<Solution>),
    /// Search to the end of the game, with a table kept between searches.
    Search(SharedTable),
    /// The exact solver of Connect Four.
    Exact(Arc<Solver<u64>>),
    /// The exact solver on a board of more than 64 bits.
    ExactWide(Arc<Solver<u128>>),
}

/// The most positions solved beforehand in games whose values a search proves as well.
const MOST_SOLVED: u64 = 1 << 22;

/// The most MiB of the table of a search to the end of the game.
const SEARCH_TABLE: u64 = 32;

impl Engine {
    /// Makes an engine for a position and all that follow it. A board of stones and lines gets the
    /// exact solver if the solver supports it, a solution if it is a small board on which stones go
    /// anywhere, and else a search to the end.
    ///
    /// # Errors
    /// If the control asks to stop, or the game or its table does not fit.
    pub fn of(
        position: &dyn Position,
        limits: EngineLimits,
        control: &Control,
    ) -> Result<Self, EngineError> {
        if let Some((rules, size)) = position.any_lines() {
            return match rules.stones_fall() && Solver::supports(size) {
                true if position.lines().is_some() => Ok(Self::Exact(solver(size, limits)?)),
                true => Ok(Self::ExactWide(solver(size, limits)?)),
                false if limits.may_solve_all && position.start().is_small() => {
                    Ok(Self::Solution(position.start().solve(u64::MAX, control)?.into()))
                }
                false => Self::by_search(position, limits),
            };
        }
        let proves = position.info().proves;
        match position.check() {
            _ if position.is_long() => return Self::by_search(position, limits),
            Err(_) if proves => return Self::by_search(position, limits),
            checked => checked.map_err(|error| EngineError::Refused(error.to_string()))?,
        }
        // The moves within a tier of ranks are freed when the tier is solved.
        let peak = if position.ranks().is_some() { 4 } else { 1 };
        let most = peak * (limits.mib << 20) / position.bytes(false);
        let most = if proves { most.min(MOST_SOLVED) } else { most };
        match position.solve(most, control) {
            Err(SolveError::Positions(_)) if proves => Self::by_search(position, limits),
            solved => Ok(Self::Solution(solved?.into())),
        }
    }

    fn by_search(position: &dyn Position, limits: EngineLimits) -> Result<Self, EngineError> {
        let table = SharedTable::new(SEARCH_TABLE.min(limits.mib), position.info().key_bits);
        table.map(Self::Search).map_err(|error| EngineError::Refused(error.to_string()))
    }

    /// Returns the exact solver, if the engine is one for boards of 64 bits.
    pub fn exact(&self) -> Option<&Arc<Solver>> {
        match self {
            Self::Exact(solver) => Some(solver),
            _ => None,
        }
    }

    /// Returns true if the engine knows all values without work.
    pub const fn is_solution(&self) -> bool {
        matches!(self, Self::Solution(_))
    }

    /// Returns true if [`look_ahead`](Self::look_ahead) is the cheapest way to value all moves.
    pub const fn deepens(&self) -> bool {
        matches!(self, Self::Search(_))
    }

    /// Returns true if the engine has the value of a position, or can find it.
    pub fn covers(&self, position: &dyn Position) -> bool {
        match self {
            Self::Solution(solved) => find(solved, position).is_some(),
            _ => true,
        }
    }

    /// Returns the value of a position that it [covers](Self::covers).
    pub fn value(
        &self,
        position: &dyn Position,
        control: &Control,
        see: See<'_>,
    ) -> Result<Proved, Stopped> {
        match self {
            Self::Solution(solved) => {
                let value = find(solved, position);
                Ok(Proved { value: value.expect("the solution covers the position"), nodes: 0 })
            }
            Self::Search(table) => {
                let aim = (Aim::Value, RootScores::OneBest);
                let proof = prove(table, position, aim, control, see)?;
                let score = proof.bounds.proved().expect("a proof that is not stopped");
                let value = position.whole(score.value());
                Ok(Proved { value, nodes: proof.counters.nodes })
            }
            Self::Exact(solver) => exact_value(solver, position, control, see),
            Self::ExactWide(solver) => exact_value(solver, position, control, see),
        }
    }

    /// Returns the final points of a position that it [covers](Self::covers), for the side to move
    /// if both sides play for points; `None` if the game counts none or the engine has none.
    pub fn points(
        &self,
        position: &dyn Position,
        control: &Control,
    ) -> Result<Option<i32>, Stopped> {
        match (self, position.key()) {
            _ if !position.info().counts_points => Ok(None),
            (Self::Solution(solved), Some(key)) => Ok(solved.points_of(key)),
            (Self::Search(table), _) => {
                let aim = (Aim::Points, RootScores::OneBest);
                let proof = prove(table, position, aim, control, &mut |_| ())?;
                Ok(proof.bounds.proved().and_then(|score| score.points))
            }
            _ => Ok(None),
        }
    }

    /// Returns the outcome of a position, which may be cheaper than its value, and the nodes.
    pub fn outcome(
        &self,
        position: &dyn Position,
        control: &Control,
    ) -> Result<(Outcome, u64), Stopped> {
        match self {
            Self::Exact(solver) => solver.outcome_only(stones(position), control),
            Self::ExactWide(solver) => solver.outcome_only(stones(position), control),
            _ => {
                let proved = self.value(position, control, &mut |_| ())?;
                Ok((proved.value.outcome, proved.nodes))
            }
        }
    }

    /// Returns all moves that attain a value; `None` if the values of all moves are cheaper.
    pub fn best(
        &self,
        position: &dyn Position,
        value: Value,
        control: &Control,
    ) -> Result<Option<MoveSet>, Stopped> {
        match self {
            Self::Solution(_) => Ok(None),
            Self::Search(table) => {
                let aim = (Aim::Value, RootScores::AllBest);
                Ok(Some(prove(table, position, aim, control, &mut |_| ())?.best))
            }
            Self::Exact(solver) => solver.best_moves(stones(position), value, control).map(Some),
            Self::ExactWide(solver) => {
                solver.best_moves(stones(position), value, control).map(Some)
            }
        }
    }

    /// Returns the bit of the most promising move that attains a value, if that is cheaper than the
    /// values of all moves.
    pub fn best_move(
        &self,
        position: &dyn Position,
        value: Value,
        control: &Control,
    ) -> Result<Option<u32>, Stopped> {
        let (best, _) = match self {
            Self::Exact(solver) => solver.best_move(stones(position), value, control)?,
            Self::ExactWide(solver) => solver.best_move(stones(position), value, control)?,
            Self::Solution(_) | Self::Search(_) => return Ok(None),
        };
        Ok(best.map(|Move(column)| column.into()))
    }

    /// Searches all moves together by iterative deepening; `see` gets every result proved. Moves
    /// may be left out.
    pub fn look_ahead(
        &self,
        position: &dyn Position,
        control: &Control,
        see: &mut dyn FnMut(Finding),
    ) {
        let report = |m: Move, bounds: ValueBounds| {
            see(match bounds.value() {
                Some(value) => Finding::Move(m.0.into(), value.into()),
                None => Finding::Bounds(m.0.into(), bounds),
            });
        };
        // All that was proved before a stop is reported already.
        let _ = match self {
            Self::Solution(_) => return,
            Self::Search(table) => return look_ahead(position, table, control, see),
            Self::Exact(solver) => solver.look_ahead(stones(position), control, report).map(drop),
            Self::ExactWide(solver) => {
                solver.look_ahead(stones(position), control, report).map(drop)
            }
        };
    }
}

fn find(solved: &Solution, position: &dyn Position) -> Option<PartialValue> {
    solved.value_of(position.key()?)
}

/// Proves the score of a position by search to the end of the game.
fn prove(
    table: &SharedTable,
    position: &dyn Position,
    aim: (Aim, RootScores),
    control: &Control,
    see: See<'_>,
) -> Result<Proof, Stopped> {
    let proof = position.prove(aim, table, control, &mut |bounds| {
        let draw = position.whole(PartialValue { outcome: Outcome::Draw, remoteness: None });
        if let Some(bounds) = draw.remoteness.and_then(|plies| bounds.of_values(plies)) {
            see(bounds);
        }
    });
    // This engine serves games that end, which can be proved.
    proof.filter(|proof| !proof.stopped).ok_or(Stopped)
}

/// Makes the exact solver of a board.
fn solver<W: SolverWord>(size: Size, limits: EngineLimits) -> Result<Arc<Solver<W>>, EngineError> {
    let mib = Solver::default_table(size, rayon::current_num_threads()).min(limits.mib);
    let solver = Solver::<W>::new(size, mib);
    solver.map(Arc::new).map_err(|error| EngineError::Refused(error.to_string()))
}

fn stones<W: SolverWord>(position: &dyn Position) -> Stones<W> {
    position.stones().expect("a position of the solver's board")
}

fn exact_value<W: SolverWord>(
    solver: &Solver<W>,
    position: &dyn Position,
    control: &Control,
    see: See<'_>,
) -> Result<Proved, Stopped> {
    let Solved { value, nodes } = solver.value_with_progress(stones(position), control, see)?;
    Ok(Proved { value: value.into(), nodes })
}
