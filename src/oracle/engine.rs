//! Engines, one for each board asked about lately.

use std::any::Any;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::{OracleError, OtherEngine, Update, Valued};
use crate::connect_four::solver::{Solved, Solver};
use crate::control::{Control, Stopped};
use crate::exhaustive::{PositionGraph, Solution};
use crate::game::{Game, Keyed, Move, Tiered, Value, ValueBounds};
use crate::games::line::{AnyGame, LineGame, Rules, Size, Stones, with_game};
use crate::search::{RootScores, Settings, SharedTable, search};

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
pub enum Engine<G: Valued> {
    /// The solver for Connect Four.
    Solver(Box<Solver<G::Word>>),
    /// What there is for other boards.
    Other(G::Other),
}

/// What gives the values of boards of 64 bits that the solver is not made for.
#[derive(Debug)]
pub enum SmallEngine {
    /// Every position, solved beforehand.
    Tree(Box<Solution<AnyGame>>),
    /// Alpha-beta to the end of the game.
    AlphaBeta(AlphaBeta),
}

fn refused(size: Size, reason: String) -> OracleError {
    OracleError::Engine { board: size.to_string(), reason }
}

impl<G: Valued> Engine<G> {
    /// An engine with a table of `largest_table` MiB, or if `tree` allows it with every position.
    fn new(
        game: &G,
        largest_table: u64,
        tree: bool,
        control: &Control,
    ) -> Result<Self, OracleError> {
        if !Solver::serves(game) {
            return Ok(Self::Other(G::Other::new(game, largest_table, tree, control)?));
        }
        let size = game.size();
        let mib = Solver::default_table(size, rayon::current_num_threads()).min(largest_table);
        let solver = Solver::<G::Word>::new(size, mib);
        Ok(Self::Solver(Box::new(solver.map_err(|error| refused(size, error.to_string()))?)))
    }

    /// The value of a position, and the positions searched as far as they are counted.
    pub(super) fn value(
        &self,
        game: &G,
        position: Stones<G::Word>,
        control: &Control,
        see: impl FnMut(ValueBounds),
    ) -> Result<Solved, Stopped> {
        control.check()?;
        match self {
            Self::Solver(solver) => solver.value_with_progress(position, control, see),
            Self::Other(engine) => {
                Ok(Solved { value: engine.value(game, position, control)?, nodes: 0 })
            }
        }
    }
}

impl OtherEngine<AnyGame> for SmallEngine {
    fn new(
        game: &AnyGame,
        largest_table: u64,
        tree: bool,
        control: &Control,
    ) -> Result<Self, OracleError> {
        let root = game.initial();
        if tree && game.has_small_tree(root) {
            let tree = PositionGraph::build(*game, root, control)?;
            return Ok(Self::Tree(Box::new(Solution::of(tree, control)?)));
        }
        let table = SharedTable::new(SEARCH_TABLE.min(largest_table), game.key_bits());
        let table = table.map_err(|error| refused(game.size(), error.to_string()))?;
        Ok(Self::AlphaBeta(AlphaBeta { table }))
    }

    fn value(&self, game: &AnyGame, position: Stones, control: &Control) -> Result<Value, Stopped> {
        match self {
            Self::Tree(solution) => Ok(solution.entry(position).expect("a position of it").value),
            Self::AlphaBeta(search) => search.value(game, position, control),
        }
    }

    /// Of a tree none: it has each of them at once.
    fn moves(
        &self,
        game: &AnyGame,
        root: Stones,
        control: &Control,
        see: &mut dyn FnMut(Update),
    ) -> Vec<(Move, Value)> {
        match self {
            Self::Tree(_) => Vec::new(),
            Self::AlphaBeta(search) => search.moves(game, root, control, see),
        }
    }
}

/// Alpha-beta with a table that stays.
#[derive(Debug)]
pub struct AlphaBeta {
    table: SharedTable,
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
    fn moves(
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

/// An [`Engine`] of some game, which its board tells.
type AnyEngine = dyn Any + Send + Sync;

type Recent = Vec<((Rules, Size), Arc<AnyEngine>)>;

/// The engines of the boards asked about last, the latest first.
#[derive(Debug)]
pub(super) struct Engines {
    recent: Mutex<Recent>,
    /// The engines of full size that somebody may still use.
    large: Mutex<Vec<Weak<AnyEngine>>>,
    largest_table: u64,
}

impl Engines {
    pub fn new(largest_table: u64) -> Self {
        Self { recent: Mutex::default(), large: Mutex::default(), largest_table }
    }

    /// The engine of a board, made if it is not there.
    pub fn get<G: Valued>(
        &self,
        game: &G,
        control: &Control,
    ) -> Result<Arc<Engine<G>>, OracleError> {
        let board = (game.rules(), game.size());
        if let Some(engine) = self.keep(board, None) {
            return Ok(engine);
        }
        control.check()?;
        if !self.has_room() {
            let largest_table = LITTLE.min(self.largest_table);
            return Ok(Arc::new(Engine::new(game, largest_table, false, control)?));
        }
        let engine = Arc::new(Engine::new(game, self.largest_table, true, control)?);
        let any: Arc<AnyEngine> = engine;
        self.lock_large().push(Arc::downgrade(&any));
        Ok(self.keep(board, Some(any)).expect("it was just given"))
    }

    /// True if one more engine of full size may be made. Searches that are paused use theirs for
    /// long, and there may be many of them.
    pub fn has_room(&self) -> bool {
        let mut large = self.lock_large();
        large.retain(|engine| engine.strong_count() > 0);
        large.len() < MOST_LARGE
    }

    fn lock_large(&self) -> std::sync::MutexGuard<'_, Vec<Weak<AnyEngine>>> {
        self.large.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.recent.lock().unwrap().len()
    }

    /// Brings an engine to the front: the one that is there, or else this.
    fn keep<G: Valued>(
        &self,
        board: (Rules, Size),
        engine: Option<Arc<AnyEngine>>,
    ) -> Option<Arc<Engine<G>>> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let at = recent.iter().position(|(other, _)| *other == board);
        let (board, engine) = match at {
            Some(at) => recent.remove(at),
            None => (board, engine?),
        };
        recent.insert(0, (board, Arc::clone(&engine)));
        recent.truncate(MOST);
        Some(engine.downcast().expect("a board has one word"))
    }
}

/// A solver that others may be using as well.
pub(crate) struct SharedSolver<G: Valued>(Arc<Engine<G>>);

impl<G: Valued> SharedSolver<G> {
    pub(super) fn new(engine: Arc<Engine<G>>) -> Option<Self> {
        matches!(*engine, Engine::Solver(_)).then_some(Self(engine))
    }
}

impl<G: Valued> Deref for SharedSolver<G> {
    type Target = Solver<G::Word>;

    fn deref(&self) -> &Self::Target {
        match &*self.0 {
            Engine::Solver(solver) => solver,
            Engine::Other(_) => unreachable!("checked when it was made"),
        }
    }
}
