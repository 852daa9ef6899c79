//! The reason for a position's value: plans drawn and in words, or forks, forced moves and the
//! shortest win.

use super::links::waiting;
use super::view::View;
use crate::web::api::{Why, reason};
use crate::web::prelude::*;
use crate::web::text::sentence;
use everyply_connect_four::strategy::{Description, Explanation, RouteToPlan, column_letter};
use everyply_registry::registry::WinStep;

/// Time limit of reasons on a page whose visitor has not asked for them.
pub const UNASKED: Duration = Duration::from_secs(5);

pub async fn why(
    explorer: &Shared,
    view: &View,
    limit: Option<Duration>,
) -> Result<Markup, ApiError> {
    let inside = match reason(explorer, view.position(), limit).await {
        Ok(Why::Planned(explanation)) if explanation.routes.is_empty() => {
            html! { p { "The game is over." } }
        }
        Ok(Why::Planned(explanation)) => planned(view, &explanation),
        Ok(Why::Solved(solved)) => html! {
            @let (document, words) = &*solved;
            @for sentence in &words.sentences { p { (sentence) } }
            @if let (Some(_), Some(reasons)) = (&words.tree, &document.reasons) {
                @let mover = view.side_to_move();
                @let wins = reasons.win.first().is_some_and(|step| step.is_winners);
                h3 { "The shortest win" }
                // The stones of a board show which colour is whose.
                @if view.start().to_move().is_none() {
                    p aria-hidden="true" {
                        @for side in [Side::First, Side::Second] {
                            span class={ "turn " (side.class()) } { (view.name(side)) } " "
                        }
                    }
                }
                (tree(&reasons.win, if wins { [mover.other(), mover] } else { [mover, mover.other()] }, view))
                @if reasons.is_cut { p.help { "The tree is larger: this is its beginning." } }
            }
        },
        Ok(Why::Unknown) => html! {
            p { "No reason was found within the time limit." }
            p { a.button href=(waiting(&view.url())) { "Look for longer" } }
        },
        Err(ApiError { status: StatusCode::BAD_REQUEST, error }) => {
            html! { p { (sentence(&error)) "." } }
        }
        Err(error) => return Err(error),
    };
    Ok(html! { h2 { "Why" } (inside) })
}

/// Best play up to the first plans, with the plans drawn and in words.
fn planned(view: &View, explanation: &Explanation) -> Markup {
    // A link to the plan, unless the machine plays.
    let link = |route: &RouteToPlan| {
        let moves: Vec<String> = route.moves.iter().map(|m| m.number().to_string()).collect();
        (view.level.is_none() && !moves.is_empty()).then(|| view.url_after(&moves))
    };
    html! {
        p { (explanation.moves_sentence()) }
        @for route in &explanation.routes {
            p { (route.sentence(&explanation.game, explanation.position)) }
            @if let Some(url) = link(route) { p { a href=(url) { "Go to that position" } } }
            @if let Some((description, sentences)) = route.plan_sentences() {
                (drawn(description))
                ul.reasons { @for sentence in &sentences { li { (sentence) } } }
            }
        }
    }
}

/// The tree of a win, drawn; the sides are the loser and the winner.
fn tree(steps: &[WinStep], sides: [Side; 2], view: &View) -> Markup {
    html! {
        ul.branching {
            @for line in steps.iter().map(WinStep::line) {
                li {
                    @for (is_winners, moves) in &line.turns {
                        span class={ "turn " (sides[usize::from(*is_winners)].class()) } {
                            span.spoken { (view.name(sides[usize::from(*is_winners)])) " " } (moves)
                        }
                        " "
                    }
                    @if line.ends {
                        @if line.turns.last().is_some_and(|(is_winners, _)| *is_winners) { "wins" }
                        @else { "loses" }
                    }
                    @if !line.then.is_empty() { (tree(line.then, sides, view)) }
                }
            }
        }
    }
}

fn drawn(description: &Description) -> Markup {
    let rows = description.rows();
    let height = rows.len();
    let legend = description.legend();
    let meaning = |mark: char| {
        let of = |(marks, _): &&(String, String)| marks.split(' ').any(|m| m.starts_with(mark));
        legend.iter().find(of).map(|(_, means)| means)
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Roles of the empty cells in the plan" {
            table.marks {
                tbody {
                    @for (at, row) in rows.iter().enumerate() {
                        tr {
                            th scope="row" { (height - at) }
                            @for mark in row {
                                td class=[class_of(*mark)] title=[meaning(*mark)] { (mark) }
                            }
                        }
                    }
                }
                tfoot {
                    tr {
                        td {}
                        @for column in 0..rows[0].len() {
                            th scope="col" { (column_letter(column as u32)) }
                        }
                    }
                }
            }
        }
        dl.legend {
            @for (marks, means) in &legend {
                div { dt { (marks) } dd { (means) } }
            }
        }
    }
}

/// The style class of a mark: stones and cells of one side have its colour.
const fn class_of(mark: char) -> Option<&'static str> {
    match mark {
        'X' => Some("taken x"),
        'O' => Some("taken o"),
        'x' => Some("gets x"),
        'o' => Some("gets o"),
        '!' => Some("wins"),
        _ => None,
    }
}
