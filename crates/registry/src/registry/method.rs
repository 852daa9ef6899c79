//! Methods of solving games, by what a game can do.

use super::engine::{self, Engine, EngineError, EngineLimits};
use super::position::Attempt;
use super::ranks::Ranks;
use super::solved::{Answered, Answers};
use super::studied::{Studied, not_in_a_page};
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{
    Histories, Plies, PositionGraph, RankedSolution, Retrograde, Solution, SolveError, ValuedKey,
    count_plies_within, listed_bytes, solve_listed, walk_plies,
};
use everyply_core::game::{
    Game, Key, PartialValue, Ply, Ranked, Registered, Symmetric, Tiered, Unsuited, Value,
    check_moves,
};
use everyply_core::search::{
    Aim, EndBounds, Evaluation, Proof, Report, RootScores, Settings, SharedTable, minimax, prove,
    search,
};
use everyply_core::statistics::{PlyCounts, SearchCounters};

/// The values of all positions, or the reason why there are none.
type Solved = Result<Box<dyn Answers>, SolveError>;

/// The counts of plies, or the reason why there are none.
type Counted = Result<Plies, SolveError>;

/// The facts of a game whose play ends: the methods of [`Tiered`], and the search by minimax to a depth.
pub struct Ends<G: Game> {
    plies_left: fn(&G, G::Position) -> u32,
    pub plies_to_draw: fn(&G, G::Position) -> Option<u32>,
    pub last_move_wins: fn(&G) -> bool,
    pub minimax: fn(&G, G::Position, u32, Evaluation, &Control) -> Attempt,
}

impl<G: Registered + Tiered> Ends<G> {
    const OF: Option<Self> = Some(Self {
        plies_left: G::plies_left,
        plies_to_draw: G::plies_to_draw,
        last_move_wins: G::last_move_wins,
        minimax: by_minimax,
    });
}

/// A method of solving a game. The defaults are those of a game whose play may be endless, and whose
/// keys do not fit a database.
pub trait Method<G: Registered>: Send + Sync + Sized + 'static {
    /// The memory that solving takes at most, in units of what is kept.
    const PEAK: u64 = 1;

    /// Bytes that a position takes while those from a root on are solved, all of them or without those
    /// that the rules decide.
    fn bytes(_: &G, _: G::Position, leaves_out: bool) -> u64 {
        let _ = leaves_out;
        1
    }

    /// The facts of a game whose play ends.
    const ENDS: Option<Ends<G>> = None;

    /// A number of plies within which play ends; `None` if it may not end.
    fn plies_left(game: &G, position: G::Position) -> Option<u32> {
        Self::ENDS.map(|ends| (ends.plies_left)(game, position))
    }

    /// Refuses positions that cannot be solved all together.
    fn check(_: &G, _: G::Position) -> Result<(), Unsuited> {
        Err(Unsuited::Keys)
    }

    /// Solves every position from a root on, `most` of them at most.
    fn solve(_: G, _: G::Position, _: u64, _: &Control) -> Solved {
        Err(Unsuited::Keys.into())
    }

    /// True if [`prove`](Self::prove) proves values by search.
    const PROVES: bool = false;

    /// True if [`solve_listed`](Self::solve_listed) leaves out positions that the rules decide: the
    /// game is over, or every move ends it.
    const LEAVES_OUT: bool = false;

    /// Solves every position from a root on, up to symmetry, `most` of them at most. Gives the values
    /// to `see` by ascending key, in parts, and returns the root's.
    fn solve_listed(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
        see: &mut dyn FnMut(&[ValuedKey]),
    ) -> Result<PartialValue, SolveError> {
        let answers = Self::solve(game, root, most, control)?;
        control.start(0);
        answers.values(see);
        Ok(answers.worth())
    }

    /// The ranks of a game that numbers its positions.
    fn ranks<E: Engines<G, Self>>(_: &Studied<G, Self, E>) -> Option<&dyn Ranks>
    where
        G::Position: 'static,
    {
        None
    }

    /// Counts the plies below a position in `memory` bytes.
    fn count(_: &G, _: G::Position, _plies: u32, _memory: u64, _: &Control) -> Counted {
        Err(Unsuited::Keys.into())
    }

    /// Proves the score at the end of the game by search; `None` if there is no such search, or the game
    /// counts no points and those are the aim.
    fn prove(
        _: &G,
        _: G::Position,
        _: (Aim, RootScores),
        _: &SharedTable,
        _: &Control,
        _: &mut dyn FnMut(&EndBounds),
    ) -> Option<Proof> {
        None
    }

    /// Searches to a depth; `None` if there is no such search.
    fn search(_: &G, _: G::Position, _: &Search<'_>) -> Option<Report> {
        None
    }
}

/// The most positions that an engine solves beforehand where a search proves values without.
const MOST_SOLVED: u64 = 1 << 22;

/// The arguments of [`Position::search`](super::Position::search).
pub struct Search<'a> {
    pub settings: &'a Settings,
    pub table: Option<&'a SharedTable>,
    pub control: &'a Control,
}

/// Searches a game that ends by minimax.
fn by_minimax<G>(
    game: &G,
    root: G::Position,
    depth: u32,
    evaluation: Evaluation,
    control: &Control,
) -> Attempt
where
    G: Registered + Tiered,
{
    let mut counters = SearchCounters::default();
    let points = minimax(game, root, depth, evaluation, control, &mut counters)?;
    let beyond = game.plies_left(root).saturating_sub(depth);
    Ok((points.score(game.discount(beyond)), counters))
}

/// Engines that a game may have of its own; the defaults suit every game.
pub trait Engines<G: Registered, M: Method<G>>: Send + Sync + 'static {
    /// Counts histories by visiting them.
    fn walk(
        game: &G,
        root: G::Position,
        plies: u32,
        control: &Control,
    ) -> Result<Histories, Stopped> {
        // A page has trees of the games of stones and lines alone, which have a walk of their own.
        not_in_a_page();
        walk_plies(game, root, plies, control)
    }

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

    /// An engine for positions like this one: the solution of all that follow.
    fn engine(
        game: &G,
        root: G::Position,
        limits: EngineLimits,
        control: &Control,
    ) -> Result<Box<dyn Engine>, EngineError> {
        let by_search = || -> Result<Box<dyn Engine>, EngineError> {
            Ok(Box::new(engine::SearchToEnd::new(game.key_bits(), limits.mib)?))
        };
        match M::check(game, root) {
            Err(Unsuited::Plies(_)) if M::PROVES => return by_search(),
            checked => checked.map_err(|error| EngineError::Refused(error.to_string()))?,
        }
        let most = M::PEAK * (limits.mib << 20) / M::bytes(game, root, false);
        let most = if M::PROVES { most.min(MOST_SOLVED) } else { most };
        match M::solve(game.clone(), root, most, control) {
            Err(SolveError::Positions(_)) if M::PROVES => by_search(),
            solved => Ok(Box::new(engine::Solution(solved?))),
        }
    }
}

/// The engines of a game that has none of its own.
#[derive(Debug)]
pub struct Common;

impl<G: Registered, M: Method<G>> Engines<G, M> for Common {}

/// Play ends: the position graph.
#[derive(Debug)]
pub struct Ending;

impl<G: Registered + Symmetric<Key = Key> + Tiered> Method<G> for Ending {
    const ENDS: Option<Ends<G>> = Ends::OF;
    const PROVES: bool = true;

    fn bytes(_: &G, _: G::Position, _: bool) -> u64 {
        PositionGraph::<G>::BYTES_PER_POSITION
    }

    fn check(game: &G, position: G::Position) -> Result<(), Unsuited> {
        PositionGraph::check(game, position)?;
        // Tiers are counted from the start of the largest game with these parameters.
        G::of_parameters(game.parameters())
            .map_or(Ok(()), |all| PositionGraph::check(&all, all.initial()))
    }

    fn solve(game: G, root: G::Position, most: u64, control: &Control) -> Solved {
        let solution = Solution::within(game, root, most, control)?;
        Ok(Box::new(Answered::<G, Self, _>::new(solution)))
    }

    fn count(game: &G, root: G::Position, plies: u32, memory: u64, control: &Control) -> Counted {
        count_plies_within(game, root, Ply(0), plies, &|_| None, memory, control)
    }

    fn prove(
        game: &G,
        root: G::Position,
        asked: (Aim, RootScores),
        table: &SharedTable,
        control: &Control,
        on_bounds: &mut dyn FnMut(&EndBounds),
    ) -> Option<Proof> {
        let is_sound = asked.0 != Aim::Points || G::COUNTS_POINTS;
        is_sound.then(|| prove(game, root, asked, table, control, on_bounds))
    }

    fn search(
        game: &G,
        root: G::Position,
        &Search { settings, table, control }: &Search<'_>,
    ) -> Option<Report> {
        Some(search(game, root, settings, table, control, &mut |_| ()))
    }
}

/// Play ends, but keys do not fit 64 bits, so that no positions are kept.
#[derive(Debug)]
pub struct Unkept;

impl<G: Registered + Tiered> Method<G> for Unkept {
    const ENDS: Option<Ends<G>> = Ends::OF;
}

/// Positions have numbers: values by rank, whether or not play may be endless.
#[derive(Debug)]
pub struct Numbered;

impl<G: Registered + Symmetric<Key = Key> + Ranked> Method<G> for Numbered {
    /// Moves within a tier are given back when it is solved.
    const PEAK: u64 = 4;

    fn bytes(game: &G, root: G::Position, _: bool) -> u64 {
        RankedSolution::bytes_per_rank(game, root)
    }

    fn check(_: &G, _: G::Position) -> Result<(), Unsuited> {
        Ok(())
    }

    fn solve(game: G, root: G::Position, most: u64, control: &Control) -> Solved {
        let solution = RankedSolution::solve(game, root, most, control)?;
        Ok(Box::new(Answered::<G, Self, _>::new(solution)))
    }

    fn ranks<E: Engines<G, Self>>(study: &Studied<G, Self, E>) -> Option<&dyn Ranks>
    where
        G::Position: 'static,
    {
        Some(study)
    }

    fn count(game: &G, root: G::Position, plies: u32, memory: u64, control: &Control) -> Counted {
        count_plies_within(game, root, Ply(0), plies, &|_| None, memory, control)
    }
}

/// Play may be endless: retrograde analysis.
#[derive(Debug)]
pub struct Endless;

impl<G: Registered + Symmetric<Key = Key>> Method<G> for Endless {
    const LEAVES_OUT: bool = true;

    fn bytes(game: &G, root: G::Position, leaves_out: bool) -> u64 {
        listed_bytes(game, root, leaves_out)
    }

    fn check(game: &G, _: G::Position) -> Result<(), Unsuited> {
        check_moves(game)
    }

    fn solve(game: G, root: G::Position, most: u64, control: &Control) -> Solved {
        let solution = Retrograde::solve(game, root, most, control)?;
        Ok(Box::new(Answered::<G, Self, _>::new(solution)))
    }

    fn solve_listed(
        game: G,
        root: G::Position,
        most: u64,
        control: &Control,
        see: &mut dyn FnMut(&[ValuedKey]),
    ) -> Result<PartialValue, SolveError> {
        solve_listed(game, root, most, control, see)
    }

    fn count(game: &G, root: G::Position, plies: u32, memory: u64, control: &Control) -> Counted {
        count_plies_within(game, root, Ply(0), plies, &|_| None, memory, control)
    }
}
