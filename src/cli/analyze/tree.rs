//! The whole tree below a position: counts, values of all positions, and every move's value.

use super::{Question, proof};
use crate::cli::game_options::options_of;
use crate::cli::prelude::*;
use everyply_core::game::ParameterKind;
use everyply_results::export::{
    Scoring, ScoringScore, SolvedMove, SolvedTree, TreeFields, write_answers, write_plies,
    write_won_plies,
};

/// The most positions of a tree that is built although search might prove its value: some seconds of work.
const MOST_BUILT: u64 = 1 << 21;

/// The same for a board of stones, whose positions are estimated beforehand.
const MOST_ESTIMATED: f64 = (1u64 << 25) as f64;

pub(super) fn run(
    question: &Question<'_>,
    entry: &Entry,
    scoring: Option<Scoring>,
) -> Result<(), Failure> {
    let Question { position, output, running, .. } = question;
    let position = position.as_ref();
    let can_prove = position.info().proves;
    // Without a table to write, a large tree need not be built.
    let prove = output.csv.is_none() && can_prove;
    let begun = Instant::now();
    let task = |why: &str| {
        let left = |limit: f64| (limit - begun.elapsed().as_secs_f64()).max(0.0);
        proof::run(question, why, question.timeout.map(left))
    };
    if can_prove && matches!(question.goal, Goal::Outcome | Goal::Value) {
        return task("the question needs no tree");
    }
    if prove && position.is_long() {
        return task("the tree is too large to be built");
    }
    let remedy = match output.csv.is_some() && can_prove {
        true => "Leave out --csv, and its value is proved by search",
        false => {
            "Take a smaller board or a later POSITION; `analyze count GAME --plies N` counts its first plies"
        }
    };
    let checked = position.check().map_err(Failure::usage);
    let available = match checked.and_then(|()| Session::check_graph(position, remedy)) {
        Err(Failure::Usage(_)) if prove => return task("the tree is too large to be built"),
        available => available?,
    };
    let estimate = position.graph_estimate().map(|estimate| estimate.positions);
    if let Some(positions) = estimate.filter(|positions| prove && *positions > MOST_ESTIMATED) {
        let positions = text::magnitude(positions);
        return task(&format!("the tree has up to {positions} positions; with --csv it is built"));
    }
    if let Some(cost) = position.ranked_cost().filter(|cost| cost.in_memory as f64 > available) {
        return Err(usage!(
            "{}: its {} need {} of memory, {} are available{}",
            position.info().title,
            counted(cost.ranks(), "position"),
            text::bytes(cost.in_memory as f64),
            text::bytes(available),
            way_out(position, entry)
        ));
    }
    let session = Session::start(running)?;
    let files = question.csv_files(["solution", "plies"])?;
    let run = question.begin(&session)?;

    let most = (available / position.bytes(false) as f64) as u64;
    // The trees of boards of stones are known to fit.
    let prove = prove && position.lines().is_none();
    let most = if prove { most.min(MOST_BUILT) } else { most };
    // Most of the time is left to a proof.
    let time = question.timeout.map(|limit| if prove { limit / 4.0 } else { limit });
    session.control.limit(time.map(Duration::from_secs_f64));
    let solving = text::solving(position, most);
    let solved =
        session.work(&solving, "positions", |control| SolvedTree::of(position, most, control));
    session.control.limit(None);
    let solved = match solved {
        Ok(solved) => solved,
        Err(SolveError::Stopped(_)) => {
            run.finish(&session, "")?;
            if prove {
                return task("the tree is not built in a quarter of the time");
            }
            return Err(session.stopped(question.timeout, ""));
        }
        Err(SolveError::Positions(most)) if prove => {
            run.finish(&session, "")?;
            let game = format!("{}{}", position.info().name, options_of(&position.info().choices));
            return task(&format!(
                "the tree has more than {}; `analyze solve {game} --out FILE` visits them all",
                counted(most, "position")
            ));
        }
        Err(error) => {
            let title = position.info().title.clone();
            // The error is about the board, not the database.
            run.finish(&session, "")?;
            let way_out = way_out(position, entry);
            return Err(usage!("{title}: {error}{way_out}"));
        }
    };
    let elapsed = session.started.elapsed();
    let run_of = (session.threads, elapsed);
    let moves = question.moves.clone();
    let document = PositionDocument::of_tree(position, moves, &solved, scoring, run_of);
    let in_words = || in_words(position, &solved, &document, run_of);
    let kept = Kept::after(running.json, &document, in_words);
    let SolvedTree { answers, plies, .. } = &solved;
    if run.writer().is_some() {
        session.work("handing over positions", "", |control| {
            position.rows(answers, &mut |part| {
                if !control.is_asked_to_stop() {
                    run.send(part);
                }
            });
        });
    }
    run.write(|writer| writer.ply_counts(&plies.counts));
    let database = run.end(&session, "");
    let files = files.filter(|_| !session.control.is_asked_to_stop());
    let tables = |[table, of_plies]: [NewFile; 2]| {
        let table = session.work("writing the solution table", "", |_| {
            output::write_table(table, |file| write_answers(position, answers, scoring, file))
        })?;
        let mut written = vec![table];
        // Endless play has no plies to count.
        if !plies.counts.is_empty() {
            let of = OfRun::new(position, session.threads);
            let write = |file: &mut NewFile| match position.lines() {
                Some(_) => write_won_plies(file, &of, plies),
                None => write_plies(file, &of, &plies.counts),
            };
            written.push(output::write_table(of_plies, write)?);
        }
        Ok(written)
    };
    kept.and(database).tables(files, tables).end()
}

/// The remedies for a game that does not fit memory: its tiers in a file, or a smaller board.
fn way_out(position: &dyn Position, entry: &Entry) -> String {
    let sizes = entry.parameters.iter().filter(|p| !matches!(p.kind, ParameterKind::Rule));
    let sizes: Vec<String> = sizes.map(|p| format!("--{}", p.name)).collect();
    let smaller =
        (!sizes.is_empty()).then(|| format!("; {} choose a smaller one", sizes.join(", ")));
    by_tiers(position).unwrap_or_default() + &smaller.unwrap_or_default()
}

/// The end of a refusal that names the command about the tiers of a game, if it has any.
pub(in crate::cli) fn by_tiers(position: &dyn Position) -> Option<String> {
    let game = format!("{}{}", position.info().name, options_of(&position.info().choices));
    (!position.ranked_tiers().is_empty())
        .then(|| format!("; `analyze solve {game} --out FILE --plan` says what its tiers need"))
}

fn in_words(
    position: &dyn Position,
    solved: &SolvedTree,
    document: &PositionDocument,
    (threads, elapsed): (usize, Duration),
) -> String {
    let TreeFields { counts: c, plies } = document.tree.as_ref().expect("made of a tree");
    let mut text = format!("{}\n\n", text::heading(position));
    let moves = solved.moves(position);
    let value = solved.answers.value();
    let is_drawn = position.info().move_style == MoveStyle::Cell;
    if is_drawn {
        text.push_str(&text::board_with(position, |bit| {
            let SolvedMove { value, .. } = moves.iter().find(|m| m.text.parse() == Ok(bit + 1))?;
            let plies = value.remoteness.map(|r| r.to_string()).unwrap_or_default();
            Some(format!("{} {plies}", value.outcome))
        }));
        text.push('\n');
    }
    let score = document.scoring.zip(document.score).map(|(scoring, score)| {
        let name = scoring.name();
        match score {
            ScoringScore::Whole(n) => format!(" (score {n} by {name})"),
            ScoringScore::Fraction(x) => format!(" (score {x:.4} by {name})"),
        }
    });
    let those = |is: fn(&SolvedMove) -> bool| -> Vec<String> {
        moves.iter().filter(|m| is(m)).map(|m| m.text.clone()).collect()
    };
    let [best, soonest] =
        [those(|m| m.is_best), those(|m| m.is_soonest)].map(|moves| text::joined(&moves, " "));
    let is_other = best != soonest;
    let soonest = soonest.filter(|_| is_other).map(|moves| {
        format!("{moves} (the same outcome in the fewest plies, or a loss in the most)")
    });
    let tree = match solved.plies.complete {
        true => {
            let games = [c.games, c.first_player_wins, c.second_player_wins, c.draws];
            text::tree_line(text::sides(position), c.nodes, games)
        }
        false => format!(
            "without end, as play may be endless; `analyze count {} --plies N` counts its first plies",
            position.info().name
        ),
    };
    let [positions, canonical, terminal] =
        [c.positions, c.canonical_positions, c.terminal_positions].map(grouped);
    let [won, drawn, endless, lost] =
        [c.won_positions, c.drawn_positions, c.endless_positions, c.lost_positions].map(grouped);
    let by_value = format!(
        "{won} won, {drawn} drawn ({endless} by endless play), {lost} lost for the side to move"
    );
    text += &text::facts([
        ("value", Some(position.value_for_mover(value) + &score.unwrap_or_default())),
        ("points", solved.points.as_ref().map(|points| text::points(points.best))),
        ("best", best),
        ("soonest", soonest),
        ("tree", Some(tree)),
        (
            "positions",
            Some(format!("{positions}, {canonical} up to symmetry, {terminal} with the game over")),
        ),
        ("", c.full_board.is_none().then_some(by_value)),
    ]);
    if let Some(full) = &c.full_board {
        text += &text::full_board(full.full_board_leaves, full.full_board_nodes);
    }
    text.push('\n');
    if !plies.is_empty() {
        text.push_str(&text::ply_table(plies));
        text.push_str(
            "(nodes and games: move sequences; the rest: distinct positions, won, drawn or lost for \
             the side to move)\n\n",
        );
    }
    if !is_drawn && !moves.is_empty() {
        let mut table = match solved.points {
            Some(_) => Table::new("move,leads to,points,"),
            None => Table::new("move,leads to,"),
        };
        for m in moves {
            // In a column of its own, so that values stay in line.
            let best = if m.is_best { "best" } else { "" }.to_owned();
            let points = m.points.map(|points| format!("{points:+}"));
            let cells = [m.text, position.value_in_words(m.value)].into_iter().chain(points);
            table.row(cells.chain([best]));
        }
        let _ = writeln!(text, "{}", table.render());
    }
    text + &text::facts([("time", Some(text::time(elapsed.as_secs_f64(), threads)))])
}
