//! The answer of `analyze query`.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::text::{self, Table};
use everyply_core::game::{MoveStyle, ValueBounds, ValueRow};
use everyply_core::statistics::grouped;
use everyply_registry::registry::Position;
use everyply_registry::solutions::GameSolution;
use everyply_results::export::{GameFields, MoveName};
use everyply_results::oracle::{OracleFiles, Origin, StoredMove, StoredPosition};

#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Document {
    #[serde(flatten)]
    game: GameFields,
    position: String,
    to_move: Option<char>,
    value: Option<ValueRow>,
    bounds: Option<[ValueRow; 2]>,
    /// The final points under best play for points, from a solution file of a game solved for them:
    /// negative if the other side gets more.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<i32>,
    /// The moves that attain the points or, in other games, the value, as far as they are known.
    best: Vec<MoveName>,
    /// True if those are all.
    best_complete: bool,
    /// The moves that attain the value, in games for points of which the files have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    soonest: Option<Vec<MoveName>>,
    pv: String,
    /// True if the principal variation reaches the end of the game.
    pv_complete: bool,
    values: Vec<MoveRow>,
    /// The number of positions in a solution file of any game but Connect Four.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    /// Which positions those are, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<&'static str>,
    #[serde(skip)]
    found: StoredPosition,
}

#[derive(JsonSchema, Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    m: MoveName,
    outcome: Option<&'static str>,
    remoteness: Option<u8>,
    /// The bounds of a value that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[ValueRow; 2]>,
    /// The final points that the move leads to, for the side that makes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<i32>,
    source: Option<&'static str>,
}

impl Document {
    pub fn new(
        study: &dyn Position,
        found: StoredPosition,
        files: &OracleFiles,
    ) -> Result<Self, Failure> {
        let play = files.best_play(study, &found).map_err(Failure::runtime)?;
        let best = found.known_best(study);
        let name = |text: &str| MoveName::new(study, text);
        let rows = |bounds: ValueBounds| [bounds.worst.into(), bounds.best.into()];
        let row = |m: &StoredMove| -> Result<MoveRow, Failure> {
            let there = files.points(m.branch.to.as_ref()).map_err(Failure::runtime)?;
            Ok(MoveRow {
                m: name(&m.branch.text),
                outcome: m.value.map(|known| known.value.outcome.word()),
                remoteness: m.value.and_then(|known| known.value.remoteness).map(|r| r.0),
                bounds: m.bounds.map(rows),
                source: m.value.map(|known| match known.origin {
                    Origin::OpeningBook => Origin::OpeningBook.word(),
                    _ => "file",
                }),
                points: there.map(|points| if m.branch.keeps_turn { points } else { -points }),
            })
        };
        let points = files.points(study).map_err(Failure::runtime)?;
        let values = found.moves.iter().map(row).collect::<Result<Vec<MoveRow>, Failure>>()?;
        // In a game for points, they decide: those of a file, or those that a row's best moves attain.
        let is_best = |(m, row): &(&StoredMove, &MoveRow)| match points {
            Some(points) => row.points == Some(points),
            None => best.has(m.branch.bit),
        };
        let is_soonest = study.info().counts_points
            && points.is_none()
            && files.best_moves(study).map_err(Failure::runtime)?.is_none();
        let attaining = found.moves.iter().zip(&values).filter(is_best);
        let attaining: Vec<MoveName> = attaining.map(|(_, row)| row.m.clone()).collect();
        let (best, soonest) = match is_soonest {
            true => (Vec::new(), Some(attaining)),
            false => (attaining, None),
        };
        let file = files.solution_of(&study.game_id());
        Ok(Self {
            positions: file.map(GameSolution::positions),
            holds: file.map(GameSolution::holds),
            game: GameFields::of(study),
            position: study.picture(),
            to_move: study.to_move(),
            value: found.value.map(ValueRow::from),
            bounds: found.bounds.map(rows),
            best,
            best_complete: (found.best.is_some() || points.is_some()) && !is_soonest,
            soonest,
            points,
            pv: play.texts().join(study.info().separator),
            pv_complete: play.is_over,
            values,
            found,
        })
    }

    pub fn text(&self, study: &dyn Position) -> String {
        let found = &self.found;
        let value = match (found.value, found.bounds) {
            (Some(value), _) => study.value_for_mover(value),
            (None, Some(bounds)) => {
                let side = study.to_move().map_or("the side to move".into(), String::from);
                format!("not known; proved: {bounds}, for {side}")
            }
            (None, None) => "not known".to_owned(),
        };
        let mut said = format!("{}\n", text::heading(study));
        if study.info().move_style != MoveStyle::Text {
            let _ = write!(said, "\n{}", text::board_of(study));
        }
        let _ = writeln!(said, "\nvalue      {value}");
        if let Some(points) = self.points {
            let _ = writeln!(said, "{}", text::points(points));
        }
        if let (Some(positions), Some(holds)) = (self.positions, self.holds) {
            let _ = writeln!(said, "file       {} positions: {holds}", grouped(positions));
        }
        if found.moves.is_empty() {
            return said;
        }
        let texts = |moves: &mut dyn Iterator<Item = &StoredMove>| {
            moves.map(|m| &m.branch.text[..]).collect::<Vec<_>>().join(" ")
        };
        let best: Vec<String> = self.best.iter().map(ToString::to_string).collect();
        let best = best.join(" ");
        if let Some(soonest) = self.soonest.as_ref().filter(|soonest| !soonest.is_empty()) {
            let soonest: Vec<String> = soonest.iter().map(ToString::to_string).collect();
            let soonest = soonest.join(" ");
            let _ = writeln!(
                said,
                "soonest    {soonest} (the files have no points: best is not known)"
            );
        }
        if self.best_complete {
            let _ = writeln!(said, "best       {best}");
        } else if !best.is_empty() {
            let missing = texts(&mut found.moves.iter().filter(|m| m.value.is_none()));
            let _ = writeln!(said, "best       {best} at least; not stored: {missing}");
        }
        if !self.pv.is_empty() {
            let more = if self.pv_complete { "" } else { " ..." };
            let _ = writeln!(said, "line       {}{more}", self.pv);
        }
        let mut table = match self.points {
            Some(_) => Table::new(&["move", "value", "points"]),
            None => Table::new(&["move", "value"]),
        };
        for (m, row) in found.moves.iter().zip(&self.values) {
            let value = match (m.value, m.bounds) {
                (Some(known), _) => study.value_in_words(known.value),
                (None, Some(bounds)) if !bounds.is_open() => bounds.to_string(),
                (None, _) => "-".to_owned(),
            };
            let points = row.points.map(|points| format!("{points:+}"));
            table.row([m.branch.text.clone(), value].into_iter().chain(points));
        }
        let _ = write!(said, "\n{}", table.render());
        let is_booked =
            |m: &&StoredMove| m.value.is_some_and(|known| known.origin == Origin::OpeningBook);
        let booked = texts(&mut found.moves.iter().filter(is_booked));
        if !booked.is_empty() {
            let book = "from the opening book of this program";
            let _ = writeln!(said, "({booked} not stored: {book})");
        }
        said
    }
}
