//! Best play from a position to the end of the game, as links.

use std::time::Duration;

use maud::{Markup, html};

use super::model::{Model, PositionLink};
use super::panels::button;
use super::view::View;
use crate::control::Control;
use crate::oracle::{self, OracleError};
use crate::web::Shared;
use crate::web::api::ApiError;

/// Best play from the position that is shown.
enum BestPlay {
    /// The game is over.
    Over,
    /// The position after each move, and whether the last one was there before.
    Found { links: Vec<PositionLink>, repeats: bool },
    /// The time limit was reached, or no engine takes the game.
    Unknown,
}

/// The panel of a view; `None` if it needs a search and none is wanted.
pub async fn best_play(
    explorer: &Shared,
    view: &View,
    search: bool,
    limit: Option<Duration>,
) -> Result<Option<Markup>, ApiError> {
    let model = view.model();
    if view.study().result().is_some() {
        return Ok(Some(panel(&model, &BestPlay::Over)));
    }
    let known = explorer.oracle.known_best_play(view.study())?;
    let found = match known {
        Some(known) => BestPlay::of(view, &known),
        None if !search => return Ok(None),
        None => {
            let (this, shown) = (explorer.clone(), view.clone());
            let work = move |control: &Control| this.oracle.best_play(shown.study(), control);
            match explorer.searches.run(limit, work).await? {
                Ok(found) => BestPlay::of(view, &found),
                Err(OracleError::Stopped(_) | OracleError::Engine { .. }) => BestPlay::Unknown,
                Err(error) => return Err(error.into()),
            }
        }
    };
    Ok(Some(panel(&model, &found)))
}

impl BestPlay {
    fn of(view: &View, play: &oracle::BestPlay) -> Self {
        let texts = play.texts();
        let moves: Vec<&str> =
            view.played().into_iter().chain(texts.iter().map(|text| &text[..])).collect();
        let mut to_move = view.side_to_move();
        let links = play.moves.iter().zip(view.at + 1..).map(|((label, keeps_turn), at)| {
            to_move = if *keeps_turn { to_move } else { to_move.other() };
            PositionLink { url: view.url_of(&moves, at), label: label.clone(), to_move }
        });
        Self::Found { links: links.collect(), repeats: play.repeats }
    }
}

/// The panel of best play.
fn panel(model: &Model, play: &BestPlay) -> Markup {
    let places: &[PositionLink] = match play {
        BestPlay::Found { links, .. } => links,
        BestPlay::Over | BestPlay::Unknown => &[],
    };
    let mut mover = model.current().to_move;
    let steps = places.iter().map(|place| {
        let by = std::mem::replace(&mut mover, place.to_move);
        model.step(place, Some(by), false)
    });
    let steps: Vec<Markup> = steps.collect();
    html! {
        h2 { "Best play from here" }
        @if !steps.is_empty() { ol.steps #variation { @for step in &steps { (step) } } }
        @match play {
            BestPlay::Over => p { "The game is over." },
            BestPlay::Unknown => p { "Not found within the time limit." },
            BestPlay::Found { repeats: true, .. } => {
                p { "Then a position repeats: play is endless." }
            }
            BestPlay::Found { .. } => {}
        }
        (walk(model, places))
    }
}

/// Buttons that step along best play, whose moves can be redone.
fn walk(model: &Model, places: &[PositionLink]) -> Markup {
    let url = |place: &PositionLink| place.url.clone();
    let back = model.at.checked_sub(1).map(|at| url(&model.positions[at]));
    html! {
        div.controls {
            (button("back", "Step back", "j", back))
            (button("on", "Step forward", "k", places.first().map(url)))
            (button("end", "To the end", "e", places.last().map(url)))
        }
    }
}
