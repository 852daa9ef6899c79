//! Errors of engines that solve every position.

use crate::control::Stopped;
use crate::game::Unsuited;
use crate::statistics::grouped;

/// The reason for a missing solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The control asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The game does not fit the engine.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// There are more positions than may be kept.
    #[error(
        "it leads to more than {} positions: take a smaller board or a later position",
        grouped(*.0)
    )]
    Positions(u64),
    /// The positions after one ply more than this number need more memory than there may be.
    #[error("the positions after {} plies need more memory than may be used: count {} plies at most", .0 + 1, .0)]
    Plies(u32),
    /// Tiers need more memory than there may be.
    #[error(
        "it needs {need} MiB of memory, in a work folder {in_folder}, and {allowed} are allowed: take \
         a work folder, a smaller board or a later position"
    )]
    Memory {
        /// MiB in memory alone.
        need: u64,
        /// MiB if solved tiers are in a work folder.
        in_folder: u64,
        /// MiB that may be used.
        allowed: u64,
    },
}
