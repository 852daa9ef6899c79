//! The document of a position as files hold it.

use everyply_registry::registry::Position;
use everyply_registry::solutions::SolutionFile;

use super::position::value_row;
use super::{MoveDocument, MoveName, PositionDocument};
use crate::oracle::{OracleError, OracleFiles, StoredMove, StoredPosition};

impl PositionDocument {
    /// Creates the document of a position that was looked up in files.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn of_files(
        position: &dyn Position,
        moves: Option<String>,
        found: &StoredPosition,
        files: &OracleFiles,
    ) -> Result<Self, OracleError> {
        let play = files.best_play(position, found)?;
        let row = |m: &StoredMove| -> Result<MoveDocument, OracleError> {
            let after = files.points(m.branch.to.as_ref())?;
            Ok(MoveDocument {
                bounds: m.bounds.map(Into::into),
                points: after.map(|points| if m.branch.keeps_turn { points } else { -points }),
                ..MoveDocument::known(position, &m.branch.text, m.value)
            })
        };
        let points = files.points(position)?;
        let values = found.moves.iter().map(row).collect::<Result<Vec<_>, _>>()?;
        // In a game for points, points decide: a file's, or those that a row's best moves attain.
        let known_best = found.known_best(position);
        let is_best = |(m, row): &(&StoredMove, &MoveDocument)| match points {
            Some(points) => row.points == Some(points),
            None => known_best.has(m.branch.bit),
        };
        let is_soonest = position.info().counts_points
            && points.is_none()
            && files.best_moves(position)?.is_none();
        let attaining = found.moves.iter().zip(&values).filter(is_best);
        let attaining: Vec<MoveName> = attaining.map(|(_, row)| row.m.clone()).collect();
        let (best, soonest) = match is_soonest {
            true => (Vec::new(), Some(attaining)),
            false => (attaining, None),
        };
        let file = files.solution_of(&position.game_id());
        Ok(Self {
            value: found.value.map(|value| value_row(position, value)),
            bounds: found.bounds.map(Into::into),
            points,
            best: Some(best),
            best_complete: Some((found.best.is_some() || points.is_some()) && !is_soonest),
            soonest,
            pv: Some(play.texts().join(position.info().separator)),
            pv_complete: Some(play.is_over),
            values: Some(values),
            positions: file.map(SolutionFile::positions),
            holds: file.map(SolutionFile::holds),
            ..Self::new(position, moves)
        })
    }
}
