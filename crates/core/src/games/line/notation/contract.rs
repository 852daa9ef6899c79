//! The [`Notation`] and drawing of games of stones and lines.

use super::{
    IndexBase, TextBoard, move_style, parse_moves, parse_moves_from, picture, side_to_move,
    some_moves_to,
};
use crate::game::{Drawn, Look, Move, MoveStyle, Notation, Pieces, ReadPicture, Unreadable};
use crate::games::line::connect_four::{Columns, ConnectFour};
use crate::games::line::mnk::Geometry;
use crate::games::line::{LineGame, Mnk, Rules, Shape, Stones, Word};

/// Returns the cell that a move takes, as column and row from the top left.
fn landing<W: Word, G: LineGame<W>>(game: &G, position: Stones<W>, m: Move) -> Option<(u8, u8)> {
    let taken = game.play(position, m).occupied() ^ position.occupied();
    let size = game.size();
    let cells = (0..size.height).flat_map(|row| (0..size.width).map(move |column| (column, row)));
    cells.into_iter().find(|&(column, row)| game.cell(column.into(), row.into()) == taken)
}

macro_rules! notation {
    ([$($generics:tt)*] $game:ty, $word:ty, $rules:expr, $help:literal) => {
        impl<$($generics)*> Notation for $game {
            const MOVE_STYLE: MoveStyle = move_style($rules);
            const POSITION_HELP: &'static str = $help;

            fn parameters(&self) -> [u8; 3] {
                self.size().parameters()
            }

            fn title(&self) -> String {
                $rules.title(self.size())
            }

            /// Returns the number of the column or cell, counted from 1.
            fn write_move(&self, m: Move) -> String {
                m.number().to_string()
            }

            fn picture(&self, position: Stones<$word>) -> String {
                picture(self, position)
            }

            fn to_move(&self, position: Stones<$word>) -> Option<char> {
                Some(side_to_move(position))
            }

            fn parse_position(&self, text: &str) -> Result<Stones<$word>, Unreadable> {
                parse_moves(self, text)
            }

            fn parse_line(&self, text: &str) -> Result<Vec<Move>, Unreadable> {
                parse_moves_from(self, text, IndexBase::One).map(|(_, moves)| moves)
            }

            fn separator(&self) -> &'static str {
                if IndexBase::One.digits_are_moves(TextBoard::of(self)) { "" } else { "," }
            }

            fn write_line(&self, moves: &[Move]) -> String {
                super::write_moves(self, moves)
            }

            fn parse_picture(&self, text: &str) -> ReadPicture<Stones<$word>, Move> {
                let (position, moves) = super::parse_picture(self, text)?;
                Ok(Some((position, Some(moves))))
            }

            fn check_reached(&self, position: Stones<$word>) -> Result<(), Unreadable> {
                some_moves_to(self, position).map(drop)
            }
        }

        impl<$($generics)*> Drawn for $game {
            fn squares(&self, position: Stones<$word>, m: Move) -> Vec<(u8, u8)> {
                landing(self, position, m).into_iter().collect()
            }

            fn look(&self) -> Look {
                let pieces = match self.rules() {
                    Rules::Mnk => Pieces::Strokes,
                    Rules::ConnectFour => Pieces::Discs,
                };
                Look { pieces, ..Look::default() }
            }
        }
    };
}

notation!([S: Shape<Geometry>] Mnk<S>, u64, Rules::Mnk, "the cells played, from 1 row by row");
notation!([S: Columns] ConnectFour<S>, S::Word, Rules::ConnectFour, "the columns played, from 1");
