//! Poster of a strategy: the spanning tree of its positions, in rings around the root.

use std::f64::consts::TAU;

use maud::{Markup, html};

use super::colour::{Colour, GROUND, LINES};
use crate::connect_four::strategy::{Follower, SpanningTree, TreeNode};
use crate::games::line::LineGame;
use crate::statistics::{counted, grouped};
use crate::svg::{Font, cells, decimal, disc, picture, rectangle, text};

/// Side of a cell of a board.
const CELL: f64 = 11.0;
/// Between a board and its neighbours.
const GAP: f64 = 26.0;
/// Room of a leaf on the outermost ring.
const DOT: f64 = 6.0;
/// The largest radius of the outermost ring; with more leaves they have less room each.
const LARGEST: f64 = 2400.0;
/// Margin of the picture.
const MARGIN: f64 = 60.0;
/// Height of title and legend, at the least size of letters.
const HEADER: f64 = 230.0;
/// The least width, which the legend needs.
const LEAST: f64 = 900.0;
/// The width from which on letters grow with it.
const LETTERS_GROW: f64 = 1500.0;

const INK: &str = "#000000";
const RULE: &str = "#BBBBBB";
const SETTLED: Colour = LINES[0];
const EXITS: Colour = LINES[1];

/// The sector of a node, and its middle.
#[derive(Clone, Copy, Debug)]
struct Sector {
    middle: [f64; 2],
    /// The angle at which the sector begins.
    from: f64,
    /// The width of the sector.
    angle: f64,
    is_board: bool,
}

/// Sizes of a picture.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// Between two rings.
    step: f64,
    /// Between two dots of the outermost ring.
    dot: f64,
    width: f64,
    height: f64,
    centre: [f64; 2],
    board: [f64; 2],
    /// Of letters in the title and the legend.
    letters: f64,
}

impl Layout {
    fn new(follower: &Follower, nodes: &[TreeNode]) -> Self {
        let size = follower.game().size();
        let board = [size.width, size.height].map(|cells| f64::from(cells) * CELL);
        let rings = nodes.last().map_or(0, |node| node.level).max(1) as f64;
        // Boards of neighbouring rings do not touch.
        let least = rings * (board[0].hypot(board[1]) + GAP);
        let leaves = nodes.first().map_or(1, |node| node.leaves) as f64;
        let outermost = (leaves * DOT / TAU).min(LARGEST).max(least);
        let radius = outermost + board[0];
        let width = (2.0 * (radius + MARGIN)).max(LEAST);
        let letters = (width / LETTERS_GROW).max(1.0);
        let header = HEADER * letters;
        Self {
            step: outermost / rings,
            dot: (outermost * TAU / leaves).min(DOT),
            width,
            height: header + 2.0 * radius + MARGIN,
            centre: [width / 2.0, header + radius],
            board,
            letters,
        }
    }

    /// Returns the radius of the dot of a node, whose area is the size of its subtree.
    fn radius(&self, node: &TreeNode) -> f64 {
        self.dot * 0.36 * (node.positions as f64).sqrt()
    }
}

/// Draws the poster of a strategy whose file has this many bytes.
pub fn draw(follower: &Follower, bytes: u64) -> String {
    let nodes = SpanningTree::of(follower).nodes;
    let layout = Layout::new(follower, &nodes);
    let sectors = sectors(&nodes, &layout);
    let Layout { width, height, letters, .. } = layout;
    let inside = html! {
        (rectangle([0.0; 2], [width, height], GROUND.light))
        (edges(&nodes, &sectors))
        @for (node, sector) in nodes.iter().zip(&sectors) {
            @let (kind, colour) = kind(node);
            @if sector.is_board {
                (board(follower, &layout, node, sector.middle))
            } @else {
                @let [x, y] = sector.middle.map(decimal);
                circle class=(kind) cx=(x) cy=(y) r=(decimal(layout.radius(node))) fill=(colour.light) {}
            }
        }
        g transform={ "translate(" (MARGIN) " " (MARGIN) ") scale(" (format!("{letters:.2}")) ")" } {
            (title(follower, bytes, nodes.len()))
            (legend())
        }
    };
    picture("The tree of a strategy", [0.0, 0.0, width, height], &inside)
}

fn kind(node: &TreeNode) -> (&'static str, Colour) {
    if node.exits == 0 { ("settled", SETTLED) } else { ("exits", EXITS) }
}

/// Divides the sector of every node among its children, by their leaves.
fn sectors(nodes: &[TreeNode], layout: &Layout) -> Vec<Sector> {
    let [x, y] = layout.centre;
    // The first sector begins at the top.
    let root = Sector { middle: [x, y], from: -TAU / 4.0, angle: TAU, is_board: true };
    let mut sectors = vec![root; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        let Sector { mut from, angle, is_board, .. } = sectors[at];
        for child in node.children.clone() {
            let leaves: usize = nodes[node.children.clone()].iter().map(|n| n.leaves).sum();
            let angle = angle * nodes[child].leaves as f64 / leaves as f64;
            let radius = layout.step * nodes[child].level as f64;
            let (sin, cos) = (from + angle / 2.0).sin_cos();
            let has_room = angle * radius >= layout.board[0].hypot(layout.board[1]) + GAP / 2.0;
            sectors[child] = Sector {
                middle: [x + radius * cos, y + radius * sin],
                from,
                angle,
                is_board: is_board && has_room,
            };
            from += angle;
        }
    }
    sectors
}

/// Draws lines between nodes, the wider the larger the subtree.
fn edges(nodes: &[TreeNode], sectors: &[Sector]) -> Markup {
    let edges = nodes.iter().zip(sectors).flat_map(|(node, Sector { middle, .. })| {
        node.children.clone().map(move |child| (middle.map(decimal), child))
    });
    html! {
        g stroke=(RULE) stroke-linecap="round" {
            @for (from, child) in edges {
                @let to = sectors[child].middle.map(decimal);
                @let width = decimal(0.8 + 0.9 * (nodes[child].positions as f64).log2());
                line x1=(from[0]) y1=(from[1]) x2=(to[0]) y2=(to[1]) stroke-width=(width) {}
            }
        }
    }
}

/// Draws the position of a node as a board, with the moves that lead to it below.
fn board(follower: &Follower, layout: &Layout, node: &TreeNode, middle: [f64; 2]) -> Markup {
    let [width, height] = layout.board;
    let (left, top) = (decimal(middle[0] - width / 2.0), decimal(middle[1] - height / 2.0));
    let (kind, colour) = kind(node);
    let game = follower.game();
    let (first, second) = follower.position(node.active).by_player();
    let stone = |column: u8, row: u8, middle: [f64; 2]| {
        let cell = game.cell(column.into(), row.into());
        match (first & cell != 0, second & cell != 0) {
            (true, _) => disc(middle, CELL * 0.4, INK, INK),
            (_, true) => disc(middle, CELL * 0.4, GROUND.light, INK),
            _ => disc(middle, CELL * 0.1, RULE, "none"),
        }
    };
    let moves = node.moves.map_or_else(
        || "start".to_owned(),
        |[theirs, answer]| format!("{} → {}", theirs.number(), answer.number()),
    );
    let size = match node.positions {
        1 => String::new(),
        n => format!(" · {}", grouped(n as u64)),
    };
    let font = Font { size: 13, anchor: "middle" };
    html! {
        g class={ "board " (kind) } transform={ "translate(" (left) " " (top) ")" } {
            rect x="-4" y="-4" width=(width + 8.0) height=(height + 8.0) rx="5"
                fill=(GROUND.light) stroke=(colour.light) stroke-width="2.5" {}
            (cells([game.size().width, game.size().height], CELL, stone))
            g stroke=(GROUND.light) stroke-width="4" paint-order="stroke" {
                (text([width / 2.0, height + 19.0], font, INK, &(moves + &size)))
            }
        }
    }
}

/// Writes the claim and the size of the strategy.
fn title(follower: &Follower, bytes: u64, drawn: usize) -> Markup {
    let strategy = follower.strategy();
    let positions = strategy.positions.len() as u64;
    let settled = strategy.settled() as u64;
    let mut claim = strategy.title();
    claim[..1].make_ascii_uppercase();
    let mut size = format!(
        "{}: {} with exits and {} settled; {}",
        counted(positions, "position"),
        grouped(positions - settled),
        grouped(settled),
        counted(bytes, "byte")
    );
    // `analyze verify` refuses such a strategy.
    let left_out = positions - drawn as u64;
    if left_out > 0 {
        size.push_str(&format!("; {} never reached and not drawn", grouped(left_out)));
    }
    html! {
        g font-weight="bold" { (line([0.0, 24.0], 34, &claim)) }
        (line([0.0, 58.0], 20, &size))
    }
}

/// Writes a line of text from a place on.
fn line(at: [f64; 2], size: u32, words: &str) -> Markup {
    text(at, Font { size, anchor: "start" }, INK, words)
}

fn legend() -> Markup {
    let colours = [
        (EXITS, "a position with exits: moves that its plan does not meet, each with an answer"),
        (SETTLED, "a position that its plan settles"),
    ];
    html! {
        @for ((colour, words), y) in colours.into_iter().zip([86.0, 108.0]) {
            (rectangle([0.0, y - 12.0], [13.0; 2], colour.light))
            (line([22.0, y], 15, words))
        }
        (line(
            [0.0, 132.0],
            15,
            "4 → 5 · 60: a move, its answer, and the positions of the subtree; X is full, O is hollow",
        ))
        (line(
            [0.0, 154.0],
            15,
            "the area of a dot and the width of a line grow with the positions of the subtree",
        ))
    }
}
