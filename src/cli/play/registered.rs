//! A game of the registry that is being played.

use std::fmt::Write;

use super::{Position, Reply, plays};
use crate::cli::failure::Failure;
use crate::control::Control;
use crate::game::Outcome;
use crate::opponent::Level;
use crate::registry::{Capability, Study};
use crate::sources::{SourceError, Sources};

/// A start, and the moves played from it.
pub(in crate::cli) struct Registered {
    start: Box<dyn Study>,
    /// The moves, whose turn it was, and where they led.
    moves: Vec<(String, bool, Box<dyn Study>)>,
    sources: Sources,
}

impl Registered {
    /// A game at its start.
    pub fn new(start: Box<dyn Study>, sources: Sources, level: Level) -> Result<Self, Failure> {
        if level.looks_ahead() && start.plies_left().is_none() {
            return Err(Failure::Usage(format!(
                "--level {}: {} is not {}, which looking ahead asks for; take another level",
                level.name(),
                start.name(),
                Capability::Tiered
            )));
        }
        start.check().map_err(Failure::usage)?;
        Ok(Self { start, moves: Vec::new(), sources })
    }

    fn study(&self) -> &dyn Study {
        self.moves.last().map_or(self.start.as_ref(), |(_, _, study)| study.as_ref())
    }
}

impl Position for Registered {
    fn title(&self) -> String {
        self.start.title()
    }

    fn sides(&self) -> [&'static str; 2] {
        ["the first player", "the second player"]
    }

    fn is_seconds_turn(&self) -> bool {
        self.moves.last().is_some_and(|(_, seconds_turn, _)| *seconds_turn)
    }

    fn result(&self) -> Option<Outcome> {
        self.study().result()
    }

    fn drawn(&self) -> String {
        let rows: Vec<String> =
            self.study().picture().split('/').map(|row| format!("  {row}\n")).collect();
        rows.concat()
    }

    fn moves_in_words(&self) -> String {
        let moves: Vec<String> = self.study().branches().into_iter().map(|b| b.text).collect();
        format!("a move: {}", moves.join(" "))
    }

    fn play(&mut self, word: &str) -> Result<(), String> {
        let found = self.study().branches().into_iter().find(|branch| branch.text == word);
        let branch = found.ok_or_else(|| plays(&self.moves_in_words()))?;
        let seconds_turn = self.is_seconds_turn() == branch.keeps_turn;
        self.moves.push((branch.text, seconds_turn, branch.to));
        Ok(())
    }

    fn reply(&mut self, level: Level, control: &Control) -> Result<Reply, Failure> {
        let (start, sources) = (self.start.as_ref(), &self.sources);
        let choice = level.choose_branch(sources, start, self.study(), control);
        let choice = choice.map_err(Failure::runtime)?.expect("the game is not over");
        let text = choice.m.text;
        self.play(&text).map_err(Failure::usage)?;
        Ok(Reply { text, proved: choice.proved })
    }

    fn take_back(&mut self) {
        self.moves.pop();
    }

    fn best(&self, control: &Control) -> Result<Vec<String>, SourceError> {
        let situation = self.sources.situation(self.start.as_ref(), self.study(), control)?;
        Ok(situation.best_moves().map(|branch| branch.text.clone()).collect())
    }

    fn values(&self, control: &Control) -> (String, Result<(), SourceError>) {
        let situation = match self.sources.situation(self.start.as_ref(), self.study(), control) {
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
        self.moves.iter().map(|(text, ..)| &text[..]).collect::<Vec<_>>().join(",")
    }
}
