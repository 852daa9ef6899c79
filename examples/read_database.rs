//! A database, written and read: tic-tac-toe is solved into a file, and a position is looked up.
//!
//! `cargo run --release --example read_database -- 12`

#![allow(clippy::print_stdout, reason = "it is there to print")]

use std::error::Error;
use std::path::Path;

use everyply::control::Control;
use everyply::database::{Database, Ending, PositionRow};
use everyply::exhaustive::{Solution, SolvedKey};
use everyply::game::{Game, Keyed, Notation};
use everyply::games::line::{LineGame, TicTacToe};

fn main() -> Result<(), Box<dyn Error>> {
    let moves = std::env::args().nth(1);
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("ttt.db");
    println!("{} positions added", write(&file)?);
    println!("{}", read(&file, moves.as_deref().unwrap_or("12"))?);
    Ok(())
}

/// Solves the game into a new database; returns the number of positions added.
pub fn write(file: &Path) -> Result<u64, Box<dyn Error>> {
    let (game, control) = (TicTacToe::fixed(), Control::default());
    let solution = Solution::within(game, game.initial(), u64::MAX, &control)?;

    // A run writes rows, and records its command.
    let database = Database::create_or_open(file)?;
    let run = database.begin_run(&game.game_id(), "an example", 1)?;
    let row = |&SolvedKey { key, value, best, .. }: &SolvedKey| PositionRow {
        key,
        ply: game.position_of(key).expect("the key is of a position").ply(),
        value,
        best: Some(best),
    };
    let mut rows = Vec::new();
    solution.canonical(&mut |part| rows.extend(part.iter().map(row)));
    run.sink().send(rows)?;
    Ok(run.finish(Ending::Finished)?.added)
}

/// The value in a database of the position after these moves.
pub fn read(file: &Path, moves: &str) -> Result<String, Box<dyn Error>> {
    let game = TicTacToe::fixed();
    let position = game.parse_position(moves)?;
    let database = Database::open(file)?;
    // Any image of a position finds its row, and gets best moves of its own.
    let Some(row) = database.lookup(&game.game_id())?.find(&game, position)? else {
        return Ok(format!("{}  not stored", game.picture(position)));
    };
    let best = row.best.unwrap_or_default().into_iter();
    let best: String = best.map(|m| format!(" {}", game.write_move(m))).collect();
    Ok(format!("{}  {}, best{best}", game.picture(position), row.value))
}
