//! Engines, one for each board asked about lately.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::{OracleError, Update};
use crate::connect_four::solver::Solver;
use crate::control::{Control, Stopped};
use crate::exhaustive::{GraphEstimate, PositionGraph, Solution};
use crate::game::{Game, Keyed, Move, Tiered, Value, ValueBounds};
use crate::games::line::{AnyGame, LineGame, Rules, Size, Stones, with_game};
use crate::search::{RootScores, Settings, Table, search};

/// Boards whose whole tree needs no more than this are solved once.
const SMALL_TREE: f64 = 48.0 * 1024.0 * 1024.0;

/// True if the whole tree below a position of a board where stones go anywhere is small enough to be solved at once.
pub(crate) fn tree_is_small(game: &AnyGame, root: Stones) -> bool {
    !game.rules().stones_fall() && GraphEstimate::of_graph(game, root).bytes <= SMALL_TREE
}

/// Engines kept; each holds a table.
const MOST: usize = 4;

/// Engines with tables of full size, those that are not kept but still in use included. Any more
/// make do with little.
const MOST_LARGE: usize = 8;

/// MiB of the table of an engine that makes do with little.
const LITTLE: u64 = 4;

/// MiB of the table of a search to the end of the game.
const SEARCH_TABLE: u64 = 32;

/// What gives the values of a board.
#[derive(Debug)]
pub(super) enum Engine {
    /// Every position, solved beforehand.
    Tree(Box<Solution<AnyGame>>),
    /// The solver for Connect Four.
    Solver(Box<Solver>),
    /// Alpha-beta to the end of the game.
    AlphaBeta(AlphaBeta),
}

impl Engine {
    /// An engine with room for a tree, and for a table of `largest_table` MiB.
    fn new(game: &AnyGame, largest_table: u64, control: &Control) -> Result<Self, OracleError> {
        let root = game.initial();
        if tree_is_small(game, root) {
            let tree = PositionGraph::build(*game, root, control)?;
            return Ok(Self::Tree(Box::new(Solution::of(tree, control)?)));
        }
        Self::with_table(game, largest_table)
    }

    /// An engine without a tree.
    fn with_table(game: &AnyGame, largest_table: u64) -> Result<Self, OracleError> {
        let refused =
            |reason: String| OracleError::Engine { board: game.size().to_string(), reason };
        let size = game.size();
        if Solver::serves(game) {
            let mib = Solver::default_table(size, rayon::current_num_threads()).min(largest_table);
            let solver = Solver::new(size, mib).map_err(|error| refused(error.to_string()))?;
            return Ok(Self::Solver(Box::new(solver)));
        }
        let table = Table::new(SEARCH_TABLE.min(largest_table), game.key_bits());
        let table = table.map_err(|error| refused(error.to_string()))?;
        Ok(Self::AlphaBeta(AlphaBeta { table }))
    }

    /// The value of a position.
    pub fn value(
        &self,
        game: &AnyGame,
        position: Stones,
        control: &Control,
        see: impl FnMut(ValueBounds),
    ) -> Result<Value, Stopped> {
        control.check()?;
        match self {
            Self::Tree(solution) => Ok(solution.entry(position).expect("a position of it").value),
            Self::Solver(solver) => Ok(solver.value_watched(position, control, see)?.value),
            Self::AlphaBeta(search) => search.value(game, position, control),
        }
    }
}

/// Alpha-beta with a table that stays.
#[derive(Debug)]
pub(super) struct AlphaBeta {
    table: Table,
}

impl AlphaBeta {
    fn value(&self, game: &AnyGame, root: Stones, control: &Control) -> Result<Value, Stopped> {
        let settings = Settings {
            root_scores: RootScores::OneBest,
            principal_variation: false,
            ..Settings::to_depth(game.plies_left(root))
        };
        let report = with_game!(game, game => {
            search(game, root, &settings, &self.table, None, control, &mut |_| ())
        });
        report.value.ok_or(Stopped)
    }

    /// Moves whose values are proved by the time the value of the root is, or the control stops
    /// it: with the values of the positions they lead to, for the side to move there.
    pub fn moves(
        &self,
        game: &AnyGame,
        root: Stones,
        control: &Control,
        see: &mut dyn FnMut(Update),
    ) -> Vec<(Move, Value)> {
        let settings = Settings {
            root_scores: RootScores::All,
            principal_variation: false,
            ..Settings::to_depth(game.plies_left(root))
        };
        let report = with_game!(game, game => {
            search(game, root, &settings, &self.table, None, control, &mut |iteration| {
                see(Update::Depth(iteration.depth));
            })
        });
        let proved = report.root_moves.iter().filter_map(|row| {
            let value = row.value?.exact()?;
            Some((row.m, value.after_best_move()))
        });
        proved.collect()
    }
}

type Recent = Vec<((Rules, Size), Arc<Engine>)>;

/// The engines of the boards asked about last, the latest first.
#[derive(Debug)]
pub(super) struct Engines {
    recent: Mutex<Recent>,
    /// The engines of full size that somebody may still use.
    large: Mutex<Vec<Weak<Engine>>>,
    largest_table: u64,
}

impl Engines {
    pub fn new(largest_table: u64) -> Self {
        Self { recent: Mutex::default(), large: Mutex::default(), largest_table }
    }

    /// The engine of a board, made if it is not there.
    pub fn get(&self, game: &AnyGame, control: &Control) -> Result<Arc<Engine>, OracleError> {
        let board = (game.rules(), game.size());
        if let Some(engine) = self.keep(board, None) {
            return Ok(engine);
        }
        control.check()?;
        if !self.has_room() {
            return Ok(Arc::new(Engine::with_table(game, LITTLE.min(self.largest_table))?));
        }
        let engine = Arc::new(Engine::new(game, self.largest_table, control)?);
        self.lock_large().push(Arc::downgrade(&engine));
        Ok(self.keep(board, Some(engine)).expect("it was just given"))
    }

    /// True if one more engine of full size may be made. Searches that are paused use theirs for
    /// long, and there may be many of them.
    pub fn has_room(&self) -> bool {
        let mut large = self.lock_large();
        large.retain(|engine| engine.strong_count() > 0);
        large.len() < MOST_LARGE
    }

    fn lock_large(&self) -> std::sync::MutexGuard<'_, Vec<Weak<Engine>>> {
        self.large.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.recent.lock().unwrap().len()
    }

    /// Brings an engine to the front: the one that is there, or else this.
    fn keep(&self, board: (Rules, Size), engine: Option<Arc<Engine>>) -> Option<Arc<Engine>> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let at = recent.iter().position(|(other, _)| *other == board);
        let (board, engine) = match at {
            Some(at) => recent.remove(at),
            None => (board, engine?),
        };
        recent.insert(0, (board, Arc::clone(&engine)));
        recent.truncate(MOST);
        Some(engine)
    }
}

/// A solver that others may be using as well.
pub(crate) struct SharedSolver(Arc<Engine>);

impl SharedSolver {
    pub(super) fn new(engine: Arc<Engine>) -> Option<Self> {
        matches!(*engine, Engine::Solver(_)).then_some(Self(engine))
    }
}

impl Deref for SharedSolver {
    type Target = Solver;

    fn deref(&self) -> &Solver {
        match &*self.0 {
            Engine::Solver(solver) => solver,
            _ => unreachable!("checked when it was made"),
        }
    }
}
