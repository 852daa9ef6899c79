//! A solution file: a whole Connect Four board is solved into it, and positions are looked up.
//!
//! `cargo run --release --example probe_solution -- 2 33 1234`

#![allow(clippy::print_stdout, reason = "it is there to print")]

use std::error::Error;
use std::path::Path;

use everyply::connect_four::profiles::{Board, Memory};
use everyply::control::Control;
use everyply::disk::NewFile;
use everyply::game::Notation;
use everyply::games::line::Size;
use everyply::solutions::{SolutionFile, Tier, solve_board};

fn main() -> Result<(), Box<dyn Error>> {
    let mut asked: Vec<String> = std::env::args().skip(1).collect();
    if asked.is_empty() {
        asked = ["2", "33", "1234"].map(String::from).to_vec();
    }
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("5x4.solution");
    println!("{} positions", write(&file)?);
    for moves in asked {
        println!("{}", probe(&file, &moves)?);
    }
    Ok(())
}

/// Solves 5x4 into a file; returns the number of its positions.
pub fn write(file: &Path) -> Result<u64, Box<dyn Error>> {
    let (board, control) = (Board::new(Size::new(5, 4, 4)?)?, Control::default());
    let written = solve_board(&board, &Memory::new(), NewFile::create(file)?, &control)?;
    Ok(written.tiers.iter().map(Tier::positions).sum())
}

/// The value in a solution file of the position after these moves.
pub fn probe(file: &Path, moves: &str) -> Result<String, Box<dyn Error>> {
    // Opening reads the header and an index; a look-up reads one chunk.
    let solution = SolutionFile::open(file)?;
    let board = solution.board().ok_or("a file of another game")?;
    let position = board.game().parse_position(moves)?;
    let value = solution.value_of_stones(position)?.ok_or("no position of this board")?;
    Ok(format!("{moves}  {value}"))
}
