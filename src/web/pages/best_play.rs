//! Best play from a position to the end of the game, as links.

use maud::{Markup, html};

use super::model::{Model, PositionLink};
use super::panels::button;
use super::view::View;
use crate::control::Control;
use crate::game::Move;
use crate::oracle::{OracleError, Valued};
use crate::web::Shared;
use crate::web::api::ApiError;

/// Best play from the position that is shown.
pub enum BestPlay {
    /// The game is over.
    Over,
    /// The position after each move, to the end of the game.
    Ends(Vec<PositionLink>),
    /// The position after each move, until a position repeats.
    Repeats(Vec<PositionLink>),
    /// The time limit was reached.
    Unknown,
}

/// The panel of a view.
pub async fn best_play<G: Valued>(explorer: &Shared, view: &View<G>) -> Result<Markup, ApiError> {
    Ok(best_play_panel(&view.model(), &of_view(explorer, view).await?))
}

async fn of_view<G: Valued>(explorer: &Shared, view: &View<G>) -> Result<BestPlay, ApiError> {
    let (game, position) = (view.game, view.position());
    if game.result(position).is_some() {
        return Ok(BestPlay::Over);
    }
    let this = explorer.clone();
    let work = move |control: &Control| this.oracle.variation(&game, position, control);
    let variation: Vec<Move> = match explorer.searches.run(None, work).await? {
        Ok(variation) => variation,
        Err(OracleError::Stopped(_)) => return Ok(BestPlay::Unknown),
        Err(error) => return Err(error.into()),
    };
    let moves = view.moves[..view.at].iter().chain(&variation).copied().collect();
    let mut places = view.with_moves(moves).model().positions;
    Ok(BestPlay::Ends(places.split_off(view.at + 1)))
}

/// The panel of best play.
pub fn best_play_panel(model: &Model, play: &BestPlay) -> Markup {
    let places: &[PositionLink] = match play {
        BestPlay::Ends(places) | BestPlay::Repeats(places) => places,
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
            BestPlay::Repeats(_) => p { "Then a position repeats: play is endless." },
            BestPlay::Ends(_) => {}
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
