//! `--depth`: a search to a depth, with its statistics.

use super::Question;
use crate::cli::options::check_search;
use crate::cli::prelude::*;
use everyply_core::search::{Report, RootScores, Settings, SharedTable};
use everyply_core::statistics::SearchCounters;
use everyply_results::export::{write_iterations, write_root_moves};

/// MiB of the table from depth 14 on; half for each ply less, down to 1 MiB at depth 8.
const TABLE: u64 = 64;

pub(super) fn run(question: &Question<'_>, depth: u32) -> Result<(), Failure> {
    let position = question.position.as_ref();
    check_search(position, depth)?;
    let mib = question.table(|| TABLE.min(1 << depth.saturating_sub(8).min(63)))?;
    let table = SharedTable::new(mib, position.info().key_bits).map_err(Failure::usage)?;
    let session = Session::start(question.running)?;
    let files = question.csv_files(["iterations", "root-moves"])?;
    let run = question.begin(&session)?;

    let all_moves = question.goal == Goal::AllMoves;
    let settings = Settings {
        root_scores: if all_moves { RootScores::All } else { RootScores::AllBest },
        ..Settings::to_depth(depth)
    };
    // The time of the search does not include the first touch of its memory.
    table.touch();
    let begun = std::time::Instant::now();
    session.control.limit(question.timeout.map(Duration::from_secs_f64));
    let report = session
        .work("searching", "nodes", |control| position.search(&settings, Some(&table), control));
    session.control.limit(None);
    let report = report.expect("play of this game ends");
    // The completed iterations of a stopped search are valid results.
    let run_of = (session.threads, begun.elapsed());
    let document =
        PositionDocument::of_search(position, question.moves.clone(), &report, &table, run_of);
    let kept =
        Kept::after(question.running.json, &document, || in_words(position, &document, &report));
    run.send(proved(position, &report));
    let database = question.end(run, &session, "");
    let files = files.filter(|_| !session.control.is_asked_to_stop());
    let mut kept = kept
        .and(database)
        .tables(files, |files| write_csv(files, position, &report, session.threads));
    if report.stopped {
        let last = format!("; the last depth is {}", report.depth);
        kept = kept.and(Err(session.stopped(question.timeout, &last)));
    }
    kept.end()
}

/// The proved values of the root and its moves.
fn proved(position: &dyn Position, report: &Report) -> Vec<PositionRow> {
    if position.info().counts_points || !position.info().has_keys {
        // Best moves are stored by points, which this search does not count.
        return Vec::new();
    }
    let root =
        report.value.and_then(|value| output::row(position, value.into(), Some(report.best)));
    let moves = position.branches().into_iter().filter(|branch| !branch.keeps_turn);
    let moves = moves.filter_map(|branch| {
        let tried = report.root_moves.iter().find(|tried| u32::from(tried.m.0) == branch.bit)?;
        let value = tried.value?.exact()?.after_best_move().into();
        output::row(&*branch.to, value, branch.to.result().map(|_| MoveSet::EMPTY))
    });
    root.into_iter().chain(moves).collect()
}

fn write_csv(
    [iterations, moves]: [NewFile; 2],
    position: &dyn Position,
    report: &Report,
    threads: usize,
) -> Result<Vec<String>, Failure> {
    let of = OfRun::new(position, threads);
    let depths = &report.iterations;
    let iterations =
        output::write_table(iterations, |file| write_iterations(file, &of, position, depths))?;
    let rows = &report.root_moves;
    let moves = output::write_table(moves, |file| write_root_moves(file, &of, position, rows))?;
    Ok(vec![iterations, moves])
}

fn in_words(position: &dyn Position, document: &PositionDocument, report: &Report) -> String {
    let mut text = format!("{}\n\n{}\n", text::heading(position), text::board_of(position));
    let (depth, score) = (report.depth, report.score);
    let value = match report.value {
        Some(value) => position.value_for_mover(value.into()),
        None => "not proven at this depth".to_owned(),
    };
    let side = text::side_to_move(position);
    let score = format!("{score} for {side} at depth {depth}, in points of the evaluation");
    let last = format!("stopped: the last depth completed is {depth}");
    let best = text::joined(&position.texts(report.best), " ");
    let is_over = best.is_none();
    let line = best.as_ref().map(|_| document.pv.clone().unwrap_or_default());
    text += &text::facts([
        ("value", Some(value)),
        ("score", report.value.is_none().then_some(score)),
        ("", report.stopped.then_some(last)),
        ("best", best),
        ("line", line),
    ]);
    if is_over {
        return text;
    }
    text.push('\n');
    let mut table = Table::new("move,value,score,nodes");
    for m in &report.root_moves {
        let value = m.value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        let score = match m.score {
            None => "below best".to_owned(),
            Some(score) if score.value().is_some() => "proved".to_owned(),
            Some(score) => score.to_string(),
        };
        table.row([position.line_text(&[m.m]), value, score, grouped(m.nodes)]);
    }
    text.push_str(&table.render());
    if report.root_moves.iter().any(|m| m.score.is_none()) {
        text.push_str("(--all-moves: the exact score of every move)\n");
    }
    text.push('\n');
    let mut table = Table::new("depth,score,nodes,leaf evals,cutoffs,by 1st move,time,line");
    for i in &report.iterations {
        let SearchCounters { nodes, leaf_evaluations, cutoffs, first_move_cutoffs, .. } =
            i.counters;
        let counts = [nodes, leaf_evaluations, cutoffs, first_move_cutoffs].map(grouped);
        let head = [i.depth.to_string(), i.score.to_string()].into_iter();
        let tail = [text::seconds(i.elapsed), position.line_text(&i.line)];
        table.row(head.chain(counts).chain(tail));
    }
    text.push_str(&table.render());
    text.push('\n');
    text + &work_in_words(document, report)
}

fn work_in_words(document: &PositionDocument, report: &Report) -> String {
    let SearchCounters { table_probes, table_hits, table_stores, table_replacements, .. } =
        report.counters();
    let (Some(search), Some(stats)) = (&document.search, &document.stats) else {
        return String::new();
    };
    let percent = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
    let table = format!(
        "{} MiB, {:.0} % full; {}, {:.0} % hits; {}, {:.0} % replaced another position",
        search.table_mib,
        100.0 * stats.table_fill.unwrap_or_default(),
        counted(table_probes, "probe"),
        percent(table_hits, table_probes),
        counted(table_stores, "store"),
        percent(table_replacements, table_stores),
    );
    let worked = stats.per_thread.iter().filter(|thread| thread.nodes > 0).count();
    let shared = report.iterations.iter().find(|iteration| iteration.threads > 1);
    let shared = shared.filter(|_| worked > 1);
    let threads = match shared {
        Some(first) => Some(format!(
            "share the branches of the root, and all below, from depth {} on",
            first.depth
        )),
        None if document.threads > Some(1) => {
            Some("one searches alone: no depth takes long enough to be shared".to_owned())
        }
        None => None,
    };
    let each = stats.per_thread.iter().enumerate().filter(|_| shared.is_some());
    let each = each.map(|(i, thread)| {
        let (nodes, moves) = (counted(thread.nodes, "node"), counted(thread.deferrals, "move"));
        let busy = text::seconds(Duration::from_secs_f64(thread.busy_s));
        ("", Some(format!("{}: {nodes}, {moves} put off, busy for {busy}", i + 1)))
    });
    let time = text::time(document.elapsed_s.unwrap_or_default(), worked);
    let time = format!("{time}, {} nodes/s", text::magnitude(search.nodes_per_s));
    let facts = [("table", Some(table)), ("threads", threads)].into_iter().chain(each);
    text::facts(facts.chain([("time", Some(time))]))
}
