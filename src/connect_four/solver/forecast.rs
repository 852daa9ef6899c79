//! Forecasts: what the question that is asked now may still take.
//!
//! The tree below the root is walked as far as the table shows that the search has been there.
//! What is settled costs nothing more; what is not is expected to take as many nodes as positions
//! of its ply that were settled to the same side. Where one move is enough, the cheapest counts;
//! where all have to be refuted, their sum. That is done for both answers, since which it will be
//! is the question.

use std::sync::PoisonError;

use super::board::{Board, Resolved};
use super::driver::Interval;
use super::engine::Engine;
use super::layout::LayoutSource;
use super::question::Question;
use super::score::{Score, least_without_loss_at_once, most_without_win_at_once, value_of};
use super::search::Searcher;
use super::{Solver, SolverWord};
use crate::control::Control;
use crate::game::Value;
use crate::games::line::Bits;

/// Positions that are looked into at most.
const MOST_POSITIONS: u32 = 30_000;
/// Plies in a row without a settled position after which nobody is supposed to have been there.
const BARREN_PLIES: u32 = 2;
/// Plies that are looked at, from the root on.
const DEEPEST: u32 = 24;
/// How much more nodes a position takes with every ply nearer to the root, if nothing decides.
const USUAL_GROWTH: f64 = 2.0;
/// Positions of plies further away than this stand for nothing.
const NEAR: i32 = 4;
/// No estimate is surer than this.
const LEAST_FACTOR: f64 = 1.5;

/// The question a search is at, and what its answers may still take.
#[derive(Clone, Copy, Debug)]
pub struct Forecast {
    /// Whether the value of the root is at least this.
    pub at_least: Value,
    /// What is expected if it is so; `None` where nothing decides yet.
    pub yes: Option<ExpectedNodes>,
    /// What is expected if not.
    pub no: Option<ExpectedNodes>,
}

/// An expected number of nodes.
#[derive(Clone, Copy, Debug)]
pub struct ExpectedNodes {
    /// The nodes.
    pub nodes: f64,
    /// Two times in three the number lies between the nodes divided by this and times this.
    pub factor: f64,
}

impl<W: SolverWord> Solver<W> {
    /// Returns the question that is asked now, and what its answer may still take; `None` if
    /// nothing is asked, or nobody [counts](Self::count_work).
    #[must_use]
    pub fn forecast(&self) -> Option<Forecast> {
        self.engine.forecast()
    }
}

impl<L: LayoutSource> Engine<L> {
    /// See [`Solver::forecast`].
    pub fn forecast(&self) -> Option<Forecast> {
        let question = *self.question.lock().unwrap_or_else(PoisonError::into_inner);
        let Question { root, alpha, turned, empties } = question?;
        let control = Control::default();
        let mut walk = Walk {
            searcher: Searcher::new(self, &control, false),
            sizes: vec![[Sizes::default(); 2]; root.empties as usize + 1],
            left: MOST_POSITIONS,
        };
        let place = Place { empties: root.empties, alpha, is_root_side: true };
        let tree = walk.look_into(&root.board, place, 0, 0);
        let [no, yes] = walk.costs(&tree).map(Cost::expected);
        // The other side asks whether its score is above alpha: this one's is at least -alpha then
        // if it is not.
        let (least, no, yes) = if turned { (-alpha, yes, no) } else { (alpha + 1, no, yes) };
        Some(Forecast { at_least: value_of(least, empties), yes, no })
    }
}

/// Numbers of nodes that settled positions took, in natural logarithms.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    count: f64,
    sum: f64,
    squares: f64,
}

/// Nodes that are expected, and their variance.
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

    /// As a number and a factor, as if its logarithm were normally distributed.
    fn expected(self) -> Option<ExpectedNodes> {
        let relative = self.variance / (self.mean * self.mean);
        let factor = relative.ln_1p().sqrt().exp();
        (self.mean.is_finite() && self.mean > 0.0)
            .then_some(ExpectedNodes { nodes: self.mean, factor: factor.max(LEAST_FACTOR) })
    }
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug)]
struct Place {
    empties: i32,
    /// In the window above this.
    alpha: Score,
    /// Whether the root's side is to move.
    is_root_side: bool,
}

/// What a position is, as far as it was looked into.
enum Tree {
    /// Its score is above alpha for the root's side, or it is not.
    Settled(bool),
    /// Nobody has been there.
    Untouched(Place),
    /// Its moves.
    Open(Place, Vec<Self>),
}

struct Walk<'s, L: LayoutSource> {
    searcher: Searcher<'s, L>,
    /// By empties; of those not above alpha for the root's side, and of those above.
    sizes: Vec<[Sizes; 2]>,
    left: u32,
}

impl<L: LayoutSource> Walk<'_, L> {
    /// Looks into a position that the table does not settle. `barren` counts the plies above it
    /// without one that is settled.
    fn look_into(&mut self, board: &Board<L::Word>, place: Place, depth: u32, barren: u32) -> Tree {
        if depth == DEEPEST || barren > BARREN_PLIES || self.left == 0 {
            return Tree::Untouched(place);
        }
        self.left -= 1;
        let l = self.searcher.layout.geometry();
        let mut trees = Vec::new();
        let mut open = Vec::new();
        let mut cells = board.safe_cells(l);
        while cells != Bits::ZERO {
            let cell = cells.lowest();
            cells ^= cell;
            match board.play(l, cell).resolve(l, place.empties - 1) {
                Resolved::Decided(score) => {
                    trees.push(Tree::Settled((-score > place.alpha) == place.is_root_side));
                }
                Resolved::Quiet(after, forced) => {
                    let turns = forced + 1;
                    let empties = place.empties - turns as i32;
                    let below = match turns & 1 {
                        1 => Place {
                            empties,
                            alpha: -place.alpha - 1,
                            is_root_side: !place.is_root_side,
                        },
                        _ => Place { empties, ..place },
                    };
                    match self.settled(&after, below) {
                        Some(above) => trees.push(Tree::Settled(above)),
                        None => open.push((after, below)),
                    }
                }
            }
        }
        let barren = if trees.is_empty() { barren + 1 } else { 0 };
        trees.extend(open.iter().map(|(b, below)| self.look_into(b, *below, depth + 1, barren)));
        let is_untouched = trees.iter().all(|tree| matches!(tree, Tree::Untouched(_)));
        if is_untouched && depth > 0 { Tree::Untouched(place) } else { Tree::Open(place, trees) }
    }

    /// Returns whether the score is above alpha for the root's side, if that is known without a
    /// search.
    fn settled(&mut self, board: &Board<L::Word>, place: Place) -> Option<bool> {
        let Place { empties, alpha, is_root_side } = place;
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
            // The middle of the numbers with this logarithm.
            let size = (f64::from(work) + 0.5) * std::f64::consts::LN_2;
            let sizes = &mut self.sizes[empties as usize][usize::from(is_above)];
            sizes.count += 1.0;
            sizes.sum += size;
            sizes.squares += size * size;
            return Some(is_above);
        }
        self.searcher.static_bound_at_root(board, empties, alpha).and_then(|_| above(false))
    }

    /// What it takes to show that a position is not above alpha for the root's side, and that it
    /// is.
    fn costs(&self, tree: &Tree) -> [Cost; 2] {
        match tree {
            Tree::Settled(true) => [Cost::NEVER, Cost::NOTHING],
            Tree::Settled(false) => [Cost::NOTHING, Cost::NEVER],
            Tree::Untouched(place) => [0, 1].map(|side| self.usual_cost(place.empties, side)),
            Tree::Open(place, trees) => {
                let below = trees.iter().map(|tree| self.costs(tree));
                // One move is enough for the side to move, the other one has to refute all.
                let own = usize::from(place.is_root_side);
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

    /// What positions of so many empties take that were settled to a side; those of other plies
    /// stand for them if there are none.
    fn usual_cost(&self, empties: i32, side: usize) -> Cost {
        let known = |at: usize| self.sizes[at][side].count > 0.0;
        let near = (empties - NEAR).max(0) as usize..=(empties + NEAR) as usize;
        let Some(nearest) = near
            .filter(|&at| at < self.sizes.len() && known(at))
            .min_by_key(|&at| (at as i32 - empties).abs())
        else {
            return Cost::NEVER;
        };
        let Sizes { count, sum, squares } = self.sizes[nearest][side];
        let mean = sum / count;
        // A single one decides little of how they differ.
        let spread = (squares + 2.0) / (count + 1.0) - mean * mean * count / (count + 1.0);
        let plies = f64::from(empties - nearest as i32);
        let mean = mean + plies * USUAL_GROWTH.ln();
        let spread = spread.max(0.1) + (plies * USUAL_GROWTH.ln()).powi(2) / 4.0;
        let mean = (mean + spread / 2.0).exp();
        Cost { mean, variance: mean * mean * spread.exp_m1() }
    }
}
