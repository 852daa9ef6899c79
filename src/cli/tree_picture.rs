//! A picture of the tree that a search visits, to fit a slide.

use maud::{Markup, html};

use super::prelude::*;
use crate::svg::{Font, STONES, cells, decimal, picture, rectangle, stroke, text};
use everyply_results::export::{SearchTree, TreeNode};

/// The least width of a picture, for its words.
const LEAST: f64 = 800.0;
/// The sides of a cell on the board of a leaf and of another node.
const CELL: [f64; 2] = [6.0, 11.0];
/// The height of the sign with a node's score.
const SIGN: f64 = 18.0;
/// Gaps between a node and the line that its branches start from, and from there to its leaves.
const STEM: [f64; 2] = [10.0, 8.0];
/// Gaps between two parts of a node, and between two leaves or two nodes.
const ROOM: [f64; 2] = [5.0, 10.0];
/// The gap between two rows of leaves.
const BELOW: f64 = 4.0;
const CROSS: f64 = 8.0;
const LINE: f64 = 22.0;
/// The largest board that is drawn.
const BOARD: usize = 5;

const LETTERS: u32 = 14;
/// The width of a letter, about: that of digits in wide fonts.
const LETTER: f64 = 0.65 * LETTERS as f64;
const MIDDLE: Font = Font { size: LETTERS, anchor: "middle" };
const START: Font = Font { size: LETTERS, anchor: "start" };
const TEXT: &str = "currentColor";
const CUT: &str = "#c8553d";

/// Draws a tree for light and dark grounds, the root on the left: nodes in the order of the search from
/// top to bottom, with their scores for the first player. Leaves of one node stand in rows. A branch
/// that was cut off is crossed out, with the window at that moment.
#[must_use]
pub fn search_tree(tree: &SearchTree, start: &dyn Position) -> String {
    let mut children = vec![Vec::new(); tree.nodes.len()];
    for (number, node) in tree.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(number);
        }
    }
    let mut drawing = Drawing::new(tree, start, children);
    let words = words(tree, start);
    let top = LINE * words.len() as f64 + ROOM[1];
    drawing.place(0, top);
    let visited = tree.visited_before(tree.nodes.len());
    let name = format!("The tree of {visited} nodes below {}", tree.nodes[0].position);
    let title = Font { size: 20, anchor: "start" };
    picture(
        &name,
        [0.0, 0.0, drawing.width, top + drawing.extent(0)],
        &html! {
            @for (line, words) in words.iter().enumerate() {
                @let at = [ROOM[0], LINE * (line as f64 + 1.0)];
                @if line == 0 { g font-weight="bold" { (text(at, title, TEXT, words)) } }
                @else { g opacity="0.8" { (text(at, START, TEXT, words)) } }
            }
            @for part in &drawing.drawn { (part) }
        },
    )
}

/// The lines above the tree: the result and the legend.
fn words(tree: &SearchTree, start: &dyn Position) -> Vec<String> {
    let first = &tree.first;
    let score = tree.nodes[0].label().unwrap_or_default();
    let nodes = counted(tree.visited_before(tree.nodes.len()) as u64, "node");
    let mut words = vec![
        format!("{}: score {score} for {first}", start.info().title),
        format!("{nodes}; scores are for {first}, pale numbers the order of the search"),
        format!("■ {first} takes the largest score;  ● the other side takes the smallest"),
    ];
    if tree.cut() > 0 {
        let cut = counted(tree.cut() as u64, "branch");
        words.push(format!("✗ {cut} cut off, with the window [α, β] at that moment"));
    }
    words
}

struct Drawing<'t> {
    tree: &'t SearchTree,
    /// Columns and rows of the boards beside the nodes, if they are drawn.
    board: Option<[f64; 2]>,
    children: Vec<Vec<usize>>,
    /// Widths of the longest move, score and number.
    longest: [f64; 3],
    leaf_width: f64,
    width: f64,
    drawn: Vec<Markup>,
}

impl<'t> Drawing<'t> {
    fn new(tree: &'t SearchTree, start: &dyn Position, children: Vec<Vec<usize>>) -> Self {
        let board = start.drawing().board;
        let columns = board.rows.first().map_or(0, Vec::len);
        let is_drawn = board.moves.iter().any(|(_, cells)| !cells.is_empty());
        let fits = columns <= BOARD && board.rows.len() <= BOARD;
        let board = (is_drawn && fits).then_some([columns as f64, board.rows.len() as f64]);
        let longest = |text: fn(&TreeNode) -> Option<String>| {
            let lengths = tree.nodes.iter().filter_map(text).map(|text| text.chars().count());
            LETTER * lengths.max().unwrap_or(0) as f64
        };
        let number = LETTER * (tree.nodes.len() - 1).to_string().len() as f64;
        let moves = longest(|node| Some(move_of(node)));
        let window = longest(|node| node.score.is_none().then(|| node.window()));
        let longest = [moves, longest(TreeNode::label) + 2.0 * ROOM[0], number];
        let mut drawing =
            Self { tree, board, children, longest, leaf_width: 0.0, width: 0.0, drawn: Vec::new() };
        let whole = drawing.node_width(CELL[0]);
        drawing.leaf_width = moves + ROOM[0] + whole.max(window + CROSS + ROOM[0]) + ROOM[1];
        let deepest = tree.nodes.iter().map(|node| node.depth).max().unwrap_or(0).max(1);
        drawing.width = LEAST.max(drawing.leaves_left(deepest - 1) + drawing.leaf_width);
        drawing
    }

    fn board_size(&self, cell: f64) -> [f64; 2] {
        self.board.map_or([0.0; 2], |sides| sides.map(|side| side * cell))
    }

    /// The width of a board of such cells, with the score and the number.
    fn node_width(&self, cell: f64) -> f64 {
        let [_, sign, number] = self.longest;
        let [board, _] = self.board_size(cell);
        board + if board > 0.0 { ROOM[0] } else { 0.0 } + sign + ROOM[0] + number
    }

    fn left(&self, depth: u32) -> f64 {
        let edge = STEM[0] + ROOM[0] + self.longest[0] + ROOM[0];
        ROOM[0] + f64::from(depth) * (self.node_width(CELL[1]) + edge)
    }

    fn leaves_left(&self, depth: u32) -> f64 {
        self.left(depth) + self.node_width(CELL[1]) + STEM[0] + STEM[1]
    }

    /// The children of a node: leaves beside each other in rows, others alone.
    fn rows(&self, node: usize) -> Vec<Vec<usize>> {
        let is_leaf = |child: &usize| self.children[*child].is_empty();
        let room = self.width - self.leaves_left(self.tree.nodes[node].depth);
        let in_row = ((room / self.leaf_width) as usize).max(1);
        let groups = self.children[node].chunk_by(|a, b| is_leaf(a) && is_leaf(b));
        groups.flat_map(|group| group.chunks(in_row)).map(<[usize]>::to_vec).collect()
    }

    fn row_height(&self, row: &[usize]) -> f64 {
        if self.children[row[0]].is_empty() {
            self.board_size(CELL[0])[1].max(SIGN) + BELOW
        } else {
            self.extent(row[0])
        }
    }

    fn extent(&self, node: usize) -> f64 {
        let below: f64 = self.rows(node).iter().map(|row| self.row_height(row)).sum();
        below.max(self.board_size(CELL[1])[1]).max(SIGN) + ROOM[1]
    }

    /// Draws a node and those below it; returns the height of its middle.
    fn place(&mut self, node: usize, top: f64) -> f64 {
        let here = &self.tree.nodes[node];
        let [left, leaves_left] = [self.left(here.depth), self.leaves_left(here.depth)];
        let rows = self.rows(node);
        let below: f64 = rows.iter().map(|row| self.row_height(row)).sum();
        let mut y = top + (self.extent(node) - ROOM[1] - below) / 2.0;
        let mut middles = Vec::new();
        let stem = left + self.node_width(CELL[1]) + STEM[0];
        for row in rows {
            let height = self.row_height(&row);
            if self.children[row[0]].is_empty() {
                middles.push((y + height / 2.0, leaves_left - ROOM[0]));
                for (at, leaf) in row.iter().enumerate() {
                    self.leaf(*leaf, [leaves_left + self.leaf_width * at as f64, y + height / 2.0]);
                }
            } else {
                let child = &self.tree.nodes[row[0]];
                let middle = self.place(row[0], y);
                middles.push((middle, self.left(child.depth) - ROOM[0]));
                let at = [stem + ROOM[0], middle - 5.0];
                self.drawn.push(text(at, START, TEXT, &move_of(child)));
            }
            y += height;
        }
        let ends =
            [middles.first(), middles.last()].map(|end| end.map_or(y, |(middle, _)| *middle));
        let middle = f64::midpoint(ends[0], ends[1]);
        let branches = html! {
            @if !middles.is_empty() {
                (line([stem - STEM[0], middle], [stem, middle]))
                (line([stem, ends[0]], [stem, ends[1]]))
            }
            @for (middle, to) in middles { (line([stem, middle], [to, middle])) }
        };
        self.drawn.push(branches);
        self.node(node, [left, middle], CELL[1]);
        middle
    }

    /// Draws a leaf to the right of `left`: the move, and the position or the window.
    fn leaf(&mut self, leaf: usize, [left, y]: [f64; 2]) {
        let node = &self.tree.nodes[leaf];
        let is_cut = node.score.is_none();
        let colour = if is_cut { CUT } else { TEXT };
        let right = left + self.longest[0] + ROOM[0];
        self.drawn.push(text([left, y + 5.0], START, colour, &move_of(node)));
        if is_cut {
            let part = html! {
                (cross([right + CROSS / 2.0, y]))
                (text([right + CROSS + ROOM[0], y + 5.0], START, CUT, &node.window()))
            };
            self.drawn.push(part);
        } else {
            self.node(leaf, [right, y], CELL[0]);
        }
    }

    /// Draws a position with its score and number.
    fn node(&mut self, number: usize, [left, y]: [f64; 2], cell: f64) {
        let node = &self.tree.nodes[number];
        let [width, height] = self.board_size(cell);
        let sign_left = left + width + if width > 0.0 { ROOM[0] } else { 0.0 };
        let sign = self.longest[1];
        let part = html! {
            @if let Some(sides) = self.board {
                (small_board(node, sides, [left, y - height / 2.0], cell))
            }
            (score(node, [sign_left, y], sign))
            g opacity="0.6" {
                (text([sign_left + sign + ROOM[0], y + 5.0], START, TEXT, &self.tree.visited_before(number).to_string()))
            }
        };
        self.drawn.push(part);
    }
}

/// The move that leads to a node, with the number of equivalent moves.
fn move_of(node: &TreeNode) -> String {
    let text = node.text.clone().unwrap_or_default();
    if node.alike > 1 { format!("{text}×{}", node.alike) } else { text }
}

fn line(from: [f64; 2], to: [f64; 2]) -> Markup {
    let ([x1, y1], [x2, y2]) = (from.map(decimal), to.map(decimal));
    html! { line x1=(x1) y1=(y1) x2=(x2) y2=(y2) stroke=(TEXT) stroke-opacity="0.6" {} }
}

fn cross([x, y]: [f64; 2]) -> Markup {
    let half = CROSS / 2.0;
    html! {
        (stroke([x - half, y - half], [x + half, y + half], CUT, 2.0))
        (stroke([x - half, y + half], [x + half, y - half], CUT, 2.0))
    }
}

/// A sign with a node's score: a box if the first player is to move, else a rounded one.
fn score(node: &TreeNode, [left, y]: [f64; 2], width: f64) -> Markup {
    let fill = match node.score.map(|score| score.0) {
        Some(score) if score > 0.0 => STONES[0],
        Some(score) if score < 0.0 => STONES[1],
        _ => "#b8bcc2",
    };
    let round = if node.first_to_move { 1.0 } else { SIGN / 2.0 };
    html! {
        rect x=(decimal(left)) y=(decimal(y - SIGN / 2.0)) width=(decimal(width)) height=(SIGN)
            rx=(decimal(round)) fill=(fill) stroke=(TEXT)
            stroke-width=(if node.over { "2" } else { "0" }) {}
        (text([left + width / 2.0, y + 5.0], MIDDLE, "#1b1b1b", &node.label().unwrap_or_default()))
    }
}

/// A board without numbers.
fn small_board(
    node: &TreeNode,
    [columns, rows]: [f64; 2],
    [left, top]: [f64; 2],
    side: f64,
) -> Markup {
    let stones: Vec<Vec<char>> =
        node.position.split('/').map(|row| row.chars().collect()).collect();
    let cell = |column: u8, row: u8, [x, y]: [f64; 2]| {
        let stone = stones.get(usize::from(row)).and_then(|row| row.get(usize::from(column)));
        let colour = match stone {
            Some('X') => STONES[0],
            Some('O') => STONES[1],
            _ => "none",
        };
        html! {
            g stroke=(TEXT) stroke-opacity="0.35" stroke-width="0.7" {
                (rectangle([x - side / 2.0, y - side / 2.0], [side; 2], colour))
            }
        }
    };
    html! {
        g transform={ "translate(" (decimal(left)) " " (decimal(top)) ")" } {
            (cells([columns as u8, rows as u8], side, cell))
        }
    }
}
