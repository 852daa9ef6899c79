//! The values that a database has for a book.

use std::path::Path;

use crate::connect_four::book::Book;
use crate::database::{Database, DatabaseError, PositionRow};
use crate::games::line::LineGame;
use crate::search::ValueWithBest;

/// Loads the values of a book from a database; none if the file does not exist or is empty.
///
/// # Errors
/// If the file is no database, is damaged or cannot be read.
pub fn load_book(book: &mut Book, database: &Path) -> Result<(), DatabaseError> {
    if std::fs::metadata(database).map_or(true, |file| file.is_file() && file.len() == 0) {
        return Ok(());
    }
    let game = book.game().game_id();
    Database::open(database)?.scan(&game, |PositionRow { key, ply, value, best }| {
        book.learn(ply, key, ValueWithBest { value, best });
        Ok(())
    })
}
