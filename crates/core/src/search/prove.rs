//! Values by search to the end of the game, without visiting all positions.
//!
//! First the search deepens, which finds short wins and losses. Then null windows over the whole game
//! prove the outcome, and further ones narrow the distance or the points between the bounds that are
//! known. Memory is that of the table.

use super::RootScores;
use super::alpha_beta::Searchable;
use super::deepening::{Settings, search};
use super::evaluation::Evaluation;
use super::points::Points;
use super::principal::{Level, Worker};
use super::table::{SharedTable, TO_END, TO_POINTS};
use super::team::{Common, Team};
use crate::control::{Control, Stopped};
use crate::game::{MoveSet, Outcome, PartialValue, Remoteness, branches};
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
    /// The plies to a win or a loss.
    pub plies: Option<u32>,
    /// The points by which the side to move wins.
    pub points: Option<i32>,
}

impl EndScore {
    fn of(aim: Aim, score: Points) -> Self {
        let outcome = Outcome::from_sign(score.0.signum().into()).expect("a sign");
        let points = (aim == Aim::Points).then_some(score.0);
        Self { outcome, plies: score.plies_to_end().filter(|_| aim == Aim::Value), points }
    }

    /// The value, without a distance that a value has no room for.
    pub fn value(self) -> PartialValue {
        let remoteness = self.plies.and_then(|plies| u8::try_from(plies).ok()).map(Remoteness);
        PartialValue { outcome: self.outcome, remoteness }
    }
}

/// The bounds of a position's score; equal once it is proved.
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

    /// The score that the side to move is certain of; `None` if nothing is known.
    pub fn worst(self) -> Option<EndScore> {
        (self.low > -Points::INFINITY).then(|| EndScore::of(self.aim, self.low))
    }

    /// The score that the side to move cannot exceed; `None` if nothing is known.
    pub fn best(self) -> Option<EndScore> {
        (self.high < Points::INFINITY).then(|| EndScore::of(self.aim, self.high))
    }

    /// The score, once it is proved.
    pub fn proved(self) -> Option<EndScore> {
        let is_proved = match self.aim {
            Aim::Outcome => self.low.0.signum() == self.high.0.signum(),
            Aim::Value | Aim::Points => self.low == self.high,
        };
        is_proved.then(|| EndScore::of(self.aim, self.low))
    }

    /// Takes the result of a test whether the score reaches a bound.
    fn take(&mut self, bound: Points, score: Points) {
        if score >= bound {
            self.low = self.low.max(score);
        } else {
            self.high = self.high.min(score);
        }
    }

    /// The next bound to test: outcomes first, then the middle, or for points the next beyond the last
    /// result, since points that a test finds are mostly those of best play.
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
    /// The bits of the moves with what is known of their scores for the side that makes them; empty
    /// unless they were asked for ([`RootScores::All`]).
    pub moves: Vec<(u32, EndBounds)>,
    pub counters: SearchCounters,
    pub threads: Vec<ThreadWork>,
    pub stopped: bool,
}

/// Nodes of a search to a depth after which the proof searches to the end.
const SHALLOW: u64 = 20_000;

/// Proves the score of a position at the end of the game, as far as the control lets it.
///
/// `on_bounds` gets the bounds of the root whenever they become narrower. The rayon pool gives the
/// threads. Results do not depend on the threads or on the contents of the table.
///
/// # Panics
/// If the table was made for keys of fewer bits than those of the game, if a position may have more than
/// 64 moves, or if the aim is points in a game that counts none.
pub fn prove<G: Searchable>(
    game: &G,
    root: G::Position,
    (aim, scores): (Aim, RootScores),
    table: &SharedTable,
    control: &Control,
    on_bounds: &mut dyn FnMut(&EndBounds),
) -> Proof {
    assert!(game.most_moves() <= 64, "sets of moves hold 64");
    assert!(table.serves(game), "make the table for {} bits of key", game.key_bits());
    let mut proof = Proof {
        bounds: EndBounds::new(aim),
        best: MoveSet::EMPTY,
        moves: Vec::new(),
        counters: SearchCounters::default(),
        threads: Vec::new(),
        stopped: false,
    };
    control.start(0);
    if aim != Aim::Points && game.result(root).is_none() {
        deepen(game, root, table, control, &mut proof, on_bounds);
    }
    let common = Common::new(1);
    let worker = || Worker::new(game, Some(table), Evaluation::None, control);
    let mut team = Team::new(&common, &[], &worker);
    let done = finish(game, root, scores, &mut team, &mut proof, on_bounds);
    proof.stopped = done.is_err();
    proof.counters = [proof.counters, team.counters()].into_iter().sum();
    proof.threads = team.into_work();
    proof
}

/// Searches deeper and deeper while that takes little time.
fn deepen<G: Searchable>(
    game: &G,
    root: G::Position,
    table: &SharedTable,
    control: &Control,
    proof: &mut Proof,
    on_bounds: &mut dyn FnMut(&EndBounds),
) {
    for depth in 1..=game.plies_left(root) {
        let settings = Settings {
            evaluation: Evaluation::None,
            root_scores: RootScores::OneBest,
            split_after: u64::MAX,
            deepening: false,
            principal_variation: false,
            ..Settings::to_depth(depth)
        };
        let report = search(game, root, &settings, Some(table), control, &mut |_| ());
        proof.counters = [proof.counters, report.counters()].into_iter().sum();
        if report.stopped || report.depth < depth {
            return;
        }
        let bounds = &mut proof.bounds;
        match report.points() {
            points if points.is_decided() => (bounds.low, bounds.high) = (points, points),
            // No end within these plies but by a draw.
            _ => {
                (bounds.low, bounds.high) =
                    (Points::lost_at(depth + 1), -Points::lost_at(depth + 1))
            }
        }
        on_bounds(bounds);
        if bounds.proved().is_some() || report.counters().nodes > SHALLOW {
            return;
        }
    }
}

/// Proves what is asked for by searches to the end.
fn finish<G: Searchable>(
    game: &G,
    root: G::Position,
    scores: RootScores,
    team: &mut Team<'_, G>,
    proof: &mut Proof,
    on_bounds: &mut dyn FnMut(&EndBounds),
) -> Result<(), Stopped> {
    let depth = if proof.bounds.aim == Aim::Points { TO_POINTS } else { TO_END };
    let level = Level { depth, from_root: 0, turn: false };
    narrow(&mut proof.bounds, on_bounds, &mut |bound| team.test(root, level, bound))?;
    if game.result(root).is_some() {
        return Ok(());
    }
    let target = match proof.bounds.aim {
        // Any win is as good as another, and so is any loss.
        Aim::Outcome => match proof.bounds.low.0.signum() {
            1 => Points(1),
            0 => Points::ZERO,
            _ => -Points::INFINITY,
        },
        Aim::Value | Aim::Points => proof.bounds.low,
    };
    let moves: Vec<_> = branches(game, root).map(|(bit, m, ..)| (bit, m)).collect();
    for (bit, m) in game.in_order(root) {
        if scores == RootScores::OneBest && !proof.best.is_empty() {
            break;
        }
        let (next, keeps_turn) = (game.play(root, m), game.keeps_turn(root, m));
        let level = level.below(keeps_turn);
        // The score of the move reaches a bound if the other side's does not exceed its negative.
        let mut test = |bound: Points| match keeps_turn {
            true => team.test(next, level, bound),
            false => Ok(-team.test(next, level, Points(1 - bound.0))?),
        };
        let mut bounds = EndBounds::new(proof.bounds.aim);
        if scores == RootScores::All {
            bounds.high = proof.bounds.high;
            let done = narrow(&mut bounds, &mut |_| (), &mut test);
            proof.moves.push((bit, bounds));
            done?;
        } else {
            let score = if target == -Points::INFINITY { target } else { test(target)? };
            bounds.take(target, score);
        }
        if bounds.low >= target {
            proof.best = proof.best.with(crate::game::Move(bit as u8));
        }
    }
    proof.moves.sort_by_key(|(bit, _)| moves.iter().position(|(other, _)| other == bit));
    Ok(())
}

/// Tests bounds until a score is proved.
fn narrow(
    bounds: &mut EndBounds,
    on_bounds: &mut dyn FnMut(&EndBounds),
    test: &mut dyn FnMut(Points) -> Result<Points, Stopped>,
) -> Result<(), Stopped> {
    let mut last = Points::ZERO;
    while let Some(bound) = bounds.next(last) {
        last = test(bound)?;
        bounds.take(bound, last);
        on_bounds(bounds);
    }
    Ok(())
}
