//! A view with the values of its moves.

use super::view::View;
use crate::web::api::{Lack, MoveValues};
use crate::web::prelude::*;
use crate::web::text::{NO_TIME, THINKING, sentence, situation};

/// A view with the values of its moves, as its page shows them.
pub struct Scene {
    pub view: View,
    pub found: MoveValues,
    pub branches: Vec<Branch>,
}

impl Scene {
    pub fn new(view: View, found: MoveValues) -> Self {
        let branches = view.position().branches();
        Self { view, found, branches }
    }

    /// True if the script is to request values.
    pub fn is_pending(&self) -> bool {
        matches!(self.found.lack, Some(Lack::Unsearched))
    }

    /// The value of a move, if it is known and shown.
    pub fn value(&self, branch: &Branch) -> Option<PartialValue> {
        let value = self.found.value(branch).filter(|_| self.view.hints);
        value.map(|known| known.value)
    }

    /// True if a move is known and shown as one of the best, and not all are.
    pub fn is_best(&self, branch: &Branch) -> bool {
        self.view.hints && self.found.marked().has(branch.bit)
    }

    /// The text for an unknown value.
    pub fn unknown(&self) -> &'static str {
        match (self.view.hints, &self.found.lack) {
            (false, _) | (_, None) => "",
            (_, Some(Lack::Unsearched)) => "…",
            (_, Some(_)) => "?",
        }
    }

    /// A sentence with the side to move, and unless they are hidden the value and the best moves.
    pub fn words(&self) -> String {
        let side = self.view.name(self.view.side_to_move());
        let is_over = self.view.position().result().is_some();
        if self.view.machine_moves_now() {
            return format!("The machine ({side}) is thinking …");
        }
        let value = match (&self.found.lack, self.found.best()) {
            _ if !self.view.hints && !is_over => return format!("{} to move.", sentence(side)),
            (None, Some(known)) => Ok(known),
            (None, None) => Err(""),
            (Some(Lack::Unsearched), _) => Err(THINKING),
            (Some(Lack::Time), _) => Err(NO_TIME),
            (Some(Lack::Size(error)), _) => Err(&error[..]),
        };
        situation(&self.view.record, self.view.at, &self.branches, value)
    }
}
