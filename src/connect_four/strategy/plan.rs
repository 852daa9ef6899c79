//! Tables of answers.

use super::field::Field;
use crate::games::line::Stones;

/// What the follower answers to each cell the attacker may take, without search.
///
/// The follower, asked for a move after the attacker took a cell:
///
/// 1. completes a line, if it can;
/// 2. if that was the first move since the plan's position and its column is one of the exits,
///    leaves the plan for another position of the strategy;
/// 3. blocks, if the attacker could complete a line;
/// 4. answers in the column that the table has for the cell: unless it says otherwise, the
///    cell's own, on top of the attacker's stone. If that column is full, the cell's own, and if
///    that is full too, the first column with room.
///
/// Answers on top are Allis' *claimeven* (V. Allis, "A Knowledge-based Approach of
/// Connect-Four", Vrije Universiteit Amsterdam, 1988); two cells that answer each other are his
/// *baseinverse*; a top cell answered in another column switches who gets which cells there. A
/// table need not be made of these.
///
/// A plan is valid as it stands, not in the mirror: the last resort of the fourth rule has no
/// image. Who follows it in an image turns the image, and the answer back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The columns of the replies it does not meet, bit 0 the first one.
    pub exits: u32,
    answers: [u8; 64],
}

/// What a plan is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Answers on top alone: a claimeven for the whole board.
    OnTop,
    /// Besides, pairs of cells that answer each other: baseinverses.
    Pairs,
    /// Besides, top cells that are answered in another column: columns are switched.
    Switches,
    /// Other answers too.
    Others,
}

impl Kind {
    /// All of them, each richer than the one before.
    pub const ALL: [Self; 4] = [Self::OnTop, Self::Pairs, Self::Switches, Self::Others];

    /// As it is called.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::OnTop => "answers on top alone",
            Self::Pairs => "with pairs that answer each other",
            Self::Switches => "with columns that are switched",
            Self::Others => "with other answers",
        }
    }
}

/// What a plan has the follower do, as a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It completes a line.
    Completes(u64),
    /// It takes the cell in which the attacker could.
    Blocks(u64),
    /// It answers by the table.
    Answers(u64),
}

/// No answer of its own: on top.
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
    /// The cells, as bit numbers, that are not answered on top, and the columns they are answered
    /// in.
    #[must_use]
    pub fn answers(&self) -> Vec<(u32, u32)> {
        let answers = self.answers.iter().enumerate();
        answers.filter(|(_, a)| **a != ON_TOP).map(|(c, a)| (c as u32, u32::from(*a))).collect()
    }

    /// The poorest kind that has all its answers. `position` is the one it was made for.
    pub(super) fn kind(&self, field: &Field, position: Stones) -> Kind {
        let answers = self.answers();
        let bases = field.playable(position.occupied());
        // A base answered by a base that it answers.
        let is_paired = |&(cell, column): &(u32, u32)| {
            let partner = bases & field.column(column);
            bases >> cell & 1 == 1
                && partner != 0
                && answers.contains(&(partner.trailing_zeros(), field.column_of(cell)))
        };
        let is_top = |&(cell, _): &(u32, u32)| cell % field.stride == field.height - 1;
        if answers.is_empty() {
            Kind::OnTop
        } else if answers.iter().all(is_paired) {
            Kind::Pairs
        } else if answers.iter().all(|answer| is_paired(answer) || is_top(answer)) {
            Kind::Switches
        } else {
            Kind::Others
        }
    }

    /// The column that a cell is answered in, if not on top.
    pub(super) fn column(&self, cell: u32) -> Option<u32> {
        Some(self.answers[cell as usize]).filter(|a| *a != ON_TOP).map(u32::from)
    }

    pub(super) fn set(&mut self, cell: u32, column: u32) {
        self.answers[cell as usize] = column as u8;
    }

    /// The plan with this table, whose entries are columns or [`ON_TOP`].
    pub(super) fn of(field: &Field, exits: u32, table: &[u8; 64]) -> Self {
        let mut plan = Self { exits, ..Self::default() };
        for cell in 0..64 {
            let column = table[cell as usize];
            if column != ON_TOP && u32::from(column) != field.column_of(cell) {
                plan.set(cell, column.into());
            }
        }
        plan
    }

    /// What the follower does after the attacker took the cell of this number, exits aside; `None`
    /// if the board is full. `own` are the attacker's stones.
    #[inline]
    pub(super) fn step(&self, field: &Field, stones: Stones, cell: u32) -> Option<Step> {
        let occupied = stones.occupied();
        if let Some(win) = field.completes_now(stones.other, occupied) {
            return Some(Step::Completes(win));
        }
        if let Some(threat) = field.completes_now(stones.own, occupied) {
            return Some(Step::Blocks(threat));
        }
        let answer = answer_in(field, self.answers[cell as usize], occupied, cell);
        (answer != 0).then_some(Step::Answers(answer))
    }
}

/// Where an answer to `cell` goes if the table says `column`.
#[inline]
pub(super) fn answer_in(field: &Field, column: u8, occupied: u64, cell: u32) -> u64 {
    let playable = field.playable(occupied);
    let own = field.column_of(cell);
    let column = if column == ON_TOP { own } else { column.into() };
    for column in [column, own] {
        let answer = playable & field.column(column);
        if answer != 0 {
            return answer;
        }
    }
    playable & playable.wrapping_neg()
}
