//! The rules in which the games of marks differ.

use std::fmt::Debug;

use super::Marks;
use super::board::Shape;
use crate::game::{Parameter, ParameterKind};

/// The marks that a side may put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The first player crosses, the second noughts.
    Own,
    /// Both sides either mark.
    Either,
    /// Both sides crosses. A board with a row of them is full, and the last row loses.
    Crosses,
}

/// The rules in which these games differ.
pub trait MarkRules: Copy + Debug + Default + Send + Sync + 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    const ABOUT: &'static str;
    const PARAMETERS: &'static [Parameter];
    const CHOICE: Choice;

    fn shape(parameters: [u8; 3]) -> Shape;
}

#[derive(Clone, Copy, Debug, Default)]
pub struct WildRules;

#[derive(Clone, Copy, Debug, Default)]
pub struct MisereMarkRules;

#[derive(Clone, Copy, Debug, Default)]
pub struct NotaktoRules;

#[derive(Clone, Copy, Debug, Default)]
pub struct QubicRules;

pub type Wild = Marks<WildRules>;
pub type Misere = Marks<MisereMarkRules>;
pub type Notakto = Marks<NotaktoRules>;
pub type Qubic = Marks<QubicRules>;
/// Qubic on boards whose keys do not fit 64 bits.
pub type WideQubic = Marks<QubicRules, u128>;

/// The bit of the third parameter for [`ROW_LOSES`] beside a size and a line.
const MISERE: u8 = 1 << 7;

const LINE: Parameter = Parameter {
    name: "line",
    help: "How many in a row make a line",
    kind: ParameterKind::Number { usual: 3, least: 1, most: 32 },
};
const ROW_LOSES: Parameter = Parameter::rule("misere", "A row loses");

fn flat_shape([width, height, line]: [u8; 3]) -> Shape {
    let size = [width.into(), height.into(), 1];
    Shape { size, line: (line & !MISERE).into(), solid: false, misere: line & MISERE != 0 }
}

impl MarkRules for WildRules {
    const NAME: &'static str = "wild";
    const TITLE: &'static str = "Wild tic-tac-toe";
    const ABOUT: &'static str = "Wild tic-tac-toe: both sides put crosses or noughts";
    const PARAMETERS: &'static [Parameter] = &[Parameter::size(3, 3), LINE, ROW_LOSES];
    const CHOICE: Choice = Choice::Either;

    fn shape(parameters: [u8; 3]) -> Shape {
        flat_shape(parameters)
    }
}

impl MarkRules for MisereMarkRules {
    const NAME: &'static str = "misere";
    const TITLE: &'static str = "Misère tic-tac-toe";
    const ABOUT: &'static str = "Misère tic-tac-toe: three in a row lose";
    const PARAMETERS: &'static [Parameter] = &[Parameter::size(3, 3), LINE];
    const CHOICE: Choice = Choice::Own;

    fn shape(parameters: [u8; 3]) -> Shape {
        Shape { misere: true, ..flat_shape(parameters) }
    }
}

impl MarkRules for NotaktoRules {
    const NAME: &'static str = "notakto";
    const TITLE: &'static str = "Notakto";
    const ABOUT: &'static str = "Notakto: crosses on one board or several, the last row loses";
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "boards",
        help: "Boards of 3x3 cells",
        kind: ParameterKind::Number { usual: 1, least: 1, most: 7 },
    }];
    const CHOICE: Choice = Choice::Crosses;

    fn shape([boards, ..]: [u8; 3]) -> Shape {
        Shape { size: [3, 3, boards.into()], line: 3, solid: false, misere: true }
    }
}

impl MarkRules for QubicRules {
    const NAME: &'static str = "qubic";
    const TITLE: &'static str = "Qubic";
    const ABOUT: &'static str = "Qubic on 3x3x3 or 4x4x4 cells: a row in space wins";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "side",
            help: "Cells along each edge of the cube, and in a row",
            kind: ParameterKind::Number { usual: 3, least: 3, most: 4 },
        },
        ROW_LOSES,
    ];
    const CHOICE: Choice = Choice::Own;

    fn shape([side, rule, _]: [u8; 3]) -> Shape {
        Shape { size: [side.into(); 3], line: side.into(), solid: true, misere: rule == 2 }
    }
}
