//! Boards of stones and lines as games of the registry, and the engines made for them.

use super::engine::{Engine, EngineError, EngineLimits, Proved, SearchToEnd, See, Step};
use super::method::{Ending, Engines, Method, Unkept};
use super::position::Position;
use super::{Entry, Start, counts, start};
use everyply_connect_four::solver::{Solved, Solver, SolverWord};
use everyply_connect_four::{OpeningBook, plies_by_outcome};
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{Histories, walk};
use everyply_core::game::{Keyed, Move, MoveSet, Outcome, Ply, Registered, Value, ValueBounds};
use everyply_core::games::line::{
    AnyGame, ConnectFour, GraphEstimate, LineGame, Mnk, Rules, Size, Standard, Stones, TicTacToe,
    Wide,
};
use everyply_core::statistics::PlyCounts;
use std::any::Any;

/// The games of stones and lines.
pub(super) fn entries() -> [Entry; 2] {
    [entry::<TicTacToe>(Rules::Mnk), entry::<Standard>(Rules::ConnectFour)]
}

fn entry<G: Registered>(rules: Rules) -> Entry {
    let entry = Entry::of::<G>(
        move |chosen| board(rules, rules.chosen_size(chosen)?),
        move |[width, height, line]| board(rules, Size::new(width, height, line)?),
    );
    Entry { aliases: rules.aliases(), ..entry }
}

/// The empty board of a size.
fn board(rules: Rules, size: Size) -> Start {
    // The usual boards have types of their own, so that engines know all masks. A page is smaller
    // without, and its solver of 7x6 knows them anyway.
    match (rules, size == rules.usual() && !cfg!(everyply_page)) {
        (Rules::Mnk, true) => start::<_, Ending, Lines>(TicTacToe::fixed()),
        (Rules::Mnk, false) => start::<_, Ending, Lines>(Mnk::new(size)?),
        (Rules::ConnectFour, true) => start::<_, Ending, Lines>(Standard::fixed()),
        (Rules::ConnectFour, false) => match ConnectFour::new(size) {
            Ok(game) => start::<_, Ending, Lines>(game),
            Err(_) => start::<_, Unkept, Lines>(Wide::wide(size)?),
        },
    }
}

/// A position of a game of stones and lines on a board of 64 bits.
pub fn study_of(game: &AnyGame, position: Stones) -> Box<dyn Position> {
    let start = board(game.rules(), game.size()).expect("the board was made before");
    start.of_key(game.key(position)).expect("a position has a key")
}

impl dyn Position + '_ {
    /// The game and the position, if they are of stones and lines on a board of 64 bits.
    pub fn lines(&self) -> Option<(AnyGame, Stones)> {
        let rules = Rules::of(self.info().name)?;
        let game = AnyGame::of_size(rules, Size::of_parameters(self.info().parameters)).ok()?;
        Some((game, *self.position().downcast_ref()?))
    }

    /// The game and the position, if they are Connect Four on a board of more than 64 bits.
    pub fn wide_lines(&self) -> Option<(Wide, Stones<u128>)> {
        let position = *self.position().downcast_ref()?;
        Some((Wide::wide(Size::of_parameters(self.info().parameters)).ok()?, position))
    }
}

/// True if all positions below one are few enough to be solved at once.
pub fn is_small_below<G: LineGame>(game: &G, root: Stones) -> bool {
    const SMALL: f64 = 48.0 * 1024.0 * 1024.0;
    !game.rules().stones_fall() && GraphEstimate::of_graph(game, root).bytes <= SMALL
}

/// Boards of stones and lines: the exact solver on the boards it is made for, all positions of a
/// small board on which stones go anywhere, a search to the end on others.
#[derive(Debug)]
pub struct Lines;

impl<G: Registered + LineGame> Engines<G, Ending> for Lines {
    fn walk(game: &G, root: Stones, plies: u32, control: &Control) -> Result<Histories, Stopped> {
        walk(game, root, plies, control)
    }

    fn count_tiers(
        game: &G,
        last: Ply,
        control: &Control,
    ) -> Option<Result<Vec<PlyCounts>, Stopped>> {
        Some(counts::of_board(game, last, control))
    }

    fn published_counts(game: &G) -> &'static str {
        plies_by_outcome(game)
    }

    fn booked(game: &G, position: Stones) -> Option<Value> {
        in_opening(game, position)
    }

    fn engine(
        game: &G,
        _: Stones,
        limits: EngineLimits,
        control: &Control,
    ) -> Result<Box<dyn Engine>, EngineError> {
        if Solver::serves(game) {
            return solver::<u64>(game.size(), limits);
        }
        let root = game.initial();
        if limits.may_solve_all && is_small_below(game, root) {
            let answers = Ending::solve(*game, root, u64::MAX, control)?;
            return Ok(Box::new(super::engine::Solution(answers)));
        }
        Ok(Box::new(SearchToEnd::new(game.key_bits(), limits.mib)?))
    }
}

impl Engines<Wide, Unkept> for Lines {
    fn booked(game: &Wide, position: Stones<u128>) -> Option<Value> {
        in_opening(game, position)
    }

    fn engine(
        game: &Wide,
        _: Stones<u128>,
        limits: EngineLimits,
        _: &Control,
    ) -> Result<Box<dyn Engine>, EngineError> {
        if !Solver::supports(game.size()) {
            return Err(EngineError::Refused(format!(
                "only the solver searches boards as large, and it is made for {}",
                Solver::BOARDS
            )));
        }
        solver::<u128>(game.size(), limits)
    }
}

/// The value that the built-in opening book has of a position.
fn in_opening<W: SolverWord>(game: &impl LineGame<W>, position: Stones<W>) -> Option<Value> {
    let book = OpeningBook::builtin(game.size()).filter(|_| game.rules().stones_fall())?;
    book.value(position)
}

/// The exact solver of a board.
fn solver<W: SolverWord>(size: Size, limits: EngineLimits) -> Result<Box<dyn Engine>, EngineError> {
    let mib = Solver::default_table(size, rayon::current_num_threads()).min(limits.mib);
    let solver = Solver::<W>::new(size, mib);
    Ok(Box::new(solver.map_err(|error| EngineError::Refused(error.to_string()))?))
}

fn stones<W: SolverWord>(study: &dyn Position) -> Stones<W> {
    *study.position().downcast_ref().expect("a position of the solver's board")
}

impl<W: SolverWord> Engine for Solver<W> {
    fn covers(&self, _: &dyn Position) -> bool {
        true
    }

    fn value(
        &self,
        study: &dyn Position,
        control: &Control,
        see: See<'_>,
    ) -> Result<Proved, Stopped> {
        let Solved { value, nodes } = self.value_with_progress(stones(study), control, see)?;
        Ok(Proved { value: value.into(), nodes })
    }

    fn as_solver(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn look_ahead(&self, study: &dyn Position, control: &Control, see: &mut dyn FnMut(Step)) {
        let report = |m: Move, bounds: ValueBounds| {
            see(match bounds.value() {
                Some(value) => Step::Move(m.0.into(), value.into()),
                None => Step::Bounds(m.0.into(), bounds),
            });
        };
        // A stop has reported all that was proved.
        let _ = Self::look_ahead(self, stones(study), control, report);
    }

    fn outcome(&self, study: &dyn Position, control: &Control) -> Result<(Outcome, u64), Stopped> {
        self.outcome_only(stones(study), control)
    }

    fn best(
        &self,
        study: &dyn Position,
        value: Value,
        control: &Control,
    ) -> Result<Option<MoveSet>, Stopped> {
        self.best_moves(stones(study), value, control).map(Some)
    }

    fn best_move(
        &self,
        study: &dyn Position,
        value: Value,
        control: &Control,
    ) -> Result<Option<u32>, Stopped> {
        let (found, _) = Self::best_move(self, stones(study), value, control)?;
        Ok(found.map(|Move(column)| column.into()))
    }
}
