//! A position of any game, as a trait object.

use std::any::Any;

use super::info::GameInfo;
use super::native_only;
use super::ranks::Ranks;
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{
    Histories, Plies, RankedCost, Solution, SolveError, SolvedKey, ValuedKey,
};
use everyply_core::game::{
    GameId, Key, Move, MoveSet, MoveStyle, Outcome, PartialValue, Pictured, Ply, PositionRow,
    Remoteness, Symmetry, Tier, TierId, Unreached, Unreadable, Unsuited,
};
use everyply_core::random::Random;
use everyply_core::search::{
    Aim, EndBounds, Evaluation, Proof, Report, RootScores, Settings, SharedTable,
};
use everyply_core::statistics::{Score, SearchCounters};

/// A move of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PossibleMove {
    /// The move as text.
    pub text: String,
    /// The bit of the move in a set of moves of the position.
    pub bit: u32,
    /// True if the side that makes it moves again.
    pub keeps_turn: bool,
}

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

/// A function that returns the moves to the position of a key as text; `None` if there is no way.
pub type WayOfKey<'s> = Box<dyn Fn(Key) -> Option<String> + Send + Sync + 's>;

/// A move, with the key and the tier to look up the position after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The bit of the move in a set of moves of the position.
    pub bit: u32,
    /// True if the side that makes it moves again.
    pub keeps_turn: bool,
    /// The result for the side to move after it, if the move ends the game.
    pub result: Option<Outcome>,
    /// The [tier](State::tier) after the move.
    pub tier: Ply,
    /// The key of the canonical image; `None` if the move ends the game, or keys of the game do not
    /// fit 64 bits.
    pub canonical: Option<Key>,
}

/// A position as characters on a board, with the places of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownBoard {
    /// The characters of the board, row by row from the top.
    pub rows: Vec<Vec<char>>,
    /// The moves by their bits, ascending, each with the characters it goes through, as column and
    /// row from the top left, the last one where it lands. Empty for moves that the board does not
    /// show.
    pub moves: Vec<(u32, Vec<(u8, u8)>)>,
}

impl ShownBoard {
    /// Shows a picture, without moves.
    pub(super) fn of(picture: &str) -> Self {
        let rows = picture.split('/').map(|row| row.chars().collect()).collect();
        Self { rows, moves: Vec::new() }
    }
}

/// A position as people see it.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The characters of the [picture](Position::picture).
    pub board: ShownBoard,
    /// The board as graphics draw it.
    pub drawn: ShownBoard,
    /// A sentence about the part of the position that the drawing does not show.
    pub beside: Option<String>,
    /// Sentences about the position in the words of the game.
    pub remark: Option<String>,
}

/// The state of play in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The side to move, if the position says whose turn it is.
    pub to_move: Option<char>,
    /// The result, if the game is over, for the side to move.
    pub result: Option<Outcome>,
    /// The points by which the side to move has won a game for points that is over.
    pub points: Option<i32>,
    /// The tier in databases: the plies by which play can be shorter than at the start. That is the
    /// number of moves played if each move leaves one ply less.
    pub tier: Ply,
    /// An upper bound on the plies to the end of the game, if there is one.
    pub plies_left: Option<u32>,
    /// The plies to a draw, if all draws take equally many.
    pub plies_to_draw: Option<u32>,
}

/// The facts of a position by the rules, for checks of stored rows.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The rule that the position breaks, if no game reaches it; its moves are then left out.
    pub unreached: Option<Unreadable>,
    /// The canonical key.
    pub canonical: Key,
    /// The number of distinct images of the position.
    pub images: u64,
    /// The state of play.
    pub state: State,
}

/// The form of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// A position as the game writes it: moves or a picture on one line.
    Position,
    /// Moves played from the start.
    Moves,
    /// A picture, row by row.
    Picture,
}

/// The score of a search to a depth, and its counters.
pub type Attempt = Result<(Score, SearchCounters), Stopped>;

/// A position of a game.
pub trait Position: Walks + Solves {
    /// Returns the constants of the game.
    fn info(&self) -> &GameInfo;

    /// Boxes a copy of the position.
    fn boxed(&self) -> Box<dyn Position>;

    /// Returns the position as the type of its game.
    fn as_any(&self) -> &dyn Any;

    /// Returns the state of play.
    fn state(&self) -> State;

    /// Returns the position on one line.
    fn picture(&self) -> String;

    /// Returns the position as people see it.
    fn drawing(&self) -> Drawing;

    /// Reads a position of the same game, with the moves that lead to it from the start if they are
    /// found at once.
    ///
    /// # Errors
    /// If the text is no position of the game.
    fn read_as(
        &self,
        form: TextForm,
        text: &str,
    ) -> Result<Pictured<Box<dyn Position>, String>, Unreadable>;

    /// Refuses a position if a rule shows at once that no game reaches it.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check_reached(&self) -> Result<(), Unreadable>;

    /// Returns the moves of a set, or all, ascending; empty if the game is over.
    fn moves_of(&self, set: Option<MoveSet>) -> Vec<PossibleMove>;

    /// Returns the bits of the moves, the most promising first; empty if the game is over.
    fn order(&self) -> Vec<u32>;

    /// Returns the position after the move of a bit.
    ///
    /// # Panics
    /// If there is no such move.
    fn play(&self, bit: u32) -> Box<dyn Position>;

    /// Returns the moves and the keys of the positions after them, ascending; empty after the end.
    fn successors(&self) -> Vec<Successor>;

    /// Returns the key in the widest word: equal positions of one game have equal keys.
    fn identity(&self) -> u128;

    /// Returns the identity of the canonical image, and the symmetry that leads to it.
    fn canonical_identity(&self) -> (u128, Symmetry);

    /// Returns the position of this identity, in the same game; `None` if there is none.
    fn of_identity(&self, identity: u128) -> Option<Box<dyn Position>>;

    /// Returns the images of the position, each once and by ascending key, with a symmetry that
    /// leads to it; empty if keys of the game do not fit 64 bits.
    fn images(&self) -> Vec<(Key, Symmetry)>;

    /// Maps a set of moves of the position to the bits of its image.
    fn image_moves(&self, moves: MoveSet, symmetry: Symmetry) -> MoveSet;

    /// Returns the facts of the position of a key of the same game, and its moves in `moves`,
    /// ascending; `None` if there is none. One indirect call for each row that a check reads.
    fn look_at_key(&self, key: Key, moves: &mut Vec<Successor>) -> Option<Facts>;
}

/// Walks through a game from a position.
pub trait Walks: Send + Sync {
    /// Finds the [shortest way](everyply_core::game::shortest_moves) from the start to the
    /// position, as text.
    fn moves_to(&self) -> Result<String, Unreached>;

    /// Counts histories by visiting them one after the other.
    fn walk_plies(&self, plies: u32, control: &Control) -> Result<Histories, Stopped>;

    /// Plays moves at random, each as likely as any other of its position, until `is_long` accepts
    /// the number of moves played and the tier; `None` if the game ends before. `is_long` must end
    /// play that may be endless.
    fn random_game(
        &self,
        random: &mut Random,
        is_long: &dyn Fn(u32, Ply) -> bool,
    ) -> Option<Box<dyn Position>>;
}

/// The engines that suit a game. The defaults suit games whose play may be endless and whose keys
/// do not fit a database.
#[allow(unused_variables, reason = "the defaults solve nothing")]
pub trait Solves {
    /// Refuses games that do not fit the engines, before any work.
    fn check(&self) -> Result<(), Unsuited> {
        Err(Unsuited::Keys)
    }

    /// Estimates the bytes of memory for each position while [`solve_listed`](Self::solve_listed)
    /// or [`solve`](Self::solve) runs.
    fn bytes(&self, listed: bool) -> u64 {
        1
    }

    /// Solves this position and all that follow it, at most `most` of them.
    fn solve(&self, most: u64, control: &Control) -> Result<Solution, SolveError> {
        Err(Unsuited::Keys.into())
    }

    /// Solves this position and all that follow it, up to symmetry, at most `most` of them. Calls
    /// `see` with the values by ascending key, in parts, and returns the value of this position.
    fn solve_listed(
        &self,
        most: u64,
        control: &Control,
        see: &mut dyn FnMut(&[ValuedKey]),
    ) -> Result<PartialValue, SolveError> {
        native_only();
        let solved = self.solve(most, control)?;
        control.start(0);
        solved.values(see);
        Ok(solved.value())
    }

    /// Returns the ranks of a game that numbers its positions; `None` for other games.
    fn ranks(&self) -> Option<&dyn Ranks> {
        None
    }

    /// Counts the plies below, up to a number of them, in `memory` bytes.
    fn count(&self, plies: u32, memory: u64, control: &Control) -> Result<Plies, SolveError> {
        Err(Unsuited::Keys.into())
    }

    /// Finds the [moves](Walks::moves_to) to all positions together, by key; `None` if the start
    /// leads to more than `most` positions.
    fn ways(&self, most: usize, control: &Control) -> Result<Option<WayOfKey<'_>>, Stopped> {
        Ok(None)
    }

    /// Searches to a depth by the settings, with a table or without; the moves of the report are
    /// bits. `None` if play may be endless or keys do not fit 64 bits.
    fn search(
        &self,
        settings: &Settings,
        table: Option<&SharedTable>,
        control: &Control,
    ) -> Option<Report> {
        None
    }

    /// Proves the score of the position at the end of the game by
    /// [search](everyply_core::search::prove), with bounds on the way. `None` if play may be
    /// endless, keys do not fit 64 bits, or the aim is points in a game that counts none.
    fn prove(
        &self,
        goal: (Aim, RootScores),
        table: &SharedTable,
        control: &Control,
        on_bounds: &mut dyn FnMut(&EndBounds),
    ) -> Option<Proof> {
        None
    }

    /// Searches to a depth by minimax; `None` if play may be endless.
    fn minimax(&self, depth: u32, evaluation: Evaluation, control: &Control) -> Option<Attempt> {
        None
    }
}

impl dyn Position + '_ {
    /// Returns the identity of the game in databases.
    pub fn game_id(&self) -> GameId {
        self.info().id()
    }

    /// Reads a position of the same game.
    pub fn read(&self, text: &str) -> Result<Box<dyn Position>, Unreadable> {
        self.read_as(TextForm::Position, text).map(|(position, _)| position)
    }

    /// Returns the start of the game.
    pub fn start(&self) -> Box<dyn Position> {
        self.read_as(TextForm::Moves, "").expect("no moves lead to the start").0
    }

    /// Reads moves played from the start of the game.
    pub fn parse_line(&self, text: &str) -> Result<Vec<String>, Unreadable> {
        self.read_as(TextForm::Moves, text).map(|(_, moves)| moves.unwrap_or_default())
    }

    /// Returns the side to move, if the position says whose turn it is.
    pub fn to_move(&self) -> Option<char> {
        self.state().to_move
    }

    /// Returns the result, if the game is over, for the side to move.
    pub fn result(&self) -> Option<Outcome> {
        self.state().result
    }

    /// Returns the tier as the database counts it.
    pub fn tier(&self) -> Ply {
        self.state().tier
    }

    /// Returns an upper bound on the plies to the end of the game, if there is one.
    pub fn plies_left(&self) -> Option<u32> {
        self.state().plies_left
    }

    /// Hands over every canonical position of a solution of this one, by ascending key, in parts.
    pub fn rows(&self, solution: &Solution, see: &mut dyn FnMut(Vec<PositionRow>)) {
        native_only();
        let (first, has_tiers) = (self.tier().0, self.info().has_tiers);
        let row = |&SolvedKey { key, value, best, tier }: &SolvedKey| PositionRow {
            key,
            ply: Ply(if has_tiers { first + tier as u8 } else { 0 }),
            value,
            best: solution.best_for_points(key).or(Some(best)),
        };
        solution.canonical(&mut |part| see(part.iter().map(row).collect()));
    }

    /// Returns the moves, ascending; empty if the game is over.
    pub fn moves(&self) -> Vec<PossibleMove> {
        self.moves_of(None)
    }

    /// Returns the moves, and the positions they lead to, ascending; empty if the game is over.
    pub fn branches(&self) -> Vec<Branch> {
        let branch = |PossibleMove { text, bit, keeps_turn }| Branch {
            text,
            bit,
            keeps_turn,
            to: self.play(bit),
        };
        self.moves().into_iter().map(branch).collect()
    }

    /// Returns the texts of a set of moves, ascending.
    pub fn texts(&self, moves: MoveSet) -> Vec<String> {
        self.moves_of(Some(moves)).into_iter().map(|m| m.text).collect()
    }

    /// Returns the position of this key, in the same game; `None` if there is none, or keys of the
    /// game do not fit 64 bits.
    pub fn of_key(&self, key: Key) -> Option<Box<dyn Position>> {
        self.info().has_keys.then(|| self.of_identity(key.0.into()))?
    }

    /// Returns the key; `None` if keys of the game do not fit 64 bits.
    pub fn key(&self) -> Option<Key> {
        self.info().has_keys.then(|| Key(self.identity() as u64))
    }

    /// Returns the key of the canonical image, and the symmetry that leads to it; `None` if keys of
    /// the game do not fit 64 bits.
    pub fn canonical(&self) -> Option<(Key, Symmetry)> {
        let (identity, symmetry) = self.canonical_identity();
        self.info().has_keys.then_some((Key(identity as u64), symmetry))
    }

    /// Maps moves of the image back to the position; the inverse of `image_moves`.
    pub fn moves_of_image(&self, images: MoveSet, symmetry: Symmetry) -> MoveSet {
        if symmetry == Symmetry::IDENTITY || images.is_empty() {
            return images;
        }
        let is_image = |bit: &u32| self.image_moves(MoveSet(1 << bit), symmetry).0 & images.0 != 0;
        let bits = self.moves().into_iter().map(|m| m.bit).filter(is_image);
        MoveSet(bits.fold(0, |set, bit| set | 1 << bit))
    }

    /// Returns a function from the keys of the game to their tiers.
    pub fn tiers(&self) -> impl Fn(Key) -> Option<Ply> + '_ {
        |key| Some(self.of_key(key)?.tier())
    }

    /// Returns true if search proves values, and play may be too long to solve all positions first.
    pub fn is_long(&self) -> bool {
        self.info().proves && self.plies_left().is_some_and(|left| left > 255)
    }

    /// Fills in the distance of a draw if the rules fix it.
    pub fn whole(&self, value: PartialValue) -> PartialValue {
        let is_open = value.outcome == Outcome::Draw && value.remoteness.is_none();
        match self.state().plies_to_draw.filter(|_| is_open) {
            Some(plies) => PartialValue { remoteness: Some(Remoteness(plies as u8)), ..value },
            None => value,
        }
    }

    /// Returns the tiers of a game that numbers its positions, in an order in which they can be
    /// solved; empty for other games.
    pub fn ranked_tiers(&self) -> Vec<Tier> {
        self.ranks().map_or(Vec::new(), Ranks::tiers)
    }

    /// Returns the tier and the rank, in a game that numbers its positions.
    pub fn rank(&self) -> Option<(TierId, u64)> {
        self.ranks()?.rank()
    }

    /// Returns the position of a rank; `None` if the rank is a hole.
    pub fn of_rank(&self, tier: TierId, rank: u64) -> Option<Box<dyn Position>> {
        self.of_key(self.ranks()?.key_of_rank(tier, rank)?)
    }

    /// Estimates the memory and time of the tiers below; `None` for games without ranks.
    pub fn ranked_cost(&self) -> Option<RankedCost> {
        self.ranks()?.cost()
    }

    /// Returns the [lead](Ranks::lead), in a game whose tiers are solved for points.
    pub fn lead(&self) -> Option<i32> {
        self.ranks()?.lead()
    }

    /// Returns true if a draw without a distance is an endless draw.
    pub fn has_endless_draws(&self) -> bool {
        self.plies_left().is_none() && self.lead().is_none()
    }

    /// Returns the number of columns or cells, if moves are their numbers.
    pub fn numbered_moves(&self) -> Option<usize> {
        let rows = self.drawing().board.rows;
        match self.info().move_style {
            MoveStyle::Column => rows.first().map(Vec::len),
            MoveStyle::Cell => Some(rows.iter().map(Vec::len).sum()),
            MoveStyle::Text => None,
        }
    }

    /// Writes a line of moves from the position on, given by their bits.
    pub fn line_text(&self, moves: &[Move]) -> String {
        let (mut texts, mut at) = (Vec::new(), self.boxed());
        for m in moves {
            let branch = at.branches().into_iter().find(|branch| branch.bit == u32::from(m.0));
            let Some(branch) = branch else { break };
            texts.push(branch.text);
            at = branch.to;
        }
        texts.join(self.info().separator)
    }

    /// Writes a value of a position of the game in words.
    pub fn value_in_words(&self, value: PartialValue) -> String {
        match value.outcome {
            Outcome::Draw => self.value_for_mover(value),
            _ => value.to_string(),
        }
    }

    /// Writes a value of the position in words, with the side to move.
    pub fn value_for_mover(&self, value: PartialValue) -> String {
        let side = self.to_move().map_or("the side to move".to_owned(), String::from);
        self.value_for(value, &side)
    }

    /// Writes the value for a side in words.
    pub fn value_for(&self, value: PartialValue, side: &str) -> String {
        match self.is_endless_draw(value) {
            true => PartialValue::ENDLESS_TEXT.to_owned(),
            false => value.words_for(side),
        }
    }

    /// Returns true if a value is an endless draw.
    pub fn is_endless_draw(&self, value: PartialValue) -> bool {
        self.has_endless_draws() && value == PartialValue::ENDLESS
    }
}
