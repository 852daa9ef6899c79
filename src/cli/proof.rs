//! `analyze GAME` where the tree is too large: the value of a position, proved by search.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::failure::Failure;
use super::options::{OutputOptions, Running};
use super::output::{self, Kept, Run};
use super::session::{Session, fitting_table};
use super::text;
use everyply_core::control::Control;
use everyply_core::game::MoveSet;
use everyply_core::search::{Aim, EndBounds, EndScore, Proof, RootScores, SharedTable};
use everyply_core::statistics::grouped;
use everyply_registry::registry::Position;
use everyply_results::database::PositionRow;
use everyply_results::export::{PositionDocument, proved_value};
use everyply_results::oracle::BestPlay;

/// MiB of the table, where memory allows.
const TABLE: u64 = 512;

/// A search and what it is to be told.
pub(super) struct Task<'a> {
    pub study: &'a dyn Position,
    /// The moves that it was given by.
    pub moves: Option<String>,
    /// Why the tree is not built, in words.
    pub why: &'a str,
    pub timeout: Option<f64>,
    pub output: &'a OutputOptions,
    pub running: &'a Running,
    pub command: &'a str,
}

/// True if the value of a position can be proved by search.
pub(super) fn can_prove(study: &dyn Position) -> bool {
    study.plies_left().is_some() && study.canonical().is_some() && study.info().move_sets.is_ok()
}

impl Task<'_> {
    /// Proves the value, until it is proved or the run is stopped, and prints what is known.
    pub fn run(self) -> Result<(), Failure> {
        let study = self.study;
        let session = Session::start(self.running)?;
        let opened = output::open(self.output)?;
        let run = Run::begin(opened, &study.game_id(), self.command, &session)?;
        let table = SharedTable::new(fitting_table(TABLE), study.info().key_bits);
        let table = table.map_err(Failure::runtime)?;
        session.control.limit(self.timeout.map(Duration::from_secs_f64));
        let aim = if study.info().counts_points { Aim::Points } else { Aim::Value };
        let told = Mutex::new("searching".to_owned());
        let message = || told.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let proof = session.work_with_message(&message, "nodes", |control| {
            study.prove((aim, RootScores::AllBest), &table, control, &mut |bounds| {
                *told.lock().unwrap_or_else(PoisonError::into_inner) = in_words(bounds);
            })
        });
        let proof = proof.expect("asked of what can be proved");
        let elapsed = session.started.elapsed();
        // Best play is shown, not asked for.
        let time = Duration::from_secs(3) + elapsed / 2;
        let line = session.work("best play", "nodes", |control| {
            control.within(time, || self.best_play(aim, proof.best, &table, control))
        });
        session.control.limit(None);
        let document = PositionDocument::of_proof(
            study,
            self.moves.clone(),
            &proof,
            &line,
            (table.bytes(), table.fill()),
            (session.threads, elapsed),
        );
        let table_bytes = table.bytes();
        let text = || {
            let text = self.text(&document, &proof, &line, table_bytes);
            format!("{text}{}\n", text::time(elapsed.as_secs_f64(), session.threads))
        };
        let kept = Kept::after(self.running.json, &document, text);
        // A position whose plies do not fit a row has none.
        if let (Some(value), Some((key, symmetry)), Ok(())) =
            (proved_value(study, &proof), study.canonical(), study.check())
        {
            let best = study.image_moves(proof.best, symmetry);
            let best = Some(best).filter(|best| !proof.stopped && !best.is_empty());
            run.send([PositionRow { key, ply: study.tier(), value, best }]);
        }
        let summary = run.finish(&session);
        let mut kept = kept.and(summary.map(|summary| output::summary(summary, self.output)));
        if proof.stopped {
            let message = "stopped after --timeout; the bounds proved until then are above";
            kept = kept.and(Err(Failure::TimedOut(message.to_owned())));
        }
        kept.end()
    }

    /// Best play from the position on, as far as the control lets it.
    fn best_play(
        &self,
        aim: Aim,
        best: MoveSet,
        table: &SharedTable,
        control: &Control,
    ) -> Vec<String> {
        // The best moves of the root are known, those of later positions are proved.
        let mut known = Some(best);
        let play = BestPlay::follow(self.study, |at| {
            let best = known.take().or_else(|| {
                let proof = at.prove((aim, RootScores::OneBest), table, control, &mut |_| ())?;
                Some(proof.best).filter(|_| !proof.stopped)
            });
            let first = at.order().into_iter().find(|&bit| best.is_some_and(|best| best.has(bit)));
            Ok(at.branches().into_iter().find(|branch| Some(branch.bit) == first))
        });
        play.map_or_else(|_| Vec::new(), |play| play.texts())
    }

    fn text(
        &self,
        document: &PositionDocument,
        proof: &Proof,
        line: &[String],
        table_bytes: usize,
    ) -> String {
        let study = self.study;
        let mut said = format!("{}\n\n{}\n", text::heading(study), text::board_of(study));
        match proved_value(study, proof) {
            Some(value) => {
                let _ = writeln!(said, "value      {}", study.value_for_mover(value));
            }
            None => {
                let side = study.to_move().map_or("the side to move".into(), String::from);
                let known = in_words(&proof.bounds);
                let _ = writeln!(said, "value      not proved: {known} for {side}");
            }
        }
        if let Some(points) = document.points {
            let _ = writeln!(said, "{}", text::points(points));
        }
        if !proof.best.is_empty() {
            let best = study.texts(proof.best).join(" ");
            let least = if proof.stopped { " at least" } else { "" };
            let _ = writeln!(said, "best       {best}{least}");
        }
        if !line.is_empty() {
            let _ = writeln!(said, "line       {}", line.join(study.info().separator));
        }
        let _ = writeln!(said, "how        by search: {}", self.why);
        let table = text::bytes(table_bytes as f64);
        let nodes = grouped(proof.counters.nodes);
        let _ = writeln!(said, "nodes      {nodes} with a table of {table}");
        said
    }
}

/// Bounds in words.
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
