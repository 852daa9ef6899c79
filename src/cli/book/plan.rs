//! Which positions a book holds, and which of them are still to be solved.

use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Args;
use crate::cli::failure::{Failure, warn};
use crate::cli::input::{self, Input};
use crate::cli::session::{Session, available_memory};
use crate::connect_four::book::{BookDetail, Tier, TierError, in_order, tiers};
use crate::game::{Game, Key, Ply, Symmetric};
use crate::games::line::notation::{parse_moves, parse_picture};
use crate::games::line::{ConnectFour, Stones};
use crate::reading::{LineError, TextLines, text_of};
use crate::search::ValueWithBest;
use crate::statistics::grouped;

/// Memory for a position of the last ply: its key in two lists and a set, its value in a map.
const BYTES_PER_POSITION: f64 = 150.0;

/// The most positions of a list: with their values they take 150 MB.
const MOST_LISTED: usize = 1_000_000;

/// The positions of a book.
pub(super) enum Plan {
    /// All positions up to a ply, and those of the last ply in the order to solve them.
    Plies { tiers: Vec<Tier>, order: Vec<Key> },
    /// Single positions, ascending, and the lines of their file that are none.
    List { keys: Vec<Key>, refused: u64 },
}

impl Plan {
    pub fn make(game: &ConnectFour, args: &Args, session: &Session) -> Result<Self, Failure> {
        if let Some(path) = &args.input {
            let (keys, refused) = read(game, path, session)?;
            return Ok(Self::List { keys, refused });
        }
        let plies = args.plies.unwrap_or_default();
        let most = (available_memory() / BYTES_PER_POSITION).min(1e12) as usize;
        let listed = session.work("listing positions", "positions", |control| {
            let tiers = tiers(game, game.initial(), plies, most, control)?;
            let order = in_order(game, &tiers);
            Ok((tiers, order))
        });
        match listed {
            Ok((tiers, order)) => Ok(Self::Plies { tiers, order }),
            Err(TierError::Stopped(_)) => Err(session.interrupted("")),
            Err(error) => Err(Failure::Usage(format!(
                "--plies {plies}: {error}, which is all that memory has room for"
            ))),
        }
    }

    /// Lines of the file that are no position.
    pub const fn refused(&self) -> u64 {
        match self {
            Self::Plies { .. } => 0,
            Self::List { refused, .. } => *refused,
        }
    }

    /// All positions.
    pub fn len(&self) -> usize {
        match self {
            Self::Plies { tiers, .. } => tiers.iter().map(Vec::len).sum(),
            Self::List { keys, .. } => keys.len(),
        }
    }

    /// The tiers, from the empty board on; none of a list.
    pub fn tiers(&self) -> &[Tier] {
        match self {
            Self::Plies { tiers, .. } => tiers,
            Self::List { .. } => &[],
        }
    }

    /// The tiers that are backed up.
    pub fn above(&self) -> &[Tier] {
        self.tiers().split_last().map_or(&[], |(_, above)| above)
    }

    pub fn contains(&self, ply: Ply, key: Key) -> bool {
        match self {
            Self::Plies { tiers, .. } => {
                tiers.get(ply.index()).is_some_and(|tier| tier.binary_search(&key).is_ok())
            }
            Self::List { keys, .. } => keys.binary_search(&key).is_ok(),
        }
    }

    /// The positions about which less is known than the book is to tell.
    pub fn open(
        &self,
        detail: BookDetail,
        known: &FxHashMap<Key, ValueWithBest>,
    ) -> FxHashSet<Key> {
        let is_open = |key: &&Key| {
            known.get(*key).is_none_or(|proven| match detail {
                BookDetail::Exact => !proven.value.is_exact() || proven.best.is_none(),
                BookDetail::Outcome => !proven.value.is_exact() && proven.best.is_none(),
            })
        };
        match self {
            Self::Plies { tiers, .. } => tiers.iter().flatten().filter(is_open).copied().collect(),
            Self::List { keys, .. } => keys.iter().filter(is_open).copied().collect(),
        }
    }

    /// The open positions that have to be solved, in the order of solving them.
    pub fn last(&self, open: &FxHashSet<Key>) -> Vec<Key> {
        let order = match self {
            Self::Plies { order, .. } => order,
            Self::List { keys, .. } => keys,
        };
        order.iter().filter(|key| open.contains(key)).copied().collect()
    }
}

/// The canonical positions in a file, each once, and how many of its lines are no position.
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
        parse_picture(game, text)
    } else {
        parse_moves(game, text)
    };
    position.map_err(|error| error.to_string())
}
