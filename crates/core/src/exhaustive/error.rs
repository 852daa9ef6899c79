//! Errors of engines that solve every position.

use crate::control::Stopped;
use crate::game::Unsuited;
use crate::statistics::grouped;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    #[error(
        "it leads to more than {} positions: take a smaller board or a later position",
        grouped(*.0)
    )]
    Positions(u64),
    /// The positions after one ply more than this number need more memory than is allowed.
    #[error("the positions after {} plies need more memory than may be used: count {} plies at most", .0 + 1, .0)]
    Plies(u32),
    #[error(
        "it needs {need} MiB of memory, in a work folder {in_folder}, and {allowed} are allowed: take \
         a work folder, a smaller board or a later position"
    )]
    Memory { need: u64, in_folder: u64, allowed: u64 },
}
