//! Rules only: what a position is, which moves it has, when the game is over. No search.
//!
//! # Adding a game
//! Implement [`Game`] for a small `Copy` value that holds the dimensions, and let the law tests
//! in `laws.rs` run over it. Notation, engines, database and exports then work on it.

mod any;
mod connect_four;
pub mod contract;
#[cfg(test)]
pub(crate) mod laws;
mod lines;
mod mnk;
mod moves;
pub mod notation;
mod size;
mod value;
mod word;

pub(crate) use any::with_game;
pub use any::{AnyGame, AnyGameError, Rules};
pub use connect_four::{ConnectFour, ConnectFourIn, Standard, Wide};
pub use lines::Lines;
pub use mnk::{Mnk, TicTacToe};
pub use moves::{IllegalMove, Move, MoveSet, Moves};
pub use size::{AnySize, Board, Fixed, Shape, Size, SizeError};
pub use value::{Outcome, Ply, Remoteness, Value};
pub use word::{Bits, Word};

use std::fmt::Debug;

/// A position's name: equal keys mean equal positions of one board (never a hash).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key<W = u64>(pub W);

/// One of the symmetries of a board, as a number below [`Game::symmetries`]; 0 changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(pub u8);

impl Symmetry {
    /// The symmetry that leaves every cell where it is.
    pub const IDENTITY: Self = Self(0);
}

/// The stones of both sides as bit masks, seen from the side to move. Which bit is which cell is
/// the game's affair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stones<W = u64> {
    /// Stones of the side to move.
    pub own: W,
    /// Stones of the side that moved last.
    pub other: W,
}

impl<W: Word> Stones<W> {
    /// The occupied cells.
    #[inline(always)]
    #[must_use]
    pub fn occupied(self) -> W {
        self.own | self.other
    }

    /// The stones of the first and of the second player.
    #[inline]
    #[must_use]
    pub fn by_player(self) -> (W, W) {
        if self.occupied().count_ones().is_multiple_of(2) {
            (self.own, self.other)
        } else {
            (self.other, self.own)
        }
    }

    /// The position with these stones of the first and of the second player.
    #[inline]
    #[must_use]
    pub fn from_players(first: W, second: W) -> Self {
        if (first | second).count_ones().is_multiple_of(2) {
            Self { own: first, other: second }
        } else {
            Self { own: second, other: first }
        }
    }

    /// The number of stones on the board, which is the number of moves played.
    #[inline(always)]
    #[must_use]
    pub fn ply(self) -> Ply {
        Ply(self.occupied().count_ones() as u8)
    }
}

/// What the moves of a position lead to: how many there are, and how many end the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Continuations {
    /// Moves.
    pub nodes: u64,
    /// Moves that complete a line.
    pub lines: u64,
    /// Moves that fill the board without a line.
    pub draws: u64,
}

/// The rules of a two-player game in which the sides place stones in turn and the first line
/// (k in a row) wins; a full board without one is a draw.
///
/// # Laws
/// Checked for every game by the tests in `laws.rs`; `g` is a game, `p` a reachable position.
///
/// 1. `g.moves(p)` depends on the occupied cells alone and is empty exactly if the board is
///    full. A finished line does not empty it: [`terminal`](Self::terminal) says whether play
///    has ended. (The full-board counting rule is built on this.)
/// 2. Moves are visited in ascending order.
/// 3. `play` adds one stone: `g.ply(play(p, m)) == g.ply(p) + 1`, and the sides change.
///    `take_back(play(p, m), m) == p`, and `m` is among `last_moves(play(p, m))`.
/// 4. `winning_moves(p)` are the moves whose result is a loss for the side then to move.
/// 5. `position_of(key(p)) == Some(p)`, and equal keys mean equal positions.
/// 6. `canonical(p)` is the same for all symmetric images of `p`; images have the same value,
///    and a move's image leads to the image of its result.
///
/// # Words
/// `W` holds a board; a game has one such word. Almost everything is made for boards of 64 bits,
/// which is what `Game` means by itself; what also works on larger boards asks for a `Game<W>`.
pub trait Game<W: Word = u64>: Copy + Debug + Send + Sync {
    /// The dimensions of the board and its line length.
    fn size(&self) -> Size;

    /// The word for the game in databases and on the command line.
    fn name(&self) -> &'static str;

    /// The lines of the board, on the bit masks of [`Stones`].
    fn lines(&self) -> &Lines<W>;

    /// The bit of the cell in this column and row, counted from 0 at the top left.
    fn cell(&self, column: u32, row: u32) -> W;

    /// The moves of a position, whether or not a line is complete (law 1).
    fn moves(&self, position: Stones<W>) -> MoveSet;

    /// The position after a move, unchecked: for engines, which play what
    /// [`moves`](Self::moves) gave them. Moves from anywhere else belong to
    /// [`try_play`](Self::try_play).
    ///
    /// The move must be one of `moves(position)`; a complete line does not forbid it (law 1). The
    /// result of any other move is no position of the game.
    ///
    /// # Panics
    /// In builds with debug assertions, if `m` is not one of the moves.
    fn play(&self, position: Stones<W>, m: Move) -> Stones<W>;

    /// The moves that could have been the last one, by whose stone could be taken back: all of
    /// them placed a stone of the side that moved last.
    fn last_moves(&self, position: Stones<W>) -> MoveSet;

    /// The position before a move of [`last_moves`](Self::last_moves), unchecked. The result of
    /// any other move is no position of the game.
    ///
    /// # Panics
    /// In builds with debug assertions, if `m` is not one of those moves.
    fn take_back(&self, position: Stones<W>, m: Move) -> Stones<W>;

    /// The moves of a position that place their stone on one of these cells.
    fn moves_to(&self, position: Stones<W>, cells: W) -> MoveSet;

    /// The position's key; injective over the positions of one board.
    fn key(&self, position: Stones<W>) -> Key<W>;

    /// The number of low bits that hold every key of the board.
    fn key_bits(&self) -> u32;

    /// The position with this key; `None` if no placement of stones has it.
    fn position_of(&self, key: Key<W>) -> Option<Stones<W>>;

    /// How many symmetries the board has.
    fn symmetries(&self) -> u8;

    /// The key of the position's image under a symmetry.
    fn image_key(&self, position: Stones<W>, symmetry: Symmetry) -> Key<W>;

    /// The image of a move under a symmetry.
    fn image_move(&self, m: Move, symmetry: Symmetry) -> Move;

    /// The symmetry that undoes this one.
    fn inverse(&self, symmetry: Symmetry) -> Symmetry;

    /// All moves of the board, from the centre outwards; among equals the lower number first.
    fn centre_first(&self) -> &[Move];

    /// The empty board.
    #[inline(always)]
    fn initial(&self) -> Stones<W> {
        Stones::default()
    }

    /// The number of moves played.
    #[inline(always)]
    fn ply(&self, position: Stones<W>) -> Ply {
        position.ply()
    }

    /// How many moves are left if nobody completes a line.
    #[inline(always)]
    fn plies_left(&self, position: Stones<W>) -> u32 {
        self.size().cells() - u32::from(position.ply().0)
    }

    /// The result if the game is over, for the side to move: a loss if the last move completed a
    /// line, a draw if the board is full, `None` while play goes on.
    #[inline(always)]
    fn terminal(&self, position: Stones<W>) -> Option<Outcome> {
        if self.lines().is_complete(position.other) {
            Some(Outcome::Loss)
        } else if self.plies_left(position) == 0 {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    /// The cells that complete a line of these stones, whether or not they are free.
    #[inline(always)]
    fn completing_cells(&self, stones: W) -> W {
        self.lines().completing_cells(stones)
    }

    /// The moves that complete a line (law 4).
    #[inline(always)]
    fn winning_moves(&self, position: Stones<W>) -> MoveSet {
        self.moves_to(position, self.completing_cells(position.own))
    }

    /// The position after a move, whatever the move.
    ///
    /// # Errors
    /// If the board has no such move, the game is over, or the column is full or the cell taken;
    /// the error names the move and the rule.
    ///
    /// ```
    /// use everyply::game::{Game, Move, Standard, notation::parse_moves};
    /// let game = Standard::fixed();
    /// let position = parse_moves(&game, "444444").unwrap();
    /// assert_eq!(game.try_play(position, Move(2)), Ok(parse_moves(&game, "4444443").unwrap()));
    /// let full = game.try_play(position, Move(3)).unwrap_err();
    /// assert_eq!(full.to_string(), "move 4: column 4 is full");
    /// ```
    fn try_play(&self, position: Stones<W>, m: Move) -> Result<Stones<W>, IllegalMove> {
        let place = notation::place_word(self);
        let most = self.centre_first().len() as u32;
        if u32::from(m.0) >= most {
            return Err(IllegalMove::NotOnBoard { tried: m, place, most });
        }
        if let Some(outcome) = self.terminal(position) {
            let winner = (outcome == Outcome::Loss).then(|| notation::side_moved_last(position));
            return Err(IllegalMove::AlreadyOver { tried: m, winner });
        }
        if !self.moves(position).contains(m) {
            let state = notation::occupied_word(self);
            return Err(IllegalMove::NotPlayable { tried: m, place, state });
        }
        Ok(self.play(position, m))
    }

    /// The least key among the symmetric images, with the symmetry that leads to it.
    #[inline]
    fn canonical(&self, position: Stones<W>) -> (Key<W>, Symmetry) {
        let mut best = (self.key(position), Symmetry::IDENTITY);
        for symmetry in (1..self.symmetries()).map(Symmetry) {
            let key = self.image_key(position, symmetry);
            if key < best.0 {
                best = (key, symmetry);
            }
        }
        best
    }

    /// The image of a set of moves under a symmetry.
    fn image_moves(&self, moves: MoveSet, symmetry: Symmetry) -> MoveSet {
        moves.into_iter().map(|m| self.image_move(m, symmetry)).collect()
    }

    /// What the moves of a position that is not over lead to.
    #[inline(always)]
    fn continuations(&self, position: Stones<W>) -> Continuations {
        let moves = self.moves(position);
        let nodes = u64::from(moves.len());
        let lines = u64::from(self.winning_moves(position).len());
        let draws = if self.plies_left(position) == 1 { nodes - lines } else { 0 };
        Continuations { nodes, lines, draws }
    }

    /// What two plies lead to from a position that is not over: the continuations, and the
    /// continuations of all the positions they lead to, counted together.
    ///
    /// `completing` are the [`completing_cells`](Self::completing_cells) of the side to move: a
    /// walker knows them, for they are the same in all positions one move below another.
    ///
    /// Games override this with a count on whole masks, which saves a walker its last two plies.
    #[inline(always)]
    fn two_plies(&self, position: Stones<W>, completing: W) -> [Continuations; 2] {
        let first = self.continuations(position);
        let mut second = Continuations::default();
        if first.draws == 0 {
            for m in self.moves(position).without(self.moves_to(position, completing)) {
                let next = self.continuations(self.play(position, m));
                second.nodes += next.nodes;
                second.lines += next.lines;
                second.draws += next.draws;
            }
        }
        [first, second]
    }
}
