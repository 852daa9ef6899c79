//! Formats and selections of positions.

use super::super::format::PositionFormat;
use super::super::manifest::ManifestFilter;
use super::ranges::Ranges;
use everyply_connect_four::formats::uci;
use everyply_core::game::Outcome;
use everyply_core::games::line::{LineGame, Size, TicTacToe};
use everyply_registry::registry::Position;

impl PositionFormat {
    /// True if the format has positions of a game.
    pub fn suits(self, game: &dyn Position) -> bool {
        !self.is_exchange()
            || columns(game).is_some()
            || (self == Self::Uci && is_tic_tac_toe(game))
    }

    /// The plies of a format that has only some of them, unless others are selected.
    pub(super) fn usual_plies(self, game: &dyn Position) -> Option<Ranges> {
        match self {
            Self::Uci if !is_tic_tac_toe(game) => Some(Ranges::only(uci::PLY.0)),
            _ => None,
        }
    }
}

/// True for the game whose boards at the end UCI has as well.
pub(super) fn is_tic_tac_toe(game: &dyn Position) -> bool {
    let game = game.lines().map(|(game, _)| game);
    game.is_some_and(|game| !game.rules().stones_fall() && game.size() == TicTacToe::fixed().size())
}

/// The size of a board on which stones fall, if the game is played on one.
pub(super) fn columns(game: &dyn Position) -> Option<Size> {
    let (game, _) = game.lines()?;
    game.rules().stones_fall().then(|| game.size())
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
    /// The end of a sentence that begins with the name of the format.
    pub why: String,
}

impl Selection {
    /// Refuses a selection that a format has no place for, before any work.
    ///
    /// # Errors
    /// If the format is for another game, or a choice does not fit it.
    pub fn check(&self, format: PositionFormat, game: &dyn Position) -> Result<(), Misfit> {
        let id = game.game_id();
        let refuse = |choice, why: &str| Err(Misfit { choice, why: why.to_owned() });
        if format.is_exchange() && self.all_moves {
            let why = "has no place for the values of moves; use csv, jsonl or parquet";
            return refuse(Some("all-moves"), why);
        }
        if !format.suits(game) {
            let games = match format {
                PositionFormat::Uci => "Connect Four and tic-tac-toe",
                _ => "Connect Four",
            };
            return refuse(None, &format!("is for {games}, not for {id}"));
        }
        let single = self.plies.as_ref().map(Ranges::single);
        match format {
            PositionFormat::Uci if self.mirror => {
                let why = "has the images of the published file: use csv, jsonl, parquet or pons";
                refuse(Some("mirror"), why)
            }
            PositionFormat::Uci if is_tic_tac_toe(game) => Ok(()),
            PositionFormat::Uci if id.parameters != uci::SIZE.parameters() => {
                refuse(None, &format!("is for the 7x6 board with 4 in a row, not for {id}"))
            }
            PositionFormat::Uci if single.is_some_and(|ply| ply != Some(uci::PLY.0)) => {
                refuse(Some("plies"), "has the positions of ply 8 alone")
            }
            _ => Ok(()),
        }
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
