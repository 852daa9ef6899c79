//! Plans, which are tables of answers, the claims that they prove, and an index of the positions of a
//! strategy.

use rustc_hash::FxHashMap;

use super::PlannedPosition;
use super::grid::{Grid, each_cell};
use crate::solver::Score;
use everyply_core::games::line::{Size, Stones};

/// A table of answers: for each cell that the attacker may take, the column in which the follower
/// answers, without search.
///
/// After the attacker takes a cell, the follower:
///
/// 1. completes a line, if it can;
/// 2. if that was the first move since the plan's position and its column is one of the exits,
///    leaves the plan for another position of the strategy;
/// 3. blocks, if the attacker could complete a line;
/// 4. answers in the column that the table has for the cell. If the table has no answer or the
///    column is full, the follower takes the cell's own column, on top of the attacker's stone;
///    if that is full too, the first column with room.
///
/// Answers on top are Allis' *claimeven* (V. Allis, "A Knowledge-based Approach of
/// Connect-Four", Vrije Universiteit Amsterdam, 1988); two cells that answer each other are his
/// *baseinverse*; a top cell answered in another column switches which side gets which
/// cells there. A table can have other answers too.
///
/// A plan is valid in the orientation it was made for, not in its mirror image: the first column
/// with room has no image. To follow it in a mirror image, mirror the position, look the answer
/// up, and mirror the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The columns of the replies that the plan does not meet, bit 0 the first column.
    pub exits: u32,
    /// The column of the answer to each cell, or [`ON_TOP`].
    pub(super) answers: [u8; 64],
}

/// The follower's move by a plan, as a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlannedMove {
    Completes(u64),
    /// The follower takes a cell in which the attacker could complete a line.
    Blocks(u64),
    Answers(u64),
}

/// The event after a move of the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Lost,
    /// The board is full, without a line.
    Draw,
    Move(PlannedMove),
}

/// The cells of a game that does not meet the claim, and its end in words.
pub(super) type BrokenGame = (Vec<u32>, &'static str);

/// The ends of games that do not meet the claim.
pub(super) const LOST: &str = "in a win of the attacker";
pub(super) const DRAWN: &str = "in a draw";
pub(super) const TOO_LATE: &str = "in a win of the follower that is too late";

/// Table entry of a cell that is answered on top.
pub(super) const ON_TOP: u8 = u8::MAX;

impl Default for Plan {
    fn default() -> Self {
        Self { exits: 0, answers: [ON_TOP; 64] }
    }
}

impl std::fmt::Debug for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plan")
            .field("exits", &self.exits)
            .field("answers", &self.answers())
            .finish()
    }
}

impl Plan {
    /// Returns the cells, as bit numbers, that are not answered on top, with the columns of their
    /// answers.
    pub fn answers(&self) -> Vec<(u32, u32)> {
        let answers = self.answers.iter().enumerate();
        answers.filter(|(_, a)| **a != ON_TOP).map(|(c, a)| (c as u32, u32::from(*a))).collect()
    }

    /// Returns true if the plan does not meet a reply in this cell, a mask.
    #[inline]
    pub(super) fn is_exit(&self, grid: &Grid, cell: u64) -> bool {
        self.exits >> grid.column_of(cell.trailing_zeros()) & 1 == 1
    }

    /// Iterates over the positions after the exits of this plan for `position`, by ascending cell.
    pub(super) fn after_exits(
        &self,
        grid: &Grid,
        position: Stones,
    ) -> impl Iterator<Item = Stones> {
        each_cell(grid.playable(position.occupied()))
            .filter(|cell| self.is_exit(grid, *cell))
            .map(move |cell| Stones { own: position.own | cell, other: position.other })
    }

    /// Returns the column of a cell's answer, unless it is on top.
    pub(super) fn column(&self, cell: u32) -> Option<u32> {
        Some(self.answers[cell as usize]).filter(|a| *a != ON_TOP).map(u32::from)
    }

    pub(super) fn set(&mut self, cell: u32, column: u32) {
        self.answers[cell as usize] = column as u8;
    }

    /// Makes a plan from a table of columns or [`ON_TOP`].
    pub(super) fn of(grid: &Grid, exits: u32, table: &[u8; 64]) -> Self {
        let mut plan = Self { exits, ..Self::default() };
        for cell in 0..64 {
            let column = table[cell as usize];
            if column != ON_TOP && u32::from(column) != grid.column_of(cell) {
                plan.set(cell, column.into());
            }
        }
        plan
    }

    /// Returns the follower's move after the attacker took the cell of this number, without regard
    /// to exits; `None` if the board is full. `own` are the attacker's stones.
    #[inline]
    pub(super) fn step(&self, grid: &Grid, stones: Stones, cell: u32) -> Option<PlannedMove> {
        let occupied = stones.occupied();
        if let Some(win) = grid.completes_now(stones.other, occupied) {
            return Some(PlannedMove::Completes(win));
        }
        if let Some(threat) = grid.completes_now(stones.own, occupied) {
            return Some(PlannedMove::Blocks(threat));
        }
        let answer = answer_in(grid, self.answers[cell as usize], occupied, cell);
        (answer != 0).then_some(PlannedMove::Answers(answer))
    }

    /// Plays the plan against every line of the attacker that does not begin with an exit, each
    /// position once. Calls `see` with the stones after every move of the attacker, the cell, and
    /// the event; also without a cell, if a board is full. `own` are the attacker's stones. Returns
    /// the numbers of positions with the attacker to move below the start: with a move left, and
    /// full boards.
    pub(super) fn play_through(
        &self,
        grid: &Grid,
        claim: Claim,
        start: Stones,
        mut see: impl FnMut(Stones, u64, Event),
    ) -> Result<(u64, u64), BrokenGame> {
        type Before = Option<(Stones, [u32; 2])>;
        // Each position with its predecessor, and the moves between them.
        let mut seen: FxHashMap<Stones, Before> = FxHashMap::default();
        let mut stack: Vec<(Stones, Before)> = vec![(start, None)];
        let mut full = 0;
        let broken = |seen: &FxHashMap<_, Before>, mut at, mut cells: Vec<u32>, end| {
            while let Some((before, moves)) = seen[&at] {
                cells.splice(0..0, moves);
                at = before;
            }
            Err((cells, end))
        };
        while let Some((position, before)) = stack.pop() {
            if seen.contains_key(&position) {
                continue;
            }
            seen.insert(position, before);
            let playable = grid.playable(position.occupied());
            if playable == 0 {
                full += 1;
                see(position, 0, Event::Draw);
                if !claim.met_by_draw() {
                    return broken(&seen, position, Vec::new(), DRAWN);
                }
            }
            let exits = if position == start { self.exits } else { 0 };
            for cell in each_cell(playable) {
                let number = cell.trailing_zeros();
                if exits >> grid.column_of(number) & 1 == 1 {
                    continue;
                }
                let stones = Stones { own: position.own | cell, other: position.other };
                let event = if grid.completing(position.own) & cell != 0 {
                    Event::Lost
                } else {
                    self.step(grid, stones, number).map_or(Event::Draw, Event::Move)
                };
                see(stones, cell, event);
                let count = stones.occupied().count_ones();
                let (end, last) = match event {
                    Event::Lost if !claim.met_by_loss(grid.cells, count) => (LOST, None),
                    Event::Draw if !claim.met_by_draw() => (DRAWN, None),
                    Event::Move(PlannedMove::Completes(win))
                        if !claim.met_by_win(grid.cells, count + 1) =>
                    {
                        (TOO_LATE, Some(win.trailing_zeros()))
                    }
                    Event::Move(PlannedMove::Blocks(answer) | PlannedMove::Answers(answer)) => {
                        let next = Stones { own: stones.own, other: stones.other | answer };
                        stack.push((next, Some((position, [number, answer.trailing_zeros()]))));
                        continue;
                    }
                    _ => continue,
                };
                let cells = [number].into_iter().chain(last).collect();
                return broken(&seen, position, cells, end);
            }
        }
        Ok((seen.len() as u64 - 1 - full, full))
    }
}

/// Returns the cell of an answer to `cell` if the table has `column`, or 0 on a full board.
#[inline]
pub(super) fn answer_in(grid: &Grid, column: u8, occupied: u64, cell: u32) -> u64 {
    let playable = grid.playable(occupied);
    let own = grid.column_of(cell);
    let column = if column == ON_TOP { own } else { column.into() };
    for column in [column, own] {
        let answer = playable & grid.column(column);
        if answer != 0 {
            return answer;
        }
    }
    playable & playable.wrapping_neg()
}

worded! {
    /// A player of the game.
    pub enum Side,
    /// Returns the name in files and on the command line.
    name:
    /// The player who moves first.
    First "first",
    /// The player who moves second.
    Second "second",
}

impl Side {
    /// Returns the letter of its stones in pictures.
    pub const fn stone(self) -> char {
        match self {
            Self::First => 'X',
            Self::Second => 'O',
        }
    }

    /// Returns the side to move.
    pub fn to_move(position: Stones) -> Self {
        if position.ply().0.is_multiple_of(2) { Self::First } else { Self::Second }
    }

    /// Returns the opposing side.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// A side, and the score it gets at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The side.
    pub side: Side,
    /// The least score, for this side, on Pons' scale: 1 for any win, 0 for a draw or better, -n
    /// for a loss no earlier than that score says.
    pub at_least: Score,
}

impl Claim {
    /// Returns the claim in words, as `the first player wins`.
    pub fn words(self, size: Size) -> String {
        let cells = size.cells() as Score;
        // The stones on the board when the winner ends the game with this score. Two numbers of
        // stones have the same score; the winner makes the last move in one of them.
        let stones = |winner: Side, score: Score| {
            let most = cells + 2 - 2 * score;
            let fits = (most % 2 == 1) == (winner == Side::First);
            if fits && most <= cells { most } else { most - 1 }
        };
        let player = self.side.name();
        match self.at_least {
            1 => format!("the {player} player wins"),
            0 => format!("the {player} player does not lose"),
            score @ 2.. => {
                let last = stones(self.side, score);
                format!("the {player} player wins with stone {last} at the latest")
            }
            score => {
                let last = stones(self.side.opponent(), -score);
                format!("the {player} player does not lose before stone {last}")
            }
        }
    }

    /// Returns true if the follower's win with this many stones on `cells` cells meets the claim.
    #[inline]
    pub(super) const fn met_by_win(self, cells: u32, stones: u32) -> bool {
        score_of_win(cells, stones) >= self.at_least
    }

    /// Returns true if the claim is met even if the attacker wins with this many stones.
    #[inline]
    pub(super) const fn met_by_loss(self, cells: u32, stones: u32) -> bool {
        -score_of_win(cells, stones) >= self.at_least
    }

    #[inline]
    pub(super) const fn met_by_draw(self) -> bool {
        self.at_least <= 0
    }
}

/// Returns the winner's score if the game ends with this many stones.
const fn score_of_win(cells: u32, stones: u32) -> Score {
    (cells as Score + 2 - stones as Score) / 2
}

/// The indices of the positions of a strategy, by their stones.
#[derive(Clone, Debug)]
pub(super) struct PositionIndex(FxHashMap<Stones, usize>);

impl PositionIndex {
    pub fn of(positions: &[PlannedPosition]) -> Self {
        Self(positions.iter().enumerate().map(|(i, planned)| (planned.position, i)).collect())
    }

    /// Finds a position in either orientation, and whether the strategy holds its mirror image.
    pub fn find(&self, grid: &Grid, position: Stones) -> Option<(usize, bool)> {
        let (canonical, is_mirrored) = grid.canonical(position);
        self.0.get(&canonical).map(|index| (*index, is_mirrored))
    }

    /// Finds the first position of a game from `start` whose follower is `side`.
    pub fn first(&self, grid: &Grid, start: Stones, side: Side) -> Option<usize> {
        if Side::to_move(start) == side {
            let stones = Stones { own: start.other, other: start.own };
            self.leading_move(grid, stones).map(|(_, index)| index)
        } else {
            self.find(grid, start).map(|(index, _)| index)
        }
    }

    /// Finds the leftmost cell whose stone leads the follower to a position of the strategy, and
    /// that position. `own` are the attacker's stones.
    pub fn leading_move(&self, grid: &Grid, stones: Stones) -> Option<(u64, usize)> {
        each_cell(grid.playable(stones.occupied())).find_map(|cell| {
            let after = Stones { own: stones.own, other: stones.other | cell };
            self.find(grid, after).map(|(index, _)| (cell, index))
        })
    }
}
