//! The forms of a tree: lines of text, and the language of Graphviz.

use super::SearchTree;
use everyply_core::statistics::counted;

impl SearchTree {
    /// Writes the tree as lines of text, a node a line.
    #[must_use]
    pub fn text(&self, prune: bool) -> String {
        let mut text = String::new();
        for node in &self.nodes {
            let indent = "  ".repeat(node.depth as usize);
            let name = match (&node.text, node.alike) {
                (None, _) => node.position.clone(),
                (Some(m), 1) => m.clone(),
                (Some(m), alike) => format!("{m} (of {alike} alike)"),
            };
            let window = if prune { format!("  {}", node.window()) } else { String::new() };
            let score = node.label().unwrap_or_else(|| "cut off".to_owned());
            let over = if node.over && node.score.is_some() { ", the game is over" } else { "" };
            text += &format!("{indent}{name}{window}  {score}{over}\n");
        }
        let visited = counted(self.visited_before(self.nodes.len()) as u64, "node");
        let cut = match self.cut() {
            0 => String::new(),
            cut => format!(", {} cut off", counted(cut as u64, "branch")),
        };
        text + &format!("\n{visited}{cut}; scores are for {}\n", self.first)
    }

    /// Writes the nodes in the language of Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut dot = "digraph tree {\n  node [fontname=\"sans-serif\"];\n".to_owned();
        for (number, node) in self.nodes.iter().enumerate() {
            let shape = if node.first_to_move { "box" } else { "ellipse" };
            let style = if node.score.is_none() { ", style=dashed, color=gray" } else { "" };
            let label = node.label().unwrap_or_else(|| node.window());
            dot += &format!("  n{number} [label={label:?}, shape={shape}{style}];\n");
            let (Some(parent), Some(m)) = (node.parent, &node.text) else { continue };
            let cut = if node.score.is_none() { format!("{m} ✗") } else { m.clone() };
            dot += &format!("  n{parent} -> n{number} [label={cut:?}{style}];\n");
        }
        dot + "}\n"
    }
}
