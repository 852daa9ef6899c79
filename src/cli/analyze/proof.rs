//! The value of a position whose tree is too large, proved by search.

use super::Question;
use crate::cli::prelude::*;
use crate::cli::session::fitting_table;
use everyply_core::search::{Aim, EndBounds, EndScore, Proof, RootScores, SharedTable};
use everyply_results::export::proved_value;
use everyply_results::oracle::BestPlay;

/// MiB of the table, where memory allows.
const TABLE: u64 = 512;

/// Searches until the value is proved or the run is stopped, and prints the result or its bounds; `why` is the
/// reason not to build the tree.
pub(super) fn run(question: &Question<'_>, why: &str, timeout: Option<f64>) -> Result<(), Failure> {
    let Question { position, goal, running, .. } = question;
    let position = position.as_ref();
    let session = Session::start(running)?;
    let run = question.begin(&session)?;
    let mib = question.table(|| fitting_table(TABLE))?;
    let table = SharedTable::new(mib, position.info().key_bits).map_err(Failure::usage)?;
    session.control.limit(timeout.map(Duration::from_secs_f64));
    let aim = match goal {
        Goal::Outcome => Aim::Outcome,
        _ if position.info().counts_points => Aim::Points,
        _ => Aim::Value,
    };
    let (wants_moves, scores) = match goal {
        Goal::Outcome | Goal::Value => (false, RootScores::OneBest),
        Goal::BestMoves => (true, RootScores::AllBest),
        Goal::AllMoves => (true, RootScores::All),
    };
    let state = Mutex::new("searching".to_owned());
    let message = || state.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let proof = session.work_with_message(&message, "nodes", |control| {
        position.prove((aim, scores), &table, control, &mut |bounds| {
            *state.lock().unwrap_or_else(PoisonError::into_inner) = in_words(bounds);
        })
    });
    let mut proof = proof.expect("asked of what can be proved");
    if !wants_moves {
        proof.best = MoveSet::EMPTY;
    }
    let elapsed = session.started.elapsed();
    // Best play is an extra, so its time is short.
    let time = Duration::from_secs(3) + elapsed / 2;
    let line = session.work("best play", "nodes", |control| {
        let play = || best_play(position, aim, proof.best, &table, control);
        if wants_moves { control.within(time, play) } else { Vec::new() }
    });
    session.control.limit(None);
    let document = PositionDocument::of_proof(
        position,
        question.moves.clone(),
        &proof,
        &line,
        (table.bytes(), table.fill()),
        (session.threads, elapsed),
    );
    let text = || {
        let text = in_text(position, why, &document, &proof, &line);
        let bytes = text::bytes(table.bytes() as f64);
        let nodes = grouped(proof.counters.nodes);
        let time = text::time(elapsed.as_secs_f64(), session.threads);
        format!("{text}nodes      {nodes} with a table of {bytes}\ntime       {time}\n")
    };
    let kept = Kept::after(running.json, &document, text);
    // A position whose plies do not fit a row is not stored.
    if let (Some(value), Ok(())) = (proved_value(position, &proof), position.check()) {
        let best = Some(proof.best).filter(|best| !proof.stopped && !best.is_empty());
        run.send(output::row(position, value, best));
    }
    let mut kept = kept.and(question.end(run, &session, ""));
    if proof.stopped {
        let why = "; the bounds proved until then are above";
        kept = kept.and(Err(session.stopped(question.timeout, why)));
    }
    kept.end()
}

/// Best play from the position on, until the control stops it.
fn best_play(
    position: &dyn Position,
    aim: Aim,
    best: MoveSet,
    table: &SharedTable,
    control: &Control,
) -> Vec<String> {
    // The best moves of the root are known; later positions are searched.
    let mut known = Some(best);
    let play = BestPlay::follow(position, |at| {
        let best = known.take().or_else(|| {
            let proof = at.prove((aim, RootScores::OneBest), table, control, &mut |_| ())?;
            Some(proof.best).filter(|_| !proof.stopped)
        });
        let first = at.order().into_iter().find(|&bit| best.is_some_and(|best| best.has(bit)));
        Ok(at.branches().into_iter().find(|branch| Some(branch.bit) == first))
    });
    play.map_or_else(|_| Vec::new(), |play| play.texts())
}

fn in_text(
    position: &dyn Position,
    why: &str,
    document: &PositionDocument,
    proof: &Proof,
    line: &[String],
) -> String {
    let mut text = format!("{}\n\n{}\n", text::heading(position), text::board_of(position));
    let value = match proved_value(position, proof) {
        Some(value) => position.value_for_mover(value),
        None => {
            format!("not proved: {} for {}", in_words(&proof.bounds), text::side_to_move(position))
        }
    };
    let least = if proof.stopped { " at least" } else { "" };
    let best = text::joined(&position.texts(proof.best), " ").map(|best| best + least);
    text += &text::facts([
        ("value", Some(value)),
        ("points", document.points.map(text::points)),
        ("best", best),
        ("line", text::joined(line, position.info().separator)),
    ]);
    for (bit, bounds) in &proof.moves {
        let name = position.texts(MoveSet(1 << bit)).concat();
        let _ = writeln!(text, "{name:>9}  {}", in_words(bounds));
    }
    text + &text::facts([("how", Some(format!("by search: {why}")))])
}

fn in_words(bounds: &EndBounds) -> String {
    let score = |score: EndScore| match score {
        EndScore { points: Some(points), .. } => format!("{points:+} points"),
        EndScore { outcome, plies: Some(plies), .. } => format!("a {outcome} in {plies} plies"),
        EndScore { outcome, .. } => format!("a {outcome}"),
    };
    match (bounds.worst().map(score), bounds.best().map(score)) {
        (Some(worst), Some(best)) if worst == best => format!("proved: {worst}"),
        (Some(worst), Some(best)) => format!("from {worst} to {best}"),
        (Some(worst), None) => format!("{worst} or better"),
        (None, Some(best)) => format!("{best} or worse"),
        (None, None) => "anything".to_owned(),
    }
}
