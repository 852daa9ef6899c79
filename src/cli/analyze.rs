//! `analyze GAME`: counts, values of all positions, and every move's value.

use std::fmt::Write;
use std::time::{Duration, Instant};

use clap::{ArgMatches, Args as _, Command, FromArgMatches};

use super::failure::Failure;
use super::game_options::{Parameters, options_of, with_parameters};
use super::options::{OutputOptions, PositionOptions, Running, seconds};
use super::output::{self, Kept, Run};
use super::proof;
use super::session::Session;
use super::text::{self, Table};
use super::values::one_of;
use everyply_core::exhaustive::SolveError;
use everyply_core::game::{Chosen, MoveStyle, ParameterKind};
use everyply_core::statistics::{counted, grouped};
use everyply_registry::registry::{Entry, Position, SolvedRow};
use everyply_results::database::PositionRow;
use everyply_results::export::{
    OfRun, PositionDocument, Scoring, ScoringScore, SolvedMove, SolvedTree, TreeFields,
    write_answers, write_plies, write_solution,
};

#[derive(Debug, clap::Args)]
struct Args {
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    parameters: Parameters,
    /// Give up after this number of seconds; what is proved until then is printed
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    running: Running,
}

#[derive(Debug, clap::Args)]
struct ScoringOption {
    /// The score column of the solution table
    #[arg(long, value_parser = one_of::<Scoring>(), default_value = Scoring::default().name(), value_name = "S")]
    scoring: Scoring,
}

/// The most positions of a tree that is built unasked: those that take some seconds.
const MOST_BUILT: u64 = 1 << 21;

/// True if moves are the numbers of columns or cells, so that the solution table has a column for
/// each, and scores.
fn has_numbered_moves(entry: &Entry) -> bool {
    entry.move_style != MoveStyle::Text
}

/// The command of a game, without its [examples].
pub(super) fn command(entry: &Entry) -> Command {
    let mut command = Args::augment_args(Command::new(entry.name));
    if has_numbered_moves(entry) {
        command = ScoringOption::augment_args(command);
    }
    // Last: the documentation of the common options would take its place.
    with_parameters(command, std::slice::from_ref(entry)).about(entry.about).long_about(format!(
        "{}\n\nBuilds the complete tree below the start or POSITION, counts it, solves every \
             position in it, and writes the whole solution table. Where the tree is too large, the \
             value of the position is proved by search, with bounds on the way.",
        entry.about
    ))
}

/// The examples of the command of a game: its start, a position after two moves, other commands.
pub(super) fn examples(entry: &Entry) -> String {
    let name = entry.name;
    let mut text = format!("Examples:\n  analyze {name}\n");
    let start = entry.choose(&Chosen::default()).ok();
    if let Some(position) = start.and_then(|start| after_two_moves(start.as_ref())) {
        let _ = writeln!(text, "  analyze {name} {position}");
    }
    let _ = write!(
        text,
        "  analyze {name} --csv tables\n  analyze play {name}\n  analyze rules {name}"
    );
    text
}

/// The text of a position two moves after the start, as a command line has it.
fn after_two_moves(start: &dyn Position) -> Option<String> {
    let first = start.branches().into_iter().next()?;
    let second = first.to.branches().into_iter().next()?;
    let moves = [first.text, second.text].join(start.info().separator);
    let key = second.to.key();
    let leads_there = |text: &String| start.read(text).is_ok_and(|read| read.key() == key);
    [moves, second.to.picture()].into_iter().find(leads_there)
}

pub(super) fn run(entry: &Entry, matches: &ArgMatches, command: &str) -> Result<(), Failure> {
    let args = Args::from_arg_matches(matches).map_err(Failure::usage)?;
    let scoring = has_numbered_moves(entry)
        .then(|| ScoringOption::from_arg_matches(matches).map(|option| option.scoring))
        .transpose()
        .map_err(Failure::usage)?;
    let study = args.parameters.study(entry, &args.position)?;
    // Without a table to write, a tree that is large need not be built.
    let prove = args.output.csv.is_none() && proof::can_prove(study.as_ref());
    let begun = Instant::now();
    let task = |why: &str| {
        let left = |limit: f64| (limit - begun.elapsed().as_secs_f64()).max(0.0);
        let (output, running, timeout) = (&args.output, &args.running, args.timeout.map(left));
        let moves = args.position.asked_moves(study.as_ref());
        proof::Task { study: study.as_ref(), moves, why, timeout, output, running, command }.run()
    };
    let remedy = match args.output.csv.is_some() && proof::can_prove(study.as_ref()) {
        true => "Leave out --csv, and its value is proved by search",
        false => {
            "Take a smaller board or a later POSITION; `analyze count GAME --plies N` counts its first plies"
        }
    };
    let available = match study.check().map_err(Failure::usage) {
        Ok(()) => Session::check_graph(study.as_ref(), remedy),
        Err(failure) => Err(failure),
    };
    let available = match available {
        Err(Failure::Usage(_)) if prove => return task("the tree is too large to be built"),
        available => available?,
    };
    if let Some(cost) = study.ranked_cost().filter(|cost| cost.in_memory as f64 > available) {
        return Err(Failure::Usage(format!(
            "{}: its {} need {} of memory, {} are available{}",
            study.info().title,
            counted(cost.ranks(), "position"),
            text::bytes(cost.in_memory as f64),
            text::bytes(available),
            way_out(study.as_ref(), entry)
        )));
    }
    let session = Session::start(&args.running)?;
    let names = [format!("{}-solution.csv", entry.name), format!("{}-plies.csv", entry.name)];
    let files = output::csv_files(args.output.csv.as_deref(), [&names[0][..], &names[1][..]])?;
    let opened = output::open(&args.output)?;
    let run = Run::begin(opened, &study.game_id(), command, &session)?;

    let most = (available / study.bytes(false) as f64) as u64;
    // The trees of boards of stones are known to fit.
    let prove = prove && study.lines().is_none();
    let most = if prove { most.min(MOST_BUILT) } else { most };
    // A proof is left most of the time.
    let time = args.timeout.map(|limit| if prove { limit / 4.0 } else { limit });
    session.control.limit(time.map(Duration::from_secs_f64));
    let solved = session
        .work("solving", "positions", |control| SolvedTree::of(study.as_ref(), most, control));
    session.control.limit(None);
    let solved = match solved {
        Ok(solved) => solved,
        Err(SolveError::Stopped(_)) => {
            run.finish(&session)?;
            let limit = args.timeout.unwrap_or_default();
            if prove {
                return task("the tree is not built in a quarter of the time");
            }
            return Err(Failure::TimedOut(format!("stopped after --timeout {limit} s")));
        }
        Err(SolveError::Positions(most)) if prove => {
            run.finish(&session)?;
            let game = format!("{}{}", study.info().name, options_of(&study.info().choices));
            return task(&format!(
                "the tree has more than {}; `analyze solve {game} --out FILE` visits them all",
                counted(most, "position")
            ));
        }
        Err(error) => {
            let title = study.info().title.clone();
            // What is wrong is the board, not the database.
            run.finish(&session)?;
            let way_out = way_out(study.as_ref(), entry);
            return Err(Failure::Usage(format!("{title}: {error}{way_out}")));
        }
    };
    let elapsed = session.started.elapsed();
    let moves = args.position.asked_moves(study.as_ref());
    let run_of = (session.threads, elapsed);
    let document = PositionDocument::of_tree(study.as_ref(), moves, &solved, scoring, run_of);
    let in_words = || in_words(study.as_ref(), &solved, &document, run_of);
    let mut kept = Kept::after(args.running.json, &document, in_words);
    let SolvedTree { answers, plies, .. } = &solved;
    if let Some(writer) = run.writer() {
        session.work("handing over positions", "", |control| {
            answers.rows(&mut |part| {
                if !control.is_asked_to_stop() {
                    run.send(part.into_iter().map(row));
                }
            });
        });
        // If the writer has failed, the end of the run reports the error.
        let _ = writer.ply_counts(&plies.counts);
    }
    let summary = run.finish(&session);
    kept = kept.and(summary.map(|summary| output::summary(summary, &args.output)));
    let files = kept.files(files).filter(|_| !session.control.is_asked_to_stop());
    if let Some([table, of_plies]) = files {
        let written = session.work("writing the solution table", "", |_| {
            output::write_table(table, |file| match scoring {
                Some(scoring) => write_solution(file, study.as_ref(), &**answers, scoring),
                None => write_answers(study.as_ref(), &**answers, file),
            })
        });
        // Endless play has no plies to count.
        let of_plies = Some(of_plies).filter(|_| !plies.counts.is_empty());
        let of = OfRun::new(study.as_ref(), session.threads);
        let written = written.and_then(|table| {
            let plies = of_plies.map(|file| {
                output::write_table(file, |file| write_plies(file, &of, &plies.counts))
            });
            Ok([Some(table), plies.transpose()?].into_iter().flatten().collect::<Vec<_>>())
        });
        kept = kept.and(written.map(|tables| output::csv_line(&tables)));
    }
    kept.end()
}

/// What solves a game that does not fit: its tiers in a file, or less of it.
fn way_out(study: &dyn Position, entry: &Entry) -> String {
    let sizes = entry.parameters.iter().filter(|p| !matches!(p.kind, ParameterKind::Rule));
    let sizes: Vec<String> = sizes.map(|p| format!("--{}", p.name)).collect();
    let smaller =
        (!sizes.is_empty()).then(|| format!("; {} choose a smaller one", sizes.join(", ")));
    by_tiers(study).unwrap_or_default() + &smaller.unwrap_or_default()
}

/// The command about the tiers of a game that has them, as the end of a refusal.
pub(super) fn by_tiers(study: &dyn Position) -> Option<String> {
    let game = format!("{}{}", study.info().name, options_of(&study.info().choices));
    (!study.ranked_tiers().is_empty())
        .then(|| format!("; `analyze solve {game} --out FILE --plan` says what its tiers need"))
}

fn row(row: SolvedRow) -> PositionRow {
    PositionRow { key: row.key, ply: row.tier, value: row.value, best: Some(row.best) }
}

fn in_words(
    study: &dyn Position,
    solved: &SolvedTree,
    document: &PositionDocument,
    (threads, elapsed): (usize, Duration),
) -> String {
    let TreeFields { counts: c, plies } = document.tree.as_ref().expect("made of a tree");
    let mut text = format!("{}\n\n", text::heading(study));
    let moves = solved.moves();
    let worth = solved.answers.value();
    let is_drawn = study.info().move_style == MoveStyle::Cell;
    if is_drawn {
        text.push_str(&text::board_with(study, |bit| {
            let SolvedMove { worth, .. } = moves.iter().find(|m| m.text.parse() == Ok(bit + 1))?;
            let plies = worth.remoteness.map(|r| r.to_string()).unwrap_or_default();
            Some(format!("{} {plies}", worth.outcome))
        }));
        text.push('\n');
    }
    let value = study.value_for_mover(worth);
    let score = document.scoring.zip(document.score).map(|(scoring, score)| {
        let name = scoring.name();
        match score {
            ScoringScore::Whole(n) => format!(" (score {n} by {name})"),
            ScoringScore::Fraction(x) => format!(" (score {x:.4} by {name})"),
        }
    });
    let _ = writeln!(text, "value      {value}{}", score.unwrap_or_default());
    if let Some(points) = &solved.points {
        let _ = writeln!(text, "{}", text::points(points.best));
    }
    let those = |is: fn(&SolvedMove) -> bool| {
        moves.iter().filter(|m| is(m)).map(|m| &m.text[..]).collect::<Vec<_>>().join(" ")
    };
    let (best, soonest) = (those(|m| m.is_best), those(|m| m.is_soonest));
    if !best.is_empty() {
        let _ = writeln!(text, "best       {best}");
    }
    if best != soonest {
        let _ = writeln!(
            text,
            "soonest    {soonest} (the same outcome in the fewest plies, or a loss in the most)"
        );
    }
    if solved.plies.complete {
        text.push_str(&text::tree_line(
            text::sides(study),
            c.nodes,
            [c.games, c.first_player_wins, c.second_player_wins, c.draws],
        ));
    } else {
        let _ = writeln!(
            text,
            "tree       without end, as play may be endless; `analyze count {} --plies N` counts its \
             first plies",
            study.info().name
        );
    }
    let [positions, canonical, terminal] =
        [c.positions, c.canonical_positions, c.terminal_positions].map(grouped);
    let _ = writeln!(
        text,
        "positions  {positions}, {canonical} up to symmetry, {terminal} with the game over"
    );
    if let Some(full) = &c.full_board {
        let _ = writeln!(
            text,
            "if wins did not stop play: {} fill the board, {}\n",
            text::counts(full.full_board_leaves, "ordering"),
            text::counts(full.full_board_nodes, "node")
        );
    } else {
        let _ = writeln!(
            text,
            "           {} won, {} drawn ({} by endless play), {} lost for the side to move\n",
            grouped(c.won_positions),
            grouped(c.drawn_positions),
            grouped(c.endless_positions),
            grouped(c.lost_positions)
        );
    }
    if !plies.is_empty() {
        text.push_str(&text::ply_table(plies));
        text.push_str(
            "(nodes and games: move sequences; the rest: distinct positions, won, drawn or lost for \
             the side to move)\n\n",
        );
    }
    if !is_drawn && !moves.is_empty() {
        let mut table = match solved.points {
            Some(_) => Table::new(&["move", "leads to", "points", ""]),
            None => Table::new(&["move", "leads to", ""]),
        };
        for m in moves {
            // In a column of its own, so that values stay in line.
            let best = if m.is_best { "best" } else { "" }.to_owned();
            let points = m.points.map(|points| format!("{points:+}"));
            let cells = [m.text, study.value_in_words(m.worth)].into_iter().chain(points);
            table.row(cells.chain([best]));
        }
        let _ = writeln!(text, "{}", table.render());
    }
    let _ = writeln!(text, "{}", text::time(elapsed.as_secs_f64(), threads));
    text
}
