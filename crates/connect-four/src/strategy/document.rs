//! JSON document and text of an explanation, for the command line and HTTP.

use std::fmt::Write;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::file::column_letter;
use super::{Description, Explanation, RouteEnd, RouteToPlan, Side, cell_name, cell_names};
use crate::game::ValueRow;
use crate::game::{Game, Move, Outcome, PartialValue, Tiered};
use crate::games::line::notation::{picture, side_to_move, write_moves};
use crate::games::line::{ConnectFour, LineGame, Stones};
use crate::solver::score_of;
use crate::statistics::counted;

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
    /// Positions of a whole strategy from the position, if no plan holds at once and a strategy was
    /// found quickly.
    strategy_positions: Option<u64>,
    elapsed_s: f64,
    /// The explanation in words.
    text: String,
}

/// The route of a side to a plan, and the plan.
#[derive(JsonSchema, Serialize)]
struct PlanDocument {
    /// The side of the plan.
    side: char,
    /// Best play until the plan holds, as a move string that continues the position's.
    moves: String,
    /// The number of these moves.
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
    cells: Cells,
    traps: Vec<Trap>,
    on_top: Vec<String>,
    pairs: Vec<[String; 2]>,
    elsewhere: Vec<AnsweredCell>,
    longest: u32,
    can_draw: bool,
    open_lines: u32,
    blocked_lines: Vec<Blocked>,
    positions: u64,
}

/// The cells that the sides can get.
#[derive(JsonSchema, Serialize)]
struct Cells {
    follower_only: Vec<String>,
    attacker_only: Vec<String>,
    either: Vec<String>,
    never: Vec<String>,
}

/// A line that the follower threatens to complete.
#[derive(JsonSchema, Serialize)]
struct Trap {
    cell: String,
    line: Vec<String>,
    is_threat: bool,
    latest: u32,
}

/// The answers to a stone.
#[derive(JsonSchema, Serialize)]
struct AnsweredCell {
    cell: String,
    answers: Vec<String>,
}

/// A line that the attacker cannot complete.
#[derive(JsonSchema, Serialize)]
struct Blocked {
    line: Vec<String>,
    by: Vec<String>,
}

impl From<&Description> for PlanFacts {
    fn from(description: &Description) -> Self {
        let d = description;
        let cells = |mask| cell_names(d.size, mask);
        let on_top = (0..u32::from(d.size.width)).filter(|column| d.on_top >> column & 1 == 1);
        Self {
            position: picture(&ConnectFour::new(d.size).expect("described"), d.position),
            at_least: d.claim.at_least,
            sentences: d.sentences(),
            picture: d.picture().lines().map(String::from).collect(),
            legend: d.legend(),
            cells: Cells {
                follower_only: cells(d.follower_only),
                attacker_only: cells(d.attacker_only),
                either: cells(d.either),
                never: cells(d.never),
            },
            traps: d
                .traps()
                .into_iter()
                .map(|trap| Trap {
                    cell: cell_name(d.size, trap.cell),
                    line: cells(trap.line),
                    is_threat: trap.is_threat,
                    latest: trap.latest,
                })
                .collect(),
            on_top: on_top.map(|column| column_letter(column).to_string()).collect(),
            pairs: d
                .pairs
                .iter()
                .map(|(a, b)| [cell_name(d.size, *a), cell_name(d.size, *b)])
                .collect(),
            elsewhere: d
                .elsewhere
                .iter()
                .map(|(cell, answers)| AnsweredCell {
                    cell: cell_name(d.size, *cell),
                    answers: cells(*answers),
                })
                .collect(),
            longest: d.longest,
            can_draw: d.can_draw,
            open_lines: d.open_lines,
            blocked_lines: d
                .blocked
                .iter()
                .map(|blocked| Blocked { line: cells(blocked.line), by: cells(blocked.by) })
                .collect(),
            positions: d.positions,
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
        strategy_positions: Option<u64>,
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
            strategy_positions,
            elapsed_s: elapsed.as_secs_f64(),
            text: in_words(game, explanation, strategy_positions),
        }
    }

    /// Returns the explanation in words.
    pub fn text(&self) -> &str {
        &self.text
    }
}

fn in_words(
    game: &ConnectFour,
    explanation: &Explanation,
    strategy_positions: Option<u64>,
) -> String {
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
    if let Some(positions) = strategy_positions {
        let _ = writeln!(text, "\n{}", whole_strategy_sentence(positions));
    }
    text
}

/// Returns the name of the cell that a move takes.
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

/// Reports the size of a whole strategy in a sentence.
pub fn whole_strategy_sentence(positions: u64) -> String {
    format!("A whole strategy from this position holds {}.", counted(positions, "position"))
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
        self.value.outcome.moves_in_words(&side, &best, &as_good, all)
    }

    /// Returns the JSON document of `analyze explain`, without the time it took.
    pub fn to_json(&self, game: &ConnectFour) -> String {
        let document = ExplanationDocument::new(game, self, None, None, Duration::ZERO);
        serde_json::to_string(&document).expect("a document of numbers and texts")
    }
}
