//! `analyze GAME`: counts, values of all positions, and every move's value.

use std::fmt::Write;

use clap::{ArgMatches, Args as _, Command, FromArgMatches};
use serde::Serialize;

use super::failure::Failure;
use super::game_options::{GameFields, Parameters, with_parameters};
use super::options::{OutputOptions, PositionOptions, Running};
use super::output::{self, Run};
use super::session::{Session, available_memory};
use super::text::{self, Table};
use crate::control::Control;
use crate::database::PositionRow;
use crate::exhaustive::{Plies, SolveError, Totals};
use crate::export::{StudyMoveRow, write_answers, write_plies};
use crate::game::Chosen;
use crate::game::ValueRow;
use crate::game::{PartialValue, Worth};
use crate::registry::{Answers, Entry, SolvedRow, Study};
use crate::statistics::{PlyCounts, grouped};

/// Trees of up to this number of histories are walked node by node as well.
const WALKED: u64 = 20_000_000;

#[derive(Debug, clap::Args)]
struct Args {
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    parameters: Parameters,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    running: Running,
}

/// The command of a game.
pub(super) fn command(entry: &Entry) -> Command {
    let command = Args::augment_args(Command::new(entry.name));
    // Last: the documentation of the common options would take its place.
    with_parameters(command, std::slice::from_ref(entry))
        .about(entry.about)
        .long_about(format!(
            "{}\n\nFinds every position below the start or POSITION, counts and solves them all.",
            entry.about
        ))
        .after_help(examples(entry))
}

/// The examples of the command of a game: its start, a position after two moves, other commands.
fn examples(entry: &Entry) -> String {
    let name = entry.name;
    let mut text = format!("Examples:\n  analyze {name}\n");
    let start = entry.choose(&Chosen::default()).ok();
    if let Some(position) = start.and_then(|start| after_two_moves(start.as_ref())) {
        let _ = writeln!(text, "  analyze {name} {position}");
    }
    let _ = write!(text, "  analyze {name} --csv tables\n  analyze play {name}");
    text
}

/// The text of a position two moves after the start, as a command line has it.
fn after_two_moves(start: &dyn Study) -> Option<String> {
    let first = start.branches().into_iter().next()?;
    let second = first.to.branches().into_iter().next()?;
    let moves = [first.text, second.text].join(start.separator());
    let key = second.to.key();
    let leads_there = |text: &String| start.read(text).is_ok_and(|read| read.key() == key);
    [second.to.picture(), moves].into_iter().find(leads_there)
}

/// Runs the command of a game.
pub(super) fn run(entry: &Entry, matches: &ArgMatches, command: &str) -> Result<(), Failure> {
    let args = Args::from_arg_matches(matches).map_err(Failure::usage)?;
    let study = args.parameters.study(entry, &args.position)?;
    study.check().map_err(Failure::usage)?;
    let session = Session::start(&args.running)?;
    let names = [format!("{}-solution.csv", entry.name), format!("{}-plies.csv", entry.name)];
    let files = output::csv_files(args.output.csv.as_deref(), [&names[0][..], &names[1][..]])?;
    let (database, unkept) = output::open(&args.output)?;
    let run = Run::begin(database, &study.game_id(), command, &session)?;

    let solved = match solve(study.as_ref(), &session) {
        Ok(solved) => solved,
        Err(SolveError::Stopped(_)) => return run.finish(&session).map(drop),
        Err(error) => {
            let title = study.title();
            // What is wrong is the board, not the database.
            run.finish(&session)?;
            return Err(Failure::Usage(format!("{title}: {error}")));
        }
    };
    if let Some(walked) = &solved.walked {
        let counted: Vec<u64> = solved.plies.counts.iter().filter_map(|c| c.nodes).collect();
        if *walked != counted {
            return Err(Failure::Mismatch(format!(
                "walking the tree counts {walked:?} histories per ply, paths over its positions \
                 {counted:?}: please report this as a bug"
            )));
        }
    }
    if let Some(writer) = run.writer() {
        solved.answers.rows(&mut |part| {
            if !session.control.is_asked_to_stop() {
                run.send(part.into_iter().map(row));
            }
        });
        // If the writer has failed, the end of the run reports the error.
        let _ = writer.ply_counts(&solved.plies.counts);
    }
    let summary = run.finish(&session)?;
    if let Some([table, plies]) = files {
        session.work("writing the solution table", "", |_| {
            output::write_file(table, |file| write_answers(study.as_ref(), &*solved.answers, file))
        })?;
        output::write_file(plies, |file| write_plies(file, &solved.plies.counts))?;
    }
    let document = Document::new(study.as_ref(), &solved, &session);
    let text = || {
        in_words(study.as_ref(), &solved, &document)
            + &output::summary(summary, &args.output)
            + &output::csv_line(&args.output, &names)
    };
    text::print_result(args.running.json, &document, text).and(unkept)
}

fn row(row: SolvedRow) -> PositionRow {
    PositionRow { key: row.key, ply: row.tier, value: row.worth.into(), best: Some(row.best) }
}

/// The results.
struct Solved {
    answers: Box<dyn Answers>,
    totals: Totals,
    /// Without an entry where play has no end.
    plies: Plies,
    /// Histories per ply, where they were walked as well.
    walked: Option<Vec<u64>>,
}

fn solve(study: &dyn Study, session: &Session) -> Result<Solved, SolveError> {
    let most = available_memory() / study.bytes_per_position() as f64;
    let answers = session
        .work("solving", "positions", |control: &Control| study.solve(most as u64, control))?;
    let totals = session.work("counting positions", "", |_| answers.totals());
    let mut plies = Plies::default();
    let mut walked = None;
    if study.plies_left().is_some() {
        plies = session
            .work("counting plies", "positions", |control| answers.plies(u32::MAX, control))?;
        let nodes = plies.counts.iter().try_fold(0u64, |sum, ply| sum.checked_add(ply.nodes?));
        if nodes.is_some_and(|nodes| nodes <= WALKED) {
            walked = Some(
                session.work("walking the tree", "", |control| study.walk(u32::MAX, control))?,
            );
        }
    }
    Ok(Solved { answers, totals, plies, walked })
}

#[derive(Serialize)]
struct Counts {
    nodes: Option<u64>,
    games: Option<u64>,
    first_player_wins: Option<u64>,
    second_player_wins: Option<u64>,
    draws: Option<u64>,
    positions: u64,
    canonical_positions: u64,
    terminal_positions: u64,
    won_positions: u64,
    drawn_positions: u64,
    endless_positions: u64,
    lost_positions: u64,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    value: ValueRow,
    /// True if the draw is one by endless play.
    endless: bool,
    best: Vec<String>,
    threads: usize,
    elapsed_s: f64,
    counts: Counts,
    counted_by: &'static str,
    plies: Vec<PlyCounts>,
    moves: Vec<StudyMoveRow>,
}

impl Document {
    fn new(study: &dyn Study, solved: &Solved, session: &Session) -> Self {
        let moves = solved.answers.moves();
        let worth = solved.answers.worth();
        let Totals { positions, canonical, terminal, wins, draws, endless, losses } = solved.totals;
        let games = solved.plies.histories.games();
        let known = |n: u64| (solved.plies.complete && n != u64::MAX).then_some(n);
        let nodes = solved.plies.counts.iter().try_fold(0u64, |sum, p| sum.checked_add(p.nodes?));
        Self {
            game: GameFields::of(study),
            position: study.picture(),
            value: worth.into(),
            endless: worth == Worth::Endless,
            best: moves.iter().filter(|(.., best)| *best).map(|(text, ..)| text.clone()).collect(),
            threads: session.threads,
            elapsed_s: session.started.elapsed().as_secs_f64(),
            counts: Counts {
                nodes: nodes.and_then(known),
                games: known(games.games),
                first_player_wins: known(games.first_player_wins),
                second_player_wins: known(games.second_player_wins),
                draws: known(games.draws),
                positions,
                canonical_positions: canonical,
                terminal_positions: terminal,
                won_positions: wins,
                drawn_positions: draws,
                endless_positions: endless,
                lost_positions: losses,
            },
            counted_by: if solved.walked.is_some() { "walk and paths" } else { "paths" },
            plies: solved.plies.counts.clone(),
            moves: moves
                .into_iter()
                .map(|(text, worth, _)| StudyMoveRow::new(text, Some(worth)))
                .collect(),
        }
    }
}

fn in_words(study: &dyn Study, solved: &Solved, document: &Document) -> String {
    let c = &document.counts;
    let mut text = format!("{}\n\n", text::heading(study));
    let worth = solved.answers.worth();
    let value = match worth {
        Worth::Ends(value) => PartialValue::from(value).words_for("the side to move"),
        Worth::Endless => worth.to_string(),
    };
    let _ = writeln!(text, "value      {value}");
    if !document.best.is_empty() {
        let _ = writeln!(text, "best       {}", document.best.join(" "));
    }
    if solved.plies.complete {
        text.push_str(&text::tree_line(
            ["side to move", "other side"],
            c.nodes,
            [c.games, c.first_player_wins, c.second_player_wins, c.draws],
        ));
    } else {
        let _ = writeln!(
            text,
            "tree       without end: {} is not {}; `analyze count {} --plies N` counts its first plies",
            study.name(),
            crate::registry::Capability::Tiered,
            study.name()
        );
    }
    text.push_str(&text::positions_line(c.positions, c.canonical_positions, c.terminal_positions));
    let _ = writeln!(
        text,
        "           {} won, {} drawn ({} by endless play), {} lost for the side to move\n",
        grouped(c.won_positions),
        grouped(c.drawn_positions),
        grouped(c.endless_positions),
        grouped(c.lost_positions)
    );
    if !solved.plies.counts.is_empty() {
        text.push_str(&text::ply_table(&solved.plies.counts));
        text.push_str(
            "(nodes and games: move sequences; the rest: distinct positions of each ply, one that \
             comes at several plies at each of them, wins and losses for the side to move)\n\n",
        );
    }
    let mut table = Table::new(&["move", "leads to", ""]);
    for (m, worth, best) in solved.answers.moves() {
        // In a column of its own, so that values stay in line.
        table.row([m, worth.to_string(), if best { "best" } else { "" }.to_owned()]);
    }
    if !document.moves.is_empty() {
        let _ = writeln!(text, "{}", table.render());
    }
    let _ = writeln!(text, "{}", text::time(document.elapsed_s, document.threads));
    text
}
