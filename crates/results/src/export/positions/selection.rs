//! Formats and selections of positions.

use super::super::format::PositionFormat;
use super::super::manifest::ManifestFilter;
use super::ranges::Ranges;
use everyply_connect_four::formats::uci;
use everyply_core::game::Outcome;
use everyply_core::games::line::on_board;
use everyply_registry::registry::Position;

impl PositionFormat {
    /// Returns the plies of a format that has only some plies.
    pub(super) fn usual_plies(self, game: &dyn Position) -> Option<Ranges> {
        let (rules, _) = game.lines()?;
        (self == Self::Uci && rules.stones_fall()).then(|| Ranges::only(uci::PLY.0))
    }
}

/// A selection of positions; by default all stored ones.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Plies; `None` selects all, or those that the format has.
    pub plies: Option<Ranges>,
    /// Outcomes for the side to move; empty selects all.
    pub outcomes: Vec<Outcome>,
    /// Distances to the end; `None` selects all, and positions of unknown distance.
    pub remoteness: Option<Ranges>,
    /// True to write every image of a position.
    pub mirror: bool,
    /// True to write the value of every move as well.
    pub all_moves: bool,
}

/// The reason why a selection does not fit a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The choice that does not fit, in words of the command line; `None` for the format itself.
    pub choice: Option<&'static str>,
    /// A sentence that begins with the name of the format.
    pub why: String,
}

impl Selection {
    /// Refuses a selection that a format has no place for, before any work.
    ///
    /// # Errors
    /// If the format is for another game, or a choice does not fit it.
    pub fn check(&self, format: PositionFormat, game: &dyn Position) -> Result<(), Misfit> {
        let refuse = |choice, why: String| Err(Misfit { choice, why });
        let Some(exchange) = format.exchange() else { return Ok(()) };
        let name = format.name();
        if self.all_moves {
            let why = "has no place for the values of moves; use csv, jsonl or parquet";
            return refuse(Some("all-moves"), format!("{name} {why}"));
        }
        let Some((rules, size)) = game.lines() else {
            let games = match format {
                PositionFormat::Uci => "Connect Four and tic-tac-toe",
                _ => "Connect Four",
            };
            return refuse(None, format!("{name} is for {games}, not for {}", game.game_id()));
        };
        if let Ok(Err(error)) = on_board!(rules, size, |board| exchange.check_game(&board)) {
            return refuse(None, error.to_string());
        }
        if format == PositionFormat::Uci && self.mirror {
            let why = "has the images of the published file: use csv, jsonl, parquet or pons";
            return refuse(Some("mirror"), format!("{name} {why}"));
        }
        let single = self.plies.as_ref().map(Ranges::single);
        let usual = format.usual_plies(game).map(|plies| plies.single());
        if usual.is_some() && single.is_some() && single != usual {
            return refuse(Some("plies"), format!("{name} has the positions of ply 8 alone"));
        }
        Ok(())
    }

    pub(super) fn filter(&self) -> Option<ManifestFilter> {
        let words: Vec<&str> = self.outcomes.iter().map(|outcome| outcome.word()).collect();
        let filter = ManifestFilter {
            plies: self.plies.as_ref().map(ToString::to_string),
            outcome: (!words.is_empty()).then(|| words.join(",")),
            remoteness: self.remoteness.as_ref().map(ToString::to_string),
        };
        (filter != ManifestFilter::default()).then_some(filter)
    }
}
