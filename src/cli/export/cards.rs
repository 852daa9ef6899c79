//! `analyze export` of a strategy: flash cards.

use std::io::Write;

use super::values::Tables;
use super::{Format, Wanted, default_name};
use crate::cli::failure::Failure;
use crate::cli::{output, text};
use crate::connect_four::strategy::{self, Follower};
use crate::disk::NewFile;
use crate::export::{CardFormat, PositionFormat, flash_cards};
use crate::statistics::counted;

pub(super) fn run(wanted: &Wanted) -> Result<(), Failure> {
    let file = wanted.file.display();
    let (format, ending) = match wanted.format {
        Some(Format::Positions(PositionFormat::Csv)) => (CardFormat::Csv, "csv"),
        Some(Format::Anki) => (CardFormat::Anki, "anki.txt"),
        _ => {
            return Err(Failure::Usage(format!(
                "{file} is a strategy, which has flash cards: use --format csv or --format anki"
            )));
        }
    };
    if wanted.selects() {
        return Err(Failure::Usage(format!(
            "{file} is a strategy, and all its cards are written: leave out --plies, --outcome, \
             --remoteness, --mirror and --all-moves"
        )));
    }
    let out = wanted.out.clone().unwrap_or_else(|| default_name(&wanted.file, ending));
    let failed =
        |error: anyhow::Error| Failure::Runtime(error.context(format!("{file} cannot be read")));
    let strategies = strategy::open(&wanted.file).map_err(|error| failed(error.into()))?;
    let followers: Result<Vec<_>, _> = strategies.into_iter().map(Follower::new).collect();
    let followers = followers.map_err(|fault| failed(fault.into()))?;
    let (cards, count) = flash_cards(&followers, format);
    let new = NewFile::create(&out).map_err(Failure::runtime)?;
    output::write_file(new, |file| Ok(file.write_all(cards.as_bytes())?))?;
    let written = Tables::of(&out);
    let count = counted(count as u64, "card");
    text::print_result(wanted.running.json, &written, || format!("{}: {count}\n", out.display()))
}
