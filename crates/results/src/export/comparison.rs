//! A comparison of searches: nodes and time of each rung of the ladder, depth by depth.

use std::time::Duration;

use super::ComparisonRow;
use crate::clock::Instant;
use crate::control::{Control, Stopped};
use crate::registry::{Attempt, Study};
use crate::search::{
    Algorithm, Evaluation, MoveOrder, SharedTable, effective_branching_factor, may_share,
};
use crate::statistics::{Score, SearchCounters};

/// The longest time to count the nodes of a minimax search that takes longer than its limit.
const COUNTING: Duration = Duration::from_secs(5);

/// The bytes that counting them may take.
const ROOM: u64 = 1 << 30;

/// A position, and the searches of it to compare.
pub struct Comparison<'s> {
    pub study: &'s dyn Study,
    pub depth: u32,
    /// The order of moves from [`Algorithm::Ordering`] on.
    pub order: MoveOrder,
    pub evaluation: Evaluation,
    /// The table, emptied before every search.
    pub table: SharedTable,
    pub limit: Duration,
}

/// The reason why a comparison has no result.
#[derive(Debug, thiserror::Error)]
pub enum ComparisonError {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error(
        "at depth {depth} {} gives {:?} and {} {:?}: please report this as a bug",
        rows[0].algorithm, rows[0].score, rows[1].algorithm, rows[1].score
    )]
    Different { depth: u32, rows: Box<[ComparisonRow; 2]> },
}

impl Comparison<'_> {
    /// The name of a rung in the outputs.
    #[must_use]
    pub fn name(&self, algorithm: Algorithm) -> &'static str {
        let on_lines = self.study.lines().is_some() || self.study.wide_lines().is_some();
        algorithm.name(self.order, on_lines)
    }

    /// The sign of scores of the root for the first player: -1 if the other side is to move.
    fn sign(&self) -> i32 {
        if self.study.to_move() == self.study.start().to_move() { 1 } else { -1 }
    }

    /// Runs every rung to every depth, on the threads of the current pool. `begin` is called before
    /// each search. A search that would take longer than the limit has a row without results; one
    /// that is the same as on the rung below has none.
    ///
    /// # Errors
    /// If the control asks to stop, or two searches to one depth give different scores.
    pub fn rows(
        &self,
        control: &Control,
        begin: &(dyn Fn(Algorithm, u32) + Sync),
    ) -> Result<Vec<ComparisonRow>, ComparisonError> {
        let mut rows: Vec<ComparisonRow> = Vec::new();
        let mut minimax_nodes = Vec::new();
        let mut nodes: Vec<u64> = Vec::new();
        for algorithm in Algorithm::ALL {
            let below = std::mem::take(&mut nodes);
            let mut last = Duration::ZERO;
            let mut skipped = None;
            for depth in 1..=self.depth {
                begin(algorithm, depth);
                let Some(threads) = self.threads(algorithm, depth, &below) else { continue };
                let mut row = ComparisonRow {
                    threads,
                    skipped: skipped.clone(),
                    ..ComparisonRow::of(self.name(algorithm), depth)
                };
                let predicted = self.predict(last, &nodes);
                if skipped.is_none() && predicted > self.limit.as_secs_f64() {
                    row.skipped = Some(format!("would take about {predicted:.0} s"));
                }
                if row.skipped.is_none() {
                    match self.run(algorithm, depth, control) {
                        Ok((elapsed, score, counters)) => {
                            last = elapsed;
                            nodes.push(counters.nodes);
                            row.score = Some(score);
                            row.first_player_score = Some(Score(self.sign() * score.0));
                            row.nodes = Some(counters.nodes);
                            row.leaf_evaluations = Some(counters.leaf_evaluations);
                            row.effective_branching_factor =
                                Some(effective_branching_factor(counters.nodes, depth));
                            row.elapsed_s = Some(last.as_secs_f64());
                        }
                        Err(stopped) if control.is_asked_to_stop() => return Err(stopped.into()),
                        Err(Stopped) => {
                            let limit = self.limit.as_secs_f64();
                            row.skipped = Some(format!("took more than {limit} s"));
                        }
                    }
                }
                skipped =
                    skipped.or_else(|| row.skipped.clone().map(|_| "after a skipped depth".into()));
                if algorithm == Algorithm::Minimax {
                    minimax_nodes.push(row.nodes.or_else(|| self.histories(depth, control)));
                }
                row.saved_factor = minimax_nodes[depth as usize - 1]
                    .zip(row.nodes)
                    .map(|(all, visited)| all as f64 / visited as f64);
                let same = |other: &&ComparisonRow| other.depth == depth && other.score.is_some();
                if let Some(other) = rows.iter().find(same)
                    && row.score.is_some_and(|score| Some(score) != other.score)
                {
                    let rows = Box::new([other.clone(), row]);
                    return Err(ComparisonError::Different { depth, rows });
                }
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// The threads of a search; `None` if it is the same as on the rung below. `below` are the nodes
    /// of that rung.
    fn threads(&self, algorithm: Algorithm, depth: u32, below: &[u64]) -> Option<usize> {
        match algorithm {
            Algorithm::Ordering if self.order == MoveOrder::Natural => None,
            Algorithm::Threads => {
                let threads = rayon::current_num_threads();
                let before = below.get(..depth as usize - 1).unwrap_or(below);
                (threads > 1 && may_share(before)).then_some(threads)
            }
            _ => Some(1),
        }
    }

    /// Runs a search from nothing.
    fn run(
        &self,
        algorithm: Algorithm,
        depth: u32,
        control: &Control,
    ) -> Result<(Duration, Score, SearchCounters), Stopped> {
        let table = algorithm.uses_table().then_some(&self.table);
        table.inspect(|table| table.clear());
        control.start(0);
        control.limit(Some(self.limit));
        let begun = Instant::now();
        let found = self.attempt(algorithm, depth, table, control);
        let elapsed = begun.elapsed();
        control.limit(None);
        let (score, counters) = found.expect("play of this game ends")?;
        Ok((elapsed, score, counters))
    }

    fn attempt(
        &self,
        algorithm: Algorithm,
        depth: u32,
        table: Option<&SharedTable>,
        control: &Control,
    ) -> Option<Attempt> {
        if algorithm == Algorithm::Minimax {
            return self.study.minimax(depth, self.evaluation, control);
        }
        let settings = algorithm.settings(depth, self.order, self.evaluation);
        let report = self.study.search(&settings, table, None, control)?;
        Some(if report.stopped { Err(Stopped) } else { Ok((report.score, report.counters())) })
    }

    /// The nodes of minimax, if they are counted in a few seconds: it visits every history.
    fn histories(&self, depth: u32, control: &Control) -> Option<u64> {
        control.limit(Some(COUNTING));
        let counted = self.study.count(depth, ROOM, control);
        control.limit(None);
        Some(counted.ok()?.histories.nodes())
    }

    /// Seconds that a depth will take, from those of the depth before and the growth so far.
    fn predict(&self, last: Duration, nodes: &[u64]) -> f64 {
        let growth = match nodes {
            [.., before, last] => *last as f64 / *before as f64,
            _ => self.study.branches().len() as f64,
        };
        last.as_secs_f64() * growth.max(1.0)
    }
}
