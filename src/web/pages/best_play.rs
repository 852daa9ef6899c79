//! Best play from a position to the end of the game, as links.

use super::links::{button, step};
use super::view::View;
use crate::web::prelude::*;
use everyply_results::oracle::BestPlay;

/// The panel of a view; `None` if it needs a search and none is wanted.
pub async fn best_play(
    explorer: &Shared,
    view: &View,
    search: bool,
    limit: Option<Duration>,
) -> Result<Option<Markup>, ApiError> {
    if view.position().result().is_some() {
        return Ok(Some(panel(view, None, "The game is over.")));
    }
    let known = match explorer.oracle.known_best_play(view.position())? {
        Some(known) => Some(known),
        None if !search => return Ok(None),
        None => {
            let (this, shown) = (explorer.clone(), view.clone());
            let work = move |control: &Control| this.oracle.best_play(shown.position(), control);
            match explorer.searches.run(limit, work).await? {
                Ok(found) => Some(found),
                Err(OracleError::Stopped(_) | OracleError::Engine { .. }) => None,
                Err(error) => return Err(error.into()),
            }
        }
    };
    let remark = match &known {
        None => "Not found within the time limit.",
        Some(play) if play.repeats => "Then a position repeats: play is endless.",
        Some(_) => "",
    };
    Ok(Some(panel(view, known.as_ref(), remark)))
}

/// The moves of best play as steps, and buttons that step along them.
fn panel(view: &View, play: Option<&BestPlay>, remark: &str) -> Markup {
    let texts = play.map(BestPlay::texts).unwrap_or_default();
    let played = view.played().into_iter();
    let moves: Vec<&str> = played.chain(texts.iter().map(|text| &text[..])).collect();
    let mut mover = view.side_to_move();
    let steps = play.into_iter().flat_map(|play| &play.moves).zip(view.at + 1..);
    let steps: Vec<(Markup, String)> = steps
        .map(|((label, keeps_turn), at)| {
            let (url, by) = (view.url_of(&moves, at), mover);
            mover = if *keeps_turn { by } else { by.other() };
            (step(&url, Some((by, view.name(by))), label, false), url)
        })
        .collect();
    if steps.is_empty() && remark.is_empty() {
        return html! {};
    }
    let back = view.at.checked_sub(1).map(|at| view.url_at(at));
    let url = |step: Option<&(Markup, String)>| step.map(|(_, url)| url.clone());
    html! {
        @if !steps.is_empty() {
            h2 { "Best play from here" }
            ol.steps #variation { @for (step, _) in &steps { (step) } }
        }
        @if !remark.is_empty() { p { (remark) } }
        div.controls {
            (button("back", "Step back", "j", back))
            (button("on", "Step forward", "k", url(steps.first())))
            (button("end", "To the end", "e", url(steps.last())))
        }
    }
}
