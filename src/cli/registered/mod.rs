//! The commands on games of the registry that the boards of lines have twins of.

pub(super) mod analyze;
pub(super) mod query;
pub(super) mod verify;

use super::failure::Failure;
use crate::game::GameId;
use crate::registry::{Registry, Study};

/// A stored game of the registry at its start; `None` if it is not there.
pub(super) fn start(registry: &Registry, id: &GameId) -> Option<Result<Box<dyn Study>, Failure>> {
    Some(registry.start_of(id)?.map_err(Failure::usage))
}

/// The refusal of an option that a game, for lack of something, cannot serve.
fn refusal(option: &str, name: &str, lacks: &str) -> Failure {
    Failure::Usage(format!("--{option}: {name} is not {lacks}"))
}

/// The capability that the boards of stones and lines share.
const LINES: &str = "a game of stones and lines";
