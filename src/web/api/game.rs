//! `GET /api/v1/game`: the value of every position of a game, and the errors of its moves.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::RawQuery;
use axum::response::Response;
use serde::Serialize;

use super::{ApiError, KnownRow, json};
use crate::game::{PartialValue, Remoteness};
use crate::games::line::notation::write_moves;
use crate::oracle::{OracleError, SourcedValue, Valued};
use crate::web::Shared;
use crate::web::request::{PositionInput, Query, Record, with_board};

/// An error of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The outcome became worse.
    Mistake,
    /// The outcome is the same, but a win takes this many plies longer, or a loss comes this many
    /// plies sooner.
    Inexact(u8),
}

/// The value of every position of a game, as far as found within the time limit. Starts at the
/// last position: late ones are easier, and their values help with earlier ones.
pub async fn record_values<G: Valued>(
    explorer: &Shared,
    record: Record<G>,
) -> Result<Vec<Option<SourcedValue>>, ApiError> {
    let this = explorer.clone();
    let found = Arc::new(Mutex::new(vec![None; record.moves.len() + 1]));
    let noted = Arc::clone(&found);
    let work = move |control: &crate::control::Control| -> Result<(), OracleError> {
        for ply in (0..=record.moves.len()).rev() {
            let position = record.position_at(ply);
            let known = this.oracle.value(&record.game, position, control);
            let known = match known {
                // Earlier positions may be cached.
                Err(OracleError::Stopped(_)) => continue,
                known => known?,
            };
            noted.lock().unwrap_or_else(PoisonError::into_inner)[ply] = Some(known);
        }
        Ok(())
    };
    explorer.searches.run(None, work).await??;
    let known = found.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(known)
}

/// The error of the move to each position of a game: a loss of outcome or of plies. `keeps_turn`
/// returns true for a move after which the same side moves again.
pub fn move_errors(
    known: &[Option<PartialValue>],
    keeps_turn: impl Fn(usize) -> bool,
) -> Vec<Option<MoveError>> {
    let error = |at: usize| {
        let before = known[at.checked_sub(1)?]?;
        let after = known[at]?.one_ply_earlier(keeps_turn(at));
        if after.outcome < before.outcome {
            return Some(MoveError::Mistake);
        }
        let worse = after.preference(before).is_some_and(Ordering::is_lt);
        let plies_lost = |(a, b): (Remoteness, Remoteness)| a.0.abs_diff(b.0);
        let plies_lost = before.remoteness.zip(after.remoteness).map(plies_lost);
        plies_lost.filter(|_| worse).map(MoveError::Inexact)
    };
    (0..known.len()).map(error).collect()
}

#[derive(Serialize)]
struct GameDocument {
    game: &'static str,
    board: String,
    line: u8,
    moves: String,
    partial: bool,
    plies: Vec<PlyDocument>,
}

#[derive(Serialize)]
struct PlyDocument {
    ply: usize,
    #[serde(rename = "move")]
    m: Option<u32>,
    value: Option<KnownRow>,
    mistake: bool,
    plies_lost: Option<u8>,
}

/// `GET /api/v1/game`: the value of every position of a game, and its mistakes.
pub async fn game(explorer: Shared, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let mut query = Query::new(query.as_deref())?;
    let game = query.game()?;
    let given = PositionInput::Moves(query.take("moves").unwrap_or_default());
    query.done()?;
    with_board!(game, game => annotated(&explorer, game, given).await)
}

async fn annotated<G: Valued>(
    explorer: &Shared,
    game: G,
    given: PositionInput,
) -> Result<Response, ApiError> {
    let record = Record { game, moves: given.read(&game)?.1 };
    let known = record_values(explorer, record.clone()).await?;
    let values: Vec<_> = known.iter().map(|known| known.map(|known| known.value)).collect();
    let size = game.size();
    let plies = move_errors(&values, |_| false).into_iter().zip(&known).enumerate();
    let plies = plies.map(|(ply, (error, known))| PlyDocument {
        ply,
        m: ply.checked_sub(1).map(|i| record.moves[i].number()),
        value: known.map(KnownRow::from),
        mistake: error == Some(MoveError::Mistake),
        plies_lost: match error {
            Some(MoveError::Inexact(plies)) => Some(plies),
            _ => None,
        },
    });
    Ok(json(&GameDocument {
        game: game.name(),
        board: size.board(),
        line: size.line,
        moves: write_moves(&game, &record.moves),
        partial: known.iter().any(Option::is_none),
        plies: plies.collect(),
    }))
}
