//! The whole solution of a game as a table.

use std::io::Write;

use super::dataset::{DatasetWriter, Schema};
use super::format::PositionFormat;
use super::known::KnownPosition;
use super::scoring::Scoring;
use super::tree::points_of;
use everyply_core::exhaustive::Solution;
use everyply_core::game::PositionRow;
use everyply_registry::registry::Position;

/// Writes every canonical position of a solution with its value, its best moves and the value of
/// each move; with `scoring`, also scores, and all images that the root leads to.
pub fn write_answers(
    game: &dyn Position,
    answers: &Solution,
    scoring: Option<Scoring>,
    mut to: impl Write + Send,
) -> csv::Result<()> {
    let mut schema = Schema::new(game, true).without_ways();
    if let Some(scoring) = scoring {
        schema = schema.with_score(scoring, game.start().plies_left().unwrap_or_default());
    }
    let mut writer = DatasetWriter::new(PositionFormat::Csv, &schema, &mut to)?;
    let mut result = Ok(());
    game.rows(answers, &mut |part| {
        for row in part {
            if result.is_ok() {
                let known = known(game, answers, &row);
                let mut images = vec![known];
                if scoring.is_some() {
                    images = images[0].images(&|_| None);
                    let is_reached = |known: &KnownPosition| {
                        known.position.key().is_some_and(|key| answers.value_of(key).is_some())
                    };
                    images.retain(is_reached);
                }
                result = images.iter().try_for_each(|known| writer.row(&schema.row(known)));
            }
        }
    });
    result?;
    Ok(writer.finish()?)
}

fn known(game: &dyn Position, answers: &Solution, row: &PositionRow) -> KnownPosition {
    let position = game.of_key(row.key).expect("a solved position has its key");
    let moves = position.branches().into_iter().filter_map(|branch| {
        // From a position without the symmetries of the game, play reaches one image of a row, perhaps
        // not the one that is written; all images have one value.
        let of_image = || branch.to.images().iter().find_map(|(key, _)| answers.value_of(*key));
        let value = answers.value_of(branch.to.key()?).or_else(of_image)?;
        Some((branch.bit, Some(value.one_ply_earlier(branch.keeps_turn))))
    });
    let (moves, value) = (moves.collect(), row.value);
    let points = points_of(&*position, answers);
    KnownPosition { position, way: None, value, points, best: row.best, moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyply_core::control::Control;
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
            let position =
                entry.position(&chosen).unwrap_or_else(|error| panic!("{name}: {error}"));
            let answers = position.solve(1 << 20, &Control::default()).unwrap();
            let mut open = 0;
            position.rows(&answers, &mut |part| {
                for row in part {
                    let known = known(&*position, &answers, &row);
                    let branches = known.position.branches();
                    assert_eq!(
                        known.moves.len(),
                        branches.len(),
                        "{name}: {}",
                        known.position.picture()
                    );
                    let values = known.moves.iter().filter_map(|(_, value)| *value);
                    if let Some(best) = values.reduce(PartialValue::better) {
                        assert_eq!(best, known.value, "{name}: {}", known.position.picture());
                        open += 1;
                    }
                }
            });
            assert!(open > 10, "{name}: {open}");
        }
    }

    #[test]
    fn the_solution_of_tic_tac_toe_as_a_table() {
        let root = builtin().find("ttt").unwrap().choose(&Chosen::default()).unwrap();
        let answers = root.solve(10_000, &Control::default()).unwrap();
        let mut bytes = Vec::new();
        write_answers(&*root, &answers, Some(Scoring::TenMinusDepth), &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5478 + 1);
        let moves = (1..10).map(|cell| format!("cell_{cell}_outcome,cell_{cell}_remoteness"));
        let moves = moves.collect::<Vec<_>>().join(",");
        let columns = "key,ply,board,to_move,outcome,remoteness,score,best";
        assert_eq!(lines[0], format!("{columns},{moves}"));
        let draw = ["draw,9"; 9].join(",");
        assert_eq!(lines[1], format!("0,0,.../.../...,X,draw,9,0,[1 2 3 4 5 6 7 8 9],{draw}"));
        // X on 1, O on 2: X wins in five plies; the book's example of a lost reply.
        let reply = lines.iter().find(|line| line.contains(",XO./.../...,")).unwrap();
        assert!(reply.contains(",X,win,5,6,[4 5 7],"), "{reply}");
        // Finished games, with their value for the side that would move.
        let over = lines.iter().find(|line| line.contains(",XXX/OO./...,")).unwrap();
        assert!(over.ends_with(&format!(",O,loss,0,-10,[]{}", ",".repeat(18))), "{over}");
    }
}
