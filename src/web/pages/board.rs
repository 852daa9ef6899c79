//! The board: what is on it, what can be played, and what that leads to.

use maud::{Markup, html};

use super::falls;
use super::model::{Mark, Model};
use super::view::View;
use crate::game::{Move, MoveSet, Outcome};
use crate::games::line::notation::place_word;
use crate::games::line::{Stones, Word};
use crate::oracle::{SourcedValue, Valued};

/// A board with the values of its moves.
struct Drawing<'d, G: Valued> {
    view: &'d View<G>,
    model: Model,
    position: Stones<G::Word>,
    results: &'d [(Move, SourcedValue)],
    best: MoveSet,
    /// More values are on their way.
    pending: bool,
    /// Cells of the line that ended the game.
    winning: G::Word,
    /// The cell of the last move.
    last: G::Word,
}

/// The board of a view.
pub fn board<G: Valued>(
    view: &View<G>,
    results: &[(Move, SourcedValue)],
    best: MoveSet,
    pending: bool,
) -> Markup {
    let position = view.position();
    let before = view.at.checked_sub(1).map(|at| view.record().position_at(at));
    let stones = position.other;
    let drawing = Drawing {
        view,
        model: view.model(),
        position,
        results: if view.hints { results } else { &[] },
        best: if view.hints { best } else { MoveSet::EMPTY },
        pending: pending && view.hints,
        winning: match view.game.result(position) {
            Some(Outcome::Loss) => cells_of_lines(view, stones),
            _ => G::Word::ZERO,
        },
        last: before.map_or(G::Word::ZERO, |before| position.occupied() & !before.occupied()),
    };
    let width = view.game.size().width;
    let class = match width {
        ..=4 => "small",
        5..=9 => "medium",
        _ => "large",
    };
    let kind = if falls(view) { "falls" } else { "cells" };
    html! {
        table class={ "board " (kind) " " (class) } id="board" aria-label="Board" tabindex="-1"
            data-stone=(view.side_to_move()) data-none=(drawing.none()) {
            @if falls(view) { (drawing.columns()) }
            (drawing.rows())
        }
    }
}

/// The cells without which stones would hold one line less.
fn cells_of_lines<G: Valued>(view: &View<G>, stones: G::Word) -> G::Word {
    let bits = (0..G::Word::BITS).map(|bit| G::Word::ONE << bit);
    let is_needed = |bit: &G::Word| {
        let lines = view.game.lines();
        *bit & stones & lines.completing_cells(stones & !*bit) != G::Word::ZERO
    };
    bits.filter(is_needed).fold(G::Word::ZERO, |cells, bit| cells | bit)
}

impl<G: Valued> Drawing<'_, G> {
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
                            @let why = match falls(self.view) {
                                true => None,
                                false => self.refusal(Move(m as u8)),
                            };
                            td data-place=(m + 1) data-number=[why.is_some().then_some(m + 1)]
                                data-why=[why] {
                                (self.cell(self.view.game.cell(column, row), Move(m as u8)))
                            }
                        }
                    }
                }
            }
        }
    }

    fn cell(&self, cell: G::Word, m: Move) -> Markup {
        let (first, second) = self.position.by_player();
        let stone = match (first & cell != G::Word::ZERO, second & cell != G::Word::ZERO) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ if falls(self.view) => return self.hole(cell, m),
            _ => return self.playable(m, "cell"),
        };
        let mut class = format!("stone {}", if stone == 'X' { "x" } else { "o" });
        let mut said = stone.to_string();
        if cell & self.last != G::Word::ZERO {
            class.push_str(" last");
            said.push_str(", last move");
        }
        if cell & self.winning != G::Word::ZERO {
            class.push_str(" winning");
            said.push_str(", winning line");
        }
        html! { span class=(class) role="img" aria-label=(said) { (stone) } }
    }

    /// An empty cell of a column; where the next stone would come to lie it can show that stone
    /// and the value of the move, and is marked if the move is best.
    fn hole(&self, cell: G::Word, m: Move) -> Markup {
        let playable = self.refusal(m).is_none();
        let lands = playable && {
            let after = self.view.game.play(self.position, m).occupied();
            after & !self.position.occupied() == cell
        };
        let class = match (lands, self.best.contains(m)) {
            (true, true) => "hole landing best",
            (true, false) => "hole landing",
            _ => "hole",
        };
        let landing = lands.then_some(m.number());
        html! { span class=(class) data-landing=[landing] aria-hidden="true" {} }
    }

    /// Why the visitor cannot make a move, to be said where it is tried.
    fn refusal(&self, m: Move) -> Option<String> {
        if let Err(refused) = self.view.game.try_play(self.position, m) {
            return Some(refused.to_string());
        }
        let side = self.view.side_to_move();
        self.view.is_machines_turn().then(|| {
            if self.view.machine_moves_now() {
                format!("the machine ({side}) is to move: wait for it")
            } else {
                format!("the machine ({side}) is to move: redo, or play on from here")
            }
        })
    }

    /// What is said of a number that is no move of the board; `#` stands for it.
    fn none(&self) -> String {
        let most = self.view.game.centre_first().len();
        let place = place_word(&self.view.game);
        format!("there is no {place} #: choose one of 1 to {most}")
    }

    /// The columns to drop a stone in.
    fn columns(&self) -> Markup {
        html! {
            thead {
                tr {
                    @for m in (0..self.view.game.size().width).map(Move) {
                        @let why = self.refusal(m);
                        th scope="col" data-place=(m.number())
                            data-number=[why.is_some().then_some(m.number())] data-why=[why] {
                            (self.playable(m, "column"))
                        }
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
        let number = number.to_string();
        let mark = Mark {
            model: &self.model,
            label: &number,
            value: known,
            is_best: self.best.contains(m),
            unknown: if self.pending { "…" } else { "" },
        };
        let url = self.view.playing(m).url();
        let label = format!("{place} {number}");
        // On the machine's turn the script follows the address, and nobody else.
        html! {
            @if self.view.is_machines_turn() {
                span class=(mark.class()) data-move=(number) data-label=(label) data-href=(url) {
                    (mark.inside())
                }
            } @else {
                a class=(mark.class()) data-move=(number) data-label=(label) href=(url)
                    data-stone=(self.view.side_to_move()) { (mark.inside()) }
            }
        }
    }
}
