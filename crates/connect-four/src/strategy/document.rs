//! JSON document and text of an explanation, for the command line and HTTP.

use std::fmt::Write;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Description, Explanation, RouteEnd, RouteToPlan, Side, cell_name};
use crate::solver::score_of;
use everyply_core::game::{Game, Move, Outcome, PartialValue, Tiered, ValueRow};
use everyply_core::games::line::notation::{picture, side_to_move, write_moves};
use everyply_core::games::line::{ConnectFour, LineGame, Stones};
use everyply_core::statistics::counted;

/// The explanation of the value of a position.
#[derive(JsonSchema, Serialize)]
pub struct ExplanationDocument {
    game: &'static str,
    board: String,
    line: u8,
    moves: Option<String>,
    position: String,
    to_move: char,
    over: bool,
    value: ValueRow,
    score: i32,
    best: Vec<u32>,
    /// Empty if the game is over.
    plans: Vec<PlanDocument>,
    elapsed_s: f64,
    text: String,
}

/// The route of a side to a plan, and the plan.
#[derive(JsonSchema, Serialize)]
struct PlanDocument {
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

impl From<&Description> for PlanFacts {
    fn from(description: &Description) -> Self {
        let game = ConnectFour::new(description.size).expect("a board that was described");
        Self {
            position: picture(&game, description.position),
            at_least: description.claim.at_least,
            sentences: description.sentences(),
            picture: description.picture().lines().map(String::from).collect(),
            legend: description.legend(),
        }
    }
}

impl ExplanationDocument {
    /// Makes the document. `moves` are the moves that the position was given by; `None` if it was
    /// given as a picture.
    pub fn new(
        game: &ConnectFour,
        explanation: &Explanation,
        moves: Option<String>,
        elapsed: Duration,
    ) -> Self {
        let Explanation { position, value, ref best, ref routes, .. } = *explanation;
        let size = game.size();
        let plan = |route: &RouteToPlan| {
            let (proves, plan) = match &route.end {
                RouteEnd::GameOver => (None, None),
                RouteEnd::Plan { description, is_exact } => (
                    Some(if *is_exact { "score" } else { "outcome" }),
                    Some(PlanFacts::from(&**description)),
                ),
            };
            PlanDocument {
                side: route.side.stone(),
                moves: write_moves(game, &route.moves),
                plies: route.moves.len(),
                proves,
                plan,
            }
        };
        Self {
            game: game.name(),
            board: size.board(),
            line: size.line,
            moves,
            position: picture(game, position),
            to_move: side_to_move(position),
            over: game.result(position).is_some(),
            value: value.into(),
            score: score_of(value, game.plies_left(position) as i32),
            best: best.iter().copied().map(Move::number).collect(),
            plans: routes.iter().map(plan).collect(),
            elapsed_s: elapsed.as_secs_f64(),
            text: in_words(game, explanation),
        }
    }

    /// Returns the explanation in words.
    pub fn text(&self) -> &str {
        &self.text
    }
}

fn in_words(game: &ConnectFour, explanation: &Explanation) -> String {
    let Explanation { position, value, ref routes, .. } = *explanation;
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
    let _ = writeln!(text, "{}", explanation.moves_sentence(game));
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
    pub fn moves_sentence(&self, game: &ConnectFour) -> String {
        let position = self.position;
        let names = |moves: &[Move]| -> Vec<String> {
            let name = |m: &Move| format!("{} ({})", m.number(), cell_of(game, position, *m));
            moves.iter().map(name).collect()
        };
        let side = side_to_move(position).to_string();
        let (best, as_good) = (names(&self.best), names(&self.as_good));
        let all = game.moves(position).len() as usize;
        self.value.outcome.moves_in_words(&side, &best, (&as_good, ["later", "latest"]), all)
    }

    /// Returns the JSON document of `analyze explain`, without the time it took.
    pub fn to_json(&self, game: &ConnectFour) -> String {
        let document = ExplanationDocument::new(game, self, None, Duration::ZERO);
        serde_json::to_string(&document).expect("a document of numbers and texts")
    }
}
