//! CSV tables of runs and of whole solutions.

use std::io::Write;

use serde::Serialize;

use super::position::PositionDocument;
use super::rows::ComparisonRow;
use super::scoring::{Scoring, ScoringScore};
use everyply_core::game::{Move, Outcome, csv_list};
use everyply_core::statistics::{Iteration, PlyCounts, RootMove, SearchCounters};
use everyply_registry::registry::{ListedRow, Position, SolvedGame};
use everyply_registry::solutions::ValueCount;

/// The columns of a move's value.
pub(super) fn of_move(place: &str, m: Move) -> [String; 2] {
    ["outcome", "remoteness"].map(|part| format!("{place}_{}_{part}", m.number()))
}

/// The last columns of a table, which tell those of several runs apart.
#[derive(Clone, Debug, Serialize)]
pub struct OfRun {
    /// The title, with what was chosen.
    game: String,
    /// The picture of the position.
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<usize>,
}

impl OfRun {
    pub fn new(study: &dyn Position, threads: usize) -> Self {
        let info = study.info();
        Self { game: info.title.clone(), position: study.picture(), threads: Some(threads) }
    }

    /// The same for rows that have threads of their own.
    fn without_threads(&self) -> Self {
        Self { threads: None, ..self.clone() }
    }
}

/// Writes rows with a header, even if there is none, each with what it is of.
fn write_rows<W: Write, R: Serialize>(
    to: W,
    header: &[&str],
    rows: impl IntoIterator<Item = R>,
    of: Option<&OfRun>,
) -> csv::Result<()> {
    let mut csv = csv::WriterBuilder::new().has_headers(false).from_writer(to);
    let names = match of {
        Some(OfRun { threads: Some(_), .. }) => &["game", "position", "threads"][..],
        Some(_) => &["game", "position"],
        None => &[],
    };
    csv.write_record(header.iter().chain(names))?;
    for row in rows {
        match of {
            Some(of) => csv.serialize((row, of))?,
            None => csv.serialize(row)?,
        }
    }
    csv.flush()?;
    Ok(())
}

pub fn write_plies(to: impl Write, of: &OfRun, plies: &[PlyCounts]) -> csv::Result<()> {
    write_rows(to, &[&["ply"], &PlyCounts::NAMES[..]].concat(), plies, Some(of))
}

pub fn write_iterations(
    to: impl Write,
    of: &OfRun,
    root: &dyn Position,
    iterations: &[Iteration],
) -> csv::Result<()> {
    let values = ["depth", "score", "outcome", "remoteness"];
    let header = [&values, &SearchCounters::NAMES[..], &["elapsed_s", "threads", "pv"]].concat();
    let row = |i: &Iteration| {
        let proven = i.score.value().map(|value| (value.outcome.word(), value.remoteness.0));
        let (outcome, remoteness) = proven.unzip();
        let time = (i.elapsed.as_secs_f64(), i.threads, root.line_text(&i.line));
        (i.depth, i.score, outcome, remoteness, i.counters, time)
    };
    write_rows(to, &header, iterations.iter().map(row), Some(&of.without_threads()))
}

pub fn write_root_moves(
    to: impl Write,
    of: &OfRun,
    root: &dyn Position,
    moves: &[RootMove],
) -> csv::Result<()> {
    let header = ["move", "outcome", "remoteness", "score", "nodes"];
    let row = |m: &RootMove| {
        let outcome = m.value.map(|value| value.outcome.word());
        let remoteness = m.value.and_then(|value| value.remoteness).map(|r| r.0);
        (root.line_text(&[m.m]), outcome, remoteness, m.score, m.nodes)
    };
    write_rows(to, &header, moves.iter().map(row), Some(of))
}

/// Writes the value of a position that the exact solver found, as one row.
pub fn write_exact(to: impl Write, of: &OfRun, found: &PositionDocument) -> csv::Result<()> {
    let header =
        ["moves", "to_move", "outcome", "remoteness", "score", "best", "pv", "nodes", "elapsed_s"];
    let value = found.value.map(|value| (value.outcome, value.remoteness));
    let (outcome, remoteness) = value.unzip();
    let nodes = found.stats.as_ref().map(|stats| stats.nodes);
    let row = (
        (&found.moves, found.to_move, outcome, remoteness, found.score),
        (csv_list(found.best.iter().flatten()), &found.pv, nodes, found.elapsed_s),
    );
    write_rows(to, &header, [row], Some(of))
}

/// Writes the searches of a comparison of a game.
pub fn write_comparison(to: impl Write, of: &OfRun, rows: &[ComparisonRow]) -> csv::Result<()> {
    // A spreadsheet takes a text that begins with + for a formula.
    let plain = |row: &ComparisonRow| ComparisonRow {
        algorithm: row.algorithm.trim_start_matches("+ ").to_owned().into(),
        game: Some(of.game.clone()),
        position: Some(of.position.clone()),
        ..row.clone()
    };
    write_rows(to, &ComparisonRow::NAMES, rows.iter().map(plain), None)
}

/// Writes the positions of a solution file counted by tier and value.
pub fn write_value_counts(
    to: impl Write,
    counts: &[ValueCount<'_>],
    are_points: bool,
) -> csv::Result<()> {
    let distance = if are_points { "points" } else { "remoteness" };
    let row = |count: &ValueCount<'_>| {
        let outcome = count.code.outcome();
        let plies = outcome.map(|_| i32::from(count.code.plies()));
        let distance = if are_points { Some(count.code.points()) } else { plies };
        let outcome = outcome.unwrap_or(Outcome::Draw).word();
        (count.tier.name.clone(), outcome, distance, count.positions)
    };
    write_rows(to, &["tier", "outcome", distance, "positions"], counts.iter().map(row), None)
}

/// Writes every position of a solution, sorted by ply and key, of a game whose moves are the numbers
/// of columns or cells: the columns of a data set (docs/formats.md), `score` under the convention asked
/// for, `nodes` (histories from the position, itself included) and `games` (those that end the game).
///
/// # Panics
/// If moves have no numbers, or play may be endless.
pub fn write_solution(
    to: impl Write,
    root: &dyn Position,
    answers: &dyn SolvedGame,
    scoring: Scoring,
) -> csv::Result<()> {
    let moves = 0..root.numbered_moves().expect("moves are numbers") as u8;
    let place = root.info().move_style.word();
    let cells = root.start().plies_left().expect("play ends");
    let mut csv = csv::Writer::from_writer(to);
    let mut header: Vec<String> =
        ["key", "ply", "board", "to_move", "outcome", "remoteness", "score", "best"]
            .map(String::from)
            .to_vec();
    header.extend(moves.clone().flat_map(|m| of_move(place, Move(m))));
    header.extend(["nodes", "games"].map(String::from));
    csv.write_record(&header)?;

    let mut record = csv::StringRecord::new();
    let mut result = Ok(());
    answers.listing(&mut |ListedRow { solved, moves: values, below }| {
        if result.is_err() {
            return;
        }
        let value = solved.value.exact().expect("play ends");
        let position = root.of_key(solved.key).expect("a solved position has its key");
        record.clear();
        record.push_field(&solved.key.0.to_string());
        record.push_field(&solved.tier.to_string());
        record.push_field(&position.picture());
        record.push_field(position.to_move().unwrap_or('-').encode_utf8(&mut [0; 4]));
        record.push_field(value.outcome.word());
        record.push_field(&value.remoteness.to_string());
        record.push_field(&match scoring.score(value, cells) {
            ScoringScore::Whole(n) => n.to_string(),
            ScoringScore::Fraction(x) => x.to_string(),
        });
        record.push_field(&csv_list(solved.best.into_iter().map(Move::number)));
        let mut values = values.iter().peekable();
        for m in moves.clone() {
            match values.next_if(|(bit, _)| *bit == u32::from(m)) {
                Some((_, value)) => {
                    record.push_field(value.outcome.word());
                    let plies = value.remoteness.map(|r| r.to_string());
                    record.push_field(&plies.unwrap_or_default());
                }
                None => ["", ""].into_iter().for_each(|unknown| record.push_field(unknown)),
            }
        }
        record.push_field(&below.nodes.to_string());
        record.push_field(&below.games.to_string());
        result = csv.write_record(&record);
    });
    result?;
    csv.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyply_core::control::Control;
    use everyply_core::game::Chosen;

    #[test]
    fn the_solution_of_tic_tac_toe_as_a_table() {
        let registry = everyply_registry::registry::builtin();
        let root = registry.find("ttt").unwrap().choose(&Chosen::default()).unwrap();
        let answers = root.solve(10_000, &Control::default()).unwrap();
        let mut bytes = Vec::new();
        write_solution(&mut bytes, &*root, &*answers, Scoring::TenMinusDepth).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5478 + 1);
        assert_eq!(
            lines[0],
            format!(
                "key,ply,board,to_move,outcome,remoteness,score,best,{},nodes,games",
                (1..10)
                    .map(|cell| format!("cell_{cell}_outcome,cell_{cell}_remoteness"))
                    .collect::<Vec<_>>()
                    .join(",")
            )
        );
        let draw = ["draw,9"; 9].join(",");
        let all = "[1 2 3 4 5 6 7 8 9]";
        assert_eq!(lines[1], format!("0,0,.../.../...,X,draw,9,0,{all},{draw},549946,255168"));
        // X on 1, O on 2: X wins in five plies; the book's example of a lost reply.
        let reply = lines.iter().find(|line| line.contains(",XO./.../...,")).unwrap();
        assert!(reply.contains(",X,win,5,6,[4 5 7],"), "{reply}");
        // Both finished games, with their value for the side that would move.
        let over = lines.iter().find(|line| line.contains(",XXX/OO./...,")).unwrap();
        assert!(over.ends_with(&format!(",O,loss,0,-10,[],{},1,1", ",".repeat(17))), "{over}");
    }
}
