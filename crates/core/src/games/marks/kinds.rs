//! The games of marks.

use super::{Choice, Marks, Shape};
use crate::game::{Chosen, Parameter};

/// The rules in which these games differ.
#[derive(Debug)]
pub(super) struct Kind {
    pub name: &'static str,
    pub title: &'static str,
    pub parameters: &'static [Parameter],
    pub shape: fn([u8; 3]) -> Shape,
}

impl Kind {
    /// Returns the usual board.
    pub fn usual(&self) -> Shape {
        (self.shape)(Chosen::default().parameters(self.parameters))
    }
}

/// The bit of the third parameter for [`ROW_LOSES`] beside a size and a line.
const MISERE: u8 = 1 << 7;

const LINE: Parameter = Parameter::number("line", "How many in a row make a line", 3, 1..=32);
const ROW_LOSES: Parameter = Parameter::rule("misere", "A row loses");

fn flat([width, height, line]: [u8; 3], choice: Choice) -> Shape {
    let size = [width.into(), height.into(), 1];
    let misere = line & MISERE != 0;
    Shape { size, line: (line & !MISERE).into(), solid: false, choice, misere }
}

const WILD: Kind = Kind {
    name: "wild",
    title: "Wild tic-tac-toe",
    parameters: &[Parameter::size(3, 3), LINE, ROW_LOSES],
    shape: |parameters| flat(parameters, Choice::Either),
};

const MISERE_TIC_TAC_TOE: Kind = Kind {
    name: "misere",
    title: "Misère tic-tac-toe",
    parameters: &[Parameter::size(3, 3), LINE],
    shape: |parameters| Shape { misere: true, ..flat(parameters, Choice::Own) },
};

const NOTAKTO: Kind = Kind {
    name: "notakto",
    title: "Notakto",
    parameters: &[Parameter::number("boards", "Boards of 3x3 cells", 1, 1..=7)],
    shape: |[boards, ..]| {
        let size = [3, 3, boards.into()];
        Shape { size, line: 3, solid: false, choice: Choice::Crosses, misere: true }
    },
};

const QUBIC: Kind = Kind {
    name: "qubic",
    title: "Qubic",
    parameters: &[
        Parameter::number("side", "Cells along each edge of the cube, and in a row", 3, 3..=4),
        ROW_LOSES,
    ],
    shape: |[side, rule, _]| {
        let (size, line) = ([side.into(); 3], side.into());
        Shape { size, line, solid: true, choice: Choice::Own, misere: rule == 2 }
    },
};

registered!(
    Wild: Marks = WILD.name,
    "Wild tic-tac-toe: both sides put crosses or noughts",
    WILD.parameters,
    |parameters| Marks::new(&WILD, parameters),
    "the marks put, separated by commas: X5 is a cross in cell 5, the centre"
);
registered!(
    Misere: Marks = MISERE_TIC_TAC_TOE.name,
    "Misère tic-tac-toe: three in a row lose",
    MISERE_TIC_TAC_TOE.parameters,
    |parameters| Marks::new(&MISERE_TIC_TAC_TOE, parameters)
);
registered!(
    Notakto: Marks = NOTAKTO.name,
    "Notakto: crosses on one board or several, the last row loses",
    NOTAKTO.parameters,
    |parameters| Marks::new(&NOTAKTO, parameters)
);
registered!(
    Qubic: Marks = QUBIC.name,
    "Qubic on 3x3x3 or 4x4x4 cells: a row in space wins",
    QUBIC.parameters,
    |parameters| Marks::new(&QUBIC, parameters)
);
// Qubic on boards whose keys do not fit 64 bits.
registered!(
    WideQubic: Marks<u128> = Qubic::NAME,
    Qubic::ABOUT,
    Qubic::PARAMETERS,
    |parameters| Marks::new(&QUBIC, parameters)
);
