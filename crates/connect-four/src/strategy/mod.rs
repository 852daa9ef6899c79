//! Strategies without search: sets of positions small enough to keep, and plans that settle the
//! rest.
//!
//! A *strategy* shows that one side, the *follower*, gets at least a certain score whatever the
//! other side, the *attacker*, does. It holds positions with the attacker to move. In each of them
//! the follower has a [`Plan`]: a column to answer in for every cell the attacker may take. A plan
//! needs no search and no memory but its own position: the follower wins if it can, blocks if it
//! must, and otherwise answers by the plan's table. If no plan meets every reply, the columns that
//! the plan does not meet are its *exits*: after them the follower has a move to another position
//! of the strategy.
//!
//! The promise of a plan is not argued from rules but played out against every line of the
//! attacker, each position once, when the plan is found and again by [`check()`].

#![deny(missing_docs)]

mod check;
mod choices;
mod describe;
#[cfg(test)]
mod description_tests;
#[cfg(feature = "serde")]
mod document;
mod explain;
mod file;
mod finder;
mod follow;
mod graph;
mod grid;
mod improve;
mod make;
mod plan;
mod replacement;
mod sentences;
#[cfg(test)]
mod tests;

pub use check::{CheckSummary, Fault, check};
pub use describe::{Description, WinningCell, describe};
#[cfg(feature = "serde")]
pub use document::PlanDocument;
pub use explain::{ExplainError, Explanation, RouteEnd, RouteToPlan, explain};
pub use file::{FileError, cell_name, column_letter, is_strategy, open, read, write};
pub use follow::{ActivePlan, AnswerRule, Cell, FollowedPosition, Follower, Reason, Reply, Turn};
pub use make::{MakeError, MakeOptions, make};
pub use plan::{Claim, Plan, Side};
pub use sentences::{cell_names, lettered};

use everyply_core::games::line::{Size, Stones};

/// A position of a strategy, the attacker to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedPosition {
    /// The stones; `own` are the attacker's. Of a position and its mirror image, the one with the
    /// lower (`other`, `own`) stands for both.
    pub position: Stones,
    /// The follower's plan.
    pub plan: Plan,
}

/// A strategy: its claim, its start and its positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The board.
    pub size: Size,
    /// The side that follows the strategy, and the score it gets at least.
    pub claim: Claim,
    /// The moves from the empty board to the start of the strategy, in the form of
    /// [`write_moves`](everyply_core::games::line::notation::write_moves).
    pub moves: String,
    /// The positions, by ascending (`other`, `own`).
    pub positions: Vec<PlannedPosition>,
}

impl Strategy {
    /// Returns the claim and the board, as `the first player wins on 7x6`.
    pub fn title(&self) -> String {
        let Self { size, claim, moves, .. } = self;
        let line = if size.line == 4 { String::new() } else { format!(", {} in a row", size.line) };
        let after = if moves.is_empty() { String::new() } else { format!(" after {moves}") };
        format!("{} on {}{line}{after}", claim.words(*size), size.board())
    }

    /// Counts the positions that a plan settles without exits.
    pub fn settled(&self) -> usize {
        self.positions.iter().filter(|planned| planned.plan.exits == 0).count()
    }
}
