//! The answers of the solver in a form that can be compared, and the references for them.

use std::sync::Mutex;

use super::super::super::engine::{Engine, ResolvedRoot};
use super::super::super::search::{NODES_PER_CHECK, Searcher};
use super::super::*;
use crate::processor::Processor;
use everyply_core::game::PartialValue;
use everyply_core::games::line::{AnySize, Wide};

/// A source of the values that the solver has to find. All references work in words of 128 bits,
/// whatever the solver's own word. They return no value if it takes more than some four thousand
/// positions: ten million values in an hour leave two cores 0.7 ms for each.
pub enum Reference {
    /// The definition of a value, with the values found below the current position.
    BruteForce(FxHashMap<Key<u128>, Value>),
    /// The search without static bounds, with a new table for every position. It solves much
    /// earlier positions than brute force.
    RulesOff(Processor, Box<Engine<AnySize<Layout<u128>>>>),
}

fn rules_off(size: Size, processor: Processor) -> Engine<AnySize<Layout<u128>>> {
    super::engine(size, 1).with_processor(processor).without_static_bounds()
}

impl Reference {
    pub fn brute_force() -> Self {
        Self::BruteForce(FxHashMap::default())
    }

    pub fn rules_off(size: Size, processor: Processor) -> Self {
        Self::RulesOff(processor, Box::new(rules_off(size, processor)))
    }

    pub const fn name(&self) -> &'static str {
        match self {
            Self::BruteForce(_) => "brute force",
            Self::RulesOff(..) => "search without static bounds",
        }
    }

    pub const fn is_search(&self) -> bool {
        matches!(self, Self::RulesOff(..))
    }

    /// Returns the most empty cells of the first positions.
    pub fn first_empties(&self, size: Size) -> u32 {
        match self {
            Self::BruteForce(_) => 8,
            Self::RulesOff(..) => size.cells().min(18),
        }
    }

    /// Forgets the values of other positions.
    pub fn forget(&mut self) {
        match self {
            Self::BruteForce(known) => known.clear(),
            Self::RulesOff(processor, engine) => {
                **engine = rules_off(engine.layout().size, *processor);
            }
        }
    }

    /// Returns the value of a position, if that is affordable.
    pub fn value(&mut self, game: &Wide, position: Stones<u128>) -> Option<Value> {
        match self {
            Self::BruteForce(known) => {
                by_definition(game, position, known, NODES_PER_CHECK as usize)
            }
            Self::RulesOff(_, engine) => match game.result(position) {
                Some(outcome) => Some(Value::over(outcome)),
                None => searched(engine, position),
            },
        }
    }

    /// Returns the values of all moves, if they are affordable.
    pub fn moves(&mut self, game: &Wide, position: Stones<u128>) -> Option<Vec<ValuedMove>> {
        let moves = game.moves(position).into_iter();
        let value = |m| Some((m, self.value(game, game.play(position, m))?.for_parent()));
        moves.map(value).collect()
    }
}

/// Returns the value of a position whose game is not over, by bisection.
fn searched(engine: &Engine<AnySize<Layout<u128>>>, position: Stones<u128>) -> Option<Value> {
    let l = engine.layout();
    let board = Board::new(l, position);
    let cells = l.cells() - i32::from(position.ply().0);
    let score = match engine.resolve_root(Root { board, empties: cells }) {
        ResolvedRoot::Decided(score) => score,
        ResolvedRoot::Quiet { board, empties, turned } => {
            let (root, control) = (Root { board, empties }, Control::default());
            // A search that may be helped ends when it should be shared.
            let mut searcher = Searcher::new(engine, &control, true);
            let mut known = Interval::of_quiet(empties);
            // Wrong bounds can cross; the loop must end then.
            while known.lower < known.upper {
                let alpha = (known.lower + known.upper).div_euclid(2);
                known = known.narrowed(alpha, searcher.search_root(&root, alpha).ok()?);
            }
            known.turned_if(turned).lower
        }
    };
    Some(value_of(score, cells))
}

/// Computes a value by its definition; `None` if that takes more than `most` positions in `known`.
fn by_definition<W: SolverWord>(
    game: &ConnectFourIn<W>,
    position: Stones<W>,
    known: &mut FxHashMap<Key<W>, Value>,
    most: usize,
) -> Option<Value> {
    if let Some(outcome) = game.result(position) {
        return Some(Value::over(outcome));
    }
    if let Some(value) = known.get(&game.key(position)) {
        return Some(*value);
    }
    let mut best = None;
    for m in game.moves(position) {
        let value = by_definition(game, game.play(position, m), known, most)?;
        best = best.max(Some(value.for_parent()));
    }
    known.insert(game.key(position), best.expect("a game that is not over has a move"));
    best.filter(|_| known.len() <= most)
}

/// A move and its value for the side that makes it.
pub type ValuedMove = (Move, Value);

/// Returns the moves that attain a value.
pub fn best(value: Value, moves: &[ValuedMove]) -> MoveSet {
    moves.iter().filter(|(_, other)| *other == value).map(|(m, _)| *m).collect()
}

/// Returns true if a goal includes moves.
pub const fn is_about_moves(goal: Goal) -> bool {
    matches!(goal, Goal::BestMoves | Goal::AllMoves)
}

/// The answer of a solver about a position, for a goal.
#[derive(Debug, PartialEq)]
pub struct SolverAnswer {
    goal: Goal,
    value: PartialValue,
    best: MoveSet,
    moves: Vec<ValuedMove>,
    /// The plies of best play, and the result at its end for the side to move there.
    play: (usize, Option<Outcome>),
    /// Reported bounds, or bounds known without a search, that exclude the value.
    wrong_bounds: Vec<ValueBounds>,
}

impl SolverAnswer {
    /// Creates the right answer for a position of this value whose moves have these values; `moves`
    /// may be empty if the goal is the value or the outcome.
    pub fn right(goal: Goal, value: Value, moves: &[ValuedMove]) -> Self {
        let end = if value.remoteness.0 % 2 == 1 { -value.outcome } else { value.outcome };
        let (best, play) = match is_about_moves(goal) {
            true => (best(value, moves), (value.remoteness.0.into(), Some(end))),
            false => (MoveSet::EMPTY, (0, None)),
        };
        let moves = if goal == Goal::AllMoves { moves.to_vec() } else { Vec::new() };
        let value = match goal {
            Goal::Outcome => PartialValue::of_outcome(value.outcome),
            _ => value.into(),
        };
        Self { goal, value, best, moves, play, wrong_bounds: Vec::new() }
    }

    /// Creates the answer of a solver about a position of this value.
    pub fn of<W: SolverWord>(
        solver: &Solver<W>,
        position: Stones<W>,
        goal: Goal,
        value: Value,
    ) -> Self {
        let (game, analysis) = (solver.game(), Mutex::default());
        let before = solver.known(position);
        solver.analyze(position, goal, &analysis, &Control::default()).expect("no stop");
        let analysis: Analysis = analysis.into_inner().unwrap();
        let bounds = [before, analysis.bounds, solver.known(position)].into_iter().flatten();
        let end = analysis.variation.iter().try_fold(position, |p, &m| game.try_play(p, m));
        Self {
            goal,
            value: analysis.value.expect("the goal is reached"),
            best: analysis.best,
            moves: analysis.moves.into_iter().map(|(m, solved)| (m, solved.value)).collect(),
            play: (analysis.variation.len(), end.ok().and_then(|end| game.result(end))),
            wrong_bounds: bounds.filter(|b| value < b.worst || b.best < value).collect(),
        }
    }
}
