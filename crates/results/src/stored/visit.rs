//! Visits of the rows of a file, each with the values that the file has of the moves.

use super::{Content, StoredError, StoredFile};
use crate::database::{DatabaseError, PositionRow};
use everyply_connect_four::OpeningBook;
use everyply_core::control::Control;
use everyply_core::game::{GameId, Keyed, PartialValue, Ply, Symmetric};
use everyply_core::games::line::{LineGame, Stones};
use everyply_registry::registry::{Position, Successor};

/// A function that looks up the value of the position that a move of the row at hand leads to, for the
/// side to move there; `None` if the file does not hold it.
pub type Below<'b> = dyn FnMut(&Successor) -> Result<Option<PartialValue>, StoredError> + 'b;

impl StoredFile {
    /// The last ply up to which the file holds every position whose game is not over; `None` if it
    /// promises none.
    pub fn whole_to(&self) -> Option<Ply> {
        let Content::Book(book) = &self.content else { return None };
        Some(book.plies())
    }

    /// Visits the rows of a game, given by its start, those of a database or an opening book by ply; of
    /// a database two plies are in memory at a time. Of a whole Connect Four board it visits none.
    ///
    /// # Errors
    /// The first error of `each`; or if the file is damaged or cannot be read.
    pub fn visit(
        &self,
        start: &dyn Position,
        control: &Control,
        each: &mut dyn FnMut(&PositionRow, &mut Below<'_>) -> Result<(), StoredError>,
    ) -> Result<(), StoredError> {
        if let Some(database) = self.database() {
            return database.plies(&start.game_id(), |row, near| {
                each(row, &mut |to| {
                    let Some(key) = to.canonical else { return Ok(None) };
                    Ok(near.row(key, to.tier)?.map(|row| row.value))
                })
            });
        }
        if let Some(solution) = self.solution().filter(|solution| solution.board().is_none()) {
            let root = solution.root(start)?;
            let tier = root.tiers();
            let below = &mut |to: &Successor| match to.canonical.and_then(|key| start.of_key(key)) {
                Some(there) => Ok(solution.value(&*there)?),
                None => Ok(None),
            };
            for chunk in 0..solution.chunks() {
                control.check()?;
                for (key, value) in solution.values(start, chunk)? {
                    let ply = tier(key).ok_or_else(|| solution.no_position(key))?;
                    each(&PositionRow { key, ply, value, best: None }, below)?;
                }
            }
        }
        if let Content::Book(book) = &self.content {
            return visit_book(book, each);
        }
        Ok(())
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
}

fn visit_book(
    book: &OpeningBook,
    each: &mut dyn FnMut(&PositionRow, &mut Below<'_>) -> Result<(), StoredError>,
) -> Result<(), StoredError> {
    let (board, game) = (book.board(), book.board().game());
    let value = |key| book.value(game.position_of(key)?).map(PartialValue::from);
    for (ply, profiles) in (0..=book.plies().0).map(Ply).zip(board.canonical_profiles()) {
        for position in profiles.into_iter().flat_map(|profile| board.positions(profile)) {
            let Some(known) = book.value(position) else { continue };
            let (key, _) = game.canonical(position);
            let image = game.position_of(key).expect("an image is a position");
            // Of two mirrored positions of a symmetric profile one is enough, if they agree.
            let is_second = image != position && image.occupied() == position.occupied();
            if is_second && value(key) == Some(known.into()) {
                continue;
            }
            let row = PositionRow { key, ply, value: known.into(), best: None };
            each(&row, &mut |to| Ok(to.canonical.and_then(value)))?;
        }
    }
    Ok(())
}
