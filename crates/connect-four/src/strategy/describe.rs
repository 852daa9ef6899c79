//! Descriptions of plans: facts observed by playing a plan through.

use rustc_hash::FxHashMap;

use super::grid::Grid;
use super::plan::{Claim, Event, Plan, PlannedMove, Side};
use everyply_core::games::line::{LineGame, Size, SizeError, Stones};

/// Facts about a plan that hold in every game in which it is followed. Cells are masks and bit
/// numbers of the [board](everyply_core::games::line::ConnectFour).
///
/// Each fact is observed in all games that the attacker can choose, not derived from the table of
/// answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The board.
    pub size: Size,
    /// The side of the plan, and the score that the plan keeps.
    pub claim: Claim,
    /// The position of the plan, the attacker to move.
    pub position: Stones,
    /// Empty cells that the follower takes in some game and the attacker in none.
    pub follower_only: u64,
    /// Empty cells that the attacker takes in some game and the follower in none.
    pub attacker_only: u64,
    /// Empty cells that either side takes, depending on the game.
    pub either: u64,
    /// Empty cells that stay empty in every game.
    pub never: u64,
    /// The cells in which the follower completes a line, by ascending cell.
    pub winning_cells: Vec<WinningCell>,
    /// The stones on the board at the end of the longest game.
    pub longest: u32,
    /// True if some game ends in a draw.
    pub can_draw: bool,
    /// The stones on the board at the end of the shortest game that the attacker wins.
    pub earliest_loss: Option<u32>,
    /// True if the follower has to block in some game.
    pub has_to_block: bool,
    /// Columns, as bits, whose cells are always answered on top, by the table.
    pub on_top: u32,
    /// True if some cells of some other column are answered on top too.
    pub partly_on_top: bool,
    /// Cells that answer each other, the lower column first.
    pub pairs: Vec<(u32, u32)>,
    /// Other cells that are not always answered on top, with their answers.
    pub elsewhere: Vec<(u32, u64)>,
    /// Positions with the attacker to move that were played through.
    pub positions: u64,
}

/// A cell in which the follower completes a line and ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinningCell {
    /// The cell, as a bit number.
    pub cell: u32,
    /// The cells of a line that the stone completes.
    pub line: u64,
    /// True if the line lacks only this stone: the cell is a threat in the position.
    pub is_threat: bool,
    /// The stones on the board at the end of the longest game that ends in the cell.
    pub latest: u32,
}

/// Describes a plan without exits by playing it through; `None` if the plan does not keep the claim
/// in this position, with the attacker to move.
///
/// # Errors
/// If the board does not fit.
pub fn describe(
    size: Size,
    claim: Claim,
    position: Stones,
    plan: &Plan,
) -> Result<Option<Description>, SizeError> {
    let grid = Grid::new(size)?;
    let is_theirs = Side::to_move(position) == claim.side.opponent();
    if plan.exits != 0 || !is_theirs {
        return Ok(None);
    }
    let mut observed = Observations::default();
    let played = plan.play_through(&grid, claim, position, |stones, cell, event| {
        observed.see(&grid, stones, cell, event);
    });
    let Ok((open, full)) = played else { return Ok(None) };
    observed.positions = 1 + open + full;
    Ok(Some(observed.describe(&grid, claim, position)))
}

#[derive(Default)]
struct Observations {
    positions: u64,
    follower: u64,
    attacker: u64,
    /// The answers from the table to each cell.
    answers: FxHashMap<u32, u64>,
    winning_cells: FxHashMap<u32, (u64, u32)>,
    longest: u32,
    can_draw: bool,
    earliest_loss: Option<u32>,
    has_to_block: bool,
}

impl Observations {
    fn see(&mut self, grid: &Grid, stones: Stones, cell: u64, event: Event) {
        self.attacker |= cell;
        let number = stones.occupied().count_ones();
        let (end, taken) = match event {
            Event::Lost => {
                self.earliest_loss = Some(self.earliest_loss.map_or(number, |n| n.min(number)));
                (number, 0)
            }
            Event::Draw => {
                self.can_draw = true;
                (grid.cells, 0)
            }
            Event::Move(PlannedMove::Completes(win)) => {
                let (new, number) = ((stones.other, number + 1), number + 1);
                let end = self.winning_cells.entry(win.trailing_zeros()).or_insert(new);
                if number > end.1 {
                    *end = new;
                }
                (number, win)
            }
            Event::Move(PlannedMove::Blocks(block)) => {
                self.has_to_block = true;
                (0, block)
            }
            Event::Move(PlannedMove::Answers(answer)) => {
                *self.answers.entry(cell.trailing_zeros()).or_default() |= answer;
                (0, answer)
            }
        };
        self.longest = self.longest.max(end);
        self.follower |= taken;
    }

    fn describe(self, grid: &Grid, claim: Claim, position: Stones) -> Description {
        let empties = grid.empties(position.occupied());
        let (follower_only, attacker_only) =
            (self.follower & !self.attacker, self.attacker & !self.follower);
        // The cells that answer each other, and the others that are not always answered on top.
        let (mut pairs, mut elsewhere) = (Vec::new(), Vec::new());
        // The columns with cells answered on top, and with other cells.
        let (mut on_top, mut other_columns) = (0u32, 0u32);
        let mut answers: Vec<(u32, u64)> = self.answers.iter().map(|(c, a)| (*c, *a)).collect();
        answers.sort_unstable();
        for (cell, answer) in answers {
            let column = 1 << grid.column_of(cell);
            // The cell above is the next bit.
            if answer == 1u64 << (cell + 1) {
                on_top |= column;
                continue;
            }
            other_columns |= column;
            let other = answer.trailing_zeros();
            let is_pair =
                answer.is_power_of_two() && self.answers.get(&other) == Some(&(1u64 << cell));
            if !is_pair {
                elsewhere.push((cell, answer));
            } else if cell < other {
                pairs.push((cell, other));
            }
        }
        let threats = grid.completing(position.other) & empties;
        let ending = |(&cell, &(stones, latest)): (&u32, &(u64, u32))| {
            let is_threat = threats >> cell & 1 == 1;
            // The line of a threat stands in the position already; other lines arise in the game.
            let stones = if is_threat { position.other } else { stones };
            let line = line_through(grid, stones | 1 << cell, cell);
            WinningCell { cell, line, is_threat, latest }
        };
        let mut winning_cells: Vec<WinningCell> = self.winning_cells.iter().map(ending).collect();
        winning_cells.sort_unstable_by_key(|ending| ending.cell);
        Description {
            size: grid.game.size(),
            claim,
            position,
            follower_only,
            attacker_only,
            either: self.follower & self.attacker,
            never: empties & !self.follower & !self.attacker,
            winning_cells,
            longest: self.longest,
            can_draw: self.can_draw,
            earliest_loss: self.earliest_loss,
            has_to_block: self.has_to_block,
            on_top: on_top & !other_columns,
            partly_on_top: on_top & other_columns != 0,
            pairs,
            elsewhere,
            positions: self.positions,
        }
    }
}

/// Finds a line of these stones through a cell.
fn line_through(grid: &Grid, stones: u64, cell: u32) -> u64 {
    let mut completed = 0;
    grid.game.lines().for_each(|line| {
        if line >> cell & 1 == 1 && line & !stones == 0 {
            completed = line;
        }
    });
    completed
}

impl Description {
    /// Returns the traps of the plan: threats of the follower and winning cells of the longest games
    /// that the attacker never takes.
    pub fn traps(&self) -> Vec<WinningCell> {
        let is_trap = |ending: &&WinningCell| {
            (ending.is_threat || ending.latest == self.longest)
                && self.follower_only >> ending.cell & 1 == 1
        };
        self.winning_cells.iter().filter(is_trap).copied().collect()
    }
}
