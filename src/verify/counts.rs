//! Rows per ply against exact counts.

use super::{Disagreement, orbit};
use crate::connect_four::profiles::{self, Board, Extent, Memory, PassError};
use crate::connect_four::published::plies_by_outcome;
use crate::control::{Control, Stopped};
use crate::database::{PlyRows, PositionRow};
use crate::exhaustive::count_plies;
use crate::game::{Outcome, Ply};
use crate::games::line::{GraphEstimate, LineGame, Stones};
use crate::statistics::{PlyCounts, counted, grouped};

/// Counts of a ply: the stored positions, and all that there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct PlyCheck {
    /// The ply.
    pub ply: u8,
    /// Rows: canonical positions.
    pub stored: u64,
    /// Canonical positions that exist; `None` if they were not counted.
    pub canonical: Option<u64>,
    /// Positions the rows stand for, images included.
    pub positions: u64,
    /// Positions won by the FIRST player.
    pub won: u64,
    /// Positions drawn.
    pub drawn: u64,
    /// Positions lost by the FIRST player.
    pub lost: u64,
    /// Positions in which the game is over.
    pub terminal: u64,
    /// True if a published count by outcome was compared.
    pub published: bool,
}

impl PlyCheck {
    pub(super) fn of(layer: &PlyRows) -> Self {
        let ply = layer.ply().unwrap_or_default().0;
        Self { ply, stored: layer.rows().len() as u64, ..Self::default() }
    }

    pub(super) fn count<G: LineGame>(&mut self, game: &G, position: Stones, row: &PositionRow) {
        let images = orbit(game, position);
        self.positions += images;
        self.terminal += if game.result(position).is_some() { images } else { 0 };
        let second = row.ply.is_second_players_turn();
        match if second { -row.value.outcome } else { row.value.outcome } {
            Outcome::Win => self.won += images,
            Outcome::Draw => self.drawn += images,
            Outcome::Loss => self.lost += images,
        }
    }

    /// True if every position of the ply is stored.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.canonical == Some(self.stored)
    }

    /// Compares with the exact counts of the ply, and with published ones if it is whole.
    pub fn compare(
        &mut self,
        exact: Option<&PlyCounts>,
        published: Option<&Published>,
        disagreements: &mut Vec<Disagreement>,
    ) {
        let subject = format!("ply {}", self.ply);
        let mut report = |stored: String, other: String| {
            disagreements.push(Disagreement {
                check: "count",
                subject: subject.clone(),
                stored,
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
        if let Some(p) = published {
            self.published = true;
            if (p.won, p.drawn, p.lost) != (self.won, self.drawn, self.lost) {
                report(
                    format!("{} won, {} drawn, {} lost", self.won, self.drawn, self.lost),
                    format!(
                        "published are {} won, {} drawn, {} lost by the first player",
                        p.won, p.drawn, p.lost
                    ),
                );
            }
        }
    }
}

/// Counts of a ply by outcome for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The ply.
    pub ply: Ply,
    won: u64,
    drawn: u64,
    lost: u64,
}

impl Published {
    /// The published counts of a board, or none.
    #[must_use]
    pub fn of<G: LineGame>(game: &G) -> Vec<Self> {
        let row = |line: &str| {
            let mut numbers = line.split(',').map(str::parse::<u64>);
            let mut next = || numbers.next()?.ok();
            let ply = Ply(u8::try_from(next()?).ok()?);
            Some(Self { ply, won: next()?, drawn: next()?, lost: next()? })
        };
        plies_by_outcome(game).lines().filter_map(row).collect()
    }
}

/// Bytes that counting may take.
const ROOM: f64 = (1u64 << 30) as f64;

/// The exact counts of the plies of a game up to a given one, as far as they can be counted with
/// little memory. Plies that no game reaches have counts of 0.
///
/// # Errors
/// If a stop is asked for.
pub fn exact_counts<G: LineGame>(
    game: &G,
    deepest: Ply,
    control: &Control,
) -> Result<Vec<PlyCounts>, Stopped> {
    if Board::serves(game)
        && let Ok(board) = Board::new(game.size())
    {
        let fits = |plies: &u8| (board.estimate(usize::from(*plies)).count as f64) < ROOM / 16.0;
        let Some(plies) = (0..=deepest.0).rev().find(fits) else { return Ok(Vec::new()) };
        return match profiles::count(&board, Extent::Plies(plies), &Memory::new(), control) {
            Ok(counts) => Ok(with_empty_plies(counts.plies, Ply(plies))),
            Err(PassError::Stopped(stopped)) => Err(stopped),
            // Counting is one check of several: without it the others stand.
            Err(_) => Ok(Vec::new()),
        };
    }
    let fits =
        |plies: &u8| GraphEstimate::of_count(game, game.initial(), u32::from(*plies)).bytes < ROOM;
    let Some(plies) = (0..=deepest.0).rev().find(fits) else { return Ok(Vec::new()) };
    let counted = count_plies(game, game.initial(), Ply(0), u32::from(plies), |_| None, control)?;
    Ok(with_empty_plies(counted.counts, Ply(plies)))
}

/// Counts from the empty board on, continued with zeros up to a ply if all games end before it.
fn with_empty_plies(mut counts: Vec<PlyCounts>, last: Ply) -> Vec<PlyCounts> {
    let none = Some(0);
    let counted = counts.len() as u8;
    counts.extend((counted..=last.0).map(|ply| PlyCounts {
        ply: Ply(ply),
        positions: none,
        canonical: none,
        terminal: none,
        ..PlyCounts::default()
    }));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::line::{ConnectFour, Mnk, Size};

    /// Rows on a ply that no game reaches are too many, however the plies were counted.
    fn no_row_passes_at<G: LineGame>(game: &G, ply: u8) {
        let exact = exact_counts(game, Ply(ply), &Control::default()).unwrap();
        assert!(exact.iter().map(|counts| counts.ply.0).eq(0..=ply));
        let mut check = PlyCheck { ply, stored: 1, positions: 1, ..PlyCheck::default() };
        let mut disagreements = Vec::new();
        check.compare(exact.get(usize::from(ply)), None, &mut disagreements);
        assert_eq!(disagreements.len(), 1);
        assert_eq!(disagreements[0].other, "there are only 0");
    }

    #[test]
    fn plies_that_no_game_reaches_have_no_positions() {
        let size = Size::new(5, 4, 2).unwrap();
        no_row_passes_at(&ConnectFour::new(size).unwrap(), 20);
        let size = Size::new(3, 3, 2).unwrap();
        no_row_passes_at(&Mnk::new(size).unwrap(), 9);
    }
}
