//! A game of the registry that is being played.

use std::fmt::Write;

use super::{Position, Reply, plays};
use crate::cli::failure::Failure;
use crate::control::Control;
use crate::game::Outcome;
use crate::opponent::Level;
use crate::oracle::{Oracle, OracleError};
use crate::registry::{Capability, Course, Situation, Study};

/// A game and who knows its values.
pub(in crate::cli) struct Registered {
    course: Course,
    oracle: Oracle,
}

impl Registered {
    /// A game at its start.
    pub fn new(start: Box<dyn Study>, oracle: Oracle, level: Level) -> Result<Self, Failure> {
        if level.looks_ahead() && start.plies_left().is_none() {
            return Err(Failure::Usage(format!(
                "--level {}: {} is not {}, which looking ahead asks for; take another level",
                level.name(),
                start.name(),
                Capability::Tiered
            )));
        }
        start.check().map_err(Failure::usage)?;
        Ok(Self { course: Course::new(start), oracle })
    }

    fn situation(&self, control: &Control) -> Result<Situation, OracleError> {
        self.oracle.situation(self.course.start(), self.course.study(), control)
    }
}

impl Position for Registered {
    fn title(&self) -> String {
        self.course.start().title()
    }

    fn sides(&self) -> [&'static str; 2] {
        ["the first player", "the second player"]
    }

    fn is_seconds_turn(&self) -> bool {
        self.course.is_seconds_turn()
    }

    fn result(&self) -> Option<Outcome> {
        self.course.study().result()
    }

    fn drawn(&self) -> String {
        let rows: Vec<String> =
            self.course.study().picture().split('/').map(|row| format!("  {row}\n")).collect();
        rows.concat()
    }

    fn moves_in_words(&self) -> String {
        let moves: Vec<String> =
            self.course.study().branches().into_iter().map(|b| b.text).collect();
        format!("a move: {}", moves.join(" "))
    }

    fn play(&mut self, word: &str) -> Result<(), String> {
        self.course.play(word).map_err(|_| plays(&self.moves_in_words()))
    }

    fn reply(&mut self, level: Level, control: &Control) -> Result<Reply, Failure> {
        let (start, study) = (self.course.start(), self.course.study());
        let choice = level.choose_branch(&self.oracle, start, study, control);
        let choice = choice.map_err(Failure::runtime)?.expect("the game is not over");
        let text = choice.m.text;
        self.course.play(&text).map_err(Failure::usage)?;
        Ok(Reply { text, proved: choice.proved })
    }

    fn take_back(&mut self) {
        let before = self.course.moves().len().saturating_sub(1);
        self.course.truncate(before);
    }

    fn best(&self, control: &Control) -> Result<Vec<String>, OracleError> {
        let situation = self.situation(control)?;
        Ok(situation.best_moves().map(|branch| branch.text.clone()).collect())
    }

    fn values(&self, control: &Control) -> (String, Result<(), OracleError>) {
        let situation = match self.situation(control) {
            Ok(situation) => situation,
            Err(error) => return (String::new(), Err(error)),
        };
        let mut said = String::new();
        for (branch, worth) in situation.moves {
            let worth = worth.map_or_else(|| "not known".to_owned(), |worth| worth.to_string());
            let _ = writeln!(said, "{:>6}  {worth}", branch.text);
        }
        (said, Ok(()))
    }

    fn played(&self) -> String {
        self.course.moves().collect::<Vec<_>>().join(",")
    }
}
