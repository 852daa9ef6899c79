//! The whole solution of a game as a table.

use std::io::Write;

use super::dataset::{DatasetWriter, Schema};
use super::format::PositionFormat;
use super::known::KnownPosition;
use crate::registry::{Answers, SolvedRow, Study};

/// Writes every canonical position of a solution with its value, its best moves and the value of
/// each move.
pub fn write_answers(
    game: &dyn Study,
    answers: &dyn Answers,
    mut to: impl Write + Send,
) -> csv::Result<()> {
    let schema = Schema::new(game, true).without_ways();
    let mut writer = DatasetWriter::new(PositionFormat::Csv, schema, &mut to)?;
    let mut result = Ok(());
    answers.rows(&mut |part| {
        for row in part {
            if result.is_ok() {
                result = writer.row(&known(game, answers, &row));
            }
        }
    });
    result?;
    Ok(writer.finish()?)
}

fn known(game: &dyn Study, answers: &dyn Answers, row: &SolvedRow) -> KnownPosition {
    let study = game.of_key(row.key).expect("a solved position has its key");
    let moves = study.branches().into_iter().filter_map(|branch| {
        // Below an asymmetric root the image may not be reached: its moves stay out.
        let worth = answers.worth_of(branch.to.key()?)?.one_ply_earlier(branch.keeps_turn);
        Some((branch.bit, Some(worth)))
    });
    let (moves, value) = (moves.collect(), row.worth);
    KnownPosition { study, way: None, value, best: Some(row.best), moves }
}
