//! Which positions a book holds, and which of them are still to be solved.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Args;
use crate::cli::failure::Failure;
use crate::cli::session::{Session, available_memory};
use crate::game::notation::{parse_moves, parse_picture};
use crate::game::{ConnectFour, Game, Key, Ply};
use crate::search::Proven;
use crate::search::book::{Detail, Tier, TierError, in_order, tiers};

/// Memory for a position of the last ply: its key in two lists and a set, its value in a map.
const BYTES_PER_POSITION: f64 = 150.0;

/// The positions of a book.
pub(super) enum Plan {
    /// All positions up to a ply, and those of the last ply in the order to solve them.
    Plies { tiers: Vec<Tier>, order: Vec<Key> },
    /// Single positions, ascending.
    List(Vec<Key>),
}

impl Plan {
    pub fn make(game: &ConnectFour, args: &Args, session: &Session) -> Result<Self, Failure> {
        if let Some(path) = &args.input {
            return Ok(Self::List(read(game, path)?));
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

    /// All positions.
    pub fn len(&self) -> usize {
        match self {
            Self::Plies { tiers, .. } => tiers.iter().map(Vec::len).sum(),
            Self::List(keys) => keys.len(),
        }
    }

    /// The tiers, from the empty board on; none of a list.
    pub fn tiers(&self) -> &[Tier] {
        match self {
            Self::Plies { tiers, .. } => tiers,
            Self::List(_) => &[],
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
            Self::List(keys) => keys.binary_search(&key).is_ok(),
        }
    }

    /// The positions about which less is known than the book is to tell.
    pub fn open(&self, detail: Detail, known: &FxHashMap<Key, Proven>) -> FxHashSet<Key> {
        let is_open = |key: &&Key| {
            known.get(*key).is_none_or(|proven| match detail {
                Detail::Exact => proven.remoteness.is_none() || proven.best.is_none(),
                Detail::Outcome => proven.remoteness.is_none() && proven.best.is_none(),
            })
        };
        match self {
            Self::Plies { tiers, .. } => tiers.iter().flatten().filter(is_open).copied().collect(),
            Self::List(keys) => keys.iter().filter(is_open).copied().collect(),
        }
    }

    /// Those of the open positions that have to be solved, in the order to do it.
    pub fn last(&self, open: &FxHashSet<Key>) -> Vec<Key> {
        let order = match self {
            Self::Plies { order, .. } => order,
            Self::List(keys) => keys,
        };
        order.iter().filter(|key| open.contains(key)).copied().collect()
    }
}

/// The canonical positions in a file, each once; every line has to be one.
fn read(game: &ConnectFour, path: &Path) -> Result<Vec<Key>, Failure> {
    let name = if path == Path::new("-") { "stdin".into() } else { path.display().to_string() };
    let failed = |error: std::io::Error| {
        let error = anyhow::Error::from(error);
        Failure::Runtime(error.context(format!("--input {name} cannot be read")))
    };
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(std::fs::File::open(path).map_err(failed)?)
    };
    let mut keys = Vec::new();
    for (i, line) in BufReader::new(input).lines().enumerate() {
        let line = line.map_err(failed)?;
        let text = line.trim();
        let position = if text.contains(['/', '.', 'X', 'O']) {
            parse_picture(game, text)
        } else {
            parse_moves(game, text)
        };
        let position = position.map_err(|error| {
            Failure::Usage(format!("--input {name}, line {}: {error}; nothing was solved", i + 1))
        })?;
        keys.push(game.canonical(position).0);
    }
    keys.sort_unstable();
    keys.dedup();
    Ok(keys)
}
