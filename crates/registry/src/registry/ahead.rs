//! Values and bounds of all moves of a position, by iterative deepening.

use rustc_hash::FxHashMap;

use super::position::{Position, Successor};
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Key, Outcome, PartialValue, Remoteness, Value, ValueBounds};
use everyply_core::search::{Report, RootScores, Settings, SharedTable};

/// An intermediate result of [`look_ahead`], for the side that makes the move.
#[derive(Clone, Copy, Debug)]
pub enum Finding<V = PartialValue> {
    /// The value of the move with this bit.
    Move(u32, V),
    /// Bounds of the value of the move with this bit.
    Bounds(u32, ValueBounds),
    /// All moves were searched to this number of plies.
    Depth(u32),
}

/// Returns the bounds of a move that is undecided within some plies.
fn ends_after(plies: u32) -> ValueBounds {
    // A value holds no more plies than a byte.
    let later = Remoteness(u8::try_from(plies + 1).unwrap_or(u8::MAX));
    ValueBounds { worst: Value::new(Outcome::Loss, later), best: Value::new(Outcome::Win, later) }
}

/// Searches all moves by iterative deepening, until one wins, all are decided, or the control stops
/// it: with alpha-beta if play ends, else with minimax.
pub fn look_ahead(
    position: &dyn Position,
    table: &SharedTable,
    control: &Control,
    see: &mut dyn FnMut(Finding),
) {
    let Some(left) = position.plies_left() else {
        return look_ahead_in_endless_play(position, control, see);
    };
    let mut split_after = u64::MAX;
    for depth in 1..=left {
        let settings = Settings {
            root_scores: RootScores::All,
            principal_variation: false,
            deepening: false,
            split_after,
            ..Settings::to_depth(depth)
        };
        let report = position.search(&settings, Some(table), control);
        let is_whole = |report: &Report| !report.stopped && report.depth == depth;
        let Some(report) = report.filter(is_whole) else { return };
        if report.counters().nodes >= Settings::SPLIT_AFTER {
            split_after = 0;
        }
        for row in &report.root_moves {
            match row.value.filter(|value| value.is_exact()) {
                Some(value) => see(Finding::Move(row.m.0.into(), value)),
                None if depth < left => see(Finding::Bounds(row.m.0.into(), ends_after(depth))),
                None => {}
            }
        }
        see(Finding::Depth(depth));
        if report.value.is_some_and(|value| value.outcome != Outcome::Draw) {
            return;
        }
    }
}

/// The most positions cached: a minute of this search visits fewer.
const MOST: usize = 1 << 20;
/// Positions between two checks of the control.
const PER_CHECK: u64 = 1 << 6;

/// Minimax for wins within a number of plies, for games whose play may be endless.
struct Minimax<'a> {
    game: &'a dyn Position,
    control: &'a Control,
    /// Outcomes by position and plies.
    outcomes: FxHashMap<(Key, u8), i64>,
    nodes: u64,
}

impl Minimax<'_> {
    /// Returns 1 if the side to move wins within some plies, -1 if it loses within them, else 0.
    fn outcome(&mut self, key: Key, plies: u8) -> Result<i64, Stopped> {
        if plies == 0 {
            return Ok(0);
        }
        if let Some(outcome) = self.outcomes.get(&(key, plies)) {
            return Ok(*outcome);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(PER_CHECK) {
            self.control.check()?;
        }
        let moves = self.game.of_key(key).ok_or(Stopped)?.successors();
        let mut best = -1;
        // Moves that end the game come first.
        for ends in [true, false] {
            for m in &moves {
                if best < 1 && m.result.is_some() == ends {
                    best = best.max(self.after(m, plies)?);
                }
            }
        }
        if self.outcomes.len() < MOST {
            self.outcomes.insert((key, plies), best);
        }
        Ok(best)
    }

    /// Returns the [outcome](Self::outcome) of a move, for the side that makes it.
    fn after(&mut self, m: &Successor, plies: u8) -> Result<i64, Stopped> {
        let score = match m.result {
            Some(outcome) => outcome.sign().into(),
            // Positions without keys are not searched.
            None => self.outcome(m.canonical.ok_or(Stopped)?, plies - 1)?,
        };
        Ok(if m.keeps_turn { score } else { -score })
    }
}

/// Searches all moves of a game whose play may be endless, until all are decided, one wins, or the
/// control stops it.
fn look_ahead_in_endless_play(
    position: &dyn Position,
    control: &Control,
    see: &mut dyn FnMut(Finding),
) {
    let mut search = Minimax { game: position, control, outcomes: FxHashMap::default(), nodes: 0 };
    let mut open = position.successors();
    for plies in 1..u8::MAX {
        let mut undecided = Vec::new();
        let mut is_won = false;
        for m in open {
            let Ok(outcome) = search.after(&m, plies) else { return };
            match Outcome::from_sign(outcome) {
                // 0 without a result by the rules: undecided within these plies.
                Some(Outcome::Draw) if m.result.is_none() => {
                    see(Finding::Bounds(m.bit, ends_after(plies.into())));
                    undecided.push(m);
                }
                Some(outcome) => {
                    is_won |= outcome == Outcome::Win;
                    see(Finding::Move(m.bit, Value::new(outcome, Remoteness(plies)).into()));
                }
                None => {}
            }
        }
        see(Finding::Depth(plies.into()));
        if is_won || undecided.is_empty() || control.is_stopped() {
            return;
        }
        open = undecided;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::TextForm;
    use crate::solutions::tests::start;

    #[test]
    fn proofs_agree_with_the_solution_of_a_game() {
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
            let position = start.read_as(TextForm::Moves, moves).unwrap().0;
            let control = Control::default();
            let solved = start.solve(1 << 20, &control).unwrap();
            let (mut values, mut depth) = (Vec::new(), 0);
            look_ahead_in_endless_play(position.as_ref(), &control, &mut |step| match step {
                Finding::Move(bit, value) => values.push((bit, value)),
                Finding::Bounds(..) => {}
                Finding::Depth(plies) => {
                    depth = plies;
                    if plies == 12 {
                        control.stop();
                    }
                }
            });
            let is_won = values.iter().any(|(_, value)| value.outcome == Outcome::Win);
            assert!(is_won || depth == 12 || values.len() == position.branches().len(), "{name}");
            for branch in position.branches() {
                let value = solved.value_of(branch.to.canonical().unwrap().0).unwrap();
                let value = value.one_ply_earlier(branch.keeps_turn);
                let plies = value.remoteness.map_or(u32::MAX, |r| r.0.into());
                let proved = values.iter().find(|(bit, _)| *bit == branch.bit);
                if value.outcome != Outcome::Draw && plies <= depth {
                    assert_eq!(proved.unwrap().1, value, "{name} {moves}: {}", branch.text);
                } else if let Some((_, proved)) = proved {
                    assert_eq!(proved.outcome, value.outcome, "{name} {moves}: {}", branch.text);
                }
            }
        }
    }
}
