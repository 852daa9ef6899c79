//! `analyze explain` on a game of the registry.

use clap::ArgMatches;

use super::{LINES, refuse, running, study};
use crate::cli::explain::explain_solved;
use crate::cli::failure::Failure;
use crate::export::Words;
use crate::registry::Entry;

pub(super) fn run(entry: &Entry, matches: &ArgMatches) -> Result<(), Failure> {
    refuse(matches, &["line", "board"], entry.name, LINES)?;
    let study = study(entry, matches)?;
    explain_solved(study.as_ref(), Words::Moves, &running(matches)?)
}
