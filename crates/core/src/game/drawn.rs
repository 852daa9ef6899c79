//! Games on drawn boards, and the words beside them.

use super::Notation;

/// A game with drawings. The defaults draw the [`picture`](Notation::picture), without places of moves.
#[expect(unused_variables, reason = "a default may need no parameter")]
pub trait Drawn: Notation {
    /// The characters of the [`picture`](Notation::picture) that a move goes through, as column and
    /// row from the top left; the last one is where it lands. Empty if the picture does not show
    /// the move.
    fn squares(&self, position: Self::Position, m: Self::Move) -> Vec<(u8, u8)> {
        Vec::new()
    }

    /// The look of its drawn boards.
    fn look(&self) -> Look {
        Look::default()
    }

    /// The position for a drawing, rows separated by `/`: by default the [`picture`](Notation::picture).
    fn drawn(&self, position: Self::Position) -> String {
        self.picture(position)
    }

    /// The [`squares`](Self::squares) of a move on the [drawing](Self::drawn).
    fn drawn_squares(&self, position: Self::Position, m: Self::Move) -> Vec<(u8, u8)> {
        self.squares(position, m)
    }

    /// A sentence about the part of the position that the drawing does not show.
    fn beside(&self, position: Self::Position) -> Option<String> {
        None
    }

    /// Sentences about a position in the words of the game, such as its threats: facts that the rules
    /// show without a search, listed among the reasons for the position's value.
    fn remark(&self, position: Self::Position) -> Option<String> {
        None
    }
}

/// The look of a drawn board. Its characters are stones `X` and `O`, pieces with other letters, `*`
/// for stones that both sides take, `+` for the corners of edges, and `.` for free places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Pairs of places that lines join, as column and row from the top left. Without lines the
    /// board has squares; with lines it has only the points at their ends.
    pub lines: Vec<[(u8, u8); 2]>,
    /// The look of stones and of pieces with letters.
    pub pieces: Pieces,
}

/// The look of stones and pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pieces {
    /// Round stones.
    #[default]
    Discs,
    /// Crosses and rings, as a pen draws them.
    Strokes,
    /// Tiles that point to the other side, as in shogi.
    Tiles,
    /// Round stones by size: these letters, from the smallest.
    Sizes(&'static str),
}
