//! The exact solver for Connect Four: alpha-beta with static bounds.
//!
//! Public functions return outcome and remoteness; internally, scores are on Pons' scale. A search
//! answers one question, "is the score above alpha?" (`search`), and the driver chooses the
//! questions (`score`).

#![deny(missing_docs)]

mod abdada;
mod analysis;
mod board;
mod bounds;
mod checkpoint;
mod engine;
mod engines;
mod layout;
mod movegen;
mod ordering;
mod score;
mod search;
mod shared;
mod table;
#[cfg(test)]
mod tests;

pub use analysis::{Analysis, Goal, MIN_POSITIONS_PER_THREAD, RefutedMove};
use board::Board;
pub use checkpoint::{Checkpoint, CheckpointError};
use engine::Root;
use engines::AnyEngine;
pub use engines::SolverWord;
use layout::Layout;
use score::Interval;
pub use score::{Score, score_of, scores, value_of};
use table::Table;

use rustc_hash::FxHashMap;

use crate::OpeningBook;
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{
    Game, Key, Move, MoveSet, Outcome, Symmetric, Tiered, Value, ValueBounds,
};
use everyply_core::games::line::{ConnectFourIn, Size, SizeError, Stones};
use everyply_core::search::TableError;
use everyply_core::statistics::SearchCounters;

/// The reason why a solver cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// A board that does not fit the word.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A table that cannot be created.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// An exact value, and the nodes of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Outcome and remoteness for the side to move.
    pub value: Value,
    /// Positions searched.
    pub nodes: u64,
}

/// A solver for one board. All calls and threads share its table.
///
/// `Solver` is for boards of up to 64 bits, `width * (height + 1)`; `Solver<u128>` is for boards of
/// up to 128 bits with at most 32 columns. Methods return [`Stopped`] if their control asks them to
/// stop.
///
/// ```
/// # mod everyply {
/// #     pub use everyply_connect_four as connect_four;
/// #     pub use everyply_core::*;
/// # }
/// use everyply::control::Control;
/// use everyply::game::{Outcome, Remoteness, Value};
/// use everyply::games::line::{Size, Standard, notation::parse_moves};
/// use everyply::connect_four::solver::Solver;
/// let solver = Solver::new(Size::new(7, 6, 4).unwrap(), 1).unwrap();
/// let position = parse_moves(&Standard::fixed(), "44455554221").unwrap();
/// let solved = solver.value(position, &Control::default()).unwrap();
/// assert_eq!(solved.value, Value::new(Outcome::Loss, Remoteness(2)));
/// ```
#[derive(Debug)]
pub struct Solver<W: SolverWord = u64> {
    game: ConnectFourIn<W>,
    /// Bounds proved elsewhere, by canonical key. The table has them too, but may forget them.
    book: FxHashMap<Key<W>, Interval>,
    engine: Box<dyn AnyEngine<W>>,
    opening: Option<&'static OpeningBook>,
}

impl Solver {
    /// Returns true if the solver's static bounds support lines of this length;
    /// [`search`](everyply_core::search::search) can search other boards to the end.
    pub const fn supports(size: Size) -> bool {
        3 <= size.line && size.line <= 6
    }

    /// Returns the size of the table that measured best on boards of this size, in MiB. More of a
    /// small table stays in the processor's caches; many threads, and wide boards with their many
    /// transpositions, need a larger one. The keys of every board fit this table.
    pub const fn default_table(size: Size, threads: usize) -> u64 {
        match (size.width, size.cells()) {
            (9.., ..=36) => 64,
            (9.., _) => 256,
            (_, ..=42) if threads < 4 => 8,
            (_, ..=42) => 16,
            (_, 43..=47 | 49) => 64,
            _ => 256,
        }
    }
}

impl<W: SolverWord> Solver<W> {
    /// Creates a solver with a table of at most `table_mib` MiB: the largest power of two of bytes.
    /// It does not search positions in the [built-in book](OpeningBook::builtin) of the board.
    ///
    /// # Errors
    /// If the board does not fit the word, or there is no memory for the table.
    pub fn new(size: Size, table_mib: u64) -> Result<Self, SolverError> {
        let opening = OpeningBook::builtin(size);
        Ok(Self { opening, ..Self::without_book(size, table_mib)? })
    }

    /// Creates a solver as [`new`](Self::new) does, but without the built-in book, for measurements
    /// and to check books.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn without_book(size: Size, table_mib: u64) -> Result<Self, SolverError> {
        let game = W::game(size)?;
        let table = Table::new(&Layout::<W>::new(size), table_mib)?;
        let engine = W::engine(size, table);
        Ok(Self { game, book: FxHashMap::default(), engine, opening: None })
    }

    /// Returns the rules on the solver's board.
    pub const fn game(&self) -> &ConnectFourIn<W> {
        &self.game
    }

    /// Returns the size of the table in bytes.
    pub fn table_bytes(&self) -> usize {
        self.engine.table().bytes()
    }

    /// Returns the share of entries in use, from 0 to 1, estimated from a sample.
    pub fn table_fill(&self) -> f64 {
        self.engine.table().fill()
    }

    /// Returns the work of all finished searches: their nodes and accesses to the table.
    pub fn work(&self) -> SearchCounters {
        self.engine.work()
    }

    /// Learns proved bounds of a position. A search of it leaves out what they prove, and other
    /// searches end at it if they suffice. Values never depend on learnt bounds.
    ///
    /// Learn the most important positions last: the table may forget earlier ones.
    pub fn learn(&mut self, position: Stones<W>, bounds: ValueBounds) {
        if self.game.result(position).is_none() {
            let known = Interval::of_bounds(bounds, self.empties(position));
            self.book.insert(self.game.canonical(position).0, known);
            self.engine.learn(self.root(position), known);
        }
    }

    /// Learns from a position's value and all its best moves: the values after these moves, and a
    /// bound that makes every other move worse.
    pub fn learn_best(&mut self, position: Stones<W>, value: Value, best: MoveSet) {
        let score = score_of(value, self.empties(position));
        for m in self.open_moves(position) {
            let next = self.game.play(position, m);
            let empties = self.empties(next);
            let known = if best.contains(m) {
                Interval::exactly(-score)
            } else {
                Interval { lower: -score + 1, upper: *scores(empties).end() }
            };
            // Contradictory bounds come from a damaged file; ignore them.
            if known.lower <= known.upper {
                self.learn(next, known.bounds(empties));
            }
        }
    }

    /// Returns the bounds of a position that are known without a search: by the rules, from the
    /// built-in book, from [learnt](Self::learn) bounds, or from the table.
    pub fn known(&self, position: Stones<W>) -> Option<ValueBounds> {
        let over = self.game.result(position).map(Value::over);
        if let Some(value) = over.or_else(|| self.opening?.value(position)) {
            return Some(ValueBounds::exactly(value));
        }
        let known = match self.book.get(&self.game.canonical(position).0) {
            Some(known) if known.is_exact() => Some(*known),
            _ => self.engine.known(self.root(position)),
        };
        known.map(|known| known.bounds(self.empties(position)))
    }

    /// Returns the exact value of a position.
    pub fn value(&self, position: Stones<W>, control: &Control) -> Result<Solved, Stopped> {
        self.value_with_progress(position, control, |_| ())
    }

    /// Returns the exact value of a position. Calls `report` with the proved bounds whenever they
    /// improve, so that a stopped run has a partial result.
    pub fn value_with_progress(
        &self,
        position: Stones<W>,
        control: &Control,
        mut report: impl FnMut(ValueBounds),
    ) -> Result<Solved, Stopped> {
        let empties = self.empties(position);
        let report = |known: Interval| report(known.bounds(empties));
        let (known, nodes) = self.prove(position, all_scores(empties), control, report)?;
        debug_assert!(known.is_exact());
        Ok(Solved { value: value_of(known.lower, empties), nodes })
    }

    /// Returns the outcome without the remoteness, and the positions searched.
    pub fn outcome_only(
        &self,
        position: Stones<W>,
        control: &Control,
    ) -> Result<(Outcome, u64), Stopped> {
        let wanted = Interval { lower: -1, upper: 1 };
        let (known, nodes) = self.prove(position, wanted, control, |_| ())?;
        let outcome = match known {
            Interval { lower: 1.., .. } => Outcome::Win,
            Interval { upper: ..0, .. } => Outcome::Loss,
            _ => Outcome::Draw,
        };
        Ok((outcome, nodes))
    }

    /// Returns true if the score for the side to move is at most `score`.
    pub fn is_at_most(
        &self,
        position: Stones<W>,
        score: Score,
        control: &Control,
    ) -> Result<bool, Stopped> {
        let wanted = Interval { lower: score, upper: score + 1 };
        Ok(self.prove(position, wanted, control, |_| ())?.0.upper <= score)
    }

    /// Returns the exact value of every move for the side that makes it, by ascending move; empty
    /// if the game is over.
    pub fn moves(
        &self,
        position: Stones<W>,
        control: &Control,
    ) -> Result<Vec<(Move, Solved)>, Stopped> {
        let value = |m| {
            let Solved { value, nodes } = self.value(self.game.play(position, m), control)?;
            Ok((m, Solved { value: value.for_parent(), nodes }))
        };
        self.open_moves(position).into_iter().map(value).collect()
    }

    /// Returns the moves of a position; none if the game is over.
    fn open_moves(&self, position: Stones<W>) -> MoveSet {
        let is_over = self.game.result(position).is_some();
        if is_over { MoveSet::EMPTY } else { self.game.moves(position).into() }
    }

    fn empties(&self, position: Stones<W>) -> i32 {
        self.game.plies_left(position) as i32
    }

    /// Narrows the interval of any position's score until it decides `wanted`. Returns it with the
    /// nodes searched.
    fn prove(
        &self,
        position: Stones<W>,
        wanted: Interval,
        control: &Control,
        mut report: impl FnMut(Interval),
    ) -> Result<(Interval, u64), Stopped> {
        let over = self.game.result(position).map(Value::over);
        if let Some(value) = over.or_else(|| self.opening?.value(position)) {
            let score = score_of(value, self.empties(position));
            let known = Interval::exactly(score);
            report(known);
            return Ok((known, 0));
        }
        if !self.book.is_empty()
            && let Some(known) = self.book.get(&self.game.canonical(position).0)
            && known.decides(wanted)
        {
            report(*known);
            return Ok((*known, 0));
        }
        self.engine.prove(self.root(position), wanted, control, &mut report)
    }

    /// Converts a position whose game is not over to the engine's layout.
    fn root(&self, position: Stones<W>) -> Root<W> {
        let board = Board::new(self.engine.layout(), position);
        Root { board, empties: self.empties(position) }
    }
}

/// Returns the interval of all scores with this number of empties, for either side to move.
const fn all_scores(empties: i32) -> Interval {
    Interval { lower: -(empties / 2 + 1), upper: empties / 2 + 1 }
}
