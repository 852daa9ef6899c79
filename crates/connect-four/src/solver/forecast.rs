//! Forecasts: the expected number of nodes until the current question is answered.
//!
//! The tree below the root is walked as far as table entries show that the search has visited it.
//! A settled position takes no more nodes. Any other is expected to take as many nodes as the
//! positions of its ply that were settled to the same side. If one move is enough, the cheapest
//! counts; if all moves have to be refuted, their sum counts. Both answers get a forecast, since
//! the answer is not known yet.

use super::board::{Board, Resolved};
use super::engine::{Engine, Question};
use super::layout::LayoutSource;
use super::score::{
    Interval, Score, least_without_loss_at_once, most_without_win_at_once, value_of,
};
use super::search::Searcher;
use super::{Solver, SolverWord};
use crate::clock::Instant;
use crate::control::Control;
use crate::game::Value;
use crate::games::line::Word;

/// The most positions that are visited.
const MAX_POSITIONS: u32 = 30_000;
/// The number of successive plies without a settled position after which the walk assumes that the
/// search has not visited the subtree.
const MAX_UNSETTLED_PLIES: u32 = 2;
/// The most plies below the root that are visited.
const MAX_DEPTH: u32 = 24;
/// The factor by which the nodes of a position grow with every ply nearer to the root, if no sample
/// is known.
const USUAL_GROWTH: f64 = 2.0;
/// The most plies between a position and the samples used for it.
const MAX_SAMPLE_DISTANCE: i32 = 4;
/// The least factor of any estimate.
const MIN_FACTOR: f64 = 1.5;
/// The greatest factor of any estimate. A greater one, as from a minute to a day, says nothing.
const MAX_FACTOR: f64 = 30.0;

/// The current question of a search, and the expected nodes for each answer.
#[derive(Clone, Copy, Debug)]
pub struct Forecast {
    /// The question: is the value of the root at least this?
    pub at_least: Value,
    /// When it was asked.
    pub asked: Instant,
    /// The nodes expected if the answer is yes; `None` if no estimate is possible yet.
    pub yes: Option<ExpectedNodes>,
    /// The nodes expected if the answer is no.
    pub no: Option<ExpectedNodes>,
}

/// An expected number of nodes.
#[derive(Clone, Copy, Debug)]
pub struct ExpectedNodes {
    /// The expected number.
    pub nodes: f64,
    /// A factor such that two times in three the true number lies between `nodes / factor` and
    /// `nodes * factor`.
    pub factor: f64,
}

impl<W: SolverWord> Solver<W> {
    /// Returns the current question and the nodes its answers may still take; `None` if no search
    /// runs, or work is not [counted](Self::count_work).
    pub fn forecast(&self) -> Option<Forecast> {
        self.engine.forecast()
    }
}

/// Returns the forecast of a question that an engine searches.
pub fn forecast<L: LayoutSource>(engine: &Engine<L>, question: Question<L::Word>) -> Forecast {
    let Question { root, alpha, turned, empties, asked } = question;
    let control = Control::default();
    let mut walk = TableWalk {
        searcher: Searcher::new(engine, &control, false),
        samples: vec![[Samples::default(); 2]; root.empties as usize + 1],
        positions_left: MAX_POSITIONS,
    };
    let window = Window { empties: root.empties, alpha, is_root_side: true };
    let tree = walk.visit(&root.board, window, 0, 0);
    let [no, yes] = walk.costs(&tree).map(Cost::expected);
    // A turned question asks whether the other side's score is above alpha: if it is not, the score
    // of the side to move is at least -alpha.
    let (least, no, yes) = if turned { (-alpha, yes, no) } else { (alpha + 1, no, yes) };
    Forecast { at_least: value_of(least, empties), asked, yes, no }
}

/// The numbers of nodes that settled positions took, as sums of natural logarithms.
#[derive(Clone, Copy, Debug, Default)]
struct Samples {
    count: f64,
    sum: f64,
    squares: f64,
}

/// The expected nodes of a subtree, and their variance.
#[derive(Clone, Copy, Debug)]
struct Cost {
    mean: f64,
    variance: f64,
}

impl Cost {
    const NOTHING: Self = Self { mean: 0.0, variance: 0.0 };
    const NEVER: Self = Self { mean: f64::INFINITY, variance: 0.0 };

    fn plus(self, other: Self) -> Self {
        Self { mean: self.mean + other.mean, variance: self.variance + other.variance }
    }

    fn cheaper(self, other: Self) -> Self {
        if other.mean < self.mean { other } else { self }
    }

    /// Converts the mean and the variance to a number and a factor, assuming a log-normal
    /// distribution.
    fn expected(self) -> Option<ExpectedNodes> {
        let relative = self.variance / (self.mean * self.mean);
        let factor = relative.ln_1p().sqrt().exp();
        (self.mean.is_finite() && self.mean > 0.0 && factor <= MAX_FACTOR)
            .then_some(ExpectedNodes { nodes: self.mean, factor: factor.max(MIN_FACTOR) })
    }
}

/// The question about one position: is its score above alpha?
#[derive(Clone, Copy, Debug)]
struct Window {
    empties: i32,
    alpha: Score,
    is_root_side: bool,
}

/// A position of the tree below the root, as far as the walk visits it.
enum Tree {
    /// A position with a known answer: true if its score is above alpha for the root's side.
    Settled(bool),
    /// A position that the search has not visited.
    Unvisited(Window),
    /// A position without a known answer, and its moves.
    Open(Window, Vec<Self>),
}

/// A walk of the tree below the root, guided by the transposition table.
struct TableWalk<'s, L: LayoutSource> {
    searcher: Searcher<'s, L>,
    /// Samples for each number of empties: of positions not above alpha for the root's side, and of
    /// positions above.
    samples: Vec<[Samples; 2]>,
    positions_left: u32,
}

impl<L: LayoutSource> TableWalk<'_, L> {
    /// Visits a position that the table does not settle. `unsettled` counts the successive plies
    /// above it without a settled position.
    fn visit(
        &mut self,
        board: &Board<L::Word>,
        window: Window,
        depth: u32,
        unsettled: u32,
    ) -> Tree {
        if depth == MAX_DEPTH || unsettled > MAX_UNSETTLED_PLIES || self.positions_left == 0 {
            return Tree::Unvisited(window);
        }
        self.positions_left -= 1;
        let l = self.searcher.layout.geometry();
        let mut trees = Vec::new();
        let mut open = Vec::new();
        let mut cells = board.safe_cells(l);
        while cells != Word::ZERO {
            let cell = cells.lowest();
            cells ^= cell;
            match board.play(l, cell).resolve(l, window.empties - 1) {
                Resolved::Decided(score) => {
                    trees.push(Tree::Settled((-score > window.alpha) == window.is_root_side));
                }
                Resolved::Quiet(after, forced) => {
                    let plies = forced + 1;
                    let empties = window.empties - plies as i32;
                    let below = match plies & 1 {
                        1 => Window {
                            empties,
                            alpha: -window.alpha - 1,
                            is_root_side: !window.is_root_side,
                        },
                        _ => Window { empties, ..window },
                    };
                    match self.settled(&after, below) {
                        Some(above) => trees.push(Tree::Settled(above)),
                        None => open.push((after, below)),
                    }
                }
            }
        }
        let unsettled = if trees.is_empty() { unsettled + 1 } else { 0 };
        trees.extend(open.iter().map(|(b, below)| self.visit(b, *below, depth + 1, unsettled)));
        let is_unvisited = trees.iter().all(|tree| matches!(tree, Tree::Unvisited(_)));
        if is_unvisited && depth > 0 { Tree::Unvisited(window) } else { Tree::Open(window, trees) }
    }

    /// Returns whether the score is above alpha for the root's side, if that is known without a
    /// search.
    fn settled(&mut self, board: &Board<L::Word>, window: Window) -> Option<bool> {
        let Window { empties, alpha, is_root_side } = window;
        let above = |is_above: bool| Some(is_above == is_root_side);
        if most_without_win_at_once(empties) <= alpha {
            return above(false);
        }
        if least_without_loss_at_once(empties) > alpha {
            return above(true);
        }
        let slot = self.searcher.slot(board, empties);
        if slot.is_some()
            && let Some((known, work)) = self.searcher.table.entry(slot)
            && known.decides(Interval { lower: alpha, upper: alpha + 1 })
        {
            let is_above = (known.lower > alpha) == is_root_side;
            // The middle of the numbers with this binary logarithm.
            let logarithm = (f64::from(work) + 0.5) * std::f64::consts::LN_2;
            let samples = &mut self.samples[empties as usize][usize::from(is_above)];
            samples.count += 1.0;
            samples.sum += logarithm;
            samples.squares += logarithm * logarithm;
            return Some(is_above);
        }
        self.searcher.static_bound_at_root(board, empties, alpha).and_then(|_| above(false))
    }

    /// Returns the expected cost of a proof that a position is not above alpha for the root's side,
    /// and of a proof that it is.
    fn costs(&self, tree: &Tree) -> [Cost; 2] {
        match tree {
            Tree::Settled(true) => [Cost::NEVER, Cost::NOTHING],
            Tree::Settled(false) => [Cost::NOTHING, Cost::NEVER],
            Tree::Unvisited(window) => [0, 1].map(|side| self.usual_cost(window.empties, side)),
            Tree::Open(window, trees) => {
                let below = trees.iter().map(|tree| self.costs(tree));
                // One move is enough for the side to move, the other side has to refute all moves.
                let own = usize::from(window.is_root_side);
                let mut costs = [Cost::NOTHING; 2];
                costs[own] = Cost::NEVER;
                below.fold(costs, |mut costs, move_costs| {
                    costs[own] = costs[own].cheaper(move_costs[own]);
                    costs[1 - own] = costs[1 - own].plus(move_costs[1 - own]);
                    costs
                })
            }
        }
    }

    /// Returns the usual cost of positions with this number of empties that were settled to a side,
    /// from samples of the nearest ply that has some.
    fn usual_cost(&self, empties: i32, side: usize) -> Cost {
        let known = |at: usize| self.samples[at][side].count > 0.0;
        let (least, most) = (empties - MAX_SAMPLE_DISTANCE, empties + MAX_SAMPLE_DISTANCE);
        let Some(nearest) = (least.max(0) as usize..=most as usize)
            .filter(|&at| at < self.samples.len() && known(at))
            .min_by_key(|&at| (at as i32 - empties).abs())
        else {
            return Cost::NEVER;
        };
        let Samples { count, sum, squares } = self.samples[nearest][side];
        let mean = sum / count;
        // A prior of one sample with a square of 2: a single sample has no spread of its own.
        let spread = (squares + 2.0) / (count + 1.0) - mean * mean * count / (count + 1.0);
        let plies = f64::from(empties - nearest as i32);
        let mean = mean + plies * USUAL_GROWTH.ln();
        let spread = spread.max(0.1) + (plies * USUAL_GROWTH.ln()).powi(2) / 4.0;
        let mean = (mean + spread / 2.0).exp();
        Cost { mean, variance: mean * mean * spread.exp_m1() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_too_uncertain_to_say_anything_is_none() {
        let expected = |variance| Cost { mean: 1e6, variance }.expected().map(|e| e.factor);
        assert_eq!(expected(0.0), Some(MIN_FACTOR));
        assert!(expected(1e16).is_some_and(|factor| 10.0 < factor && factor < MAX_FACTOR));
        assert_eq!(expected(1e30), None);
        assert!(Cost::NEVER.expected().is_none());
    }
}
