//! Many positions, solved on all threads with one table; the results in the order of the input.
//!
//! `cargo run --release --example batch -- 4453 44455554221 1234567`

#![allow(clippy::print_stdout, reason = "it is there to print")]

use std::error::Error;

use everyply::connect_four::solver::Solver;
use everyply::control::Control;
use everyply::game::{Notation, Tiered};
use everyply::games::line::Size;
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut asked: Vec<String> = std::env::args().skip(1).collect();
    if asked.is_empty() {
        asked = ["4453", "44455554221", "48", "44444326"].map(String::from).to_vec();
    }
    for line in scores(&asked)? {
        println!("{line}");
    }
    Ok(())
}

/// A line for each position, with its score or its error.
pub fn scores(asked: &[String]) -> Result<Vec<String>, Box<dyn Error>> {
    let solver: Solver = Solver::new(Size::new(7, 6, 4)?, 16)?;
    let (game, control) = (solver.game(), Control::default());
    let score = |moves: &String| -> Result<i32, Box<dyn Error>> {
        let position = game.parse_position(moves)?;
        let value = solver.value(position, &control)?.value;
        Ok(value.pons_score(game.plies_left(position)))
    };
    let line = |moves: &String| match score(moves) {
        Ok(score) => format!("{moves},{score}"),
        // A text that is not a position does not stop the others.
        Err(error) => format!("{moves},,{error}"),
    };
    Ok(asked.par_iter().map(line).collect())
}
