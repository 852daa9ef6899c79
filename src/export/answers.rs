//! The whole solution of a game as a table.

use std::io::Write;

use super::{LEGAL_MOVES, legal_moves};
use crate::registry::{Answers, SolvedRow, Study};

/// Writes every canonical position of a solution with its value, its best moves and the value of
/// each move.
///
/// # Errors
/// If the file cannot be written.
pub fn write_answers(game: &dyn Study, answers: &dyn Answers, to: impl Write) -> csv::Result<()> {
    let mut csv = csv::Writer::from_writer(to);
    let columns = ["key", "ply", "position", "outcome", "remoteness", "best"];
    csv.write_record(columns.iter().chain(&LEGAL_MOVES))?;
    let mut result = Ok(());
    answers.rows(&mut |part| {
        for row in part {
            if result.is_ok() {
                result = csv.write_record(record(game, answers, &row));
            }
        }
    });
    result?;
    csv.flush()?;
    Ok(())
}

fn record(game: &dyn Study, answers: &dyn Answers, row: &SolvedRow) -> [String; 9] {
    let study = game.of_key(row.key).expect("a solved position has its key");
    let branches = study.branches();
    let best = branches.iter().filter(|branch| row.best.0 >> branch.bit & 1 == 1);
    let best: Vec<&str> = best.map(|branch| &branch.text[..]).collect();
    let best = best.join(" ");
    // Below an asymmetric root the image may not be reached: its moves stay out.
    let moves = branches.iter().filter_map(|branch| {
        let worth = answers.worth_of(branch.to.key()?)?.one_ply_earlier(branch.keeps_turn);
        Some((branch.text.clone(), Some(worth)))
    });
    let [legal, outcomes, remotenesses] = legal_moves(moves);
    [
        row.key.0.to_string(),
        row.tier.to_string(),
        study.picture(),
        row.worth.outcome().to_string(),
        row.worth.remoteness().map_or_else(String::new, |r| r.to_string()),
        best,
        legal,
        outcomes,
        remotenesses,
    ]
}
