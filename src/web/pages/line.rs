//! Best play from a position to the end of the game, to be walked move by move.

use maud::{Markup, html};

use super::panels::{button, step};
use super::view::View;
use crate::game::Move;
use crate::oracle::{OracleError, Valued};
use crate::web::Shared;
use crate::web::api::ApiError;

/// The panel of a view.
pub async fn line<G: Valued>(explorer: &Shared, view: &View<G>) -> Result<Markup, ApiError> {
    let (game, position) = (view.game, view.position());
    let titled = |text: Markup| html! { h2 { "Best play from here" } (text) };
    if game.result(position).is_some() {
        return Ok(titled(html! { p { "The game is over." } (walk(view, None)) }));
    }
    let (control, _guard) = explorer.workers.control(None);
    let this = explorer.clone();
    let work =
        move |control: &crate::control::Control| this.oracle.variation(&game, position, control);
    let variation: Vec<Move> = match explorer.run(control, work).await? {
        Ok(variation) => variation,
        Err(OracleError::Stopped(_)) => {
            return Ok(titled(html! { p { "Not found in the time there is." } }));
        }
        Err(error) => return Err(error.into()),
    };
    let moves: Vec<Move> = view.moves[..view.at].iter().chain(&variation).copied().collect();
    let whole = view.with_moves(moves);
    Ok(titled(html! {
        ol.steps #variation {
            @for (i, m) in variation.iter().enumerate() {
                @let at = view.at + i + 1;
                (step(&whole.at(at).url(), false, &m.number().to_string(), side(at)))
            }
        }
        (walk(view, Some(&whole)))
    }))
}

/// The side that made the move to a ply.
pub fn side(ply: usize) -> Option<char> {
    ply.checked_sub(1).map(|before| if before % 2 == 0 { 'X' } else { 'O' })
}

/// Steps along the line, which stays among the moves that can be redone.
fn walk<G: Valued>(view: &View<G>, whole: Option<&View<G>>) -> Markup {
    let back = view.at.checked_sub(1).map(|at| view.at(at).url());
    html! {
        div.controls {
            (button("back", "Step back", "j", back))
            (button("on", "Step forward", "k", whole.map(|whole| whole.at(view.at + 1).url())))
            (button("end", "To the end", "e", whole.map(View::url)))
        }
    }
}
