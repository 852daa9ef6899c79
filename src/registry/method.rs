//! Methods of solving games, by what a game can do.

use super::engine::{self, Engine, EngineError, EngineLimits};
use super::solved::{Answered, Answers};
use crate::control::{Control, Stopped};
use crate::exhaustive::{Plies, PositionGraph, Retrograde, Solution, SolveError, count_plies};
use crate::game::{Key, Ply, Registered, Symmetric, Tiered, Unsuited, Value, check_moves};
use crate::search::{NoTable, Report, Settings, SharedTable, minimax, search};
use crate::statistics::{PlyCounts, Score, SearchCounters};

/// A method of solving a game.
pub trait Method<G: Registered>: Send + Sync + Sized + 'static {
    const BYTES: u64;

    /// A number of plies within which play ends; `None` if it may not end.
    fn plies_left(_: &G, _: G::Position) -> Option<u32> {
        None
    }

    /// In how many plies a drawn game ends, where all of them take the same time.
    fn plies_to_draw(_: &G, _: G::Position) -> Option<u32> {
        None
    }

    /// True if the sides alternate and no move loses the game.
    fn last_move_wins(_: &G) -> bool {
        false
    }

    fn check(game: &G, position: G::Position) -> Result<(), Unsuited>;

    fn solve(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
    ) -> Result<Box<dyn Answers>, SolveError>;

    /// Counts the plies below a position.
    fn count(game: &G, root: G::Position, plies: u32, control: &Control) -> Result<Plies, Stopped>;

    /// Counts positions by tier from the start, where that takes no solution; `None` where it does.
    fn count_tiers(_: &G, _: Ply, _: &Control) -> Option<Result<Vec<PlyCounts>, Stopped>> {
        None
    }

    /// The published counts of positions, as lines of tier, won, drawn and lost.
    fn published_counts(_: &G) -> &'static str {
        ""
    }

    /// The value that a book in the program has of a position.
    fn booked(_: &G, _: G::Position) -> Option<Value> {
        None
    }

    /// An engine for positions like this one: by default the solution of all that follow.
    fn engine(
        game: &G,
        root: G::Position,
        limits: EngineLimits,
        control: &Control,
    ) -> Result<Box<dyn Engine>, EngineError> {
        let most = (limits.mib << 20) / Self::BYTES;
        Self::check(game, root).map_err(|error| EngineError::Refused(error.to_string()))?;
        Ok(Box::new(engine::Solution(Self::solve(game.clone(), root, most, control)?)))
    }

    /// Searches by alpha-beta; `None` if there is no such search.
    fn report(
        _: &G,
        _: G::Position,
        _: &Settings,
        _: Option<&SharedTable>,
        _: &Control,
    ) -> Option<Report> {
        None
    }

    /// Searches to a depth; `None` if there is no such search.
    fn search(
        _: &G,
        _: G::Position,
        _: &Search<'_>,
        _: &mut SearchCounters,
    ) -> Option<Result<Score, Stopped>> {
        None
    }
}

/// The arguments of [`Study::search`](super::Study::search).
pub struct Search<'a> {
    pub depth: u32,
    pub settings: Option<&'a Settings>,
    pub table: Option<&'a SharedTable>,
    pub control: &'a Control,
}

/// Play ends: the position graph.
#[derive(Debug)]
pub struct Ending;

impl<G: Registered + Symmetric<Key = Key> + Tiered> Method<G> for Ending {
    const BYTES: u64 = PositionGraph::<G>::BYTES_PER_POSITION;

    fn plies_left(game: &G, position: G::Position) -> Option<u32> {
        Some(game.plies_left(position))
    }

    fn plies_to_draw(game: &G, position: G::Position) -> Option<u32> {
        game.plies_to_draw(position)
    }

    fn last_move_wins(game: &G) -> bool {
        game.last_move_wins()
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

    fn count(game: &G, root: G::Position, plies: u32, control: &Control) -> Result<Plies, Stopped> {
        count_plies(game, root, Ply(0), plies, |_| None, control)
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
        let report = Self::report(game, position, &settings, table, control)?;
        *counters += report.counters();
        Some(if report.stopped { Err(Stopped) } else { Ok(report.score) })
    }

    fn report(
        game: &G,
        position: G::Position,
        settings: &Settings,
        table: Option<&SharedTable>,
        control: &Control,
    ) -> Option<Report> {
        Some(match table {
            None => search(game, position, settings, &NoTable, None, control, &mut |_| ()),
            Some(table) => search(game, position, settings, table, None, control, &mut |_| ()),
        })
    }
}

/// Play may be endless: retrograde analysis.
#[derive(Debug)]
pub struct Endless;

impl<G: Registered + Symmetric<Key = Key>> Method<G> for Endless {
    const BYTES: u64 = Retrograde::<G>::BYTES_PER_POSITION;

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

    fn count(game: &G, root: G::Position, plies: u32, control: &Control) -> Result<Plies, Stopped> {
        count_plies(game, root, Ply(0), plies, |_| None, control)
    }
}
