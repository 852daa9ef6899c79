//! The games an oracle is asked about: what files, the opening book and engines know of them.

use std::convert::Infallible;
use std::fmt::Debug;

use super::engine::SmallEngine;
use super::files::OracleFiles;
use super::{OracleError, SourcedValue, Update};
use crate::connect_four::solver::{Solver, SolverWord};
use crate::control::Control;
use crate::control::Stopped;
use crate::game::{Move, MoveSet, Value};
use crate::games::line::{AnyGame, GraphEstimate, LineGame, Stones, Wide};

/// A game whose positions an oracle values: any that fits 64 bits, and Connect Four on boards of
/// up to 128.
pub trait Valued: LineGame<Self::Word> + Send + Sync + 'static {
    /// The word of its boards.
    type Word: SolverWord;
    /// The engine of what the solver is not made for.
    type Other: OtherEngine<Self>;

    /// What the files say of a position; a value in full is preferred to an outcome.
    ///
    /// # Errors
    /// If one of them cannot be read.
    fn in_files(
        &self,
        files: &OracleFiles,
        position: Stones<Self::Word>,
    ) -> Result<Option<SourcedValue>, OracleError>;

    /// The best moves of a position as a file has them.
    ///
    /// # Errors
    /// If one of them cannot be read.
    fn best_in_files(
        &self,
        files: &OracleFiles,
        position: Stones<Self::Word>,
    ) -> Result<Option<MoveSet>, OracleError>;

    /// True if the whole tree below a position is small enough to be solved at once.
    fn has_small_tree(&self, root: Stones<Self::Word>) -> bool;
}

/// An engine of boards that the solver is not made for.
pub trait OtherEngine<G: Valued>: Debug + Send + Sync + Sized + 'static {
    /// The engine of a board, with room for a tree if `tree` allows one, and for a table of
    /// `largest_table` MiB.
    fn new(
        game: &G,
        largest_table: u64,
        tree: bool,
        control: &Control,
    ) -> Result<Self, OracleError>;

    /// The value of a position.
    fn value(
        &self,
        game: &G,
        position: Stones<G::Word>,
        control: &Control,
    ) -> Result<Value, Stopped>;

    /// Moves whose values are proved together, with the values of the positions they lead to.
    fn moves(
        &self,
        game: &G,
        root: Stones<G::Word>,
        control: &Control,
        see: &mut dyn FnMut(Update),
    ) -> Vec<(Move, Value)>;
}

impl Valued for AnyGame {
    type Word = u64;
    type Other = SmallEngine;

    fn in_files(
        &self,
        files: &OracleFiles,
        position: Stones,
    ) -> Result<Option<SourcedValue>, OracleError> {
        files.look_up(self, position)
    }

    fn best_in_files(
        &self,
        files: &OracleFiles,
        position: Stones,
    ) -> Result<Option<MoveSet>, OracleError> {
        files.best(self, position)
    }

    fn has_small_tree(&self, root: Stones) -> bool {
        /// Boards whose whole tree needs no more than this are solved once.
        const SMALL: f64 = 48.0 * 1024.0 * 1024.0;
        !self.rules().stones_fall() && GraphEstimate::of_graph(self, root).bytes <= SMALL
    }
}

/// Boards that no file has, since keys are of 64 bits, and that nothing but the solver searches.
impl Valued for Wide {
    type Word = u128;
    type Other = Infallible;

    fn in_files(
        &self,
        _: &OracleFiles,
        _: Stones<u128>,
    ) -> Result<Option<SourcedValue>, OracleError> {
        Ok(None)
    }

    fn best_in_files(
        &self,
        _: &OracleFiles,
        _: Stones<u128>,
    ) -> Result<Option<MoveSet>, OracleError> {
        Ok(None)
    }

    fn has_small_tree(&self, _: Stones<u128>) -> bool {
        false
    }
}

impl OtherEngine<Wide> for Infallible {
    fn new(game: &Wide, _: u64, _: bool, _: &Control) -> Result<Self, OracleError> {
        Err(OracleError::Engine {
            board: game.size().to_string(),
            reason: format!(
                "only the solver searches boards as large, and it is made for {}",
                Solver::BOARDS
            ),
        })
    }

    fn value(&self, _: &Wide, _: Stones<u128>, _: &Control) -> Result<Value, Stopped> {
        match *self {}
    }

    fn moves(
        &self,
        _: &Wide,
        _: Stones<u128>,
        _: &Control,
        _: &mut dyn FnMut(Update),
    ) -> Vec<(Move, Value)> {
        match *self {}
    }
}
