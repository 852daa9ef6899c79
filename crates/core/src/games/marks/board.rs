//! The boards of games of marks: cells in a plane or in space, their rows and symmetries.

use crate::games::masks::{self, Images};

/// The marks that a side may put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The first player crosses, the second noughts.
    Own,
    /// Both sides put either mark.
    Either,
    /// Both sides put crosses. A board with a row of them is full, and the last row loses.
    Crosses,
}

/// The board of a game, its rows, the marks of the sides, and whether a row loses.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Columns, rows and layers; layers are boards side by side unless the board is `solid`.
    pub size: [u32; 3],
    pub line: u32,
    /// True if rows go through layers.
    pub solid: bool,
    pub choice: Choice,
    pub misere: bool,
}

impl Shape {
    pub(super) fn cells(&self) -> u32 {
        self.size.iter().product()
    }

    pub(super) fn place(&self, cell: u32) -> [u32; 3] {
        let [width, height, _] = self.size;
        [cell % width, cell / width % height, cell / (width * height)]
    }

    pub(super) fn cell(&self, [x, y, z]: [u32; 3]) -> u32 {
        (z * self.size[1] + y) * self.size[0] + x
    }

    /// Returns the sets of cells in a row.
    pub(super) fn lines(&self) -> Vec<u64> {
        let steps = &masks::STEPS[..if self.solid { 13 } else { 4 }];
        let cell = |at| masks::on_board(self.size, at).map(|at| self.cell(at));
        masks::lines(self.size, self.line, steps, cell)
    }

    /// Returns the images of sets of cells: equal axes change places, and each is reversed. In a cube of
    /// side 4, cells also change places along all axes at once, in a way that keeps opposite ones opposite:
    /// rows stay rows (R. Silver, The group of automorphisms of the game of 3-dimensional ticktacktoe,
    /// American Mathematical Monthly 74, 1967).
    pub(super) fn images(&self) -> Images {
        let [width, height, layers] = self.size;
        let orders: &[[usize; 3]] = match () {
            () if self.solid => &[[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1]],
            () if width == height => &[[0, 1, 2], [1, 0, 2]],
            () => &[[0, 1, 2]],
        };
        let turns = if layers > 1 { 8 } else { 4 };
        let shuffles: &[[u32; 4]] = match self.line {
            4 if self.solid => &[[0, 1, 2, 3], [0, 2, 1, 3], [1, 0, 3, 2], [1, 3, 0, 2]],
            _ => &[[0, 1, 2, 3]],
        };
        let turned = turns * orders.len() as u8;
        Images::new(self.cells(), turned * shuffles.len() as u8, |cell, symmetry| {
            let shuffle = shuffles[usize::from(symmetry / turned)];
            let order = orders[usize::from(symmetry % turned / turns)];
            let (turn, place) = (symmetry % turns, self.place(cell));
            let place = if self.solid { place.map(|at| shuffle[at as usize]) } else { place };
            let place = [0, 1, 2].map(|axis| {
                if turn >> axis & 1 == 1 { self.size[axis] - 1 - place[axis] } else { place[axis] }
            });
            self.cell(order.map(|axis| place[axis]))
        })
    }
}
