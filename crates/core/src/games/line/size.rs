//! Board dimensions, and how they become constants where it pays.

use std::fmt;
use std::str::FromStr;

use crate::game::Move;

/// The dimensions of a board: columns x rows, and how many in a row win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    pub width: u8,
    pub height: u8,
    pub line: u8,
}

impl Size {
    /// Checks that a size has at least one cell and a line length that is not zero.
    ///
    /// A line longer than the board is allowed, as in stored games and published counts of small
    /// boards: every game is then a draw. The games refuse boards that do not fit their word.
    pub fn new(width: u8, height: u8, line: u8) -> Result<Self, SizeError> {
        if width == 0 || height == 0 {
            return Err(SizeError::Empty(format!("{width}x{height}")));
        }
        if line == 0 {
            return Err(SizeError::NoLine);
        }
        Ok(Self { width, height, line })
    }

    pub const fn of_parameters([width, height, line]: [u8; 3]) -> Self {
        Self { width, height, line }
    }

    /// Returns the parameters of a [`GameId`](crate::game::GameId): columns, rows, line length.
    pub const fn parameters(self) -> [u8; 3] {
        [self.width, self.height, self.line]
    }

    #[inline(always)]
    pub const fn cells(self) -> u32 {
        self.width as u32 * self.height as u32
    }

    /// Returns the dimensions without the line length: `7x6`.
    pub fn board(self) -> String {
        format!("{}x{}", self.width, self.height)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}, {} in a row", self.width, self.height, self.line)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    #[error("'{0}' is not a board size: write columns x rows, as in 7x6")]
    Syntax(String),
    #[error("a board of {0} has no cell: both dimensions must be at least 1")]
    Empty(String),
    #[error("a line of 0 is complete before the first move: it must be at least 1")]
    NoLine,
    #[error(
        "no line of {} fits on a board of {}: the longest that fits is {}",
        .0.line, .0.board(), .0.width.max(.0.height)
    )]
    LongLine(Size),
    /// The board does not fit in a machine word.
    #[error("{board} is too large: {rule}")]
    TooLarge { board: String, rule: &'static str },
}

/// Columns and rows as written on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pub width: u8,
    pub height: u8,
}

impl FromStr for Board {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let syntax = || SizeError::Syntax(text.to_owned());
        let (width, height) = text.split_once(['x', 'X']).ok_or_else(syntax)?;
        let number = |digits: &str| -> Result<u8, SizeError> {
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(syntax());
            }
            digits.parse().map_err(|_| SizeError::TooLarge {
                board: text.to_owned(),
                rule: "a board has at most 255 columns and rows, and far fewer that can be analyzed",
            })
        };
        let (width, height) = (number(width)?, number(height)?);
        if width == 0 || height == 0 {
            return Err(SizeError::Empty(text.to_owned()));
        }
        Ok(Self { width, height })
    }
}

/// The source of a game's geometry: a constant of the type, or a value made at run time.
///
/// Engines are generic over it, so that a common size is compiled with its shifts and masks
/// folded to constants; the choice is made once, at the edge.
pub trait Shape<G>: Copy + std::fmt::Debug + Send + Sync + 'static {
    fn geometry(&self) -> &G;
}

/// A geometry known when compiling: width, height and line length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed<const W: u8, const H: u8, const K: u8>;

#[derive(Clone, Copy, Debug)]
pub struct AnySize<G>(pub G);

impl<G: Copy + std::fmt::Debug + Send + Sync + 'static> Shape<G> for AnySize<G> {
    #[inline(always)]
    fn geometry(&self) -> &G {
        &self.0
    }
}

/// Up to 64 moves in an order made at compile time or with a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct CentreFirst {
    moves: [Move; 64],
    len: usize,
}

impl CentreFirst {
    /// Returns the cells or columns of a `width` x `height` grid from the centre outwards: by their
    /// squared distance from it, the lower number first among equals.
    pub(super) const fn of_grid(width: u32, height: u32) -> Self {
        let mut order = Self { moves: [Move(0); 64], len: (width * height) as usize };
        let mut distances = [0u32; 64];
        let mut i = 0;
        while i < order.len {
            // Twice the distance along each axis, so that it is whole.
            let x = (2 * (i as u32 % width) + 1).abs_diff(width);
            let y = (2 * (i as u32 / width) + 1).abs_diff(height);
            let distance = x * x + y * y;
            // Insertion keeps equals in ascending order.
            let mut place = i;
            while place > 0 && distances[place - 1] > distance {
                distances[place] = distances[place - 1];
                order.moves[place] = order.moves[place - 1];
                place -= 1;
            }
            distances[place] = distance;
            order.moves[place] = Move(i as u8);
            i += 1;
        }
        order
    }

    pub(super) fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_cells_are_searched_from_the_middle() {
        let order = |width, height| -> Vec<u32> {
            CentreFirst::of_grid(width, height).as_slice().iter().map(|m| m.number()).collect()
        };
        assert_eq!(order(7, 1), [4, 3, 5, 2, 6, 1, 7]);
        assert_eq!(order(3, 3), [5, 2, 4, 6, 8, 1, 3, 7, 9]);
    }

    #[test]
    fn sizes_are_columns_by_rows() {
        assert_eq!("7x6".parse(), Ok(Board { width: 7, height: 6 }));
        for bad in ["", "7", "x6", "7x", "7*6", "-7x6", "7x6x4", " 7x6", "+7x6", "٣x3"] {
            assert!(matches!(bad.parse::<Board>(), Err(SizeError::Syntax(_))), "{bad}");
        }
        assert!(matches!("0x3".parse::<Board>(), Err(SizeError::Empty(_))));
        assert!(matches!("300x3".parse::<Board>(), Err(SizeError::TooLarge { .. })));
    }
}
