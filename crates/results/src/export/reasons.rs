//! The reasons for the value of a position: their document and their text.

use std::fmt::Write;

use super::position::{MoveDocument, MoveName, PositionDocument, names, pons_score, value_row};
use super::tree::points_of;
use everyply_connect_four::strategy::Explanation;
use everyply_core::exhaustive::Solution;
use everyply_core::game::{Outcome, PartialValue};
use everyply_registry::registry::{Points, Position, Reasons, Values, valued_branches};

#[derive(Default)]
pub struct ReasonsInWords {
    /// The moves that attain the value, and the reasons: a sentence each.
    pub sentences: Vec<String>,
    /// The shortest win, a line for each step, if there is one.
    pub tree: Option<String>,
}

impl PositionDocument {
    /// Creates the document of the reasons for the value of the root of a solution.
    pub fn of_solution(
        position: &dyn Position,
        moves: Option<String>,
        answers: &Solution,
    ) -> (Self, ReasonsInWords) {
        let values = |at: &dyn Position| answers.value_of(at.key()?);
        let points = points_of(position, answers);
        Self::of_reasons(position, moves, (answers.value(), points.as_ref()), &values)
    }

    /// Creates the document of the reasons for the value of a position, from the values of all
    /// positions below it, and its points.
    pub fn of_reasons(
        position: &dyn Position,
        moves: Option<String>,
        (value, points): (PartialValue, Option<&Points>),
        values: Values<'_>,
    ) -> (Self, ReasonsInWords) {
        let reasons = Reasons::of(position, value, values);
        let (mut valued, mut rows) = (Vec::new(), Vec::new());
        for (branch, each) in valued_branches(position, values) {
            let after = points.and_then(|points| {
                let (_, after) = points.moves.iter().find(|(of, _)| *of == branch.bit)?;
                Some(*after)
            });
            let is_best = match (after, points) {
                (Some(after), Some(points)) => after == points.best,
                _ => each.attains(value),
            };
            let name = MoveName::new(position, &branch.text);
            rows.push(MoveDocument { points: after, ..MoveDocument::new(name, Some(each)) });
            valued.push((branch.text, each, is_best));
        }
        let words = ReasonsInWords::of(position, value, &valued, &reasons);
        let document = Self {
            value: Some(value_row(position, value)),
            points: points.map(|points| points.best),
            best: Some(names(position, &best(&valued))),
            values: Some(rows),
            text: Some(in_words(position, value, points, &words)),
            reasons: Some(reasons),
            ..Self::new(position, moves)
        };
        (document, words)
    }

    /// Creates the document of the explanation of a position by plans.
    pub fn of_explanation(
        position: &dyn Position,
        moves: Option<String>,
        explanation: &Explanation,
    ) -> Self {
        let best = explanation.best.iter().map(|m| MoveName::Number(m.number()));
        Self {
            value: Some(explanation.value.into()),
            score: pons_score(position, explanation.value.into()),
            best: Some(best.collect()),
            plans: Some(explanation.plans()),
            text: Some(explanation.text()),
            ..Self::new(position, moves)
        }
    }
}

fn best(moves: &[(String, PartialValue, bool)]) -> Vec<String> {
    moves.iter().filter(|(.., best)| *best).map(|(text, ..)| text.clone()).collect()
}

/// Returns the names of the side to move and the other side.
fn sides(position: &dyn Position) -> [&'static str; 2] {
    match position.to_move() {
        Some('X') => ["X", "O"],
        Some('O') => ["O", "X"],
        _ => ["the side to move", "the other side"],
    }
}

fn in_words(
    position: &dyn Position,
    value: PartialValue,
    points: Option<&Points>,
    words: &ReasonsInWords,
) -> String {
    let mut sentences = words.sentences.iter();
    let mut text = sentences.next().map_or_else(String::new, |first| format!("{first}\n"));
    if position.result().is_none() {
        let _ = writeln!(text, "\nvalue      {}", position.value_for_mover(value));
        if let Some(points) = points {
            let _ = writeln!(
                text,
                "points     {:+} for the side to move, played for points",
                points.best
            );
        }
    }
    if sentences.len() > 0 {
        text.push('\n');
    }
    for sentence in sentences {
        let _ = writeln!(text, "{sentence}");
    }
    if let Some(tree) = &words.tree {
        let _ = write!(text, "\nThe shortest win:\n{tree}");
    }
    text
}

impl ReasonsInWords {
    fn of(
        position: &dyn Position,
        value: PartialValue,
        moves: &[(String, PartialValue, bool)],
        reasons: &Reasons,
    ) -> Self {
        let [own, other] = sides(position);
        if let Some(result) = position.result() {
            let sentence = match result {
                Outcome::Draw => "The game is over: a draw.".to_owned(),
                Outcome::Loss => format!("The game is over: {other} has won."),
                Outcome::Win => format!("The game is over: {own} has won."),
            };
            return Self { sentences: vec![sentence], tree: None };
        }
        let mut sentences = Vec::new();
        // Sentences begin with a side, which may be a word.
        let mut say = |sentence: String| {
            sentences.push(sentence[..1].to_uppercase() + &sentence[1..]);
        };
        let is_same = |(_, move_value, is_best): &&(String, PartialValue, bool)| {
            !is_best && move_value.outcome == value.outcome
        };
        let same: Vec<String> = moves.iter().filter(is_same).map(|(m, ..)| m.clone()).collect();
        let order = if position.info().counts_points {
            ["by less", "by the least"]
        } else {
            ["later", "latest"]
        };
        say(value.outcome.moves_in_words(own, &best(moves), (&same, order), moves.len()));
        position.drawing().remark.into_iter().for_each(&mut say);
        if !reasons.wins_at_once.is_empty() {
            say(format!("{own} wins at once by {}.", reasons.wins_at_once.join(" or ")));
        }
        for fork in &reasons.forks {
            let threats = fork.threats.join(" and ");
            say(if position.lines().is_some() {
                format!("{} is a fork: it threatens {threats}.", fork.text)
            } else {
                format!("{}: whatever the reply, the next move wins.", fork.text)
            });
        }
        if reasons.forced.is_none() && !reasons.losing.is_empty() {
            let losing = |(m, plies): &(String, u8)| format!("{m} (in {plies} plies)");
            let losing: Vec<String> = reasons.losing.iter().map(losing).collect();
            say(format!("{own} loses by {}.", losing.join(", ")));
        }
        let tree = match value.outcome {
            _ if reasons.win.is_empty() => None,
            Outcome::Win => Some(reasons.tree(own, other)),
            Outcome::Loss => Some(reasons.tree(other, own)),
            Outcome::Draw => None,
        };
        Self { sentences, tree }
    }
}
