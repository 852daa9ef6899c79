//! Visits of the rows of a file, each with the values of its moves in the file.

use super::{Content, StoredError, StoredFile};
use crate::database::{Database, DatabaseError, PositionRow};
use everyply_connect_four::profiles::Board;
use everyply_core::control::Control;
use everyply_core::game::{GameId, Key, Keyed, PartialValue, Ply, Symmetric, Value};
use everyply_core::games::line::{LineGame, Stones};
use everyply_registry::registry::{Position, Successor};
use everyply_registry::solutions::SolutionFile;

/// A function that looks up the value of the position after a move of a row, for the side to move
/// there; `None` if the file does not hold it.
pub type Below<'b> = dyn Fn(&Successor) -> Result<Option<PartialValue>, StoredError> + Sync + 'b;

/// A function that takes rows, several at a time, and looks up values below them.
type Each<'e> = dyn FnMut(&[PositionRow], &Below<'_>) -> Result<(), StoredError> + 'e;

/// The rows that a visit hands over.
#[derive(Clone, Copy)]
pub struct Visit<'v> {
    /// The game of the rows, given by any position of it.
    pub start: &'v dyn Position,
    pub plies: &'v dyn Fn(Ply) -> bool,
    /// True if values below the rows are looked up: two plies of a database are then in memory at a
    /// time.
    pub moves: bool,
    pub control: &'v Control,
}

/// Rows that are handed over at a time.
const PIECE: usize = 1 << 14;

/// The most rows of a solution file that are sorted by ply in memory.
const SORTED: u64 = 1 << 22;

impl StoredFile {
    /// Returns the last ply up to which the file holds every position whose game is not over;
    /// `None` if it promises none.
    pub fn whole_to(&self) -> Option<Ply> {
        let Content::Book(book) = &self.content else { return None };
        Some(book.plies())
    }

    /// Visits the rows of a game one by one in the order of the file: by ply in a database or a
    /// board.
    ///
    /// # Errors
    /// The first error of `each`; or if the file is damaged or cannot be read.
    pub fn visit(
        &self,
        start: &dyn Position,
        control: &Control,
        each: &mut dyn FnMut(&PositionRow, &Below<'_>) -> Result<(), StoredError>,
    ) -> Result<(), StoredError> {
        let visit = Visit { start, plies: &|_| true, moves: true, control };
        self.visit_pieces(visit, &mut |rows, below| {
            rows.iter().try_for_each(|row| each(row, below))
        })
    }

    /// Visits the rows of a game by ply, several at a time, and within a ply in the order of the
    /// file: by key in a database, by rank on a board. A large solution file of another game is
    /// read once for every ply.
    ///
    /// # Errors
    /// The first error of `each`; or if the file is damaged or cannot be read.
    pub fn visit_by_ply(&self, visit: Visit<'_>, each: &mut Each<'_>) -> Result<(), StoredError> {
        let Some(solution) = self.solution().filter(|solution| solution.board().is_none()) else {
            return self.visit_pieces(visit, each);
        };
        if solution.positions() <= SORTED {
            let mut all = Vec::new();
            self.visit_pieces(visit, &mut |rows, _| {
                all.extend_from_slice(rows);
                Ok(())
            })?;
            all.sort_by_key(|row| row.ply);
            let below = self.below(visit.start);
            return all.chunks(PIECE).try_for_each(|rows| each(rows, &below));
        }
        let mut plies = [false; 1 << u8::BITS];
        self.visit_pieces(visit, &mut |rows, _| {
            rows.iter().for_each(|row| plies[row.ply.index()] = true);
            Ok(())
        })?;
        for (ply, _) in (0..=u8::MAX).map(Ply).zip(plies).filter(|(_, has_rows)| *has_rows) {
            self.visit_pieces(Visit { plies: &|other| other == ply, ..visit }, each)?;
        }
        Ok(())
    }

    fn visit_pieces(&self, visit: Visit<'_>, each: &mut Each<'_>) -> Result<(), StoredError> {
        match &self.content {
            Content::Database(_) => self.visit_database(visit, each),
            Content::Solution(solution) => match solution.board() {
                Some(board) => {
                    let value = |position| Ok(solution.value_of_stones(position)?);
                    visit_board(board, board.last_ply(), false, visit, each, &value)
                }
                None => self.visit_solution(solution, visit, each),
            },
            Content::Book(book) => {
                let value = |position| Ok(book.value(position));
                visit_board(book.board(), book.plies(), true, visit, each, &value)
            }
            Content::Strategies(_) => Ok(()),
        }
    }

    /// Looks up values below rows one by one.
    fn below<'b>(
        &'b self,
        start: &'b dyn Position,
    ) -> impl Fn(&Successor) -> Result<Option<PartialValue>, StoredError> + Sync + 'b {
        |to| match to.canonical.and_then(|key| start.of_key(key)) {
            Some(there) => Ok(self.row(&*there)?.map(|row| row.value)),
            None => Ok(None),
        }
    }

    /// Visits the rows of a game in the order that is fastest to read; none of a solution file.
    ///
    /// # Errors
    /// The first error of `each`; or if the file is damaged or cannot be read.
    pub fn scan<E: From<DatabaseError>>(
        &self,
        game: &GameId,
        mut each: impl FnMut(PositionRow) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(database) = self.database() {
            return database.scan(game, each);
        }
        let Content::Book(book) = &self.content else { return Ok(()) };
        let board = *book.board().game();
        for (key, value) in book.iter().filter(|_| board.game_id() == *game) {
            let ply = board.position_of(key).map(Stones::ply).unwrap_or_default();
            each(PositionRow { key, ply, value: value.into(), best: None })?;
        }
        Ok(())
    }

    /// Visits rows on a connection of their own; look-ups below them share the file's.
    fn visit_database(
        &self,
        Visit { start, plies, moves, .. }: Visit<'_>,
        each: &mut Each<'_>,
    ) -> Result<(), StoredError> {
        let game = start.game_id();
        let looked_up = |key: Key| -> Result<Option<PartialValue>, StoredError> {
            let database = self.database().expect("a database");
            Ok(database.position(&game, key)?.map(|row| row.value))
        };
        let database = Database::open(&self.path)?;
        database.plies(&game, moves, |held| {
            let below = |to: &Successor| {
                let Some(key) = to.canonical else { return Ok(None) };
                let Some(rows) = held.iter().find(|rows| rows[0].ply == to.tier) else {
                    return looked_up(key);
                };
                let at = rows.binary_search_by_key(&key, |row| row.key).ok();
                Ok(at.map(|at| rows[at].value))
            };
            let rows = if plies(held[0][0].ply) { &held[0][..] } else { &[] };
            rows.chunks(PIECE).try_for_each(|rows| each(rows, &below))
        })
    }

    /// Visits the rows of a file of a game that is no whole board, in the order of the file.
    fn visit_solution(
        &self,
        solution: &SolutionFile,
        Visit { start, plies, control, .. }: Visit<'_>,
        each: &mut Each<'_>,
    ) -> Result<(), StoredError> {
        let (root, below) = (solution.root(start)?, self.below(start));
        let tier = root.tiers();
        for chunk in 0..solution.chunks() {
            control.check()?;
            let mut rows = Vec::new();
            for (key, value) in solution.values(start, chunk)? {
                let ply = tier(key).ok_or_else(|| solution.no_position(key))?;
                rows.extend(plies(ply).then_some(PositionRow { key, ply, value, best: None }));
            }
            each(&rows, &below)?;
        }
        Ok(())
    }
}

/// A function that looks up the value of a position of a board.
type ValueOf<'v> = dyn Fn(Stones) -> Result<Option<Value>, StoredError> + Sync + 'v;

/// Visits the positions of a board up to a ply that have values, by profile and rank. A mirrored
/// position of a symmetric profile has a second place, which is visited with `both` if its value
/// differs.
fn visit_board(
    board: &Board,
    last: Ply,
    both: bool,
    Visit { plies, .. }: Visit<'_>,
    each: &mut Each<'_>,
    value: &ValueOf<'_>,
) -> Result<(), StoredError> {
    let game = board.game();
    let below = |to: &Successor| match to.canonical.and_then(|key| game.position_of(key)) {
        Some(position) => Ok(value(position)?.map(PartialValue::from)),
        None => Ok(None),
    };
    let of_plies = (0..=last.0).map(Ply).zip(board.canonical_profiles());
    for (ply, profiles) in of_plies.filter(|(ply, _)| plies(*ply)) {
        let positions = profiles.into_iter().flat_map(|profile| board.positions(profile));
        let mut positions = positions.peekable();
        while positions.peek().is_some() {
            let mut rows = Vec::with_capacity(PIECE);
            for position in positions.by_ref().take(PIECE) {
                let (key, _) = game.canonical(position);
                let image = Some(key).filter(|key| *key != game.key(position));
                let image = image.and_then(|key| game.position_of(key));
                let first = image.filter(|image| image.occupied() == position.occupied());
                if first.is_some() && !both {
                    continue;
                }
                let Some(known) = value(position)? else { continue };
                if let Some(first) = first
                    && value(first)? == Some(known)
                {
                    continue;
                }
                rows.push(PositionRow { key, ply, value: known.into(), best: None });
            }
            each(&rows, &below)?;
        }
    }
    Ok(())
}
