//! The value of every move of a Connect Four position, with Pons' score.
//!
//! `cargo run --release --example all_moves -- 4453`

#![allow(clippy::print_stdout, reason = "it is there to print")]

use std::error::Error;

use everyply::connect_four::solver::Solver;
use everyply::control::Control;
use everyply::game::{Notation, Tiered};
use everyply::games::line::Size;

fn main() -> Result<(), Box<dyn Error>> {
    let moves = std::env::args().nth(1);
    print!("{}", table(moves.as_deref().unwrap_or("4453"))?);
    Ok(())
}

/// A line for every move of the position after these moves.
pub fn table(moves: &str) -> Result<String, Box<dyn Error>> {
    let solver: Solver = Solver::new(Size::new(7, 6, 4)?, 8)?;
    let game = solver.game();
    let position = game.parse_position(moves)?;

    let mut table = String::from("move  score  value\n");
    for (m, solved) in solver.moves(position, &Control::default())? {
        let score = solved.value.pons_score(game.plies_left(position));
        table += &format!("{:>4}  {score:>5}  {}\n", game.write_move(m), solved.value);
    }
    Ok(table)
}
