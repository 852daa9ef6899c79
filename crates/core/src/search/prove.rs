//! Values by search to the end of the game, without visiting all positions.
//!
//! First the search deepens, which finds short wins and losses. Then null windows over the whole game
//! prove the outcome, and further ones narrow the bounds of the distance or the points. The table is
//! all the memory they need.

use super::RootScores;
use super::deepening::{check_fit, search_any};
use super::evaluation::Evaluation;
use super::points::Points;
use super::positions::{Branch, GamePositions, Level, Positions, Searchable, State};
use super::principal::Worker;
use super::settings::{MoveOrder, Settings};
use super::table::{MOST_DEPTH, SharedTable, TO_END, TO_POINTS};
use super::team::{Common, Team};
use crate::control::{Control, Stopped};
use crate::game::{MoveSet, Outcome, PartialValue, Remoteness, Value, ValueBounds};
use crate::statistics::{SearchCounters, ThreadWork};

/// The aim of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The better outcome; then the winner hurries, and the loser delays.
    Value,
    /// The better outcome, whenever it comes.
    Outcome,
    /// More points at the end, in a game that counts them.
    Points,
}

/// The score of a game's end for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndScore {
    pub outcome: Outcome,
    /// The plies to a win or a loss; of a lower bound, the most plies of a win or the least of a loss,
    /// of an upper bound the reverse.
    pub plies: Option<u32>,
    /// The points by which the side to move wins.
    pub points: Option<i32>,
}

impl EndScore {
    fn of(aim: Aim, score: Points) -> Self {
        let outcome = Outcome::from_sign(score.0.signum().into()).expect("a sign");
        let points = (aim == Aim::Points).then_some(score.0);
        Self { outcome, plies: score.plies_to_end(), points }
    }

    /// Returns the value, without a distance that does not fit a remoteness.
    pub fn value(self) -> PartialValue {
        let remoteness = self.plies.and_then(|plies| u8::try_from(plies).ok()).map(Remoteness);
        PartialValue { outcome: self.outcome, remoteness }
    }
}

/// The bounds of a position's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndBounds {
    pub aim: Aim,
    low: Points,
    high: Points,
}

impl EndBounds {
    const fn new(aim: Aim) -> Self {
        Self { aim, low: Points(-Points::INFINITY.0), high: Points::INFINITY }
    }

    /// Returns the score that the side to move is certain of; `None` if nothing is known.
    pub fn worst(self) -> Option<EndScore> {
        (self.low > -Points::INFINITY).then(|| EndScore::of(self.aim, self.low))
    }

    /// Returns the score that the side to move cannot exceed; `None` if nothing is known.
    pub fn best(self) -> Option<EndScore> {
        (self.high < Points::INFINITY).then(|| EndScore::of(self.aim, self.high))
    }

    /// Returns the score, once it is proved.
    pub fn proved(self) -> Option<EndScore> {
        let is_proved = match self.aim {
            Aim::Outcome => self.low.0.signum() == self.high.0.signum(),
            Aim::Value | Aim::Points => self.low == self.high,
        };
        let score = EndScore::of(self.aim, self.low);
        let plies = score.plies.filter(|_| self.aim == Aim::Value);
        is_proved.then_some(EndScore { plies, ..score })
    }

    /// Returns the bounds as values, if both are known and the aim is a value; a draw takes `drawn`
    /// plies. Plies that do not fit a remoteness widen the bounds.
    pub fn of_values(self, drawn: Remoteness) -> Option<ValueBounds> {
        let value = |score: EndScore, least: Outcome| {
            let plies = score.plies.unwrap_or(u32::from(drawn.0));
            let remoteness = Remoteness(u8::try_from(plies).unwrap_or(u8::MAX));
            match plies {
                // A far end counts as a nearer one if that widens the bound, else as a draw.
                256.. if score.outcome == least => Value::new(score.outcome, remoteness),
                256.. => Value::new(Outcome::Draw, drawn),
                _ => Value::new(score.outcome, remoteness),
            }
        };
        if self.aim != Aim::Value {
            return None;
        }
        Some(ValueBounds {
            worst: value(self.worst()?, Outcome::Loss),
            best: value(self.best()?, Outcome::Win),
        })
    }

    /// Returns true if the outcome is proved.
    const fn is_decided(self) -> bool {
        self.low.0 > 0 || self.high.0 < 0 || (self.low.0 == 0 && self.high.0 == 0)
    }

    /// Takes the result of a test whether the score reaches a bound.
    fn take(&mut self, bound: Points, score: Points) {
        if score >= bound {
            self.low = self.low.max(score);
        } else {
            self.high = self.high.min(score);
        }
    }

    /// Returns the next bound to test: outcomes first, then the middle; for points, the next beyond
    /// the last result, since a test mostly finds the points of best play.
    fn next(self, last: Points) -> Option<Points> {
        if self.proved().is_some() {
            return None;
        }
        let (low, high) = (self.low, self.high);
        if low < Points(1) && high >= Points(1) {
            return Some(Points(1));
        }
        if low < Points::ZERO && high >= Points::ZERO {
            return Some(Points::ZERO);
        }
        Some(match self.aim {
            Aim::Points if last == high => high,
            Aim::Points => Points(low.0 + 1),
            _ => Points(low.0 + (high.0 - low.0 + 1) / 2),
        })
    }
}

/// The result of a proof, for the side to move at the root.
#[derive(Clone, Debug)]
pub struct Proof {
    pub bounds: EndBounds,
    /// The moves that attain the proved score: all, or one with [`RootScores::OneBest`], as bits. Empty
    /// before the score is proved.
    pub best: MoveSet,
    /// The bits of the moves, with bounds of their scores for the side that makes them; empty
    /// without [`RootScores::All`].
    pub moves: Vec<(u32, EndBounds)>,
    pub counters: SearchCounters,
    pub threads: Vec<ThreadWork>,
    pub stopped: bool,
}

/// Nodes of the first test of the whole game. A test that needs more is put off while the search deepens,
/// and the limit doubles.
const FIRST_TEST: u64 = 1 << 21;
/// The node limit of a test divided by the node limit of the deepening after it.
const DEEPENING_PART: u64 = 4;
/// Nodes of the searches to a depth before the first test.
const SHALLOW: u64 = 20_000;

/// Proves the score of a position at the end of the game, unless the control stops it.
///
/// `on_bounds` gets the bounds of the root whenever they become narrower. The threads are those of
/// the rayon pool. A proved score depends on neither the threads nor the contents of the table.
///
/// # Panics
/// If the table has keys of too few bits, or a position may have more than 128 moves, like
/// [`search`](super::search()).
pub fn prove<G: Searchable>(
    game: &G,
    root: G::Position,
    (aim, scores): (Aim, RootScores),
    table: &SharedTable,
    control: &Control,
    on_bounds: &mut dyn FnMut(&EndBounds),
) -> Proof {
    check_fit(game, Some(table));
    control.start(0);
    prove_any(&mut GamePositions::new(game, root), (aim, scores), (table, control), on_bounds)
}

fn prove_any(
    positions: &mut dyn Positions,
    (aim, scores): (Aim, RootScores),
    (table, control): (&SharedTable, &Control),
    on_bounds: &mut dyn FnMut(&EndBounds),
) -> Proof {
    let order = positions.enter(0, MoveOrder::Natural);
    let moves = positions.enter(0, MoveOrder::Best);
    let common = Common::new(1);
    let team = Team::new(&common, &|| {
        Worker::new(positions.copy(), State::new(Some(table), Evaluation::None, control))
    });
    let mut prover = Prover {
        left: positions.facts(0, Evaluation::None).left,
        positions,
        moves: &moves,
        shared: (Some(table), control),
        team,
        depth: 0,
        last_nodes: 0,
        deepening: SearchCounters::default(),
        bounds: EndBounds::new(aim),
    };
    let (mut best, mut tried) = (MoveSet::EMPTY, Vec::new());
    let done = prover.prove_moves(scores, (&mut best, &mut tried), on_bounds);
    if done.is_ok() {
        tried.sort_by_key(|(bit, _)| order.iter().position(|b| u32::from(b.m.0) == *bit));
    }
    Proof {
        bounds: prover.bounds,
        best,
        moves: tried,
        counters: [prover.deepening, prover.team.counters()].into_iter().sum(),
        threads: prover.team.into_work(),
        stopped: done.is_err(),
    }
}

/// The state of a proof for any game. The root has place 0 in the team; its children follow.
struct Prover<'a> {
    positions: &'a mut dyn Positions,
    shared: (Option<&'a SharedTable>, &'a Control),
    /// The moves of the root, the most promising first; none if the game is over.
    moves: &'a [Branch],
    /// A number of plies within which the game ends.
    left: u32,
    team: Team<'a>,
    /// The depth of the last search to a depth, and its nodes.
    depth: u32,
    last_nodes: u64,
    deepening: SearchCounters,
    bounds: EndBounds,
}

impl Prover<'_> {
    fn prove_moves(
        &mut self,
        scores: RootScores,
        (best, tried): (&mut MoveSet, &mut Vec<(u32, EndBounds)>),
        on_bounds: &mut dyn FnMut(&EndBounds),
    ) -> Result<(), Stopped> {
        self.deepen(SHALLOW, on_bounds)?;
        self.narrow_root(on_bounds)?;
        let bounds = self.bounds;
        let target = match bounds.aim {
            // Any win is as good as another, and so is any loss.
            Aim::Outcome => match bounds.low.0.signum() {
                1 => Points(1),
                0 => Points::ZERO,
                _ => -Points::INFINITY,
            },
            Aim::Value | Aim::Points => bounds.low,
        };
        for &Branch { m, keeps_turn, next, .. } in self.moves {
            if scores == RootScores::OneBest && !best.is_empty() {
                break;
            }
            let mut move_bounds = EndBounds::new(bounds.aim);
            if scores == RootScores::All {
                move_bounds.high = bounds.high;
                let done = self.narrow_move(&mut move_bounds, (next, keeps_turn));
                tried.push((m.0.into(), move_bounds));
                done?;
            } else if target == -Points::INFINITY {
                move_bounds.low = target;
            } else {
                move_bounds.take(target, self.test_move((next, keeps_turn), target)?);
            }
            if move_bounds.low >= target {
                *best = best.with(m);
            }
        }
        Ok(())
    }

    const fn level(&self) -> Level {
        let is_points = matches!(self.bounds.aim, Aim::Points);
        Level { depth: if is_points { TO_POINTS } else { TO_END }, from_root: 0, turn: false }
    }

    /// Searches to one depth after another while the next probably takes no more than `nodes`.
    fn deepen(
        &mut self,
        mut nodes: u64,
        on_bounds: &mut dyn FnMut(&EndBounds),
    ) -> Result<(), Stopped> {
        /// The usual growth of the nodes of a search from one depth to the next.
        const GROWTH: u64 = 3;
        if self.bounds.aim == Aim::Points || self.moves.is_empty() {
            return Ok(());
        }
        while self.depth < self.left.min(MOST_DEPTH) && GROWTH * self.last_nodes <= nodes {
            if self.bounds.is_decided() {
                return Ok(());
            }
            let depth = self.depth + 1;
            // With the evaluation, since the table may serve other searches to a depth.
            let settings = Settings {
                root_scores: RootScores::OneBest,
                split_after: if self.last_nodes > Settings::SPLIT_AFTER { 0 } else { u64::MAX },
                deepening: false,
                principal_variation: false,
                ..Settings::to_depth(depth)
            };
            let report = search_any(self.positions, &settings, self.shared, &mut |_| ());
            self.last_nodes = report.counters().nodes;
            self.deepening = [self.deepening, report.counters()].into_iter().sum();
            if report.stopped {
                return Err(Stopped);
            }
            nodes = nodes.saturating_sub(self.last_nodes);
            self.depth = depth;
            let (low, high) = match report.points {
                points if points.is_decided() || depth == self.left => (points, points),
                // Neither side wins within these plies.
                _ => (Points::lost_at(depth + 1), -Points::lost_at(depth + 1)),
            };
            let bounds = &mut self.bounds;
            (bounds.low, bounds.high) = (bounds.low.max(low), bounds.high.min(high));
            on_bounds(bounds);
        }
        Ok(())
    }

    /// Narrows the bounds of the root until its score is proved.
    fn narrow_root(&mut self, on_bounds: &mut dyn FnMut(&EndBounds)) -> Result<(), Stopped> {
        let (mut last, mut nodes) = (Points::ZERO, FIRST_TEST);
        while let Some(bound) = self.bounds.next(last) {
            match self.team.test(0, self.level(), bound, nodes)? {
                Some(score) => {
                    last = score;
                    self.bounds.take(bound, score);
                    on_bounds(&self.bounds);
                }
                // The table keeps the results of the test.
                None => {
                    self.deepen(nodes / DEEPENING_PART, on_bounds)?;
                    nodes *= 2;
                }
            }
        }
        Ok(())
    }

    /// Narrows the bounds of a move until its score is proved.
    fn narrow_move(&mut self, bounds: &mut EndBounds, at: (u32, bool)) -> Result<(), Stopped> {
        let mut last = Points::ZERO;
        while let Some(bound) = bounds.next(last) {
            last = self.test_move(at, bound)?;
            bounds.take(bound, last);
        }
        Ok(())
    }

    /// Tests whether a move of the root reaches a bound: the other side's score must not exceed its
    /// negative.
    fn test_move(
        &mut self,
        (place, keeps_turn): (u32, bool),
        bound: Points,
    ) -> Result<Points, Stopped> {
        let level = self.level().below(keeps_turn);
        let below = if keeps_turn { bound } else { Points(1 - bound.0) };
        let score = self.team.test(place, level, below, u64::MAX)?.expect("no limit of nodes");
        Ok(if keeps_turn { score } else { -score })
    }
}
