//! An explanation in words, and its plans as parts of a JSON document.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Description, Explanation, RouteEnd, RouteToPlan, Side, cell_name};
use everyply_core::game::{Game, Move, Outcome, PartialValue};
use everyply_core::games::line::notation::{picture, side_to_move, write_moves};
use everyply_core::games::line::{ConnectFour, LineGame, Stones};
use everyply_core::statistics::counted;

/// The route of a side to a plan, and the plan.
#[derive(JsonSchema, Serialize)]
pub struct PlanDocument {
    side: char,
    /// Best play until the plan holds, as a move string that continues the position's.
    moves: String,
    plies: usize,
    /// The claim that the plan proves: `score` or `outcome`; `null` if the game ends with those moves.
    proves: Option<&'static str>,
    plan: Option<PlanFacts>,
}

/// The facts of a plan. Cells are named by column letter and row from the bottom.
#[derive(JsonSchema, Serialize)]
struct PlanFacts {
    position: String,
    at_least: i32,
    sentences: Vec<String>,
    picture: Vec<String>,
    legend: Vec<(String, String)>,
}

fn cell_of(game: &ConnectFour, position: Stones, m: Move) -> String {
    let cell = game.play(position, m).occupied() ^ position.occupied();
    cell_name(game.size(), cell.trailing_zeros())
}

impl RouteToPlan {
    /// Describes the route from the explained position to the plan in a sentence.
    pub fn sentence(&self, game: &ConnectFour, position: Stones) -> String {
        let mut at = position;
        let cell = |m: &Move| {
            let name = cell_of(game, at, *m);
            at = game.play(at, *m);
            name
        };
        let moves = self.moves.iter().map(cell).collect::<Vec<_>>().join(" ");
        let side = self.side.stone();
        let plies = counted(self.moves.len() as u64, "ply");
        let starts = Side::to_move(position) == self.side;
        match (&self.end, self.moves.len()) {
            (RouteEnd::GameOver, 1) => format!("{side} ends the game at once: {moves}."),
            (RouteEnd::GameOver, _) => {
                format!("The game ends before {side} needs a plan: best play is {moves}.")
            }
            (RouteEnd::Plan { .. }, 0) => format!("{side} has a plan from here on."),
            (RouteEnd::Plan { .. }, 1) if starts => {
                format!("{side} plays {moves} and has a plan from then on.")
            }
            (RouteEnd::Plan { .. }, _) => format!(
                "No plan of {side} was found here; best play leads to one in {plies}: {moves}."
            ),
        }
    }

    /// Returns the plan, if there is one, and its description in sentences.
    pub fn plan_sentences(&self) -> Option<(&Description, Vec<String>)> {
        let RouteEnd::Plan { description, is_exact } = &self.end else { return None };
        let mut sentences = description.sentences();
        if !is_exact {
            sentences.push("The plan proves the winner, not how soon the win comes.".to_owned());
        }
        Some((description, sentences))
    }
}

impl Explanation {
    /// Returns the moves that attain the outcome in a sentence, by their numbers and cells.
    pub fn moves_sentence(&self) -> String {
        let (game, position) = (&self.game, self.position);
        let names = |moves: &[Move]| -> Vec<String> {
            let name = |m: &Move| format!("{} ({})", m.number(), cell_of(game, position, *m));
            moves.iter().map(name).collect()
        };
        let side = side_to_move(position).to_string();
        let (best, as_good) = (names(&self.best), names(&self.as_good));
        let all = game.moves(position).len() as usize;
        self.value.outcome.moves_in_words(&side, &best, (&as_good, ["later", "latest"]), all)
    }

    /// Returns the explanation in words.
    pub fn text(&self) -> String {
        let Self { ref game, position, value, ref routes, .. } = *self;
        let mut text = String::new();
        if game.result(position).is_some() {
            let winner = Side::to_move(position).opponent().stone();
            let end = match value.outcome {
                Outcome::Draw => "a draw".to_owned(),
                _ => format!("{winner} has won"),
            };
            let _ = writeln!(text, "The game is over: {end}.");
            return text;
        }
        let _ = writeln!(text, "{}", self.moves_sentence());
        let _ = writeln!(
            text,
            "\nvalue      {}",
            PartialValue::from(value).words_for(side_to_move(position))
        );
        for route in routes {
            let _ = writeln!(text, "\n{}", route.sentence(game, position));
            let Some((description, sentences)) = route.plan_sentences() else { continue };
            let _ = writeln!(text, "\n{}", description.picture());
            for (mark, meaning) in description.legend() {
                let _ = writeln!(text, "{mark:<3}{meaning}");
            }
            let _ = writeln!(text, "\n{}", sentences.join("\n"));
        }
        text
    }

    /// Returns the plans; none if the game is over.
    pub fn plans(&self) -> Vec<PlanDocument> {
        let plan = |route: &RouteToPlan| {
            let (proves, plan) = match &route.end {
                RouteEnd::GameOver => (None, None),
                RouteEnd::Plan { description, is_exact } => {
                    let facts = PlanFacts {
                        position: picture(&self.game, description.position),
                        at_least: description.claim.at_least,
                        sentences: description.sentences(),
                        picture: description.picture().lines().map(String::from).collect(),
                        legend: description.legend(),
                    };
                    (Some(if *is_exact { "score" } else { "outcome" }), Some(facts))
                }
            };
            PlanDocument {
                side: route.side.stone(),
                moves: write_moves(&self.game, &route.moves),
                plies: route.moves.len(),
                proves,
                plan,
            }
        };
        self.routes.iter().map(plan).collect()
    }
}
