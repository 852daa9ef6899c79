//! The evaluation of positions at the horizon of a search.

use super::points::Points;
use crate::game::Evaluate;

/// The evaluation of positions at the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// That of the game ([`Evaluate::evaluate`]).
    Own,
    /// None: every position that is not over is worth nothing.
    None,
}

impl Evaluation {
    /// All evaluations.
    pub const ALL: [Self; 2] = [Self::Own, Self::None];

    /// The name in options and outputs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::None => "none",
        }
    }

    /// The points of a position without a result.
    #[inline(always)]
    pub(super) fn points<G: Evaluate>(self, game: &G, position: G::Position) -> Points {
        match self {
            Self::Own => Points::evaluated(game.evaluate(position)),
            Self::None => Points::ZERO,
        }
    }
}
