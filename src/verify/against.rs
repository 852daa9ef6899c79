//! Stored values beside those of another file.

use super::rows::compare;
use super::{Disagreement, name_of};
use crate::connect_four::formats::{InterchangeError, RecordLocation, ValueFile};
use crate::control::Control;
use crate::database::PositionRow;
use crate::game::{Key, PartialValue, Ply, Symmetric};
use crate::games::line::ConnectFour;
use crate::registry::Study;

/// The value of a position in a file, with its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedValue {
    /// The canonical key.
    pub key: Key,
    /// The value.
    pub value: PartialValue,
    /// The place in the file; the first one, if both images have one.
    pub place: RecordLocation,
}

/// The values of another file, ready to be looked up.
#[derive(Debug)]
pub struct Against {
    file: String,
    /// By ascending key, each once.
    records: Vec<RecordedValue>,
    seen: Vec<bool>,
    /// The value of the positions of a ply that are left out.
    absent: Option<(Ply, PartialValue)>,
    counts: AgainstCounts,
}

/// Counts of agreements and disagreements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AgainstCounts {
    /// Records of the file.
    pub records: u64,
    /// Different positions in it, images counted once.
    pub positions: u64,
    /// Positions with the same value on both sides.
    pub agreements: u64,
    /// Stored positions whose value the file implies by leaving them out, and the same.
    pub absent_agreements: u64,
    /// Positions with different values.
    pub disagreements: u64,
    /// Positions of the file that are not stored.
    pub not_stored: u64,
    /// Positions to which the file gives several values.
    pub contradictions: u64,
}

/// The most contradictions of a file with itself that are listed: a file with more is no file of
/// values.
const MOST_CONTRADICTIONS: u64 = 10_000;

impl Against {
    /// Reads a file of a game, which is also given by its start. Contradictions within the file are
    /// reported.
    ///
    /// # Errors
    /// If the file cannot be read, a line or record of it is wrong, it contradicts itself more than
    /// 10,000 times, or a stop is asked for.
    pub fn read(
        file: &ValueFile,
        name_of_file: &str,
        game: &ConnectFour,
        start: &dyn Study,
        control: &Control,
        disagreements: &mut Vec<Disagreement>,
    ) -> Result<Self, InterchangeError> {
        let mut all = Vec::new();
        let records = file.visit(game, control, |place, record, value| {
            all.push(RecordedValue { key: game.canonical(record.position).0, value, place });
        })?;
        // No two records are at one place.
        all.sort_unstable_by_key(|record| (record.key, record.place));
        let mut contradictions = 0;
        let mut last = None;
        for pair in all.windows(2).filter(|pair| pair[0].key == pair[1].key) {
            let [first, second] = [pair[0], pair[1]];
            if !first.value.agrees(second.value) {
                contradictions += u64::from(last.replace(first.key) != Some(first.key));
                if contradictions > MOST_CONTRADICTIONS {
                    let reason = "more than 10,000 records contradict others in it";
                    return Err(InterchangeError::Invalid(
                        name_of_file.to_owned(),
                        reason.to_owned(),
                    ));
                }
                disagreements.push(Disagreement {
                    check: "against",
                    subject: name_of(start, first.key),
                    stored: None,
                    other: format!(
                        "{name_of_file} contradicts itself: {} says {}, and {} says {}",
                        first.place, first.value, second.place, second.value
                    ),
                });
            }
        }
        all.dedup_by_key(|record| record.key);
        let positions = all.len() as u64;
        let counts =
            AgainstCounts { records, positions, contradictions, ..AgainstCounts::default() };
        Ok(Self {
            file: name_of_file.to_owned(),
            seen: vec![false; all.len()],
            records: all,
            absent: file.format().absent(records),
            counts,
        })
    }

    /// Compares a stored row with the file.
    pub(super) fn compare(
        &mut self,
        start: &dyn Study,
        is_over: bool,
        row: &PositionRow,
        disagreements: &mut Vec<Disagreement>,
    ) {
        let found = self.records.binary_search_by_key(&row.key, |record| record.key);
        let (value, place) = match (found, self.absent) {
            (Ok(index), _) => {
                self.seen[index] = true;
                let RecordedValue { value, place, .. } = self.records[index];
                (value, Some(place))
            }
            (Err(_), Some((ply, value))) if ply == row.ply && !is_over => (value, None),
            (Err(_), _) => return,
        };
        let who = match place {
            Some(place) => format!("{}, {place}", self.file),
            None => format!("{}, by leaving it out,", self.file),
        };
        match compare(start, row, value, "against", &who) {
            Some(disagreement) => {
                self.counts.disagreements += 1;
                disagreements.push(disagreement);
            }
            None if place.is_some() => self.counts.agreements += 1,
            None => self.counts.absent_agreements += 1,
        }
    }

    /// The counts so far.
    pub fn counts(&self) -> AgainstCounts {
        let not_stored = self.seen.iter().filter(|seen| !**seen).count() as u64;
        AgainstCounts { not_stored, ..self.counts }
    }

    /// The records of positions that were not stored, by ascending key.
    pub fn not_stored(&self) -> Vec<RecordedValue> {
        let records = self.records.iter().zip(&self.seen);
        records.filter(|(_, seen)| !**seen).map(|(record, _)| *record).collect()
    }
}
