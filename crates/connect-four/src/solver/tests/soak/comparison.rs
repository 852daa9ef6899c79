//! The counts of a comparison.

use std::collections::BTreeMap;
use std::fmt;

/// The most disagreements of a batch that are printed. All are counted.
const MOST_PRINTED: u64 = 3;

/// The numbers of compared positions and of disagreements.
#[derive(Default)]
pub struct Comparison {
    /// Positions compared.
    pub positions: u64,
    /// Answers that differ from those of the reference.
    pub disagreements: u64,
    /// Counts by a property and its value.
    counts: BTreeMap<(&'static str, String), u64>,
}

impl Comparison {
    pub fn count(&mut self, property: &'static str, what: impl fmt::Display) {
        *self.counts.entry((property, what.to_string())).or_default() += 1;
    }

    /// Returns true if something was counted.
    pub fn has(&self, what: &str) -> bool {
        self.counts.keys().any(|(_, counted)| counted == what)
    }

    pub fn disagree(&mut self, words: impl fmt::Display) {
        self.disagreements += 1;
        if self.disagreements <= MOST_PRINTED {
            eprintln!("DISAGREEMENT {words}");
        }
    }

    pub fn join(&mut self, other: Self) {
        self.positions += other.positions;
        self.disagreements += other.disagreements;
        for (what, number) in other.counts {
            *self.counts.entry(what).or_default() += number;
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, disagreements, counts } = self;
        write!(f, "{positions} positions, {disagreements} disagreements")?;
        let mut last = "";
        for ((property, what), number) in counts {
            if *property != last {
                write!(f, "\n{property}:")?;
            }
            write!(f, "\n  {what:28}{number:12}")?;
            last = property;
        }
        Ok(())
    }
}
