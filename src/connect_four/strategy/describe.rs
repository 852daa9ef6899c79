//! What a plan comes to, found by playing it through.

use rustc_hash::{FxHashMap, FxHashSet};

use super::claim::{Claim, Side};
use super::field::{Field, each};
use super::plan::{Plan, Step};
use crate::games::line::{LineGame, Size, SizeError, Stones};

/// Facts about a plan that hold in every game in which it is followed. Cells are masks and bit
/// numbers as the [board](crate::games::line::ConnectFour) has them.
///
/// Each fact is read off all games the attacker can choose, not argued from the table of answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The board.
    pub size: Size,
    /// What the plan keeps, and for whom.
    pub claim: Claim,
    /// The position it is made for, the attacker to move.
    pub position: Stones,
    /// Empty cells that the follower gets in some game and the attacker in none.
    pub follower_only: u64,
    /// Empty cells that the attacker gets in some game and the follower in none.
    pub attacker_only: u64,
    /// Empty cells that either side gets, depending on the game.
    pub either: u64,
    /// Empty cells that no game comes to.
    pub never: u64,
    /// The cells in which the follower completes a line, by ascending cell.
    pub endings: Vec<Ending>,
    /// The stones on the board at the end of the longest game.
    pub longest: u32,
    /// Some game ends in a draw.
    pub can_draw: bool,
    /// The stones on the board at the end of the shortest game that the attacker wins.
    pub earliest_loss: Option<u32>,
    /// The follower has to block in some game.
    pub has_to_block: bool,
    /// Columns in which the follower answers by the table, and always right on top.
    pub on_top: u32,
    /// In some other column some cells are answered on top as well.
    pub partly_on_top: bool,
    /// Cells that answer each other, the lower column first.
    pub pairs: Vec<(u32, u32)>,
    /// Other cells of the attacker that are not always answered on top, with their answers.
    pub elsewhere: Vec<(u32, u64)>,
    /// The lines without a stone of the follower, which the attacker could still complete.
    pub open_lines: u32,
    /// Those of them with a cell that the attacker never gets, most stones of the attacker first.
    pub blocked: Vec<BlockedLine>,
    /// Positions with the attacker to move that were played through.
    pub positions: u64,
}

/// A cell in which the follower completes a line and ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The cell, as a bit number.
    pub cell: u32,
    /// The cells of a line that is completed there.
    pub line: u64,
    /// It completes a line of stones that are there already: it is a threat in the position.
    pub is_threat: bool,
    /// The stones on the board at the end of the longest game that ends there.
    pub latest: u32,
}

/// A line that the attacker cannot complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockedLine {
    /// Its cells.
    pub line: u64,
    /// Those of them that the attacker never gets.
    pub by: u64,
}

/// Plays a plan without exits through and tells what it comes to; `None` if the plan does not
/// keep the claim in this position, where the attacker is to move.
///
/// # Errors
/// If the board does not fit.
pub fn describe(
    size: Size,
    claim: Claim,
    position: Stones,
    plan: &Plan,
) -> Result<Option<Description>, SizeError> {
    let field = Field::new(size)?;
    let mut games = Games { field, claim, plan, found: Found::default() };
    let is_theirs = Side::to_move(position) == claim.side.opponent();
    if plan.exits != 0 || !is_theirs || games.play(position).is_none() {
        return Ok(None);
    }
    Ok(Some(games.found.describe(&field, claim, position)))
}

/// The plan is played against every line of the attacker.
struct Games<'a> {
    field: Field,
    claim: Claim,
    plan: &'a Plan,
    found: Found,
}

/// Cells that answer each other.
type Pairs = Vec<(u32, u32)>;

/// Cells with their answers.
type Answered = Vec<(u32, u64)>;

/// What was seen so far.
#[derive(Default)]
struct Found {
    seen: FxHashSet<Stones>,
    /// The cells each side took.
    follower: u64,
    attacker: u64,
    /// The answers from the table to each cell.
    answers: FxHashMap<u32, u64>,
    endings: FxHashMap<u32, (u64, u32)>,
    longest: u32,
    can_draw: bool,
    earliest_loss: Option<u32>,
    has_to_block: bool,
}

impl Games<'_> {
    /// `None` as soon as a game ends too badly; `own` are the attacker's stones.
    fn play(&mut self, position: Stones) -> Option<()> {
        let mut agenda = vec![position];
        while let Some(position) = agenda.pop() {
            if !self.found.seen.insert(position) {
                continue;
            }
            let playable = self.field.playable(position.occupied());
            if playable == 0 {
                self.draw()?;
            }
            for cell in each(playable) {
                agenda.extend(self.meet(position, cell)?);
            }
        }
        Some(())
    }

    fn draw(&mut self) -> Option<()> {
        self.found.can_draw = true;
        self.found.longest = self.field.cells;
        self.claim.bears_draw().then_some(())
    }

    /// The attacker takes a cell and the follower answers; gives the position after that, unless
    /// the game is over.
    fn meet(&mut self, position: Stones, cell: u64) -> Option<Option<Stones>> {
        let Self { field, claim, plan, ref mut found } = *self;
        let Stones { own, other } = position;
        let stones = position.occupied().count_ones() + 1;
        found.attacker |= cell;
        if field.completing(own) & cell != 0 {
            found.earliest_loss = Some(found.earliest_loss.map_or(stones, |n| n.min(stones)));
            found.longest = found.longest.max(stones);
            return claim.bears_loss(field.cells, stones).then_some(None);
        }
        let own = own | cell;
        let number = cell.trailing_zeros();
        let answer = match plan.step(&field, Stones { own, other }, number) {
            None => return self.draw().map(|()| None),
            Some(Step::Completes(win)) => {
                let stones = stones + 1;
                found.follower |= win;
                found.longest = found.longest.max(stones);
                let end = found.endings.entry(win.trailing_zeros()).or_insert((other, stones));
                if stones > end.1 {
                    *end = (other, stones);
                }
                return claim.wins(field.cells, stones).then_some(None);
            }
            Some(Step::Blocks(cell)) => {
                found.has_to_block = true;
                cell
            }
            Some(Step::Answers(answer)) => {
                *found.answers.entry(number).or_default() |= answer;
                answer
            }
        };
        found.follower |= answer;
        Some(Some(Stones { own, other: other | answer }))
    }
}

impl Found {
    fn describe(self, field: &Field, claim: Claim, position: Stones) -> Description {
        let empties = field.empties(position.occupied());
        let (follower_only, attacker_only) =
            (self.follower & !self.attacker, self.attacker & !self.follower);
        let (pairs, elsewhere) = self.special_answers();
        let is_special = |column: u32| {
            let here = |cell: &u32| field.column_of(*cell) == column;
            elsewhere.iter().any(|(cell, _)| here(cell))
                || pairs.iter().any(|(a, b)| here(a) || here(b))
        };
        let is_on_top = |(cell, answers): (&u32, &u64)| *answers == 1u64 << (cell + 1);
        let on_top = |is_special_one: bool| {
            let answered = self.answers.iter().filter(|answer| is_on_top(*answer));
            let columns = answered.map(|(cell, _)| field.column_of(*cell));
            columns
                .filter(|column| is_special(*column) == is_special_one)
                .fold(0u32, |all, column| all | 1 << column)
        };
        let never_attacker = empties & !self.attacker;
        let (open_lines, blocked) = blocked(field, position, never_attacker);
        let threats = field.completing(position.other) & empties;
        let ending = |(&cell, &(stones, latest)): (&u32, &(u64, u32))| {
            let line = line_through(field, stones | 1 << cell, cell);
            Ending { cell, line, is_threat: threats >> cell & 1 == 1, latest }
        };
        let mut endings: Vec<Ending> = self.endings.iter().map(ending).collect();
        endings.sort_unstable_by_key(|ending| ending.cell);
        Description {
            size: field.game.size(),
            claim,
            position,
            follower_only,
            attacker_only,
            either: self.follower & self.attacker,
            never: empties & !self.follower & !self.attacker,
            endings,
            longest: self.longest,
            can_draw: self.can_draw,
            earliest_loss: self.earliest_loss,
            has_to_block: self.has_to_block,
            on_top: on_top(false),
            partly_on_top: on_top(true) != 0,
            pairs,
            elsewhere,
            open_lines,
            blocked,
            positions: self.seen.len() as u64,
        }
    }

    /// The cells that answer each other, and the others that are not always answered on top.
    fn special_answers(&self) -> (Pairs, Answered) {
        let (mut pairs, mut elsewhere) = (Vec::new(), Vec::new());
        let mut answers: Vec<(u32, u64)> = self.answers.iter().map(|(c, a)| (*c, *a)).collect();
        answers.sort_unstable();
        for (cell, answer) in answers {
            // The cell above is the next bit.
            if answer == 1u64 << (cell + 1) {
                continue;
            }
            let other = answer.trailing_zeros();
            let is_pair =
                answer.is_power_of_two() && self.answers.get(&other) == Some(&(1u64 << cell));
            if !is_pair {
                elsewhere.push((cell, answer));
            } else if cell < other {
                pairs.push((cell, other));
            }
        }
        (pairs, elsewhere)
    }
}

/// A line of these stones through a cell.
fn line_through(field: &Field, stones: u64, cell: u32) -> u64 {
    let mut found = 0;
    field.game.lines().for_each(|line| {
        if line >> cell & 1 == 1 && line & !stones == 0 {
            found = line;
        }
    });
    found
}

/// How many lines have no stone of the follower, and those with one of these cells.
fn blocked(field: &Field, position: Stones, cells: u64) -> (u32, Vec<BlockedLine>) {
    let (mut open, mut blocked) = (0, Vec::new());
    field.game.lines().for_each(|line| {
        if line & position.other == 0 {
            open += 1;
            if line & cells != 0 {
                blocked.push(BlockedLine { line, by: line & cells });
            }
        }
    });
    blocked.sort_by_key(|b| (std::cmp::Reverse((b.line & position.own).count_ones()), b.line));
    (open, blocked)
}

impl Description {
    /// The threats of the follower and the cells in which the longest games end, as far as the
    /// attacker never gets them: what the plan waits for.
    #[must_use]
    pub fn traps(&self) -> Vec<Ending> {
        let is_trap = |ending: &&Ending| {
            (ending.is_threat || ending.latest == self.longest)
                && self.follower_only >> ending.cell & 1 == 1
        };
        self.endings.iter().filter(is_trap).copied().collect()
    }
}
