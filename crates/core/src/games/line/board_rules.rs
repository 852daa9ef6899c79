//! The rules that stones and lines are played by, and the words for them.

use super::{Board, Size, SizeError};

/// The rules of a game, its board left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Stones on any empty cell: tic-tac-toe.
    Mnk,
    /// Stones fall: Connect Four.
    ConnectFour,
}

/// Evaluates an expression with the game of these rules on a board of this size, compiled for
/// either; an error if there is no such board of 64 bits.
#[macro_export]
macro_rules! on_board {
    ($rules:expr, $size:expr, |$game:ident| $value:expr) => {
        match $rules {
            $crate::games::line::Rules::Mnk => {
                $crate::games::line::Mnk::new($size).map(|$game| $value)
            }
            $crate::games::line::Rules::ConnectFour => {
                $crate::games::line::ConnectFour::new($size).map(|$game| $value)
            }
        }
    };
}

impl Rules {
    pub const ALL: [Self; 2] = [Self::Mnk, Self::ConnectFour];

    /// Returns the word for the game in databases, addresses and on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mnk => "ttt",
            Self::ConnectFour => "connect4",
        }
    }

    #[must_use]
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Mnk => &["tictactoe", "tic-tac-toe"],
            Self::ConnectFour => &["c4", "connect-4", "connectfour", "connect-four"],
        }
    }

    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.word() == word)
    }

    pub const fn about(self) -> &'static str {
        match self {
            Self::Mnk => "Tic-tac-toe and other m,n,k boards",
            Self::ConnectFour => "Connect Four",
        }
    }

    /// Returns true if a move is a column, in which a stone falls to the lowest empty cell; else it
    /// is an empty cell.
    pub const fn stones_fall(self) -> bool {
        matches!(self, Self::ConnectFour)
    }

    pub const fn usual(self) -> Size {
        match self {
            Self::Mnk => Size { width: 3, height: 3, line: 3 },
            Self::ConnectFour => Size { width: 7, height: 6, line: 4 },
        }
    }

    /// Returns the size of a board, with usual values for what is left out.
    ///
    /// Fails if a dimension or the line length is zero, or a line that was chosen fits nowhere on the
    /// board. The usual line is taken on every board: if it fits nowhere, every game is a draw.
    pub fn size(self, board: Option<Board>, line: Option<u8>) -> Result<Size, SizeError> {
        let usual = self.usual();
        let Board { width, height } =
            board.unwrap_or(Board { width: usual.width, height: usual.height });
        let size = Size::new(width, height, line.unwrap_or(usual.line))?;
        match size.line > width.max(height) && size.line != usual.line {
            true => Err(SizeError::LongLine(size)),
            false => Ok(size),
        }
    }

    pub fn name(self, size: Size) -> &'static str {
        match self {
            Self::Mnk if size == self.usual() => "Tic-tac-toe",
            Self::Mnk => "m,n,k board",
            Self::ConnectFour => "Connect Four",
        }
    }

    /// Returns the rules in a sentence, for lines of this length.
    pub fn sentence(self, line: u8) -> String {
        let place = match self {
            Self::Mnk => "stones go on any empty cell",
            Self::ConnectFour => "stones fall to the lowest empty cell of a column",
        };
        format!(
            "two sides place stones in turn, {place}; the first {line} in a row, horizontally, \
             vertically or diagonally, win; a full board without them is a draw"
        )
    }

    pub fn title(self, size: Size) -> String {
        match self {
            Self::Mnk if size == self.usual() => format!("{} ({size})", self.name(size)),
            _ => format!("{} {size}", self.name(size)),
        }
    }
}
