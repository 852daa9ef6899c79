//! The exact value of a Connect Four position, its best moves, and best play to the end.
//!
//! `cargo run --release --example solve -- 44444326`

#![allow(clippy::print_stdout, reason = "it is there to print")]

use std::error::Error;
use std::sync::Mutex;

use everyply::connect_four::solver::{Analysis, Goal, Solver};
use everyply::control::Control;
use everyply::game::Notation;
use everyply::games::line::{Size, notation::write_moves};

fn main() -> Result<(), Box<dyn Error>> {
    let moves = std::env::args().nth(1);
    print!("{}", solved(moves.as_deref().unwrap_or("44444326"))?);
    Ok(())
}

/// The value, best moves and best play of the position after these moves.
pub fn solved(moves: &str) -> Result<String, Box<dyn Error>> {
    // 8 MiB of table are enough for the usual board; openings come from a book.
    let solver: Solver = Solver::new(Size::new(7, 6, 4)?, 8)?;
    let game = solver.game();
    let position = game.parse_position(moves)?;

    let found = Mutex::new(Analysis::default());
    solver.analyze(position, Goal::BestMoves, &found, &Control::default())?;
    let found = found.into_inner()?;

    let best = found.best.into_iter().map(|m| format!(" {}", game.write_move(m)));
    Ok(format!(
        "{}\nvalue  {} for the side to move\nbest  {}\nline   {}\nnodes  {}\n",
        game.picture(position).replace('/', "\n"),
        found.exact().expect("the goal was the exact value"),
        best.collect::<String>(),
        write_moves(game, &found.variation),
        found.all_nodes(),
    ))
}
