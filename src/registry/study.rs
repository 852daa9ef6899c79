//! A position of a game that is known by name only.

use std::fmt;
use std::marker::PhantomData;

use super::solved::{Answered, Answers};
use crate::control::{Control, Stopped};
use crate::database::GameId;
use crate::exhaustive::{
    Plies, PositionGraph, Retrograde, Solution, SolveError, count_plies, walk_plies,
};
use crate::game::{Key, MoveSet, Outcome, Ply, Symmetry};
use crate::game::{
    Registered, Tiered, Unreadable, Unsuited, branches, check_moves, images, shortest_moves,
};
use crate::games::line::Size;
use crate::search::{NoTable, Settings, Table, minimax, search};
use crate::statistics::{Score, SearchCounters};

/// Something that a game can or cannot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capability {
    /// Play always ends, so that plies can be counted to the end.
    Tiered,
    /// Some positions are images of others.
    Symmetric,
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tiered => "tiered (play always ends)",
            Self::Symmetric => "symmetric",
        })
    }
}

/// A move, and the position it leads to.
pub struct Branch {
    /// The move as text.
    pub text: String,
    /// The bit of the move in a set of moves of the position.
    pub bit: u32,
    /// True if the side that makes it moves again.
    pub keeps_turn: bool,
    /// Where it leads.
    pub to: Box<dyn Study>,
}

/// A position of a game, and what can be asked of it.
pub trait Study: Send + Sync {
    /// The word for the game.
    fn name(&self) -> &'static str;

    /// The numbers that tell its boards apart.
    fn parameters(&self) -> [u8; 3];

    /// The game as databases name it.
    fn game_id(&self) -> GameId {
        let [width, height, line] = self.parameters();
        GameId { name: self.name().to_owned(), size: Size { width, height, line } }
    }

    /// The game as people call it.
    fn title(&self) -> String;

    /// What a position of the game looks like as text.
    fn position_help(&self) -> &'static str;

    /// What the game can do.
    fn capabilities(&self) -> Vec<Capability>;

    /// The position on one line.
    fn picture(&self) -> String;

    /// The result, if the game is over, for the side to move.
    fn result(&self) -> Option<Outcome>;

    /// The position of this text, in the same game.
    ///
    /// # Errors
    /// If the text is no position.
    fn read(&self, text: &str) -> Result<Box<dyn Study>, Unreadable>;

    /// The position of this key, in the same game.
    fn of_key(&self, key: Key) -> Option<Box<dyn Study>>;

    /// The moves, ascending; none if the game is over.
    fn branches(&self) -> Vec<Branch>;

    /// The [shortest way](shortest_moves) from the start to here, as text: moves separated by
    /// commas; `None` if none was found.
    fn moves_to(&self) -> Option<String>;

    /// The key.
    fn key(&self) -> Key;

    /// The key of the canonical image, and the symmetry that leads to it.
    fn canonical(&self) -> (Key, Symmetry);

    /// The images of the position, each once and by ascending key, with a symmetry that leads
    /// there.
    fn images(&self) -> Vec<(Key, Symmetry)>;

    /// The image of a set of moves of the position, as bits of the image.
    fn image_moves(&self, moves: MoveSet, symmetry: Symmetry) -> MoveSet;

    /// The number of low bits that hold every key.
    fn key_bits(&self) -> u32;

    /// The tier as the database counts it: how much less play there can be than at the start.
    /// That is the number of moves played where each move leaves one ply less.
    fn tier(&self) -> Ply;

    /// A number of plies within which every game from here ends, if there is one.
    fn plies_left(&self) -> Option<u32>;

    /// Refuses games that do not fit the engines, before any work.
    ///
    /// # Errors
    /// Why the game does not fit.
    fn check(&self) -> Result<(), Unsuited>;

    /// Bytes that the engine of this game keeps a position in.
    fn bytes_per_position(&self) -> u64;

    /// Solves every position from here on, `most` of them at most.
    ///
    /// # Errors
    /// If the control asks it to stop, there are more positions, or the game does not fit.
    fn solve(&self, most: u64, control: &Control) -> Result<Box<dyn Answers>, SolveError>;

    /// Counts the plies below, up to a number of them.
    ///
    /// # Errors
    /// If the control asks it to stop.
    fn count(&self, plies: u32, control: &Control) -> Result<Plies, Stopped>;

    /// Searches to a depth by minimax, or as the settings say, with a table or without;
    /// `None` if the game is not [`Capability::Tiered`].
    ///
    /// # Errors
    /// If the control asks it to stop.
    fn search(
        &self,
        depth: u32,
        settings: Option<&Settings>,
        table: Option<&Table>,
        control: &Control,
        counters: &mut SearchCounters,
    ) -> Option<Result<Score, Stopped>>;

    /// Counts histories per ply by visiting each.
    ///
    /// # Errors
    /// If the control asks it to stop.
    fn walk(&self, plies: u32, control: &Control) -> Result<Vec<u64>, Stopped>;
}

/// How a game is solved: by what it can do.
pub trait Method<G: Registered>: Send + Sync + Sized + 'static {
    const BYTES: u64;

    fn plies_left(game: &G, position: G::Position) -> Option<u32>;

    fn check(game: &G, position: G::Position) -> Result<(), Unsuited>;

    fn solve(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Box<dyn Answers>, SolveError>;

    fn search(
        game: &G,
        position: G::Position,
        search: &Search<'_>,
        counters: &mut SearchCounters,
    ) -> Option<Result<Score, Stopped>>;
}

/// What [`Study::search`] is given.
pub struct Search<'a> {
    depth: u32,
    settings: Option<&'a Settings>,
    table: Option<&'a Table>,
    control: &'a Control,
}

/// Play ends: the position graph.
#[derive(Debug)]
pub struct Ending;

impl<G: Registered + Tiered> Method<G> for Ending {
    const BYTES: u64 = PositionGraph::<G>::BYTES_PER_POSITION;

    fn plies_left(game: &G, position: G::Position) -> Option<u32> {
        Some(game.plies_left(position))
    }

    fn check(game: &G, position: G::Position) -> Result<(), Unsuited> {
        PositionGraph::check(game, position)?;
        // Tiers are counted from the start of the largest game with these parameters.
        G::of_parameters(game.parameters())
            .map_or(Ok(()), |all| PositionGraph::check(&all, all.initial()))
    }

    fn solve(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Box<dyn Answers>, SolveError> {
        let solution = Solution::within(game, root, most, control)?;
        Ok(Box::new(Answered::<G, Self, _>::new(solution)))
    }

    fn search(
        game: &G,
        position: G::Position,
        &Search { depth, settings, table, control }: &Search<'_>,
        counters: &mut SearchCounters,
    ) -> Option<Result<Score, Stopped>> {
        let Some(settings) = settings else {
            let points = minimax(game, position, depth, control, counters);
            let discount = game.discount(game.plies_left(position).saturating_sub(depth));
            return Some(points.map(|points| points.score(discount)));
        };
        let settings = Settings { depth, ..*settings };
        let report = match table {
            None => search(game, position, &settings, &NoTable, None, control, &mut |_| ()),
            Some(table) => search(game, position, &settings, table, None, control, &mut |_| ()),
        };
        *counters += report.counters();
        Some(if report.stopped { Err(Stopped) } else { Ok(report.score) })
    }
}

/// Play may be endless: retrograde analysis.
#[derive(Debug)]
pub struct Endless;

impl<G: Registered> Method<G> for Endless {
    const BYTES: u64 = Retrograde::<G>::BYTES_PER_POSITION;

    fn plies_left(_: &G, _: G::Position) -> Option<u32> {
        None
    }

    fn check(game: &G, _: G::Position) -> Result<(), Unsuited> {
        check_moves(game)
    }

    fn solve(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Box<dyn Answers>, SolveError> {
        let solution = Retrograde::solve(game, root, most, control)?;
        Ok(Box::new(Answered::<G, Self, _>::new(solution)))
    }

    fn search(
        _: &G,
        _: G::Position,
        _: &Search<'_>,
        _: &mut SearchCounters,
    ) -> Option<Result<Score, Stopped>> {
        None
    }
}

/// The tiers of a game as the database counts them: from the start of the game that its parameters
/// name, which is one for all that share their positions.
pub(super) fn tiers<G: Registered, M: Method<G>>(game: &G) -> impl Fn(G::Position) -> Ply + '_ {
    let named = G::of_parameters(game.parameters()).unwrap_or_else(|_| game.clone());
    let start = M::plies_left(&named, named.initial()).unwrap_or(0);
    move |position| {
        let left = M::plies_left(game, position).unwrap_or(0);
        Ply(u8::try_from(start.saturating_sub(left)).unwrap_or(u8::MAX))
    }
}

/// A game and a position, and how the game is solved.
pub(super) struct Studied<G: Registered, M> {
    game: G,
    position: G::Position,
    method: PhantomData<M>,
}

impl<G: Registered, M: Method<G>> Studied<G, M> {
    pub fn at_the_start(game: G) -> Self {
        let position = game.initial();
        Self { game, position, method: PhantomData }
    }

    fn at(&self, position: G::Position) -> Box<dyn Study> {
        Box::new(Self { game: self.game.clone(), position, method: PhantomData })
    }
}

impl<G: Registered, M: Method<G>> Study for Studied<G, M> {
    fn name(&self) -> &'static str {
        self.game.name()
    }

    fn parameters(&self) -> [u8; 3] {
        self.game.parameters()
    }

    fn title(&self) -> String {
        self.game.title()
    }

    fn position_help(&self) -> &'static str {
        self.game.position_help()
    }

    fn capabilities(&self) -> Vec<Capability> {
        let tiered = M::plies_left(&self.game, self.position).map(|_| Capability::Tiered);
        let symmetric = (self.game.symmetries() > 1).then_some(Capability::Symmetric);
        tiered.into_iter().chain(symmetric).collect()
    }

    fn picture(&self) -> String {
        self.game.picture(self.position)
    }

    fn result(&self) -> Option<Outcome> {
        self.game.result(self.position)
    }

    fn read(&self, text: &str) -> Result<Box<dyn Study>, Unreadable> {
        Ok(self.at(self.game.parse_position(text)?))
    }

    fn of_key(&self, key: Key) -> Option<Box<dyn Study>> {
        Some(self.at(self.game.position_of(key)?))
    }

    fn branches(&self) -> Vec<Branch> {
        if self.result().is_some() {
            return Vec::new();
        }
        branches(&self.game, self.position)
            .map(|(bit, m, keeps_turn, to)| Branch {
                text: self.game.write_move(m),
                bit,
                keeps_turn,
                to: self.at(to),
            })
            .collect()
    }

    fn moves_to(&self) -> Option<String> {
        let moves = shortest_moves(&self.game, self.position).ok()?;
        let texts: Vec<String> = moves.into_iter().map(|m| self.game.write_move(m)).collect();
        Some(texts.join(","))
    }

    fn key(&self) -> Key {
        self.game.key(self.position)
    }

    fn canonical(&self) -> (Key, Symmetry) {
        self.game.canonical(self.position)
    }

    fn images(&self) -> Vec<(Key, Symmetry)> {
        images(&self.game, self.position)
    }

    fn image_moves(&self, moves: MoveSet, symmetry: Symmetry) -> MoveSet {
        self.game.image_moves(self.position, moves, symmetry)
    }

    fn key_bits(&self) -> u32 {
        self.game.key_bits()
    }

    fn tier(&self) -> Ply {
        tiers::<G, M>(&self.game)(self.position)
    }

    fn plies_left(&self) -> Option<u32> {
        M::plies_left(&self.game, self.position)
    }

    fn check(&self) -> Result<(), Unsuited> {
        M::check(&self.game, self.position)
    }

    fn bytes_per_position(&self) -> u64 {
        M::BYTES
    }

    fn solve(&self, most: u64, control: &Control) -> Result<Box<dyn Answers>, SolveError> {
        M::solve(self.game.clone(), self.position, most, control)
    }

    fn count(&self, plies: u32, control: &Control) -> Result<Plies, Stopped> {
        count_plies(&self.game, self.position, Ply(0), plies, |_| None, control)
    }

    fn search(
        &self,
        depth: u32,
        settings: Option<&Settings>,
        table: Option<&Table>,
        control: &Control,
        counters: &mut SearchCounters,
    ) -> Option<Result<Score, Stopped>> {
        let search = Search { depth, settings, table, control };
        M::search(&self.game, self.position, &search, counters)
    }

    fn walk(&self, plies: u32, control: &Control) -> Result<Vec<u64>, Stopped> {
        walk_plies(&self.game, self.position, plies, control)
    }
}
