//! Batches: positions on lines, solved exactly, with a table row for each.

use std::time::Duration;

use super::solver::{Solved, Solver, SolverWord, score_of};
use everyply_core::clock::Instant;
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Move, MoveSet, Tiered, Value, csv_list};
use everyply_core::games::line::notation::{
    IndexBase, ScoreField, beginning, moves_and_score, parse_moves_from,
};
use everyply_core::games::line::{LineGame, Stones};
use everyply_files::reading::text_of;

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
        let fields = moves_and_score(game, line, ScoreField::Optional);
        let (text, score) = fields.map_err(|error| error.to_string())?;
        let read = parse_moves_from(game, text, IndexBase::One);
        let (root, moves) = read.map_err(|error| error.to_string())?;
        let no_score =
            |score| format!("'{}' is no score: it is a whole number", beginning(score, 40));
        let number = |score: &str| score.parse().ok().filter(|_| !score.starts_with('+'));
        let expected =
            score.map(|score| number(score).ok_or_else(|| no_score(score))).transpose()?;
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
    use crate::formats::LineFormat;
    use everyply_core::games::line::{ConnectFour, Rules, Standard};
    use everyply_core::random::Random;

    /// The digits of moves in a text, by the words of the grammar; `None` if it is none.
    fn slow_moves(text: &str) -> Option<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_score =
            matches!(words[..], [a, b] if a.len() > 1 && !a.ends_with(',') && !b.contains(','));
        let is_of_digits = text.contains(|c: char| c.is_ascii_digit());
        if is_score && is_of_digits { None } else { slow_list(text) }
    }

    /// The digits of moves in a text that no score can follow.
    fn slow_list(text: &str) -> Option<String> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
        if !plain.is_empty() && plain.chars().all(|c| ('a'..='g').contains(&c)) {
            return Some(plain.chars().map(|c| char::from(c as u8 - b'a' + b'1')).collect());
        }
        let list = text.strip_suffix(',').unwrap_or(text);
        // In a list a number may begin with zeros.
        let words = list.split([' ', '\t', ',']).map(|word| word.trim_start_matches('0'));
        let plain = if text.contains(',') { words.collect() } else { plain };
        let is_list = text.contains(',');
        let is_item = |item: &str| {
            !item.trim().is_empty()
                && item.split_whitespace().all(|word| word.trim_start_matches('0').len() == 1)
        };
        let is_sound = plain.chars().all(|c| ('1'..='7').contains(&c))
            && (!is_list || list.split(',').all(is_item));
        is_sound.then_some(plain)
    }

    /// A second reader of lines: every way to read a line, and the rules that choose.
    fn slow_fields(line: &str) -> Option<(String, Option<i32>)> {
        let number = |text: &str| text.parse().ok().filter(|_: &i32| !text.starts_with('+'));
        let line = line.trim_end();
        if let Some(list) = line.strip_prefix('[') {
            let (moves, rest) = list.split_once(']')?;
            let moves = slow_list(moves)?;
            return match rest.trim() {
                "" => Some((moves, None)),
                rest => number(rest).map(|score| (moves, Some(score))),
            };
        }
        if line.starts_with([' ', '\t']) {
            let score = number(line.trim()).filter(|score| (-22..=22).contains(score))?;
            return Some((String::new(), Some(score)));
        }
        let alone = if line.is_empty() { Some(String::new()) } else { slow_moves(line) };
        let Some((before, last)) = line.rsplit_once([' ', '\t']) else {
            return Some((alone?, None));
        };
        let before = before.trim_end();
        let scored = slow_list(before).zip(number(last));
        let count = before.trim_end_matches(',').len();
        let scored = scored.filter(|_| !before.ends_with(',') || count == 1);
        let is_one_word = !before.contains([' ', '\t']);
        match (alone, scored) {
            (None, None) => None,
            (Some(moves), None) => Some((moves, None)),
            (Some(_), Some((_, 1..=7))) if !is_one_word || count == 1 => None,
            (_, Some((_, score))) => slow_moves(before).map(|moves| (moves, Some(score))),
        }
    }

    #[test]
    fn lines_are_read_as_a_second_reader_reads_them() {
        let game = ConnectFour::new(Rules::ConnectFour.usual()).unwrap();
        let mut random = Random::new(57);
        let (mut read, mut refused, mut scored) = (0, 0, 0);
        for _ in 0..10_000 {
            let mut line = String::new();
            if random.below(8u32) == 0 {
                line.push_str([" ", "\t", "[", "[4 "][random.below(4u32) as usize]);
            }
            for _ in 0..random.below(5u32) {
                let words = [
                    "4", "3", "44", "453", "8", "0", "-2", "18", "7", "d", "dc", "4,", "] ", "x",
                    "+1",
                ];
                line.push_str(words[random.below(words.len() as u32) as usize]);
                line.push_str([" ", " ", "  ", "\t", ",", ", ", ""][random.below(7u32) as usize]);
            }
            let found = BatchPosition::read(&game, line.as_bytes());
            let slow = slow_fields(&line);
            let slow = slow.filter(|(moves, _)| {
                everyply_core::games::line::notation::parse_moves(&game, moves).is_ok()
            });
            match &found {
                Ok(found) => {
                    let moves: String =
                        found.moves.iter().map(|m| m.number().to_string()).collect();
                    assert_eq!(Some((moves, found.expected)), slow, "{line:?}");
                    read += 1;
                    scored += u32::from(found.expected.is_some());
                }
                Err(bad) => {
                    assert_eq!(slow, None, "{line:?}: {}", bad.why);
                    refused += u32::from(bad.why.contains("can be moves, or moves and a score"));
                }
            }
            // A file whose lines all have scores says the same, wherever it says something.
            if let (Ok(batch), Ok(pons)) = (found, LineFormat::Pons.read(&game, &line)) {
                assert_eq!(
                    (batch.root, batch.expected.is_some()),
                    (pons.position, true),
                    "{line:?}"
                );
            }
        }
        assert!(read > 2500 && refused > 50 && scored > 250, "{read} {refused} {scored}");
    }

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
            ("d d e 3", "445", Some(3)),
            ("4, 4, 5, 3", "4453", None),
            ("[D_Red, D_Yellow] 1", "44", Some(1)),
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
            ("4, 4", "write 44 for moves, [4] 4 for moves and a score"),
            ("[4] x", "'x' is no score"),
            (" 44", "the empty board with its score"),
        ] {
            let bad = BatchPosition::read(&Standard::fixed(), line.as_bytes()).unwrap_err();
            assert!(bad.why.contains(why), "{line}: {}", bad.why);
        }
    }
}
