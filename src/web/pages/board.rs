//! The board: its cells, the moves that can be played, and their values.

use super::scene::Scene;
use super::view::View;
use crate::web::prelude::*;
use everyply_core::game::Pieces;
use everyply_registry::registry::ShownBoard;

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

struct Drawing<'d> {
    scene: &'d Scene,
    board: ShownBoard,
    look: Look,
    layout: Layout,
    /// Cells of the line that ended the game.
    winning: Vec<Cell>,
    last: Option<Cell>,
}

pub fn board(scene: &Scene) -> Markup {
    let view = &scene.view;
    let position = view.position();
    let (board, look) = (position.drawing().drawn, &position.info().look);
    let start = view.start().drawing().drawn;
    // In some games stones are placed first, and moved or taken later.
    let lands_only = |board: &ShownBoard| {
        let mut cells: Vec<&[Cell]> = board.moves.iter().map(|(_, cells)| &cells[..]).collect();
        cells.sort_unstable();
        cells.iter().all(|cells| cells.len() == 1) && cells.windows(2).all(|two| two[0] != two[1])
    };
    // The value of a move takes the place of what stands there.
    let is_free = |board: &ShownBoard| {
        let at = |&(x, y): &Cell| board.rows[usize::from(y)][usize::from(x)];
        board.moves.iter().flat_map(|(_, cells)| cells).all(|cell| ['.', '*'].contains(&at(cell)))
    };
    let drawing = Drawing {
        scene,
        layout: match view.start().info().move_style {
            MoveStyle::Column => Layout::Columns,
            _ if lands_only(&start) && lands_only(&board) && is_free(&board) => Layout::Cells,
            _ => Layout::List,
        },
        winning: winning_cells(position),
        last: last_cell(view),
        board,
        look: look.clone(),
    };
    html! {
        @if is_drawn(&start) { (drawing.table()) } @else { (drawing.picture()) }
        @if drawing.layout == Layout::List {
            p.help #after {}
            ul.branches {
                @for branch in &scene.branches { li { (drawing.playable(branch)) } }
            }
        }
    }
}

/// True if a drawing shows where moves go.
fn is_drawn(board: &ShownBoard) -> bool {
    board.moves.iter().any(|(_, cells)| !cells.is_empty())
}

/// A game as a small picture, after some moves.
pub fn thumbnail(start: &dyn Position) -> Markup {
    let mut position = start.boxed();
    // Moves from the middle of the list, as long as there are many.
    for aside in [0, 0, -1, 1, 0, 1] {
        let mut next = position.branches();
        if 2 * next.len() < start.branches().len() {
            break;
        }
        let at = (next.len() / 2).saturating_add_signed(aside).min(next.len() - 1);
        let to = next.swap_remove(at).to;
        if to.result().is_some() {
            break;
        }
        position = to;
    }
    let (board, look) = (position.drawing().drawn, &position.info().look);
    if !is_drawn(&board) {
        let picture = position.picture().replace('/', "\n");
        return html! { pre.thumbnail aria-hidden="true" { (picture) } };
    }
    let (width, height) = (width_of(&board), board.rows.len());
    let falls = start.info().move_style == MoveStyle::Column;
    html! {
        svg.thumbnail viewBox={ "-0.1 -0.1 " (width) ".2 " (height) ".2" } aria-hidden="true" {
            @if falls { rect.frame x="-.1" y="-.1" width={ (width) ".2" } height={ (height) ".2" } rx=".3" {} }
            (lines(look))
            @for (y, row) in board.rows.iter().enumerate() {
                @for (x, mark) in row.iter().take(width).enumerate() {
                    @match (side_of(*mark), mark) {
                        (Some(Side::First), _) if look.pieces == Pieces::Strokes && !falls => {
                            path.stroke.x d={ "M" (x) ".2 " (y) ".2l.6 .6m0 -.6l-.6 .6" } {}
                        }
                        (Some(Side::Second), _) if look.pieces == Pieces::Strokes && !falls => {
                            circle.stroke.o cx={ (x) ".5" } cy={ (y) ".5" } r=".32" {}
                        }
                        (Some(side), _) => circle class=(side.class()) cx={ (x) ".5" } cy={ (y) ".5" } r=".4" {},
                        (None, '*') => circle.any cx={ (x) ".5" } cy={ (y) ".5" } r=".4" {},
                        (None, '+') => circle.any cx={ (x) ".5" } cy={ (y) ".5" } r=".2" {},
                        (None, '-') if look.lines.is_empty() => rect.any x=(x) y={ (y) ".4" } width="1" height=".2" {},
                        (None, '|') if look.lines.is_empty() => rect.any x={ (x) ".4" } y=(y) width=".2" height="1" {},
                        (None, '.') if falls => circle.hole cx={ (x) ".5" } cy={ (y) ".5" } r=".4" {},
                        (None, '.') if look.lines.is_empty() && board.rows[0][0] != '+' => rect.hole x={ (x) ".06" } y={ (y) ".06" } width=".88" height=".88" rx=".1" {},
                        (None, other) if !". +-|".contains(*other) => {
                            text x={ (x) ".5" } y={ (y) ".8" } font-size=".9" text-anchor="middle" { (other) }
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

/// The lines that join the points of a board, a column and a row being one unit.
fn lines(look: &Look) -> Markup {
    html! {
        @for [from, to] in &look.lines {
            line x1={ (from.0) ".5" } y1={ (from.1) ".5" } x2={ (to.0) ".5" } y2={ (to.1) ".5" } {}
        }
    }
}

/// The columns of a drawing. Its last row may have more characters, which are notes.
fn width_of(board: &ShownBoard) -> usize {
    board.rows[0].len()
}

fn text_of(board: &ShownBoard) -> String {
    let rows: Vec<String> = board.rows.iter().map(String::from_iter).collect();
    rows.join("\n")
}

/// The side of a stone in a picture. If pieces are of several kinds, the first player's are capitals.
fn side_of(mark: char) -> Option<Side> {
    let is_second = mark == 'O' || mark.is_ascii_lowercase();
    mark.is_ascii_alphabetic().then(|| Side::of(is_second))
}

fn last_cell(view: &View) -> Option<Cell> {
    let before = view.record.course.position_at(view.at.checked_sub(1)?);
    let text = *view.played().last()?;
    let bit = before.branches().into_iter().find(|branch| branch.text == text)?.bit;
    before.drawing().drawn.moves.iter().find(|(other, _)| *other == bit)?.1.last().copied()
}

/// The cells of the lines that ended a game of stones and lines.
fn winning_cells(position: &dyn Position) -> Vec<Cell> {
    let Some((_, size)) = position.any_lines().filter(|_| position.result().is_some()) else {
        return Vec::new();
    };
    let rows = position.drawing().board.rows;
    let at =
        |x: i16, y: i16| Some(*rows.get(usize::try_from(y).ok()?)?.get(usize::try_from(x).ok()?)?);
    let mut winning = Vec::new();
    for (y, x) in
        (0..i16::from(size.height)).flat_map(|y| (0..i16::from(size.width)).map(move |x| (y, x)))
    {
        for (right, down) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let line = (0..i16::from(size.line)).map(|i| (x + i * right, y + i * down));
            let stone = at(x, y).filter(|stone| *stone != '.');
            if stone.is_some() && line.clone().all(|(x, y)| at(x, y) == stone) {
                winning.extend(line.map(|(x, y)| (x as u8, y as u8)));
            }
        }
    }
    winning
}

impl Drawing<'_> {
    fn picture(&self) -> Markup {
        let picture = text_of(&self.board).replace('\n', "/");
        html! {
            pre.picture #board tabindex="-1" role="img" aria-label=(picture.replace('/', ", "))
                data-picture=(picture.replace('/', "\n")) data-none=(self.no_move()) {
                (picture.replace('/', "\n"))
            }
        }
    }

    fn table(&self) -> Markup {
        let width = width_of(&self.board);
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
        let ground = if !self.look.lines.is_empty() {
            " points"
        } else if self.board.rows[0][0] == '+' {
            " edges"
        } else {
            ""
        };
        let (pieces, sizes) = match self.look.pieces {
            Pieces::Discs => ("", None),
            Pieces::Strokes => (" strokes", None),
            Pieces::Tiles => (" tiles", None),
            Pieces::Sizes(letters) => (" sizes", Some(letters)),
        };
        let position = self.scene.view.position();
        let picture = Some(text_of(&self.board)).filter(|_| self.layout == Layout::List);
        html! {
            div class={ "ground " (size) } {
                @if !self.look.lines.is_empty() {
                    svg.lines viewBox={ "0 0 " (width) " " (self.board.rows.len()) } aria-hidden="true" {
                        (lines(&self.look))
                    }
                }
                table class={ "board " (layout) " " (size) (ground) (pieces) } id="board"
                    aria-label="Board" tabindex="-1" data-stone=[position.to_move()]
                    data-none=(self.no_move()) data-picture=[picture] data-sizes=[sizes] {
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
            }
            @if let Some(beside) = position.drawing().beside { p.beside { (beside) } }
        }
    }

    /// The word for a move: column, cell or move.
    fn word(&self) -> &'static str {
        self.scene.view.start().info().move_style.word()
    }

    /// True for a place of the drawing that is no part of the board.
    fn is_off(&self, cell: Cell, mark: char) -> bool {
        let is_joined = || self.look.lines.iter().flatten().any(|place| *place == cell);
        mark == ' ' || (!self.look.lines.is_empty() && !is_joined())
    }

    fn landing(&self, cell: Cell) -> Option<&Branch> {
        let lands = |(_, cells): &&(u32, Vec<Cell>)| cells.last() == Some(&cell);
        let (bit, _) = self.board.moves.iter().find(lands)?;
        self.scene.branches.iter().find(|branch| branch.bit == *bit)
    }

    fn cell(&self, cell: Cell, mark: char) -> Markup {
        let number = match self.layout {
            Layout::Columns => Some(usize::from(cell.0) + 1),
            Layout::Cells if self.word() == "cell" => {
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
        if self.is_off(cell, mark) {
            return html! { td.off {} };
        }
        let kind = match (begins, mark, self.board.rows[0][0], cell.0 % 2, cell.1 % 2) {
            (true, ..) => Some("begins"),
            (_, '*', ..) => Some("any"),
            (.., '+', 0, 0) => Some("dot"),
            (.., '+', 1, 0) => Some("rail"),
            (.., '+', 0, 1) => Some("post"),
            _ => None,
        };
        html! {
            td class=[kind] data-place=[place] data-number=[number]
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
        if let Pieces::Sizes(letters) = self.look.pieces {
            let size = letters.find(mark.to_ascii_uppercase()).unwrap_or_default();
            class.push_str(&format!(" size{size}"));
        }
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
        let side = self.scene.view.name(self.scene.view.side_to_move());
        let word = self.word();
        if self.scene.view.position().result().is_some() {
            return Some(format!("{word} {place}: the game is over"));
        }
        if !self.scene.branches.iter().any(|branch| branch.text == place) {
            let state = if word == "column" { "full" } else { "taken" };
            return Some(format!("{word} {place} is {state}"));
        }
        let remedy = match self.scene.view.machine_moves_now() {
            true => "wait for it",
            false => "redo, or play on from here",
        };
        let is_machines = self.scene.view.is_machines_turn();
        is_machines.then(|| format!("the machine ({side}) is to move: {remedy}"))
    }

    /// The notice for a move that the board does not have; `#` stands for its name.
    fn no_move(&self) -> String {
        let place = match self.layout {
            Layout::List => "here: choose one of those below",
            Layout::Columns | Layout::Cells => "on the board",
        };
        format!("there is no {} # {place}", self.word())
    }

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

    /// A move: a link if the visitor may make it. In the list it shows the position it leads to, with
    /// its value.
    fn playable(&self, branch: &Branch) -> Markup {
        let (view, text) = (&self.scene.view, &branch.text);
        let url = view.url_after(&[text]);
        // On the machine's turn only the script follows the address.
        let (waits, is_listed) = (view.is_machines_turn(), self.layout == Layout::List);
        let stone = view.position().to_move().filter(|_| !waits && !is_listed);
        let cells = self.board.moves.iter().find(|(bit, _)| *bit == branch.bit);
        let cells = cells.filter(|(_, cells)| is_listed && !cells.is_empty());
        let cells = cells.map(|(_, cells)| cells.iter().map(|(x, y)| format!("{x},{y}")));
        let cells = cells.map(|cells| cells.collect::<Vec<_>>().join(" "));
        let value = self.scene.value(branch).map_or_else(String::new, |value| {
            let words = view.words(value, view.side_to_move());
            format!(": {words}{}", if self.scene.is_best(branch) { ", best" } else { "" })
        });
        let told = is_listed.then(|| format!("After {text}{value}"));
        html! {
            a class=(self.class(branch)) data-move=(text) data-label={ (self.word()) " " (text) }
                data-cells=[cells] data-picture=[is_listed.then(|| text_of(&branch.to.drawing().drawn))]
                data-told=[told] href=[(!waits).then_some(&url)] data-href=[waits.then_some(&url)]
                data-stone=[stone] { (self.inside(branch)) }
        }
    }

    fn class(&self, branch: &Branch) -> String {
        let best = if self.scene.is_best(branch) { " best" } else { "" };
        match self.scene.value(branch) {
            Some(value) => format!("place v-{}{best}", value.outcome),
            None => "place".to_owned(),
        }
    }

    /// The name of a move, and its value if that is known and shown.
    fn inside(&self, branch: &Branch) -> Markup {
        let value = self.scene.value(branch);
        let unit = match value.and_then(|value| value.remoteness) {
            None => "",
            Some(r) if r.0 == 1 => " ply",
            Some(_) => " plies",
        };
        html! {
            span.spoken { (self.word()) " " }
            span.number { (branch.text) }
            span.value {
                @match value {
                    Some(value) => {
                        span.spoken { ": " }
                        (value.outcome)
                        @if let Some(r) = value.remoteness {
                            " " span.spoken { "in " } b { (r) }
                        } @else if self.scene.view.start().is_endless_draw(value) { " " b { "endless" } }
                    }
                    None => (self.scene.unknown()),
                }
            }
            span class="spoken rest" { (unit) @if self.scene.is_best(branch) { ", best" } }
        }
    }
}
