//! Positions as files hold them, each with its moves.

use super::values::is_settled;
use super::{BestPlay, OracleError, OracleFiles, Origin, SourcedValue, first_of};
use everyply_core::game::{MoveSet, PartialValue, Value, ValueBounds};
use everyply_registry::registry::{Branch, Position};

/// A move of a position that files hold, for the side that makes it.
pub struct StoredMove {
    pub branch: Branch,
    /// Its value, if known.
    pub value: Option<SourcedValue>,
    pub bounds: Option<ValueBounds>,
}

/// A position with the values that files hold.
pub struct StoredPosition {
    /// The value; `None` if it is unknown.
    pub value: Option<PartialValue>,
    pub bounds: Option<ValueBounds>,
    /// Every move, ascending.
    pub moves: Vec<StoredMove>,
    /// The bits of all best moves; `None` if not all are known.
    pub best: Option<MoveSet>,
}

impl StoredPosition {
    /// Returns the bits of the moves that are known to be best.
    pub fn known_best(&self, position: &dyn Position) -> MoveSet {
        let attains = |m: &&StoredMove| {
            self.value.zip(m.value).is_some_and(|(best, known)| {
                is_settled(position, best) && known.value.attains(best)
            })
        };
        let known = self.moves.iter().filter(attains);
        let known = || MoveSet::of_bits(known.map(|m| m.branch.bit)).unwrap_or_default();
        self.best.unwrap_or_else(known)
    }

    /// Returns true if nothing is known of the position and its moves.
    pub fn is_unknown(&self) -> bool {
        let is_unknown = |m: &StoredMove| m.value.is_none() && m.bounds.is_none();
        self.value.is_none() && self.bounds.is_none() && self.moves.iter().all(is_unknown)
    }

    /// Returns true if files alone hold the value, all best moves and the value of every move.
    pub fn is_whole(&self, position: &dyn Position) -> bool {
        let from_files =
            |m: &StoredMove| m.value.is_some_and(|known| known.origin != Origin::OpeningBook);
        self.value.is_some_and(|value| is_settled(position, value))
            && self.best.is_some()
            && self.moves.iter().all(from_files)
    }

    /// Combines the values of the position and of its moves: either may imply the other.
    fn settle(&mut self, position: &dyn Position, origin: Origin) {
        if let (Some(value), Some(best)) = (self.value, self.best) {
            // A best move for points need not be the soonest.
            let value = match position.info().counts_points {
                true => PartialValue::of_outcome(value.outcome),
                false => value,
            };
            let is_best = |m: &&mut StoredMove| m.value.is_none() && best.has(m.branch.bit);
            self.moves.iter_mut().filter(is_best).for_each(|m| m.value = Some(origin.says(value)));
            return;
        }
        let known: Option<Vec<(u32, PartialValue)>> =
            self.moves.iter().map(|m| Some((m.branch.bit, m.value?.value))).collect();
        let Some(known) = known else { return };
        let Some(value) = known.iter().map(|(_, value)| *value).reduce(PartialValue::better) else {
            return;
        };
        // The rows of the moves may have the outcome alone, and the position's row more.
        if value.is_exact() || !self.value.is_some_and(PartialValue::is_exact) {
            let best = known.iter().filter(|(_, known)| known.attains(value));
            self.best = MoveSet::of_bits(best.map(|(bit, _)| *bit));
            self.value = Some(value);
        }
    }
}

impl OracleFiles {
    /// Looks up a position and its moves in the files. If they hold any value of them, the opening
    /// book in the program fills in missing moves.
    pub fn look_up(&self, position: &dyn Position) -> Result<StoredPosition, OracleError> {
        let mut found = self.look_up_in_files(position)?;
        let is_held = found.value.is_some() || found.moves.iter().any(|m| m.value.is_some());
        if is_held {
            for m in found.moves.iter_mut().filter(|m| m.value.is_none()) {
                let booked = m.branch.to.booked().map(|value| Origin::OpeningBook.says(value));
                m.value = booked.map(|known| known.one_ply_earlier(m.branch.keeps_turn));
            }
            found.settle(position, Origin::OpeningBook);
        }
        if found.value.is_none() {
            found.bounds = self.bounds(position)?;
        }
        for m in found.moves.iter_mut().filter(|m| m.value.is_none() && !m.branch.keeps_turn) {
            m.bounds = self.bounds(m.branch.to.as_ref())?.map(ValueBounds::for_parent);
        }
        Ok(found)
    }

    fn look_up_in_files(&self, position: &dyn Position) -> Result<StoredPosition, OracleError> {
        if let Some(outcome) = position.result() {
            let (value, best) = (Some(Value::over(outcome).into()), Some(MoveSet::EMPTY));
            return Ok(StoredPosition { value, bounds: None, moves: Vec::new(), best });
        }
        let stored = self.find(position)?;
        let best = self.best_moves(position)?;
        let mut moves = Vec::new();
        for branch in position.branches() {
            let below = match branch.to.result() {
                Some(outcome) => Some(Origin::Rules.says(Value::over(outcome))),
                None => self.find(branch.to.as_ref())?,
            };
            let value = below.map(|known| known.one_ply_earlier(branch.keeps_turn));
            moves.push(StoredMove { branch, value, bounds: None });
        }
        let value = stored.map(|known| known.value);
        let mut found = StoredPosition { value, bounds: None, moves, best };
        found.settle(position, stored.map_or(Origin::Database, |known| known.origin));
        Ok(found)
    }

    /// Returns best play from a position that was looked up, while the files hold best moves.
    pub fn best_play(
        &self,
        position: &dyn Position,
        found: &StoredPosition,
    ) -> Result<BestPlay, OracleError> {
        // Only rows have best moves for points.
        let is_for_points = position.info().counts_points && position.lead().is_none();
        let mut looked_up = Some((found.value, found.best));
        BestPlay::follow(position, |at| {
            let best = if is_for_points {
                self.best_moves(at)?
            } else {
                let (value, best) = match looked_up.take() {
                    Some(found) => found,
                    None => self.look_up_in_files(at).map(|below| (below.value, below.best))?,
                };
                // Without a distance, winning moves could go in circles.
                best.filter(|_| value.is_some_and(PartialValue::is_exact))
            };
            Ok(best.and_then(|best| first_of(at, best)))
        })
    }
}
