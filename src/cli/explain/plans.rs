//! Reasons by plans, of games with an exact solver.

use crate::cli::explain::Args;
use crate::cli::failure::{Failure, usage};
use crate::cli::options::{check_keys, refused_size};
use crate::cli::text;
use everyply_connect_four::solver::Solver;
use everyply_connect_four::strategy::{ExplainError, explain, lettered};
use everyply_core::games::line::Size;
use everyply_registry::registry::Position;
use everyply_results::export::PositionDocument;

pub(super) fn explain_by_plans(study: &dyn Position, args: &Args) -> Result<(), Failure> {
    let size = Size::of_parameters(study.info().parameters);
    check_keys(study)?;
    let (_, root) = study.lines().expect("the board fits 64 bits");
    if !Solver::supports(size) {
        return Err(usage!(
            "--line {}: the solver is made for lines of 3 to 6, and plans need its values",
            size.line
        ));
    }
    let session = args.session()?;
    let table = Solver::default_table(size, session.threads);
    let solver = Solver::new(size, table).map_err(Failure::usage)?;
    let explained =
        session.work("solving and planning", "nodes", |control| explain(&solver, root, control));
    let explanation = match explained {
        Ok(explanation) => explanation,
        Err(ExplainError::Stopped(_)) => return Err(args.stopped(&session)),
        Err(ExplainError::Size(error)) => return Err(refused_size(error)),
        Err(error) => return Err(Failure::runtime(error)),
    };
    let moves = args.game.position.asked_moves(study);
    let document = PositionDocument::of_explanation(study, moves, &explanation);
    args.print(document, &session, &text::heading(study), &lettered(&study.drawing().board.rows))
}
