//! The poster of a strategy: the tree of its positions in rings around the first one.

use std::f64::consts::TAU;
use std::fmt::Write;

use super::colour::{Colour, GROUND, LINES};
use crate::connect_four::strategy::{Follower, SpanningTree, TreeNode};
use crate::games::line::LineGame;
use crate::html::plain;
use crate::statistics::{counted, grouped};

/// Side of a cell of a board.
const CELL: f64 = 11.0;
/// Between a board and what is beside it.
const GAP: f64 = 26.0;
/// Along the outermost ring, for a position with none below.
const DOT: f64 = 6.0;
/// The largest outermost ring; with more positions they are closer to each other.
const LARGEST: f64 = 2400.0;
/// Around everything.
const MARGIN: f64 = 60.0;
/// Above the rings, for the title and the legend, where letters have their least size.
const HEADER: f64 = 230.0;
/// The least width, which the legend needs, and the one from which on letters grow with it.
const LEAST: f64 = 900.0;
const LETTERS_GROW: f64 = 1500.0;

const INK: &str = "#000000";
const RULE: &str = "#BBBBBB";
const SETTLED: Colour = LINES[0];
const EXITS: Colour = LINES[1];

/// Where a node is drawn.
#[derive(Clone, Copy, Debug)]
struct Place {
    x: f64,
    y: f64,
    /// Where its sector begins, and how wide it is.
    from: f64,
    angle: f64,
    is_board: bool,
}

/// The sizes of a picture.
#[derive(Clone, Copy, Debug)]
struct Scale {
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

impl Scale {
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

    /// The radius of the dot of a node: its area is the number of positions from it on.
    fn radius(&self, node: &TreeNode) -> f64 {
        self.dot * 0.36 * (node.positions as f64).sqrt()
    }
}

/// The picture of a strategy whose file has this many bytes.
pub fn draw(follower: &Follower, bytes: u64) -> String {
    let nodes = SpanningTree::of(follower).nodes;
    let scale = Scale::new(follower, &nodes);
    let places = places(&nodes, &scale);
    let Scale { width, height, letters, .. } = scale;
    let mut svg = format!(
        "<svg role=\"img\" aria-label=\"The tree of a strategy\" width=\"{width:.0}\" \
         height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\">\n\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"{}\"/>\n",
        GROUND.light
    );
    edges(&mut svg, &nodes, &places);
    for (node, place) in nodes.iter().zip(&places) {
        if place.is_board {
            board(&mut svg, follower, &scale, node, place);
        } else {
            let (kind, colour) = kind(node);
            let _ = writeln!(
                svg,
                "<circle class=\"{kind}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\" fill=\"{}\"/>",
                place.x,
                place.y,
                scale.radius(node),
                colour.light
            );
        }
    }
    let _ = writeln!(svg, "<g transform=\"translate({MARGIN} {MARGIN}) scale({letters:.2})\">");
    title(&mut svg, follower, bytes, nodes.len());
    legend(&mut svg);
    svg.push_str("</g>\n");
    svg.push_str("</svg>\n");
    svg
}

fn kind(node: &TreeNode) -> (&'static str, Colour) {
    if node.exits == 0 { ("settled", SETTLED) } else { ("exits", EXITS) }
}

/// Every node gets a share of its parent's sector, by the leaves below it.
fn places(nodes: &[TreeNode], scale: &Scale) -> Vec<Place> {
    let [x, y] = scale.centre;
    // The first sector begins at the top.
    let root = Place { x, y, from: -TAU / 4.0, angle: TAU, is_board: true };
    let mut places = vec![root; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        let Place { mut from, angle, is_board, .. } = places[at];
        for child in node.children.clone() {
            let leaves: usize = nodes[node.children.clone()].iter().map(|n| n.leaves).sum();
            let angle = angle * nodes[child].leaves as f64 / leaves as f64;
            let radius = scale.step * nodes[child].level as f64;
            let (sin, cos) = (from + angle / 2.0).sin_cos();
            let has_room = angle * radius >= scale.board[0].hypot(scale.board[1]) + GAP / 2.0;
            places[child] = Place {
                x: x + radius * cos,
                y: y + radius * sin,
                from,
                angle,
                is_board: is_board && has_room,
            };
            from += angle;
        }
    }
    places
}

/// Lines between nodes, the wider the more positions are below.
fn edges(svg: &mut String, nodes: &[TreeNode], places: &[Place]) {
    let _ = writeln!(svg, "<g stroke=\"{RULE}\" stroke-linecap=\"round\">");
    for (node, from) in nodes.iter().zip(places) {
        for child in node.children.clone() {
            let to = places[child];
            let width = 0.8 + 0.9 * (nodes[child].positions as f64).log2();
            let _ = writeln!(
                svg,
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" \
                 stroke-width=\"{width:.1}\"/>",
                from.x, from.y, to.x, to.y
            );
        }
    }
    svg.push_str("</g>\n");
}

fn board(svg: &mut String, follower: &Follower, scale: &Scale, node: &TreeNode, place: &Place) {
    let [width, height] = scale.board;
    let (left, top) = (place.x - width / 2.0, place.y - height / 2.0);
    let (kind, colour) = kind(node);
    let _ = writeln!(
        svg,
        "<g class=\"board {kind}\" transform=\"translate({left:.1} {top:.1})\">\n\
         <rect x=\"-4\" y=\"-4\" width=\"{:.0}\" height=\"{:.0}\" rx=\"5\" fill=\"{}\" \
         stroke=\"{}\" stroke-width=\"2.5\"/>",
        width + 8.0,
        height + 8.0,
        GROUND.light,
        colour.light
    );
    let game = follower.game();
    let (first, second) = follower.position(node.active).by_player();
    for row in 0..u32::from(game.size().height) {
        for column in 0..u32::from(game.size().width) {
            let cell = game.cell(column, row);
            let (x, y) = ((f64::from(column) + 0.5) * CELL, (f64::from(row) + 0.5) * CELL);
            let (radius, fill, stroke) = match (first & cell != 0, second & cell != 0) {
                (true, _) => (CELL * 0.4, INK, INK),
                (_, true) => (CELL * 0.4, GROUND.light, INK),
                _ => (CELL * 0.1, RULE, "none"),
            };
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" \
                 stroke=\"{stroke}\"/>"
            );
        }
    }
    let moves = node.moves.map_or_else(
        || "start".to_owned(),
        |[theirs, answer]| format!("{} → {}", theirs.number(), answer.number()),
    );
    let below = match node.positions {
        1 => String::new(),
        n => format!(" · {}", grouped(n as u64)),
    };
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" text-anchor=\"middle\" fill=\"{INK}\" \
         stroke=\"{ground}\" stroke-width=\"4\" paint-order=\"stroke\">{moves}{below}</text>\n</g>",
        width / 2.0,
        height + 19.0,
        ground = GROUND.light
    );
}

/// Text from a place in the header on.
fn text(svg: &mut String, [x, y]: [u32; 2], size: u32, weight: &str, said: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" font-weight=\"{weight}\" \
         fill=\"{INK}\">{}</text>",
        plain(said)
    );
}

/// What is claimed, and how large the strategy is.
fn title(svg: &mut String, follower: &Follower, bytes: u64, drawn: usize) {
    let strategy = follower.strategy();
    let positions = strategy.positions.len() as u64;
    let settled = strategy.settled() as u64;
    let mut claim = strategy.title();
    claim[..1].make_ascii_uppercase();
    text(svg, [0, 24], 34, "bold", &claim);
    let mut size = format!(
        "{}: {} with exits and {} settled; {}",
        counted(positions, "position"),
        grouped(positions - settled),
        grouped(settled),
        counted(bytes, "byte")
    );
    // The check of a strategy finds the same wrong.
    let left_out = positions - drawn as u64;
    if left_out > 0 {
        size.push_str(&format!("; {} never reached and not drawn", grouped(left_out)));
    }
    text(svg, [0, 58], 20, "normal", &size);
}

fn legend(svg: &mut String) {
    let rows = [
        (EXITS, "a position with exits: moves that its plan does not meet, each answered"),
        (SETTLED, "a position that its plan settles, whatever is played"),
    ];
    for ((colour, said), y) in rows.into_iter().zip([86, 108]) {
        let _ = writeln!(
            svg,
            "<rect x=\"0\" y=\"{}\" width=\"13\" height=\"13\" fill=\"{}\"/>",
            y - 12,
            colour.light
        );
        text(svg, [22, y], 15, "normal", said);
    }
    let boards =
        "4 → 5 · 60: a move, its answer, and the positions from there on; X is full, O is hollow";
    text(svg, [0, 132], 15, "normal", boards);
    let sizes = "the area of a dot and the width of a line grow with the positions from there on";
    text(svg, [0, 154], 15, "normal", sizes);
}
