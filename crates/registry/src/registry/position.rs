//! A position of a game that is known by name only.

use std::any::Any;

use super::Answers;
use super::engine::{Engine, EngineError, EngineLimits};
use super::info::GameInfo;
use super::ranks::Ranks;
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{Histories, Plies, SolveError, ValuedKey};
use everyply_core::game::{
    GameId, Key, MoveSet, MoveStyle, Outcome, PartialValue, Pictured, Ply, Symmetry, Unreadable,
    Unsuited, Value,
};
use everyply_core::random::Random;
use everyply_core::search::{
    Aim, EndBounds, Evaluation, Proof, Report, RootScores, Settings, SharedTable,
};
use everyply_core::statistics::{PlyCounts, Score, SearchCounters};

/// A move, and the position it leads to.
pub struct Branch {
    /// The move as text.
    pub text: String,
    /// The bit of the move in a set of moves of the position.
    pub bit: u32,
    /// True if the side that makes it moves again.
    pub keeps_turn: bool,
    /// The position it leads to.
    pub to: Box<dyn Position>,
}

/// A function that gives the moves to the position of a key as text; `None` if there is no way.
pub type WayOfKey<'s> = Box<dyn Fn(Key) -> Option<String> + Send + Sync + 's>;

/// A move, and the name of the position it leads to: what a look-up of that position needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The bit of the move in a set of moves of the position.
    pub bit: u32,
    /// True if the side that makes it moves again.
    pub keeps_turn: bool,
    /// The result for the side to move there, if the move ends the game.
    pub result: Option<Outcome>,
    /// The [tier](Position::tier) there.
    pub tier: Ply,
    /// The key of the canonical image; `None` if the move ends the game, or keys of the game do not
    /// fit 64 bits.
    pub canonical: Option<Key>,
}

/// A position as characters on a board, and where its moves go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownBoard {
    /// The characters of the [picture](Position::picture), row by row from the top.
    pub rows: Vec<Vec<char>>,
    /// The moves by their bits, ascending, each with the characters it goes through, as column and
    /// row from the top left: the last one is where it lands. None where the picture does not show
    /// it.
    pub moves: Vec<(u32, Vec<(u8, u8)>)>,
}

/// The position of a stored key by the rules: what a check of stored rows compares them with.
#[derive(Clone, Debug)]
pub struct PositionOfKey {
    /// The rule that the position breaks, if no game reaches it; its moves are then left out.
    pub unreached: Option<Unreadable>,
    /// The [tier](Position::tier).
    pub tier: Ply,
    /// The canonical key.
    pub canonical: Key,
    /// The number of positions that the canonical one stands for: its different images.
    pub images: u64,
    /// The result, if the game is over, for the side to move.
    pub result: Option<Outcome>,
    /// The side to move, if the position says whose turn it is.
    pub to_move: Option<char>,
    /// A number of plies within which every game from here ends, if there is one.
    pub plies_left: Option<u32>,
    /// The number of plies that a draw takes, if all draws take the same.
    pub plies_to_draw: Option<u32>,
}

/// The score that a search to a depth found, and the work.
pub type Attempt = Result<(Score, SearchCounters), Stopped>;

/// A position of a game, and what can be asked of it.
pub trait Position: Send + Sync {
    /// The constants of the game.
    fn info(&self) -> &GameInfo;

    /// The position on one line.
    fn picture(&self) -> String;

    /// The side to move, where the position says whose turn it is.
    fn to_move(&self) -> Option<char>;

    /// The result, if the game is over, for the side to move.
    fn result(&self) -> Option<Outcome>;

    /// Refuses a position that no game reaches, as far as the rules show it at once.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check_reached(&self) -> Result<(), Unreadable>;

    /// The points by which the side to move has won a game for points that is over.
    fn final_points(&self) -> Option<i32>;

    /// The position of this text, in the same game.
    fn read(&self, text: &str) -> Result<Box<dyn Position>, Unreadable>;

    /// The position of this key, in the same game; `None` if there is none, or keys of the game
    /// do not fit 64 bits.
    fn of_key(&self, key: Key) -> Option<Box<dyn Position>>;

    /// The position of this key by the rules of the same game, and its moves in `moves`, ascending;
    /// `None` if there is none. One indirect call, made for
    /// all rows of a file.
    fn look_at_key(&self, key: Key, moves: &mut Vec<Successor>) -> Option<PositionOfKey>;

    /// The study of a position, given as the type the game has for it.
    fn at(&self, position: &dyn Any) -> Option<Box<dyn Position>>;

    /// The same position.
    fn boxed(&self) -> Box<dyn Position>;

    /// The start of the game.
    fn start(&self) -> Box<dyn Position>;

    /// The position as the type the game has for it.
    fn position(&self) -> &dyn Any;

    /// Reads moves played from the start of the game.
    fn parse_line(&self, text: &str) -> Result<Vec<String>, Unreadable>;

    /// The position after moves played from the start of the game.
    ///
    /// # Errors
    /// The errors of [`parse_line`](Self::parse_line).
    fn after_line(&self, text: &str) -> Result<Box<dyn Position>, Unreadable>;

    /// Reads a picture, and finds moves from the start that lead to it, if the game has pictures
    /// to read.
    fn parse_picture(&self, text: &str) -> Result<Pictured<Box<dyn Position>, String>, Unreadable>;

    /// The board to draw.
    fn board(&self) -> ShownBoard;

    /// A sentence about the part of the position that the drawing does not show.
    fn beside(&self) -> Option<String>;

    /// Sentences about the position in the words of the game.
    fn remark(&self) -> Option<String>;

    /// The same of the drawing of the position.
    fn drawing(&self) -> ShownBoard;

    /// The bits of the moves, the most promising first; none if the game is over.
    fn order(&self) -> Vec<u32>;

    /// The value that a book in the program has of the position.
    fn booked(&self) -> Option<Value>;

    /// A value with the distance that the rules tell: that of a draw, where all of them take the
    /// same time.
    fn whole(&self, value: PartialValue) -> PartialValue;

    /// An engine for this position and those that follow.
    fn engine(
        &self,
        limits: EngineLimits,
        control: &Control,
    ) -> Result<Box<dyn Engine>, EngineError>;

    /// The moves, ascending; none if the game is over.
    fn branches(&self) -> Vec<Branch>;

    /// The moves with the names of the positions they lead to, ascending; none if the game is over.
    fn successors(&self) -> Vec<Successor>;

    /// The texts of a set of moves, ascending.
    fn texts(&self, moves: MoveSet) -> Vec<String>;

    /// The [shortest way](everyply_core::game::shortest_moves) from the start to here, as text; `None` if none
    /// was found.
    fn moves_to(&self) -> Option<String>;

    /// The [moves](Self::moves_to) to every position, by key, found for all of them at once; `None` if
    /// the start leads to more than `most` positions.
    fn ways(&self, most: usize, control: &Control) -> Result<Option<WayOfKey<'_>>, Stopped>;

    /// The key; `None` if keys of the game do not fit 64 bits.
    fn key(&self) -> Option<Key>;

    /// The key of the canonical image, and the symmetry that leads to it; `None` if keys of the
    /// game do not fit 64 bits.
    fn canonical(&self) -> Option<(Key, Symmetry)>;

    /// The key in the widest word: equal in equal positions of one game.
    fn identity(&self) -> u128;

    /// The identity of the canonical image.
    fn canonical_identity(&self) -> u128;

    /// The images of the position, each once and by ascending key, with a symmetry that leads
    /// there.
    fn images(&self) -> Vec<(Key, Symmetry)>;

    /// The moves of the position whose images are these moves of its image.
    fn moves_of_image(&self, images: MoveSet, symmetry: Symmetry) -> MoveSet;

    /// The image of a set of moves of the position, as bits of the image.
    fn image_moves(&self, moves: MoveSet, symmetry: Symmetry) -> MoveSet;

    /// The tier as the database counts it: how much less play there can be than at the start.
    /// That is the number of moves played where each move leaves one ply less.
    fn tier(&self) -> Ply;

    /// The tiers of positions of the game by their keys.
    fn tiers(&self) -> Box<dyn Fn(Key) -> Option<Ply> + Send + Sync + '_>;

    /// A number of plies within which every game from here ends, if there is one.
    fn plies_left(&self) -> Option<u32>;

    /// Refuses games that do not fit the engines, before any work.
    fn check(&self) -> Result<(), Unsuited>;

    /// Bytes of memory that a position takes while all of them are solved, about.
    fn bytes_per_position(&self) -> u64;

    /// The same for [`solve_listed`](Self::solve_listed).
    fn bytes_per_listed(&self) -> u64;

    /// Solves every position from here on, `most` of them at most.
    fn solve(&self, most: u64, control: &Control) -> Result<Box<dyn Answers>, SolveError>;

    /// Solves every position from here on, up to symmetry, `most` of them at most. Gives the values to
    /// `see` by ascending key, in parts, and returns the value of this one.
    fn solve_listed(
        &self,
        most: u64,
        control: &Control,
        see: &mut dyn FnMut(&[ValuedKey]),
    ) -> Result<PartialValue, SolveError>;

    /// The ranks of a game that numbers its positions; `None` for other games.
    fn ranks(&self) -> Option<&dyn Ranks>;

    /// Counts the plies below, up to a number of them, in `memory` bytes.
    fn count(&self, plies: u32, memory: u64, control: &Control) -> Result<Plies, SolveError>;

    /// The exact counts of positions by tier from the start of the game up to a tier, as far as
    /// they are counted with little memory: none if that is too much work.
    fn count_tiers(&self, last: Ply, control: &Control) -> Result<Vec<PlyCounts>, Stopped>;

    /// Searches to a depth as the settings say, with a table or without; the moves of the report
    /// are bits. `None` if the game is not [`Capability::Tiered`] or its keys do not fit 64 bits.
    fn search(
        &self,
        settings: &Settings,
        table: Option<&SharedTable>,
        control: &Control,
    ) -> Option<Report>;

    /// Proves the score of the position at the end of the game by [search](everyply_core::search::prove), with bounds on the
    /// way. `None` if the game is not [`Capability::Tiered`], its keys do not fit 64 bits, or it counts
    /// no points and those are the aim.
    fn prove(
        &self,
        asked: (Aim, RootScores),
        table: &SharedTable,
        control: &Control,
        on_bounds: &mut dyn FnMut(&EndBounds),
    ) -> Option<Proof>;

    /// Searches to a depth by minimax; `None` if the game is not [`Capability::Tiered`].
    fn minimax(&self, depth: u32, evaluation: Evaluation, control: &Control) -> Option<Attempt>;

    /// Plays moves at random, each as likely as any other of its position, until `is_long` says of
    /// the number of moves played and the tier that the game is long enough; `None` if the game is
    /// over by then. Play that may be endless has to have an end there.
    fn random_game(
        &self,
        random: &mut Random,
        is_long: &dyn Fn(u32, Ply) -> bool,
    ) -> Option<Box<dyn Position>>;

    /// Counts histories by visiting them.
    fn walk(&self, plies: u32, control: &Control) -> Result<Histories, Stopped>;
}

impl dyn Position + '_ {
    /// The game as databases name it.
    pub fn game_id(&self) -> GameId {
        self.info().id()
    }

    /// True if a draw without a distance is one by endless play.
    pub fn has_endless_draws(&self) -> bool {
        self.plies_left().is_none() && self.lead().is_none()
    }

    /// The number of columns or cells, if moves are their numbers.
    pub fn numbered_moves(&self) -> Option<usize> {
        let rows = self.board().rows;
        match self.info().move_style {
            MoveStyle::Column => rows.first().map(Vec::len),
            MoveStyle::Cell => Some(rows.iter().map(Vec::len).sum()),
            MoveStyle::Text => None,
        }
    }

    /// A value of a position of the game in words.
    pub fn value_in_words(&self, value: PartialValue) -> String {
        match value.outcome {
            Outcome::Draw => self.value_for_mover(value),
            _ => value.to_string(),
        }
    }

    /// A value of the position in words, with the side to move.
    pub fn value_for_mover(&self, value: PartialValue) -> String {
        if self.has_endless_draws() && value == PartialValue::ENDLESS {
            return PartialValue::ENDLESS_TEXT.to_owned();
        }
        match self.to_move() {
            Some(side) => value.words_for(side),
            None => value.words_for("the side to move"),
        }
    }
}
