//! Puzzles: positions in which one move alone keeps the result, found by random play from a seed.

use std::sync::Arc;

use axum::extract::RawQuery;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::{Markup, html};

use super::board::board;
use super::scene::Scene;
use super::view::{View, encoded};
use super::{error_page, page};
use crate::control::Control;
use crate::game::Outcome;
use crate::oracle::OracleError;
use crate::random::Random;
use crate::registry::Course;
use crate::web::Shared;
use crate::web::api::{ApiError, MoveValues};
use crate::web::record::{GameRecord, GameRequest};
use crate::web::request::{BadRequest, Query, shown};
use crate::web::text::{self, sentence};

/// The difficulties, each with the most plies to the end of the game.
const LEVELS: [(&str, u8); 3] = [("easy", 5), ("medium", 11), ("hard", u8::MAX)];
/// Most plies before the end of a game that ends: the values of such positions take no long proof.
const MOST_LEFT: u32 = 24;
/// Random games that are tried.
const TRIES: u32 = 4000;
/// Most moves of a random game in which play may be endless.
const MOST_MOVES: u32 = 30;

/// `/puzzles?game=NAME`: a puzzle with this `level` and `seed`, and what an `answer` to it is worth.
pub async fn puzzles(explorer: Shared, headers: HeaderMap, RawQuery(query): RawQuery) -> Response {
    let made = async {
        let mut query = Query::new(query.as_deref())?;
        let level = query.take("level").unwrap_or_else(|| LEVELS[0].0.to_owned());
        let level = LEVELS.iter().position(|(name, _)| *name == level).ok_or_else(|| {
            let names = LEVELS.map(|(name, _)| name).join(", ");
            BadRequest(format!("invalid value '{}' for 'level': {names}", shown(&level)))
        })?;
        let seed = query.take("seed").unwrap_or_else(|| "1".to_owned());
        let seed: u32 = seed.parse().map_err(|_| {
            BadRequest(format!("invalid value '{}' for 'seed': a number", shown(&seed)))
        })?;
        let answer = query.take("answer");
        let request = GameRequest::read(&explorer.registry, &mut query)?;
        query.done()?;
        let record = request.without_moves("their seed")?;
        let title = format!("{}: find the only move", record.start().title());
        let main = main(&explorer, record, level, seed, answer.as_deref()).await?;
        Ok::<_, ApiError>(page(&headers, StatusCode::OK, &title, &main))
    };
    made.await.unwrap_or_else(|error| error_page(&headers, error))
}

/// The address of a puzzle.
fn url(record: &GameRecord, level: usize, seed: u32) -> String {
    let mut pairs = vec![("game".to_owned(), record.entry.name.to_owned())];
    pairs.extend(record.query(&[]));
    pairs.push(("level".to_owned(), LEVELS[level].0.to_owned()));
    pairs.push(("seed".to_owned(), seed.to_string()));
    format!("/puzzles?{}", encoded(&pairs))
}

/// The first position that random play from a seed finds, with the values of its moves.
fn found(
    explorer: &Shared,
    record: &GameRecord,
    level: usize,
    seed: u32,
    control: &Control,
) -> Result<Option<(Course, MoveValues)>, OracleError> {
    let mut random = Random::new(u64::from(seed) << 2 | level as u64);
    let least = level.checked_sub(1).map_or(0, |easier| LEVELS[easier].1);
    let longest = record.start().plies_left().unwrap_or(MOST_MOVES);
    for _ in 0..TRIES {
        control.check()?;
        let mut course = Course::new(record.start().boxed());
        for _ in 0..random.below(longest.max(1)) {
            let mut branches = course.study().branches();
            if branches.is_empty() {
                break;
            }
            let branch = branches.swap_remove(random.below(branches.len() as u32) as usize);
            course.play(&branch.text).expect("a move of the position");
        }
        let study = course.study();
        let is_far = study.plies_left().is_some_and(|left| left > MOST_LEFT);
        if study.result().is_some() || is_far || study.branches().len() < 2 {
            continue;
        }
        let moves = explorer.oracle.prove_moves(study, control, &mut |_| ())?;
        let values = moves.iter().map(|m| (m.branch.bit, m.value)).collect();
        let values = MoveValues { values, lack: None };
        let Some((best, _)) = values.best() else { continue };
        let plies = best.value.remoteness.map_or(u8::MAX, |plies| plies.0);
        let keeps =
            values.values.iter().filter(|(_, value)| value.value.outcome == best.value.outcome);
        let is_fit =
            (least < plies && plies <= LEVELS[level].1) || (level == 2 && plies == u8::MAX);
        if best.value.outcome != Outcome::Loss && keeps.count() == 1 && is_fit {
            return Ok(Some((course, values)));
        }
    }
    Ok(None)
}

async fn main(
    explorer: &Shared,
    record: Arc<GameRecord>,
    level: usize,
    seed: u32,
    answer: Option<&str>,
) -> Result<Markup, ApiError> {
    let (this, game) = (explorer.clone(), Arc::clone(&record));
    let work = move |control: &Control| found(&this, &game, level, seed, control);
    let found = match explorer.searches.run(None, work).await? {
        Err(OracleError::Stopped(_)) => None,
        found => found?,
    };
    let (words, table, links) = match found {
        None => {
            let error = "No such puzzle was found: choose another difficulty.";
            (html! { p.error role="alert" { (error) } }, html! {}, html! {})
        }
        Some((course, values)) => {
            let mut view = View::of(Arc::new(record.with_course(course)));
            let explore = view.url();
            let side = view.model().name(view.side_to_move());
            let (best, only) = values.best().expect("a puzzle has values");
            let aim = match best.value.outcome {
                Outcome::Win => "wins",
                _ => "holds the draw",
            };
            let branches = view.study().branches();
            let tried = answer.and_then(|answer| branches.iter().find(|b| b.text == answer));
            let is_right = tried.is_some_and(|branch| only.has(branch.bit));
            let said = match tried {
                None => format!(
                    "{}: one move alone {aim}. Which one?",
                    sentence(&format!("{side} to move"))
                ),
                Some(branch) if is_right => {
                    format!("Right: {} is the only move that {aim}.", branch.text)
                }
                Some(branch) => {
                    let value = values.value(branch).expect("every move has a value").value;
                    let words = text::value(value, side, record.has_endless_draws());
                    format!("No: {} leads to a {words}. Try again.", branch.text)
                }
            };
            view.hints = is_right;
            view.puzzle = (!is_right).then(|| url(&record, level, seed));
            let scene = Scene::new(view, values);
            let links = html! {
                p.controls {
                    a.button #next href=(url(&record, level, seed.wrapping_add(1))) { "Another one" }
                    a.button href=(explore) { "Explore the position" }
                }
            };
            let table =
                html! { div.scroll tabindex="-1" { (board(&scene)) } p #notice role="status" {} };
            (html! { p #status role="status" { (said) } }, table, links)
        }
    };
    Ok(html! {
        div."columns puzzle" {
            div.head {
                div #state {}
                h1 { "Find the only move" small { (record.start().title()) } }
                (words)
            }
            div.table { (table) }
            div.side {
                (links)
                section.panel {
                    h2 { "Difficulty" }
                    p.controls {
                        @for (other, (name, _)) in LEVELS.iter().enumerate() {
                            a.button href=(url(&record, other, seed))
                                aria-current=[(other == level).then_some("true")] { (name) }
                        }
                    }
                    p.help {
                        "Positions come from random games, and the value of every move is proved: in easy ones \
                         the game is over within 5 plies of best play, in medium ones within 11."
                    }
                }
            }
        }
    })
}
