//! `analyze man`: the manual, from the same definition as the command line.

use std::io;

use clap_mangen::Man;

use super::prelude::*;

/// The man page on stdout, or all pages in a directory
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze man | man -l -
  analyze man --dir ~/.local/share/man/man1
  man analyze-connect4                   once the pages are there")]
pub(super) struct ManArgs {
    /// Write the page of every command, a file each, to this directory, which is made if it is
    /// missing
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(super) fn run(args: &ManArgs, definition: clap::Command) -> Result<(), Failure> {
    let mut definition = definition.disable_help_subcommand(true);
    // Gives the commands their full names.
    definition.build();
    let Some(dir) = &args.dir else {
        return text::print(&page(&definition)?);
    };
    let [] = in_directory(dir, [])?;
    let pages = write(&definition, dir)?;
    text::print(&format!("{}: {}\n", dir.display(), counted(pages, "page")))
}

/// Writes the pages of a command and its subcommands; returns their number.
fn write(command: &clap::Command, dir: &Path) -> Result<u64, Failure> {
    let name = Man::new(command.clone()).get_filename();
    let file = NewFile::create(&dir.join(name))?;
    output::write_file(file, |file| Ok(file.write_all(page(command)?.as_bytes())?))?;
    let below = command.get_subcommands().filter(|command| !command.is_hide_set());
    below.map(|command| write(command, dir)).try_fold(1, |sum, pages| Ok(sum + pages?))
}

fn page(command: &clap::Command) -> io::Result<String> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
