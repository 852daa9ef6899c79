//! Values of positions of any game.

use std::sync::Arc;

use super::{Oracle, OracleError, Origin, SourcedValue};
use everyply_connect_four::solver::Solver;
use everyply_core::control::Control;
use everyply_core::game::{MoveSet, PartialValue, Value, ValueBounds};
use everyply_core::search::SharedTable;
use everyply_registry::registry::{self, Branch, Position, look_ahead};

/// The most MiB of the table of a look-ahead in a game without an engine.
const LOOK_TABLE: u64 = 4;

/// Moves by their bits, ascending, each with its value for the side that makes it.
pub type ValuedMoves = Vec<(u32, SourcedValue)>;

/// An intermediate result for the values of all moves, for the side that makes the move.
pub type Finding = registry::Finding<SourcedValue>;

/// Returns the value of a position from the values of all its moves, given by their bits, and the
/// bits of the best moves, by points or, in games without points, by value; `None` without moves.
/// The set is empty if it has no room for a bit.
pub fn best_of(
    moves: impl Iterator<Item = (u32, SourcedValue)> + Clone,
) -> Option<(SourcedValue, MoveSet)> {
    let best = moves.clone().map(|(_, there)| there).reduce(SourcedValue::better)?;
    let attaining = moves.filter(|(_, there)| there.attains(best));
    let set = MoveSet::of_bits(attaining.clone().map(|(bit, _)| bit));
    let origin = attaining.last()?.1.origin;
    Some((SourcedValue { origin, ..best }, set.unwrap_or_default()))
}

/// Returns true if a value leaves nothing open: if play may be endless, a draw without a distance
/// is an endless draw, and a game that is solved for points has no distances.
pub(super) fn is_settled(position: &dyn Position, value: PartialValue) -> bool {
    value.is_exact()
        || position.lead().is_some()
        || (value.outcome == everyply_core::game::Outcome::Draw && position.plies_left().is_none())
}

/// Returns the branches of a position, the most promising first.
pub(super) fn in_order(position: &dyn Position) -> Vec<Branch> {
    let order = position.order();
    let mut branches = position.branches();
    branches.sort_by_key(|branch| order.iter().position(|&bit| bit == branch.bit));
    branches
}

impl Oracle {
    /// Returns the value of a position if that takes no search; prefers a full value to an outcome.
    pub fn known(&self, position: &dyn Position) -> Result<Option<SourcedValue>, OracleError> {
        let known = self.known_value(position)?;
        known.map(|known| self.with_points(position, known, None)).transpose()
    }

    /// Adds the points of the position to a value, from the rules, a file or an existing engine;
    /// only with the control `search` the engine may search.
    fn with_points(
        &self,
        position: &dyn Position,
        known: SourcedValue,
        search: Option<&Control>,
    ) -> Result<SourcedValue, OracleError> {
        if !position.info().counts_points || known.points.is_some() {
            return Ok(known);
        }
        let mut points = position.state().points;
        if points.is_none() {
            points = self.files.points(position)?;
        }
        let engine = self.engines.find(position);
        if let Some(engine) =
            engine.filter(|engine| points.is_none() && (search.is_some() || engine.is_solution()))
        {
            points = engine.points(position, search.unwrap_or(&Control::default()))?;
        }
        Ok(SourcedValue { points, ..known })
    }

    fn known_value(&self, position: &dyn Position) -> Result<Option<SourcedValue>, OracleError> {
        if let Some(outcome) = position.result() {
            return Ok(Some(Origin::Rules.says(Value::over(outcome))));
        }
        if let Some(value) = self.cache.get(position) {
            return Ok(Some(Origin::Engine.says(value)));
        }
        let stored = self.files.find(position)?;
        let stored =
            stored.map(|known| SourcedValue { value: position.whole(known.value), ..known });
        if stored.is_some_and(|known| is_settled(position, known.value)) {
            return Ok(stored);
        }
        if let Some(value) = position.booked().filter(|_| self.uses_opening) {
            return Ok(Some(Origin::OpeningBook.says(value)));
        }
        if let Some(solution) = self.engines.find(position).filter(|engine| engine.is_solution()) {
            let proved = solution.value(position, &Control::default(), &mut |_| ())?;
            return Ok(Some(Origin::Engine.says(proved.value)));
        }
        Ok(stored)
    }

    /// Returns the value of every move of a position, ascending, if none of them takes a search.
    pub fn known_moves(&self, position: &dyn Position) -> Result<Option<ValuedMoves>, OracleError> {
        let value = |branch: Branch| {
            let known = self.known(branch.to.as_ref())?;
            Ok(known.map(|known| (branch.bit, known.one_ply_earlier(branch.keeps_turn))))
        };
        position.branches().into_iter().map(value).collect()
    }

    /// Makes the engine of a position, if it fits: if that is a solution of all positions that
    /// follow, later questions about them need no search. Later in the game, less has to fit.
    pub fn prepare(&self, position: &dyn Position, control: &Control) -> Result<(), OracleError> {
        match self.engines.get(position, control) {
            Ok(_) | Err(OracleError::Engine { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub fn prove(
        &self,
        position: &dyn Position,
        control: &Control,
    ) -> Result<SourcedValue, OracleError> {
        Ok(self.prove_with_progress(position, control, &mut |_| ())?.0)
    }

    /// Returns the value of a position, and the number of positions searched for it; `see` gets
    /// every bound proved on the way.
    pub fn prove_with_progress(
        &self,
        position: &dyn Position,
        control: &Control,
        see: &mut dyn FnMut(ValueBounds),
    ) -> Result<(SourcedValue, u64), OracleError> {
        if let Some(known) = self.known(position)? {
            return Ok((known, 0));
        }
        let engine = self.engines.get(position, control)?;
        let proved = engine.value(position, control, see)?;
        // Values of files and books are not cached: the origin is part of the answer.
        if !engine.is_solution() {
            self.cache.insert(position, proved.value);
        }
        let proved_value = Origin::Engine.says(proved.value);
        Ok((self.with_points(position, proved_value, Some(control))?, proved.nodes))
    }

    /// Returns the value of a position, perhaps the outcome alone, and the number of positions
    /// searched for it.
    pub fn prove_outcome(
        &self,
        position: &dyn Position,
        control: &Control,
    ) -> Result<(SourcedValue, u64), OracleError> {
        if let Some(known) = self.known(position)? {
            return Ok((known, 0));
        }
        let (outcome, nodes) = self.engines.get(position, control)?.outcome(position, control)?;
        Ok((Origin::Engine.says(PartialValue::of_outcome(outcome)), nodes))
    }

    /// Returns the value of every move, ascending; none if the game is over. `see` gets each result
    /// on the way, so that a stopped search has reported all it proved.
    pub fn prove_moves(
        &self,
        position: &dyn Position,
        control: &Control,
        see: &mut dyn FnMut(Finding),
    ) -> Result<ValuedMoves, OracleError> {
        let mut valued = Vec::new();
        let mut open = Vec::new();
        if position.info().counts_points {
            // A source without points does not know the best moves.
            self.prepare(position, control)?;
        }
        for branch in in_order(position) {
            match self.known(branch.to.as_ref())? {
                Some(known) => {
                    let value = known.one_ply_earlier(branch.keeps_turn);
                    see(Finding::Move(branch.bit, value));
                    valued.push((branch.bit, value));
                }
                None => open.push(branch),
            }
        }
        let mut reported = Vec::new();
        if !open.is_empty() {
            let engine = self.engines.get(position, control)?;
            if engine.deepens() {
                reported = self.report(&open, see, |see| engine.look_ahead(position, control, see));
            }
        }
        for branch in open {
            let (bit, keeps_turn) = (branch.bit, branch.keeps_turn);
            let known = self.prove_with_progress(branch.to.as_ref(), control, &mut |bounds| {
                if !keeps_turn {
                    see(Finding::Bounds(bit, bounds.for_parent()));
                }
            });
            let value = known?.0.one_ply_earlier(keeps_turn);
            if !reported.contains(&bit) {
                see(Finding::Move(bit, value));
            }
            valued.push((bit, value));
        }
        valued.sort_unstable_by_key(|(bit, _)| *bit);
        Ok(valued)
    }

    /// Returns the values of the moves that are [proved](Self::prove_moves), and the reason why
    /// others are missing.
    pub fn found_moves(
        &self,
        position: &dyn Position,
        control: &Control,
    ) -> (ValuedMoves, Result<(), OracleError>) {
        let mut moves = Vec::new();
        let found = self.prove_moves(position, control, &mut |finding| {
            if let Finding::Move(bit, value) = finding {
                moves.push((bit, value));
            }
        });
        moves.sort_unstable_by_key(|(bit, _)| *bit);
        (moves, found.map(drop))
    }

    /// Searches all moves of a position together by iterative deepening, until the control stops
    /// it;
    /// `see` gets bounds and values of moves. Needs no engine for the game. Returns true if it
    /// found all values.
    pub fn look_ahead(
        &self,
        position: &dyn Position,
        control: &Control,
        see: &mut dyn FnMut(Finding),
    ) -> Result<bool, OracleError> {
        let mut open = Vec::new();
        for branch in position.branches() {
            if self.known(branch.to.as_ref())?.is_none() {
                open.push(branch);
            }
        }
        let reported = self.report(&open, see, |see| match self.engines.find(position) {
            Some(engine) => engine.look_ahead(position, control, see),
            None => {
                if let Ok(table) = SharedTable::new(LOOK_TABLE, position.info().key_bits) {
                    look_ahead(position, &table, control, see);
                }
            }
        });
        Ok(reported.len() == open.len())
    }

    /// Hands over the steps of a look-ahead about these moves, caches the values that it proves,
    /// and returns their moves.
    fn report(
        &self,
        open: &[Branch],
        see: &mut dyn FnMut(Finding),
        look: impl FnOnce(&mut dyn FnMut(registry::Finding)),
    ) -> Vec<u32> {
        let mut reported = Vec::new();
        look(&mut |step| match step {
            registry::Finding::Depth(plies) => see(Finding::Depth(plies)),
            registry::Finding::Bounds(bit, bounds) => {
                if open.iter().any(|branch| branch.bit == bit) {
                    see(Finding::Bounds(bit, bounds));
                }
            }
            registry::Finding::Move(bit, value) => {
                let branch =
                    open.iter().find(|branch| branch.bit == bit && !reported.contains(&bit));
                if let (Some(branch), Some(exact)) = (branch, value.exact()) {
                    let below = exact.after_best_move();
                    let outcome = if branch.keeps_turn { -below.outcome } else { below.outcome };
                    let below = Value { outcome, ..below };
                    self.cache.insert(branch.to.as_ref(), below.into());
                    reported.push(bit);
                    see(Finding::Move(bit, Origin::Engine.says(value)));
                }
            }
        });
        reported
    }

    /// Returns the exact solver of the board of a position; `None` if the board has another engine.
    pub fn exact_solver(
        &self,
        position: &dyn Position,
    ) -> Result<Option<Arc<Solver>>, OracleError> {
        Ok(self.engines.get(position, &Control::default())?.exact().cloned())
    }
}
