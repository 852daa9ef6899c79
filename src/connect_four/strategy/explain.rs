//! Why a position has its value: best play to a plan, and the plan.

use std::time::Duration;

use super::claim::{Claim, Side};
use super::describe::{Description, describe};
use super::field::Field;
use super::finder::{Answers, Finder, Patience};
use super::make::{Making, make};
use super::plan::Plan;
use crate::connect_four::solver::{Score, Solver, score_of};
use crate::control::{Control, Stopped};
use crate::game::{Game, Move, Outcome, Tiered, Value};
use crate::games::line::notation::{some_moves_to, write_moves};
use crate::games::line::{LineGame, SizeError, Stones};

/// Why a position has its value.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The position.
    pub position: Stones,
    /// Its value.
    pub value: Value,
    /// The moves that attain it.
    pub best: Vec<Move>,
    /// The plans: one of the side that wins, or of a draw one of each side that holds it, those
    /// that hold at once before any other.
    pub plans: Vec<Planned>,
}

/// How a side gets to a plan.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The side that follows it.
    pub side: Side,
    /// Best play of both sides from the position until the plan holds; then the other side is to
    /// move.
    pub moves: Vec<Move>,
    /// What holds then.
    pub course: Course,
}

/// What best play leads to.
#[derive(Clone, Debug)]
pub enum Course {
    /// The game ends with the last of the moves, and no plan was needed.
    Over,
    /// A plan holds.
    Plan {
        /// The plan.
        plan: Box<Plan>,
        /// What it comes to.
        description: Box<Description>,
        /// It proves the exact score; else only who wins, not how soon.
        is_exact: bool,
    },
}

/// Why there is no explanation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The board does not fit.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// It was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Own moves of the follower of which all best ones are tried, before best play is followed in one
/// line.
const OWN_MOVES: usize = 3;

/// How long a plan is looked for in each position: some milliseconds at most.
const PATIENCE: Patience = Patience { conflicts: 300, positions: 30_000 };

/// Explains the value of a position.
///
/// # Errors
/// If the board does not fit a word of 64 bits, or the control asks it to stop.
pub fn explain(
    solver: &Solver,
    position: Stones,
    control: &Control,
) -> Result<Explanation, ExplainError> {
    let value = solver.value(position, control)?.value;
    let mut explanation = Explanation { position, value, best: Vec::new(), plans: Vec::new() };
    if solver.game().result(position).is_some() {
        return Ok(explanation);
    }
    explanation.best = solver.best_moves(position, value, control)?.into_iter().collect();
    let to_move = Side::to_move(position);
    let sides = match value.outcome {
        Outcome::Win => vec![to_move],
        Outcome::Loss => vec![to_move.opponent()],
        Outcome::Draw => vec![to_move, to_move.opponent()],
    };
    for side in sides {
        let mut way = Way::new(solver, side, score_of(value, empties(solver, position)), control)?;
        explanation.plans.push(way.find(Node { position, value, moves: Vec::new() })?);
    }
    // Of a draw, a plan that holds at once says more than one far away.
    explanation.plans.sort_by_key(|planned| planned.moves.len());
    let soonest = explanation.plans.first().map_or(0, |planned| planned.moves.len());
    explanation.plans.retain(|planned| planned.moves.len() <= soonest.max(1));
    Ok(explanation)
}

fn empties(solver: &Solver, position: Stones) -> i32 {
    solver.game().plies_left(position) as i32
}

/// A position that best play leads to.
#[derive(Clone)]
struct Node {
    position: Stones,
    value: Value,
    moves: Vec<Move>,
}

impl Node {
    const fn is_over(&self) -> bool {
        self.value.remoteness.0 == 0
    }
}

/// The search for the plan that comes soonest.
struct Way<'a> {
    solver: &'a Solver,
    control: &'a Control,
    side: Side,
    /// The claims, the one that says most first.
    finders: Vec<(Claim, Finder)>,
}

impl<'a> Way<'a> {
    fn new(
        solver: &'a Solver,
        side: Side,
        score: Score,
        control: &'a Control,
    ) -> Result<Self, SizeError> {
        let field = Field::new(solver.game().size())?;
        // The follower is never the side that loses.
        let exact = score.abs();
        let claims = if exact > 1 { vec![exact, 1] } else { vec![exact] };
        let finder = |at_least| {
            let claim = Claim { side, at_least };
            (claim, Finder::new(field, claim, Answers::Any))
        };
        Ok(Self { solver, control, side, finders: claims.into_iter().map(finder).collect() })
    }

    fn find(&mut self, root: Node) -> Result<Planned, ExplainError> {
        let is_to_move = Side::to_move(root.position) == self.side;
        if !is_to_move && let Some(planned) = self.settled(std::slice::from_ref(&root))? {
            return Ok(planned);
        }
        let mut nodes = if is_to_move { vec![root] } else { vec![self.reply(&root)?] };
        let mut own_moves = 0;
        loop {
            let mut after = Vec::new();
            for node in &nodes {
                for m in self.own_moves(node)? {
                    after.push(self.played(node, m));
                }
            }
            // Won, or a full board: nothing is left to plan.
            if let Some(over) = nodes.iter().chain(&after).find(|node| node.is_over()) {
                let moves = over.moves.clone();
                return Ok(Planned { side: self.side, moves, course: Course::Over });
            }
            if let Some(planned) = self.settled(&after)? {
                return Ok(planned);
            }
            own_moves += 1;
            if own_moves >= OWN_MOVES {
                after.truncate(1);
            }
            nodes = after.iter().map(|node| self.reply(node)).collect::<Result<_, _>>()?;
        }
    }

    /// The follower's best moves, those near the middle first.
    fn own_moves(&self, node: &Node) -> Result<Vec<Move>, Stopped> {
        let best = self.solver.best_moves(node.position, node.value, self.control)?;
        let order = self.solver.game().centre_first();
        Ok(order.iter().copied().filter(|m| best.contains(*m)).collect())
    }

    fn played(&self, node: &Node, m: Move) -> Node {
        let mut moves = node.moves.clone();
        moves.push(m);
        Node {
            position: self.solver.game().play(node.position, m),
            value: node.value.after_best_move(),
            moves,
        }
    }

    /// The attacker's best reply, the one nearest to the middle.
    fn reply(&self, node: &Node) -> Result<Node, Stopped> {
        let m = self.solver.best_move(node.position, node.value, self.control)?;
        Ok(m.map_or_else(|| node.clone(), |m| self.played(node, m)))
    }

    /// The plan with fewest answers of its own that holds in one of these positions, the attacker
    /// to move, for the claim that says most.
    fn settled(&mut self, nodes: &[Node]) -> Result<Option<Planned>, ExplainError> {
        let size = self.solver.game().size();
        for (at, (claim, finder)) in self.finders.iter_mut().enumerate() {
            let mut found: Option<(&Node, Plan)> = None;
            for node in nodes {
                self.control.check()?;
                let Some(plan) = finder.whole(node.position, PATIENCE) else { continue };
                let answers = plan.answers().len();
                if found.as_ref().is_none_or(|(_, best)| answers < best.answers().len()) {
                    found = Some((node, plan));
                }
            }
            if let Some((node, plan)) = found
                && let Some(description) = describe(size, *claim, node.position, &plan)?
            {
                let course = Course::Plan {
                    plan: Box::new(plan),
                    description: Box::new(description),
                    is_exact: at == 0,
                };
                return Ok(Some(Planned { side: claim.side, moves: node.moves.clone(), course }));
            }
        }
        Ok(None)
    }
}

/// The time in which a whole strategy is looked for.
const STRATEGY_WITHIN: Duration = Duration::from_millis(300);

/// How many positions a whole strategy from here holds, not made small, if no plan holds at once
/// and one is found in about a third of a second; it claims the exact score.
#[must_use]
pub fn whole_strategy(
    solver: &Solver,
    explanation: &Explanation,
    control: &Control,
) -> Option<u64> {
    let planned = explanation.plans.first().filter(|planned| planned.moves.len() > 1)?;
    let Explanation { position, value, .. } = *explanation;
    let moves = some_moves_to(solver.game(), position).ok()?;
    let making = Making {
        claim: Claim {
            side: planned.side,
            at_least: score_of(value, empties(solver, position)).abs(),
        },
        moves: write_moves(solver.game(), &moves),
        improve_for: Some(Duration::ZERO),
        answers: Answers::Any,
        memory: 1 << 30,
    };
    let limited = Control::default();
    limited.limit(Some(STRATEGY_WITHIN.min(control.time_left().unwrap_or(Duration::MAX))));
    let strategy = make(solver, &making, &limited, |_| {
        if control.is_stopped() {
            limited.stop();
        }
    });
    strategy.ok().map(|strategy| strategy.entries.len() as u64)
}
