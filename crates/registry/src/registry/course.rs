//! A game of the registry that is being played.

use super::position::{Branch, Position};
use everyply_core::game::Unreadable;

/// A start, and the moves played from it.
pub struct Course {
    start: Box<dyn Position>,
    played: Vec<Played>,
}

/// A move that was played, and the position after it.
struct Played {
    text: String,
    seconds_turn: bool,
    position: Box<dyn Position>,
}

impl Course {
    /// Creates a game at its start.
    pub const fn new(start: Box<dyn Position>) -> Self {
        Self { start, played: Vec::new() }
    }

    /// Returns the start.
    pub fn start(&self) -> &dyn Position {
        self.start.as_ref()
    }

    /// Returns the position reached.
    pub fn position(&self) -> &dyn Position {
        self.position_at(self.played.len())
    }

    /// Returns the position after a number of the moves.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn position_at(&self, moves: usize) -> &dyn Position {
        moves.checked_sub(1).map_or(self.start(), |last| self.played[last].position.as_ref())
    }

    /// Returns true if the second side is to move: the side that was not to move at the start.
    pub fn is_seconds_turn(&self) -> bool {
        self.is_seconds_turn_at(self.played.len())
    }

    /// Returns true if the second side is to move after a number of the moves.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn is_seconds_turn_at(&self, moves: usize) -> bool {
        moves.checked_sub(1).is_some_and(|last| self.played[last].seconds_turn)
    }

    /// Returns the moves played.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = &str> {
        self.played.iter().map(|played| &played.text[..])
    }

    /// Plays a move, given by its text.
    ///
    /// # Errors
    /// If the move is not possible: the moves that are.
    pub fn play(&mut self, text: &str) -> Result<(), Unreadable> {
        if self.position().result().is_some() {
            return Err(Unreadable(format!("move '{text}' is one too many: the game is over")));
        }
        let branches = self.position().branches();
        let possible = || branches.iter().map(|b| &b.text[..]).collect::<Vec<_>>().join(" ");
        let Some(at) = branches.iter().position(|branch| branch.text == text) else {
            let number = self.played.len() + 1;
            return Err(Unreadable(format!(
                "move {number}, '{text}', is not possible there: choose one of {}",
                possible()
            )));
        };
        let Branch { text, keeps_turn, to: position, .. } =
            branches.into_iter().nth(at).expect("it is there");
        let seconds_turn = self.is_seconds_turn() == keeps_turn;
        self.played.push(Played { text, seconds_turn, position });
        Ok(())
    }

    /// Takes moves back until `moves` are left.
    pub fn truncate(&mut self, moves: usize) {
        self.played.truncate(moves);
    }
}
