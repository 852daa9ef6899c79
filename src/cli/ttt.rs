//! `analyze ttt`: complete tree and whole solution of an m,n,k board.

use std::fmt::Write;

use super::failure::Failure;
use super::options::{BoardOptions, OutputOptions, PositionOptions, Running, with_game};
use super::output::{self, Run};
use super::session::Session;
use super::text;
use crate::cli::values::one_of;
use crate::control::{Control, Stopped};
use crate::database::PositionRow;
use crate::exhaustive::{Histories, PositionGraph, Solution, SolvedPosition, walk};
use crate::export::{Scoring, ScoringScore, TreeDocument, write_plies, write_solution};
use crate::game::{Move, PartialValue, Value};
use crate::games::line::{FullBoard, GraphEstimate, LineGame, Rules, Stones};

/// Complete tree and solution of tic-tac-toe or another m,n,k board
///
/// Builds the complete tree below a position, counts it, solves every position in it, and
/// writes the whole solution table.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  analyze ttt                            the complete game
  analyze ttt 15                         X took the corner, O the centre: what now?
  analyze ttt --board X.O/.X./..O        the same for a position as a picture
  analyze ttt --size 4x4 --line 4        another board
  analyze ttt --csv tables --scoring ten-minus-depth")]
pub(super) struct Args {
    #[command(flatten)]
    pub position: PositionOptions,
    #[command(flatten)]
    pub board: BoardOptions,
    /// The score column of the solution table
    #[arg(long, value_parser = one_of::<Scoring>(), default_value = Scoring::default().name(), value_name = "S")]
    pub scoring: Scoring,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    running: Running,
}

/// The CSV files of a run.
pub(super) const CSV_FILES: [&str; 2] = ["ttt-solution.csv", "ttt-plies.csv"];

pub(super) fn run(args: &Args, command: &str) -> Result<(), Failure> {
    with_game!(args.board.game(Rules::Mnk)?, game => run_game(game, args, command))
}

fn run_game<G: LineGame>(game: G, args: &Args, command: &str) -> Result<(), Failure> {
    let root = args.position.position(&game)?;
    let what = format!("the tree of {}", game.size());
    let remedy = format!(
        "Take a smaller board or a later POSITION; `analyze count ttt --size {} --line {} \
         --plies N` counts its first plies",
        game.size().board(),
        game.size().line
    );
    Session::check_memory(&what, GraphEstimate::of_graph(&game, root), &remedy)?;
    let session = Session::start(&args.running)?;
    let files = output::csv_files(args.output.csv.as_deref(), CSV_FILES)?;
    let (database, unkept) = output::open(&args.output)?;
    let run = Run::begin(database, &game.game_id(), command, &session)?;

    let Ok((solution, walked)) = analyze(game, root, &session) else {
        return run.finish(&session).map(drop);
    };
    if let Some(walked) = &walked
        && walked != solution.histories()
    {
        return Err(Failure::Mismatch(format!(
            "walking the tree counts {} histories, paths over its positions {}: \
             please report this as a bug",
            walked.nodes(),
            solution.histories().nodes()
        )));
    }
    if let Some(writer) = run.writer() {
        session.work("handing over positions", "", |control| {
            for part in solution.canonical_entries().take_while(|_| control.check().is_ok()) {
                run.send(part.iter().map(row));
            }
        });
        // If the writer has failed, the end of the run reports the error.
        let _ = writer.ply_counts(solution.counts());
    }
    let summary = run.finish(&session)?;
    if let Some([table, plies]) = files {
        session.work("writing the solution table", "", |_| {
            output::write_file(table, |file| write_solution(file, &solution, args.scoring))
        })?;
        output::write_file(plies, |file| write_plies(file, solution.counts()))?;
    }

    let elapsed = session.started.elapsed();
    let (walked, threads) = (walked.is_some(), session.threads);
    let report = TreeDocument::new(&solution, walked, args.scoring, threads, elapsed);
    let text = || {
        in_words(&report, &solution)
            + &output::summary(summary, &args.output)
            + &output::csv_line(&args.output, &CSV_FILES)
    };
    text::print_result(args.running.json, &report, text).and(unkept)
}

fn row(entry: &SolvedPosition<Stones>) -> PositionRow {
    PositionRow {
        key: entry.key,
        ply: entry.position.ply(),
        value: entry.value.into(),
        best: Some(entry.best),
    }
}

fn analyze<G: LineGame>(
    game: G,
    root: Stones,
    session: &Session,
) -> Result<(Solution<G>, Option<Histories>), Stopped> {
    let tree = session.work("finding positions", "positions", |control: &Control| {
        PositionGraph::build(game, root, control)
    })?;
    let solution =
        session.work("solving backwards", "positions", |control| Solution::of(tree, control))?;
    let small =
        FullBoard::count(&game, root).nodes.is_some_and(|nodes| nodes <= TreeDocument::WALKED);
    let walked = small
        .then(|| {
            session
                .work("walking the tree", "parts", |control| walk(&game, root, u32::MAX, control))
        })
        .transpose()?;
    Ok((solution, walked))
}

fn in_words<G: LineGame>(document: &TreeDocument, solution: &Solution<G>) -> String {
    let game = solution.game();
    let root = solution.root();
    let c = &document.counts;
    let mut text = format!("{}, {}\n\n", text::title(game), text::situation(game, root));
    let moves = solution.moves(root);
    let rows: Vec<Vec<char>> =
        document.position.split('/').map(|row| row.chars().collect()).collect();
    text.push_str(&text::grid(&rows, |column, row| {
        let m = Move((row * usize::from(game.size().width) + column) as u8);
        moves.iter().find(|(played, _)| *played == m).map(|(_, value)| short(*value))
    }));
    let entry = solution.entry(root).expect("the root is solved");
    let best: Vec<String> = entry.best.into_iter().map(|m| m.number().to_string()).collect();
    let _ = write!(
        text,
        "\nvalue      {} (score {} by {})\n",
        PartialValue::from(entry.value).words_for(document.to_move),
        match document.score {
            ScoringScore::Whole(n) => n.to_string(),
            ScoringScore::Fraction(x) => format!("{x:.4}"),
        },
        serde_json::to_string(&document.scoring).unwrap_or_default().trim_matches('"'),
    );
    if !best.is_empty() {
        let _ = writeln!(text, "best       {}", best.join(" "));
    }
    text.push_str(&text::tree_line(
        ["X", "O"],
        c.nodes,
        [c.games, c.first_player_wins, c.second_player_wins, c.draws],
    ));
    text.push_str(&text::positions_line(c.positions, c.canonical_positions, c.terminal_positions));
    let _ = writeln!(
        text,
        "if wins did not stop play: {} fill the board, {}\n",
        text::counts(c.full_board_leaves, "ordering"),
        text::counts(c.full_board_nodes, "node")
    );
    text.push_str(&text::ply_table(solution.counts()));
    let _ = writeln!(
        text,
        "(nodes and games: move sequences; the rest: distinct boards, \
             wins and losses for the side to move)\n"
    );
    let _ = writeln!(text, "{}", text::time(document.elapsed_s, document.threads));
    text
}

/// `win 5`: what a move leads to, for a cell of the drawn board.
fn short(value: Value) -> String {
    format!("{} {}", value.outcome, value.remoteness)
}
