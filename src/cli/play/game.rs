//! A game in progress: its position, the moves played, and the values of its moves.

use std::fmt::Write;

use super::plays;
use crate::cli::failure::Failure;
use everyply_core::control::Control;
use everyply_registry::registry::{Course, Position};
use everyply_results::opponent::Level;
use everyply_results::oracle::{Finding, Oracle, OracleError, SourcedValue};

pub(super) struct GameInProgress {
    pub course: Course,
    oracle: Oracle,
}

pub(super) struct Reply {
    pub text: String,
    /// True if no move is better.
    pub proved: bool,
}

impl GameInProgress {
    pub const fn new(course: Course, oracle: Oracle) -> Self {
        Self { course, oracle }
    }

    pub fn study(&self) -> &dyn Position {
        self.course.study()
    }

    /// The names of the sides, the one that moves first before the other.
    pub fn sides(&self) -> [&'static str; 2] {
        match self.study().to_move() {
            Some(_) => ["X", "O"],
            None => ["the first player", "the second player"],
        }
    }

    /// The texts that are moves.
    pub fn moves_in_words(&self) -> String {
        if let Some(most) = self.study().numbered_moves() {
            return format!(
                "the number of a {} from 1 to {most}",
                self.study().info().move_style.word()
            );
        }
        let moves: Vec<String> = self.study().branches().into_iter().map(|b| b.text).collect();
        format!("a move: {}", moves.join(" "))
    }

    /// Plays a move, or gives the reason why it cannot be played.
    pub fn play(&mut self, word: &str) -> Result<(), String> {
        if self.course.play(word).is_ok() {
            return Ok(());
        }
        let number = word.parse::<usize>().ok();
        match (number, self.study().numbered_moves()) {
            (Some(number), Some(most)) if !(1..=most).contains(&number) => {
                let place = self.study().info().move_style.word();
                let moves = self.moves_in_words();
                return Err(format!("there is no {place} {number}: type {moves}"));
            }
            (Some(_), _) => {}
            (None, _) => return Err(plays(&self.moves_in_words())),
        }
        let separator = self.study().info().separator;
        let line: Vec<&str> = self.course.moves().chain([word]).collect();
        match self.course.start().parse_line(&line.join(separator)) {
            Err(error) => Err(error.to_string()),
            Ok(_) => Err(plays(&self.moves_in_words())),
        }
    }

    pub fn reply(&mut self, level: Level, control: &Control) -> Result<Reply, Failure> {
        let choice = level.reply(&self.oracle, self.course.study(), control);
        let choice = choice.map_err(Failure::runtime)?.expect("the game is not over");
        let text = choice.m.text;
        self.course.play(&text).map_err(Failure::usage)?;
        Ok(Reply { text, proved: choice.proved })
    }

    pub fn undo(&mut self) {
        let before = self.course.moves().len().saturating_sub(1);
        self.course.truncate(before);
    }

    pub fn best(&self, control: &Control) -> Result<Vec<String>, OracleError> {
        Ok(self.study().texts(self.oracle.best_moves(self.study(), control)?))
    }

    /// The values of the moves, a line each, as far as they are found.
    pub fn values(&self, control: &Control) -> (String, Result<(), OracleError>) {
        let mut known: Vec<(u32, SourcedValue)> = Vec::new();
        let found = self.oracle.prove_moves(self.study(), control, &mut |finding| {
            if let Finding::Move(bit, value) = finding {
                known.push((bit, value));
            }
        });
        let mut said = String::new();
        for branch in self.study().branches() {
            if let Some((_, known)) = known.iter().find(|(bit, _)| *bit == branch.bit) {
                let value = self.study().value_in_words(known.value);
                let points = known.points.map(|points| format!(", {points:+} points"));
                let points = points.unwrap_or_default();
                let _ = writeln!(said, "{:>6}  {value}{points}", branch.text);
            }
        }
        (said, found.map(drop))
    }

    pub fn played(&self) -> String {
        self.course.moves().collect::<Vec<_>>().join(self.study().info().separator)
    }
}
