//! Boards, notation and drawing of games of stones that fall.

use std::sync::Arc;

use super::rules::{CYLINDER, MISERE};
use super::{Drop, Drops, Fallen};
use crate::game::{Chosen, Drawn, Notation, Parameter, Unreadable};
use crate::games::line::{self, Board};
use crate::games::masks::{self, Images};

impl<const POPS: bool> Drops<POPS> {
    /// Creates the game with these parameters; a refusal names it.
    ///
    /// # Errors
    /// If there is no such board.
    pub(super) fn new(name: &'static str, [w, h, line]: [u8; 3]) -> Result<Self, Unreadable> {
        let (width, height) = (u32::from(w), u32::from(h));
        let board = Some(Board { width: w, height: h });
        line::Rules::ConnectFour.size(board, Some(line & !(CYLINDER | MISERE)))?;
        if width * (height + 1) > 63 || (POPS && w > 31) {
            return Err(Unreadable(format!(
                "{w}x{h}: {name} takes boards whose columns x (rows + 1) are at most 63, as 7x6 and 9x6"
            )));
        }
        let turns = if line & CYLINDER != 0 { w } else { 1 };
        let images = Images::new(width * (height + 1), 2 * turns, |cell, symmetry| {
            let (column, row) = (cell / (height + 1), cell % (height + 1));
            Self::image(width, column, symmetry) * (height + 1) + row
        });
        let lines = Self::lines(width, height, line).into();
        Ok(Self { width, height, line, lines, images: Arc::new(images) })
    }

    /// Returns the choices of the game, apart from the rules that always hold.
    pub(super) fn choices_without(&self, rules: u8, all: &[Parameter]) -> Chosen {
        let chosen = [self.width as u8, self.height as u8, self.line & !rules];
        Chosen::of_parameters(chosen, all)
    }
}

impl<const POPS: bool> Notation for Drops<POPS> {
    const POSITION_HELP: &'static str = "the columns played, separated by commas";

    fn parameters(&self) -> [u8; 3] {
        [self.width as u8, self.height as u8, self.line]
    }

    fn title(&self) -> String {
        let (width, height, length) = (self.width, self.height, self.line & !(CYLINDER | MISERE));
        let pops = if POPS { "PopOut" } else { "Connect Four" };
        let round = if self.line & CYLINDER != 0 { " on a cylinder" } else { "" };
        let loses = if self.line & MISERE != 0 { ", a line loses" } else { "" };
        format!("{pops} {width}x{height}, {length} in a row{round}{loses}")
    }

    /// `4` drops a stone into the fourth column, `p4` takes one out below it.
    fn write_move(&self, m: Drop) -> String {
        match m {
            Drop::Into(column) => (column + 1).to_string(),
            Drop::OutOf(column) => format!("p{}", column + 1),
        }
    }

    /// First player's stones are `X`, the second's `O`; then who moves.
    fn picture(&self, p: Fallen) -> String {
        let board = masks::picture(self.width, self.height, |x, y| {
            masks::mark([p.first, p.taken], x * (self.height + 1) + self.height - 1 - y)
        });
        format!("{board}:{}", ['X', 'O'][usize::from(p.turn)])
    }

    fn of_picture(&self, text: &str) -> Option<Fallen> {
        let place = |x, y| Some(x * (self.height + 1) + self.height - 1 - y);
        let ([first, second], turn) =
            masks::sides_and_turn(text, (self.width, self.height), place)?;
        Some(Fallen { first, taken: first | second, turn: turn as u8 })
    }

    fn to_move(&self, p: Fallen) -> Option<char> {
        Some(['X', 'O'][usize::from(p.turn)])
    }
}

impl<const POPS: bool> Drawn for Drops<POPS> {
    fn squares(&self, p: Fallen, m: Drop) -> Vec<(u8, u8)> {
        let (column, stones) = match m {
            Drop::Into(column) => (column, (p.taken & self.column(column)).count_ones()),
            Drop::OutOf(column) => (column, 0),
        };
        vec![(column, (self.height - 1 - stones) as u8)]
    }
}
