//! The command line of everyply: see [`everyply::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    everyply::cli::main(std::env::args_os())
}
