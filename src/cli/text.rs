//! Text for people: tables, boards, durations.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use serde::Serialize;

use super::failure::Failure;
use super::{caller, program};
use everyply_core::game::MoveStyle;
use everyply_core::games::line::{LineGame, Rules, Word};
use everyply_core::statistics::{PlyCounts, counted, grouped};
use everyply_registry::registry::{Position, ShownBoard};
use everyply_results::export::Manifest;

/// Writes to stdout. A closed pipe (`| head`) is no failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    if caller::prints(text) {
        return Ok(());
    }
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(cannot_write(error)),
        _ => Ok(()),
    }
}

/// The failure of writing to stdout, as on a full disk.
pub(super) fn cannot_write(error: std::io::Error) -> Failure {
    Failure::Runtime(anyhow::Error::from(error).context("cannot write to stdout"))
}

/// Prints the result of a command: with `--json` a document and nothing else, otherwise a text.
pub(super) fn print_result(
    json: bool,
    document: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if json { print_json(document) } else { print(&program::named(&text())) }
}

pub(super) fn print_json(document: &impl Serialize) -> Result<(), Failure> {
    let mut text =
        serde_json::to_string_pretty(document).context("JSON").map_err(Failure::Runtime)?;
    text.push('\n');
    print(&text)
}

/// The line about an exported file.
pub(super) fn written(path: &Path, manifest: &Manifest) -> String {
    format!(
        "{}  {}, {}, SHA-256 {}\n",
        path.display(),
        counted(manifest.rows, "row"),
        bytes(manifest.bytes as f64),
        manifest.sha256
    )
}

/// A table with right-aligned columns, each as wide as it needs to be; words in the first column
/// are aligned on the left.
#[derive(Debug)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with the names of its columns, divided by commas.
    pub fn new(header: &str) -> Self {
        Self { rows: vec![header.split(',').map(str::to_owned).collect()] }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| {
            self.rows.iter().filter_map(|row| row.get(c)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> = (0..columns).map(|c| width(c).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let aligned = row.iter().zip(&widths).enumerate().map(|(c, (cell, &width))| {
                if c == 0 && cell.chars().count() > 5 {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
            text.push_str(aligned.collect::<Vec<_>>().join("  ").trim_end());
            text.push('\n');
        }
        text
    }
}

/// A board with lines between its cells, and with a note in every cell that has one.
pub(super) fn grid(rows: &[Vec<char>], note: impl Fn(usize, usize) -> Option<String>) -> String {
    let cell = |(row, column, shown): (usize, usize, char)| match shown {
        '.' => note(column, row).unwrap_or_default(),
        shown => shown.to_string(),
    };
    let row = |(at, row): (usize, &Vec<char>)| -> Vec<String> {
        row.iter().enumerate().map(|(column, &shown)| cell((at, column, shown))).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().enumerate().map(row).collect();
    let width = rows.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(1);
    let line = |cells: &Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!(" {cell:^width$} ")).collect();
        format!("{}\n", cells.join("|").trim_end())
    };
    let columns = rows.first().map_or(0, Vec::len);
    let rule = vec!["-".repeat(width + 2); columns].join("+") + "\n";
    rows.iter().map(line).collect::<Vec<_>>().join(&rule)
}

/// A board without notes, its columns numbered below.
fn numbered_columns(rows: &[Vec<char>]) -> String {
    let width = rows.first().map_or(0, Vec::len);
    let cell = if width > 9 { 3 } else { 2 };
    let mut text = String::new();
    for row in rows {
        text.extend(row.iter().map(|stone| format!("{stone:>cell$}")));
        text.push('\n');
    }
    text.extend((1..=width).map(|column| format!("{column:>cell$}")));
    text.push('\n');
    text
}

/// The board of a position, with its moves if they are the numbers of columns or cells.
pub(super) fn board_of(position: &dyn Position) -> String {
    board_with(position, |bit| Some((bit + 1).to_string()))
}

/// The board of a position, with a note in each free cell that is a move, by its bit.
pub(super) fn board_with(position: &dyn Position, note: impl Fn(u32) -> Option<String>) -> String {
    let ShownBoard { rows, moves } = position.drawing().board;
    match position.info().move_style {
        MoveStyle::Column => numbered_columns(&rows),
        MoveStyle::Cell => grid(&rows, |column, row| {
            let lands = |way: &[(u8, u8)]| way == [(column as u8, row as u8)];
            moves.iter().find(|(_, way)| lands(way)).and_then(|(bit, _)| note(*bit))
        }),
        MoveStyle::Text => {
            rows.iter().map(|row| format!("  {}\n", String::from_iter(row))).collect()
        }
    }
}

/// Lines of a name and a fact each, without unknown facts.
pub(super) fn facts<'n>(facts: impl IntoIterator<Item = (&'n str, Option<String>)>) -> String {
    let line = |(name, fact): (&str, Option<String>)| Some(format!("{name:<11}{}\n", fact?));
    facts.into_iter().filter_map(line).collect()
}

/// Texts in a line; `None` without any.
pub(super) fn joined(texts: &[String], separator: &str) -> Option<String> {
    (!texts.is_empty()).then(|| texts.join(separator))
}

/// The final points of a position under best play for points.
pub(super) fn points(points: i32) -> String {
    format!("{points:+} for the side to move, played for points")
}

/// The name of the side to move, or "the side to move" if it has none.
pub(super) fn side_to_move(position: &dyn Position) -> String {
    position.to_move().map_or("the side to move".to_owned(), String::from)
}

/// The title of a game, and the position: in words on boards of stones, else as its picture.
pub(super) fn heading(position: &dyn Position) -> String {
    let (title, picture) = (&position.info().title, position.picture());
    if Rules::of(position.info().name).is_none() {
        return format!("{title}\n{picture}");
    }
    let stones = picture.matches(['X', 'O']).count() as u64;
    let side = position.to_move().unwrap_or('-');
    match position.result() {
        Some(_) => format!("{title}, {}, the game is over", counted(stones, "stone")),
        None if stones == 0 => format!("{title}, empty board, {side} to move"),
        None => format!("{title}, {}, {side} to move", counted(stones, "stone")),
    }
}

pub(super) fn title<W: Word, G: LineGame<W>>(game: &G) -> String {
    game.rules().title(game.size())
}

/// The names of the two sides in counts: the side to move at the root, which on boards of stones is the
/// empty board, and the other side.
pub(super) fn sides(position: &dyn Position) -> [&'static str; 2] {
    if position.lines().is_some() { ["X", "O"] } else { ["side to move", "other side"] }
}

pub(super) fn count(number: Option<u64>) -> String {
    count_or(number, "-")
}

fn count_or(number: Option<u64>, missing: &str) -> String {
    number.map_or_else(|| missing.to_owned(), grouped)
}

pub(super) fn counts(number: Option<u64>, thing: &str) -> String {
    number.map_or_else(|| format!("{MANY} {thing}s"), |number| counted(number, thing))
}

/// A count that 64 bits do not hold.
const MANY: &str = "more than 2^64";

pub(super) fn threads(number: usize) -> String {
    counted(number as u64, "thread")
}

/// The line about the orderings that fill the board.
pub(super) fn full_board(leaves: Option<u64>, nodes: Option<u64>) -> String {
    let (leaves, nodes) = (counts(leaves, "ordering"), counts(nodes, "node"));
    format!("if wins did not stop play: {leaves} fill the board, {nodes}\n")
}

/// A tree in words: its nodes, its games, and the games that either side wins or draws.
pub(super) fn tree_line(
    [first, second]: [&str; 2],
    nodes: Option<u64>,
    [games, first_wins, second_wins, draws]: [Option<u64>; 4],
) -> String {
    format!(
        "{}, {}: {first} wins {}, {second} wins {}, draws {}",
        counts(nodes, "node"),
        counts(games, "game"),
        count_or(first_wins, MANY),
        count_or(second_wins, MANY),
        count_or(draws, MANY)
    )
}

/// The label of the bar while a game is solved; only games with ranks know their number of positions.
pub(super) fn solving(position: &dyn Position, room: u64) -> String {
    match position.ranks() {
        Some(_) => "solving".to_owned(),
        None => format!("solving, room for {}", grouped(room)),
    }
}

/// The time of a command and its threads, as the last lines of a text name them.
pub(super) fn time(elapsed_s: f64, threads_used: usize) -> String {
    let time = seconds(Duration::from_secs_f64(elapsed_s));
    format!("{time} on {}", threads(threads_used))
}

/// A rounded duration: `40 s`, `12 min`, `7 h`, `3 days`.
pub(super) fn brief_time(seconds: f64) -> String {
    match seconds {
        ..1.0 => "1 s".to_owned(),
        ..100.0 => format!("{seconds:.0} s"),
        ..6_000.0 => format!("{:.0} min", seconds / 60.0),
        ..200_000.0 => format!("{:.0} h", seconds / 3_600.0),
        _ => format!("{:.0} days", seconds / 86_400.0),
    }
}

/// A time with about three significant digits.
pub(super) fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 0.001 => format!("{:.0} us", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

pub(super) fn bytes(bytes: f64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024.0 {
        return counted(bytes as u64, "byte");
    }
    match (1..).zip(UNITS).find(|(i, _)| bytes < 1024f64.powi(i + 1)) {
        Some((i, unit)) => format!("{:.1} {unit}", bytes / 1024f64.powi(i)),
        None => format!("{bytes:.1e} bytes"),
    }
}

/// A number too large to be read digit by digit.
pub(super) fn magnitude(number: f64) -> String {
    if number < 1e15 { grouped(number.round() as u64) } else { format!("{number:.1e}") }
}

/// The counts of every ply with a line of totals; without columns in which nothing is known.
pub(super) fn ply_table(plies: &[PlyCounts]) -> String {
    let is_known = |column: &usize| plies.iter().any(|ply| ply.counts()[*column].is_some());
    let columns: Vec<usize> = (0..PlyCounts::NAMES.len()).filter(is_known).collect();
    // Histories are counted at all plies or at none; other counts may be missing at some.
    let cell = |(column, number): (&usize, Option<u64>)| {
        count_or(number, if *column < 2 { "> 2^64" } else { "-" })
    };
    let cells = |columns: &[usize], numbers: Vec<Option<u64>>| -> Vec<String> {
        columns.iter().zip(numbers).map(cell).collect()
    };
    let names = columns.iter().map(|&column| PlyCounts::NAMES[column]);
    let mut table = Table::new(&std::iter::once("ply").chain(names).collect::<Vec<_>>().join(","));
    let mut totals = vec![Some(0u64); columns.len()];
    for ply in plies {
        let counts: Vec<_> = columns.iter().map(|&column| ply.counts()[column]).collect();
        for (total, count) in totals.iter_mut().zip(&counts) {
            *total = total.zip(*count).and_then(|(total, count)| total.checked_add(count));
        }
        table.row(std::iter::once(ply.ply.to_string()).chain(cells(&columns, counts)));
    }
    table.row(std::iter::once("all".to_owned()).chain(cells(&columns, totals)));
    table.render()
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyply_core::game::Ply;

    #[test]
    fn columns_are_aligned_and_left_out_where_nothing_is_known() {
        let ply = |number, nodes| PlyCounts { nodes, ..PlyCounts::new(Ply(number), [None; 8]) };
        let table = ply_table(&[ply(0, Some(1)), ply(10, Some(7_000))]);
        assert_eq!(table, "ply  nodes\n  0      1\n 10  7,000\nall  7,001\n");
        let table = ply_table(&[ply(0, Some(1)), ply(1, None)]);
        assert_eq!(table, "ply   nodes\n  0       1\n  1  > 2^64\nall  > 2^64\n");
    }

    #[test]
    fn boards_are_drawn_with_notes_in_the_free_cells() {
        let rows: Vec<Vec<char>> = ["X..", ".O.", "..."].map(|row| row.chars().collect()).into();
        let drawn = grid(&rows, |x, y| (x + y < 4).then(|| (y * 3 + x + 1).to_string()));
        assert_eq!(drawn, " X | 2 | 3\n---+---+---\n 4 | O | 6\n---+---+---\n 7 | 8 |\n");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes(266.0), "266 bytes");
        assert_eq!(bytes(1.0), "1 byte");
        assert_eq!(bytes(1024.0), "1.0 KiB");
        assert_eq!(bytes(3.5 * 1024.0 * 1024.0 * 1024.0), "3.5 GiB");
        assert_eq!(bytes(1e30), "1.0e30 bytes");
        assert_eq!(magnitude(4.2e16), "4.2e16");
        assert_eq!(magnitude(1e6), "1,000,000");
    }
}
