//! `analyze man`: the manual, from the same definition as the command line.

use std::path::{Path, PathBuf};

use clap_mangen::Man;

use super::failure::Failure;
use super::{output, text};
use crate::disk::{NewFile, in_directory};
use crate::statistics::counted;

/// The man page on stdout, or all pages in a directory
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze man | man -l -
  analyze man --dir ~/.local/share/man/man1
  man analyze-connect4                   once the pages are there")]
pub(super) struct Args {
    /// Write the page of every command, as analyze.1, analyze-ttt.1, ..., to this directory, which
    /// is made if it is missing
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args, definition: clap::Command) -> Result<(), Failure> {
    let mut definition = definition.disable_help_subcommand(true);
    // Gives the commands their full names.
    definition.build();
    let Some(dir) = &args.dir else {
        let mut page = Vec::new();
        Man::new(definition).render(&mut page).map_err(Failure::runtime)?;
        return text::print(&String::from_utf8_lossy(&page));
    };
    let [] = in_directory(dir, []).map_err(Failure::runtime)?;
    let pages = write(&definition, dir)?;
    text::print(&format!("{}: {}\n", dir.display(), counted(pages, "page")))
}

/// Writes the pages of a command and of those below it; gives their number.
fn write(command: &clap::Command, dir: &Path) -> Result<u64, Failure> {
    let man = Man::new(command.clone());
    let page = NewFile::create(&dir.join(man.get_filename())).map_err(Failure::runtime)?;
    output::write_file(page, |page| Ok(man.render(page)?))?;
    let below = command.get_subcommands().filter(|command| !command.is_hide_set());
    below.map(|command| write(command, dir)).try_fold(1, |sum, pages| Ok(sum + pages?))
}
