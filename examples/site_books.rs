//! Writes two opening books for the explorer without a server into a folder: the first plies, for a
//! first page, and the whole book. `tools/site` runs it.

use everyply::connect_four::OpeningBook;
use everyply::game::Ply;
use everyply::games::line::Size;
use std::collections::HashMap;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("site_books FOLDER")?);
    let size = Size::new(7, 6, 4)?;
    let book = OpeningBook::builtin(size).ok_or("built without the feature `book`")?;
    let values: HashMap<_, _> = book.iter().collect();
    let first = OpeningBook::new(size, Ply(6), |key| values.get(&key).copied())?;
    std::fs::write(folder.join("first.book"), first.to_bytes()?)?;
    std::fs::write(folder.join("whole.book"), book.to_bytes()?)?;
    Ok(())
}
