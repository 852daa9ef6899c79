//! Poster of a strategy: its positions as boards, in the order of the tree, in columns that fill a
//! page.

use maud::{Markup, html};

use super::colour::{INK, LINES, RULE};
use super::drawing::Drawing;
use super::plot::{LETTER, LETTERS};
use crate::connect_four::strategy::{Follower, SpanningTree, TreeNode};
use crate::games::line::LineGame;
use crate::statistics::{counted, grouped};
use crate::svg::{Font, decimal, rectangle, text};

/// Side of a cell of a board, and of one on a poster of few positions.
const CELL: [f64; 2] = [14.0, 24.0];
/// The most positions that are few.
const FEW: usize = 60;
/// Between two boards beside each other.
const BESIDE: f64 = 22.0;
/// Below a board: its text, and room.
const BELOW: f64 = 34.0;
/// The step to the right for each depth of the tree.
const INDENT: f64 = 24.0;
/// Between two columns.
const GUTTER: f64 = 44.0;
/// Room above a column for the moves that lead there.
const PATH: f64 = 26.0;
/// Left and right of the boards, for their frames.
const EDGE: f64 = 4.0;
/// Boards in a row: a position, and the positions below it that a plan settles.
const BOARDS: usize = 5;
/// The most positions that are drawn; nearer ones first.
const MOST: usize = 5000;
/// Height over width of a sheet of paper.
const SHEET: f64 = std::f64::consts::SQRT_2;
/// The least width, for the words above the boards.
const LEAST: f64 = 720.0;

/// A row of a column.
struct Row {
    /// The positions, the first in front.
    boards: Vec<usize>,
    /// The node whose branch the row is on.
    node: usize,
    level: usize,
    /// True if the row continues the one before.
    continues: bool,
    /// The levels at which more branches follow.
    open: Vec<bool>,
}

/// Draws the poster of a strategy whose file has this many bytes.
pub fn draw(follower: &Follower, bytes: u64) -> Drawing {
    let nodes = SpanningTree::of(follower).nodes;
    let cell = CELL[usize::from(nodes.len() <= FEW)];
    let poster = Poster { follower, nodes: &nodes, cell };
    let mut rows = Vec::new();
    poster.rows(0, &mut Vec::new(), &mut rows);
    let size = follower.game().size();
    let board = [size.width, size.height].map(|cells| f64::from(cells) * cell);
    let row_height = board[1] + BELOW;
    let deepest = rows.iter().map(|row| row.level).max().unwrap_or(0) as f64;
    let boards = rows.iter().map(|row| row.boards.len() + usize::from(row.continues));
    let boards = boards.max().unwrap_or(1) as f64;
    let column = deepest * INDENT + boards * (board[0] + BESIDE);
    let words = poster.words(bytes);
    let header = 24.0 * words.len() as f64 + 20.0;
    let extent = |columns: usize| {
        let width = (2.0 * EDGE + columns as f64 * (column + GUTTER) - GUTTER).max(LEAST);
        [width, header + PATH + rows.len().div_ceil(columns) as f64 * row_height]
    };
    // The number of columns for which the poster is most like a sheet.
    let unlike = |columns: &usize| {
        let [width, height] = extent(*columns);
        (height / width / SHEET).ln().abs()
    };
    let columns = (1..=rows.len()).min_by(|a, b| unlike(a).total_cmp(&unlike(b))).unwrap_or(1);
    let in_column = rows.len().div_ceil(columns);
    let inside = html! {
        @for (line, (colour, words)) in words.iter().enumerate() {
            @let y = 24.0 * line as f64 + 16.0;
            @if let Some(colour) = colour { (rectangle([4.0, y - 12.0], [12.0; 2], colour)) }
            @let x = if colour.is_some() { 22.0 } else { 4.0 };
            (text([x, y], Font { size: 16, anchor: "start" }, INK, words))
        }
        @for (column_number, rows) in rows.chunks(in_column).enumerate() {
            @let left = EDGE + column_number as f64 * (column + GUTTER);
            g transform={ "translate(" (decimal(left)) " " (decimal(header + PATH)) ")" } {
                @if column_number > 0 { (poster.path(rows[0].node)) }
                @for (at, row) in rows.iter().enumerate() {
                    (poster.row(row, at as f64 * row_height, row_height, board))
                }
            }
        }
    };
    Drawing { size: extent(columns), inside }
}

struct Poster<'f> {
    follower: &'f Follower,
    nodes: &'f [TreeNode],
    cell: f64,
}

impl Poster<'_> {
    /// Writes the sizes of the strategy and the meaning of the signs, some with a colour.
    fn words(&self, bytes: u64) -> Vec<(Option<&'static str>, String)> {
        let strategy = self.follower.strategy();
        let positions = strategy.positions.len() as u64;
        let settled = strategy.settled() as u64;
        let mut size = format!("{}, {}", counted(positions, "position"), counted(bytes, "byte"));
        // `analyze verify` refuses a strategy with such positions.
        let unreached = positions - self.nodes.len() as u64;
        if unreached > 0 {
            size.push_str(&format!("; {} never reached and not drawn", grouped(unreached)));
        }
        let further = self.nodes.len().saturating_sub(MOST) as u64;
        if further > 0 {
            size.push_str(&format!("; {} further from the start not drawn", grouped(further)));
        }
        let open = format!(
            "{} with moves that the plan does not meet: each leads to a position below",
            grouped(positions - settled)
        );
        vec![
            (None, size),
            (Some(LINES[0].light), open),
            (Some(RULE), format!("{} that their plan settles", grouped(settled))),
            (
                None,
                "4 → 5 · 60: a move, its answer (both with a dot), and the positions from there on"
                    .to_owned(),
            ),
        ]
    }

    /// The children of a node that are drawn: those with branches, or those without.
    fn children(&self, node: usize, with_branches: bool) -> Vec<usize> {
        let drawn = |child: &usize| *child < MOST;
        let of_kind = |child: &usize| self.nodes[*child].children.is_empty() != with_branches;
        self.nodes[node].children.clone().filter(drawn).filter(of_kind).collect()
    }

    /// Adds the rows of a node and of all below it.
    fn rows(&self, node: usize, open: &mut Vec<bool>, rows: &mut Vec<Row>) {
        let level = self.nodes[node].level;
        let mut boards = vec![node];
        boards.extend(self.children(node, false));
        let branches = self.children(node, true);
        open.push(!branches.is_empty());
        // Further rows leave the place below the node free.
        let (front, others) = boards.split_at(boards.len().min(BOARDS));
        for boards in std::iter::once(front).chain(others.chunks(BOARDS - 1)) {
            let (boards, open, continues) = (boards.to_vec(), open.clone(), boards[0] != node);
            rows.push(Row { boards, node, level, continues, open });
        }
        for (number, branch) in branches.iter().enumerate() {
            open[level] = number + 1 < branches.len();
            self.rows(*branch, open, rows);
        }
        open.pop();
    }

    /// Writes the moves that lead to a node, above a column.
    fn path(&self, node: usize) -> Markup {
        let mut pairs = Vec::new();
        let mut at = node;
        while let Some(pair) = self.nodes[at].moves {
            pairs.push(format!("{}→{}", pair[0].number(), pair[1].number()));
            let parent = |other: &usize| self.nodes[*other].children.contains(&at);
            at = (0..at).rev().find(parent).unwrap_or(0);
        }
        pairs.reverse();
        html! {
            g opacity="0.7" {
                (text([0.0, -12.0], Font { size: LETTERS, anchor: "start" }, INK, &pairs.join("  ")))
            }
        }
    }

    /// Draws a row: the branches that pass, the branch to the row, and its boards.
    fn row(&self, row: &Row, top: f64, height: f64, board: [f64; 2]) -> Markup {
        let middle = board[1] / 2.0;
        let branch = |level: usize| decimal(level as f64 * INDENT + INDENT / 2.0);
        let [begin, turn, below, end] =
            [top - 3.0, top + middle, top + board[1] + 4.0, top + height - 3.0].map(decimal);
        let left = row.level as f64 * INDENT;
        html! {
            g stroke=(RULE) stroke-width="2" fill="none" {
                // A branch below the row's own node begins at the board.
                @for (level, is_open) in row.open.iter().enumerate() {
                    @let from = if level < row.level || row.continues { &begin } else { &below };
                    @if *is_open { path d={ "M" (branch(level)) " " (from) "V" (end) } {} }
                }
                @if row.level > 0 && !row.continues {
                    path d={ "M" (branch(row.level - 1)) " " (begin) "V" (turn) "H" (decimal(left)) } {}
                }
            }
            @for (number, node) in row.boards.iter().enumerate() {
                @let place = (number + usize::from(row.continues)) as f64;
                (self.board(*node, [left + place * (board[0] + BESIDE), top], board))
            }
        }
    }

    /// Draws the position of a node as a board, with the moves that lead to it below.
    fn board(&self, node: usize, [left, top]: [f64; 2], [width, height]: [f64; 2]) -> Markup {
        let node = &self.nodes[node];
        let game = self.follower.game();
        let size = game.size();
        let (first, second) = self.follower.position(node.active).by_player();
        let is_taken =
            |column: u8, row: u8| (first | second) & game.cell(column.into(), row.into()) != 0;
        // The stones of the last move and its answer are the highest of their columns.
        let last = node.moves.map(|pair| pair.map(|m| m.number() as u8 - 1));
        let is_last = |column: u8, row: u8| {
            let times = last.map_or(0, |pair| pair.iter().filter(|c| **c == column).count());
            (0..row).filter(|above| is_taken(column, *above)).count() < times
        };
        let is_first = |column: u8, row: u8| first & game.cell(column.into(), row.into()) != 0;
        // One path with round ends for all discs of a kind: a poster has thousands of boards.
        let discs = |radius: f64, colour: &str, is_there: &dyn Fn(u8, u8) -> bool| {
            let rows = 0..size.height;
            let all = rows.flat_map(|row| (0..size.width).map(move |column| (column, row)));
            let path = all.filter(|&(column, row)| is_there(column, row)).map(|(column, row)| {
                let [x, y] = [column, row].map(|at| decimal((f64::from(at) + 0.5) * self.cell));
                format!("M{x} {y}h0")
            });
            let path: String = path.collect();
            let wide = decimal(2.0 * radius * self.cell);
            html! { @if !path.is_empty() { path d=(path) stroke=(colour) stroke-width=(wide) {} } }
        };
        let is_settled = node.exits == 0;
        let (kind, frame) = if is_settled { ("settled", RULE) } else { ("exits", LINES[0].light) };
        let moves = node.moves.map_or_else(
            || "start".to_owned(),
            |[theirs, answer]| format!("{} → {}", theirs.number(), answer.number()),
        );
        let positions = match node.positions {
            1 => String::new(),
            n => format!(" · {}", grouped(n as u64)),
        };
        let label = moves + &positions;
        // Beside the branch that begins here.
        let (at, anchor) = if node.positions > 1 {
            (INDENT / 2.0 + 6.0, "start")
        } else {
            (width / 2.0, "middle")
        };
        let letters =
            if label.chars().count() as f64 * LETTER > width + BESIDE { 11 } else { LETTERS };
        html! {
            g class={ "board " (kind) } transform={ "translate(" (decimal(left)) " " (decimal(top)) ")" } {
                rect x="-3" y="-3" width=(decimal(width + 6.0)) height=(decimal(height + 6.0)) rx="5"
                    fill="#000000" fill-opacity="0.04" stroke=(frame) stroke-width="2" {}
                g fill="none" stroke-linecap="round" {
                    (discs(0.1, RULE, &|column, row| !is_taken(column, row)))
                    (discs(0.44, "#c8293c", &|column, row| {
                        is_taken(column, row) && is_first(column, row)
                    }))
                    (discs(0.44, "#f4bc2f", &|column, row| {
                        is_taken(column, row) && !is_first(column, row)
                    }))
                    (discs(0.16, "#1c2126", &|column, row| {
                        is_taken(column, row) && is_last(column, row)
                    }))
                }
                (text([at, height + 19.0], Font { size: letters, anchor }, INK, &label))
            }
        }
    }
}
