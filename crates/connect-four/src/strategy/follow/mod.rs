//! Followers: players that move by a strategy, without search; and spanning trees of strategies, for
//! posters.
//!
//! The follower's moves are those of the rules of [`Plan`](super::Plan). In the mirror image of a
//! plan's position, the position is mirrored for the plan and its answer is mirrored back, so that
//! a game can begin in either orientation.

mod reason;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::grid::{Grid, each_cell};
use super::plan::{PositionIndex, Side, Step};
use super::{Fault, Strategy};
use crate::game::{Game, Move, Outcome};
use crate::games::line::notation::{IndexBase, parse_moves_from};
use crate::games::line::{ConnectFour, Stones};
pub use reason::{AnswerRule, Cell, Reason};

/// A player that moves by a strategy.
#[derive(Clone, Debug)]
pub struct Follower {
    strategy: Strategy,
    grid: Grid,
    start: Vec<Move>,
    index: PositionIndex,
}

/// A position of a game, with the strategy's plan and move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowedPosition {
    /// The position.
    pub position: Stones,
    /// The plan that is followed, if one is.
    pub active: Option<ActivePlan>,
    /// The side to move.
    pub turn: Turn,
}

/// A plan that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivePlan {
    /// The index of the plan's position in the strategy.
    pub index: usize,
    /// The game has the mirror image of the plan's position.
    pub is_mirrored: bool,
    /// The exits of the plan apply: since its position at most one move was made, the attacker's.
    pub exits_open: bool,
}

/// The side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// None: the game is over, won by this side or drawn.
    Over(Option<Side>),
    /// The attacker.
    Attacker,
    /// The follower, with its move. The move is `None` outside the strategy: before its start, or
    /// after a move of the follower that is not the strategy's.
    Follower(Option<Reply>),
}

/// A move of the follower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub column: Move,
    /// The reason for the move.
    pub reason: Reason,
}

/// A move of the attacker that a plan does not meet, with the follower's reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The attacker's move.
    pub column: Move,
    /// The follower's reply.
    pub reply: Option<Reply>,
    /// The plan after the reply; `None` if the game is over.
    pub next: Option<ActivePlan>,
}

impl Follower {
    /// Makes a follower of a strategy without checking the strategy; see [`check`](super::check()).
    ///
    /// # Errors
    /// If the board does not fit, or the moves to the start are not valid.
    pub fn new(strategy: Strategy) -> Result<Self, Fault> {
        let grid = Grid::new(strategy.size)?;
        let (start, moves) = parse_moves_from(&grid.game, &strategy.moves, IndexBase::One)?;
        if grid.game.result(start).is_some() {
            return Err(Fault::Over);
        }
        let index = PositionIndex::of(&strategy.positions);
        Ok(Self { strategy, grid, start: moves, index })
    }

    /// Returns the strategy.
    pub const fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// Returns the game.
    pub const fn game(&self) -> &ConnectFour {
        &self.grid.game
    }

    /// Returns the moves to the position that the strategy starts from.
    pub fn start(&self) -> &[Move] {
        &self.start
    }

    /// Replays a game of legal moves; returns all its positions, the empty board first.
    pub fn replay(&self, moves: &[Move]) -> Vec<FollowedPosition> {
        let initial = self.grid.game.initial();
        let is_followers = Side::to_move(initial) == self.strategy.claim.side;
        let active = if is_followers { None } else { self.plan_of(initial) };
        let mut replayed = vec![self.followed_position(initial, active, 0)];
        for &m in moves {
            let FollowedPosition { position, active, turn } = replayed[replayed.len() - 1];
            let next = self.grid.game.play(position, m);
            let cell = next.occupied() ^ position.occupied();
            let active = match turn {
                // The plan stays the one that is followed.
                Turn::Attacker | Turn::Over(_) => active,
                Turn::Follower(reply) => self.plan_after(active, reply, m, next),
            };
            replayed.push(self.followed_position(next, active, cell));
        }
        replayed
    }

    /// Returns the last position of a game.
    pub fn position_after(&self, moves: &[Move]) -> FollowedPosition {
        let replayed = self.replay(moves);
        replayed[replayed.len() - 1]
    }

    /// Returns the first position of the strategy in a game from its start, and the moves to that
    /// position; `None` if the follower wins at once.
    pub fn root(&self) -> Option<(ActivePlan, Vec<Move>)> {
        let mut moves = self.start.clone();
        let mut last = self.position_after(&moves);
        if let Turn::Follower(Some(reply)) = last.turn {
            moves.push(reply.column);
            last = self.position_after(&moves);
        }
        last.active.map(|active| (active, moves))
    }

    /// Returns the position of a plan, in the orientation of the game. The attacker is to move.
    pub fn position(&self, active: ActivePlan) -> Stones {
        self.oriented(self.strategy.positions[active.index].position, active.is_mirrored)
    }

    /// Returns the columns that a plan does not meet, with the follower's replies.
    pub fn exits(&self, active: ActivePlan) -> Vec<Exit> {
        let position = self.position(active);
        let playable = self.grid.playable(position.occupied());
        each_cell(playable)
            .filter(|cell| self.is_exit(active, self.grid.column_of(cell.trailing_zeros())))
            .map(|cell| {
                let column = Move(self.grid.column_of(cell.trailing_zeros()) as u8);
                let active = ActivePlan { exits_open: true, ..active };
                let after = self.grid.game.play(position, column);
                let followed = self.followed_position(after, Some(active), cell);
                let Turn::Follower(Some(reply)) = followed.turn else {
                    return Exit { column, reply: None, next: None };
                };
                let next = self.grid.game.play(after, reply.column);
                let next = self.plan_after(Some(active), Some(reply), reply.column, next);
                Exit { column, reply: Some(reply), next }
            })
            .collect()
    }

    /// Returns the answer of a plan to a cell of the game, as long as the column has room.
    pub fn planned_answer(&self, active: ActivePlan, cell: Cell) -> AnswerRule {
        let stored = self.mirrored_column(cell.column, active.is_mirrored);
        let bit = stored * self.grid.stride + cell.row;
        let Some(column) = self.strategy.positions[active.index].plan.column(bit) else {
            return if cell.row + 1 == self.grid.height {
                AnswerRule::FirstWithRoom { from_right: active.is_mirrored }
            } else {
                AnswerRule::OnTop
            };
        };
        AnswerRule::InColumn(Move(self.mirrored_column(column, active.is_mirrored) as u8))
    }

    /// True if a plan does not meet moves into this column of the game, counted from 0.
    pub fn is_exit(&self, active: ActivePlan, column: u32) -> bool {
        let stored = self.mirrored_column(column, active.is_mirrored);
        self.strategy.positions[active.index].plan.exits >> stored & 1 == 1
    }

    /// Counts the positions that each position of the strategy leads to by exits, itself included,
    /// each once.
    pub fn reachable_counts(&self) -> Vec<u32> {
        let positions = 0..self.strategy.positions.len();
        let stored = |index| ActivePlan { index, is_mirrored: false, exits_open: true };
        let next: Vec<Vec<usize>> = positions
            .clone()
            .map(|index| {
                let exits = self.exits(stored(index)).into_iter();
                exits.filter_map(|exit| exit.next).map(|next| next.index).collect()
            })
            .collect();
        let mut met_from = vec![usize::MAX; next.len()];
        positions
            .map(|from| {
                let mut reached = 0;
                let mut stack = vec![from];
                while let Some(index) = stack.pop() {
                    if std::mem::replace(&mut met_from[index], from) != from {
                        reached += 1;
                        stack.extend(&next[index]);
                    }
                }
                reached
            })
            .collect()
    }

    /// Returns the plan of a position with the attacker to move, if the strategy holds it.
    fn plan_of(&self, position: Stones) -> Option<ActivePlan> {
        let (index, is_mirrored) = self.index.find(&self.grid, position)?;
        Some(ActivePlan { index, is_mirrored, exits_open: true })
    }

    /// Returns the plan that is followed after the follower's move `m` to `next`.
    fn plan_after(
        &self,
        active: Option<ActivePlan>,
        reply: Option<Reply>,
        m: Move,
        next: Stones,
    ) -> Option<ActivePlan> {
        if self.grid.game.result(next).is_some() {
            return None;
        }
        match reply {
            Some(Reply { column, reason: Reason::Blocks(_) | Reason::Answers { .. } })
                if column == m =>
            {
                active.map(|active| ActivePlan { exits_open: false, ..active })
            }
            _ => self.plan_of(next),
        }
    }

    /// Adds the side to move and the follower's move to a position; `last` is the cell taken last.
    fn followed_position(
        &self,
        position: Stones,
        active: Option<ActivePlan>,
        last: u64,
    ) -> FollowedPosition {
        let side = Side::to_move(position);
        let turn = match self.grid.game.result(position) {
            Some(Outcome::Draw) => Turn::Over(None),
            Some(Outcome::Win) => Turn::Over(Some(side)),
            Some(Outcome::Loss) => Turn::Over(Some(side.opponent())),
            None if side == self.strategy.claim.side => {
                Turn::Follower(self.reply(position, active, last))
            }
            None => Turn::Attacker,
        };
        FollowedPosition { position, active, turn }
    }

    /// Returns the follower's move, by the rules of [`Plan`](super::Plan).
    fn reply(&self, position: Stones, active: Option<ActivePlan>, last: u64) -> Option<Reply> {
        let grid = &self.grid;
        let is_mirrored = active.is_some_and(|active| active.is_mirrored);
        // In the orientation of the plan, with the attacker's stones first.
        let Stones { own, other } = self.oriented(position, is_mirrored);
        let stones = Stones { own: other, other: own };
        let occupied = stones.occupied();
        let reply = |cell: u64, reason: Reason| {
            let column = grid.column_of(cell.trailing_zeros());
            let column = Move(self.mirrored_column(column, is_mirrored) as u8);
            Some(Reply { column, reason })
        };
        let last = if is_mirrored { grid.mirror(last) } else { last };
        let number = last.trailing_zeros();
        let plan = active
            .map(|active| (&self.strategy.positions[active.index].plan, active.exits_open))
            .filter(|(plan, exits_open)| {
                !exits_open || plan.exits >> grid.column_of(number) & 1 == 0
            });
        let Some((plan, _)) = plan else {
            if let Some(win) = grid.completes_now(stones.other, occupied) {
                return reply(win, Reason::Completes);
            }
            let (cell, index) = self.index.leading_move(grid, stones)?;
            let exits = self.strategy.positions[index].plan.exits.count_ones();
            return reply(cell, Reason::Leads { index, exits });
        };
        let cell = match plan.step(grid, stones, number)? {
            Step::Completes(cell) => return reply(cell, Reason::Completes),
            Step::Blocks(cell) => return reply(cell, Reason::Blocks(self.cell(cell, is_mirrored))),
            Step::Answers(cell) => cell,
        };
        let (own, taken) = (grid.column_of(number), grid.column_of(cell.trailing_zeros()));
        let answer = match plan.column(number) {
            Some(column) if column == taken => {
                AnswerRule::InColumn(Move(self.mirrored_column(column, is_mirrored) as u8))
            }
            Some(column) if own == taken => {
                AnswerRule::OnTopOf(Move(self.mirrored_column(column, is_mirrored) as u8))
            }
            None if own == taken => AnswerRule::OnTop,
            _ => AnswerRule::FirstWithRoom { from_right: is_mirrored },
        };
        reply(cell, Reason::Answers { cell: self.cell(last, is_mirrored), answer })
    }

    fn cell(&self, cell: u64, is_mirrored: bool) -> Cell {
        let number = cell.trailing_zeros();
        let column = self.mirrored_column(self.grid.column_of(number), is_mirrored);
        Cell { column, row: number % self.grid.stride }
    }

    const fn mirrored_column(&self, column: u32, is_mirrored: bool) -> u32 {
        if is_mirrored { self.grid.width - 1 - column } else { column }
    }

    fn oriented(&self, position: Stones, is_mirrored: bool) -> Stones {
        if is_mirrored { self.grid.mirrored(position) } else { position }
    }
}

/// The positions of a strategy that are reached from its start, each once, by the fewest moves.
#[derive(Clone, Debug)]
pub struct SpanningTree {
    /// The positions, level by level; the root first.
    pub nodes: Vec<TreeNode>,
}

/// A position of the tree.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The plan of the position, in the orientation of the game.
    pub active: ActivePlan,
    /// The moves of the attacker and the follower from the parent; `None` for the root.
    pub moves: Option<[Move; 2]>,
    /// The depth: moves of the attacker since the root.
    pub level: usize,
    /// The number of columns that the plan does not meet.
    pub exits: usize,
    /// The children.
    pub children: Range<usize>,
    /// The size of the subtree, the node included.
    pub positions: usize,
    /// The leaves of the subtree.
    pub leaves: usize,
}

impl SpanningTree {
    /// Builds the tree of a follower's strategy, breadth first.
    pub fn of(follower: &Follower) -> Self {
        let node = |active: ActivePlan, moves, level| TreeNode {
            active,
            moves,
            level,
            exits: 0,
            children: 0..0,
            positions: 1,
            leaves: 0,
        };
        let mut is_met = vec![false; follower.strategy().positions.len()];
        let mut nodes = Vec::new();
        if let Some((root, _)) = follower.root() {
            is_met[root.index] = true;
            nodes.push(node(root, None, 0));
        }
        let mut at = 0;
        while at < nodes.len() {
            let first = nodes.len();
            let exits = follower.exits(nodes[at].active);
            nodes[at].exits = exits.len();
            for exit in exits {
                let (Some(next), Some(reply)) = (exit.next, exit.reply) else { continue };
                if !std::mem::replace(&mut is_met[next.index], true) {
                    let level = nodes[at].level + 1;
                    nodes.push(node(next, Some([exit.column, reply.column]), level));
                }
            }
            nodes[at].children = first..nodes.len();
            at += 1;
        }
        // Children stand after their parents.
        for at in (0..nodes.len()).rev() {
            let children = &nodes[nodes[at].children.clone()];
            let positions: usize = children.iter().map(|node| node.positions).sum();
            let leaves: usize = children.iter().map(|node| node.leaves).sum();
            nodes[at].positions = 1 + positions;
            nodes[at].leaves = leaves.max(1);
        }
        Self { nodes }
    }
}
