//! Stones and lines: games in which the sides place stones in turn and the first line (k in a row)
//! wins; a full board without one is a draw.
//!
//! [`LineGame`] has what engines for these games need beyond the [contract](crate::game):
//! [m,n,k games](Mnk), tic-tac-toe among them, and [Connect Four](ConnectFour).
//!
//! # Adding a game of stones and lines
//! Implement the contract and [`LineGame`] for a small `Copy` value that holds the dimensions, and
//! let the tests of `tests/lines.rs` run over it.

mod board_rules;
mod connect_four;
mod estimate;
mod evaluate;
mod full_board;
mod lines;
mod mnk;
pub mod notation;
mod registered;
mod size;
mod values;

// Macros for other crates are exported at the root of this one.
pub use super::super::on_board;
pub use board_rules::Rules;
pub use connect_four::{ConnectFour, ConnectFourIn, Standard, Wide};
pub use estimate::GraphEstimate;
pub use evaluate::evaluate;
pub use full_board::{FullBoard, groups};
pub use lines::{Lines, completing_fours, short_lines};
pub use mnk::{Mnk, TicTacToe};
pub use size::{AnySize, Board, Fixed, Shape, Size, SizeError};

pub use crate::game::Word;
use crate::game::{
    Continuations, Evaluate, Game, GameId, Key, Move, MoveSet, Outcome, Perft, Ply, Symmetric,
    Symmetry, Tiered, Unreadable, Urgent,
};

/// The stones of both sides as bit masks, seen from the side to move. Each game lays out its cells
/// in the bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stones<W = u64> {
    /// Stones of the side to move.
    pub own: W,
    /// Stones of the side that moved last.
    pub other: W,
}

impl<W: Word> Stones<W> {
    #[inline(always)]
    pub fn occupied(self) -> W {
        self.own | self.other
    }

    #[inline]
    pub fn by_player(self) -> (W, W) {
        if self.occupied().count_ones().is_multiple_of(2) {
            (self.own, self.other)
        } else {
            (self.other, self.own)
        }
    }

    #[inline]
    pub fn from_players(first: W, second: W) -> Self {
        if (first | second).count_ones().is_multiple_of(2) {
            Self { own: first, other: second }
        } else {
            Self { own: second, other: first }
        }
    }

    #[inline(always)]
    pub fn ply(self) -> Ply {
        Ply(self.occupied().count_ones() as u8)
    }
}

/// The rules of a game of stones and lines, beyond the [contract](crate::game).
///
/// # Laws
/// Tested for every game by `tests/lines.rs`; `g` is a game, `p` a reachable position.
///
/// 1. `g.moves(p)` depends on the occupied cells alone and is empty exactly if the board is
///    full. A finished line does not empty it: [`result`](Game::result) says whether play
///    has ended. (The full-board counting rule is built on this.)
/// 2. `play` adds one stone: `g.ply(play(p, m)) == g.ply(p) + 1`, and the sides change.
///    `take_back(play(p, m), m) == p`, and `m` is among `last_moves(play(p, m))`.
/// 3. `winning_moves(p)` are the moves whose result is a loss for the side then to move.
///
/// # Words
/// A board fits a word `W`; each game has one such word. A bare `LineGame` has boards of 64 bits, which
/// every engine supports; code for larger boards takes a `LineGame<W>`.
pub trait LineGame<W: Word = u64>:
    Copy
    + Game<Position = Stones<W>, Move = Move, Moves = MoveSet<u64>>
    + Symmetric<Key = Key<W>>
    + Tiered
    + Evaluate
    + Perft<Shared = W>
{
    fn size(&self) -> Size;

    fn rules(&self) -> Rules;

    fn name(&self) -> &'static str {
        self.rules().word()
    }

    fn game_id(&self) -> GameId {
        GameId::new(self.name(), self.size().parameters())
    }

    /// Returns the lines of the board, on the bit masks of [`Stones`].
    fn lines(&self) -> &Lines<W>;

    /// Returns the bit of the cell in this column and row, counted from 0 at the top left.
    fn cell(&self, column: u32, row: u32) -> W;

    /// Returns the moves that could have been the last; [`take_back`](Self::take_back) undoes them.
    fn last_moves(&self, position: Stones<W>) -> MoveSet<u64>;

    /// Returns the position before a move of [`last_moves`](Self::last_moves), unchecked.
    fn take_back(&self, position: Stones<W>, m: Move) -> Stones<W>;

    /// Returns the empty cells that a stone may take next.
    fn playable(&self, position: Stones<W>) -> W;

    /// Returns the cells that become playable when these are taken.
    #[inline(always)]
    fn above(&self, cells: W) -> W {
        let _ = cells;
        W::ZERO
    }

    /// Returns the cell of a move's stone.
    fn landing(&self, position: Stones<W>, m: Move) -> W;

    /// Returns the number of empty cells, given the playable ones.
    #[inline(always)]
    fn empty(&self, position: Stones<W>, playable: W) -> u32 {
        let _ = playable;
        self.plies_left(position)
    }

    /// Returns the moves of a position that place their stone on one of these cells.
    fn moves_to(&self, position: Stones<W>, cells: W) -> MoveSet<u64>;

    fn inverse(&self, symmetry: Symmetry) -> Symmetry;

    /// Returns all moves of the board from the centre outwards, lower numbers first among equals.
    fn centre_first(&self) -> &[Move];

    #[inline(always)]
    fn ply(&self, position: Stones<W>) -> Ply {
        position.ply()
    }

    /// Returns the cells that complete a line of these stones, whether or not they are free.
    #[inline(always)]
    fn completing_cells(&self, stones: W) -> W {
        self.lines().completing_cells(stones)
    }

    /// Returns the moves that complete a line (law 3).
    #[inline(always)]
    fn winning_moves(&self, position: Stones<W>) -> MoveSet<u64> {
        self.moves_to(position, self.completing_cells(position.own))
    }

    /// Returns the position after a move, or the reason why it cannot be played.
    ///
    /// ```
    /// # use everyply_core as everyply;
    /// use everyply::game::Move;
    /// use everyply::games::line::{LineGame, Standard, notation::parse_moves};
    /// let game = Standard::fixed();
    /// let position = parse_moves(&game, "444444").unwrap();
    /// assert_eq!(game.try_play(position, Move(2)), Ok(parse_moves(&game, "4444443").unwrap()));
    /// let full = game.try_play(position, Move(3)).unwrap_err();
    /// assert_eq!(full.to_string(), "move 4: column 4 is full");
    /// ```
    fn try_play(&self, position: Stones<W>, m: Move) -> Result<Stones<W>, Unreadable> {
        let (number, place) = (m.number(), notation::move_style(self.rules()).word());
        let most = self.centre_first().len() as u32;
        Err(Unreadable(match self.result(position) {
            _ if number > most => {
                format!("move {number} is not on the board: a move is a {place} from 1 to {most}")
            }
            Some(Outcome::Loss) => {
                let winner = notation::side_moved_last(position);
                format!("move {number}: the game is over, {winner} has won")
            }
            Some(_) => format!("move {number}: the game is over, the board is full"),
            None if self.moves(position).contains(m) => return Ok(self.play(position, m)),
            None => {
                let state = notation::occupied_word(self);
                format!("move {number}: {place} {number} is {state}")
            }
        }))
    }
}

/// Returns a loss if the last move completed a line, a draw if the board is full.
#[inline(always)]
fn result<W: Word>(game: &impl LineGame<W>, position: Stones<W>) -> Option<Outcome> {
    if game.lines().is_complete(position.other) {
        Some(Outcome::Loss)
    } else if game.plies_left(position) == 0 {
        Some(Outcome::Draw)
    } else {
        None
    }
}

#[inline(always)]
fn continuations<W: Word>(
    game: &impl LineGame<W>,
    position: Stones<W>,
    completing: W,
) -> Continuations {
    let playable = game.playable(position);
    let nodes = u64::from(playable.count_ones());
    let wins = u64::from((completing & playable).count_ones());
    let draws = if game.empty(position, playable) == 1 { nodes - wins } else { 0 };
    Continuations { nodes, wins, draws }
}

/// Counts two plies. With P the playable cells, Q the cells of P that do not win, and T the cells that
/// complete a line of the other side: a move q of Q leaves P without q, and the cell above q, if there
/// is one. Summed over Q, each term is one population count.
#[inline(always)]
fn two_plies<W: Word>(
    game: &impl LineGame<W>,
    position: Stones<W>,
    completing: W,
) -> [Continuations; 2] {
    let count = |cells: W| u64::from(cells.count_ones());
    let playable = game.playable(position);
    let left = game.empty(position, playable);
    let winning = completing & playable;
    let (nodes, wins) = (count(playable), count(winning));
    let first = Continuations { nodes, wins, draws: if left == 1 { nodes - wins } else { 0 } };
    if left == 1 {
        return [first, Continuations::default()];
    }
    let quiet = playable & !winning;
    let above = game.above(quiet);
    let threats = game.completing_cells(position.other);
    let nodes = count(quiet) * (first.nodes - 1) + count(above);
    let wins =
        count(quiet) * count(threats & playable) - count(threats & quiet) + count(threats & above);
    let draws = if left == 2 { nodes - wins } else { 0 };
    [first, Continuations { nodes, wins, draws }]
}

/// Points for a cell that completes a line, in the order of a search.
const THREAT: i32 = 1 << 11;

#[inline(always)]
fn prospect<W: Word>(game: &impl LineGame<W>, next: Stones<W>) -> i32 {
    let threats = game.completing_cells(next.other) & !next.own;
    -game.evaluate(next) + THREAT * threats.count_ones() as i32
}

/// A stone in one of two cells that win for the other side leaves the second to it, since a playable
/// cell stays playable until it is taken.
#[inline(always)]
fn urgent<W: Word>(game: &impl LineGame<W>, position: Stones<W>) -> Urgent {
    let playable = game.playable(position);
    let wins = game.completing_cells(position.own) & playable;
    if wins != W::ZERO {
        return Urgent::Win;
    }
    let replies = game.completing_cells(position.other) & playable;
    match replies {
        none if none == W::ZERO => Urgent::ALL,
        one if one == one.lowest() => Urgent::Only(game.moves_to(position, one)),
        _ => Urgent::Loss,
    }
}

/// A side wins only with a line that has no stone of the other, and if no cell waits for another, only with
/// enough such lines.
#[inline(always)]
fn possible<W: Word>(game: &impl LineGame<W>, position: Stones<W>) -> [Outcome; 2] {
    let lines = game.lines();
    let is_free = game.above(game.playable(position)) == W::ZERO;
    let may_win = |own: W, other: W, moves_next: bool| match is_free {
        true => !is_harmless(lines.weight(own, other), lines.length(), moves_next),
        false => lines.is_open(other),
    };
    let Stones { own, other } = position;
    [
        if may_win(other, own, false) { Outcome::Loss } else { Outcome::Draw },
        if may_win(own, other, true) { Outcome::Win } else { Outcome::Draw },
    ]
}

/// Returns true if a side completes no line against good play: `weight` is 2 to the number of its stones,
/// summed over the lines of this length without a stone of the other side, and each open cell stays open to
/// both sides until it is taken.
///
/// Proof (P. Erdős and J. L. Selfridge, On a combinatorial game, Journal of Combinatorial Theory A 14, 1973):
/// let the other side always take the cell that takes off the most weight. Before its move the weight is below
/// that of one whole line. Then the first side's next move adds at most what was taken off, since each line
/// through its cell is doubled, and the lines through that cell weighed no more: so the weight stays below, and
/// no line is ever whole. A move of the first side before all this doubles the weight at most.
#[inline(always)]
const fn is_harmless(weight: u64, length: u32, moves_next: bool) -> bool {
    weight << moves_next as u32 >> length == 0
}

/// Returns the number of stones between two positions; `None` if a stone of the first is not in the
/// second, or if the line of the second was complete before.
fn plies_between<W: Word, G: LineGame<W>>(game: &G, from: Stones<W>, to: Stones<W>) -> Option<u32> {
    if from == to {
        return Some(0);
    }
    let (before, after) = (from.by_player(), to.by_player());
    let taken = before.0 & !after.0 | before.1 & !after.1;
    // A search for a way begins at the empty board, and ends there if it gets `None`.
    if taken != W::ZERO || from.occupied() == W::ZERO && game.lines().is_complete(to.own) {
        return None;
    }
    if game.lines().is_complete(to.other) {
        let is_last = |m: &Move| {
            let previous = game.take_back(to, *m);
            let stone = previous.own ^ to.other;
            from.occupied() & stone == W::ZERO && !game.lines().is_complete(previous.own)
        };
        game.last_moves(to).into_iter().find(is_last)?;
    }
    (to.ply().0).checked_sub(from.ply().0).map(u32::from)
}

macro_rules! rules {
    ($word:ty) => {
        type Position = Stones<$word>;
        type Move = Move;
        type Moves = MoveSet<u64>;

        #[inline(always)]
        fn initial(&self) -> Stones<$word> {
            Stones::default()
        }

        #[inline(always)]
        fn result(&self, position: Stones<$word>) -> Option<Outcome> {
            super::result(self, position)
        }

        fn most_moves(&self) -> u32 {
            self.centre_first().len() as u32
        }

        /// Columns and cells have numbers that never change.
        #[inline(always)]
        fn bit(&self, _: u32, m: Move) -> u32 {
            u32::from(m.0)
        }

        fn plies_between(&self, from: Stones<$word>, to: Stones<$word>) -> Option<u32> {
            super::plies_between(self, from, to)
        }
    };
}

macro_rules! capabilities {
    ([$($generics:tt)*] $game:ty, $word:ty) => {
        impl<$($generics)*> Tiered for $game {
            #[inline(always)]
            fn plies_left(&self, position: Stones<$word>) -> u32 {
                self.size().cells() - u32::from(position.ply().0)
            }

            /// A draw is a full board.
            #[inline(always)]
            fn plies_to_draw(&self, position: Stones<$word>) -> Option<u32> {
                Some(self.plies_left(position))
            }

            #[inline(always)]
            fn last_move_wins(&self) -> bool {
                true
            }
        }

        impl<$($generics)*> Evaluate for $game {
            #[inline(always)]
            fn evaluate(&self, position: Stones<$word>) -> i32 {
                super::evaluate(self, position)
            }

            /// A percent for every stone on the board.
            #[inline(always)]
            fn discount(&self, plies_left: u32) -> u32 {
                self.size().cells() - plies_left
            }

            #[inline(always)]
            fn prospect(&self, next: Stones<$word>, _: bool) -> i32 {
                super::prospect(self, next)
            }

            #[inline(always)]
            fn habit(&self, position: Stones<$word>, (_, m): (u32, Move)) -> u8 {
                self.landing(position, m).trailing_zeros() as u8
            }

            #[inline(always)]
            fn urgent(&self, position: Stones<$word>) -> Urgent {
                super::urgent(self, position)
            }

            #[inline(always)]
            fn possible(&self, position: Stones<$word>) -> [Outcome; 2] {
                super::possible(self, position)
            }

            /// The nearer to the centre, the more promising.
            fn promise(&self, _: Stones<$word>, m: Move) -> i32 {
                let order = self.centre_first();
                -(order.iter().position(|other| *other == m).map_or(0, |place| place as i32))
            }

            #[inline(always)]
            fn in_order(&self, position: Stones<$word>) -> impl Iterator<Item = (u32, Move)> {
                let moves = self.moves(position);
                let mut order = self.centre_first().iter();
                // Written out, since adapters are not inlined across codegen units.
                std::iter::from_fn(move || {
                    loop {
                        let &m = order.next()?;
                        if moves.contains(m) {
                            return Some((u32::from(m.0), m));
                        }
                    }
                })
            }
        }

        impl<$($generics)*> Perft for $game {
            /// The cells that complete a line of the side to move: its stones are the same whatever the
            /// other side played last.
            type Shared = $word;

            #[inline(always)]
            fn shared(&self, position: Stones<$word>) -> $word {
                self.completing_cells(position.own)
            }

            #[inline(always)]
            fn shared_below(&self, position: Stones<$word>) -> $word {
                self.completing_cells(position.other)
            }

            #[inline(always)]
            fn quiet_moves(&self, position: Stones<$word>, completing: $word) -> MoveSet<u64> {
                if self.plies_left(position) == 1 {
                    return MoveSet::EMPTY;
                }
                self.moves(position).without(self.moves_to(position, completing))
            }

            #[inline(always)]
            fn continuations(&self, position: Stones<$word>, completing: $word) -> Continuations {
                super::continuations(self, position, completing)
            }

            #[inline(always)]
            fn two_plies(&self, position: Stones<$word>, completing: $word) -> [Continuations; 2] {
                super::two_plies(self, position, completing)
            }
        }
    };
}
use {capabilities, rules};
