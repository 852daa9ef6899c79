//! The nodes of each rung of the ladder, depth by depth.

use std::time::{Duration, Instant};

use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::control::{Control, Stopped};
use crate::export::ComparisonRow;
use crate::registry::Study;
use crate::search::{Algorithm, SharedTable, effective_branching_factor};
use crate::statistics::{Score, SearchCounters};

/// A position to search.
pub struct Ladder<'s> {
    pub study: &'s dyn Study,
    pub table_mib: u64,
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

    /// Runs one search from nothing.
    fn attempt(
        &self,
        algorithm: Algorithm,
        depth: u32,
        control: &Control,
    ) -> Result<(Score, SearchCounters), Stopped> {
        let table = algorithm.uses_table().then(|| {
            SharedTable::new(self.table_mib, self.study.key_bits()).expect("the size is in range")
        });
        let found = self.study.attempt(algorithm, depth, table.as_ref(), control);
        found.expect("play of this game ends")
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
    for algorithm in Algorithm::ALL {
        let mut nodes: Vec<u64> = Vec::new();
        let mut last = Duration::ZERO;
        let mut skipped = None;
        for depth in 1..=most {
            let threads = if algorithm == Algorithm::Threads { session.threads } else { 1 };
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
                session.control.limit(Some(Duration::from_secs_f64(limit)));
                let begun = Instant::now();
                let label = format!("{} to depth {depth}", ladder.name(algorithm));
                let result = session
                    .work(&label, "nodes", |control| ladder.attempt(algorithm, depth, control));
                session.control.limit(None);
                last = begun.elapsed();
                match result {
                    Ok((score, counters)) => {
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
