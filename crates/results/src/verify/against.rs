//! Stored values beside those of another file.

use super::rows::compare;
use super::{Disagreement, VerifyError, name_of};
use crate::database::PositionRow;
use crate::stored::StoredFile;
use everyply_connect_four::formats::{InterchangeError, RecordLocation, ValueFile};
use everyply_core::control::Control;
use everyply_core::game::{Key, PartialValue, Ply, Symmetric};
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
    /// Contradictions within the file, and values that differ, a part of the file after the other.
    pub disagreements: Vec<Disagreement>,
}

/// Counts of agreements and disagreements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct AgainstCounts {
    pub records: u64,
    /// Different positions in it, images counted once.
    pub positions: u64,
    /// Positions with the same value on both sides.
    pub agreements: u64,
    /// Stored positions whose value the file implies by leaving them out, and the same.
    pub absent_agreements: u64,
    pub disagreements: u64,
    /// Positions of the file that are not stored.
    pub not_stored: u64,
    /// Positions to which the file gives several values.
    pub contradictions: u64,
}

/// The most contradictions of a file with itself that are listed: a file with more is no file of
/// values.
const MOST_CONTRADICTIONS: u64 = 10_000;

/// The most records of a file; they take 200 MB.
const MOST_RECORDS: usize = 5_000_000;

impl Against {
    /// Compares the stored positions of a game, given by its start, with the file.
    ///
    /// # Errors
    /// If a file cannot be read, a line or record of it is wrong, it has more than five million
    /// records, it contradicts itself more than 10,000 times, or a stop is asked for.
    pub fn compare(
        &self,
        stored: &StoredFile,
        start: &dyn Position,
        control: &Control,
    ) -> Result<AgainstFindings, VerifyError> {
        let mut comparison = Comparison { against: self, start, found: AgainstFindings::default() };
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
            let reason = "it has more than 5,000,000 records: split it".to_owned();
            return Err(InterchangeError::Invalid(self.name.clone(), reason).into());
        }
        comparison.all(records, self.file.format().absent(), stored, control)?;
        Ok(comparison.found)
    }
}

struct Comparison<'c> {
    against: &'c Against,
    start: &'c dyn Position,
    found: AgainstFindings,
}

impl Comparison<'_> {
    /// Compares the records. `absent` is the value of the positions of a ply that the file leaves out.
    fn all(
        &mut self,
        mut records: Vec<RecordedValue>,
        absent: Option<(Ply, PartialValue)>,
        stored: &StoredFile,
        control: &Control,
    ) -> Result<(), VerifyError> {
        self.found.counts.records = records.len() as u64;
        // No two records are at one place.
        records.sort_unstable_by_key(|record| (record.key, record.place));
        self.report_contradictions(&records)?;
        records.dedup_by_key(|record| record.key);
        self.found.counts.positions = records.len() as u64;
        let mut seen = vec![false; records.len()];
        stored.visit(self.start, control, &mut |row, _| {
            control.advance(1);
            control.check()?;
            self.found.stored += 1;
            self.row(row, &records, &mut seen, absent);
            Ok(())
        })?;
        self.found.counts.not_stored = seen.iter().filter(|seen| !**seen).count() as u64;
        Ok(())
    }

    /// Reports positions to which the file gives several values.
    fn report_contradictions(&mut self, records: &[RecordedValue]) -> Result<(), InterchangeError> {
        let name = &self.against.name;
        let mut last = None;
        for pair in records.windows(2).filter(|pair| pair[0].key == pair[1].key) {
            let [first, second] = [pair[0], pair[1]];
            if first.value.agrees(second.value) {
                continue;
            }
            let counts = &mut self.found.counts;
            counts.contradictions += u64::from(last.replace(first.key) != Some(first.key));
            if counts.contradictions > MOST_CONTRADICTIONS {
                let reason = "more than 10,000 records contradict others in it".to_owned();
                return Err(InterchangeError::Invalid(name.clone(), reason));
            }
            self.found.disagreements.push(Disagreement {
                check: "against",
                subject: name_of(self.start, first.key),
                stored: None,
                other: format!(
                    "{name} contradicts itself: {} says {}, and {} says {}",
                    first.place, first.value, second.place, second.value
                ),
            });
        }
        Ok(())
    }

    fn row(
        &mut self,
        row: &PositionRow,
        records: &[RecordedValue],
        seen: &mut [bool],
        absent: Option<(Ply, PartialValue)>,
    ) {
        let is_over =
            || self.start.of_key(row.key).is_some_and(|position| position.result().is_some());
        let (value, place) = match records.binary_search_by_key(&row.key, |record| record.key) {
            Ok(index) => {
                seen[index] = true;
                let RecordedValue { value, place, .. } = records[index];
                (value, Some(place))
            }
            Err(_) => match absent {
                Some((ply, value)) if ply == row.ply && !is_over() => (value, None),
                _ => return,
            },
        };
        let who = match place {
            Some(place) => format!("{}, {place}", self.against.name),
            None => format!("{}, by leaving it out,", self.against.name),
        };
        let counts = &mut self.found.counts;
        match compare(self.start, row, value, "against", &who) {
            Some(disagreement) => {
                counts.disagreements += 1;
                self.found.disagreements.push(disagreement);
            }
            None if place.is_some() => counts.agreements += 1,
            None => counts.absent_agreements += 1,
        }
    }
}
