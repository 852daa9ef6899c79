//! everyply for Python: the module `everyply._everyply`.
//!
//! Objects are immutable, or safe to be used by many threads. Long work runs without the
//! interpreter's lock ([`run`]). Games and positions are studies of the library ([`rules`]): no
//! rule of a game is written here.

mod arrays;
mod batch;
mod board_solution;
mod book;
mod choice;
mod cli;
mod compare;
mod counts;
mod database;
mod dataset;
mod engine;
mod errors;
mod explain;
mod game;
mod own;
mod plan;
mod position;
mod report;
mod rules;
mod run;
mod sample;
mod search;
mod server;
mod solution;
mod solver;
mod strategy;
mod table;
mod tasks;
mod value;

use pyo3::prelude::*;

#[pymodule]
fn _everyply(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::BuiltinGame>()?;
    module.add_class::<game::ConnectFour>()?;
    module.add_class::<game::Mnk>()?;
    module.add_class::<game::TicTacToe>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<value::Value>()?;
    module.add_class::<solver::Solver>()?;
    module.add_class::<strategy::Strategy>()?;
    module.add_function(wrap_pyfunction!(strategy::strategies, module)?)?;
    module.add_function(wrap_pyfunction!(strategy::strategy, module)?)?;
    module.add_class::<book::BookRun>()?;
    module.add_class::<plan::Plan>()?;
    module.add_class::<own::Builder>()?;
    module.add_class::<own::OwnTable>()?;
    module.add_class::<server::Server>()?;
    module.add_function(wrap_pyfunction!(explain::_explain, module)?)?;
    module.add_function(wrap_pyfunction!(own::_available_memory, module)?)?;
    module.add_function(wrap_pyfunction!(report::_report, module)?)?;
    module.add_function(wrap_pyfunction!(server::_serve, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::_answer, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::_batch_header, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::_prove, module)?)?;
    module.add_class::<database::Database>()?;
    module.add_class::<database::Items>()?;
    module.add_class::<search::Report>()?;
    module.add_class::<solution::Store>()?;
    module.add_class::<solution::Positions>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(choice::game, module)?)?;
    module.add_function(wrap_pyfunction!(choice::games, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(counts::count, module)?)?;
    module.add_function(wrap_pyfunction!(dataset::dataset, module)?)?;
    module.add_function(wrap_pyfunction!(sample::random_positions, module)?)?;
    module.add_function(wrap_pyfunction!(sample::sample, module)?)?;
    module.add_function(wrap_pyfunction!(search::search, module)?)?;
    module.add_function(wrap_pyfunction!(solution::_open, module)?)?;
    module.add_function(wrap_pyfunction!(solution::_solve, module)?)?;
    module.add_function(wrap_pyfunction!(choice::_restore_stored_game, module)?)?;
    module.add_function(wrap_pyfunction!(position::_restore_position, module)?)?;
    module.add_function(wrap_pyfunction!(cli::_main, module)?)?;
    Ok(())
}
