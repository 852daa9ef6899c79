//! `analyze play` on a game of the registry.

use clap::{ArgMatches, FromArgMatches};

use super::{LINES, refuse, study};
use crate::cli::failure::Failure;
use crate::cli::play::{Playing, Registered, at_the_board};
use crate::cli::session::available_memory;
use crate::registry::Entry;

pub(super) fn run(entry: &Entry, matches: &ArgMatches) -> Result<(), Failure> {
    refuse(matches, &["line"], entry.name, LINES)?;
    let playing = Playing::from_arg_matches(matches).map_err(Failure::usage)?;
    let start = study(entry, matches)?;
    let oracle = playing.oracle((available_memory() / f64::from(1 << 20)) as u64)?;
    let position = Registered::new(start, oracle, playing.level)?;
    at_the_board(Box::new(position), &playing)
}
