//! A comparison of searches: nodes and time of each rung of the ladder, depth by depth.

use std::time::Duration;

use super::ComparisonRow;
use everyply_core::clock::Instant;
use everyply_core::control::{Control, Stopped};
use everyply_core::search::{
    Algorithm, Evaluation, MoveOrder, SharedTable, effective_branching_factor, may_share,
};
use everyply_core::statistics::{Score, SearchCounters};
use everyply_registry::registry::Position;

/// The longest time to count the nodes of a minimax search that takes longer than its limit.
const COUNTING: Duration = Duration::from_secs(5);

/// The bytes that counting them may take.
const ROOM: u64 = 1 << 30;

/// A position, and the searches of it to compare.
pub struct Comparison<'s> {
    position: &'s dyn Position,
    depth: u32,
    /// The order of moves from [`Algorithm::Ordering`] on.
    order: MoveOrder,
    evaluation: Evaluation,
    /// The table, emptied before every search.
    table: SharedTable,
    /// The time of a search.
    pub limit: Duration,
    rows: Vec<ComparisonRow>,
    /// The nodes of minimax by depth, if known.
    minimax_nodes: Vec<Option<u64>>,
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

impl<'s> Comparison<'s> {
    /// Creates a comparison of searches of a position to a depth, each within a limit of time.
    pub fn new(
        position: &'s dyn Position,
        depth: u32,
        (order, evaluation): (MoveOrder, Evaluation),
        table: SharedTable,
        limit: Duration,
    ) -> Self {
        let (rows, minimax_nodes) = (Vec::new(), Vec::new());
        Self { position, depth, order, evaluation, table, limit, rows, minimax_nodes }
    }

    /// Returns the name of a rung in the outputs.
    #[must_use]
    pub fn name(&self, algorithm: Algorithm) -> &'static str {
        algorithm.name(self.order, self.position.any_lines().is_some())
    }

    /// Returns 1 if the first player is to move at the root, else -1.
    fn sign(&self) -> i32 {
        if self.position.to_move() == self.position.start().to_move() { 1 } else { -1 }
    }

    /// Returns every possible search, rung by rung.
    pub fn searches(&self) -> impl Iterator<Item = (Algorithm, u32)> + use<> {
        let depths = 1..=self.depth;
        Algorithm::ALL.into_iter().flat_map(move |rung| depths.clone().map(move |n| (rung, n)))
    }

    /// Returns the rows so far.
    pub fn rows(&self) -> &[ComparisonRow] {
        &self.rows
    }

    /// Returns the rows of a rung so far.
    pub fn rows_of(&self, algorithm: Algorithm) -> impl Iterator<Item = &ComparisonRow> {
        let name = self.name(algorithm);
        self.rows.iter().filter(move |row| row.algorithm == name)
    }

    /// Removes the last row.
    pub fn take_back(&mut self) {
        self.rows.pop();
    }

    /// Runs the next of the [searches](Self::searches), on the threads of the current pool, and
    /// returns its row. A search that would take longer than the limit has a row without results; a
    /// search that equals the rung below has no row.
    ///
    /// # Errors
    /// If the control asks to stop, or an earlier search gave another score at this depth.
    pub fn search(
        &mut self,
        algorithm: Algorithm,
        depth: u32,
        control: &Control,
    ) -> Result<Option<ComparisonRow>, ComparisonError> {
        let Some(threads) = self.threads(algorithm, depth) else { return Ok(None) };
        let mut row = ComparisonRow { threads, ..ComparisonRow::of(self.name(algorithm), depth) };
        let predicted = self.predict(algorithm);
        row.skipped = if self.rows_of(algorithm).any(|row| row.skipped.is_some()) {
            Some("after a skipped depth".to_owned())
        } else if predicted > self.limit.as_secs_f64() {
            Some(format!("would take about {predicted:.0} s"))
        } else {
            match self.run(&mut row, algorithm, control) {
                Ok(()) => None,
                Err(stopped) if control.is_asked_to_stop() => return Err(stopped.into()),
                Err(Stopped) => Some(format!("took more than {} s", self.limit.as_secs_f64())),
            }
        };
        if algorithm == Algorithm::Minimax {
            self.minimax_nodes.push(row.nodes.or_else(|| self.histories(depth, control)));
        }
        row.saved_factor = self.minimax_nodes[depth as usize - 1]
            .zip(row.nodes)
            .map(|(all, visited)| all as f64 / visited as f64);
        let same = |other: &&ComparisonRow| other.depth == depth && other.score.is_some();
        if let Some(other) = self.rows.iter().find(same)
            && row.score.is_some_and(|score| Some(score) != other.score)
        {
            let rows = Box::new([other.clone(), row]);
            return Err(ComparisonError::Different { depth, rows });
        }
        self.rows.push(row.clone());
        Ok(Some(row))
    }

    fn nodes(&self, algorithm: Algorithm) -> Vec<u64> {
        self.rows_of(algorithm).filter_map(|row| row.nodes).collect()
    }

    /// Returns the threads of a search; `None` if it equals the search of the rung below.
    fn threads(&self, algorithm: Algorithm, depth: u32) -> Option<usize> {
        match algorithm {
            Algorithm::Ordering if self.order == MoveOrder::Natural => None,
            // Moves learned in the search replace any other order.
            Algorithm::History | Algorithm::Whole | Algorithm::Threads
                if self.order != MoveOrder::Best =>
            {
                None
            }
            Algorithm::Threads => {
                let threads = rayon::current_num_threads();
                let below = self.nodes(Algorithm::Whole);
                let before = below.get(..depth as usize - 1).unwrap_or(&below);
                (threads > 1 && may_share(before)).then_some(threads)
            }
            _ => Some(1),
        }
    }

    /// Runs a search with an empty table, and fills in its row.
    fn run(
        &self,
        row: &mut ComparisonRow,
        algorithm: Algorithm,
        control: &Control,
    ) -> Result<(), Stopped> {
        let table = algorithm.uses_table().then_some(&self.table);
        table.inspect(|table| table.clear());
        control.start(0);
        control.limit(Some(self.limit));
        let begun = Instant::now();
        let found = self.attempt(algorithm, row.depth, table, control);
        let elapsed = begun.elapsed().as_secs_f64();
        control.limit(None);
        let (score, counters, largest_share) = found.expect("play of this game ends")?;
        row.score = Some(score);
        row.outcome = score.value().map(|value| value.outcome.word().into());
        row.remoteness = score.value().map(|value| value.remoteness.0);
        row.first_player_score = Some(Score(self.sign() * score.0));
        row.nodes = Some(counters.nodes);
        row.leaf_evaluations = Some(counters.leaf_evaluations);
        row.effective_branching_factor =
            Some(effective_branching_factor(counters.nodes, row.depth));
        row.elapsed_s = Some(elapsed);
        let one = self.rows_of(Algorithm::Whole).find(|one| one.depth == row.depth);
        if let Some(one) = one.filter(|_| row.threads > 1) {
            row.speed_up = one.elapsed_s.map(|one| one / elapsed);
            row.node_overhead = one.nodes.map(|one| counters.nodes as f64 / one as f64);
            row.largest_share = Some(largest_share);
        }
        Ok(())
    }

    /// Returns the score, the counters and the largest share of one thread in the nodes; `None` if
    /// play may be endless.
    fn attempt(
        &self,
        algorithm: Algorithm,
        depth: u32,
        table: Option<&SharedTable>,
        control: &Control,
    ) -> Option<Result<(Score, SearchCounters, f64), Stopped>> {
        if algorithm == Algorithm::Minimax {
            let found = self.position.minimax(depth, self.evaluation, control)?;
            return Some(found.map(|(score, counters)| (score, counters, 1.0)));
        }
        let settings = algorithm.settings(depth, self.order, self.evaluation);
        let report = self.position.search(&settings, table, control)?;
        let nodes = report.threads.iter().map(|thread| thread.nodes);
        let share = nodes.clone().max().unwrap_or(1) as f64 / nodes.sum::<u64>().max(1) as f64;
        let found = (report.score, report.counters(), share);
        Some(if report.stopped { Err(Stopped) } else { Ok(found) })
    }

    /// Counts the nodes of minimax, which are all histories, if that takes only a few seconds.
    fn histories(&self, depth: u32, control: &Control) -> Option<u64> {
        control.limit(Some(COUNTING));
        let counted = self.position.count(depth, ROOM, control);
        control.limit(None);
        Some(counted.ok()?.histories.nodes())
    }

    /// Predicts the seconds of a rung's next depth, from the last depth and the growth so far.
    fn predict(&self, algorithm: Algorithm) -> f64 {
        let growth = match self.nodes(algorithm)[..] {
            [.., before, last] => last as f64 / before as f64,
            _ => self.position.branches().len() as f64,
        };
        let last = self.rows_of(algorithm).last().and_then(|row| row.elapsed_s);
        last.unwrap_or_default() * growth.max(1.0)
    }
}
