//! The board: its cells, the moves that can be played, and their values.

use maud::{Markup, html};

use super::model::Mark;
use super::scene::Scene;
use super::view::View;
use crate::game::Outcome;
use crate::games::line::{LineGame, Stones, Word};
use crate::registry::{Branch, ShownBoard, Study};
use crate::web::record::Side;

/// A column and a row from the top left.
type Cell = (u8, u8);

/// The way in which a board shows moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Above the columns.
    Columns,
    /// In the cells where they land.
    Cells,
    /// In a list below the board.
    List,
}

/// A board with the values of its moves.
struct Drawing<'d> {
    scene: &'d Scene,
    board: ShownBoard,
    layout: Layout,
    /// Cells of the line that ended the game.
    winning: Vec<Cell>,
    /// The cell of the last move.
    last: Option<Cell>,
}

/// The board of a page.
pub fn board(scene: &Scene) -> Markup {
    let view = &scene.view;
    let study = view.study();
    let board = study.board();
    let is_drawn = |board: &ShownBoard| board.moves.iter().any(|(_, cells)| !cells.is_empty());
    let start = view.start().board();
    // In some games stones are placed first, and moved or taken later.
    let lands_only = |board: &ShownBoard| board.moves.iter().all(|(_, cells)| cells.len() == 1);
    let drawing = Drawing {
        scene,
        layout: match view.start().move_word() {
            "column" => Layout::Columns,
            _ if lands_only(&start) && lands_only(&board) => Layout::Cells,
            _ => Layout::List,
        },
        winning: winning_cells(study),
        last: last_cell(view),
        board,
    };
    html! {
        @if is_drawn(&start) { (drawing.table()) } @else { (drawing.picture()) }
        @if drawing.layout == Layout::List {
            p.help #after {}
            ul.branches {
                @for branch in &scene.branches { li { (drawing.link(branch)) } }
            }
        }
    }
}

/// The start of a game as a small picture.
pub fn thumbnail(start: &dyn Study) -> Markup {
    let board = start.board();
    let (width, height) = (board.rows[0].len(), board.rows.len());
    if board.moves.iter().all(|(_, cells)| cells.is_empty()) {
        return html! { pre.thumbnail aria-hidden="true" { (start.picture().replace('/', "\n")) } };
    }
    html! {
        svg.thumbnail viewBox={ "0 0 " (width) " " (height) } aria-hidden="true" {
            @for (y, row) in board.rows.iter().enumerate() {
                @for (x, mark) in row.iter().take(width).enumerate() {
                    @let (class, r) = match (side_of(*mark), mark) {
                        (Some(side), _) => (side.class(), "0.38"),
                        (None, '.') => ("hole", "0.38"),
                        (None, _) => ("mark", "0.15"),
                    };
                    circle class=(class) cx={ (x) ".5" } cy={ (y) ".5" } r=(r) {}
                }
            }
        }
    }
}

/// The side of a stone in a picture. If pieces are of several kinds, the first player's are capitals.
fn side_of(mark: char) -> Option<Side> {
    let is_second = mark == 'O' || mark.is_ascii_lowercase();
    mark.is_ascii_alphabetic().then(|| Side::of(is_second))
}

/// The cell where the last move landed.
fn last_cell(view: &View) -> Option<Cell> {
    let before = view.record.course.study_at(view.at.checked_sub(1)?);
    let text = *view.played().last()?;
    let bit = before.branches().into_iter().find(|branch| branch.text == text)?.bit;
    let board = before.board();
    board.moves.iter().find(|(other, _)| *other == bit)?.1.last().copied()
}

/// The cells of the lines that ended a game of stones and lines.
fn winning_cells(study: &dyn Study) -> Vec<Cell> {
    match (study.result(), study.lines(), study.wide_lines()) {
        (Some(Outcome::Loss), Some((game, position)), _) => cells_of_lines(&game, position),
        (Some(Outcome::Loss), _, Some((game, position))) => cells_of_lines(&game, position),
        _ => Vec::new(),
    }
}

/// The cells without which the last mover's stones would hold one line less.
fn cells_of_lines<W: Word, G: LineGame<W>>(game: &G, position: Stones<W>) -> Vec<Cell> {
    let (stones, size) = (position.other, game.size());
    let is_needed = |&(column, row): &Cell| {
        let cell = game.cell(column.into(), row.into());
        let completing = game.lines().completing_cells(stones & !cell);
        cell & stones & completing != W::ZERO
    };
    let cells = (0..size.height).flat_map(|row| (0..size.width).map(move |column| (column, row)));
    cells.filter(is_needed).collect()
}

impl Drawing<'_> {
    /// The picture as text.
    fn picture(&self) -> Markup {
        let picture = self.scene.view.study().picture();
        html! {
            pre.picture #board tabindex="-1" role="img" aria-label=(picture.replace('/', ", "))
                data-picture=(picture.replace('/', "\n")) data-none=(self.no_move()) {
                (picture.replace('/', "\n"))
            }
        }
    }

    fn table(&self) -> Markup {
        let width = self.board.rows[0].len();
        let size = match width {
            ..=4 => "small",
            5..=9 => "medium",
            _ => "large",
        };
        let layout = match self.layout {
            Layout::Columns => "falls",
            Layout::Cells => "cells",
            Layout::List => "squares",
        };
        // A picture may hold more than its cells, such as a lead.
        let rest = self.board.rows.iter().flat_map(|row| row.iter().skip(width));
        let rest: String = rest.collect();
        let study = self.scene.view.study();
        let picture = study.picture().replace('/', "\n");
        let picture = Some(picture).filter(|_| self.layout == Layout::List);
        html! {
            table class={ "board " (layout) " " (size) } id="board" aria-label="Board" tabindex="-1"
                data-stone=[study.to_move()] data-none=(self.no_move())
                data-picture=[picture] {
                @if self.layout == Layout::Columns { (self.columns()) }
                tbody {
                    @for (y, row) in self.board.rows.iter().enumerate() {
                        tr {
                            @for (x, mark) in row.iter().take(width).enumerate() {
                                (self.cell((x as u8, y as u8), *mark))
                            }
                        }
                    }
                }
            }
            @if !rest.is_empty() { p.help { (rest) } }
        }
    }

    /// The branch of the move that lands on a cell.
    fn landing(&self, cell: Cell) -> Option<&Branch> {
        let lands = |(_, cells): &&(u32, Vec<Cell>)| cells.last() == Some(&cell);
        let (bit, _) = self.board.moves.iter().find(lands)?;
        self.scene.branches.iter().find(|branch| branch.bit == *bit)
    }

    fn cell(&self, cell: Cell, mark: char) -> Markup {
        let number = match self.layout {
            Layout::Columns => Some(usize::from(cell.0) + 1),
            Layout::Cells if self.scene.model.word == "cell" => {
                Some(usize::from(cell.1) * self.board.rows[0].len() + usize::from(cell.0) + 1)
            }
            Layout::Cells | Layout::List => None,
        };
        let landing = self.landing(cell).filter(|_| self.layout != Layout::List);
        let place = number.map(|n| n.to_string()).or(landing.map(|branch| branch.text.clone()));
        let refusal = place.as_deref().filter(|_| self.layout == Layout::Cells);
        let refusal = refusal.and_then(|place| self.refusal(place));
        let number = place.clone().filter(|_| refusal.is_some());
        let begins = |(_, cells): &(u32, Vec<Cell>)| cells.first() == Some(&cell);
        let begins = self.layout == Layout::List && self.board.moves.iter().any(begins);
        html! {
            td class=[begins.then_some("begins")] data-place=[place] data-number=[number]
                data-why=[refusal] {
                @match (landing, self.layout) {
                    (Some(branch), Layout::Cells) => (self.playable(branch)),
                    (landing, _) => (self.content(cell, mark, landing)),
                }
            }
        }
    }

    /// A cell in which nothing can be played. Where the next stone of a column would land, the
    /// script shows that stone and the value of the move.
    fn content(&self, cell: Cell, mark: char, landing: Option<&Branch>) -> Markup {
        let side = match mark {
            '.' if self.layout != Layout::Cells => {
                let best = landing.is_some_and(|branch| self.scene.is_best(branch));
                let class = match (landing, best) {
                    (Some(_), true) => "hole landing best",
                    (Some(_), false) => "hole landing",
                    (None, _) => "hole",
                };
                let landing = landing.map(|branch| &branch.text[..]);
                return html! { span class=(class) data-landing=[landing] aria-hidden="true" {} };
            }
            '.' => return html! { span class="place off" {} },
            other => match side_of(other) {
                Some(side) => side,
                None => return html! { span.mark { (other) } },
            },
        };
        let mut class = format!("stone {}", side.class());
        let mut label = mark.to_string();
        if self.last == Some(cell) {
            class.push_str(" last");
            label.push_str(", last move");
        }
        if self.winning.contains(&cell) {
            class.push_str(" winning");
            label.push_str(", winning line");
        }
        html! { span class=(class) role="img" aria-label=(label) { (mark) } }
    }

    /// The reason for which the visitor cannot make a move, shown when it is tried.
    fn refusal(&self, place: &str) -> Option<String> {
        let side = self.scene.model.name(self.scene.model.current().to_move);
        let word = self.scene.model.word;
        if self.scene.view.study().result().is_some() {
            return Some(format!("{word} {place}: the game is over"));
        }
        if !self.scene.branches.iter().any(|branch| branch.text == place) {
            let state = if word == "column" { "full" } else { "taken" };
            return Some(format!("{word} {place} is {state}"));
        }
        match (self.scene.view.is_machines_turn(), self.scene.view.machine_moves_now()) {
            (false, _) => None,
            (true, true) => Some(format!("the machine ({side}) is to move: wait for it")),
            (true, false) => {
                Some(format!("the machine ({side}) is to move: redo, or play on from here"))
            }
        }
    }

    /// The notice for a move that the board does not have; `#` stands for its name.
    fn no_move(&self) -> String {
        let word = self.scene.model.word;
        match self.layout {
            Layout::List => format!("there is no {word} # here: choose one of those below"),
            Layout::Columns | Layout::Cells => {
                format!("there is no {word} # on the board")
            }
        }
    }

    /// The columns to drop a stone in.
    fn columns(&self) -> Markup {
        let numbers = (1..=self.board.rows[0].len()).map(|number| number.to_string());
        html! {
            thead {
                tr {
                    @for number in numbers {
                        @let refusal = self.refusal(&number);
                        @let branch = self.scene.branches.iter().find(|branch| branch.text == number);
                        th scope="col" data-place=(number)
                            data-number=[refusal.is_some().then_some(&number)] data-why=[&refusal] {
                            @match branch {
                                Some(branch) => (self.playable(branch)),
                                None => span class="place off" { (number) },
                            }
                        }
                    }
                }
            }
        }
    }

    /// A move: a link if the visitor may make it.
    fn playable(&self, branch: &Branch) -> Markup {
        let mark = self.mark(branch);
        let url = self.scene.view.url_after(&[&branch.text]);
        let label = format!("{} {}", self.scene.model.word, branch.text);
        // On the machine's turn only the script follows the address.
        html! {
            @if self.scene.view.is_machines_turn() {
                span class=(mark.class()) data-move=(branch.text) data-label=(label) data-href=(url) {
                    (mark.inside())
                }
            } @else {
                a class=(mark.class()) data-move=(branch.text) data-label=(label) href=(url)
                    data-stone=[self.scene.view.study().to_move()] { (mark.inside()) }
            }
        }
    }

    fn mark<'m>(&'m self, branch: &'m Branch) -> Mark<'m> {
        Mark {
            model: &self.scene.model,
            label: &branch.text,
            value: self.scene.value(branch),
            is_best: self.scene.is_best(branch),
            unknown: self.scene.unknown(),
        }
    }

    /// A move of the list: it shows the position it leads to, with its value.
    fn link(&self, branch: &Branch) -> Markup {
        let mark = self.mark(branch);
        let text = &branch.text;
        let value = mark.value.map_or_else(String::new, |value| {
            let side = self.scene.model.current().to_move;
            format!(
                ": {}{}",
                self.scene.model.words(value, side),
                if mark.is_best { ", best" } else { "" }
            )
        });
        let url = self.scene.view.url_after(&[text]);
        let (href, data_href) = match self.scene.view.is_machines_turn() {
            true => (None, Some(&url)),
            false => (Some(&url), None),
        };
        let cells = self.board.moves.iter().find(|(bit, _)| *bit == branch.bit);
        let cells = cells.map(|(_, cells)| cells.iter().map(|(x, y)| format!("{x},{y}")));
        let cells = cells.map(|cells| cells.collect::<Vec<_>>().join(" "));
        html! {
            a class=(mark.class()) data-move=(text) data-label={ (self.scene.model.word) " " (text) }
                data-cells=[cells.filter(|cells| !cells.is_empty())] data-picture=(branch.to.picture().replace('/', "\n"))
                data-told={ "After " (text) (value) } href=[href] data-href=[data_href] {
                (mark.inside())
            }
        }
    }
}
