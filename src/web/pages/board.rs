//! The board: what is on it, what can be played, and what that leads to.

use std::fmt::Write;

use super::falls;
use super::view::View;
use crate::game::{Game, Move, MoveSet, Outcome, PartialValue};
use crate::games::line::{LineGame, Stones};
use crate::html::escaped;
use crate::oracle::SourcedValue;

/// A board with the values of its moves.
struct Drawing<'d> {
    view: &'d View,
    position: Stones,
    results: &'d [(Move, SourcedValue)],
    best: MoveSet,
    /// More values are on their way.
    pending: bool,
    /// Cells of the line that ended the game.
    winning: u64,
    /// The cell of the last move.
    last: u64,
}

/// The board of a view.
pub fn board(
    view: &View,
    results: &[(Move, SourcedValue)],
    best: MoveSet,
    pending: bool,
) -> String {
    let position = view.position();
    let before = view.at.checked_sub(1).map(|at| view.record().position_at(at));
    let stones = position.other;
    let drawing = Drawing {
        view,
        position,
        results: if view.hints { results } else { &[] },
        best: if view.hints { best } else { MoveSet::EMPTY },
        pending: pending && view.hints,
        winning: match view.game.result(position) {
            Some(Outcome::Loss) => cells_of_lines(view, stones),
            _ => 0,
        },
        last: before.map_or(0, |before| position.occupied() & !before.occupied()),
    };
    let width = view.game.size().width;
    let class = match width {
        ..=4 => "small",
        5..=9 => "medium",
        _ => "large",
    };
    let kind = if falls(view) { "falls" } else { "cells" };
    let rows = if falls(view) { drawing.columns() + &drawing.rows() } else { drawing.rows() };
    format!(
        "<table class=\"board {kind} {class}\" id=\"board\" aria-label=\"Board\">{rows}</table>"
    )
}

/// The cells without which stones would hold one line less.
fn cells_of_lines(view: &View, stones: u64) -> u64 {
    let bits = (0..64).map(|bit| 1u64 << bit).filter(|bit| stones & bit != 0);
    bits.filter(|bit| {
        let lines = view.game.lines();
        lines.completing_cells(stones & !bit) & bit != 0
    })
    .fold(0, |cells, bit| cells | bit)
}

impl Drawing<'_> {
    fn rows(&self) -> String {
        let size = self.view.game.size();
        let mut rows = String::new();
        for row in 0..u32::from(size.height) {
            rows.push_str("<tr>");
            for column in 0..u32::from(size.width) {
                let cell = self.view.game.cell(column, row);
                let m =
                    if falls(self.view) { column } else { row * u32::from(size.width) + column };
                let _ = write!(rows, "<td data-place=\"{}\">", m + 1);
                rows.push_str(&self.cell(cell, Move(m as u8)));
                rows.push_str("</td>");
            }
            rows.push_str("</tr>");
        }
        format!("<tbody>{rows}</tbody>")
    }

    fn cell(&self, cell: u64, m: Move) -> String {
        let (first, second) = self.position.by_player();
        let stone = match (first & cell != 0, second & cell != 0) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ if falls(self.view) => return "<span class=\"hole\"></span>".to_owned(),
            _ => return self.playable(m, "cell"),
        };
        let mut class = format!("stone {}", if stone == 'X' { "x" } else { "o" });
        let mut said = stone.to_string();
        if cell & self.last != 0 {
            class.push_str(" last");
            said.push_str(", last move");
        }
        if cell & self.winning != 0 {
            class.push_str(" winning");
            said.push_str(", winning line");
        }
        format!("<span class=\"{class}\" role=\"img\" aria-label=\"{said}\">{stone}</span>")
    }

    /// The columns to drop a stone in.
    fn columns(&self) -> String {
        let moves = (0..self.view.game.size().width).map(Move);
        let cells = moves.map(|m| format!("<th scope=\"col\">{}</th>", self.playable(m, "column")));
        format!("<thead><tr>{}</tr></thead>", cells.collect::<String>())
    }

    /// A free cell or a column: a link if the visitor may play there.
    fn playable(&self, m: Move, place: &str) -> String {
        let game = &self.view.game;
        let number = m.number();
        let over = game.result(self.position).is_some();
        if over || !game.moves(self.position).contains(m) {
            let said = if place == "column" { number.to_string() } else { String::new() };
            return format!("<span class=\"place off\">{said}</span>");
        }
        let known =
            self.results.iter().find(|(other, _)| *other == m).map(|(_, known)| known.value);
        let best = self.best.contains(m);
        let class = match known.map(|known| known.outcome) {
            Some(outcome) => format!("place v-{outcome}{}", if best { " best" } else { "" }),
            None => "place".to_owned(),
        };
        let spoken = |text: &str| format!("<span class=\"spoken\">{text}</span>");
        let (value, unit) = match known {
            Some(PartialValue { outcome, remoteness: Some(r) }) => (
                format!("{}{outcome} {}<b>{r}</b>", spoken(": "), spoken("in ")),
                if r.0 == 1 { " ply" } else { " plies" },
            ),
            Some(PartialValue { outcome, .. }) => (format!("{}{outcome}", spoken(": ")), ""),
            None if self.pending => ("…".to_owned(), ""),
            None => (String::new(), ""),
        };
        let best = if best { ", best" } else { "" };
        let url = escaped(&self.view.playing(m).url());
        let inside = format!(
            "{}<span class=\"number\">{number}</span><span class=\"value\">{value}</span>\
             <span class=\"spoken rest\">{unit}{best}</span>",
            spoken(&format!("{place} "))
        );
        // On the machine's turn the script follows the address, and nobody else.
        let (tag, link) = if self.view.is_machines_turn() {
            ("span", format!("data-href=\"{url}\""))
        } else {
            ("a", format!("href=\"{url}\""))
        };
        format!(
            "<{tag} class=\"{class}\" data-move=\"{number}\" data-label=\"{place} {number}\" \
             {link}>{inside}</{tag}>"
        )
    }
}
