//! Followers: players that move by a strategy, without search.
//!
//! The follower moves by the rules of [`Plan`](super::Plan). In the mirror image of a plan's
//! position, the position is mirrored for the plan and its answer is mirrored back, so that a game
//! can begin in either orientation.

mod reason;
#[cfg(test)]
mod tests;

use super::grid::Grid;
use super::plan::{PlannedMove, PositionIndex, Side};
use super::{Fault, Strategy};
use everyply_core::game::{Game, Move, Outcome};
use everyply_core::games::line::notation::{IndexBase, parse_moves_from};
use everyply_core::games::line::{ConnectFour, Stones};
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
    /// The plan that is followed, if any.
    pub active: Option<ActivePlan>,
    /// The side to move.
    pub turn: Turn,
}

/// A plan that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivePlan {
    /// The index of the plan's position in the strategy.
    pub index: usize,
    /// True if the game has the mirror image of the plan's position.
    pub is_mirrored: bool,
    /// True if the exits of the plan apply: at most one move was made since its position.
    pub exits_open: bool,
}

/// The side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Neither side: the game is over, won by this side or drawn.
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

    /// Returns true if a plan does not meet moves into this column of the game, counted from 0.
    pub fn is_exit(&self, active: ActivePlan, column: u32) -> bool {
        let stored = self.mirrored_column(column, active.is_mirrored);
        self.strategy.positions[active.index].plan.exits >> stored & 1 == 1
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
        let in_game = |column| Move(self.mirrored_column(column, is_mirrored) as u8);
        let reply = |cell: u64, reason: Reason| {
            Some(Reply { column: in_game(grid.column_of(cell.trailing_zeros())), reason })
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
            PlannedMove::Completes(cell) => return reply(cell, Reason::Completes),
            PlannedMove::Blocks(cell) => {
                return reply(cell, Reason::Blocks(self.cell(cell, is_mirrored)));
            }
            PlannedMove::Answers(cell) => cell,
        };
        let (own, taken) = (grid.column_of(number), grid.column_of(cell.trailing_zeros()));
        let answer = match plan.column(number) {
            Some(column) if column == taken => AnswerRule::InColumn(in_game(column)),
            Some(column) if own == taken => AnswerRule::OnTopOf(in_game(column)),
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
