//! Bounds of moves by a plain search over shown positions: for games without an engine, and without
//! an end that a search to a depth could reach.

use rustc_hash::FxHashMap;

use super::engine::{Step, ends_after};
use super::position::{Position, Successor};
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Key, Outcome, Remoteness, Value};

/// Positions that are remembered; more than fit a minute of this search would take.
const MOST: usize = 1 << 20;
/// Positions between two looks at the control.
const LOOK: u64 = 1 << 6;

/// A search for wins within a number of plies.
struct Ahead<'a> {
    game: &'a dyn Position,
    control: &'a Control,
    /// By position and plies the outcomes that were proved: the least and the most.
    known: FxHashMap<(Key, u8), (i8, i8)>,
    nodes: u64,
}

impl Ahead<'_> {
    /// 1 if the side to move wins within some plies, -1 if it loses within them, else 0: at most
    /// `low` or at least `high` where the value lies beyond those.
    fn value(&mut self, key: Key, plies: u8, mut low: i8, mut high: i8) -> Result<i8, Stopped> {
        if plies == 0 {
            return Ok(0);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) {
            self.control.check()?;
        }
        let (least, most) = self.known.get(&(key, plies)).copied().unwrap_or((-1, 1));
        (low, high) = (low.max(least), high.min(most));
        if low >= high {
            return Ok(low.min(most).max(least));
        }
        let study = self.game.of_key(key).ok_or(Stopped)?;
        let mut moves = study.successors();
        // What ends the game comes first.
        moves.sort_by_key(|m| m.result.is_none());
        let mut best = -1;
        for m in moves {
            let reached = best.max(low);
            best = best.max(self.after(&m, plies, reached, high)?);
            if best >= high {
                break;
            }
        }
        let proved = match (best <= low, best >= high) {
            (true, true) => (best, best),
            (true, false) => (least, best.min(most)),
            (false, true) => (best.max(least), most),
            (false, false) => (best, best),
        };
        if self.known.len() < MOST {
            self.known.insert((key, plies), proved);
        }
        Ok(best)
    }

    /// The same of a move, for the side that makes it.
    fn after(&mut self, m: &Successor, plies: u8, low: i8, high: i8) -> Result<i8, Stopped> {
        let below = match (m.result, m.canonical) {
            (Some(outcome), _) => outcome.sign(),
            // Positions without keys are not searched.
            (None, None) => return Err(Stopped),
            (None, Some(key)) if m.keeps_turn => return self.value(key, plies - 1, low, high),
            (None, Some(key)) => self.value(key, plies - 1, -high, -low)?,
        };
        Ok(if m.keeps_turn { below } else { -below })
    }
}

/// Searches all moves of a position, deeper and deeper, until all are decided, one wins, or the control
/// stops it.
pub(super) fn look_ahead(study: &dyn Position, control: &Control, see: &mut dyn FnMut(Step)) {
    let mut ahead = Ahead { game: study, control, known: FxHashMap::default(), nodes: 0 };
    let mut open = study.successors();
    for plies in 1..u8::MAX {
        let mut still = Vec::new();
        let mut is_won = false;
        for m in open {
            let Ok(value) = ahead.after(&m, plies, -1, 1) else { return };
            match Outcome::from_sign(value.into()) {
                // A draw within these plies is one by the rules.
                Some(Outcome::Draw) if m.result.is_none() => {
                    see(Step::Bounds(m.bit, ends_after(plies.into())));
                    still.push(m);
                }
                Some(outcome) => {
                    is_won |= outcome == Outcome::Win;
                    see(Step::Move(m.bit, Value::new(outcome, Remoteness(plies)).into()));
                }
                None => {}
            }
        }
        see(Step::Depth(plies.into()));
        if is_won || still.is_empty() || control.is_stopped() {
            return;
        }
        open = still;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solutions::tests::start;

    #[test]
    fn what_it_proves_is_what_the_solution_of_a_game_says() {
        for (name, moves) in [
            ("ttt", "1"),
            ("nim", ""),
            ("hexapawn", ""),
            ("dots", "1,2"),
            ("pong", ""),
            ("morris", ""),
            ("morris", "a1,b2,c1"),
        ] {
            let start = start(name, &[]);
            let study = start.after_line(moves).unwrap();
            let control = Control::default();
            let solved = start.solve(1 << 20, &control).unwrap();
            let (mut values, mut depth) = (Vec::new(), 0);
            look_ahead(study.as_ref(), &control, &mut |step| match step {
                Step::Move(bit, value) => values.push((bit, value)),
                Step::Bounds(..) => {}
                Step::Depth(plies) => {
                    depth = plies;
                    if plies == 12 {
                        control.stop();
                    }
                }
            });
            let is_won = values.iter().any(|(_, value)| value.outcome == Outcome::Win);
            assert!(is_won || depth == 12 || values.len() == study.branches().len(), "{name}");
            for branch in study.branches() {
                let worth = solved.worth_of(branch.to.canonical().unwrap().0).unwrap();
                let worth = worth.one_ply_earlier(branch.keeps_turn);
                let plies = worth.remoteness.map_or(u32::MAX, |r| r.0.into());
                let found = values.iter().find(|(bit, _)| *bit == branch.bit);
                if worth.outcome != Outcome::Draw && plies <= depth {
                    assert_eq!(found.unwrap().1, worth, "{name} {moves}: {}", branch.text);
                } else if let Some((_, found)) = found {
                    assert_eq!(found.outcome, worth.outcome, "{name} {moves}: {}", branch.text);
                }
            }
        }
    }
}
