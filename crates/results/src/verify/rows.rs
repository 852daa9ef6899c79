//! Checks of a row by itself, and against its children.

use rustc_hash::FxHashSet;

use super::range::{Ends, Range};
use super::{Disagreement, RowFindings, name};
use crate::database::PositionRow;
use crate::stored::{Below, StoredError};
use everyply_core::game::{Key, MoveSet, Outcome, PartialValue, Ply, Value};
use everyply_registry::registry::{Facts, Position, Successor};

/// Counts of rows by the extent of their check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct RowCounts {
    pub positions: u64,
    /// Rows with the distance.
    pub with_remoteness: u64,
    /// Positions with the game over, checked by the rules.
    pub over: u64,
    /// Positions whose moves all have known values, which prove their own.
    pub proved: u64,
    /// Positions with some moves of known value, which bound their own.
    pub bounded: u64,
    /// Positions without a move of known value.
    pub unchecked: u64,
}

pub(super) struct RowChecks<'s> {
    start: &'s dyn Position,
    /// The last ply up to which the file holds every position whose game is not over.
    whole_to: Option<Ply>,
    moves: Vec<Successor>,
    known: Vec<(u32, PartialValue)>,
    missing: FxHashSet<Key>,
    pub findings: RowFindings,
}

impl<'s> RowChecks<'s> {
    pub fn new(start: &'s dyn Position, whole_to: Option<Ply>) -> Self {
        let (moves, known) = (Vec::new(), Vec::new());
        let (missing, findings) = (FxHashSet::default(), RowFindings::default());
        Self { start, whole_to, moves, known, missing, findings }
    }

    /// Reports a position of a ply without a row, once, if the file should have it.
    pub fn miss(&mut self, ply: Ply, key: Option<Key>) {
        if let Some(key) = key.filter(|key| {
            self.whole_to.is_some_and(|last| ply <= last) && self.missing.insert(*key)
        }) {
            self.findings.disagreements.push(Disagreement {
                check: "row",
                subject: super::name_of(self.start, key),
                stored: None,
                other: "it has no value, and a game leads to it".to_owned(),
            });
        }
    }

    /// Checks a row and the values below it; returns the facts of its position, if there is one.
    pub fn check(
        &mut self,
        row: &PositionRow,
        below: &Below<'_>,
    ) -> Result<Option<Facts>, StoredError> {
        self.findings.rows.positions += 1;
        self.findings.rows.with_remoteness += u64::from(row.value.is_exact());
        let key = || format!("key {}", row.key.0);
        let Some(position) = self.start.look_at_key(row.key, &mut self.moves) else {
            let other = format!("no position of {} has this key", self.start.info().title);
            self.report("row", key(), row, other);
            return Ok(None);
        };
        let tier = position.state.tier;
        let refused = if tier == row.ply {
            position.unreached.as_ref().map(ToString::to_string)
        } else {
            Some(format!("the position belongs to ply {tier}"))
        };
        if let Some(other) = refused {
            self.report("row", key(), row, other);
            return Ok(None);
        }
        if position.canonical != row.key {
            self.report_at("row", row, "another image of it is the canonical one".to_owned());
            return Ok(None);
        }
        if let Some(outcome) = position.state.result {
            self.findings.rows.over += 1;
            let value = Value::over(outcome);
            let best = row.best.is_none_or(MoveSet::is_empty);
            if !row.value.agrees(value.into()) || !best {
                self.report_at("row", row, value.to_string());
            }
            return Ok(Some(position));
        }
        let ends = Ends::of(&position, self.start.info().last_move_wins);
        if let Some(why) = ends.refuse(row.value) {
            self.report_at("row", row, why);
            return Ok(Some(position));
        }
        self.look_up_children(below)?;
        self.check_children(row, ends);
        Ok(Some(position))
    }

    /// Looks up the values of the moves, for the side that makes them.
    fn look_up_children(&mut self, below: &Below<'_>) -> Result<(), StoredError> {
        self.known.clear();
        for i in 0..self.moves.len() {
            let m = self.moves[i];
            let value = match m.result {
                Some(outcome) => Some(Value::over(outcome).into()),
                None => below(&m)?,
            };
            match value {
                Some(value) => self.known.push((m.bit, value.one_ply_earlier(m.keeps_turn))),
                None => self.miss(m.tier, m.canonical),
            }
        }
        Ok(())
    }

    fn check_children(&mut self, row: &PositionRow, ends: Ends) {
        let known = std::mem::take(&mut self.known);
        let all = known.len() == self.moves.len();
        let counts = &mut self.findings.rows;
        let counter = match known.len() {
            _ if all => &mut counts.proved,
            0 => &mut counts.unchecked,
            _ => &mut counts.bounded,
        };
        *counter += 1;
        let range = |value| ends.range(value);
        let stored = range(row.value);
        let best_known = known.iter().max_by_key(|(_, value)| range(*value).worst);
        let best_possible = known.iter().max_by_key(|(_, value)| range(*value).best);
        match (best_known, best_possible) {
            (Some(&(bit, value)), _) if stored.best < range(value).worst => {
                self.report_move(row, bit, &|m| format!("move {m} is a {value}"));
            }
            (_, Some(&(bit, value))) if all && stored.worst > range(value).best => {
                let other = |m: &str| format!("no move is better than {m}, a {value}");
                self.report_move(row, bit, &other);
            }
            // The value may be right, and the best moves wrong.
            _ => self.check_best(row, &known, stored, range),
        }
        self.known = known;
    }

    fn check_best(
        &mut self,
        row: &PositionRow,
        known: &[(u32, PartialValue)],
        stored: Range,
        range: impl Fn(PartialValue) -> Range,
    ) {
        let Some(best) = row.best else { return };
        let legal = MoveSet(self.moves.iter().fold(0, |set, m| set | 1 << m.bit));
        if best.is_empty() || !best.without(legal).is_empty() {
            self.report_at("row", row, "these are not moves of the position".to_owned());
        }
        for &(bit, value) in known {
            let there = range(value);
            let (may_attain, attains) = match (stored.value(), there.value()) {
                (Some(best), Some(there)) => (there.attains(best), there.attains(best)),
                _ => (there.best >= stored.worst && there.worst <= stored.best, false),
            };
            let is_best = best.has(bit);
            let is_wrong = match self.start.info().counts_points {
                // A best move for points has the best outcome, if not the best distance.
                true => is_best && value.outcome != row.value.outcome,
                false => is_best && !may_attain || !is_best && attains,
            };
            if is_wrong {
                self.report_move(row, bit, &|m| format!("move {m} is a {value}"));
            }
        }
    }

    fn report(&mut self, check: &'static str, subject: String, row: &PositionRow, other: String) {
        let stored = Some(stored_words(self.start, row));
        self.findings.disagreements.push(Disagreement { check, subject, stored, other });
    }

    fn report_at(&mut self, check: &'static str, row: &PositionRow, other: String) {
        let subject = super::name_of(self.start, row.key);
        self.report(check, subject, row, other);
    }

    fn report_move(&mut self, row: &PositionRow, bit: u32, other: &dyn Fn(&str) -> String) {
        let position = self.start.of_key(row.key).expect("a position that was looked at");
        let text = words_of(&*position, MoveSet(1 << bit));
        self.report("children", name(&*position), row, other(&text));
    }
}

pub(super) fn words_of(position: &dyn Position, moves: MoveSet) -> String {
    let branches = position.branches();
    let text = |bit: u32| match branches.iter().find(|branch| branch.bit == bit) {
        Some(branch) => branch.text.clone(),
        None => format!("(bit {bit})"),
    };
    let bits = (0..64).filter(|&bit| moves.has(bit));
    bits.map(text).collect::<Vec<_>>().join(" ")
}

/// Writes a row in words, with its best moves as the game writes them.
fn stored_words(start: &dyn Position, row: &PositionRow) -> String {
    match (row.best, start.of_key(row.key)) {
        (Some(best), Some(position)) if !best.is_empty() && position.result().is_none() => {
            let row = PositionRow { best: None, ..*row };
            format!("{row}, best moves {}", words_of(&*position, best))
        }
        _ => row.to_string(),
    }
}

/// Compares a row with the value of another side.
pub(super) fn compare(
    start: &dyn Position,
    row: &PositionRow,
    value: PartialValue,
    check: &'static str,
    who: &str,
) -> Option<Disagreement> {
    // A draw's distance may follow from the rules, whether or not either side has it; if play may
    // be endless, a draw without a distance is an endless draw.
    let is_endless = start.plies_left().is_none() && value.outcome == Outcome::Draw;
    let agree = row.value.agrees(value) && (!is_endless || row.value == value);
    (!agree).then(|| Disagreement {
        check,
        subject: super::name_of(start, row.key),
        stored: Some(row.value.to_string()),
        other: format!("{who} says {value}"),
    })
}
