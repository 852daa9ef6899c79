//! The job of writing positions, the counts of its rows and the manifest of its file.

use super::super::format::PositionFormat;
use super::super::manifest::{Manifest, ManifestPly, SCHEMA};
use super::ranges::Ranges;
use super::selection::Selection;
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Outcome, PartialValue};
use everyply_registry::registry::Position;

/// Rows written so far, by ply and outcome, and positions left out.
#[derive(Debug, Default)]
pub(in crate::export) struct RowCounts {
    pub plies: Vec<ManifestPly>,
    pub skipped: u64,
    /// The reason why the first position left out cannot be written in the format.
    pub reason: Option<String>,
}

impl RowCounts {
    pub fn count(&mut self, ply: u8, outcome: Outcome) {
        if self.plies.last().is_none_or(|last| last.ply != ply) {
            self.plies.push(ManifestPly { ply, ..ManifestPly::default() });
        }
        let last = self.plies.last_mut().expect("just made");
        last.rows += 1;
        match outcome {
            Outcome::Win => last.wins += 1,
            Outcome::Draw => last.draws += 1,
            Outcome::Loss => last.losses += 1,
        }
    }

    /// Counts a position that cannot be written in the format.
    pub fn skip(&mut self, reason: impl FnOnce() -> String) {
        self.skipped += 1;
        self.reason.get_or_insert_with(reason);
    }

    /// Puts the counts into a manifest.
    pub fn fill(self, manifest: &mut Manifest) {
        manifest.rows = self.plies.iter().map(|ply| ply.rows).sum();
        manifest.skipped = self.skipped;
        manifest.plies = self.plies;
    }
}

/// Returns the manifest of a file with positions of a game, without rows, name, length and hash.
pub(in crate::export) fn manifest(
    start: &dyn Position,
    format: PositionFormat,
    mirror: bool,
) -> Manifest {
    let lines = start.lines();
    Manifest {
        schema: SCHEMA,
        format: format.name(),
        program: "everyply",
        version: env!("CARGO_PKG_VERSION"),
        game: start.info().name.to_owned(),
        board: lines.map(|(_, size)| size.board()),
        line: lines.map(|(_, size)| size.line),
        parameters: lines.is_none().then(|| start.info().parameters),
        rules: lines
            .map_or_else(|| start.info().title.clone(), |(rules, size)| rules.sentence(size.line)),
        mirror,
        order: "ply, then key of the canonical image as an unsigned number",
        perspective: "side to move",
        ..Manifest::default()
    }
}

pub(super) struct Job<'j> {
    pub selection: &'j Selection,
    /// The plies, if not all are written.
    pub plies: Option<Ranges>,
    pub control: &'j Control,
}

impl Job<'_> {
    pub fn wants_ply(&self, ply: u8) -> bool {
        self.plies.as_ref().is_none_or(|plies| plies.contains(ply))
    }

    /// Returns true if a value has a selected outcome and a selected distance. Positions of unknown
    /// distance are left out if distances are selected.
    pub fn wants_value(&self, value: PartialValue) -> bool {
        let Selection { outcomes, remoteness, .. } = self.selection;
        (outcomes.is_empty() || outcomes.contains(&value.outcome))
            && remoteness.as_ref().is_none_or(|wanted| {
                value.remoteness.is_some_and(|remoteness| wanted.contains(remoteness.0))
            })
    }

    /// Counts a row that was read, and fails if the control asks to stop.
    pub fn advance(&self) -> Result<(), Stopped> {
        self.control.advance(1);
        self.control.check()
    }
}
