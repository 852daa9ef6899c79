//! The JSON document of a complete tree, on the command line and over HTTP.

use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Scoring, ScoringScore};
use everyply_core::control::Control;
use everyply_core::exhaustive::{Games, Plies, SolveError, Totals};
use everyply_core::game::{MoveStyle, PartialValue, ValueRow};
use everyply_core::games::line::{FullBoard, Size};
use everyply_core::statistics::PlyCounts;
use everyply_registry::registry::{Answers, Points, Position};

/// The fields of a JSON document that name a game: `board` and `line` on boards of lines.
#[derive(JsonSchema, Serialize)]
pub struct GameFields {
    game: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u8>,
    title: String,
    parameters: [u8; 3],
}

impl GameFields {
    /// The fields of the game of a position.
    pub fn of(study: &dyn Position) -> Self {
        let parameters = study.info().parameters;
        let is_lines = study.lines().is_some() || study.wide_lines().is_some();
        let size = is_lines.then(|| Size::of_parameters(parameters));
        Self {
            game: study.info().name,
            board: size.map(Size::board),
            line: size.map(|size| size.line),
            title: study.info().title.clone(),
            parameters,
        }
    }
}

/// A move in documents: a number where columns or cells have numbers, else a text.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum MoveName {
    Number(u32),
    Text(String),
}

impl fmt::Display for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl MoveName {
    /// The name of a move that the game writes as this text.
    pub fn new(study: &dyn Position, text: &str) -> Self {
        match text.parse() {
            Ok(number) if study.info().move_style != MoveStyle::Text => Self::Number(number),
            _ => Self::Text(text.to_owned()),
        }
    }
}

#[derive(JsonSchema, Serialize)]
pub struct TreeDocument {
    #[serde(flatten)]
    pub game: GameFields,
    /// The root, as the game writes positions.
    pub position: String,
    /// The side to move, in games that name sides.
    pub to_move: Option<char>,
    /// The value for the side to move.
    pub value: ValueRow,
    /// True if the value is a draw by endless play.
    pub endless: bool,
    /// The same as a score, if one was asked for.
    #[serde(flatten)]
    pub scored: Option<Scored>,
    /// The final points under best play for points, in games that count them: negative if the other
    /// side has more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    /// The moves that attain the points or, in games without points, the value.
    pub best: Vec<MoveName>,
    /// The moves that attain the value, in games that count points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soonest: Option<Vec<MoveName>>,
    pub threads: usize,
    pub elapsed_s: f64,
    pub counts: Counts,
    /// The counts of each ply, from the root on.
    pub plies: Vec<PlyCounts>,
    pub values: Vec<MoveRow>,
}

/// The score of the value under a convention.
#[derive(JsonSchema, Serialize)]
pub struct Scored {
    #[schemars(with = "String")]
    pub scoring: Scoring,
    #[schemars(with = "f64")]
    pub score: ScoringScore,
}

/// Counts of a tree; `null` is a count that was not made.
#[derive(JsonSchema, Serialize)]
pub struct Counts {
    pub nodes: Option<u64>,
    pub games: Option<u64>,
    pub first_player_wins: Option<u64>,
    pub second_player_wins: Option<u64>,
    pub draws: Option<u64>,
    #[serde(flatten)]
    pub full_board: Option<FullBoardCounts>,
    pub positions: u64,
    pub canonical_positions: u64,
    pub terminal_positions: u64,
    pub won_positions: u64,
    pub drawn_positions: u64,
    pub endless_positions: u64,
    pub lost_positions: u64,
}

/// Counts of the orderings that fill the board.
#[derive(JsonSchema, Serialize)]
pub struct FullBoardCounts {
    pub full_board_leaves: Option<u64>,
    pub full_board_nodes: Option<u64>,
}

#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SolvedMove")]
pub struct MoveRow {
    #[serde(rename = "move")]
    pub m: MoveName,
    #[serde(flatten)]
    pub value: ValueRow,
    /// The final points that the move leads to, for the side that makes it, in games that count
    /// them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
}

/// A tree that is counted and solved.
pub struct SolvedTree {
    pub answers: Box<dyn Answers>,
    /// Final points, in games that count them.
    pub points: Option<Points>,
    /// Without an entry where play has no end.
    pub plies: Plies,
}

impl SolvedTree {
    /// Solves a tree of `most` positions at most, and counts it.
    ///
    /// # Errors
    /// If it has more positions, or it is stopped.
    pub fn of(study: &dyn Position, most: u64, control: &Control) -> Result<Self, SolveError> {
        let answers = study.solve(most, control)?;
        let points = points_of(study, answers.as_ref(), control)?;
        let mut plies = Plies::default();
        if study.plies_left().is_some() {
            plies = answers.plies(u32::MAX, control)?;
        }
        Ok(Self { answers, points, plies })
    }

    /// The moves of the root, ascending.
    pub fn moves(&self) -> Vec<SolvedMove> {
        let moves = self.answers.moves().into_iter().enumerate();
        let row = |(i, (text, worth, is_soonest)): (usize, _)| {
            let played_for = self.points.as_ref().map(|points| (points.best, points.moves[i].1));
            let is_best = played_for.map_or(is_soonest, |(best, there)| there == best);
            SolvedMove {
                text,
                worth,
                points: played_for.map(|(_, there)| there),
                is_best,
                is_soonest,
            }
        };
        moves.map(row).collect()
    }
}

/// A move of the root of a solved tree.
pub struct SolvedMove {
    pub text: String,
    /// The value for the side that makes the move.
    pub worth: PartialValue,
    /// The final points for it, in games that count them.
    pub points: Option<i32>,
    /// True if it attains the points of the root or, in games without points, its value.
    pub is_best: bool,
    /// True if it attains the value of the root: the outcome, with the fewest plies to a win and the
    /// most to a loss.
    pub is_soonest: bool,
}

/// The points of a solved position and of its moves; `None` if the game counts none. With those of one
/// position the solution finds those of all, unless the control stops it.
pub(super) fn points_of(
    study: &dyn Position,
    answers: &dyn Answers,
    control: &Control,
) -> Result<Option<Points>, SolveError> {
    if !study.info().counts_points {
        return Ok(None);
    }
    Points::of(study, |at| {
        // From a position without the symmetries of the game, play reaches one image of a row.
        let keys = at.key().into_iter().chain(at.images().into_iter().map(|(key, _)| key));
        for key in keys {
            if let Some(points) = answers.points_of(key, control)? {
                return Ok(Some(points));
            }
        }
        Ok(None)
    })
}

impl TreeDocument {
    /// The document of a tree that was solved with these threads in this time.
    pub fn new(
        study: &dyn Position,
        solved: &SolvedTree,
        scoring: Option<Scoring>,
        threads: usize,
        elapsed: Duration,
    ) -> Self {
        let SolvedTree { answers, points, plies } = solved;
        let (worth, moves) = (answers.worth(), solved.moves());
        let Totals { positions, canonical, terminal, wins, draws, endless, losses } =
            answers.totals();
        let lines = study.lines();
        let mut games = plies.histories.games();
        if lines.is_some() {
            games = games.after(study.tier());
        }
        let known = |n: u64| (plies.complete && n != u64::MAX).then_some(n);
        let name = |text: &str| MoveName::new(study, text);
        let score = |scoring: Scoring| {
            let cells = study.start().plies_left()?;
            Some(Scored { scoring, score: scoring.score(worth.exact()?, cells) })
        };
        let value =
            |m: &SolvedMove| MoveRow { m: name(&m.text), value: m.worth.into(), points: m.points };
        let those = |is: fn(&SolvedMove) -> bool| -> Vec<MoveName> {
            moves.iter().filter(|m| is(m)).map(|m| name(&m.text)).collect()
        };
        let Games { games, first_player_wins, second_player_wins, draws: drawn } = games;
        Self {
            game: GameFields::of(study),
            position: study.picture(),
            to_move: study.to_move(),
            value: ValueRow::from(worth),
            endless: worth == PartialValue::ENDLESS && study.has_endless_draws(),
            scored: scoring.and_then(score),
            points: points.as_ref().map(|points| points.best),
            best: those(|m| m.is_best),
            soonest: points.as_ref().map(|_| those(|m| m.is_soonest)),
            threads,
            elapsed_s: elapsed.as_secs_f64(),
            counts: Counts {
                nodes: known(plies.histories.nodes()),
                games: known(games),
                first_player_wins: known(first_player_wins),
                second_player_wins: known(second_player_wins),
                draws: known(drawn),
                full_board: lines.map(|(game, root)| {
                    let full = FullBoard::count(&game, root);
                    let FullBoard { leaves, nodes } = full;
                    FullBoardCounts { full_board_leaves: leaves, full_board_nodes: nodes }
                }),
                positions,
                canonical_positions: canonical,
                terminal_positions: terminal,
                won_positions: wins,
                drawn_positions: draws,
                endless_positions: endless,
                lost_positions: losses,
            },
            plies: plies.counts.clone(),
            values: moves.iter().map(value).collect(),
        }
    }
}
