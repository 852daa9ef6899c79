//! Best play from a position to the end of the game, to be walked move by move.

use maud::{Markup, html};

use super::model::{Model, Place};
use super::panels::button;
use super::view::View;
use crate::control::Control;
use crate::game::Move;
use crate::oracle::{OracleError, Valued};
use crate::web::Shared;
use crate::web::api::ApiError;

/// Best play from the place that is shown.
pub enum Line {
    /// There is no move.
    Over,
    /// What each of its moves leads to.
    Ends(Vec<Place>),
    /// The same until a position comes back.
    Repeats(Vec<Place>),
    /// Time was up.
    Unknown,
}

/// The panel of a view.
pub async fn line<G: Valued>(explorer: &Shared, view: &View<G>) -> Result<Markup, ApiError> {
    Ok(line_panel(&view.model(), &of_view(explorer, view).await?))
}

async fn of_view<G: Valued>(explorer: &Shared, view: &View<G>) -> Result<Line, ApiError> {
    let (game, position) = (view.game, view.position());
    if game.result(position).is_some() {
        return Ok(Line::Over);
    }
    let this = explorer.clone();
    let work = move |control: &Control| this.oracle.variation(&game, position, control);
    let variation: Vec<Move> = match explorer.searches.run(None, work).await? {
        Ok(variation) => variation,
        Err(OracleError::Stopped(_)) => return Ok(Line::Unknown),
        Err(error) => return Err(error.into()),
    };
    let moves = view.moves[..view.at].iter().chain(&variation).copied().collect();
    let mut places = view.with_moves(moves).model().places;
    Ok(Line::Ends(places.split_off(view.at + 1)))
}

/// The panel of best play.
pub fn line_panel(model: &Model, line: &Line) -> Markup {
    let places: &[Place] = match line {
        Line::Ends(places) | Line::Repeats(places) => places,
        Line::Over | Line::Unknown => &[],
    };
    let mut mover = model.here().to_move;
    let steps = places.iter().map(|place| {
        let by = std::mem::replace(&mut mover, place.to_move);
        model.step(place, Some(by), false)
    });
    let steps: Vec<Markup> = steps.collect();
    html! {
        h2 { "Best play from here" }
        @if !steps.is_empty() { ol.steps #variation { @for step in &steps { (step) } } }
        @match line {
            Line::Over => p { "The game is over." },
            Line::Unknown => p { "Not found in the time there is." },
            Line::Repeats(_) => p { "Then a position comes back: play has no end." },
            Line::Ends(_) => {}
        }
        (walk(model, places))
    }
}

/// Steps along the line, which stays among the moves that can be redone.
fn walk(model: &Model, places: &[Place]) -> Markup {
    let url = |place: &Place| place.url.clone();
    let back = model.at.checked_sub(1).map(|at| url(&model.places[at]));
    html! {
        div.controls {
            (button("back", "Step back", "j", back))
            (button("on", "Step forward", "k", places.first().map(url)))
            (button("end", "To the end", "e", places.last().map(url)))
        }
    }
}
