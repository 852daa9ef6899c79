//! Descriptions of plans in words and as pictures.

use std::fmt::{Display, Write};

use super::describe::{Description, WinningCell};
use super::file::{cell_name, column_letter};
use super::grid::each_cell;
use everyply_core::games::line::Size;

/// Returns the names of the cells of a mask, by ascending column and row.
pub fn cell_names(size: Size, cells: u64) -> Vec<String> {
    each_cell(cells).map(|cell| cell_name(size, cell.trailing_zeros())).collect()
}

/// Letters of pairs; `O` and `X` are stones.
const PAIRS: &str = "ABCDEFGHIJKLMNPQRSTUVWYZ";

/// Mark of cells in which the follower completes a line.
const MARK_OF_WINS: char = '!';

/// Joins words to a list such as `a, b and c`.
fn listed(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [words @ .., end] => format!("{} {last} {end}", words.join(", ")),
    }
}

/// Formats rows of a board, top row first, with row numbers and column letters.
#[must_use]
pub fn lettered(rows: &[Vec<char>]) -> String {
    let height = rows.len();
    let digits = if height > 9 { 2 } else { 1 };
    let mut text = String::new();
    let mut line = |head: &dyn Display, marks: &mut dyn Iterator<Item = char>| {
        let _ = write!(text, "{head:>digits$} ");
        for mark in marks {
            let _ = write!(text, " {mark}");
        }
        text.push('\n');
    };
    for (at, row) in rows.iter().enumerate() {
        line(&(height - at), &mut row.iter().copied());
    }
    line(&"", &mut (0..rows.first().map_or(0, Vec::len) as u32).map(column_letter));
    text
}

fn plural<'a>(number: usize, one: &'a str, more: &'a str) -> &'a str {
    if number == 1 { one } else { more }
}

impl Description {
    fn name(&self, cell: u32) -> String {
        cell_name(self.size, cell)
    }

    fn names(&self, cells: u64, last: &str) -> String {
        listed(&cell_names(self.size, cells), last)
    }

    /// Returns the plan in English sentences. Every sentence holds in every game.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![self.promise()];
        sentences.extend(self.ending());
        sentences.extend(self.wins_and_blocks());
        sentences.extend(self.answers());
        sentences.extend(self.warnings());
        sentences
    }

    fn sides(&self) -> (char, char) {
        (self.claim.side.stone(), self.claim.side.opponent().stone())
    }

    fn promise(&self) -> String {
        let (own, other) = self.sides();
        match self.earliest_loss {
            Some(ply) => {
                format!("Whatever {other} plays, {own} does not lose before ply {ply}.")
            }
            None if !self.can_draw => {
                format!(
                    "Whatever {other} plays, {own} wins, at ply {} at the latest.",
                    self.longest
                )
            }
            None if self.winning_cells.is_empty() => {
                format!("Whatever {other} plays, {own} draws.")
            }
            None => format!("Whatever {other} plays, {own} draws or wins."),
        }
    }

    /// Describes the end of the games of a winning plan.
    fn ending(&self) -> Vec<String> {
        let (own, other) = self.sides();
        if self.can_draw || self.earliest_loss.is_some() {
            return Vec::new();
        }
        let mut sentences = Vec::new();
        let cells = |winning_cells: &[WinningCell]| {
            winning_cells.iter().fold(0, |all, e| all | 1u64 << e.cell)
        };
        let traps = self.traps();
        let threats: Vec<WinningCell> = traps.into_iter().filter(|trap| trap.is_threat).collect();
        if !threats.is_empty() {
            let word = plural(threats.len(), "a threat", "threats");
            sentences.push(format!("{own} has {word} in {}.", self.names(cells(&threats), "and")));
        }
        // The empty cells below threats in which the follower never plays.
        let shunned = (cells(&threats) >> 1) & (self.attacker_only | self.never);
        let above = self.names(shunned << 1, "or");
        match shunned.count_ones() {
            0 => {}
            1 => sentences.push(format!(
                "{own} never plays {0} below it: once all other columns are full, {other} cannot \
                 avoid {0}, and {own} wins in {above}.",
                self.names(shunned, "")
            )),
            _ => sentences.push(format!(
                "{own} never plays {}: if {other} does, {own} wins above it.",
                self.names(shunned, "or")
            )),
        }
        let last = self.winning_cells.iter().filter(|ending| ending.latest == self.longest);
        let last: Vec<WinningCell> = last.copied().collect();
        if last.iter().any(|ending| cells(&threats) >> ending.cell & 1 == 0) {
            sentences.push(format!(
                "The longest games end with a line of {own} through {}.",
                self.names(cells(&last), "or")
            ));
        }
        sentences
    }

    fn wins_and_blocks(&self) -> Option<String> {
        let (own, other) = self.sides();
        let wins = format!("If {own} can complete a line, it does");
        let first = match (self.winning_cells.is_empty(), self.has_to_block) {
            (true, false) => return None,
            (true, true) => {
                format!(
                    "If {other} threatens to complete a line with its next stone, {own} blocks it"
                )
            }
            (false, false) => wins,
            (false, true) => format!(
                "{wins}; if {other} threatens to complete one with its next stone, {own} blocks it"
            ),
        };
        let has_answers = self.on_top != 0 || !self.pairs.is_empty() || !self.elsewhere.is_empty();
        let rest = if has_answers { "; otherwise it answers as follows" } else { "" };
        Some(format!("{first}{rest}."))
    }

    fn answers(&self) -> Vec<String> {
        let (own, other) = self.sides();
        let columns: Vec<String> = (0..u32::from(self.size.width))
            .filter(|column| self.on_top >> column & 1 == 1)
            .map(|column| column_letter(column).to_string())
            .collect();
        let mut sentences = Vec::new();
        if !columns.is_empty() {
            sentences.push(format!(
                "{own} answers every stone of {other} in {} {} on top of it.",
                plural(columns.len(), "column", "columns"),
                listed(&columns, "and")
            ));
        }
        for (a, b) in &self.pairs {
            let (a, b) = (self.name(*a), self.name(*b));
            sentences.push(format!("{own} answers {a} with {b}, and {b} with {a}."));
        }
        for (cell, answers) in &self.elsewhere {
            let answers = self.names(*answers, "or");
            sentences.push(format!("{own} answers {} with {answers}.", self.name(*cell)));
        }
        if self.partly_on_top {
            sentences.push(format!("{own} answers every other stone of {other} on top of it."));
        }
        sentences
    }

    /// Names the threats of a plan that does not win every game.
    fn warnings(&self) -> Option<String> {
        if !self.can_draw && self.earliest_loss.is_none() {
            return None;
        }
        let (own, other) = self.sides();
        let threats = self.winning_cells.iter().filter(|ending| ending.is_threat);
        let cells = threats.fold(0, |cells, ending| cells | 1u64 << ending.cell);
        (cells != 0).then(|| {
            let word = plural(cells.count_ones() as usize, "a threat", "threats");
            let names = self.names(cells, "and");
            format!("{own} has {word} in {names}: {other} loses if it lets {own} play there.")
        })
    }

    /// Returns the board, top row first, with a mark for each cell: `X` and `O` for stones, the marks
    /// of the [legend](Self::legend) for empty cells.
    pub fn rows(&self) -> Vec<Vec<char>> {
        let (width, height) = (u32::from(self.size.width), u32::from(self.size.height));
        let row = |row| (0..width).map(|column| self.mark(column * (height + 1) + row)).collect();
        (0..height).rev().map(row).collect()
    }

    /// Returns the meanings of the marks that occur in the [rows](Self::rows).
    pub fn legend(&self) -> Vec<(String, String)> {
        let (own, other) = self.sides();
        let marks: Vec<char> = self.rows().into_iter().flatten().collect();
        let (only_own, only_other) = (own.to_ascii_lowercase(), other.to_ascii_lowercase());
        let all = [
            (MARK_OF_WINS, format!("{own} can win here")),
            (only_own, format!("only {own} takes it")),
            (only_other, format!("only {other} takes it")),
            ('.', "either side takes it".to_owned()),
            ('-', "stays empty in every game".to_owned()),
        ];
        let occur = all.into_iter().filter(|(mark, _)| marks.contains(mark));
        let mut legend: Vec<_> = occur.map(|(mark, means)| (mark.to_string(), means)).collect();
        if !self.pairs.is_empty() {
            let letters = PAIRS.chars().take(self.pairs.len()).map(String::from);
            let letters: Vec<String> = letters.collect();
            legend.push((letters.join(" "), "cells that answer each other".to_owned()));
        }
        legend
    }

    /// Returns the [rows](Self::rows) as a text, with row numbers and column letters.
    pub fn picture(&self) -> String {
        lettered(&self.rows())
    }

    fn mark(&self, cell: u32) -> char {
        let (own, other) = self.sides();
        let has = |mask: u64| mask >> cell & 1 == 1;
        // The position's `own` stones are the attacker's.
        if has(self.position.other) {
            return own;
        }
        if has(self.position.own) {
            return other;
        }
        let pair = self.pairs.iter().position(|(a, b)| *a == cell || *b == cell);
        if let Some(letter) = pair.and_then(|at| PAIRS.chars().nth(at)) {
            return letter;
        }
        if self.traps().iter().any(|ending| ending.cell == cell) {
            MARK_OF_WINS
        } else if has(self.follower_only) {
            own.to_ascii_lowercase()
        } else if has(self.attacker_only) {
            other.to_ascii_lowercase()
        } else if has(self.either) {
            '.'
        } else {
            '-'
        }
    }
}
