//! What engines that solve every position have in common.

use super::plies::{Plies, count_plies};
use crate::control::{Control, Stopped};
use crate::game::contract::{Symmetric, Unsuited, Worth, branches};
use crate::game::{MoveSet, Outcome};

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// It was asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The game does not fit.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// There are more positions than may be kept.
    #[error("it leads to more than {0} positions: take a smaller board or a later position")]
    Positions(u64),
}

/// How many positions a root leads to, each once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// All of them.
    pub positions: u64,
    /// Up to symmetry.
    pub canonical: u64,
    /// With the game over.
    pub terminal: u64,
    /// Won for the side to move.
    pub wins: u64,
    /// Drawn, endless play included.
    pub draws: u64,
    /// Drawn by endless play.
    pub endless: u64,
    /// Lost for the side to move.
    pub losses: u64,
}

impl Totals {
    /// Counts `orbit` positions of one value.
    pub(super) fn add(&mut self, orbit: u64, over: bool, worth: Worth) {
        self.positions += orbit;
        self.terminal += if over { orbit } else { 0 };
        match worth.outcome() {
            Outcome::Win => self.wins += orbit,
            Outcome::Draw => self.draws += orbit,
            Outcome::Loss => self.losses += orbit,
        }
        self.endless += if worth == Worth::Endless { orbit } else { 0 };
    }
}

/// A solved position.
#[derive(Clone, Copy, Debug)]
pub struct Solved<G: Symmetric> {
    /// Its key.
    pub key: G::Key,
    /// The position.
    pub position: G::Position,
    /// Its value for the side to move.
    pub worth: Worth,
    /// The bits of the moves that attain the value, or, where play is endless, a draw; empty if
    /// the game is over.
    pub best: MoveSet,
}

/// The values of every position that a root leads to.
pub trait StrongSolution<G: Symmetric>: Sync {
    /// The game.
    fn game(&self) -> &G;

    /// The position all others follow from.
    fn root(&self) -> G::Position;

    /// The value of a position; `None` if the root does not lead to it.
    fn worth(&self, position: G::Position) -> Option<Worth>;

    /// Hands over every canonical position, in parts; each part is sorted by key.
    fn canonical(&self, see: &mut dyn FnMut(Vec<Solved<G>>));

    /// How many positions there are.
    fn totals(&self) -> Totals;

    /// Counts up to `plies` moves from the root, with the values of positions.
    ///
    /// # Errors
    /// If the control asks it to stop.
    fn plies(&self, plies: u32, control: &Control) -> Result<Plies, Stopped> {
        let outcome = |position| self.worth(position).map(Worth::outcome);
        count_plies(self.game(), self.root(), plies, outcome, control)
    }

    /// The moves that attain the value of a position; none if the game is over or the root does
    /// not lead to it.
    fn best(&self, position: G::Position) -> MoveSet;

    /// The value of every move of a position for the side that makes it, in the order of the
    /// moves.
    fn moves(&self, position: G::Position) -> Vec<(G::Move, Worth)> {
        if self.game().result(position).is_some() {
            return Vec::new();
        }
        branches(self.game(), position)
            .filter_map(|(_, m, keeps, next)| Some((m, self.worth(next)?.one_ply_earlier(keeps))))
            .collect()
    }
}

/// The moves that attain the value of a position, by the values of its children; where play is
/// endless, all that lead to a draw.
pub(super) fn best_moves<G: Symmetric>(
    solution: &(impl StrongSolution<G> + ?Sized),
    position: G::Position,
) -> MoveSet {
    let game = solution.game();
    let Some(worth) = solution.worth(position).filter(|_| game.result(position).is_none()) else {
        return MoveSet::EMPTY;
    };
    let attains = |there: Worth| match worth {
        Worth::Ends(_) => there == worth,
        Worth::Endless => there.outcome() == Outcome::Draw,
    };
    let bits = branches(game, position)
        .filter(|&(_, _, keeps, next)| {
            solution.worth(next).is_some_and(|there| attains(there.one_ply_earlier(keeps)))
        })
        .fold(0, |set, (bit, ..)| set | 1 << bit);
    MoveSet(bits)
}
