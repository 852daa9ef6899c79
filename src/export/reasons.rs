//! The JSON document and the text of the reasons for a solved position, on the command line and
//! over HTTP.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;

use super::{StudyMoveRow, ValueRow};
use crate::game::{Outcome, PartialValue, Worth};
use crate::registry::{Answers, Reasons, Study};

/// How a move is spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// Moves take cells and may threaten to complete lines.
    Lines,
    /// Moves of any kind.
    Moves,
}

/// Why a solved position has its value.
#[derive(Serialize)]
pub(crate) struct ReasonsDocument {
    game: &'static str,
    title: String,
    parameters: [u8; 3],
    position: String,
    to_move: Option<char>,
    over: bool,
    value: ValueRow,
    /// True if the draw is one by endless play.
    endless: bool,
    best: Vec<String>,
    moves: Vec<StudyMoveRow>,
    #[serde(flatten)]
    reasons: Reasons,
    elapsed_s: f64,
    /// All of it in words.
    text: String,
}

impl ReasonsDocument {
    /// The reasons for the value of the root of a solution.
    pub fn new(study: &dyn Study, answers: &dyn Answers, words: Words, elapsed: Duration) -> Self {
        let reasons = Reasons::of(study, answers);
        let (moves, worth) = (answers.moves(), answers.worth());
        Self {
            game: study.name(),
            title: study.title(),
            parameters: study.parameters(),
            position: study.picture(),
            to_move: study.to_move(),
            over: study.result().is_some(),
            value: worth.into(),
            endless: worth == Worth::Endless,
            best: best(&moves),
            moves: moves.into_iter().map(|(m, w, _)| StudyMoveRow::new(m, Some(w))).collect(),
            text: in_words(study, answers, &reasons, words),
            reasons,
            elapsed_s: elapsed.as_secs_f64(),
        }
    }

    /// All of it in words.
    pub fn text(&self) -> &str {
        &self.text
    }
}

fn best(moves: &[(String, Worth, bool)]) -> Vec<String> {
    moves.iter().filter(|(.., best)| *best).map(|(text, ..)| text.clone()).collect()
}

/// What the side to move and the other one are called.
fn sides(study: &dyn Study) -> [&'static str; 2] {
    match study.to_move() {
        Some('X') => ["X", "O"],
        Some('O') => ["O", "X"],
        _ => ["the side to move", "the other side"],
    }
}

fn in_words(study: &dyn Study, answers: &dyn Answers, reasons: &Reasons, words: Words) -> String {
    let [own, other] = sides(study);
    let worth = answers.worth();
    if let Some(result) = study.result() {
        return match result {
            Outcome::Draw => "The game is over: a draw.\n".to_owned(),
            Outcome::Loss => format!("The game is over: {other} has won.\n"),
            Outcome::Win => format!("The game is over: {own} has won.\n"),
        };
    }
    let value = match worth {
        Worth::Ends(value) => PartialValue::from(value).words_for(own),
        Worth::Endless => worth.to_string(),
    };
    let mut text = format!("value      {value}\n");
    let _ = writeln!(text, "best       {}\n", best(&answers.moves()).join(" "));
    let mut say = |sentence: String| {
        // Sentences begin with a side, which may be a word.
        text.push_str(&sentence[..1].to_uppercase());
        text.push_str(&sentence[1..]);
        text.push('\n');
    };
    if !reasons.wins_at_once.is_empty() {
        say(format!("{own} wins at once by {}.", reasons.wins_at_once.join(" or ")));
    }
    for fork in &reasons.forks {
        let threats = fork.threats.join(" and ");
        say(match words {
            Words::Lines => format!("{} is a fork: it threatens {threats}.", fork.text),
            Words::Moves => format!("{}: whatever the reply, the next move wins.", fork.text),
        });
    }
    if worth.outcome() == Outcome::Loss {
        say(format!("{own} loses whatever it plays."));
    } else if let Some(forced) = &reasons.forced {
        say(format!("{own} has to play {forced}: every other move loses."));
    } else if reasons.losing.is_empty() && worth.outcome() == Outcome::Draw {
        say("No move wins, and none loses.".to_owned());
    } else if !reasons.losing.is_empty() {
        let losing = |(m, plies): &(String, u8)| format!("{m} (in {plies} plies)");
        let losing: Vec<String> = reasons.losing.iter().map(losing).collect();
        say(format!("{own} loses by {}.", losing.join(", ")));
    }
    let (winner, loser) = match worth.outcome() {
        Outcome::Win => (own, other),
        Outcome::Loss => (other, own),
        Outcome::Draw => return text,
    };
    let _ = write!(text, "\nThe shortest win:\n{}", reasons.tree(winner, loser));
    text
}
