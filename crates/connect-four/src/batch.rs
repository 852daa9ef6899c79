//! Batches: positions on lines, solved exactly, with a table row for each.

use std::time::Duration;

use super::formats::pons;
use super::solver::{Solved, Solver, SolverWord, score_of};
use crate::clock::Instant;
use crate::control::{Control, Stopped};
use crate::game::{Move, MoveSet, Tiered, Value, csv_list};
use crate::games::line::notation::{IndexBase, parse_moves_from};
use crate::games::line::{LineGame, Stones};
use crate::reading::text_of;

/// The first columns of the table; those of the moves (`score_1`, ...) follow, and [`LAST`].
const COLUMNS: [&str; 7] =
    ["moves", "outcome", "remoteness", "score", "best", "nodes", "elapsed_us"];

/// The last columns of the table.
const LAST: [&str; 3] = ["error", "line", "expected"];

/// The detail of the answers of a batch: each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchDetail {
    Value,
    BestMoves,
    /// The score of every move.
    AllMoves,
}

/// The layout of the table of a batch.
#[derive(Clone, Copy, Debug)]
pub struct BatchTable {
    detail: BatchDetail,
    /// The number of columns with scores of moves; 0 if the detail does not include them.
    columns: u8,
}

/// A position to solve, from a line of the input.
#[derive(Clone, Debug)]
pub struct BatchPosition<W> {
    text: String,
    moves: Vec<Move>,
    root: Stones<W>,
    /// The score on the line, if there is one.
    expected: Option<i32>,
}

/// A line that is no position.
#[derive(Clone, Debug)]
pub struct BadLine {
    pub text: String,
    pub why: String,
}

#[derive(Clone, Debug)]
pub struct BatchAnswer {
    text: String,
    moves: Vec<Move>,
    value: Value,
    score: i32,
    expected: Option<i32>,
    best: MoveSet,
    /// The scores of moves for the side that makes them; empty if the detail does not include them.
    scores: Vec<(Move, i32)>,
    nodes: u64,
    elapsed: Duration,
}

/// The moves of a line of the input, and the score after them if there is one. A blank before the score is
/// the empty board. Moves may be divided by blanks; what may be one more move or the score is refused.
fn fields(line: &str, width: u8) -> Result<(&str, Option<i32>), String> {
    let is_column = |word: &str| word.parse().is_ok_and(|n: u8| (1..=width).contains(&n));
    let score = |text: &str| text.trim().parse::<i32>().ok();
    let Some((moves, rest)) = pons::fields(line) else { return Ok((line, None)) };
    let rest = rest.trim();
    if moves.is_empty() && !line.starts_with('[') {
        let wrong = "a line that begins with a blank is the empty board with its score";
        return score(rest).map(|score| ("", Some(score))).ok_or_else(|| wrong.to_owned());
    }
    let (before, last) = line.rsplit_once(char::is_whitespace).unwrap_or((line, ""));
    let are_columns = before.split_whitespace().all(is_column);
    if line.starts_with('[') || !are_columns {
        // If it is not moves and a score, the reader of moves says what is wrong.
        return Ok(score(rest).map_or((line, None), |score| (moves, Some(score))));
    }
    let before = before.trim_end();
    if is_column(last) {
        let digits: String = line.split_whitespace().collect();
        let list: Vec<&str> = line.split_whitespace().collect();
        let all = if width <= 9 { digits } else { list.join(",") };
        return Err(format!(
            "'{line}' can be moves, or moves and a score: write {all} for moves, [{before}] {last} for \
             moves and a score"
        ));
    }
    Ok(score(last).map_or((line, None), |score| (before, Some(score))))
}

impl<W: SolverWord> BatchPosition<W> {
    /// Reads a line: moves, and perhaps the score expected.
    pub fn read(game: &impl LineGame<W>, line: &[u8]) -> Result<Self, BadLine> {
        let bad = |why| BadLine { text: String::from_utf8_lossy(line).into_owned(), why };
        Self::read_fields(game, line).map_err(bad)
    }

    fn read_fields(game: &impl LineGame<W>, line: &[u8]) -> Result<Self, String> {
        let line = text_of(line).map_err(|error| error.to_string())?.trim_end();
        let (text, expected) = fields(line, game.size().width)?;
        let read = parse_moves_from(game, text, IndexBase::One);
        let (root, moves) = read.map_err(|error| error.to_string())?;
        Ok(Self { text: text.to_owned(), moves, root, expected })
    }

    pub fn solve(
        self,
        solver: &Solver<W>,
        detail: BatchDetail,
        control: &Control,
    ) -> Result<BatchAnswer, Stopped> {
        let Self { text, moves, root, expected } = self;
        let begun = Instant::now();
        let Solved { value, nodes } = solver.value(root, control)?;
        let elapsed = begun.elapsed();
        let empties = solver.game().plies_left(root) as i32;
        let (mut best, mut scores) = (MoveSet::EMPTY, Vec::new());
        match detail {
            BatchDetail::Value => {}
            BatchDetail::BestMoves => best = solver.best_moves(root, value, control)?,
            BatchDetail::AllMoves => {
                let found = solver.moves(root, control)?;
                let attaining = found.iter().filter(|(_, there)| there.value == value);
                best = attaining.map(|(m, _)| *m).collect();
                let score = |(m, there): &(Move, Solved)| (*m, score_of(there.value, empties));
                scores = found.iter().map(score).collect();
            }
        }
        let score = score_of(value, empties);
        Ok(BatchAnswer { text, moves, value, score, expected, best, scores, nodes, elapsed })
    }
}

impl BatchAnswer {
    /// Returns the disagreement of the solver's score with the one on the line, in words.
    pub fn mismatch(&self) -> Option<String> {
        let Self { text, score, .. } = self;
        let wrong = self.expected.filter(|expected| expected != score)?;
        Some(format!("{text} has score {score}, not {wrong}"))
    }
}

impl BatchTable {
    /// Creates the table of a batch on a board with this many columns.
    pub fn new(detail: BatchDetail, columns: u8) -> Self {
        Self { detail, columns: if detail == BatchDetail::AllMoves { columns } else { 0 } }
    }

    pub const fn detail(&self) -> BatchDetail {
        self.detail
    }

    pub fn header(&self) -> Vec<String> {
        let scores = (1..=self.columns).map(|column| format!("score_{column}"));
        let header = COLUMNS.map(str::to_owned).into_iter().chain(scores);
        header.chain(LAST.map(str::to_owned)).collect()
    }

    /// Returns the row of a line of this number: its answer, or its error and text.
    pub fn row(&self, line: u64, answer: Result<&BatchAnswer, &BadLine>) -> Vec<String> {
        let (mut cells, error, expected) = match answer {
            Ok(answer) => (self.cells(answer), "", answer.expected),
            Err(BadLine { text, why }) => {
                let mut cells = vec![String::new(); COLUMNS.len() + usize::from(self.columns)];
                cells[0].clone_from(text);
                (cells, &why[..], None)
            }
        };
        let expected = expected.map_or_else(String::new, |score: i32| score.to_string());
        cells.extend([error.to_owned(), line.to_string(), expected]);
        cells
    }

    fn cells(&self, answer: &BatchAnswer) -> Vec<String> {
        let BatchAnswer { moves, value, score, best, scores, nodes, elapsed, .. } = answer;
        let best = match self.detail {
            BatchDetail::Value => String::new(),
            _ => csv_list(best.into_iter().map(Move::number)),
        };
        let score_of = |column: u8| scores.iter().find(|(m, _)| *m == Move(column));
        let scores = (0..self.columns).map(|column| {
            score_of(column).map_or_else(String::new, |(_, score)| score.to_string())
        });
        let found = [
            csv_list(moves.iter().map(|m| m.number())),
            value.outcome.word().to_owned(),
            value.remoteness.to_string(),
            score.to_string(),
            best,
            nodes.to_string(),
            elapsed.as_micros().to_string(),
        ];
        found.into_iter().chain(scores).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::line::Standard;

    #[test]
    fn a_line_is_moves_and_perhaps_a_score_and_means_one_thing() {
        for (line, moves, expected) in [
            ("", "", None),
            (" 1", "", Some(1)),
            ("4453", "4453", None),
            ("4453 2", "4453", Some(2)),
            ("4453\t-2 ", "4453", Some(-2)),
            ("[4,4,5] 3", "445", Some(3)),
            ("[4] 4", "4", Some(4)),
            ("4 4 5 -3", "445", Some(-3)),
            ("4 4 5 18", "445", Some(18)),
            ("ddec 0", "4453", Some(0)),
            ("d d e c", "4453", None),
        ] {
            let read = BatchPosition::read(&Standard::fixed(), line.as_bytes());
            let read = read.unwrap_or_else(|bad| panic!("{line}: {}", bad.why));
            let numbers: String = read.moves.iter().map(|m| m.number().to_string()).collect();
            assert_eq!((&numbers[..], read.expected), (moves, expected), "{line}");
        }
        for (line, why) in [
            ("4 4", "write 44 for moves, [4] 4 for moves and a score"),
            ("4 4 5 3", "write 4453 for moves, [4 4 5] 3 for moves and a score"),
            (" 4453 2", "a line that begins with a blank is the empty board with its score"),
            ("4453 x", "character 6 ('x') is no move"),
            ("PK\u{3}\u{4}", "a spreadsheet or an archive"),
        ] {
            let bad = BatchPosition::read(&Standard::fixed(), line.as_bytes()).unwrap_err();
            assert!(bad.why.contains(why), "{line}: {}", bad.why);
        }
    }
}
