//! `analyze connect4` on boards that do not fit 64 bits: the exact value, by the solver in a word
//! of 128. Keys of 64 bits do not reach that far, so nothing is looked up or stored.

use super::checkpoint::CheckpointFile;
use super::{Args, batch, exact};
use crate::cli::failure::Failure;
use crate::cli::options;
use crate::cli::output::Run;
use crate::cli::session::Session;
use crate::cli::session::check_table;
use crate::connect_four::solver::Solver;
use crate::games::line::{ConnectFour, Size};

pub(super) fn run(size: Size, args: &Args) -> Result<(), Failure> {
    let board = size.board();
    options::wide(size)?;
    if let (Some(option), Err(error)) = (only_on_smaller_boards(args), ConnectFour::new(size)) {
        return Err(Failure::Usage(format!(
            "--size {board} with {option}: {error}; larger ones have an exact value only, of \
             which nothing is kept: leave out {option}"
        )));
    }
    let mib = args.table_size.unwrap_or(Solver::default_table(size, args.running.threads()));
    check_table(mib)?;
    let mut solver = Solver::<u128>::new(size, mib).map_err(Failure::usage)?;
    if let Some(path) = &args.input {
        return batch::run(&solver, path, args);
    }
    solver.count_work();
    let root = args.position.position(solver.game())?;
    let session = Session::start(&args.running)?;
    let files = exact::csv_files(args)?;
    let checkpoint = CheckpointFile::open(&args.checkpoint, &mut solver, root)?;
    let (answer, _) = exact::analyze(&solver, root, args, &session, checkpoint, |_| Ok(()));
    let kept = if args.output.no_db {
        String::new()
    } else {
        format!("database   none: {board} does not fit its keys of 64 bits\n")
    };
    answer.present(args, files, Run::unkept().finish(&session).map(|_| kept))
}

/// The first option given that needs a board of at most 64 bits.
fn only_on_smaller_boards(args: &Args) -> Option<&'static str> {
    let options = [
        (args.depth.is_some(), "--depth"),
        (args.book.is_some(), "--book"),
        (args.output.db.is_some(), "--db"),
        (args.db_plies.is_some(), "--db-plies"),
    ];
    options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
}
