//! The forms of a tree: lines of text, a table, and the language of Graphviz.

use std::io::{self, Write};

use super::SearchTree;
use crate::game::csv_list_of;
use crate::statistics::counted;

impl SearchTree {
    /// The tree as lines of text, a node a line.
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
        let visited = counted((self.nodes.len() - self.cut()) as u64, "node");
        let cut = match self.cut() {
            0 => String::new(),
            cut => format!(", {} cut off", counted(cut as u64, "branch")),
        };
        text + &format!("\n{visited}{cut}; scores are for {}\n", self.first)
    }

    /// Writes the nodes as CSV; `separator` is the text between two moves of the game.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_csv(&self, separator: &str, to: impl Write) -> csv::Result<()> {
        let mut csv = csv::Writer::from_writer(to);
        csv.write_record([
            "node", "parent", "depth", "move", "moves", "alike", "position", "to_move", "over",
            "alpha", "beta", "score", "known",
        ])?;
        for (number, node) in self.nodes.iter().enumerate() {
            let moves = csv_list_of(&node.moves, separator);
            csv.serialize((
                (number, node.parent, node.depth, &node.text, moves, node.alike, &node.position),
                (if node.first_to_move { "first" } else { "second" }, node.over),
                (node.alpha, node.beta, node.score, node.known),
            ))?;
        }
        Ok(csv.flush()?)
    }

    /// Writes the nodes in the language of Graphviz.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_dot(&self, mut to: impl Write) -> io::Result<()> {
        let quoted = |text: &str| format!("{text:?}");
        writeln!(to, "digraph tree {{\n  node [fontname=\"sans-serif\"];")?;
        for (number, node) in self.nodes.iter().enumerate() {
            let shape = if node.first_to_move { "box" } else { "ellipse" };
            let style = if node.score.is_none() { ", style=dashed, color=gray" } else { "" };
            let label = node.label().unwrap_or_else(|| node.window());
            writeln!(to, "  n{number} [label={}, shape={shape}{style}];", quoted(&label))?;
            let (Some(parent), Some(m)) = (node.parent, &node.text) else { continue };
            let cut = if node.score.is_none() { format!("{m} ✗") } else { m.clone() };
            writeln!(to, "  n{parent} -> n{number} [label={}{style}];", quoted(&cut))?;
        }
        writeln!(to, "}}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::TreeSettings;
    use super::super::tests::{MINIMAX, search};

    #[test]
    fn every_form_has_every_node() {
        let tree = search("nim", Some("1,2"), TreeSettings { prune: true, ..MINIMAX });
        let (mut csv, mut dot) = (Vec::new(), Vec::new());
        tree.write_csv(",", &mut csv).unwrap();
        tree.write_dot(&mut dot).unwrap();
        let [csv, dot] = [csv, dot].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(csv.lines().count(), tree.nodes.len() + 1, "{csv}");
        assert!(csv.contains("\n0,,0,,[],1,"), "{csv}");
        assert_eq!(dot.matches(" -> ").count(), tree.nodes.len() - 1, "{dot}");
        assert_eq!(dot.matches("✗").count(), tree.cut(), "{dot}");
        let text = tree.text(true);
        assert_eq!(text.lines().count(), tree.nodes.len() + 2, "{text}");
        assert_eq!(text.matches("cut off\n").count(), tree.cut(), "{text}");
    }
}
