//! Methods of solving games, by what a game can do.

use super::position::Attempt;
use super::ranks::{At, Ranks};
use super::solved::{Solved, SolvedGame, Tiers};
use everyply_core::control::Control;
use everyply_core::exhaustive::{
    Plies, PositionGraph, RankedSolution, Retrograde, Solution, SolveError, StrongSolution,
    ValuedKey, count_plies_within, listed_bytes, solve_listed,
};
use everyply_core::game::{
    Game, Key, PartialValue, Ply, Ranked, Registered, Symmetric, Tiered, Unsuited, check_moves,
};
use everyply_core::search::{
    Aim, EndBounds, Evaluation, Proof, Report, RootScores, Settings, SharedTable, minimax, prove,
    search,
};
use everyply_core::statistics::SearchCounters;

/// The values of all positions, or the reason why there are none.
type Solving = Result<Box<dyn SolvedGame>, SolveError>;

/// The counts of plies, or the reason why there are none.
type Counted = Result<Plies, SolveError>;

/// The facts of a game whose play ends: the methods of [`Tiered`], and the search by minimax to a depth.
pub(super) struct Ends<G: Game> {
    pub plies_left: fn(&G, G::Position) -> u32,
    pub plies_to_draw: fn(&G, G::Position) -> Option<u32>,
    pub last_move_wins: fn(&G) -> bool,
    pub minimax: fn(&At<G>, u32, Evaluation, &Control) -> Attempt,
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
pub(super) trait Method<G: Registered>: Send + Sync + Sized + 'static {
    /// The facts of a game whose play ends.
    const ENDS: Option<Ends<G>> = None;

    /// True if [`prove`](Self::prove) proves values by search.
    const PROVES: bool = false;

    /// True if [`solve_listed`](Self::solve_listed) leaves out positions that the rules decide: the
    /// game is over, or every move ends it.
    const LEAVES_OUT: bool = false;

    /// Bytes that a position takes at most while those from a root on are solved, all of them or without
    /// those that the rules decide.
    fn bytes(_: &At<G>, _leaves_out: bool) -> u64 {
        1
    }

    /// Refuses positions that cannot be solved all together.
    fn check(_: &At<G>) -> Result<(), Unsuited> {
        Err(Unsuited::Keys)
    }

    /// Solves every position from a root on, `most` of them at most.
    fn solve(_: At<G>, _most: u64, _: &Control) -> Solving {
        Err(Unsuited::Keys.into())
    }

    /// Solves every position from a root on, up to symmetry, `most` of them at most. Gives the values
    /// to `see` by ascending key, in parts, and returns the root's.
    fn solve_listed(
        root: At<G>,
        most: u64,
        control: &Control,
        see: &mut dyn FnMut(&[ValuedKey]),
    ) -> Result<PartialValue, SolveError> {
        let solved = Self::solve(root, most, control)?;
        control.start(0);
        solved.values(see);
        Ok(solved.value())
    }

    /// The ranks of a game that numbers its positions.
    fn ranks(_: &At<G>) -> Option<&dyn Ranks> {
        None
    }

    /// Counts the plies below a position in `memory` bytes.
    fn count(_: &At<G>, _plies: u32, _memory: u64, _: &Control) -> Counted {
        Err(Unsuited::Keys.into())
    }

    /// Proves the score at the end of the game by search; `None` if there is no such search, or the game
    /// counts no points and those are the aim.
    fn prove(
        _: &At<G>,
        _: (Aim, RootScores),
        _: &SharedTable,
        _: &Control,
        _: &mut dyn FnMut(&EndBounds),
    ) -> Option<Proof> {
        None
    }

    /// Searches to a depth; `None` if there is no such search.
    fn search(_: &At<G>, _: &Settings, _: Option<&SharedTable>, _: &Control) -> Option<Report> {
        None
    }
}

/// The tiers of a game that a method solves.
pub(super) fn tiers<G: Registered, M: Method<G>>(game: &G) -> Tiers<G> {
    Tiers::new(game, M::ENDS.map(|ends| ends.plies_left))
}

/// A solution as an object.
fn solved<G, M, S>(solution: S) -> Solving
where
    G: Registered<Key = Key>,
    M: Method<G>,
    S: StrongSolution<G> + Send + Sync + 'static,
{
    let tiers = tiers::<G, M>(solution.game());
    Ok(Box::new(Solved { solution, tiers }))
}

fn count_within<G>(root: &At<G>, plies: u32, memory: u64, control: &Control) -> Counted
where
    G: Registered<Key = Key>,
{
    count_plies_within(&root.game, root.position, Ply(0), plies, &|_| None, memory, control)
}

/// Searches a game that ends by minimax.
fn by_minimax<G: Registered + Tiered>(
    At { game, position }: &At<G>,
    depth: u32,
    evaluation: Evaluation,
    control: &Control,
) -> Attempt {
    let mut counters = SearchCounters::default();
    let points = minimax(game, *position, depth, evaluation, control, &mut counters)?;
    let beyond = game.plies_left(*position).saturating_sub(depth);
    Ok((points.score(game.discount(beyond)), counters))
}

/// Play ends: the position graph.
pub(super) struct Ending;

impl<G: Registered + Symmetric<Key = Key> + Tiered> Method<G> for Ending {
    const ENDS: Option<Ends<G>> = Ends::OF;
    const PROVES: bool = true;

    fn bytes(_: &At<G>, _: bool) -> u64 {
        PositionGraph::<G>::BYTES_PER_POSITION
    }

    fn check(At { game, position }: &At<G>) -> Result<(), Unsuited> {
        PositionGraph::check(game, *position)?;
        // Tiers are counted from the start of the largest game with these parameters.
        G::of_parameters(game.parameters())
            .map_or(Ok(()), |all| PositionGraph::check(&all, all.initial()))
    }

    fn solve(root: At<G>, most: u64, control: &Control) -> Solving {
        solved::<G, Self, _>(Solution::within(root.game, root.position, most, control)?)
    }

    fn count(root: &At<G>, plies: u32, memory: u64, control: &Control) -> Counted {
        count_within(root, plies, memory, control)
    }

    fn prove(
        At { game, position }: &At<G>,
        asked: (Aim, RootScores),
        table: &SharedTable,
        control: &Control,
        on_bounds: &mut dyn FnMut(&EndBounds),
    ) -> Option<Proof> {
        let is_sound = asked.0 != Aim::Points || G::COUNTS_POINTS;
        is_sound.then(|| prove(game, *position, asked, table, control, on_bounds))
    }

    fn search(
        At { game, position }: &At<G>,
        settings: &Settings,
        table: Option<&SharedTable>,
        control: &Control,
    ) -> Option<Report> {
        Some(search(game, *position, settings, table, control, &mut |_| ()))
    }
}

/// Play ends, but keys do not fit 64 bits, so that no positions are kept.
pub(super) struct TooWide;

impl<G: Registered + Tiered> Method<G> for TooWide {
    const ENDS: Option<Ends<G>> = Ends::OF;
}

/// Positions have numbers: values by rank, whether or not play may be endless.
pub(super) struct Numbered;

impl<G: Registered + Symmetric<Key = Key> + Ranked> Method<G> for Numbered {
    fn bytes(root: &At<G>, _: bool) -> u64 {
        RankedSolution::bytes_per_rank(&root.game, root.position)
    }

    fn check(_: &At<G>) -> Result<(), Unsuited> {
        Ok(())
    }

    fn solve(root: At<G>, most: u64, control: &Control) -> Solving {
        solved::<G, Self, _>(RankedSolution::solve(root.game, root.position, most, control)?)
    }

    fn ranks(root: &At<G>) -> Option<&dyn Ranks> {
        Some(root)
    }

    fn count(root: &At<G>, plies: u32, memory: u64, control: &Control) -> Counted {
        count_within(root, plies, memory, control)
    }
}

/// Play may be endless: retrograde analysis.
pub(super) struct Endless;

impl<G: Registered + Symmetric<Key = Key>> Method<G> for Endless {
    const LEAVES_OUT: bool = true;

    fn bytes(root: &At<G>, leaves_out: bool) -> u64 {
        listed_bytes(&root.game, root.position, leaves_out)
    }

    fn check(root: &At<G>) -> Result<(), Unsuited> {
        check_moves(&root.game)
    }

    fn solve(root: At<G>, most: u64, control: &Control) -> Solving {
        solved::<G, Self, _>(Retrograde::solve(root.game, root.position, most, control)?)
    }

    fn solve_listed(
        root: At<G>,
        most: u64,
        control: &Control,
        see: &mut dyn FnMut(&[ValuedKey]),
    ) -> Result<PartialValue, SolveError> {
        solve_listed(root.game, root.position, most, control, see)
    }

    fn count(root: &At<G>, plies: u32, memory: u64, control: &Control) -> Counted {
        count_within(root, plies, memory, control)
    }
}
