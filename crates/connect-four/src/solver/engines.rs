//! The engine for each board: common boards have their masks folded to constants.

use std::fmt::Debug;

use super::driver::Interval;
use super::engine::Engine;
use super::forecast::Forecast;
use super::layout::{AnyLayout, Layout, LayoutSource};
use super::question::Root;
use super::table::Table;
use super::thread_statistics::{ThreadStatistics, ThreadWork};
use crate::OpeningBook;
use crate::control::{Control, Stopped};
use crate::game::Value;
use crate::games::line::{ConnectFour, ConnectFourIn, Fixed, Size, SizeError, Stones, Wide, Word};

/// An [`Engine`] behind a trait object: only the engine is compiled for each layout.
pub trait AnyEngine<W>: Debug + Send + Sync {
    /// Returns the layout.
    fn layout(&self) -> &Layout<W>;

    /// Returns the table.
    fn table(&self) -> &Table;

    /// See [`Engine::prove`].
    fn prove(
        &self,
        root: Root<W>,
        wanted: Interval,
        control: &Control,
        report: &mut dyn FnMut(Interval),
    ) -> Result<(Interval, u64), Stopped>;

    /// Starts to count the work of every thread.
    fn count_work(&mut self);

    /// Returns the work of every thread; empty if it is not counted.
    fn work(&self) -> Vec<ThreadWork>;

    /// See [`Engine::forecast`].
    fn forecast(&self) -> Option<Forecast>;

    /// See [`Engine::known`].
    fn known(&self, root: Root<W>) -> Option<Interval>;

    /// See [`Engine::learn`].
    fn learn(&self, root: Root<W>, known: Interval);
}

impl<L: LayoutSource + Debug + Send + Sync> AnyEngine<L::Word> for Engine<L> {
    fn layout(&self) -> &Layout<L::Word> {
        self.layout()
    }

    fn table(&self) -> &Table {
        &self.table
    }

    fn prove(
        &self,
        root: Root<L::Word>,
        wanted: Interval,
        control: &Control,
        report: &mut dyn FnMut(Interval),
    ) -> Result<(Interval, u64), Stopped> {
        self.prove(root, wanted, control, report)
    }

    fn count_work(&mut self) {
        self.thread_statistics = Some(ThreadStatistics::default());
    }

    fn work(&self) -> Vec<ThreadWork> {
        self.thread_statistics.as_ref().map(ThreadStatistics::threads).unwrap_or_default()
    }

    fn forecast(&self) -> Option<Forecast> {
        self.forecast()
    }

    fn known(&self, root: Root<L::Word>) -> Option<Interval> {
        self.known(root)
    }

    fn learn(&self, root: Root<L::Word>, known: Interval) {
        self.learn(root, known);
    }
}

/// A word for boards in the solver: `u64`, or `u128` for boards that do not fit 64 bits.
pub trait SolverWord: Word {
    /// Creates the game on a board of this size.
    ///
    /// # Errors
    /// If the board does not fit the word.
    fn game(size: Size) -> Result<ConnectFourIn<Self>, SizeError>;

    /// Creates the engine for a board that fits the word, with a table made for the
    /// layout of that board.
    fn engine(size: Size, table: Table) -> Box<dyn AnyEngine<Self>>;

    /// Returns the value of a position in an opening book. Books are for boards of up to 64 bits.
    fn in_opening(_: &OpeningBook, _: Stones<Self>) -> Option<Value> {
        None
    }
}

impl SolverWord for u64 {
    fn game(size: Size) -> Result<ConnectFourIn<Self>, SizeError> {
        ConnectFour::new(size)
    }

    fn engine(size: Size, table: Table) -> Box<dyn AnyEngine<Self>> {
        match (size.width, size.height, size.line) {
            (7, 6, 4) => Box::new(Engine::new(Fixed::<7, 6, 4>, table)),
            (7, 7, 4) => Box::new(Engine::new(Fixed::<7, 7, 4>, table)),
            (6, 7, 4) => Box::new(Engine::new(Fixed::<6, 7, 4>, table)),
            (8, 6, 4) => Box::new(Engine::new(Fixed::<8, 6, 4>, table)),
            _ => Box::new(Engine::new(AnyLayout(Layout::<Self>::new(size)), table)),
        }
    }

    fn in_opening(book: &OpeningBook, position: Stones) -> Option<Value> {
        book.value(position)
    }
}

impl SolverWord for u128 {
    fn game(size: Size) -> Result<ConnectFourIn<Self>, SizeError> {
        Wide::wide(size)
    }

    fn engine(size: Size, table: Table) -> Box<dyn AnyEngine<Self>> {
        Box::new(Engine::new(AnyLayout(Layout::<Self>::new(size)), table))
    }
}
