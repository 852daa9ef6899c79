//! All tests from outside the crate, in one program: linking and optimising one program for each
//! file takes longer than running them.

#![allow(clippy::print_stderr, reason = "what was tried and measured, for `--nocapture`")]

mod bench_signature;
mod bit_bully;
mod browser;
mod command_line;
mod damage;
mod examples;
mod exhaustive;
mod formats;
mod fuzz;
mod game_tables;
mod games;
mod invalid_input;
mod known_answers;
mod own_game;
mod page;
mod play;
mod profiles;
mod profiles_solution;
mod profiles_storage;
mod registry;
mod report;
mod search;
mod server;
mod site_tool;
mod solutions;
mod strategy_checkers;
mod strategy_walks;
mod support;
