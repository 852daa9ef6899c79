//! Stored values against the values of another file.

use super::rows::compare;
use super::{Disagreement, VerifyError, name_of};
use crate::database::PositionRow;
use crate::stored::StoredFile;
use everyply_connect_four::formats::{InterchangeError, RecordLocation, ValueFile};
use everyply_core::control::Control;
use everyply_core::game::{Key, PartialValue, Symmetric};
use everyply_core::games::line::{Rules, Size, on_board};
use everyply_registry::registry::Position;

/// The value of a position in a file, with its place there.
#[derive(Clone, Copy, Debug)]
struct RecordedValue {
    key: Key,
    value: PartialValue,
    /// The place in the file; the first one, if both images have one.
    place: RecordLocation,
}

/// A file of another program, to compare stored values with.
#[derive(Debug)]
pub struct Against {
    pub file: ValueFile,
    pub name: String,
    /// The rules and the size by which it is read.
    pub board: (Rules, Size),
}

#[derive(Debug, Default)]
pub struct AgainstFindings {
    /// Counts of agreements and disagreements.
    pub counts: AgainstCounts,
    /// The stored positions of the game.
    pub stored: u64,
    /// Contradictions within the file, then values that differ, in the order of the stored file.
    pub disagreements: Vec<Disagreement>,
}

/// Counts of agreements and disagreements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct AgainstCounts {
    pub records: u64,
    /// Distinct positions in it, images counted once.
    pub positions: u64,
    /// Positions with equal values on both sides.
    pub agreements: u64,
    /// Stored positions whose value agrees with the one that the file implies by leaving them out.
    pub absent_agreements: u64,
    pub disagreements: u64,
    /// Positions of the file that are not stored.
    pub not_stored: u64,
    /// Positions to which the file gives several values.
    pub contradictions: u64,
}

/// The most contradictions within a file: a file with more is no file of values.
const MOST_CONTRADICTIONS: u64 = 10_000;

/// The most records of a file; they take 200 MB.
const MOST_RECORDS: usize = 5_000_000;

impl Against {
    /// Compares the stored positions of a game, given by its start, with the file.
    ///
    /// # Errors
    /// If a file cannot be read, a line or record of it is wrong, it has more than five million
    /// records, it contradicts itself more than 10,000 times, or the control asks to stop.
    pub fn compare(
        &self,
        stored: &StoredFile,
        start: &dyn Position,
        control: &Control,
    ) -> Result<AgainstFindings, VerifyError> {
        let mut found = AgainstFindings::default();
        let mut records = Vec::new();
        let (rules, size) = self.board;
        let read = on_board!(rules, size, |game| {
            self.file.visit(&game, control, |place, record, value| {
                if records.len() <= MOST_RECORDS {
                    let key = game.canonical(record.position).0;
                    records.push(RecordedValue { key, value, place });
                }
            })
        });
        read.expect("the board was made before")?;
        if records.len() > MOST_RECORDS {
            return Err(self.refuse("it has more than 5,000,000 records: split it").into());
        }
        found.counts.records = records.len() as u64;
        // No two records are at one place.
        records.sort_unstable_by_key(|record| (record.key, record.place));
        self.report_contradictions(&records, start, &mut found)?;
        records.dedup_by_key(|record| record.key);
        found.counts.positions = records.len() as u64;
        let mut seen = vec![false; records.len()];
        stored.visit(start, control, &mut |row, _| {
            control.advance(1);
            control.check()?;
            found.stored += 1;
            let at = records.binary_search_by_key(&row.key, |record| record.key).ok();
            if let Some(at) = at {
                seen[at] = true;
            }
            self.compare_row(row, at.map(|at| records[at]), start, &mut found);
            Ok(())
        })?;
        found.counts.not_stored = seen.iter().filter(|seen| !**seen).count() as u64;
        Ok(found)
    }

    fn refuse(&self, reason: &str) -> InterchangeError {
        InterchangeError::Invalid(self.name.clone(), reason.to_owned())
    }

    fn report_contradictions(
        &self,
        records: &[RecordedValue],
        start: &dyn Position,
        found: &mut AgainstFindings,
    ) -> Result<(), InterchangeError> {
        let mut last = None;
        for pair in records.windows(2).filter(|pair| pair[0].key == pair[1].key) {
            let [first, second] = [pair[0], pair[1]];
            if first.value.agrees(second.value) {
                continue;
            }
            let contradictions = &mut found.counts.contradictions;
            *contradictions += u64::from(last.replace(first.key) != Some(first.key));
            if *contradictions > MOST_CONTRADICTIONS {
                return Err(self.refuse("more than 10,000 records contradict others in it"));
            }
            found.disagreements.push(Disagreement {
                check: "against",
                subject: name_of(start, first.key),
                stored: None,
                other: format!(
                    "{} contradicts itself: {} says {}, and {} says {}",
                    self.name, first.place, first.value, second.place, second.value
                ),
            });
        }
        Ok(())
    }

    /// Compares a row with the record of its position, or with the value that the file implies by
    /// having no record.
    fn compare_row(
        &self,
        row: &PositionRow,
        record: Option<RecordedValue>,
        start: &dyn Position,
        found: &mut AgainstFindings,
    ) {
        let is_over = || start.of_key(row.key).is_some_and(|position| position.result().is_some());
        let (value, who) = match (record, self.file.format().absent()) {
            (Some(record), _) => (record.value, format!("{}, {}", self.name, record.place)),
            (None, Some((ply, value))) if ply == row.ply && !is_over() => {
                (value, format!("{}, by leaving it out,", self.name))
            }
            _ => return,
        };
        match compare(start, row, value, "against", &who) {
            Some(disagreement) => {
                found.counts.disagreements += 1;
                found.disagreements.push(disagreement);
            }
            None if record.is_some() => found.counts.agreements += 1,
            None => found.counts.absent_agreements += 1,
        }
    }
}
