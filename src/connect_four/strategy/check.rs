//! Whether a strategy keeps what it promises.
//!
//! Nothing here is shared with the search for plans but the board and where an answer goes: every
//! position is played through by the rules of [`Plan`], and what is found wrong is told with the
//! moves that show it.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::claim::Side;
use super::field::{Field, each};
use super::index::Index;
use super::plan::Step;
use super::{Plan, Strategy};
use crate::control::{Control, Stopped};
use crate::game::Game;
use crate::games::line::notation::{NotationError, parse_moves};
use crate::games::line::{SizeError, Stones};

/// What was gone through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Positions of the strategy.
    pub entries: u64,
    /// Those that a plan settles without exits.
    pub settled: u64,
    /// Positions with the attacker to move in which plans were tried, each plan's for itself.
    pub played: u64,
    /// The most empties of a position that a plan settles.
    pub earliest: u32,
}

/// What is wrong with a strategy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The board does not fit.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The position it starts from is none.
    #[error("the starting position: {0}")]
    Start(#[from] NotationError),
    /// The game is over at the start.
    #[error("the game is over in the starting position")]
    Over,
    /// The start is not in it.
    #[error(
        "the starting position has no move to a position of the strategy, or is none of its positions"
    )]
    NoStart,
    /// A position is listed that has a line, or whose side to move is not the attacker.
    #[error("{position}: no position with {attacker} to move and the game not over", attacker = .attacker.word())]
    NoPosition {
        /// As a picture.
        position: String,
        /// The side that would have to move.
        attacker: Side,
    },
    /// A position is listed twice, or in the orientation that is not kept.
    #[error("{0}: not in the orientation that is kept, or not in order")]
    Order(String),
    /// An exit leads nowhere.
    #[error("{position}: after {column} there is no move to a position of the strategy")]
    NoExit {
        /// As a picture.
        position: String,
        /// The exit, from 1.
        column: u32,
    },
    /// A plan fails.
    #[error("{position}: the plan allows {line}, which ends {end}")]
    Fails {
        /// As a picture.
        position: String,
        /// The moves from there on.
        line: String,
        /// How the game ends then.
        end: &'static str,
    },
    /// An exit is a full column.
    #[error("{position}: column {column} is an exit and full")]
    FullExit {
        /// As a picture.
        position: String,
        /// The exit, from 1.
        column: u32,
    },
    /// An answer is in the table that is never asked for.
    #[error("{position}: the answer to {cell} is never used")]
    Unused {
        /// As a picture.
        position: String,
        /// The cell.
        cell: String,
    },
    /// A position that no game reaches in which the strategy is followed.
    #[error("{0}: never reached")]
    NeverReached(String),
    /// The check was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Plays a strategy through.
///
/// # Errors
/// What is wrong with it, or that the control asked to stop.
pub fn check(strategy: &Strategy, control: &Control) -> Result<Checked, Fault> {
    let field = Field::new(strategy.size)?;
    let start = parse_moves(&field.game, &strategy.moves)?;
    if field.game.result(start).is_some() {
        return Err(Fault::Over);
    }
    let mut last = None;
    for entry in &strategy.entries {
        let key = (entry.position.other, entry.position.own);
        if last.is_some_and(|last| last >= key) || field.kept(entry.position).1 {
            return Err(Fault::Order(picture(&field, entry.position)));
        }
        last = Some(key);
    }
    let judge = Judge { strategy, field, index: Index::of(&strategy.entries) };
    let exits: Vec<(Vec<usize>, u64)> = strategy
        .entries
        .par_iter()
        .map(|entry| {
            control.check()?;
            judge.entry(entry.position, &entry.plan)
        })
        .collect::<Result<_, Fault>>()?;
    let first = if Side::to_move(start) == strategy.claim.side {
        judge
            .index
            .lead(&field, Stones { own: start.other, other: start.own })
            .map(|(_, entry)| entry)
    } else {
        judge.index.find(&field, start).map(|(entry, _)| entry)
    };
    let wins_at_once = judge.wins_at_once(Stones { own: start.other, other: start.own });
    let mut stack = match first {
        Some(first) => vec![first],
        None if Side::to_move(start) == strategy.claim.side && wins_at_once => Vec::new(),
        None => return Err(Fault::NoStart),
    };
    let mut reached = vec![false; strategy.entries.len()];
    while let Some(i) = stack.pop() {
        if !std::mem::replace(&mut reached[i], true) {
            stack.extend(&exits[i].0);
        }
    }
    if let Some(i) = reached.iter().position(|is| !is) {
        return Err(Fault::NeverReached(picture(&field, strategy.entries[i].position)));
    }
    let settled = || strategy.entries.iter().filter(|entry| entry.plan.exits == 0);
    Ok(Checked {
        entries: strategy.entries.len() as u64,
        settled: settled().count() as u64,
        played: exits.iter().map(|(_, played)| played).sum(),
        earliest: settled()
            .map(|entry| field.cells - entry.position.occupied().count_ones())
            .max()
            .unwrap_or(0),
    })
}

/// Plays the plan of one position through, which must have no exits.
#[cfg(test)]
pub(super) fn entry(
    size: crate::games::line::Size,
    claim: super::Claim,
    position: Stones,
    plan: &Plan,
) -> Result<u64, Fault> {
    let strategy = Strategy { size, claim, moves: String::new(), entries: Vec::new() };
    let judge = Judge { strategy: &strategy, field: Field::new(size)?, index: Index::of(&[]) };
    Ok(judge.entry(position, plan)?.1)
}

fn picture(field: &Field, position: Stones) -> String {
    crate::games::line::notation::picture(&field.game, position)
}

struct Judge<'a> {
    strategy: &'a Strategy,
    field: Field,
    index: Index,
}

impl Judge<'_> {
    /// True if the follower can complete a line now, and in time.
    fn wins_at_once(&self, position: Stones) -> bool {
        let Self { field, strategy, .. } = self;
        let occupied = position.occupied();
        field.completes_now(position.other, occupied).is_some()
            && strategy.claim.wins(field.cells, occupied.count_ones() + 1)
    }

    /// Plays a plan through; gives the positions its exits lead to, and how many positions the
    /// plan was tried in.
    fn entry(&self, position: Stones, plan: &Plan) -> Result<(Vec<usize>, u64), Fault> {
        let field = &self.field;
        let attacker = self.strategy.claim.side.opponent();
        if Side::to_move(position) != attacker
            || !position_is_possible(position)
            || field.game.result(position).is_some()
        {
            return Err(Fault::NoPosition { position: picture(field, position), attacker });
        }
        let mut play =
            Play { judge: self, plan, seen: FxHashSet::default(), used: 0, line: Vec::new() };
        let playable = field.playable(position.occupied());
        let mut exits = Vec::new();
        for column in (0..32).filter(|c| plan.exits >> c & 1 == 1) {
            let full =
                || Fault::FullExit { position: picture(field, position), column: column + 1 };
            if column >= field.width {
                return Err(full());
            }
            let reply = playable & field.column(column);
            if reply == 0 {
                return Err(full());
            }
            let after = Stones { own: position.own | reply, other: position.other };
            if self.wins_at_once(after) {
                continue;
            }
            let (_, lead) = self.index.lead(field, after).ok_or_else(|| Fault::NoExit {
                position: picture(field, position),
                column: column + 1,
            })?;
            exits.push(lead);
        }
        if let Err(end) = play.attack(position, plan.exits) {
            play.line.reverse();
            let line = play.line.iter().map(|cell| (field.column_of(*cell) + 1).to_string());
            return Err(Fault::Fails {
                position: picture(field, position),
                line: line.collect(),
                end,
            });
        }
        let unused = plan.answers().into_iter().find(|(cell, _)| play.used >> cell & 1 == 0);
        if let Some((cell, _)) = unused {
            return Err(Fault::Unused {
                position: picture(field, position),
                cell: super::cell_name(self.strategy.size, cell),
            });
        }
        Ok((exits, play.seen.len() as u64))
    }
}

/// True if the numbers of stones fit, the side to move having as many or one less.
fn position_is_possible(position: Stones) -> bool {
    position.own.count_ones() == u32::from(position.ply().0) / 2
}

/// A plan that is tried.
struct Play<'a> {
    judge: &'a Judge<'a>,
    plan: &'a Plan,
    seen: FxHashSet<Stones>,
    /// The cells whose answers were asked for.
    used: u64,
    /// The cells of the line that fails, the last first.
    line: Vec<u32>,
}

impl Play<'_> {
    fn draw(&self) -> Result<(), &'static str> {
        let is_enough = self.judge.strategy.claim.bears_draw();
        if is_enough { Ok(()) } else { Err("in a draw") }
    }

    /// Every move of the attacker but those into `exits`; `own` are its stones.
    fn attack(&mut self, position: Stones, exits: u32) -> Result<(), &'static str> {
        let Judge { field, strategy, .. } = self.judge;
        let claim = strategy.claim;
        let occupied = position.occupied();
        let playable = field.playable(occupied);
        if playable == 0 {
            return self.draw();
        }
        let wins = field.completing(position.own);
        for cell in each(playable) {
            let number = cell.trailing_zeros();
            if exits >> field.column_of(number) & 1 == 1 {
                continue;
            }
            let after = Stones { own: position.own | cell, other: position.other };
            let result = if wins & cell == 0 {
                self.follow(after, number)
            } else if claim.bears_loss(field.cells, occupied.count_ones() + 1) {
                Ok(())
            } else {
                Err("in a win of the attacker")
            };
            if result.is_err() {
                self.line.push(number);
                return result;
            }
        }
        Ok(())
    }

    /// The follower's move after the attacker took `last`.
    fn follow(&mut self, position: Stones, last: u32) -> Result<(), &'static str> {
        let Judge { field, strategy, .. } = self.judge;
        let claim = strategy.claim;
        let cell = match self.plan.step(field, position, last) {
            None => return self.draw(),
            Some(Step::Completes(_))
                if claim.wins(field.cells, position.occupied().count_ones() + 1) =>
            {
                return Ok(());
            }
            Some(Step::Completes(cell)) => {
                self.line.push(cell.trailing_zeros());
                return Err("in a win of the follower that comes too late");
            }
            Some(Step::Blocks(cell)) => cell,
            Some(Step::Answers(cell)) => {
                self.used |= 1 << last;
                cell
            }
        };
        let after = Stones { own: position.own, other: position.other | cell };
        // Nobody is to move on a full board; `attack` tells how that ends.
        let is_full = field.playable(after.occupied()) == 0;
        if !is_full && !self.seen.insert(after) {
            return Ok(());
        }
        let result = self.attack(after, 0);
        if result.is_err() {
            self.line.push(cell.trailing_zeros());
        }
        result
    }
}
