//! Strategies without search: sets of positions small enough to keep, and plans that settle the
//! rest.
//!
//! A *strategy* shows that one side, the *follower*, gets at least a certain score whatever the
//! other side, the *attacker*, does. It holds positions with the attacker to move. In each of them
//! the follower has a [`Plan`]: a column to answer in for every cell the attacker may take. A
//! plan needs no memory of the game but its own position, and no search: who wins at once does,
//! who has to block does, all else is in the table of answers. Where no plan meets every reply,
//! the columns it does not meet are its *exits*: after those the follower has a move to another
//! position of the strategy.
//!
//! What a plan promises is not argued from rules but played out against every line of the
//! attacker, each position once, when it is found and again by [`check()`].

mod check;
mod claim;
mod describe;
#[cfg(test)]
mod described;
#[cfg(feature = "database")]
mod document;
mod explain;
mod field;
mod file;
mod finder;
mod follow;
mod improve;
mod index;
mod make;
mod plan;
mod sentences;
#[cfg(test)]
mod tests;
mod tree;

pub use check::{Checked, Fault, check};
pub use claim::{Claim, Side};
pub use describe::{BlockedLine, Description, Ending, describe};
#[cfg(feature = "database")]
pub(crate) use document::{ExplanationDocument, whole_strategy_words};
pub use explain::{Course, ExplainError, Explanation, Planned, explain, whole_strategy};
pub(crate) use file::column_letter;
pub use file::{FileError, cell_name, is_strategy, open, read, write};
pub use finder::Answers;
pub use follow::{
    Answer, Cell, Exit, Follower, Following, Node, Outline, Reason, Reply, Standing, Turn,
};
pub use make::{MakeError, Making, Progress, make};
pub use plan::{Kind, Plan};
pub use sentences::cell_names;

use crate::games::line::{Size, SizeError, Stones};

/// A position of a strategy, the attacker to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The stones; `own` are the attacker's. Of a position and its mirror image the one of lower
    /// key stands for both.
    pub position: Stones,
    /// The follower's plan.
    pub plan: Plan,
}

/// A strategy: what it claims, where it starts, and its positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The board.
    pub size: Size,
    /// Who follows it, and what for.
    pub claim: Claim,
    /// The moves from the empty board to the position it starts from, as
    /// [`write_moves`](crate::games::line::notation::write_moves) has them.
    pub moves: String,
    /// The positions, by ascending position.
    pub entries: Vec<Entry>,
}

impl Strategy {
    /// The positions that a plan settles without exits.
    #[must_use]
    pub fn settled(&self) -> usize {
        self.entries.iter().filter(|entry| entry.plan.exits == 0).count()
    }

    /// How many of the plans without exits are of each kind.
    #[must_use]
    pub fn kinds(&self) -> Vec<(Kind, usize)> {
        let field = field::Field::new(self.size).ok();
        let kind =
            |entry: &&Entry| field.as_ref().map(|field| entry.plan.kind(field, entry.position));
        let settled = || self.entries.iter().filter(|entry| entry.plan.exits == 0);
        let count = |wanted| settled().filter(|entry| kind(entry) == Some(wanted)).count();
        Kind::ALL.map(|kind| (kind, count(kind))).into()
    }
}

/// A plan that keeps the claim in this position, where the other side is to move, if one is found
/// in about a millisecond.
///
/// # Errors
/// If the board does not fit.
pub fn plan_for(size: Size, position: Stones, claim: Claim) -> Result<Option<Plan>, SizeError> {
    let patience = finder::Patience { conflicts: 1000, positions: 100_000 };
    Ok(finder::Finder::new(field::Field::new(size)?, claim, Answers::Any).whole(position, patience))
}
