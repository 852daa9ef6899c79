//! Strategies followed along a game.
//!
//! The follower's moves are those of the rules of [`Plan`](super::Plan) and nothing else: no
//! search. Who follows a plan in the mirror image of its position turns the image, and the answer
//! back, so that the game may begin in either orientation.

mod outline;
mod reason;
#[cfg(test)]
mod tests;

use super::claim::Side;
use super::field::{Field, each};
use super::index::Index;
use super::plan::Step;
use super::{Fault, Strategy};
use crate::game::{Game, Move, Outcome};
use crate::games::line::notation::IndexBase;
use crate::games::line::notation::parse_moves_from;
use crate::games::line::{ConnectFour, Stones};
pub use outline::{Node, Outline};
pub use reason::{Answer, Cell, Reason};

/// Who plays by a strategy.
#[derive(Clone, Debug)]
pub struct Follower {
    strategy: Strategy,
    field: Field,
    start: Vec<Move>,
    index: Index,
}

/// A position of a game, and what the strategy has to say there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The position.
    pub position: Stones,
    /// The plan that is followed, if one is.
    pub following: Option<Following>,
    /// Whose turn it is.
    pub turn: Turn,
}

/// A plan that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Following {
    /// The position of the plan, as an index into the entries of the strategy.
    pub entry: usize,
    /// The game has its mirror image.
    pub is_mirrored: bool,
    /// No move was made since that position, or only the attacker's first: the exits are open.
    pub is_new: bool,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nobody's: the game is over, and this side has won, or none.
    Over(Option<Side>),
    /// The attacker's.
    Attacker,
    /// The follower's, with its move. There is none where the game left the strategy, since
    /// somebody made another move for the follower, or has not come to its start.
    Follower(Option<Reply>),
}

/// A move of the follower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub column: Move,
    /// Why it is made.
    pub reason: Reason,
}

/// A move of the attacker that a plan does not meet, and what is done then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The attacker's move.
    pub column: Move,
    /// The follower's.
    pub reply: Option<Reply>,
    /// The position of the strategy that the game is in then; `None` if it is over.
    pub next: Option<Following>,
}

impl Follower {
    /// Who plays by this strategy; whether it is right, [`check`](super::check()) tells.
    ///
    /// # Errors
    /// If the board does not fit, or the moves to the start are none.
    pub fn new(strategy: Strategy) -> Result<Self, Fault> {
        let field = Field::new(strategy.size)?;
        let (start, moves) = parse_moves_from(&field.game, &strategy.moves, IndexBase::One)?;
        if field.game.result(start).is_some() {
            return Err(Fault::Over);
        }
        let index = Index::of(&strategy.entries);
        Ok(Self { strategy, field, start: moves, index })
    }

    /// The strategy.
    #[must_use]
    pub const fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &ConnectFour {
        &self.field.game
    }

    /// The moves to the position it starts from.
    #[must_use]
    pub fn start(&self) -> &[Move] {
        &self.start
    }

    /// Every position of a game whose moves can be played, the empty board first.
    #[must_use]
    pub fn walk(&self, moves: &[Move]) -> Vec<Standing> {
        let initial = self.field.game.initial();
        let following = if self.is_followers_turn(initial) { None } else { self.enter(initial) };
        let mut standings = vec![self.standing(initial, following, 0)];
        for &m in moves {
            let Standing { position, following, turn } = standings[standings.len() - 1];
            let next = self.field.game.play(position, m);
            let cell = next.occupied() ^ position.occupied();
            let following = match turn {
                // The plan stays the one that is followed.
                Turn::Attacker | Turn::Over(_) => following,
                Turn::Follower(reply) => self.followed(following, reply, m, next),
            };
            standings.push(self.standing(next, following, cell));
        }
        standings
    }

    /// The last of the positions of a game.
    #[must_use]
    pub fn standing_after(&self, moves: &[Move]) -> Standing {
        let standings = self.walk(moves);
        standings[standings.len() - 1]
    }

    /// The first position of the strategy that is met in a game from its start, and the moves to
    /// it. There is none if the follower wins at once.
    #[must_use]
    pub fn root(&self) -> Option<(Following, Vec<Move>)> {
        let mut moves = self.start.clone();
        let mut standing = self.standing_after(&moves);
        if let Turn::Follower(Some(reply)) = standing.turn {
            moves.push(reply.column);
            standing = self.standing_after(&moves);
        }
        standing.following.map(|following| (following, moves))
    }

    /// The position of an entry, in the orientation it is followed in; the attacker is to move.
    #[must_use]
    pub fn position(&self, following: Following) -> Stones {
        self.turned(self.strategy.entries[following.entry].position, following.is_mirrored)
    }

    /// The columns that the plan of an entry does not meet, and what is done there.
    #[must_use]
    pub fn exits(&self, following: Following) -> Vec<Exit> {
        let position = self.position(following);
        let playable = self.field.playable(position.occupied());
        let exits = each(playable).filter(|cell| {
            let column = self.field.column_of(cell.trailing_zeros());
            self.is_exit(following, column)
        });
        exits
            .map(|cell| {
                let column = Move(self.field.column_of(cell.trailing_zeros()) as u8);
                let following = Following { is_new: true, ..following };
                let after = self.field.game.play(position, column);
                let standing = self.standing(after, Some(following), cell);
                let Turn::Follower(Some(reply)) = standing.turn else {
                    return Exit { column, reply: None, next: None };
                };
                let next = self.field.game.play(after, reply.column);
                let next = self.followed(Some(following), Some(reply), reply.column, next);
                Exit { column, reply: Some(reply), next }
            })
            .collect()
    }

    /// What the table of a plan has for a cell of the game: the answer while there is room.
    #[must_use]
    pub fn planned(&self, following: Following, cell: Cell) -> Answer {
        let stored = self.mirrored_column(cell.column, following.is_mirrored);
        let bit = stored * self.field.stride + cell.row;
        let Some(column) = self.strategy.entries[following.entry].plan.column(bit) else {
            return if cell.row + 1 == self.field.height {
                Answer::FirstWithRoom { from_right: following.is_mirrored }
            } else {
                Answer::OnTop
            };
        };
        Answer::InColumn(Move(self.mirrored_column(column, following.is_mirrored) as u8))
    }

    /// True if a plan does not meet moves into this column, from 0 in the game.
    #[must_use]
    pub fn is_exit(&self, following: Following, column: u32) -> bool {
        let stored = self.mirrored_column(column, following.is_mirrored);
        self.strategy.entries[following.entry].plan.exits >> stored & 1 == 1
    }

    /// The positions each entry leads to by exits, itself among them, each counted once.
    #[must_use]
    pub fn reach(&self) -> Vec<u32> {
        let entries = 0..self.strategy.entries.len();
        let stored = |entry| Following { entry, is_mirrored: false, is_new: true };
        let next: Vec<Vec<usize>> = entries
            .clone()
            .map(|entry| {
                let exits = self.exits(stored(entry)).into_iter();
                exits.filter_map(|exit| exit.next).map(|next| next.entry).collect()
            })
            .collect();
        let mut met_from = vec![usize::MAX; next.len()];
        entries
            .map(|from| {
                let mut reached = 0;
                let mut stack = vec![from];
                while let Some(entry) = stack.pop() {
                    if std::mem::replace(&mut met_from[entry], from) != from {
                        reached += 1;
                        stack.extend(&next[entry]);
                    }
                }
                reached
            })
            .collect()
    }

    fn is_followers_turn(&self, position: Stones) -> bool {
        Side::to_move(position) == self.strategy.claim.side
    }

    /// The entry of a position with the attacker to move, if it has one.
    fn enter(&self, position: Stones) -> Option<Following> {
        let (entry, is_mirrored) = self.index.find(&self.field, position)?;
        Some(Following { entry, is_mirrored, is_new: true })
    }

    /// The plan that is followed after the follower's move `m` to `next`.
    fn followed(
        &self,
        following: Option<Following>,
        reply: Option<Reply>,
        m: Move,
        next: Stones,
    ) -> Option<Following> {
        if self.field.game.result(next).is_some() {
            return None;
        }
        match reply {
            Some(Reply { column, reason: Reason::Blocks(_) | Reason::Answers { .. } })
                if column == m =>
            {
                following.map(|following| Following { is_new: false, ..following })
            }
            _ => self.enter(next),
        }
    }

    /// What there is to say of a position; `last` is the cell taken before.
    fn standing(&self, position: Stones, following: Option<Following>, last: u64) -> Standing {
        let side = Side::to_move(position);
        let turn = match self.field.game.result(position) {
            Some(Outcome::Draw) => Turn::Over(None),
            Some(Outcome::Win) => Turn::Over(Some(side)),
            Some(Outcome::Loss) => Turn::Over(Some(side.opponent())),
            None if side == self.strategy.claim.side => {
                Turn::Follower(self.reply(position, following, last))
            }
            None => Turn::Attacker,
        };
        Standing { position, following, turn }
    }

    /// The follower's move, by the rules of [`Plan`](super::Plan).
    fn reply(&self, position: Stones, following: Option<Following>, last: u64) -> Option<Reply> {
        let field = &self.field;
        let is_mirrored = following.is_some_and(|following| following.is_mirrored);
        // As the plan has it, the attacker's stones first.
        let Stones { own, other } = self.turned(position, is_mirrored);
        let stones = Stones { own: other, other: own };
        let occupied = stones.occupied();
        let reply = |cell: u64, reason: Reason| {
            let column = field.column_of(cell.trailing_zeros());
            let column = Move(self.mirrored_column(column, is_mirrored) as u8);
            Some(Reply { column, reason })
        };
        let last = if is_mirrored { field.mirror(last) } else { last };
        let number = last.trailing_zeros();
        let plan = following
            .map(|following| (&self.strategy.entries[following.entry].plan, following.is_new))
            .filter(|(plan, is_new)| !is_new || plan.exits >> field.column_of(number) & 1 == 0);
        let Some((plan, _)) = plan else {
            if let Some(win) = field.completes_now(stones.other, occupied) {
                return reply(win, Reason::Completes);
            }
            let (cell, entry) = self.index.lead(field, stones)?;
            let exits = self.strategy.entries[entry].plan.exits.count_ones();
            return reply(cell, Reason::Leads { entry, exits });
        };
        let cell = match plan.step(field, stones, number)? {
            Step::Completes(cell) => return reply(cell, Reason::Completes),
            Step::Blocks(cell) => return reply(cell, Reason::Blocks(self.cell(cell, is_mirrored))),
            Step::Answers(cell) => cell,
        };
        let (own, taken) = (field.column_of(number), field.column_of(cell.trailing_zeros()));
        let answer = match plan.column(number) {
            Some(column) if column == taken => {
                Answer::InColumn(Move(self.mirrored_column(column, is_mirrored) as u8))
            }
            Some(column) if own == taken => {
                Answer::OnTopOf(Move(self.mirrored_column(column, is_mirrored) as u8))
            }
            None if own == taken => Answer::OnTop,
            _ => Answer::FirstWithRoom { from_right: is_mirrored },
        };
        reply(cell, Reason::Answers { cell: self.cell(last, is_mirrored), answer })
    }

    fn cell(&self, cell: u64, is_mirrored: bool) -> Cell {
        let number = cell.trailing_zeros();
        let column = self.mirrored_column(self.field.column_of(number), is_mirrored);
        Cell { column, row: number % self.field.stride }
    }

    const fn mirrored_column(&self, column: u32, is_mirrored: bool) -> u32 {
        if is_mirrored { self.field.width - 1 - column } else { column }
    }

    fn turned(&self, position: Stones, is_mirrored: bool) -> Stones {
        if is_mirrored { self.field.mirrored(position) } else { position }
    }
}
