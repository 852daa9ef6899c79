//! The positions of a book that the command line asks for.

use std::path::Path;

use rustc_hash::FxHashSet;

use super::Args;
use crate::cli::failure::{Failure, warn};
use crate::cli::input::{self, Input};
use crate::cli::session::{Session, available_memory};
use crate::connect_four::book::{Book, BookPlan, TierError};
use crate::game::{Key, Symmetric};
use crate::games::line::notation::{parse_moves, parse_picture};
use crate::games::line::{ConnectFour, Stones};
use crate::reading::{LineError, TextLines, text_of};
use crate::statistics::grouped;

/// The most positions of a list: with their values they take 150 MB.
const MOST_LISTED: usize = 1_000_000;

/// The positions asked for, and the number of lines of their file that are no positions.
pub(super) fn make(
    game: &ConnectFour,
    args: &Args,
    session: &Session,
) -> Result<(BookPlan, u64), Failure> {
    if let Some(path) = &args.input {
        let (keys, refused) = read(game, path, session)?;
        return Ok((BookPlan::of_list(keys), refused));
    }
    let plies = args.plies.unwrap_or_default();
    let most = (available_memory() / Book::BYTES_PER_POSITION).min(1e12) as usize;
    let listed = session.work("listing positions", "positions", |control| {
        BookPlan::of_plies(game, plies, most, control)
    });
    match listed {
        Ok(plan) => Ok((plan, 0)),
        Err(TierError::Stopped(_)) => Err(session.interrupted("")),
        Err(error) => {
            Err(Failure::Usage(format!("--plies {plies}: {error}, the most that fit into memory")))
        }
    }
}

/// The canonical positions in a file, each once, and the number of lines that are no position.
fn read(game: &ConnectFour, path: &Path, session: &Session) -> Result<(Vec<Key>, u64), Failure> {
    let name = format!("--input {}", input::name_of(path));
    let failed = |error: LineError| match error {
        LineError::Io(_) if session.control.is_asked_to_stop() => {
            session.interrupted("; nothing was solved")
        }
        error => input::failed(error, &name),
    };
    let input = Input::open(path, session.control.clone());
    let mut lines = TextLines::new(input.map_err(|error| failed(LineError::Io(error)))?);
    let mut keys = FxHashSet::default();
    let mut refused = 0;
    while let Some(line) = lines.next_line().map_err(failed)? {
        match position(game, line) {
            Ok(position) => drop(keys.insert(game.canonical(position).0)),
            Err(why) => {
                refused += 1;
                warn(&format!("{name}, line {}: {why}; it is left out", lines.number()));
            }
        }
        if keys.len() > MOST_LISTED {
            return Err(Failure::Usage(format!(
                "{name}, line {}: more than {} different positions; split it: all parts can go to \
                 the same database",
                lines.number(),
                grouped(MOST_LISTED as u64)
            )));
        }
        if session.control.is_asked_to_stop() {
            return Err(session.interrupted("; nothing was solved"));
        }
    }
    let mut keys: Vec<Key> = keys.into_iter().collect();
    keys.sort_unstable();
    Ok((keys, refused))
}

/// The position of a line: moves, or a picture.
fn position(game: &ConnectFour, line: &[u8]) -> Result<Stones, String> {
    let text = text_of(line).map_err(|error| error.to_string())?.trim();
    let position = if text.contains(['/', '.', 'X', 'O']) {
        parse_picture(game, text).map(|(position, _)| position)
    } else {
        parse_moves(game, text)
    };
    position.map_err(|error| error.to_string())
}
