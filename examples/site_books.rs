//! Writes the opening books of the explorer without a server into a folder: the first plies for a
//! first page, and all. `tools/site` runs it.

use everyply::connect_four::OpeningBook;
use everyply::game::Ply;
use everyply::games::line::Size;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("site_books FOLDER")?);
    let book =
        OpeningBook::builtin(Size::new(7, 6, 4)?).ok_or("built without the feature `book`")?;
    std::fs::write(folder.join("first.book"), book.to_thin_bytes(Ply(6))?)?;
    std::fs::write(folder.join("whole.book"), book.to_thin_bytes(book.plies())?)?;
    Ok(())
}
