//! `analyze explain` on Connect Four: by plans.

use crate::cli::explain::Args;
use crate::cli::failure::Failure;
use crate::cli::options::refused_size;
use crate::cli::session::Session;
use crate::cli::text;
use crate::connect_four::solver::Solver;
use crate::connect_four::strategy::{
    ExplainError, ExplanationDocument, explain, whole_strategy_size,
};
use crate::games::line::{ConnectFour, Rules};

pub(in crate::cli) fn run(args: &Args) -> Result<(), Failure> {
    let size = args.board.size(Rules::ConnectFour)?;
    let game = ConnectFour::new(size).map_err(refused_size)?;
    if !Solver::supports(size) {
        return Err(Failure::Usage(format!(
            "--line {}: the solver is made for lines of 3 to 6, and plans need its values",
            size.line
        )));
    }
    let root = args.position.position(&game)?;
    let session = Session::start(&args.running)?;
    let table = Solver::default_table(size, session.threads);
    let solver = Solver::new(size, table).map_err(Failure::usage)?;
    let explained = session.work("solving and planning", "nodes", |control| {
        let explanation = explain(&solver, root, control)?;
        let whole = whole_strategy_size(&solver, &explanation, control);
        Ok::<_, ExplainError>((explanation, whole))
    });
    let (explanation, whole) = match explained {
        Ok(explained) => explained,
        Err(ExplainError::Stopped(_)) => return Err(session.interrupted("")),
        Err(ExplainError::Size(error)) => return Err(refused_size(error)),
    };
    let moves = match &args.position.board {
        None => Some(args.position.moves.clone().unwrap_or_default()),
        Some(_) => None,
    };
    let elapsed = session.started.elapsed();
    let document = ExplanationDocument::new(solver.game(), &explanation, moves, whole, elapsed);
    text::print_result(args.running.json, &document, || {
        format!(
            "{}, {}\n\n{}\n{}\n{}\n",
            text::title(&game),
            text::situation(&game, root),
            text::columns_board(&game, root),
            document.text(),
            text::time(elapsed.as_secs_f64(), session.threads)
        )
    })
}
