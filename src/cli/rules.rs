//! `analyze rules`: the rules of a game.

use super::prelude::*;

/// The rules of a game: how to move, how moves are written, how it ends, and which variant it is
#[derive(Debug, clap::Args)]
pub(super) struct RulesArgs {
    /// The game
    game: String,
}

pub(super) fn run(args: &RulesArgs, registry: &Registry) -> Result<(), Failure> {
    let rules = registry.find(&args.game).and_then(Entry::rules);
    let missing = || format!("{}: its rules are not written in this program", args.game);
    text::print(&format!("{}\n", rules.ok_or_else(|| Failure::Usage(missing()))?))
}
