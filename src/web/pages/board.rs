//! The board: what is on it, what can be played, and what that leads to.

use maud::{Markup, html};

use super::falls;
use super::view::View;
use crate::game::{Game, Move, MoveSet, Outcome, PartialValue};
use crate::games::line::{LineGame, Stones};
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
) -> Markup {
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
    html! {
        table class={ "board " (kind) " " (class) } id="board" aria-label="Board" {
            @if falls(view) { (drawing.columns()) }
            (drawing.rows())
        }
    }
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
    fn rows(&self) -> Markup {
        let size = self.view.game.size();
        html! {
            tbody {
                @for row in 0..u32::from(size.height) {
                    tr {
                        @for column in 0..u32::from(size.width) {
                            @let m = if falls(self.view) {
                                column
                            } else {
                                row * u32::from(size.width) + column
                            };
                            td data-place=(m + 1) {
                                (self.cell(self.view.game.cell(column, row), Move(m as u8)))
                            }
                        }
                    }
                }
            }
        }
    }

    fn cell(&self, cell: u64, m: Move) -> Markup {
        let (first, second) = self.position.by_player();
        let stone = match (first & cell != 0, second & cell != 0) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ if falls(self.view) => return html! { span.hole {} },
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
        html! { span class=(class) role="img" aria-label=(said) { (stone) } }
    }

    /// The columns to drop a stone in.
    fn columns(&self) -> Markup {
        html! {
            thead {
                tr {
                    @for m in (0..self.view.game.size().width).map(Move) {
                        th scope="col" { (self.playable(m, "column")) }
                    }
                }
            }
        }
    }

    /// A free cell or a column: a link if the visitor may play there.
    fn playable(&self, m: Move, place: &str) -> Markup {
        let game = &self.view.game;
        let number = m.number();
        let over = game.result(self.position).is_some();
        if over || !game.moves(self.position).contains(m) {
            return html! { span class="place off" { @if place == "column" { (number) } } };
        }
        let known =
            self.results.iter().find(|(other, _)| *other == m).map(|(_, known)| known.value);
        let best = self.best.contains(m);
        let class = match known.map(|known| known.outcome) {
            Some(outcome) => format!("place v-{outcome}{}", if best { " best" } else { "" }),
            None => "place".to_owned(),
        };
        let unit = match known.and_then(|known| known.remoteness) {
            None => "",
            Some(r) if r.0 == 1 => " ply",
            Some(_) => " plies",
        };
        let inside = html! {
            span.spoken { (place) " " }
            span.number { (number) }
            span.value {
                @match known {
                    Some(PartialValue { outcome, remoteness }) => {
                        span.spoken { ": " }
                        (outcome)
                        @if let Some(r) = remoteness { " " span.spoken { "in " } b { (r) } }
                    }
                    None => @if self.pending { "…" },
                }
            }
            span class="spoken rest" { (unit) @if best { ", best" } }
        };
        let url = self.view.playing(m).url();
        let label = format!("{place} {number}");
        // On the machine's turn the script follows the address, and nobody else.
        html! {
            @if self.view.is_machines_turn() {
                span class=(class) data-move=(number) data-label=(label) data-href=(url) {
                    (inside)
                }
            } @else {
                a class=(class) data-move=(number) data-label=(label) href=(url) { (inside) }
            }
        }
    }
}
