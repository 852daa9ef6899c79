//! A game of the registry that is being played.

use super::position::{Branch, Position};
use everyply_core::game::Unreadable;

/// A start, and the moves played from it.
pub struct Course {
    start: Box<dyn Position>,
    played: Vec<Played>,
}

/// A move that was played, and where it led.
struct Played {
    text: String,
    seconds_turn: bool,
    study: Box<dyn Position>,
}

impl Course {
    /// A game at its start.
    pub const fn new(start: Box<dyn Position>) -> Self {
        Self { start, played: Vec::new() }
    }

    /// The start.
    pub fn start(&self) -> &dyn Position {
        self.start.as_ref()
    }

    /// The position reached.
    pub fn study(&self) -> &dyn Position {
        self.study_at(self.played.len())
    }

    /// The position after a number of the moves.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn study_at(&self, moves: usize) -> &dyn Position {
        moves.checked_sub(1).map_or(self.start(), |last| self.played[last].study.as_ref())
    }

    /// True if the side is to move that was not at the start.
    pub fn is_seconds_turn(&self) -> bool {
        self.is_seconds_turn_at(self.played.len())
    }

    /// The same after a number of the moves.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn is_seconds_turn_at(&self, moves: usize) -> bool {
        moves.checked_sub(1).is_some_and(|last| self.played[last].seconds_turn)
    }

    /// The moves played.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = &str> {
        self.played.iter().map(|played| &played.text[..])
    }

    /// Plays a move, given by its text.
    ///
    /// # Errors
    /// If it cannot be played: what can be.
    pub fn play(&mut self, text: &str) -> Result<(), Unreadable> {
        if self.study().result().is_some() {
            return Err(Unreadable(format!("move '{text}' is one too many: the game is over")));
        }
        let branches = self.study().branches();
        let possible = || branches.iter().map(|b| &b.text[..]).collect::<Vec<_>>().join(" ");
        let Some(at) = branches.iter().position(|branch| branch.text == text) else {
            let number = self.played.len() + 1;
            return Err(Unreadable(format!(
                "move {number}, '{text}', is not possible there: choose one of {}",
                possible()
            )));
        };
        let Branch { text, keeps_turn, to: study, .. } =
            branches.into_iter().nth(at).expect("it is there");
        let seconds_turn = self.is_seconds_turn() == keeps_turn;
        self.played.push(Played { text, seconds_turn, study });
        Ok(())
    }

    /// Takes moves back until this number of them is left.
    pub fn truncate(&mut self, moves: usize) {
        self.played.truncate(moves);
    }
}
