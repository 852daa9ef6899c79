//! everyply for Python: the module `everyply._everyply`.
//!
//! Objects are immutable or thread-safe. Long work runs without the interpreter's lock (`run`).
//! Games and positions come from the registry (`rules`): no rule of a game is written here.

mod arrays;
mod batch;
mod board_solution;
mod book;
mod choice;
mod cli;
mod counts;
mod database;
mod dataset;
mod engine;
mod errors;
mod explain;
mod game;
mod own;
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
mod value;

#[pyo3::pymodule]
mod _everyply {
    #[expect(non_upper_case_globals, reason = "the name in Python")]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::{
        book::{_prove, BookRun},
        choice::{game, games},
        cli::{_main, _run},
        counts::_count,
        database::{Database, Items},
        dataset::_keys,
        explain::_explain,
        game::BuiltinGame,
        own::{_available_memory, Builder},
        position::{_restore_position, _root, _words, Position},
        report::_report,
        sample::_sample,
        search::_search,
        server::{_serve, Server},
        solution::{_open, _solve, Store},
        solver::Solver,
        strategy::{Strategy, strategies},
        table::Columns,
    };
}
