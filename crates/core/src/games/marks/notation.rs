//! Boards, notation and drawing of games of marks.

use std::sync::Arc;

use super::kinds::Kind;
use super::{Choice, Mark, Marked, Marks, Shape};
use crate::game::{Drawn, Look, Notation, Pieces, Unreadable, Word};
use crate::games::masks::{self, Images, TernaryKeys};

impl<W: Word> Marks<W> {
    /// Creates the game of a kind with these parameters.
    ///
    /// # Errors
    /// If there is no such board.
    pub(super) fn new(kind: &'static Kind, parameters: [u8; 3]) -> Result<Self, Unreadable> {
        let shape = (kind.shape)(parameters);
        let Shape { size: [width, height, layers], line, .. } = shape;
        let most = match shape.choice {
            _ if W::BITS > 64 => 64,
            Choice::Crosses => 63,
            _ => 32,
        };
        let cells = shape.size.iter().fold(1, |all: u32, n| all.saturating_mul(*n));
        let is_small = cells == 0 || (shape.solid && cells < 27);
        if is_small || cells > most || line == 0 || line > width.max(height) {
            let name = kind.name;
            return Err(Unreadable(format!(
                "{width}x{height}x{layers}, {line} in a row: {name} takes one cell to {most}, and \
                 rows that fit the board"
            )));
        }
        let (lines, images) = (shape.lines(), Arc::new(shape.images()));
        let crossings =
            (0..cells).map(|cell| lines.iter().map(|line| (line >> cell & 1) as i32).sum());
        let digits = if W::BITS > 64 { cells } else { 0 };
        let keys = TernaryKeys::new(&Images::new(cells, 1, |cell, _| cell), digits);
        let crossings = crossings.collect();
        Ok(Self {
            kind,
            parameters,
            shape,
            lines: lines.into(),
            crossings,
            images,
            keys: Arc::new(keys),
        })
    }
}

impl<W: Word> Notation for Marks<W> {
    const POSITION_HELP: &'static str =
        "the cells marked, separated by commas: 1 is the top left one of the first board";

    fn parameters(&self) -> [u8; 3] {
        self.parameters
    }

    fn title(&self) -> String {
        let Shape { size: [width, height, layers], line, misere, .. } = self.shape;
        let usual = self.kind.usual();
        let board = match () {
            () if self.shape.choice == Choice::Crosses => {
                format!(", {layers} board{}", if layers == 1 { "" } else { "s" })
            }
            () if self.shape.solid => format!(" {width}x{height}x{layers}"),
            () if (self.shape.size, line) == (usual.size, usual.line) => String::new(),
            () => format!(" {width}x{height}, {line} in a row"),
        };
        let loses = if misere && !usual.misere { ", a row loses" } else { "" };
        format!("{}{board}{loses}", self.kind.title)
    }

    /// Returns the number of the cell, row by row from the top left, layer by layer; after `X` or
    /// `O` if the mark is free.
    fn write_move(&self, m: Mark) -> String {
        let mark =
            if self.shape.choice == Choice::Either { ["X", "O"][usize::from(m.mark)] } else { "" };
        format!("{mark}{}", m.cell + 1)
    }

    /// Layers stand side by side.
    fn picture(&self, p: Marked) -> String {
        let [width, height, layers] = self.shape.size;
        masks::picture(layers * (width + 1) - 1, height, |x, y| {
            let (layer, x) = (x / (width + 1), x % (width + 1));
            if x == width { ' ' } else { masks::mark(p.marks, self.shape.cell([x, y, layer])) }
        })
    }

    fn of_picture(&self, text: &str) -> Option<Marked> {
        let [width, height, layers] = self.shape.size;
        let place = |x, y| {
            let (layer, x) = (x / (width + 1), x % (width + 1));
            (x < width).then(|| self.shape.cell([x, y, layer]))
        };
        let marks = masks::sides_of(text, (layers * (width + 1) - 1, height), place)?;
        Some(Marked { marks })
    }

    fn to_move(&self, p: Marked) -> Option<char> {
        (self.shape.choice == Choice::Own).then(|| ['X', 'O'][usize::from(p.turn())])
    }
}

impl<W: Word> Drawn for Marks<W> {
    fn squares(&self, _: Marked, m: Mark) -> Vec<(u8, u8)> {
        let [x, y, z] = self.shape.place(m.cell.into());
        vec![((z * (self.shape.size[0] + 1) + x) as u8, y as u8)]
    }

    fn look(&self) -> Look {
        Look { pieces: Pieces::Strokes, ..Look::default() }
    }
}
