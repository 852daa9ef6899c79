//! The values that a database has for a book.

use std::path::Path;

use crate::database::{Database, DatabaseError, PositionRow};
use everyply_connect_four::book::Book;
use everyply_core::game::ValueWithBest;
use everyply_core::games::line::LineGame;

/// Loads the values of a book from a database; none if the file does not exist or is empty, as after
/// a run that was killed while it made the file: SQLite undoes its work when the file is opened.
///
/// # Errors
/// If the file is no database, is damaged or cannot be read.
pub fn load_book(book: &mut Book, database: &Path) -> Result<(), DatabaseError> {
    if std::fs::metadata(database).map_or(true, |file| file.is_file() && file.len() == 0) {
        return Ok(());
    }
    let game = book.game().game_id();
    let database = match Database::open(database) {
        Err(DatabaseError::Empty(_)) => return Ok(()),
        opened => opened?,
    };
    database.scan(&game, |PositionRow { key, ply, value, best }| {
        book.learn(ply, key, ValueWithBest { value, best });
        Ok(())
    })
}
