//! Games of a database: titles, values, and values of first moves.

use super::figure::{Figure, Table, cell};
use super::{ReportError, board};
use crate::database::PositionRow;
use crate::database::{Database, DatabaseError};
use crate::game::GameId;
use crate::game::{Game, Symmetric, Worth};
use crate::games::line::AnyGame;
use crate::oracle::Origin;
use crate::registry::{Situation, StoredGame, Study};

impl StoredGame {
    /// Returns the title of the game.
    pub(super) fn title(&self, id: &GameId) -> String {
        match self {
            Self::Lines(_) => id.to_string(),
            Self::Registered(start) => start.title(),
        }
    }

    /// Returns the value of the start in words; `None` if it is not stored.
    pub(super) fn value(
        &self,
        database: &Database,
        id: &GameId,
    ) -> Result<Option<String>, ReportError> {
        let (key, side) = match self {
            Self::Lines(game) => (game.canonical(game.initial()).0, "X"),
            Self::Registered(start) => {
                (start.canonical().expect("games of 64-bit keys are stored").0, "the side to move")
            }
        };
        let Some(row) = database.position(id, key)? else { return Ok(None) };
        Ok(Some(match (self, row.worth()) {
            (Self::Registered(_), Some(Worth::Endless)) => "draw by endless play".to_owned(),
            _ => row.value.words_for(side),
        }))
    }

    /// Makes the figure of the first moves; `None` if the value of one is not stored.
    pub(super) fn first_moves(
        &self,
        stem: &str,
        database: &Database,
        id: &GameId,
    ) -> Result<Option<Figure>, ReportError> {
        let figure = format!("{stem}-first-moves");
        match self {
            Self::Lines(game) => on_a_board(figure, database, id, game),
            Self::Registered(start) => in_a_table(figure, database, id, start.as_ref()),
        }
    }
}

fn on_a_board(
    figure: String,
    database: &Database,
    id: &GameId,
    game: &AnyGame,
) -> Result<Option<Figure>, ReportError> {
    let mut values = Vec::new();
    for m in game.moves(game.initial()) {
        let (key, _) = game.canonical(game.play(game.initial(), m));
        let Some(row) = database.position(id, key)? else { continue };
        values.push((m, Origin::Database.says(row.value.for_parent())));
    }
    // The best moves are known only if all values are.
    let all = values.len() == game.moves(game.initial()).len() as usize;
    Ok(all.then(|| board::first_moves(figure, game, &values)))
}

fn in_a_table(
    figure: String,
    database: &Database,
    id: &GameId,
    start: &dyn Study,
) -> Result<Option<Figure>, ReportError> {
    let mut lookup = database.lookup(id)?;
    let situation = Situation::of(start, |study| -> Result<_, DatabaseError> {
        Ok(lookup
            .position(study.canonical().expect("games of 64-bit keys are stored").0)?
            .as_ref()
            .and_then(PositionRow::worth))
    })?;
    if !situation.is_whole() || situation.moves.is_empty() {
        return Ok(None);
    }
    let mut table = Table::new(&["move", "outcome", "remoteness", "best"]);
    for (branch, worth) in &situation.moves {
        let best = if situation.is_best(branch) { "yes" } else { "no" };
        table.rows.push(vec![
            branch.text.clone(),
            cell(worth.map(Worth::outcome)),
            cell(worth.and_then(Worth::remoteness)),
            best.to_owned(),
        ]);
    }
    Ok(Some(Figure {
        id: figure,
        title: format!("First moves of {}", start.picture()),
        note:
            "The outcome of every first move for the side that makes it, and the plies to the end \
               with best play; without a number if play is endless."
                .to_owned(),
        svg: None,
        table,
    }))
}
