//! The whole solution of a game as a table.

use std::io::Write;

use super::dataset::{DatasetWriter, Schema};
use super::format::PositionFormat;
use super::known::KnownPosition;
use super::tree::points_of;
use everyply_core::control::Control;
use everyply_registry::registry::{Position, SolvedGame, SolvedRow};

/// Writes every canonical position of a solution with its value, its best moves and the value of
/// each move.
pub fn write_answers(
    game: &dyn Position,
    answers: &dyn SolvedGame,
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

fn known(game: &dyn Position, answers: &dyn SolvedGame, row: &SolvedRow) -> KnownPosition {
    let study = game.of_key(row.key).expect("a solved position has its key");
    let moves = study.branches().into_iter().filter_map(|branch| {
        // From a position without the symmetries of the game, play reaches one image of a row, perhaps
        // not the one that is written; all images have one value.
        let of_image = || branch.to.images().iter().find_map(|(key, _)| answers.value_of(*key));
        let value = answers.value_of(branch.to.key()?).or_else(of_image)?;
        Some((branch.bit, Some(value.one_ply_earlier(branch.keeps_turn))))
    });
    let (moves, value) = (moves.collect(), row.value);
    let points = points_of(&*study, answers, &Control::default()).ok().flatten();
    KnownPosition { study, way: None, value, points, best: Some(row.best), moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyply_core::game::{Chosen, PartialValue};
    use everyply_registry::registry::builtin;

    /// From positions without the symmetries of the game too.
    #[test]
    fn every_row_has_all_moves_and_the_value_of_the_best() {
        let positions = [
            ("othello", "b1", (4, 4)),
            ("misere", "2", (3, 3)),
            ("wild", "X2", (3, 3)),
            ("hexapawn", "a1a2", (3, 3)),
            ("cylinder4", "1", (3, 3)),
            ("popout", "1", (3, 2)),
            ("dots", "1", (2, 2)),
        ];
        for (name, moves, size) in positions {
            let entry = builtin().find(name).unwrap().clone();
            let chosen =
                Chosen { size: Some(size), position: Some(moves.into()), ..Chosen::default() };
            let study = entry.position(&chosen).unwrap_or_else(|error| panic!("{name}: {error}"));
            let answers = study.solve(1 << 20, &Control::default()).unwrap();
            let mut open = 0;
            answers.rows(&mut |part| {
                for row in part {
                    let known = known(&*study, &*answers, &row);
                    let branches = known.study.branches();
                    assert_eq!(
                        known.moves.len(),
                        branches.len(),
                        "{name}: {}",
                        known.study.picture()
                    );
                    let values = known.moves.iter().filter_map(|(_, value)| *value);
                    if let Some(best) = values.reduce(PartialValue::better) {
                        assert_eq!(best, known.value, "{name}: {}", known.study.picture());
                        open += 1;
                    }
                }
            });
            assert!(open > 10, "{name}: {open}");
        }
    }
}
