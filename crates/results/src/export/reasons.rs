//! The JSON document and the text of the reasons for a solved position, on the command line and
//! over HTTP.

use std::fmt::Write;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::tree::{MoveRow, points_of};
use super::{GameFields, MoveName};
use everyply_core::control::Control;
use everyply_core::game::{Outcome, PartialValue, ValueRow};
use everyply_registry::registry::{Answers, Points, Position, Reasons, Values, valued_branches};

/// The reasons for the value of a solved position.
#[derive(JsonSchema, Serialize)]
pub struct ReasonsDocument {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    to_move: Option<char>,
    over: bool,
    value: ValueRow,
    /// True if the draw is one by endless play.
    endless: bool,
    /// The final points, in games that count them, which then decide what is best.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<i32>,
    best: Vec<MoveName>,
    values: Vec<MoveRow>,
    #[serde(flatten)]
    reasons: Reasons,
    elapsed_s: f64,
    text: String,
    #[serde(skip)]
    told: Told,
}

/// The reasons in words.
#[derive(Default)]
pub struct Told {
    /// The moves that attain the value, and the reasons: a sentence each.
    pub sentences: Vec<String>,
    /// The shortest win, a line for each step, if there is one.
    pub tree: Option<String>,
}

impl ReasonsDocument {
    /// The reasons for the value of the root of a solution.
    pub fn new(study: &dyn Position, answers: &dyn Answers, elapsed: Duration) -> Self {
        let values = |at: &dyn Position| answers.worth_of(at.key()?);
        let points = points_of(study, answers, &Control::default()).ok().flatten();
        Self::of_values(study, answers.worth(), points.as_ref(), &values, elapsed)
    }

    /// The reasons for the value of a position, from the values of all positions below it, and its points.
    pub fn of_values(
        study: &dyn Position,
        worth: PartialValue,
        points: Option<&Points>,
        values: Values<'_>,
        elapsed: Duration,
    ) -> Self {
        let reasons = Reasons::of(study, worth, values);
        let moves = valued_branches(study, values).into_iter();
        let points_after = |bit: u32| {
            let (_, there) = points?.moves.iter().find(|(of, _)| *of == bit)?;
            Some(*there)
        };
        let mut after = Vec::new();
        let moves = moves.map(|(branch, each)| {
            let there = points_after(branch.bit);
            after.push(there);
            let is_best = match (there, points) {
                (Some(there), Some(points)) => there == points.best,
                _ => each.attains(worth),
            };
            (branch.text, each, is_best)
        });
        let moves: Vec<_> = moves.collect();
        let told = Told::of(study, worth, &moves, &reasons);
        let row = |((text, worth, _), points): ((String, PartialValue, bool), Option<i32>)| {
            MoveRow { m: MoveName::new(study, &text), value: worth.into(), points }
        };
        Self {
            game: GameFields::of(study),
            position: study.picture(),
            to_move: study.to_move(),
            over: study.result().is_some(),
            value: worth.into(),
            endless: worth == PartialValue::ENDLESS && study.has_endless_draws(),
            best: best(&moves).iter().map(|text| MoveName::new(study, text)).collect(),
            values: moves.into_iter().zip(after).map(row).collect(),
            points: points.map(|points| points.best),
            text: in_words(study, worth, points, &told),
            told,
            reasons,
            elapsed_s: elapsed.as_secs_f64(),
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub const fn reasons(&self) -> &Reasons {
        &self.reasons
    }

    pub const fn told(&self) -> &Told {
        &self.told
    }
}

/// Returns the value of the root of a solution and its reasons in words.
pub fn reasons_in_words(study: &dyn Position, answers: &dyn Answers) -> String {
    ReasonsDocument::new(study, answers, Duration::ZERO).text
}

fn best(moves: &[(String, PartialValue, bool)]) -> Vec<String> {
    moves.iter().filter(|(.., best)| *best).map(|(text, ..)| text.clone()).collect()
}

/// The names of the side to move and the other side.
fn sides(study: &dyn Position) -> [&'static str; 2] {
    match study.to_move() {
        Some('X') => ["X", "O"],
        Some('O') => ["O", "X"],
        _ => ["the side to move", "the other side"],
    }
}

fn in_words(
    study: &dyn Position,
    worth: PartialValue,
    points: Option<&Points>,
    told: &Told,
) -> String {
    let mut sentences = told.sentences.iter();
    let mut text = sentences.next().map_or_else(String::new, |first| format!("{first}\n"));
    if study.result().is_none() {
        let _ = writeln!(text, "\nvalue      {}", study.value_for_mover(worth));
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
    if let Some(tree) = &told.tree {
        let _ = write!(text, "\nThe shortest win:\n{tree}");
    }
    text
}

impl Told {
    fn of(
        study: &dyn Position,
        worth: PartialValue,
        moves: &[(String, PartialValue, bool)],
        reasons: &Reasons,
    ) -> Self {
        let [own, other] = sides(study);
        if let Some(result) = study.result() {
            let said = match result {
                Outcome::Draw => "The game is over: a draw.".to_owned(),
                Outcome::Loss => format!("The game is over: {other} has won."),
                Outcome::Win => format!("The game is over: {own} has won."),
            };
            return Self { sentences: vec![said], tree: None };
        }
        let mut sentences = Vec::new();
        // Sentences begin with a side, which may be a word.
        let mut say = |sentence: String| {
            sentences.push(sentence[..1].to_uppercase() + &sentence[1..]);
        };
        let is_same = |(_, move_worth, is_best): &&(String, PartialValue, bool)| {
            !is_best && move_worth.outcome == worth.outcome
        };
        let same: Vec<String> = moves.iter().filter(is_same).map(|(m, ..)| m.clone()).collect();
        let order = if study.info().counts_points {
            ["by less", "by the least"]
        } else {
            ["later", "latest"]
        };
        say(worth.outcome.moves_in_words(own, &best(moves), (&same, order), moves.len()));
        study.remark().into_iter().for_each(&mut say);
        if !reasons.wins_at_once.is_empty() {
            say(format!("{own} wins at once by {}.", reasons.wins_at_once.join(" or ")));
        }
        for fork in &reasons.forks {
            let threats = fork.threats.join(" and ");
            say(if study.lines().is_some() {
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
        let tree = match worth.outcome {
            _ if reasons.win.is_empty() => None,
            Outcome::Win => Some(reasons.tree(own, other)),
            Outcome::Loss => Some(reasons.tree(other, own)),
            Outcome::Draw => None,
        };
        Self { sentences, tree }
    }
}
