//! A picture of the tree that a search visits, to fit a slide.

use maud::{Markup, html};

use crate::export::{SearchTree, TreeNode};
use crate::registry::Study;
use crate::statistics::counted;
use crate::svg::{Font, cells, decimal, picture, rectangle, text};

/// The sides of a cell on the board of a leaf and of another node.
const CELL: [f64; 2] = [6.0, 11.0];
/// The size of the sign with a node's score.
const SIGN: [f64; 2] = [34.0, 17.0];
/// Room between a node and the nodes below it.
const GAP: f64 = 44.0;
/// Room for the move that leads to a leaf.
const MOVE: f64 = 36.0;
/// The height of the legend.
const LEGEND: f64 = 84.0;
/// The largest board that is drawn.
const BOARD: usize = 5;

const MIDDLE: Font = Font { size: 12, anchor: "middle" };
const START: Font = Font { size: 12, anchor: "start" };
const NUMBER: Font = Font { size: 9, anchor: "start" };
const TEXT: &str = "currentColor";
const CUT: &str = "#c8553d";

/// Draws a tree for light and dark grounds: nodes in the order of the search from left to right and
/// from top to bottom, with their scores for the first player. Leaves stand below each other. A
/// branch that was cut off is crossed out, with the window at that moment.
#[must_use]
pub fn search_tree(tree: &SearchTree, start: &dyn Study) -> String {
    let board = start.board();
    let columns = board.rows.first().map_or(0, Vec::len);
    let is_drawn = board.moves.iter().any(|(_, cells)| !cells.is_empty());
    let fits = columns <= BOARD && board.rows.len() <= BOARD;
    let board = (is_drawn && fits).then_some([columns as f64, board.rows.len() as f64]);
    let mut children = vec![Vec::new(); tree.nodes.len()];
    for (number, node) in tree.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(number);
        }
    }
    let mut drawing = Drawing { tree, board, children, drawn: Vec::new(), right: 0.0, bottom: 0.0 };
    drawing.place(0);
    let width = drawing.right.max(720.0);
    let name = format!("The tree of {} nodes below {}", tree.nodes.len(), tree.nodes[0].position);
    picture(
        &name,
        [0.0, -LEGEND, width, drawing.bottom + LEGEND + 6.0],
        &html! { (title(tree, start)) (legend(tree)) @for part in &drawing.drawn { (part) } },
    )
}

/// States the result.
fn title(tree: &SearchTree, start: &dyn Study) -> Markup {
    const TITLE: Font = Font { size: 20, anchor: "start" };
    let nodes = counted(tree.nodes.len() as u64, "node");
    let cut = match tree.cut() {
        0 => String::new(),
        cut => format!(", {} cut off", counted(cut as u64, "branch")),
    };
    let score = tree.nodes[0].label().unwrap_or_default();
    let words = format!("{}: score {score} for {}, {nodes}{cut}", start.title(), tree.first);
    html! { g font-weight="bold" { (text([6.0, 22.0 - LEGEND], TITLE, TEXT, &words)) } }
}

fn legend(tree: &SearchTree) -> Markup {
    let sides = format!(
        "■ {} to move: takes the largest score;  ● the other side to move: takes the smallest",
        tree.first
    );
    let scores = match tree.cut() {
        0 => format!("scores for {}; small numbers: the order of the search", tree.first),
        _ => format!(
            "scores for {}; ✗ cut off, with the window [α, β]; small numbers: the order of the search",
            tree.first
        ),
    };
    html! {
        (text([6.0, 50.0 - LEGEND], START, TEXT, &sides))
        g opacity="0.7" { (text([6.0, 70.0 - LEGEND], START, TEXT, &scores)) }
    }
}

struct Drawing<'t> {
    tree: &'t SearchTree,
    /// Columns and rows of the boards beside the nodes, if they are drawn.
    board: Option<[f64; 2]>,
    children: Vec<Vec<usize>>,
    drawn: Vec<Markup>,
    right: f64,
    bottom: f64,
}

impl Drawing<'_> {
    fn board_size(&self, cell: f64) -> [f64; 2] {
        self.board.map_or([0.0; 2], |sides| sides.map(|side| side * cell))
    }

    /// The height of a node with its board above the sign.
    fn height(&self) -> f64 {
        let board = self.board_size(CELL[1])[1];
        board + SIGN[1] + if board > 0.0 { 4.0 } else { 0.0 }
    }

    fn top(&self, node: usize) -> f64 {
        f64::from(self.tree.nodes[node].depth) * (self.height() + GAP) + 4.0
    }

    /// Draws a node and those below it, to the right of all that is drawn; returns its middle.
    fn place(&mut self, node: usize) -> f64 {
        let children = self.children[node].clone();
        let is_stack = children.iter().all(|child| self.children[*child].is_empty());
        let room = self.board_size(CELL[1])[0].max(SIGN[0]) + 24.0;
        let middle = if is_stack {
            let leaf = room / 2.0 + MOVE + self.board_size(CELL[0])[0] + SIGN[0] + 16.0;
            let wide = if children.is_empty() { room } else { room.max(leaf) };
            let left = self.right;
            self.right += wide;
            let middle = left + room / 2.0;
            self.stack(node, middle, &children);
            middle
        } else {
            let middles: Vec<f64> = children.iter().map(|child| self.place(*child)).collect();
            let middle = f64::midpoint(middles[0], middles[middles.len() - 1]);
            for (child, at) in children.iter().zip(middles) {
                self.edge(node, middle, *child, at);
            }
            middle
        };
        self.node(node, middle);
        middle
    }

    /// Draws leaves below each other, below their node.
    fn stack(&mut self, node: usize, middle: f64, leaves: &[usize]) {
        let [board_width, board_height] = self.board_size(CELL[0]);
        let row = (board_height + 6.0).max(SIGN[1] + 5.0);
        let x = middle - 12.0;
        let begin = self.top(node) + self.height();
        for (at, leaf) in leaves.iter().enumerate() {
            let y = begin + 8.0 + row * (at as f64 + 0.5);
            let node = &self.tree.nodes[*leaf];
            let is_cut = node.score.is_none();
            let from = if at == 0 { begin } else { y - row };
            let sign_at = [x + MOVE + board_width + 6.0 + SIGN[0] / 2.0, y];
            let part = html! {
                (line([x, from], [x, y], false))
                (line([x, y], [x + 10.0, y], is_cut))
                (text([x + 12.0, y + 5.0], START, if is_cut { CUT } else { TEXT }, &move_of(node)))
                @if is_cut {
                    (cross([x + 5.0, y]))
                    (text([x + MOVE + 4.0, y + 5.0], START, CUT, &node.window()))
                } @else {
                    @if let Some(sides) = self.board {
                        (small_board(node, sides, [x + MOVE, y - board_height / 2.0], CELL[0]))
                    }
                    (sign(*leaf, node, sign_at))
                }
            };
            self.drawn.push(part);
            self.bottom = self.bottom.max(y + row / 2.0);
        }
    }

    /// Draws a node that does not stand in a stack.
    fn node(&mut self, node: usize, middle: f64) {
        let (top, height) = (self.top(node), self.height());
        self.bottom = self.bottom.max(top + height);
        let [width, _] = self.board_size(CELL[1]);
        let here = &self.tree.nodes[node];
        let part = html! {
            @if here.score.is_some() {
                @if let Some(sides) = self.board {
                    (small_board(here, sides, [middle - width / 2.0, top], CELL[1]))
                }
                (sign(node, here, [middle, top + height - SIGN[1] / 2.0]))
            } @else {
                (text([middle, top + 9.0], MIDDLE, CUT, &here.window()))
            }
        };
        self.drawn.push(part);
    }

    /// Draws the line from a node to one below it, with the move.
    fn edge(&mut self, from: usize, middle: f64, to: usize, at: f64) {
        let [begin, end] = [self.top(from) + self.height(), self.top(to) - 3.0];
        let node = &self.tree.nodes[to];
        let is_cut = node.score.is_none();
        // Three quarters of the way down, so that the moves of neighbours stand apart, and on the side
        // from which the line falls away.
        let along = |share: f64| [middle + (at - middle) * share, begin + (end - begin) * share];
        let [x, y] = along(0.75);
        let (anchor, aside) = match at - middle {
            ..-1.0 => ("end", 0.0),
            1.0.. => ("start", 0.0),
            _ => ("start", 5.0),
        };
        let font = Font { anchor, ..START };
        let part = html! {
            (line([middle, begin], [at, end], is_cut))
            (text([x + aside, y - 4.0], font, if is_cut { CUT } else { TEXT }, &move_of(node)))
            @if is_cut { (cross(along(0.5))) }
        };
        self.drawn.push(part);
    }
}

/// The move that leads to a node, with the number of those alike.
fn move_of(node: &TreeNode) -> String {
    let text = node.text.clone().unwrap_or_default();
    if node.alike > 1 { format!("{text}×{}", node.alike) } else { text }
}

fn line([x, y]: [f64; 2], [to_x, to_y]: [f64; 2], is_cut: bool) -> Markup {
    let (colour, dashes) = if is_cut { (CUT, "3 3") } else { (TEXT, "none") };
    html! {
        line x1=(decimal(x)) y1=(decimal(y)) x2=(decimal(to_x)) y2=(decimal(to_y)) stroke=(colour)
            stroke-opacity="0.6" stroke-dasharray=(dashes) {}
    }
}

fn cross([x, y]: [f64; 2]) -> Markup {
    let (left, right, top, bottom) = (x - 4.0, x + 4.0, y - 4.0, y + 4.0);
    let strokes = [[left, top, right, bottom], [left, bottom, right, top]];
    html! {
        @for [x1, y1, x2, y2] in strokes.map(|stroke| stroke.map(decimal)) {
            line x1=(x1) y1=(y1) x2=(x2) y2=(y2) stroke=(CUT) stroke-width="2" {}
        }
    }
}

/// A sign with a node's score: a box if the first player is to move, else a rounded one.
fn sign(number: usize, node: &TreeNode, [x, y]: [f64; 2]) -> Markup {
    let [width, height] = SIGN;
    let [left, top] = [x - width / 2.0, y - height / 2.0];
    // The colours of the stones: both stand out on white and on black.
    let fill = match node.score.map(|score| score.0) {
        Some(score) if score > 0.0 => "#d1495b",
        Some(score) if score < 0.0 => "#e8b023",
        _ => "#b8bcc2",
    };
    let round = if node.first_to_move { 1.0 } else { height / 2.0 };
    html! {
        rect x=(decimal(left)) y=(decimal(top)) width=(decimal(width)) height=(decimal(height))
            rx=(decimal(round)) fill=(fill) stroke=(TEXT)
            stroke-width=(if node.over { "2" } else { "0" }) {}
        (text([x, y + 5.0], MIDDLE, "#1b1b1b", &node.label().unwrap_or_default()))
        g opacity="0.6" { (text([left + width + 2.0, top + 6.0], NUMBER, TEXT, &number.to_string())) }
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
            Some('X') => "#d1495b",
            Some('O') => "#e8b023",
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
