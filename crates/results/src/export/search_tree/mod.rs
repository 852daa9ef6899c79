//! The tree that a search visits, node by node, with the nodes cut off.

mod written;

use std::fmt;

use super::Scoring;
use super::scoring::ScoringScore;
use crate::oracle::{Oracle, OracleError};
use everyply_core::control::Control;
use everyply_core::game::{Outcome, PartialValue, Remoteness, Value};
use everyply_core::search::{MoveOrder, Points, Pruning, Tree, Visit, alpha_beta};
use everyply_core::statistics::grouped;
use everyply_registry::registry::{Branch, Position};

#[derive(Clone, Copy, Debug)]
pub struct TreeSettings {
    /// Plies below the root; positions there have their exact values.
    pub plies: u32,
    /// True for alpha-beta, false for minimax.
    pub prune: bool,
    /// The order of moves, by their exact values.
    pub order: MoveOrder,
    /// True to search one of the moves of a node that lead to images of one position.
    pub up_to_symmetry: bool,
    /// The convention of scores; plies are counted from the root.
    pub scoring: Scoring,
}

/// A score for the first player.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct TreeScore(pub f64);

impl fmt::Display for TreeScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            f64::INFINITY => f.write_str("∞"),
            f64::NEG_INFINITY => f.write_str("-∞"),
            x if x.fract() == 0.0 => write!(f, "{x}"),
            x => write!(f, "{x:.2}"),
        }
    }
}

/// The knowledge of a node's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    Exact,
    /// The score is this one or more: the search of the node ended early.
    AtLeast,
    /// The score is this one or less.
    AtMost,
}

/// A node of the tree; nodes are numbered in the order of the search.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The number of the node above; `None` for the root.
    pub parent: Option<usize>,
    /// Plies below the root.
    pub depth: u32,
    /// The move that leads here.
    pub text: Option<String>,
    /// The number of moves that lead here or to an image.
    pub alike: u32,
    pub position: String,
    /// True if the first player is to move.
    pub first_to_move: bool,
    /// True if the game is over.
    pub over: bool,
    /// The score for the first player that the first player has already when the node is searched
    /// or cut off.
    pub alpha: TreeScore,
    /// The score that the second player has already.
    pub beta: TreeScore,
    /// The score for the first player; `None` if the node was cut off.
    pub score: Option<TreeScore>,
    pub known: Option<Knowledge>,
}

impl TreeNode {
    /// Returns the score with a sign for a bound; `None` if the node was cut off.
    #[must_use]
    pub fn label(&self) -> Option<String> {
        let sign = match self.known? {
            Knowledge::Exact => "",
            Knowledge::AtLeast => "≥ ",
            Knowledge::AtMost => "≤ ",
        };
        Some(format!("{sign}{}", self.score?))
    }

    /// Returns the window in which the node was searched, or would have been.
    #[must_use]
    pub fn window(&self) -> String {
        format!("[{}, {}]", self.alpha, self.beta)
    }
}

/// The reason why there is no tree.
#[derive(Debug, thiserror::Error)]
pub enum SearchTreeError {
    #[error("the tree has more than {} nodes", grouped(SearchTree::MOST as u64))]
    TooLarge,
    #[error(transparent)]
    NoValue(#[from] OracleError),
}

/// The nodes that a search visits.
#[derive(Debug)]
pub struct SearchTree {
    /// In the order of the search, the root first.
    pub nodes: Vec<TreeNode>,
    /// The name of the first player: X, or the side to move at the root if positions do not say
    /// whose turn it is.
    pub first: String,
}

impl SearchTree {
    pub const MOST: usize = 2_000;

    /// Searches the tree below a position. An oracle values its leaves, and the moves to be ordered.
    ///
    /// # Errors
    /// If there are too many nodes, or a value is not found.
    pub fn search(
        root: &dyn Position,
        settings: TreeSettings,
        oracle: &Oracle,
        control: &Control,
    ) -> Result<Self, SearchTreeError> {
        let start = root.start();
        let cells = start.plies_left().unwrap_or(0);
        let mut search = Search { settings, oracle, control, cells, nodes: Vec::new() };
        let first = match root.to_move() {
            Some(_) => start.to_move().map_or_else(String::new, String::from),
            None => "the side to move".to_owned(),
        };
        let first_to_move = root.to_move() == start.to_move();
        let position = root.boxed();
        let node =
            Candidate { parent: None, depth: 0, text: None, alike: 1, first_to_move, position };
        oracle.prepare(root, control)?;
        alpha_beta(&mut search, &node, [-Points::INFINITY, Points::INFINITY])?;
        Ok(Self { nodes: search.nodes, first })
    }

    /// Returns the number of nodes visited before this one; by `nodes.len()`, of all nodes visited.
    #[must_use]
    pub fn visited_before(&self, node: usize) -> usize {
        self.nodes[..node].iter().filter(|node| node.score.is_some()).count()
    }

    /// Returns the number of nodes cut off, which the search did not visit.
    #[must_use]
    pub fn cut(&self) -> usize {
        self.nodes.len() - self.visited_before(self.nodes.len())
    }
}

struct Search<'s> {
    settings: TreeSettings,
    oracle: &'s Oracle,
    control: &'s Control,
    /// For scores by depth.
    cells: u32,
    nodes: Vec<TreeNode>,
}

/// A node before its visit.
struct Candidate {
    parent: Option<usize>,
    depth: u32,
    text: Option<String>,
    alike: u32,
    first_to_move: bool,
    position: Box<dyn Position>,
}

impl Tree for Search<'_> {
    type Node = Candidate;
    /// The number of the node, and its moves, each with the number of moves alike.
    type Moves = (usize, std::vec::IntoIter<(Branch, u32)>);
    type Error = SearchTreeError;

    fn pruning(&self) -> Pruning {
        if self.settings.prune { Pruning::AlphaBeta } else { Pruning::Nothing }
    }

    fn visit(
        &mut self,
        node: &Candidate,
        window: [Points; 2],
    ) -> Result<Visit<Self::Moves>, SearchTreeError> {
        let here = self.add(node, window)?;
        if !self.nodes[here].over && node.depth < self.settings.plies {
            return Ok(Visit::Moves((here, self.moves(&*node.position)?.into_iter())));
        }
        let value = self.oracle.prove(&*node.position, self.control)?.value;
        let points = self.points(value, node.depth);
        self.nodes[here].score = Some(self.score_of(node, points));
        self.nodes[here].known = Some(Knowledge::Exact);
        Ok(Visit::Score(points))
    }

    fn next(
        &mut self,
        above: &Candidate,
        (here, rest): &mut Self::Moves,
    ) -> Option<(Candidate, bool)> {
        let (Branch { text, keeps_turn, to, .. }, alike) = rest.next()?;
        let node = Candidate {
            parent: Some(*here),
            depth: above.depth + 1,
            text: Some(text),
            alike,
            first_to_move: above.first_to_move == keeps_turn,
            position: to,
        };
        Some((node, keeps_turn))
    }

    fn leave(
        &mut self,
        above: &Candidate,
        mut moves: Self::Moves,
        [alpha, beta]: [Points; 2],
        (best, _): (Points, usize),
    ) -> Result<(), SearchTreeError> {
        let here = moves.0;
        // The remaining moves were cut off.
        while let Some((node, keeps_turn)) = self.next(above, &mut moves) {
            let low = alpha.max(best);
            self.add(&node, if keeps_turn { [low, beta] } else { [-beta, -low] })?;
        }
        let score = self.score_of(above, best);
        let node = &mut self.nodes[here];
        node.score = Some(score);
        node.known = Some(match score {
            score if score <= node.alpha => Knowledge::AtMost,
            score if score >= node.beta => Knowledge::AtLeast,
            _ => Knowledge::Exact,
        });
        Ok(())
    }
}

impl Search<'_> {
    /// Adds a node with the window of the side to move.
    fn add(
        &mut self,
        node: &Candidate,
        [alpha, beta]: [Points; 2],
    ) -> Result<usize, SearchTreeError> {
        if self.nodes.len() == SearchTree::MOST {
            return Err(SearchTreeError::TooLarge);
        }
        let [low, high] = if node.first_to_move { [alpha, beta] } else { [beta, alpha] };
        self.nodes.push(TreeNode {
            parent: node.parent,
            depth: node.depth,
            text: node.text.clone(),
            alike: node.alike,
            position: node.position.picture(),
            first_to_move: node.first_to_move,
            over: node.position.result().is_some(),
            alpha: self.score_of(node, low),
            beta: self.score_of(node, high),
            score: None,
            known: None,
        });
        Ok(self.nodes.len() - 1)
    }

    /// Returns the points of the search for a score of one: enough to tell fractions apart.
    const fn scale(&self) -> f64 {
        if matches!(self.settings.scoring, Scoring::InverseDepth) { 1e5 } else { 1.0 }
    }

    /// Returns the score of a value for the side to move.
    fn points(&self, value: PartialValue, depth: u32) -> Points {
        let plies = value.remoteness.map_or(0, |plies| u32::from(plies.0)) + depth;
        let remoteness = Remoteness(u8::try_from(plies).unwrap_or(u8::MAX));
        let value = Value::new(value.outcome, remoteness);
        let score = match self.settings.scoring.score(value, self.cells) {
            ScoringScore::Whole(score) => score.into(),
            ScoringScore::Fraction(score) => score,
        };
        let points = Points((score * self.scale()).round() as i32);
        points.clamp(-Points::INFINITY, Points::INFINITY)
    }

    /// Returns the score for the first player of points for the side to move at a node.
    fn score_of(&self, node: &Candidate, points: Points) -> TreeScore {
        TreeScore(match if node.first_to_move { points } else { -points } {
            Points::INFINITY => f64::INFINITY,
            points if points == -Points::INFINITY => f64::NEG_INFINITY,
            Points(points) => f64::from(points) / self.scale(),
        })
    }

    /// Returns the moves of a position in the order of the search, each with the number of moves
    /// that lead to its position or an image of it.
    fn moves(&self, position: &dyn Position) -> Result<Vec<(Branch, u32)>, SearchTreeError> {
        let mut moves: Vec<(Branch, u32)> = Vec::new();
        for branch in position.branches() {
            let alike = moves.iter_mut().find(|(other, _)| {
                self.settings.up_to_symmetry
                    && other.keeps_turn == branch.keeps_turn
                    && other.to.canonical_identity().0 == branch.to.canonical_identity().0
            });
            match alike {
                Some((_, count)) => *count += 1,
                None => moves.push((branch, 1)),
            }
        }
        if self.settings.order == MoveOrder::Natural {
            return Ok(moves);
        }
        let mut valued = Vec::new();
        for (branch, count) in moves {
            let value = self.oracle.prove(branch.to.as_ref(), self.control)?.value;
            let value = value.one_ply_earlier(branch.keeps_turn);
            // Draws without a distance are equal.
            let rank = value.exact().unwrap_or(Value::new(Outcome::Draw, Remoteness(0)));
            valued.push((rank, (branch, count)));
        }
        valued.sort_by(|(a, _), (b, _)| match self.settings.order {
            MoveOrder::Best => b.cmp(a),
            _ => a.cmp(b),
        });
        Ok(valued.into_iter().map(|(_, branch)| branch).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::oracle::OracleFiles;
    use everyply_core::game::Chosen;
    use everyply_registry::registry::builtin;

    const MINIMAX: TreeSettings = TreeSettings {
        plies: 3,
        prune: false,
        order: MoveOrder::Natural,
        up_to_symmetry: false,
        scoring: Scoring::Outcome,
    };

    fn search(game: &str, position: Option<&str>, settings: TreeSettings) -> SearchTree {
        let chosen = Chosen { position: position.map(str::to_owned), ..Chosen::default() };
        let root = builtin().find(game).unwrap().position(&chosen).unwrap();
        let oracle = Oracle::new(OracleFiles::default(), 64);
        SearchTree::search(&*root, settings, &oracle, &Control::default()).unwrap()
    }

    /// Returns the nodes by the moves that lead to them.
    fn by_way(tree: &SearchTree) -> HashMap<String, &TreeNode> {
        let mut ways: Vec<String> = Vec::new();
        for node in &tree.nodes {
            let before = node.parent.map_or_else(String::new, |parent| ways[parent].clone());
            ways.push(before + "," + node.text.as_deref().unwrap_or_default());
        }
        ways.into_iter().zip(&tree.nodes).collect()
    }

    #[test]
    fn pruning_keeps_the_score_and_its_bounds_hold() {
        let starts = ["ttt", "nim", "dots", "hexapawn"].map(|game| (game, None));
        for (game, position) in starts.into_iter().chain([("ttt", Some("1526"))]) {
            for scoring in [Scoring::Outcome, Scoring::TenMinusDepth] {
                let whole = search(game, position, TreeSettings { scoring, ..MINIMAX });
                assert_eq!(whole.cut(), 0);
                let ways = by_way(&whole);
                let mut visited = Vec::new();
                for order in [MoveOrder::Best, MoveOrder::Natural, MoveOrder::Worst] {
                    let settings = TreeSettings { scoring, order, prune: true, ..MINIMAX };
                    let pruned = search(game, position, settings);
                    assert_eq!(pruned.nodes[0].score, whole.nodes[0].score, "{game}");
                    for (way, node) in by_way(&pruned) {
                        let Some(score) = node.score else {
                            assert!(node.alpha >= node.beta, "{game} {way}");
                            continue;
                        };
                        let truth = ways[&way].score.unwrap();
                        let holds = match node.known.unwrap() {
                            Knowledge::Exact => truth == score,
                            Knowledge::AtLeast => truth >= score && score >= node.beta,
                            Knowledge::AtMost => truth <= score && score <= node.alpha,
                        };
                        assert!(holds, "{game} {way}: {truth} {:?}", node.label());
                    }
                    visited.push(pruned.nodes.len() - pruned.cut());
                }
                assert!(visited[0] <= visited[2], "{game}: {visited:?}");
                assert!(visited.iter().all(|nodes| *nodes <= whole.nodes.len()), "{visited:?}");
            }
        }
    }

    #[test]
    fn the_root_has_its_value_and_scores_are_for_the_first_player() {
        // O is to move and wins at once on 6; the first player is X.
        let settings = TreeSettings { scoring: Scoring::TenMinusDepth, ..MINIMAX };
        let tree = search("ttt", Some("14257"), settings);
        assert_eq!((tree.first.as_str(), tree.nodes[0].score), ("X", Some(TreeScore(-10.0))));
        assert!(!tree.nodes[0].first_to_move && tree.nodes[1].first_to_move);
        let mut first = tree.nodes.iter().filter(|node| node.depth == 1);
        assert!(first.find(|node| node.text.as_deref() == Some("6")).unwrap().over);
        // In dots a closed box keeps the turn.
        let dots = search("dots", None, TreeSettings { plies: 4, up_to_symmetry: true, ..MINIMAX });
        let keeps = |node: &TreeNode| {
            node.parent.is_some_and(|up| dots.nodes[up].first_to_move == node.first_to_move)
        };
        assert!(dots.nodes.iter().any(keeps));
    }

    #[test]
    fn one_solution_values_all_leaves() {
        let root = builtin().find("hexapawn").unwrap().choose(&Chosen::default()).unwrap();
        let oracle = Oracle::new(OracleFiles::default(), 64);
        assert!(matches!(oracle.known(root.as_ref()), Ok(None)));
        SearchTree::search(&*root, MINIMAX, &oracle, &Control::default()).unwrap();
        assert!(matches!(oracle.known(root.as_ref()), Ok(Some(_))), "solved from the root on");
    }

    #[test]
    fn images_are_searched_once() {
        let tree = search("ttt", None, TreeSettings { up_to_symmetry: true, ..MINIMAX });
        let at = |depth| tree.nodes.iter().filter(move |node| node.depth == depth);
        assert_eq!((at(1).count(), at(2).count()), (3, 12));
        assert_eq!(at(1).map(|node| node.alike).collect::<Vec<_>>(), [4, 4, 1]);
        assert_eq!(at(3).count(), tree.nodes.len() - 16);
    }
}
