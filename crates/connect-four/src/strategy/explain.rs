//! Explanations of values: best play to a position with a plan, and the plan.

use super::describe::{Description, describe};
use super::finder::{AllowedAnswers, PlanBudget, PlanFinder};
use super::grid::Grid;
use super::plan::{Claim, Side};
use crate::solver::{Score, Solver, score_of};
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Game, Move, Outcome, Tiered, Value};
use everyply_core::games::line::{ConnectFour, LineGame, SizeError, Stones};

/// An explanation of the value of a position.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The game.
    pub game: ConnectFour,
    /// The position.
    pub position: Stones,
    /// The value.
    pub value: Value,
    /// The moves that attain the value.
    pub best: Vec<Move>,
    /// The other moves that attain the outcome.
    pub as_good: Vec<Move>,
    /// The routes to plans, the shortest first: the winner's, or in a draw each side's, if it is as
    /// short as the other one or has at most one move.
    pub routes: Vec<RouteToPlan>,
}

/// Best play from a position to a plan of one side.
#[derive(Clone, Debug)]
pub struct RouteToPlan {
    /// The side of the plan.
    pub side: Side,
    /// Best play of both sides until the plan holds, with the other side to move.
    pub moves: Vec<Move>,
    /// The end of the route.
    pub end: RouteEnd,
}

/// The end of a route.
#[derive(Clone, Debug)]
pub enum RouteEnd {
    /// The game ends with the last move, and no plan is needed.
    GameOver,
    /// A plan holds.
    Plan {
        /// The facts of the plan.
        description: Box<Description>,
        /// True if the plan proves the exact score; otherwise only the winner, not how soon.
        is_exact: bool,
    },
}

/// Errors of [`explain`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The board does not fit.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The control stopped the explanation.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The number of follower moves for which all best moves are tried; after them only one game of
/// best play is followed.
const OWN_MOVES: usize = 3;

/// The budget of the search for a plan in each position: some milliseconds at most.
const PATIENCE: PlanBudget = PlanBudget { conflicts: 300, positions: 30_000 };

/// Explains the value of a position.
///
/// # Errors
/// If the board does not fit a word of 64 bits, or the control stops the search.
pub fn explain(
    solver: &Solver,
    position: Stones,
    control: &Control,
) -> Result<Explanation, ExplainError> {
    let value = solver.value(position, control)?.value;
    let mut explanation = Explanation {
        game: *solver.game(),
        position,
        value,
        best: Vec::new(),
        as_good: Vec::new(),
        routes: Vec::new(),
    };
    if solver.game().result(position).is_some() {
        return Ok(explanation);
    }
    let best = solver.best_moves(position, value, control)?;
    let attaining = match value.outcome {
        // No drawing move is better than another.
        Outcome::Draw => best,
        outcome => solver.moves_to_outcome(position, outcome, control)?,
    };
    explanation.best = best.into_iter().collect();
    explanation.as_good = attaining.into_iter().filter(|m| !best.contains(*m)).collect();
    let to_move = Side::to_move(position);
    let sides = match value.outcome {
        Outcome::Win => vec![to_move],
        Outcome::Loss => vec![to_move.opponent()],
        Outcome::Draw => vec![to_move, to_move.opponent()],
    };
    let score = score_of(value, solver.game().plies_left(position) as i32);
    for side in sides {
        let root = BestPlayPosition { position, value, moves: Vec::new() };
        let route = PlanSearch::new(solver, side, score, control)?.find(root)?;
        explanation.routes.push(route);
    }
    // In a drawn position, a plan that holds at once explains more than a later one.
    explanation.routes.sort_by_key(|route| route.moves.len());
    let soonest = explanation.routes.first().map_or(0, |route| route.moves.len());
    explanation.routes.retain(|route| route.moves.len() <= soonest.max(1));
    Ok(explanation)
}

#[derive(Clone)]
struct BestPlayPosition {
    position: Stones,
    value: Value,
    moves: Vec<Move>,
}

/// The search for the earliest plan of a side.
struct PlanSearch<'a> {
    solver: &'a Solver,
    control: &'a Control,
    side: Side,
    /// A finder for each claim, the strongest claim first.
    finders: Vec<(Claim, PlanFinder)>,
}

impl<'a> PlanSearch<'a> {
    fn new(
        solver: &'a Solver,
        side: Side,
        score: Score,
        control: &'a Control,
    ) -> Result<Self, SizeError> {
        let grid = Grid::new(solver.game().size())?;
        // The follower is never the side that loses.
        let exact = score.abs();
        let claims = if exact > 1 { vec![exact, 1] } else { vec![exact] };
        let finder = |at_least| {
            let claim = Claim { side, at_least };
            (claim, PlanFinder::new(grid, claim, AllowedAnswers::Any))
        };
        Ok(Self { solver, control, side, finders: claims.into_iter().map(finder).collect() })
    }

    fn find(&mut self, root: BestPlayPosition) -> Result<RouteToPlan, ExplainError> {
        let is_to_move = Side::to_move(root.position) == self.side;
        if !is_to_move && let Some(route) = self.plan_in_one_of(std::slice::from_ref(&root))? {
            return Ok(route);
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
            // A won game or a full board needs no plan.
            let is_over = |node: &&BestPlayPosition| node.value.remoteness.0 == 0;
            if let Some(over) = nodes.iter().chain(&after).find(is_over) {
                let moves = over.moves.clone();
                return Ok(RouteToPlan { side: self.side, moves, end: RouteEnd::GameOver });
            }
            if let Some(route) = self.plan_in_one_of(&after)? {
                return Ok(route);
            }
            own_moves += 1;
            if own_moves >= OWN_MOVES {
                after.truncate(1);
            }
            nodes = after.iter().map(|node| self.reply(node)).collect::<Result<_, _>>()?;
        }
    }

    /// Returns the follower's best moves, moves near the middle first.
    fn own_moves(&self, node: &BestPlayPosition) -> Result<Vec<Move>, Stopped> {
        let best = self.solver.best_moves(node.position, node.value, self.control)?;
        let order = self.solver.game().centre_first();
        Ok(order.iter().copied().filter(|m| best.contains(*m)).collect())
    }

    fn played(&self, node: &BestPlayPosition, m: Move) -> BestPlayPosition {
        let mut moves = node.moves.clone();
        moves.push(m);
        BestPlayPosition {
            position: self.solver.game().play(node.position, m),
            value: node.value.after_best_move(),
            moves,
        }
    }

    /// Plays the attacker's best reply that is nearest to the middle.
    fn reply(&self, node: &BestPlayPosition) -> Result<BestPlayPosition, Stopped> {
        let (m, _) = self.solver.best_move(node.position, node.value, self.control)?;
        Ok(m.map_or_else(|| node.clone(), |m| self.played(node, m)))
    }

    /// Looks for a plan in these positions, with the attacker to move: for the strongest claim that
    /// has one, the plan with the fewest answers that are not on top.
    fn plan_in_one_of(
        &mut self,
        nodes: &[BestPlayPosition],
    ) -> Result<Option<RouteToPlan>, ExplainError> {
        let size = self.solver.game().size();
        for (at, (claim, finder)) in self.finders.iter_mut().enumerate() {
            let mut plans = Vec::new();
            for node in nodes {
                self.control.check()?;
                plans
                    .extend(finder.without_exits(node.position, PATIENCE).map(|plan| (node, plan)));
            }
            let simplest = plans.into_iter().min_by_key(|(_, plan)| plan.answers().len());
            if let Some((node, plan)) = simplest
                && let Some(description) = describe(size, *claim, node.position, &plan)?
            {
                let end = RouteEnd::Plan { description: Box::new(description), is_exact: at == 0 };
                return Ok(Some(RouteToPlan { side: claim.side, moves: node.moves.clone(), end }));
            }
        }
        Ok(None)
    }
}
