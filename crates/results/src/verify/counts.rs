//! Rows per ply against exact counts.

use super::Disagreement;
use crate::database::PositionRow;
use everyply_core::game::Outcome;
use everyply_core::statistics::{PlyCounts, counted, grouped};
use everyply_registry::registry::{Facts, Position};

/// Counts of a ply: stored positions, and all positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct PlyCheck {
    pub ply: u8,
    /// Rows: canonical positions.
    pub stored: u64,
    /// Canonical positions that exist; `None` if they were not counted.
    pub canonical: Option<u64>,
    /// Positions the rows stand for, images included.
    pub positions: u64,
    /// Positions won by the FIRST player; for the side to move if positions do not say whose turn
    /// it is.
    pub won: u64,
    pub drawn: u64,
    /// Positions lost by the FIRST player, or for the side to move, likewise.
    pub lost: u64,
    /// Positions in which the game is over.
    pub terminal: u64,
    /// True if a published count by outcome was compared.
    pub published: bool,
}

/// Compares plies of a game with the exact counts, and whole plies with published counts.
pub fn compare_counts(
    start: &dyn Position,
    plies: &mut [PlyCheck],
    exact: &[PlyCounts],
    disagreements: &mut Vec<Disagreement>,
) {
    let published = published(start);
    for ply in plies {
        let exact = exact.iter().find(|counts| counts.ply.0 == ply.ply);
        let published = published.iter().find(|[of, ..]| *of == u64::from(ply.ply));
        ply.compare(exact, published, disagreements);
    }
}

impl PlyCheck {
    pub(super) fn count(&mut self, position: &Facts, row: &PositionRow) {
        let images = position.images;
        self.positions += images;
        self.terminal += if position.state.result.is_some() { images } else { 0 };
        let second = position.state.to_move == Some('O');
        match if second { -row.value.outcome } else { row.value.outcome } {
            Outcome::Win => self.won += images,
            Outcome::Draw => self.drawn += images,
            Outcome::Loss => self.lost += images,
        }
    }

    /// Returns true if every position of the ply is stored.
    pub fn is_whole(&self) -> bool {
        self.canonical == Some(self.stored)
    }

    /// Compares the ply with exact counts and, if it is whole, with published counts.
    fn compare(
        &mut self,
        exact: Option<&PlyCounts>,
        published: Option<&[u64; 4]>,
        disagreements: &mut Vec<Disagreement>,
    ) {
        let subject = format!("ply {}", self.ply);
        let mut report = |stored: String, other: String| {
            disagreements.push(Disagreement {
                check: "count",
                subject: subject.clone(),
                stored: Some(stored),
                other,
            });
        };
        self.canonical = exact.and_then(|counts| counts.canonical);
        if let Some(canonical) = self.canonical.filter(|&canonical| self.stored > canonical) {
            report(counted(self.stored, "position"), format!("there are only {canonical}"));
        }
        if !self.is_whole() {
            return;
        }
        let found = exact.and_then(|counts| counts.positions.zip(counts.terminal));
        if let Some((positions, terminal)) = found
            && (positions, terminal) != (self.positions, self.terminal)
        {
            report(
                format!(
                    "{} with images, {} over",
                    counted(self.positions, "position"),
                    grouped(self.terminal)
                ),
                format!("there are {positions}, {terminal} over"),
            );
        }
        if let Some(&[_, won, drawn, lost]) = published {
            self.published = true;
            if [won, drawn, lost] != [self.won, self.drawn, self.lost] {
                report(
                    format!("{} won, {} drawn, {} lost", self.won, self.drawn, self.lost),
                    format!(
                        "published are {won} won, {drawn} drawn, {lost} lost by the first player"
                    ),
                );
            }
        }
    }
}

/// Returns the published counts of a game: plies, each with the positions that the first player
/// wins, draws and loses.
fn published(start: &dyn Position) -> Vec<[u64; 4]> {
    let numbers = |line: &str| -> Option<[u64; 4]> {
        let numbers = line.split(',').map_while(|number| number.parse().ok());
        numbers.take(4).collect::<Vec<u64>>().try_into().ok()
    };
    start.info().published_counts.lines().filter_map(numbers).collect()
}
