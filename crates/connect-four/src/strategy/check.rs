//! Check of strategies: every plan is played against every line of the attacker.
//!
//! The check shares only the board, the claim and the cell of an answer with the search for plans.
//! It plays every position through by the rules of [`Plan`], and reports a fault with the moves
//! that show it.

use super::grid::Grid;
use super::plan::{DRAWN, Event, LOST, PlannedMove, PositionIndex, Side, TOO_LATE};
use super::{Plan, PlannedPosition, Strategy};
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Game, Unreadable};
use everyply_core::games::line::notation::{parse_moves, picture};
use everyply_core::games::line::{SizeError, Stones};
use everyply_core::parallel;

/// Counts of a check that found no fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckSummary {
    /// Positions of the strategy.
    pub positions: u64,
    /// Positions of the strategy that a plan settles without exits.
    pub settled: u64,
    /// Positions with the attacker to move that were played through, summed over the plans.
    pub played: u64,
    /// The most empties of a position that a plan settles.
    pub most_settled_empties: u32,
}

/// Faults of a strategy, and reasons why it cannot be checked or followed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The board does not fit.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The moves to the starting position are not valid.
    #[error("the starting position: {0}")]
    Start(#[from] Unreadable),
    /// The game is over at the start.
    #[error("the game is over in the starting position")]
    Over,
    /// The follower completes a line with its first move, as it must, and gets less than the claim.
    #[error("the follower completes a line at the start, which is too late for the claim")]
    LateWin,
    /// The strategy does not hold the starting position.
    #[error("the strategy holds neither the starting position nor a position one move after it")]
    StartMissing,
    /// A position of the strategy, as a picture, is invalid, or its plan fails.
    #[error("{0}: {1}")]
    Position(String, String),
    /// The control stopped the check.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Plays a strategy through.
///
/// # Errors
/// If the strategy is wrong, or the control stops the check.
pub fn check(strategy: &Strategy, control: &Control) -> Result<CheckSummary, Fault> {
    let grid = Grid::new(strategy.size)?;
    let start = parse_moves(&grid.game, &strategy.moves)?;
    if grid.game.result(start).is_some() {
        return Err(Fault::Over);
    }
    let mut last = None;
    for &PlannedPosition { position, .. } in &strategy.positions {
        let key = (position.other, position.own);
        if last.is_some_and(|last| last >= key) || grid.canonical(position).1 {
            let why = "not the canonical one of a position and its mirror image, or not in order";
            return Err(at(&grid, position, why));
        }
        last = Some(key);
    }
    let checker = Checker { strategy, grid, index: PositionIndex::of(&strategy.positions) };
    let checked = parallel::map_parts(0..strategy.positions.len(), 1, &|part| {
        let check = |planned: &PlannedPosition| {
            control.check()?;
            checker.position(planned.position, &planned.plan)
        };
        strategy.positions[part].iter().map(check).collect::<Result<Vec<_>, Fault>>()
    });
    let exits = checked.into_iter().collect::<Result<Vec<_>, Fault>>()?.concat();
    let win = if Side::to_move(start) == strategy.claim.side {
        checker.win_now(Stones { own: start.other, other: start.own })
    } else {
        None
    };
    let mut stack = match win {
        Some(Ok(())) => Vec::new(),
        Some(Err(_)) => return Err(Fault::LateWin),
        None => {
            let first = checker.index.first(&grid, start, strategy.claim.side);
            vec![first.ok_or(Fault::StartMissing)?]
        }
    };
    let mut reached = vec![false; strategy.positions.len()];
    while let Some(i) = stack.pop() {
        if !std::mem::replace(&mut reached[i], true) {
            stack.extend(&exits[i].0);
        }
    }
    if let Some(i) = reached.iter().position(|is| !is) {
        return Err(at(&grid, strategy.positions[i].position, "never reached"));
    }
    let settled = strategy.positions.iter().filter(|planned| planned.plan.exits == 0);
    let empties = settled.map(|planned| grid.cells - planned.position.occupied().count_ones());
    Ok(CheckSummary {
        positions: strategy.positions.len() as u64,
        settled: strategy.settled() as u64,
        played: exits.iter().map(|(_, played)| played).sum(),
        most_settled_empties: empties.max().unwrap_or(0),
    })
}

/// Plays the plan of one position through, which must have no exits.
#[cfg(test)]
pub(super) fn check_plan(
    size: everyply_core::games::line::Size,
    claim: super::Claim,
    position: Stones,
    plan: &Plan,
) -> Result<u64, Fault> {
    let strategy = Strategy { size, claim, moves: String::new(), positions: Vec::new() };
    let checker =
        Checker { strategy: &strategy, grid: Grid::new(size)?, index: PositionIndex::of(&[]) };
    Ok(checker.position(position, plan)?.1)
}

fn at(grid: &Grid, position: Stones, why: impl Into<String>) -> Fault {
    Fault::Position(picture(&grid.game, position), why.into())
}

struct Checker<'a> {
    strategy: &'a Strategy,
    grid: Grid,
    index: PositionIndex,
}

impl Checker<'_> {
    /// Returns the end of the game if the follower, who is to move, can complete a line: an error
    /// if that is too late for the claim. `own` are the attacker's stones.
    fn win_now(&self, position: Stones) -> Option<Result<(), &'static str>> {
        let Self { grid, strategy, .. } = self;
        let occupied = position.occupied();
        grid.completes_now(position.other, occupied)?;
        let in_time = strategy.claim.met_by_win(grid.cells, occupied.count_ones() + 1);
        Some(if in_time { Ok(()) } else { Err(TOO_LATE) })
    }

    /// Returns the end of the game if it is over after the attacker's move to `cell`, or after the
    /// follower completes a line.
    fn end_after(&self, position: Stones, cell: u64) -> Option<Result<(), &'static str>> {
        let Self { grid, strategy, .. } = self;
        let after = Stones { own: position.own | cell, other: position.other };
        let stones = after.occupied().count_ones();
        if grid.completing(position.own) & cell != 0 {
            let is_met = strategy.claim.met_by_loss(grid.cells, stones);
            return Some(if is_met { Ok(()) } else { Err(LOST) });
        }
        if grid.playable(after.occupied()) == 0 {
            return Some(if strategy.claim.met_by_draw() { Ok(()) } else { Err(DRAWN) });
        }
        self.win_now(after)
    }

    /// Plays a plan through; returns the positions after its exits, and the number of positions
    /// played through.
    fn position(&self, position: Stones, plan: &Plan) -> Result<(Vec<usize>, u64), Fault> {
        let grid = &self.grid;
        let attacker = self.strategy.claim.side.opponent();
        if Side::to_move(position) != attacker
            // The attacker has as many stones as the other side, or one less.
            || position.own.count_ones() != u32::from(position.ply().0) / 2
            || grid.game.result(position).is_some()
        {
            let attacker = attacker.name();
            let why = format!("the game is over here, or the {attacker} player is not to move");
            return Err(at(grid, position, why));
        }
        let playable = grid.playable(position.occupied());
        let mut exits = Vec::new();
        for column in (0..32).filter(|c| plan.exits >> c & 1 == 1) {
            let has_column = column < grid.width;
            let reply = if has_column { playable & grid.column(column) } else { 0 };
            let number = column + 1;
            if reply == 0 {
                let why = format!("column {number} is an exit and full");
                return Err(at(grid, position, why));
            }
            match self.end_after(position, reply) {
                Some(Ok(())) => continue,
                Some(Err(end)) => {
                    let why = format!("the plan allows {number}, which ends {end}");
                    return Err(at(grid, position, why));
                }
                None => {}
            }
            let after = Stones { own: position.own | reply, other: position.other };
            let (_, lead) = self.index.leading_move(grid, after).ok_or_else(|| {
                let why = format!("after {number} there is no move to a position of the strategy");
                at(grid, position, why)
            })?;
            exits.push(lead);
        }
        let mut used = 0;
        let played = plan.play_through(grid, self.strategy.claim, position, |_, cell, event| {
            if matches!(event, Event::Move(PlannedMove::Answers(_))) {
                used |= cell;
            }
        });
        let (open, _) = played.map_err(|(cells, end)| {
            let line = cells.iter().map(|cell| (grid.column_of(*cell) + 1).to_string());
            let line: String = line.collect();
            at(grid, position, format!("the plan allows {line}, which ends {end}"))
        })?;
        let unused = plan.answers().into_iter().find(|(cell, _)| used >> cell & 1 == 0);
        if let Some((cell, _)) = unused {
            let cell = super::cell_name(self.strategy.size, cell);
            return Err(at(grid, position, format!("the answer to {cell} is never used")));
        }
        Ok((exits, open))
    }
}
