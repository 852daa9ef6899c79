//! The evaluation of positions at the horizon of a search.

use super::points::Points;
use crate::game::Evaluate;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// The game's own ([`Evaluate::evaluate`]).
    Own,
    /// None: every position that is not over scores 0.
    None,
}

impl Evaluation {
    pub const ALL: [Self; 2] = [Self::Own, Self::None];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::None => "none",
        }
    }

    #[inline(always)]
    pub(super) fn points<G: Evaluate>(self, game: &G, position: G::Position) -> Points {
        match self {
            Self::Own => Points::evaluated(game.evaluate(position)),
            Self::None => Points::ZERO,
        }
    }
}
