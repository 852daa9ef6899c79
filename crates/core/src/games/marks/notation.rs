//! Notation, drawing and parameters of games of marks.

use std::marker::PhantomData;
use std::sync::Arc;

use super::{Choice, Mark, MarkRules, Marked, Marks, Shape};
use crate::game::{Chosen, Drawn, Look, Notation, Parameter, Pieces, Registered, Unreadable, Word};
use crate::games::masks::{self, Images, TernaryKeys};

impl<K: MarkRules, W: Word> Notation for Marks<K, W> {
    const NAME: &'static str = K::NAME;
    const POSITION_HELP: &'static str = match K::CHOICE {
        Choice::Either => "the marks put, separated by commas: X5 is a cross in cell 5, the centre",
        _ => "the cells marked, separated by commas: 1 is the top left one of the first board",
    };

    fn parameters(&self) -> [u8; 3] {
        self.parameters
    }

    fn title(&self) -> String {
        let Shape { size: [width, height, layers], line, misere, .. } = self.shape;
        let usual = K::shape(Chosen::default().parameters(K::PARAMETERS));
        let board = match () {
            () if K::CHOICE == Choice::Crosses => {
                format!(", {layers} board{}", if layers == 1 { "" } else { "s" })
            }
            () if self.shape.solid => format!(" {width}x{height}x{layers}"),
            () if (self.shape.size, line) == (usual.size, usual.line) => String::new(),
            () => format!(" {width}x{height}, {line} in a row"),
        };
        let loses = if misere && !usual.misere { ", a row loses" } else { "" };
        format!("{}{board}{loses}", K::TITLE)
    }

    /// Returns the number of the cell, row by row from the top left, layer by layer; after `X` or
    /// `O` if the mark is free.
    fn write_move(&self, m: Mark) -> String {
        let mark = if K::CHOICE == Choice::Either { ["X", "O"][usize::from(m.mark)] } else { "" };
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
        (K::CHOICE == Choice::Own).then(|| ['X', 'O'][usize::from(p.turn())])
    }
}

impl<K: MarkRules, W: Word> Drawn for Marks<K, W> {
    fn squares(&self, _: Marked, m: Mark) -> Vec<(u8, u8)> {
        let [x, y, z] = self.shape.place(m.cell.into());
        vec![((z * (self.shape.size[0] + 1) + x) as u8, y as u8)]
    }

    fn look(&self) -> Look {
        Look { pieces: Pieces::Strokes, ..Look::default() }
    }
}

impl<K: MarkRules, W: Word> Registered for Marks<K, W> {
    type Game = Self;

    const ABOUT: &'static str = K::ABOUT;
    const PARAMETERS: &'static [Parameter] = K::PARAMETERS;

    fn of_parameters(parameters: [u8; 3]) -> Result<Self, Unreadable> {
        let shape = K::shape(parameters);
        let Shape { size: [width, height, layers], line, .. } = shape;
        let most = match K::CHOICE {
            _ if W::BITS > 64 => 64,
            Choice::Crosses => 63,
            _ => 32,
        };
        let cells = shape.size.iter().fold(1, |all: u32, n| all.saturating_mul(*n));
        let is_small = cells == 0 || (shape.solid && cells < 27);
        if is_small || cells > most || line == 0 || line > width.max(height) {
            let name = K::NAME;
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
            parameters,
            shape,
            lines: lines.into(),
            crossings,
            images,
            keys: Arc::new(keys),
            kind: PhantomData,
        })
    }
}
