//! Values of the moves of a position, for the API and for pages.

use crate::web::prelude::*;
use everyply_results::oracle::{ValuedMoves, best_of};

/// The reason for which values of moves are missing.
#[derive(Clone, Debug)]
pub enum Lack {
    Unsearched,
    Time,
    Size(String),
}

/// The known values of the moves of a position.
#[derive(Debug, Default)]
pub struct MoveValues {
    pub values: ValuedMoves,
    /// `None` if all moves have their values.
    pub lack: Option<Lack>,
}

impl MoveValues {
    pub fn value(&self, branch: &Branch) -> Option<SourcedValue> {
        self.values.iter().find(|(bit, _)| *bit == branch.bit).map(|(_, value)| *value)
    }

    /// The best moves if they are known and some move is not one of them.
    pub fn marked(&self) -> MoveSet {
        let all = |best: MoveSet| self.values.iter().all(|(bit, _)| best.has(*bit));
        let best = self.best().map(|(_, best)| best).unwrap_or_default();
        if all(best) && self.values.len() > 1 { MoveSet::default() } else { best }
    }

    /// The value of the position and the bits of the best moves; `None` if a value is missing or
    /// there is no move.
    pub fn best(&self) -> Option<(SourcedValue, MoveSet)> {
        if self.lack.is_some() {
            return None;
        }
        best_of(self.values.iter().copied())
    }
}

/// The values of all moves if they are known without a search, else none.
pub fn known_values(explorer: &Shared, position: &dyn Position) -> Result<MoveValues, ApiError> {
    Ok(match explorer.oracle.known_moves(position)? {
        Some(values) => MoveValues { values, lack: None },
        None => MoveValues { values: Vec::new(), lack: Some(Lack::Unsearched) },
    })
}

/// The values of the moves after `at` moves of a game that are found within the time limit.
pub async fn move_values(
    explorer: &Shared,
    record: &Arc<GameRecord>,
    at: usize,
    limit: Option<Duration>,
) -> Result<MoveValues, ApiError> {
    let known = known_values(explorer, record.course.position_at(at))?;
    if known.lack.is_none() {
        return Ok(known);
    }
    let (this, record) = (explorer.clone(), Arc::clone(record));
    let work =
        move |control: &Control| this.oracle.found_moves(record.course.position_at(at), control);
    let (values, found) = explorer.searches.run(limit, work).await?;
    let lack = match found {
        Ok(()) => None,
        Err(OracleError::Stopped(_)) => Some(Lack::Time),
        Err(error @ OracleError::Engine { .. }) => Some(Lack::Size(error.to_string())),
        Err(error) => return Err(error.into()),
    };
    Ok(MoveValues { values, lack })
}
