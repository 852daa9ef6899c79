//! The traits a game implements to be used by engines, the database and the command line.
//!
//! Any finite game of two sides with full information and without chance fits: stones or none,
//! moves of any shape, moves after which the same side moves again, games that the last move
//! loses, positions that come back. [`Game`] is the rules alone. The other traits are capabilities,
//! which a game implements if it has them:
//!
//! | trait | addition | users |
//! |---|---|---|
//! | [`Keyed`] | a key for every position | everything that remembers positions |
//! | [`Symmetric`] | images with the same value | everything that keeps one position for all its images |
//! | [`Ranked`] | a number for every position | engines for more positions than memory holds keys |
//! | [`Tiered`] | a bound on the plies left, so that play ends | solutions tier by tier, searches |
//! | [`Evaluate`] | points and a move order | depth-limited searches |
//! | [`Perft`] | the last plies counted without visiting them | the walk over all histories |
//! | [`Notation`] | names, texts and pictures | the command line and every output |
//! | [`Drawn`] | places of moves, drawings, remarks | the explorer, and reasons in words |
//!
//! A game without symmetries, or without an evaluation, has an empty `impl Symmetric for MyGame {}`
//! or `impl Evaluate for MyGame {}`: the defaults are right for it.
//!
//! [`laws`] tests the laws for any game.

#![deny(missing_docs)]

mod drawn;
mod id;
pub mod laws;
mod list;
mod moves;
mod notation;
mod perft;
mod ranked;
mod reach;
mod registered;
mod urgent;
mod value;
mod word;

pub use drawn::{Drawn, Look, Pieces};
pub use id::GameId;
pub(crate) use list::sort_by_key;
pub use list::{MoveList, MoveListIter};
pub use moves::{Move, MoveSet, Moves};
pub(crate) use notation::unbracketed;
pub use notation::{
    MoveStyle, Notation, Pictured, ReadPicture, Unreadable, bracketed, csv_list, csv_list_of,
    parse_moves,
};
pub use perft::{Continuations, Perft};
pub use ranked::{Ranked, Tier, TierId, tiers_below};
pub use reach::{Unreached, shortest_moves};
pub use registered::{Chosen, GameKey, Parameter, ParameterKind, Registered, Shown};
pub use urgent::Urgent;
#[cfg(feature = "serde")]
pub use value::ValueRow;
pub use value::{
    Outcome, PartialValue, Ply, PositionRow, Remoteness, Value, ValueBounds, ValueWithBest, best_of,
};
pub use word::Word;

use std::fmt::Debug;
use std::hash::Hash;

/// The number of a position: equal keys mean equal positions of one board (never a hash).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key<W = u64>(pub W);

/// A symmetry of a game, as a number below [`Symmetric::symmetries`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(pub u8);

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Self = Self(0);
}

/// The rules of a game.
///
/// # Laws
/// `p` is a position that play reaches from [`initial`](Self::initial).
///
/// 1. `moves` is called only for positions without a result, and returns at least one move and at
///    most [`most_moves`](Self::most_moves), in ascending order.
/// 2. Results and values are for the side to move: the one that would make the next move.
/// 3. After a move the other side is to move, unless [`keeps_turn`](Self::keeps_turn) is true, which
///    depends only on the positions before and after: two moves from one position to another agree.
/// 4. What may follow depends on the position alone, not on the moves that led to it.
#[expect(unused_variables, reason = "a default may need no parameter")]
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A position: all that the rest of the game depends on.
    type Position: Copy + Debug + Eq + Send + Sync;
    /// A move.
    type Move: Copy + Debug + Ord + Send + Sync;
    /// The moves of a position: [`MoveList`] suits every game.
    type Moves: IntoIterator<Item = Self::Move>;
    /// True if each side plays for the most [points](Self::points) at the end.
    const COUNTS_POINTS: bool = false;

    /// The position that play starts from.
    fn initial(&self) -> Self::Position;

    /// The result for the side to move if the game is over, `None` while play continues.
    fn result(&self, position: Self::Position) -> Option<Outcome>;

    /// The moves of a position without a result, ascending.
    fn moves(&self, position: Self::Position) -> Self::Moves;

    /// The position after one of its [`moves`](Self::moves), unchecked.
    fn play(&self, position: Self::Position, m: Self::Move) -> Self::Position;

    /// The most moves that any position has. Engines keep sets of moves in 128 bits and refuse
    /// games with more.
    fn most_moves(&self) -> u32;

    /// True if the side that makes this move is to move again.
    #[inline(always)]
    fn keeps_turn(&self, position: Self::Position, m: Self::Move) -> bool {
        false
    }

    /// The position after a move, and whether that [keeps the turn](Self::keeps_turn).
    #[inline(always)]
    fn step(&self, position: Self::Position, m: Self::Move) -> (Self::Position, bool) {
        (self.play(position, m), self.keeps_turn(position, m))
    }

    /// The points by which the side to move has won a game that is over, negative if it has lost;
    /// `None` in games that do not count points. The side with more points wins.
    #[inline(always)]
    fn points(&self, over: Self::Position) -> Option<i32> {
        None
    }

    /// The bit of a move in a set of moves of its position: by default `ordinal`, the number of moves
    /// before it; in games whose moves have fixed numbers below 128, that number.
    #[inline(always)]
    fn bit(&self, ordinal: u32, m: Self::Move) -> u32 {
        ordinal
    }

    /// The move of a position that has this bit, if there is one.
    #[inline(always)]
    fn move_of_bit(&self, position: Self::Position, bit: u32) -> Option<Self::Move> {
        branches(self, position).find(|&(other, ..)| other == bit).map(|(_, m, ..)| m)
    }

    /// A lower bound on the plies from one position to another; `None` if play never gets there. The closer
    /// the bound, the shorter the search for the [moves that lead to a position](shortest_moves).
    fn plies_between(&self, from: Self::Position, to: Self::Position) -> Option<u32> {
        Some(u32::from(from != to))
    }
}

/// A game whose positions have keys: equal keys mean equal positions (never a hash).
pub trait Keyed: Game {
    /// The type of keys. The database takes a [`Key`] of 64 bits.
    type Key: Copy + Debug + Ord + Hash + Send + Sync;

    /// The position's key.
    fn key(&self, position: Self::Position) -> Self::Key;

    /// The position of this key; `None` if there is none.
    fn position_of(&self, key: Self::Key) -> Option<Self::Position>;

    /// The number of low bits that hold every key: the fewer, the smaller a transposition table
    /// can be.
    fn key_bits(&self) -> u32 {
        8 * size_of::<Self::Key>() as u32
    }
}

/// A game with symmetries: an image of a position has the same result, and the image of a move leads
/// to the image of the position after the move.
///
/// Symmetries form a group with the identity [`Symmetry::IDENTITY`], by default the only one.
#[expect(unused_variables, reason = "a default may need no parameter")]
pub trait Symmetric: Keyed {
    /// The number of symmetries, the identity included.
    #[inline(always)]
    fn symmetries(&self) -> u8 {
        1
    }

    /// The key of the position's image.
    #[inline(always)]
    fn image_key(&self, position: Self::Position, symmetry: Symmetry) -> Self::Key {
        self.key(position)
    }

    /// The image of a move.
    #[inline(always)]
    fn image_move(&self, m: Self::Move, symmetry: Symmetry) -> Self::Move {
        m
    }

    /// The images of a set of moves of a position, as bits of the position's image.
    fn image_moves(&self, position: Self::Position, moves: MoveSet, symmetry: Symmetry) -> MoveSet {
        if symmetry == Symmetry::IDENTITY || moves.is_empty() {
            return moves;
        }
        let image = self.position_of(self.image_key(position, symmetry));
        let mut moved = moves_of_set(self, position, moves);
        moved.iter_mut().for_each(|m| *m = self.image_move(*m, symmetry));
        set_of_moves(self, image.expect("an image is a position"), &|m| moved.contains(&m))
    }

    /// Maps moves of the image back to the position; the inverse of [`image_moves`](Self::image_moves).
    fn moves_of_image(
        &self,
        position: Self::Position,
        images: MoveSet,
        symmetry: Symmetry,
    ) -> MoveSet {
        if symmetry == Symmetry::IDENTITY || images.is_empty() {
            return images;
        }
        let image = self.position_of(self.image_key(position, symmetry));
        let moved = moves_of_set(self, image.expect("an image is a position"), images);
        set_of_moves(self, position, &|m| moved.contains(&self.image_move(m, symmetry)))
    }

    /// The least key among the images, with the symmetry that leads to it.
    #[inline(always)]
    fn canonical(&self, position: Self::Position) -> (Self::Key, Symmetry) {
        let mut best = (self.key(position), Symmetry::IDENTITY);
        for symmetry in (1..self.symmetries()).map(Symmetry) {
            let key = self.image_key(position, symmetry);
            if key < best.0 {
                best = (key, symmetry);
            }
        }
        best
    }

    /// The key under which a search remembers the position, with the symmetry that leads to it: the
    /// canonical key, or the position's own if finding the canonical key takes longer than it saves.
    #[inline(always)]
    fn search_key(&self, position: Self::Position) -> (Self::Key, Symmetry) {
        self.canonical(position)
    }

    /// The key under which a search for final points remembers the position, with the symmetry that leads to
    /// it, and points that the key leaves out: in two positions with one key the side to move wins the same
    /// final points, apart from these.
    #[inline(always)]
    fn points_key(&self, position: Self::Position) -> (Self::Key, Symmetry, i32) {
        let (key, symmetry) = self.search_key(position);
        (key, symmetry, 0)
    }

    /// A number below 64 for a move, by which a search recognises it in an image of the position: its
    /// bit there, unless a game has a cheaper number.
    #[inline(always)]
    fn image_label(
        &self,
        position: Self::Position,
        (bit, m): (u32, Self::Move),
        symmetry: Symmetry,
    ) -> u32 {
        if symmetry == Symmetry::IDENTITY {
            return bit;
        }
        self.image_moves(position, MoveSet(1 << bit), symmetry).0.trailing_zeros()
    }
}

/// The moves of a set.
fn moves_of_set<G: Game>(game: &G, position: G::Position, set: MoveSet) -> Vec<G::Move> {
    let (mut moves, mut ordinal) = (Vec::new(), 0);
    for m in game.moves(position) {
        if set.has(game.bit(ordinal, m)) {
            moves.push(m);
        }
        ordinal += 1;
    }
    moves
}

/// The set of the moves for which `is_in` is true.
fn set_of_moves<G: Game>(
    game: &G,
    position: G::Position,
    is_in: &dyn Fn(G::Move) -> bool,
) -> MoveSet {
    let (mut set, mut ordinal) = (0, 0);
    for m in game.moves(position) {
        if is_in(m) {
            set |= 1 << game.bit(ordinal, m);
        }
        ordinal += 1;
    }
    MoveSet(set)
}

/// The images of a position, each once, by ascending key, with a symmetry that leads to it.
pub fn images<G: Symmetric>(game: &G, position: G::Position) -> Vec<(G::Key, Symmetry)> {
    let mut images = Vec::new();
    for symmetry in (0..game.symmetries()).map(Symmetry) {
        images.push((game.image_key(position, symmetry), symmetry));
    }
    distinct(images)
}

/// Sorts images by key, and removes duplicates; compiled once for all games with one type of keys.
fn distinct<K: Copy + Ord>(mut images: Vec<(K, Symmetry)>) -> Vec<(K, Symmetry)> {
    images.sort_unstable();
    images.dedup_by_key(|(key, _)| *key);
    images
}

/// A game that ends whatever the sides play, within a known number of plies.
pub trait Tiered: Game {
    /// An upper bound on the plies to the end of the game. Each move makes it smaller, and it is not
    /// 0 while play continues.
    fn plies_left(&self, position: Self::Position) -> u32;

    /// The plies to the end of a drawn game from here; `None` if drawn games differ in length. They
    /// do not if only a full board is a draw.
    #[inline(always)]
    fn plies_to_draw(&self, position: Self::Position) -> Option<u32> {
        let _ = position;
        None
    }

    /// True if the sides alternate and no move loses the game: a win then takes an odd number of
    /// plies, and a loss an even number.
    #[inline(always)]
    fn last_move_wins(&self) -> bool {
        false
    }
}

/// The evaluation of a depth-limited search. By default every position without a result is worth 0
/// points, and moves are tried in ascending order.
#[expect(unused_variables, reason = "a default may need no parameter")]
pub trait Evaluate: Game {
    /// Points of a position without a result for the side to move, between -100,000 and 100,000.
    #[inline(always)]
    fn evaluate(&self, position: Self::Position) -> i32 {
        0
    }

    /// Percent of the points to be taken off if this number of plies is left.
    #[inline(always)]
    fn discount(&self, plies_left: u32) -> u32 {
        0
    }

    /// The promise of a move: higher ones are tried first, equals in ascending order.
    #[inline(always)]
    fn promise(&self, position: Self::Position, m: Self::Move) -> i32 {
        0
    }

    /// The points of a move by the position that it leads to, for the side that makes it: a search
    /// tries moves with more first.
    #[inline(always)]
    fn prospect(&self, next: Self::Position, keeps_turn: bool) -> i32 {
        let points = self.evaluate(next);
        if keeps_turn { points } else { -points }
    }

    /// A number below 256 that identifies a move in all positions, for the history of a search; by
    /// default the bit.
    #[inline(always)]
    fn habit(&self, position: Self::Position, (bit, m): (u32, Self::Move)) -> u8 {
        bit as u8
    }

    /// The moves that immediate wins of either side leave to the side to move.
    #[inline(always)]
    fn urgent(&self, position: Self::Position) -> Urgent {
        Urgent::Unknown
    }

    /// Moves of a position that suffice for a search, as bits: one of them attains the outcome, its distance
    /// and the final points. Bits of no move do no harm.
    #[inline(always)]
    fn enough(&self, position: Self::Position) -> MoveSet<u64> {
        MoveSet(u64::MAX)
    }

    /// The worst and the best outcome that are still possible for the side to move.
    #[inline(always)]
    fn possible(&self, position: Self::Position) -> [Outcome; 2] {
        [Outcome::Loss, Outcome::Win]
    }

    /// The moves of a position with their bits, the most promising first; moves after the first 64 are
    /// not sorted. A game in which the promise of a move never changes can do without sorting.
    #[inline(always)]
    fn in_order(&self, position: Self::Position) -> impl Iterator<Item = (u32, Self::Move)> {
        let promise = |&(_, m): &(u32, Self::Move)| self.promise(position, m);
        let mut moves = branches(self, position).map(|(bit, m, ..)| (bit, m));
        let mut first: MoveList<(u32, Self::Move)> = moves.by_ref().take(64).collect();
        first.sort_by_key(|entry| std::cmp::Reverse(promise(entry)));
        first.into_iter().chain(moves)
    }
}

/// The moves of a position with their [bits](Game::bit), whether they keep the turn, and the
/// positions after them.
#[inline(always)]
pub fn branches<G: Game>(game: &G, position: G::Position) -> Branches<'_, G> {
    Branches { game, position, ordinal: 0, moves: game.moves(position).into_iter() }
}

/// The iterator of [`branches`]. A type of its own, because iterator adapters would be compiled for each
/// game and each use.
pub struct Branches<'a, G: Game> {
    game: &'a G,
    position: G::Position,
    ordinal: u32,
    moves: <G::Moves as IntoIterator>::IntoIter,
}

impl<G: Game> Iterator for Branches<'_, G> {
    type Item = (u32, G::Move, bool, G::Position);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let m = self.moves.next()?;
        let (next, keeps_turn) = self.game.step(self.position, m);
        let bit = self.game.bit(self.ordinal, m);
        self.ordinal += 1;
        Some((bit, m, keeps_turn, next))
    }
}

/// The reasons why an engine refuses a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsuited {
    /// Engines that keep positions have room for keys of 64 bits.
    #[error(
        "positions of this board have keys of more than 64 bits, so that they are not kept: take a \
         smaller board, search this one to a depth, or count the histories of some plies"
    )]
    Keys,
    /// A set of moves is a word of 128 bits.
    #[error(
        "a position may have up to {0} moves, and sets of moves hold 128: take a smaller board"
    )]
    Moves(u32),
    /// Play does not reach the position, so that it has no rank.
    #[error(
        "play never reaches this position, so that it has no rank: take a position that moves from the \
         start lead to"
    )]
    Unranked,
    /// Positions are kept by the plies that may be left, up to [`MOST_PLIES_LEFT`].
    #[error(
        "a game from here may take up to {0} plies, and bounds of plies go up to 4,096: take a smaller \
         board or a later position"
    )]
    Plies(u32),
    /// A remoteness has eight bits, a code fourteen for its distance.
    #[error(
        "best play lasts longer than {0} plies, and distances go up to that: take a smaller board"
    )]
    Distance(u16),
}

/// The most [`plies_left`](Tiered::plies_left) for engines that keep positions in a list for each number.
pub const MOST_PLIES_LEFT: u32 = 4_096;

/// Refuses games whose sets of moves do not fit a word.
pub fn check_moves<G: Game>(game: &G) -> Result<(), Unsuited> {
    match game.most_moves() {
        0..=MoveSet::ROOM => Ok(()),
        more => Err(Unsuited::Moves(more)),
    }
}
