//! Batches: positions on lines, solved exactly, with a table row for each.

use std::time::Duration;

use super::solver::{Solved, Solver, SolverWord, score_of};
use crate::clock::Instant;
use crate::control::{Control, Stopped};
use crate::game::{Move, MoveSet, Tiered, Value, bracketed, csv_list};
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

impl<W: SolverWord> BatchPosition<W> {
    /// Reads a line: moves, and perhaps the score expected.
    pub fn read(game: &impl LineGame<W>, line: &[u8]) -> Result<Self, BadLine> {
        let bad = |why| BadLine { text: String::from_utf8_lossy(line).into_owned(), why };
        Self::read_fields(game, line).map_err(bad)
    }

    fn read_fields(game: &impl LineGame<W>, line: &[u8]) -> Result<Self, String> {
        let line = text_of(line).map_err(|error| error.to_string())?;
        let line = line.trim();
        let plain = || line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (text, rest) = bracketed(line).unwrap_or_else(plain);
        let mut fields = rest.split_whitespace();
        let expected = match fields.next().map(str::parse::<i32>) {
            None => None,
            Some(Ok(score)) => Some(score),
            Some(Err(_)) => return Err("the second field is not a whole number".to_owned()),
        };
        if fields.next().is_some() {
            return Err("more than two fields: a line is moves and perhaps a score".to_owned());
        }
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
