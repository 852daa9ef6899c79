//! A strategy as choices in a graph, with an exact count of its positions: a position that branches
//! share counts once.

use super::graph::{AndId, AndOrGraph, OrId};

#[derive(Debug)]
pub(super) struct Choices {
    root: OrId,
    /// The move of every solved OR node.
    pub chosen: Vec<AndId>,
    /// The number of choices of the strategy that lead to each AND node.
    and_uses: Vec<u32>,
    /// The number of AND nodes of the strategy with an exit to each OR node.
    pub or_uses: Vec<u32>,
    pub count: usize,
}

impl Choices {
    /// Takes the cheapest choices, without regard to the positions they share.
    pub fn new(graph: &AndOrGraph<'_>, root: OrId) -> Self {
        let mut this =
            Self { root, chosen: Vec::new(), and_uses: Vec::new(), or_uses: Vec::new(), count: 0 };
        this.rebuild(graph);
        this
    }

    pub fn and_nodes(&self) -> impl Iterator<Item = AndId> {
        let uses = self.and_uses.iter().enumerate();
        uses.filter(|(_, uses)| **uses > 0).map(|(and, _)| and as AndId)
    }

    /// Returns the choices of the strategy, fewest stones first.
    pub fn used(&self, graph: &AndOrGraph<'_>) -> Vec<OrId> {
        let mut used: Vec<OrId> =
            (0..self.or_uses.len() as OrId).filter(|or| self.uses(*or)).collect();
        used.sort_by_key(|or| graph.ors[*or as usize].position.occupied().count_ones());
        used
    }

    /// Returns true if the strategy has this choice; choices newer than the counts are not in it.
    pub fn uses(&self, or: OrId) -> bool {
        self.or_uses.get(or as usize).is_some_and(|uses| *uses > 0)
    }

    pub fn uses_position(&self, and: AndId) -> bool {
        self.and_uses.get(and as usize).is_some_and(|uses| *uses > 0)
    }

    /// Makes room for the nodes that are new in the graph. The strategy does not use them; they get
    /// their cheapest move.
    pub fn extend(&mut self, graph: &AndOrGraph<'_>) {
        let new = graph.ors[self.chosen.len()..].iter().map(|or| or.best);
        self.chosen.extend(new);
        self.and_uses.resize(graph.ands.len(), 0);
        self.or_uses.resize(graph.ors.len(), 0);
    }

    pub fn rebuild(&mut self, graph: &AndOrGraph<'_>) {
        self.extend(graph);
        self.and_uses.fill(0);
        self.or_uses.fill(0);
        self.count = 0;
        self.enter_or(graph, self.root);
    }

    fn enter_or(&mut self, graph: &AndOrGraph<'_>, or: OrId) {
        self.or_uses[or as usize] += 1;
        if self.or_uses[or as usize] == 1 {
            self.enter(graph, self.chosen[or as usize]);
        }
    }

    pub fn enter(&mut self, graph: &AndOrGraph<'_>, and: AndId) {
        self.and_uses[and as usize] += 1;
        if self.and_uses[and as usize] == 1 {
            self.count += 1;
            for &or in &graph.ands[and as usize].exits {
                self.enter_or(graph, or);
            }
        }
    }

    fn leave_or(&mut self, graph: &AndOrGraph<'_>, or: OrId) {
        self.or_uses[or as usize] -= 1;
        if self.or_uses[or as usize] == 0 {
            self.leave(graph, self.chosen[or as usize]);
        }
    }

    pub fn leave(&mut self, graph: &AndOrGraph<'_>, and: AndId) {
        self.and_uses[and as usize] -= 1;
        if self.and_uses[and as usize] == 0 {
            self.count -= 1;
            for &or in &graph.ands[and as usize].exits {
                self.leave_or(graph, or);
            }
        }
    }
}
