//! The findings of `analyze verify` about a game of a database.

use super::VerifyArgs;
use crate::cli::prelude::*;
use everyply_results::verify::{AgainstCounts, Disagreement, PlyCheck, Resolved, RowCounts};

/// The games of a file that holds several.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SeveralGames")]
pub(in crate::cli) struct Documents {
    pub file: String,
    pub games: Vec<VerifyDocument>,
}

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Document")]
pub(in crate::cli) struct VerifyDocument {
    pub file: String,
    #[serde(flatten)]
    pub game: GameFields,
    /// The checks of a database or an opening book, row by row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<RowCounts>,
    pub plies: Vec<PlyCheck>,
    /// The checks of a solution file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<SolutionChecks>,
    /// Positions solved anew; absent if all values of a solution file are proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleDocument>,
    pub against: Option<AgainstDocument>,
    /// True if nothing but the values of the other file was compared.
    pub values_only: bool,
    pub disagreements: Vec<Disagreement>,
    pub elapsed_s: f64,
    /// The checks of a solution file, in words.
    #[serde(skip)]
    pub findings: String,
}

#[derive(Default, JsonSchema, Serialize)]
pub(in crate::cli) struct SolutionChecks {
    /// Parts of the file, each with the right checksum.
    pub chunks: u64,
    /// Positions of the file; `null` with --sample of a board.
    pub positions: Option<u64>,
    /// Positions whose values are proved; `null` with --sample.
    pub proved: Option<u64>,
}

#[derive(JsonSchema, Serialize)]
pub struct SampleDocument {
    pub seed: u64,
    pub solved: u64,
    pub agreements: u64,
    /// Positions drawn and not solved: the time was up, or there is no engine for them.
    pub unsolved: u64,
}

impl SampleDocument {
    pub const fn new(seed: u64, resolved: &Resolved) -> Self {
        let &Resolved { solved, agreements, unsolved, .. } = resolved;
        Self { seed, solved, agreements, unsolved }
    }

    fn in_words(&self) -> String {
        let unsolved = match self.unsolved {
            0 => String::new(),
            n => format!("; {} not solved within the time or memory", grouped(n)),
        };
        let (agree, solved) = (grouped(self.agreements), counted(self.solved, "position"));
        format!("{agree} of {solved} solved anew agree (seed {}){unsolved}", self.seed)
    }
}

#[derive(JsonSchema, Serialize)]
pub struct AgainstDocument {
    pub file: String,
    pub format: &'static str,
    #[serde(flatten)]
    pub counts: AgainstCounts,
}

impl AgainstDocument {
    /// Positions that both sides have.
    fn compared(&self) -> u64 {
        let counts = &self.counts;
        counts.agreements + counts.absent_agreements + counts.disagreements
    }
}

impl VerifyDocument {
    /// A document without findings.
    pub fn new(start: &dyn Position, args: &VerifyArgs) -> Self {
        Self {
            file: args.file.display().to_string(),
            game: GameFields::of(start),
            rows: None,
            plies: Vec::new(),
            solution: None,
            sample: None,
            against: None,
            values_only: args.values_only,
            disagreements: Vec::new(),
            elapsed_s: 0.0,
            findings: String::new(),
        }
    }

    /// The failure of disagreements, or of nothing to compare.
    pub fn outcome(&self) -> Result<(), Failure> {
        if !self.disagreements.is_empty() {
            let found = self.disagreements.len() as u64;
            return Err(Failure::Mismatch(counted(found, "disagreement")));
        }
        match &self.against {
            Some(against) if against.compared() == 0 => Err(runtime!(
                "nothing to compare: none of the {} in {} is stored",
                counted(against.counts.positions, "position"),
                against.file
            )),
            _ => Ok(()),
        }
    }

    pub fn text(&self, start: &dyn Position, session: &Session) -> String {
        let rows = self.rows.filter(|_| !self.values_only);
        let children = rows.map(|rows| {
            let [proved, bounded, unchecked, over] =
                [rows.proved, rows.bounded, rows.unchecked, rows.over].map(grouped);
            format!(
                "{proved} proved by their children, {bounded} bounded by them, {unchecked} with none \
                 stored, {over} with the game over"
            )
        });
        let rows = rows.map(|rows| {
            let with_remoteness = grouped(rows.with_remoteness);
            format!(
                "{}, {with_remoteness} with their distance",
                counted(rows.positions, "position")
            )
        });
        let against = self.against.as_ref().map(|AgainstDocument { file, format, counts }| {
            let [records, positions] =
                [(counts.records, "record"), (counts.positions, "position")].map(|(n, of)| counted(n, of));
            let [agree, absent, disagree, not_stored] = [
                counts.agreements,
                counts.absent_agreements,
                counts.disagreements,
                counts.not_stored,
            ]
            .map(grouped);
            format!(
                "{file} ({format}): {records} of {positions}; {agree} agree, {absent} by being left \
                 out, {disagree} disagree, {not_stored} are not stored"
            )
        });
        let contradictions = self.against.as_ref().filter(|other| other.counts.contradictions > 0);
        let contradictions = contradictions.map(|AgainstDocument { file, counts, .. }| {
            let positions = counted(counts.contradictions, "position");
            format!("{file} contradicts itself: it has several values of {positions}")
        });
        let sample = self.sample.as_ref().filter(|_| !self.values_only);
        let mut text = format!("{}: {}\n{}", self.file, start.info().title, self.findings);
        text += &text::facts([
            ("rows", rows),
            ("children", children),
            ("sample", sample.map(SampleDocument::in_words)),
            ("against", against),
            ("", contradictions),
        ]);
        let mut table = Table::new("ply,stored,of,whole,positions,won,drawn,lost,over");
        for ply in &self.plies {
            let whole = match (ply.is_whole(), ply.published) {
                (true, true) => "as published",
                (true, false) => "yes",
                _ => "",
            };
            table.row([
                ply.ply.to_string(),
                grouped(ply.stored),
                text::count(ply.canonical),
                whole.to_owned(),
                grouped(ply.positions),
                grouped(ply.won),
                grouped(ply.drawn),
                grouped(ply.lost),
                grouped(ply.terminal),
            ]);
        }
        if !self.plies.is_empty() {
            let side = match start.to_move() {
                Some(_) => "by the first player",
                None => "for the side to move",
            };
            let _ = write!(
                text,
                "\n{}(positions: images included; won, drawn and lost {side})\n\n",
                table.render()
            );
        }
        for disagreement in &self.disagreements {
            let _ = writeln!(text, "{disagreement}");
        }
        text + &text::facts([("time", Some(text::time(self.elapsed_s, session.threads)))])
    }
}
