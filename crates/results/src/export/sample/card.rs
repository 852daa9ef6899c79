//! The card of a data set: what is in it, how it was made, and under which licence.

use std::fmt::Write;

use super::super::manifest::{Manifest, ManifestPly, ManifestSample};
use crate::statistics::{counted, grouped};

/// The card of a sample by the manifests of its files, in Markdown with the header that sites of
/// data sets read. The same files have the same card.
#[must_use]
pub fn card(title: &str, manifests: &[Manifest]) -> String {
    let Some((first, sample)) = manifests.first().and_then(|m| Some((m, m.sample.as_ref()?)))
    else {
        return String::new();
    };
    let name = format!("{} of {title}", counted(sample.positions, "random position"));
    let quoted = serde_json::to_string(&name).unwrap_or_default();
    let mut text = format!(
        "---
license: cc0-1.0
pretty_name: {quoted}
tags:
- board games
- game solving
---

# {name}

Each position has its exact value, for the side to move: the outcome under best play of both sides, and the \
number of plies to the end if the winner hurries and the loser delays. {moves} No value is estimated.

## Files

| file | rows | bytes | SHA-256 |
|---|---:|---:|---|
",
        moves = match first.columns.as_deref().is_some_and(|all| all.iter().any(|c| is_of_move(c))) {
            true => "All best moves are listed, and every move has its value for the side that makes it.",
            false => "All best moves are listed.",
        }
    );
    for Manifest { file, rows, bytes, sha256, .. } in manifests {
        let _ =
            writeln!(text, "| `{file}` | {} | {} | `{sha256}` |", grouped(*rows), grouped(*bytes));
    }
    text += "\n## Columns\n\n| column | content |\n|---|---|\n";
    for column in first.columns.iter().flatten() {
        let _ = writeln!(text, "| `{column}` | {} |", content(column));
    }
    let _ = write!(
        text,
        "
## How it was made

- Program: {program} {version}, command `analyze sample`.
- Rules: {rules}.
{draw}- {selection}. Rows are sorted by ply and key.
- The same choices give the same bytes, on any machine and with any number of threads.

## Positions by ply and outcome

The outcome is that of the side to move.

| ply | rows | wins | draws | losses |
|---:|---:|---:|---:|---:|
{plies}
## Licence

CC0 1.0: the values are facts, and the program claims no right in what it computes.
",
        program = first.program,
        version = first.version,
        rules = first.rules.trim_end_matches('.'),
        draw = draw(sample),
        selection = capitalized(first.selection),
        plies = plies(manifests),
    );
    text
}

/// The choices of the draw, an item each.
fn draw(sample: &ManifestSample) -> String {
    let each = if sample.per_ply { ", the same number of each ply" } else { "" };
    let mut text =
        format!("- Positions: drawn from {} (seed {}){each}.\n", sample.from, sample.seed);
    if let Some(plies) = &sample.plies {
        let _ = writeln!(text, "- Plies: {plies}.");
    }
    if let Some(root) = &sample.root {
        let _ = writeln!(text, "- Every position follows `{root}`.");
    }
    if sample.share.is_some() {
        text += "- No position of one file is in another, not even as an image.\n";
    }
    text
}

/// Rows by ply and outcome of all files, and their sum.
fn plies(manifests: &[Manifest]) -> String {
    let mut all: Vec<ManifestPly> = manifests.iter().flat_map(|m| m.plies.clone()).collect();
    all.sort_by_key(|ply| ply.ply);
    let mut plies: Vec<ManifestPly> = Vec::new();
    let add = |to: &mut ManifestPly, more: &ManifestPly| {
        to.rows += more.rows;
        to.wins += more.wins;
        to.draws += more.draws;
        to.losses += more.losses;
    };
    let mut sum = ManifestPly::default();
    for ply in &all {
        match plies.last_mut().filter(|last| last.ply == ply.ply) {
            Some(last) => add(last, ply),
            None => plies.push(*ply),
        }
        add(&mut sum, ply);
    }
    let row = |name: &str, ply: &ManifestPly| {
        let numbers = [ply.rows, ply.wins, ply.draws, ply.losses].map(grouped).join(" | ");
        format!("| {name} | {numbers} |\n")
    };
    let rows: String = plies.iter().map(|ply| row(&ply.ply.to_string(), ply)).collect();
    rows + &row("all", &sum)
}

/// True for the columns of the values of moves.
fn is_of_move(column: &str) -> bool {
    column.ends_with("_outcome") || column.starts_with("legal_")
}

/// The content of a column in words.
fn content(column: &str) -> &'static str {
    match column {
        "key" => "the position as a number, different for different positions",
        "ply" => "moves played, or by how many plies the longest play is shorter than at the start",
        "moves" => "the moves that lead there: the lowest of the shortest ways",
        "board" => "the board, top row first, rows separated by `/`: `X` moves first",
        "position" => "the position as text",
        "to_move" => "the side to move",
        "outcome" => "win, draw or loss for the side to move",
        "remoteness" => "plies to the end; unknown if play is endless",
        "pons_score" => {
            "Pons' score: the stones that the winner has left at the end, negative for a loss"
        }
        "best" => "all best moves, separated by spaces; in CSV in brackets",
        "legal_moves" => "all moves, separated by spaces; in CSV in brackets",
        "legal_outcomes" => "their outcomes for the side that makes the move",
        "legal_remotenesses" => "their plies to the end; `-` if play is endless",
        of_move if of_move.ends_with("_outcome") => {
            "that move's outcome for the side that makes it"
        }
        _ => "that move's plies to the end",
    }
}

fn capitalized(text: &str) -> String {
    let (first, rest) = text.split_at(text.len().min(1));
    first.to_uppercase() + rest
}
