//! `analyze verify` on solution files: every checksum, and the proof of every value or a sample to be
//! solved anew.

use super::document::{Document, SolutionChecks};
use super::{Args, failed};
use crate::cli::failure::Failure;
use crate::cli::session::{Session, available_memory};
use crate::cli::text;
use everyply_connect_four::profiles::{SolutionError, SolutionFile};
use everyply_core::game::Keyed;
use everyply_core::games::line::Stones;
use everyply_core::statistics::{counted, grouped};
use everyply_registry::registry::Position;
use everyply_registry::solutions::{AnySolution, GameSolution};
use everyply_results::database::PositionRow;
use everyply_results::stored::{StoredError, StoredFile};
use everyply_results::verify::Sample;

/// Checks a solution and adds the findings to a document; returns the rows to be solved anew.
pub(super) fn check(
    start: &dyn Position,
    (file, solution): (&StoredFile, &AnySolution),
    mut sample: Sample,
    document: &mut Document,
    args: &Args,
    session: &Session,
) -> Result<Vec<PositionRow>, Failure> {
    let failed = |error: StoredError, kept: &str| failed(error.into(), session, kept);
    let found = match (solution, args.sample) {
        (AnySolution::Board(board), Some(size)) => {
            let chunks = session.work("checking blocks", "blocks", |control| {
                control.start(0);
                board.check(control)
            });
            let chunks = chunks.map_err(|error| failed(error.into(), ""))?;
            document.solution = Some(SolutionChecks { chunks, ..SolutionChecks::default() });
            document.findings = checksums(chunks, "block");
            let rows = rows_of_games(board, size, args.seed);
            return rows.map_err(|error| failed(error.into(), ""));
        }
        (AnySolution::Board(board), None) => {
            let need = board.board().estimate(usize::MAX);
            let storage = args.room.storage(board.board().size(), need.solve, &need)?;
            let verified =
                session.work("verifying", "profiles", |control| board.verify(&*storage, control));
            let verified = verified.map_err(|error| failed(error.into(), &args.room.kept()))?;
            document.findings = format!(
                "{}values     {} have the value that follows from their children\n",
                checksums(verified.blocks, "block"),
                counted(verified.positions, "position"),
            );
            let positions = Some(verified.positions);
            SolutionChecks { chunks: verified.blocks, positions, proved: positions }
        }
        (AnySolution::Game(game), _) => {
            let chunks = game.chunks() as u64;
            let positions = game.positions();
            document.findings = checksums(chunks, "chunk");
            document.findings += &format!("positions  {}: {}\n", grouped(positions), game.holds());
            let mut proved = None;
            if args.sample.is_some() {
                let drawn = session.work("checking chunks", "positions", |control| {
                    game.check(control)?;
                    file.visit(start, control, &mut |row, _| {
                        sample.offer(*row);
                        Ok(())
                    })
                });
                drawn.map_err(|error| failed(error, ""))?;
            } else {
                check_memory(args, game, start)?;
                let verified =
                    session.work("verifying", "positions", |control| game.verify(start, control));
                let verified = verified.map_err(|error| failed(error.into(), ""))?;
                let how = match game.is_scored() {
                    true => "have the points that solving them anew finds",
                    false => "proved by their children",
                };
                let all = counted(verified.positions, "position");
                document.findings += &format!("values     {all} {how}\n");
                proved = Some(verified.positions);
            }
            SolutionChecks { chunks, positions: Some(positions), proved }
        }
    };
    document.solution = Some(found);
    Ok(sample.drawn())
}

fn checksums(parts: u64, word: &str) -> String {
    format!("checksums  {} are as they were written\n", counted(parts, word))
}

/// Rows of positions that random games on a board reach.
fn rows_of_games(
    solution: &SolutionFile,
    size: usize,
    seed: u64,
) -> Result<Vec<PositionRow>, SolutionError> {
    let game = *solution.board().game();
    let row = |position: Stones| {
        let value = solution.value(position)?.expect("a position that a game leads to").into();
        Ok(PositionRow { key: game.key(position), ply: position.ply(), value, best: None })
    };
    Sample::of_games(&game, size, seed).into_iter().map(row).collect()
}

/// Refuses a file that does not fit memory.
fn check_memory(args: &Args, file: &GameSolution, game: &dyn Position) -> Result<(), Failure> {
    let need = file.bytes_to_verify(game) as f64;
    let allowed = args.room.memory_alone()?;
    if need <= allowed {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{}: {} of memory are needed, and {} are allowed: check a --sample",
        args.file.display(),
        text::bytes(need),
        text::bytes(allowed.min(available_memory())),
    )))
}
