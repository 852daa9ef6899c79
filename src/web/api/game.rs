//! `GET /api/v1/game`: the value of every position of a game, and the errors of its moves.

use std::cmp::Ordering;
use std::sync::{Mutex, PoisonError};

use super::{json, read_record};
use crate::web::prelude::*;
use everyply_core::game::ValueRow;
use everyply_results::export::GameFields;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The outcome became worse.
    Mistake,
    /// The outcome is the same, but a win takes this many plies longer, or a loss comes this many
    /// plies sooner.
    Inexact(u8),
}

/// The values of the positions of a game that are found within the time limit. Starts at the last
/// position: late ones are easier, and their values help with earlier ones.
pub async fn record_values(
    explorer: &Shared,
    record: &Arc<GameRecord>,
    limit: Option<Duration>,
) -> Result<Vec<Option<SourcedValue>>, ApiError> {
    let (this, record) = (explorer.clone(), Arc::clone(record));
    let positions = record.length() + 1;
    let found = Arc::new(Mutex::new(vec![None; positions]));
    let noted = Arc::clone(&found);
    let work = move |control: &Control| -> Result<(), OracleError> {
        for ply in (0..positions).rev() {
            let known = match this.oracle.prove(record.course.position_at(ply), control) {
                // Earlier positions may be known.
                Err(OracleError::Stopped(_) | OracleError::Engine { .. }) => continue,
                known => known?,
            };
            noted.lock().unwrap_or_else(PoisonError::into_inner)[ply] = Some(known);
        }
        Ok(())
    };
    explorer.searches.run(limit, work).await??;
    let known = found.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(known)
}

/// The error of the move to each position of a game: a loss of outcome or of plies. `keeps_turn`
/// returns true for a move after which the same side moves again.
pub fn move_errors(
    known: &[Option<SourcedValue>],
    keeps_turn: impl Fn(usize) -> bool,
) -> Vec<Option<MoveError>> {
    let error = |at: usize| {
        let before = known[at.checked_sub(1)?]?;
        let after = known[at]?.one_ply_earlier(keeps_turn(at));
        if after.value.outcome < before.value.outcome {
            return Some(MoveError::Mistake);
        }
        if before.points.is_some() {
            // In games for points, plies do not count.
            return None;
        }
        let (before, after) = (before.value, after.value);
        let worse = after.preference(before).is_some_and(Ordering::is_lt);
        let plies_lost = |(a, b): (Remoteness, Remoteness)| a.0.abs_diff(b.0);
        let plies_lost = before.remoteness.zip(after.remoteness).map(plies_lost);
        plies_lost.filter(|_| worse).map(MoveError::Inexact)
    };
    (0..known.len()).map(error).collect()
}

/// The values along a game.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "GameRecord")]
pub struct GameDocument {
    #[serde(flatten)]
    game: GameFields,
    moves: String,
    /// True if time was up before every value was found.
    interrupted: bool,
    plies: Vec<PlyDocument>,
}

/// The position after a number of moves.
#[derive(JsonSchema, Serialize)]
struct PlyDocument {
    ply: usize,
    #[serde(rename = "move")]
    m: Option<MoveName>,
    /// The value for the side to move.
    value: Option<ValueRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<i32>,
    source: Option<&'static str>,
    mistake: bool,
    plies_lost: Option<u8>,
}

/// `GET /api/v1/game`: the value of every position of a game, and its mistakes.
pub async fn game(explorer: Shared, mut query: Query) -> Result<Response, ApiError> {
    let record = read_record(&explorer, &mut query).await?;
    query.done()?;
    let known = record_values(&explorer, &record, None).await?;
    let moves = record.moves();
    let errors = move_errors(&known, |at| record.keeps_turn(at));
    let plies = errors.into_iter().zip(&known).enumerate();
    let plies = plies.map(|(ply, (error, known))| PlyDocument {
        ply,
        m: ply.checked_sub(1).map(|before| MoveName::new(record.course.position(), moves[before])),
        value: known.map(|known| known.value.into()),
        points: known.and_then(|known| known.points),
        source: known.map(|known| known.origin.word()),
        mistake: error == Some(MoveError::Mistake),
        plies_lost: match error {
            Some(MoveError::Inexact(plies)) => Some(plies),
            _ => None,
        },
    });
    Ok(json(&GameDocument {
        game: GameFields::of(record.start()),
        moves: record.write(&moves),
        interrupted: known.iter().any(Option::is_none),
        plies: plies.collect(),
    }))
}
