//! The panels of a page around its board.

use super::board::board;
use super::links::{button, step, waiting};
use super::scene::Scene;
use super::view::View;
use super::{best_play, graph, setup, values, why};
use crate::web::api::{known_values, move_values};
use crate::web::prelude::*;
use crate::web::text::THINKING;

/// Plies of games that are solved while their page is made: at most 9! = 362,880 histories.
const SHORT: u32 = 9;

/// The rules of a game: a sentence, points, and the source.
fn rules(text: &str) -> Markup {
    let text = text.replace("\n  ", " ");
    let (points, others): (Vec<&str>, Vec<&str>) =
        text.lines().filter(|line| !line.is_empty()).partition(|line| line.starts_with("- "));
    html! {
        p { (others[0]) }
        ul { @for point in points { li { (point[2..]) } } }
        @for line in &others[1..] { p { (line) } }
    }
}

/// The page of a view, made after its searches if `wait` is true. `refused` is a pasted text that
/// cannot be read, with the error.
pub async fn main(
    explorer: &Shared,
    view: View,
    wait: bool,
    refused: Option<(&str, &str)>,
) -> Result<Markup, ApiError> {
    let now = wait || view.start().plies_left().is_some_and(|plies| plies <= SHORT);
    let found = match now {
        true => move_values(explorer, &view.record, view.at, None).await?,
        false => known_values(explorer, view.position())?,
    };
    let scene = Scene::new(view, found);
    let view = &scene.view;
    let values = (!scene.is_pending()).then(|| values::values(view, &scene.found));
    let best_play = best_play::best_play(explorer, view, now, None).await?;
    let graph = graph::graph(explorer, view, now, None).await?;
    let why = if now { Some(why::why(explorer, view, None).await?) } else { None };
    let machine = view.machine_moves_now();
    let level = view.level.filter(|_| machine);
    let reply =
        level.map(|level| format!("/api/v1/reply?{}&level={}", view.api_query(), level.name()));
    let watch = (!machine && scene.is_pending() && view.hints)
        .then(|| format!("/api/v1/watch?{}", view.api_query()));
    let query = view.part_query();
    let part = |name: &str, made: Option<&Markup>| part(name, &query, made);
    let played = view.record.length() > 0;
    let tabs = [
        (
            "moves",
            "Moves",
            view.hints.then(|| {
                html! {
                    (part("values", values.as_ref()))
                    (part("line", best_play.as_ref()))
                }
            }),
        ),
        ("reasons", "Why", view.hints.then(|| part("why", why.as_ref()))),
        (
            "game",
            "Game",
            (view.hints || played).then(|| {
                html! {
                    (record(view))
                    @if view.hints { (part("graph", graph.as_ref())) }
                }
            }),
        ),
        ("play", "Play", Some(options(view))),
        ("setup", "Set up", Some(setup::panel(view, refused))),
        ("rules", "Rules", view.record.entry.rules().map(rules)),
    ];
    let tabs = tabs.into_iter().filter_map(|(name, label, inside)| Some((name, label, inside?)));
    let mut tabs: Vec<_> = tabs.collect();
    if view.position().result().is_some() {
        // Once the game is over, the lesson comes first.
        tabs.sort_by_key(|(name, ..)| *name != "game");
    }
    Ok(html! {
        div.columns {
            div.head {
                div #state data-reply=[reply] data-watch=[watch] {}
                h1 { (view.start().info().title) }
                p #status role="status" { (scene.words()) }
            }
            div.table {
                div.scroll tabindex="-1" { (board(&scene)) }
                p #notice role="status" {}
                (controls(view))
            }
            div.side {
                @if machine {
                    (without_scripts(&format!("/move?{query}"), "Let the machine move"))
                } @else if view.hints && why.is_none() {
                    (without_scripts(&waiting(&view.url()), "Wait for the values"))
                }
                (tabbed(&tabs))
            }
        }
    })
}

/// Parts of a page, each with name, label and content; the script shows one at a time.
fn tabbed(tabs: &[(&str, &str, Markup)]) -> Markup {
    html! {
        div.tabs role="tablist" aria-label="Panels" {
            @for (at, (name, label, _)) in tabs.iter().enumerate() {
                button role="tab" type="button" id={ "tab-" (name) } aria-controls={ "panel-" (name) }
                    aria-selected=(at == 0) { (label) }
            }
        }
        @for (at, (name, _, inside)) in tabs.iter().enumerate() {
            div class=(if at == 0 { "tab shown" } else { "tab" }) id={ "panel-" (name) }
                role="tabpanel" aria-labelledby={ "tab-" (name) } { (inside) }
        }
    }
}

/// A panel that may need a search: made here, or requested by the script.
fn part(name: &str, query: &str, made: Option<&Markup>) -> Markup {
    let source = made.is_none().then(|| format!("/part/{name}?{query}"));
    html! {
        section.panel id=(name) data-src=[source] {
            @match made {
                Some(made) => (made),
                None => p.waiting { (THINKING) },
            }
        }
    }
}

fn without_scripts(url: &str, label: &str) -> Markup {
    html! { noscript { p { a.button href=(url) { (label) } } } }
}

/// The moves played, each a link, and their move string.
fn record(view: &View) -> Markup {
    html! {
        @if view.record.length() > 0 {
            section.panel {
                h2 { "Moves" }
                ol.steps #record {
                    @for at in 0..=view.record.length() {
                        @let mover = view.mover(at).map(|side| (side, view.name(side)));
                        (step(&view.url_at(at), mover, view.label(at), at == view.at))
                    }
                }
                p { "Move string " code #moves { (view.move_string()) } }
            }
        }
    }
}

fn controls(view: &View) -> Markup {
    let flipped = View { second: !view.second, ..view.clone() };
    let waits = view.is_machines_turn() && !view.machine_moves_now();
    let at = |at: Option<usize>| at.map(|at| view.url_at(at));
    let nothing: [&str; 0] = [];
    html! {
        div.controls {
            (button("undo", "Undo", "u", at(view.before())))
            (button("redo", "Redo", "r", at(view.after())))
            @if waits {
                (button("resume", "Play on from here", "p", Some(view.url_with(&view.played()))))
            }
            (button("new", "New game", "n", Some(view.url_with(&nothing))))
            (button("flip", "Flip sides", "f", Some(flipped.url())))
        }
        details.help {
            summary { "Keys" }
            "1 to 9 play, arrows and Enter choose, u undo, r redo, n new, f flip, \
             k and j step along best play."
        }
    }
}

fn options(view: &View) -> Markup {
    let levels = Level::ALL.into_iter();
    let levels = levels.filter(|level| !level.looks_ahead() || !view.record.is_endless());
    let level = |level: Level| {
        let label = format!("{}: {}", level.name(), level.rule());
        (level.name(), label, view.level == Some(level))
    };
    let neither = ("", "neither side".to_owned(), view.level.is_none());
    let [first, second] = view.record.side_names().map(str::to_owned);
    let choices = [
        ("The machine plays ", "level", [neither].into_iter().chain(levels.map(level)).collect()),
        ("You are ", "side", vec![("first", first, !view.second), ("second", second, view.second)]),
        (
            "Values ",
            "hints",
            vec![("on", "shown".to_owned(), view.hints), ("off", "hidden".to_owned(), !view.hints)],
        ),
    ];
    html! {
        form #options method="get" action=(view.path()) {
            (view.hidden_fields(&["level", "side", "hints"]))
            @for (label, name, options) in choices {
                label {
                    (label)
                    select name=(name) {
                        @for (value, label, is_chosen) in options {
                            option value=(value) selected[is_chosen] { (label) }
                        }
                    }
                }
            }
            // The script applies every choice as it is made.
            noscript { button type="submit" { "Apply" } }
        }
    }
}
