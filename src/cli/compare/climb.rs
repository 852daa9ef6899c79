//! The nodes of each rung of the ladder, depth by depth.

use std::time::{Duration, Instant};

use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::control::{Control, Stopped};
use crate::export::ComparisonRow;
use crate::registry::Study;
use crate::search::{Algorithm, SharedTable, effective_branching_factor, may_share};
use crate::statistics::{Score, SearchCounters};

/// A position to search.
pub struct Ladder<'s> {
    pub study: &'s dyn Study,
    pub table: SharedTable,
    /// The number of runs of each search; the one of median time is kept.
    pub repeat: usize,
}

impl Ladder<'_> {
    /// The name of a rung: the usual one where moves are ordered from the centre.
    pub fn name(&self, algorithm: Algorithm) -> &'static str {
        match algorithm {
            Algorithm::Ordering if self.study.lines().is_none() => "+ move ordering",
            other => other.name(),
        }
    }

    /// Nodes of minimax without running it: it visits every history, and those can be counted.
    fn histories(&self, depth: u32, control: &Control) -> Option<u64> {
        Some(self.study.count(depth, control).ok()?.histories.nodes())
    }

    /// Runs one search from nothing. The time is that of the search alone.
    fn attempt(
        &self,
        algorithm: Algorithm,
        depth: u32,
        control: &Control,
    ) -> Result<(Duration, Score, SearchCounters), Stopped> {
        let table = algorithm.uses_table().then_some(&self.table);
        table.inspect(|table| table.clear());
        let begun = Instant::now();
        let found = self.study.attempt(algorithm, depth, table, control);
        let (score, counters) = found.expect("play of this game ends")?;
        Ok((begun.elapsed(), score, counters))
    }

    /// Runs a search several times, and returns the run of median time.
    fn median(
        &self,
        algorithm: Algorithm,
        depth: u32,
        limit: f64,
        session: &Session,
    ) -> Result<(Duration, Score, SearchCounters), Stopped> {
        let label = format!("{} to depth {depth}", self.name(algorithm));
        let mut runs = Vec::new();
        for _ in 0..self.repeat {
            session.control.limit(Some(Duration::from_secs_f64(limit)));
            let run =
                session.work(&label, "nodes", |control| self.attempt(algorithm, depth, control));
            session.control.limit(None);
            runs.push(run?);
        }
        runs.sort_by_key(|(time, ..)| *time);
        Ok(runs.swap_remove((runs.len() - 1) / 2))
    }
}

/// Every rung to every depth; a mismatch if two of them give different scores at one depth.
pub fn compare(
    ladder: &Ladder<'_>,
    most: u32,
    limit: f64,
    session: &Session,
) -> Result<Vec<ComparisonRow>, Failure> {
    let rows = climb(ladder, most, limit, session)?;
    for depth in 1..=most {
        let mut scores = rows.iter().filter(|row| row.depth == depth && row.score.is_some());
        if let Some(first) = scores.next()
            && let Some(other) = scores.find(|row| row.score != first.score)
        {
            return Err(Failure::Mismatch(format!(
                "at depth {depth} {} gives {:?} and {} {:?}: please report this as a bug",
                first.algorithm, first.score, other.algorithm, other.score
            )));
        }
    }
    Ok(rows)
}

fn climb(
    ladder: &Ladder<'_>,
    most: u32,
    limit: f64,
    session: &Session,
) -> Result<Vec<ComparisonRow>, Failure> {
    let moves = ladder.study.branches().len() as u32;
    let mut rows = Vec::new();
    let mut minimax_nodes = Vec::new();
    let mut nodes: Vec<u64> = Vec::new();
    for algorithm in Algorithm::ALL {
        let below = std::mem::take(&mut nodes);
        let mut last = Duration::ZERO;
        let mut skipped = None;
        for depth in 1..=most {
            let mut threads = 1;
            if algorithm == Algorithm::Threads {
                threads = session.threads;
                let before = below.get(..depth as usize - 1).unwrap_or(&below);
                if threads == 1 || !may_share(before) {
                    // The same search as on the rung below.
                    continue;
                }
            }
            let mut row = ComparisonRow {
                algorithm: ladder.name(algorithm).into(),
                depth,
                threads,
                score: None,
                nodes: None,
                leaf_evaluations: None,
                effective_branching_factor: None,
                saved_factor: None,
                elapsed_s: None,
                skipped: skipped.clone(),
            };
            let predicted = predict(last, &nodes, moves);
            if skipped.is_none() && predicted > limit {
                row.skipped = Some(format!("would take about {predicted:.0} s"));
            }
            if row.skipped.is_none() {
                match ladder.median(algorithm, depth, limit, session) {
                    Ok((elapsed, score, counters)) => {
                        last = elapsed;
                        nodes.push(counters.nodes);
                        row.score = Some(score);
                        row.nodes = Some(counters.nodes);
                        row.leaf_evaluations = Some(counters.leaf_evaluations);
                        row.effective_branching_factor =
                            Some(effective_branching_factor(counters.nodes, depth));
                        row.elapsed_s = Some(last.as_secs_f64());
                    }
                    Err(Stopped) if session.control.is_asked_to_stop() => {
                        return Err(session.interrupted(""));
                    }
                    Err(Stopped) => row.skipped = Some(format!("took more than {limit} s")),
                }
            }
            skipped =
                skipped.or_else(|| row.skipped.clone().map(|_| "after a skipped depth".into()));
            if algorithm == Algorithm::Minimax {
                minimax_nodes.push(row.nodes.or_else(|| histories(ladder, depth, session)));
            }
            row.saved_factor = minimax_nodes[depth as usize - 1]
                .zip(row.nodes)
                .map(|(all, visited)| all as f64 / visited as f64);
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Nodes of minimax, if they are counted in a few seconds.
fn histories(ladder: &Ladder<'_>, depth: u32, session: &Session) -> Option<u64> {
    session.control.limit(Some(Duration::from_secs(5)));
    let counted =
        session.work("counting histories", "parts", |control| ladder.histories(depth, control));
    session.control.limit(None);
    counted
}

/// Seconds a depth will take, from those of the depth before and the growth so far.
fn predict(last: Duration, nodes: &[u64], moves: u32) -> f64 {
    let growth = match nodes {
        [.., before, last] => *last as f64 / *before as f64,
        _ => f64::from(moves),
    };
    last.as_secs_f64() * growth.max(1.0)
}
