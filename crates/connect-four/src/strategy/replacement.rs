//! Replacement of parts of a strategy: below one choice, a search for a part with fewer positions.
//!
//! The part of a strategy that only one choice leads to is taken out. A depth-first search with a
//! bound then looks for moves that need fewer new positions than were taken out; positions of the
//! rest of the strategy cost nothing. It expands positions as the search for the first strategy
//! does, but counts a position that branches share once.

use rustc_hash::FxHashMap;

use super::choices::Choices;
use super::graph::{AndId, AndOrGraph, OrId};
use everyply_core::control::{Control, Stopped};

#[derive(Debug)]
pub(super) struct Replacement<'c, 'g, 's> {
    graph: &'g mut AndOrGraph<'s>,
    choices: &'c Choices,
    control: &'c Control,
    /// Positions that may still be expanded.
    expansions: u32,
    /// The moves picked, in order.
    picked: Vec<(OrId, AndId)>,
    /// Bounds below which no moves were found.
    failed: FxHashMap<OrId, usize>,
}

/// The moves of a smaller part, by choice.
pub(super) type PickedMoves = Vec<(OrId, AndId)>;

impl<'c, 'g, 's> Replacement<'c, 'g, 's> {
    pub fn new(
        graph: &'g mut AndOrGraph<'s>,
        choices: &'c Choices,
        expansions: u32,
        control: &'c Control,
    ) -> Self {
        let (picked, failed) = (Vec::new(), FxHashMap::default());
        Self { graph, choices, control, expansions, picked, failed }
    }

    /// Looks for moves below a choice outside the strategy that need fewer than `bound` new
    /// positions.
    pub fn find(mut self, or: OrId, bound: usize) -> Result<Option<PickedMoves>, Stopped> {
        Ok(self.choose(or, bound)?.map(|_| self.picked))
    }

    /// Picks a move that needs fewer than `bound` new positions, and returns their number.
    fn choose(&mut self, or: OrId, bound: usize) -> Result<Option<usize>, Stopped> {
        if self.has_choice(or) {
            return Ok(Some(0));
        }
        if self.failed.get(&or).is_some_and(|failed| bound <= *failed) {
            return Ok(None);
        }
        let mut moves: Vec<(usize, AndId)> = self.graph.ors[or as usize]
            .moves
            .iter()
            .map(|and| (self.least_of_move(*and), *and))
            .filter(|(least, _)| *least < bound)
            .collect();
        let cost = |and: AndId| self.graph.ands[and as usize].cost;
        moves.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| cost(a.1).total_cmp(&cost(b.1))));
        let mark = self.picked.len();
        let mut best: Option<(usize, PickedMoves)> = None;
        for (least, and) in moves {
            let bound = best.as_ref().map_or(bound, |(cost, _)| *cost);
            if least >= bound {
                break;
            }
            if let Some(cost) = self.answer_all(and, bound)? {
                self.picked.push((or, and));
                best = Some((cost, self.picked.split_off(mark)));
            }
            self.picked.truncate(mark);
        }
        let Some((cost, mut picked)) = best else {
            self.failed.insert(or, bound);
            return Ok(None);
        };
        self.picked.append(&mut picked);
        Ok(Some(cost))
    }

    /// Picks moves after all exits of a position, so that moves and position need fewer than
    /// `bound` new positions. Returns the number of new positions.
    fn answer_all(&mut self, and: AndId, bound: usize) -> Result<Option<usize>, Stopped> {
        if self.has_position(and) {
            return Ok(Some(0));
        }
        if !self.graph.ands[and as usize].is_expanded {
            if self.expansions == 0 {
                return Ok(None);
            }
            self.expansions -= 1;
            self.graph.expand(&[and], self.control)?;
        }
        if self.graph.ands[and as usize].cost.is_infinite() {
            return Ok(None);
        }
        let mut exits: Vec<(usize, OrId)> =
            self.graph.ands[and as usize].exits.iter().map(|or| (self.least(*or), *or)).collect();
        // The most expensive first, so that a part above the bound is given up early.
        let cost = |or: OrId| self.graph.ors[or as usize].cost;
        exits.sort_by(|a, b| cost(b.1).total_cmp(&cost(a.1)));
        let mut left: usize = exits.iter().map(|(least, _)| least).sum();
        let mut total = 1;
        for (least, or) in exits {
            left -= least;
            if total + least + left >= bound {
                return Ok(None);
            }
            let Some(cost) = self.choose(or, bound - total - left)? else { return Ok(None) };
            total += cost;
        }
        Ok((total < bound).then_some(total))
    }

    fn has_choice(&self, or: OrId) -> bool {
        self.choices.uses(or) || self.picked.iter().any(|(picked, _)| *picked == or)
    }

    fn has_position(&self, and: AndId) -> bool {
        self.choices.uses_position(and) || self.picked.iter().any(|(_, picked)| *picked == and)
    }

    /// Returns the least number of new positions that a choice can need.
    fn least(&self, or: OrId) -> usize {
        if self.has_choice(or) {
            return 0;
        }
        let moves = &self.graph.ors[or as usize].moves;
        usize::from(!moves.iter().any(|and| self.has_position(*and)))
    }

    /// Returns the least number of new positions that a move to a position can need.
    fn least_of_move(&self, and: AndId) -> usize {
        let node = &self.graph.ands[and as usize];
        if self.has_position(and) {
            0
        } else if node.is_expanded {
            1 + node.exits.iter().map(|or| self.least(*or)).sum::<usize>()
        } else {
            // Exits that the strategy already has cost nothing, but the exits are not known yet.
            1
        }
    }
}
