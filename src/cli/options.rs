//! Options that several commands share.

use std::fmt::Display;
use std::ops::{RangeBounds, RangeInclusive};
use std::path::{Path, PathBuf};

use clap::builder::RangedI64ValueParser;

use super::failure::{Failure, usage};
use super::progress::ProgressForm;
use everyply_connect_four::solver::Solver;
use everyply_core::game::Unsuited;
use everyply_core::games::line::notation::beginning;
use everyply_core::games::line::{Board, Rules, Size, SizeError, on_board};
use everyply_registry::registry::{Position, TextForm};

/// Parses a number in a range. Numbers below zero are refused with the range, like others outside it.
pub(super) fn number<T: TryFrom<i64> + Clone + Send + Sync>(
    range: impl RangeBounds<i64>,
) -> RangedI64ValueParser<T> {
    RangedI64ValueParser::new().range(range)
}

pub(super) fn threads() -> RangedI64ValueParser<usize> {
    number(1..=1024)
}

#[derive(Debug, Default, clap::Args)]
pub(super) struct Running {
    /// Worker threads [default: all]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<usize>,
    /// Write one JSON document to stdout, and nothing else
    #[arg(long)]
    pub json: bool,
    /// Progress on stderr
    #[arg(long, value_enum, value_name = "FORM", default_value_t, conflicts_with = "quiet")]
    pub progress: ProgressForm,
    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
}

impl Running {
    pub fn progress(&self) -> Option<ProgressForm> {
        (!self.quiet).then_some(self.progress)
    }

    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into))
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct OutputOptions {
    /// Solved-position database to write to; made if it is missing [default: everyply.db]
    #[arg(long, value_name = "FILE", conflicts_with = "no_db")]
    pub db: Option<PathBuf>,
    /// Write no database
    #[arg(long)]
    pub no_db: bool,
    /// Write CSV files into this directory; made if it is missing
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
}

impl OutputOptions {
    pub fn database(&self) -> Option<&Path> {
        (!self.no_db).then(|| self.db.as_deref().unwrap_or(Path::new("everyply.db")))
    }
}

#[derive(Clone, Debug, clap::Args)]
pub(super) struct BoardOptions {
    /// Columns x rows [default: 7x6]
    #[arg(long, value_name = "WxH")]
    pub size: Option<Board>,
    /// How many in a row win [default: 4]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub line: Option<u8>,
}

#[derive(Debug, clap::Args)]
pub(super) struct PositionOptions {
    /// Moves played, counted from 1: columns (4453) or cells row by row from the top left (159),
    /// separated by commas or spaces on boards with more than nine; for other games see `analyze
    /// games` [default: the start of the game]
    #[arg(value_name = "POSITION", conflicts_with = "board")]
    pub moves: Option<String>,
    /// The position as a picture: X (moves first), O and . for empty, rows separated by /,
    /// top row first; for other games as the program writes it
    #[arg(long, value_name = "PICTURE")]
    pub board: Option<String>,
}

impl PositionOptions {
    /// The move string of the command line; `None` for a picture or another text of a position.
    pub fn asked_moves(&self, position: &dyn Position) -> Option<String> {
        match (&self.moves, &self.board) {
            (None, None) => Some(String::new()),
            (Some(text), _) if position.parse_line(text).is_ok() => Some(text.clone()),
            _ => None,
        }
    }

    /// Reads the chosen position of the game with this start.
    pub fn read(&self, start: Box<dyn Position>) -> Result<Box<dyn Position>, Failure> {
        match (&self.moves, &self.board) {
            (Some(text), _) if text.is_empty() => {
                Err(usage!("POSITION is empty: leave it out for the start of the game"))
            }
            (Some(text), _) => start.read(text).map_err(|error| refused("POSITION", text, error)),
            (None, Some(text)) => match start.read_as(TextForm::Picture, text) {
                Ok((position, _)) => Ok(position),
                Err(error) => Err(refused("--board", text, error)),
            },
            (None, None) => Ok(start),
        }
    }
}

pub(super) fn refused(name: &str, text: &str, error: impl Display) -> Failure {
    usage!("{name} '{}': {error}", beginning(text, 80))
}

impl BoardOptions {
    /// The chosen board size, whether or not the game has it.
    pub fn size(&self, rules: Rules) -> Result<Size, Failure> {
        rules.size(self.size, self.line).map_err(Failure::usage)
    }
}

/// True if the exact solver is made for the game.
pub(super) fn has_solver(game: &str) -> bool {
    Rules::of(game).is_some_and(Rules::stones_fall)
}

/// Refuses a board that the solver is not made for; `why` ends the message.
pub(super) fn check_solver(size: Size, why: &str) -> Result<(), Failure> {
    match Solver::supports(size) {
        true => Ok(()),
        false => Err(usage!("--line {}: the solver is made for lines of 3 to 6{why}", size.line)),
    }
}

/// Refuses a search to a depth in a game without an end, or deeper than play from the position.
pub(super) fn check_search(position: &dyn Position, depth: u32) -> Result<(), Failure> {
    let Some(left) = position.plies_left() else {
        return Err(usage!(
            "play of {0} may be endless, so that it has no searches to a depth: `analyze {0}` solves it by \
             retrograde analysis",
            position.info().name
        ));
    };
    if depth > left && position.result().is_none() {
        return Err(usage!("--depth {depth}: at most {left} plies are left on this board"));
    }
    Ok(())
}

/// Refuses a board whose positions have keys of more than 64 bits.
pub(super) fn check_keys(position: &dyn Position) -> Result<(), Failure> {
    match (position.key(), Rules::of(position.info().name)) {
        (Some(_), _) => Ok(()),
        (None, Some(rules)) => {
            let size = Size::of_parameters(position.info().parameters);
            on_board!(rules, size, |_game| ()).map_err(refused_size)
        }
        (None, None) => Err(Failure::usage(Unsuited::Keys)),
    }
}

pub(super) fn refused_size(error: SizeError) -> Failure {
    match &error {
        SizeError::TooLarge { board, .. } => usage!("--size {board}: {error}"),
        _ => Failure::usage(error),
    }
}

/// A parser of numbers in a range, with the error for other texts.
pub(super) fn real(
    range: RangeInclusive<f64>,
    error: &'static str,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync {
    move |text| text.parse().ok().filter(|n| range.contains(n)).ok_or_else(|| error.to_owned())
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    real(0.001..=1e9, "a limit is a number of seconds, at least 0.001")(text)
}
