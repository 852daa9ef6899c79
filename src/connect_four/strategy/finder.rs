//! The search for plans.

use rustc_hash::FxHashSet;

use super::claim::Claim;
use super::field::{Field, each};
use super::plan::{ON_TOP, Plan, answer_in};
use crate::games::line::Stones;

/// Which answers plans may have: what each kind is worth is measured by going without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answers {
    /// On top, and in another column only where the own one is full: claimevens, and columns that
    /// are switched.
    OnTop,
    /// Besides, the cells that can be taken at once in the plan's position may be answered in any
    /// column: baseinverses.
    Bases,
    /// Every cell may be answered in any column.
    #[default]
    Any,
}

impl Answers {
    /// All of them, each richer than the one before.
    pub const ALL: [Self; 3] = [Self::OnTop, Self::Bases, Self::Any];

    /// As it is written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::OnTop => "on-top",
            Self::Bases => "bases",
            Self::Any => "any",
        }
    }
}

/// How much is tried before a plan is given up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Contradictions among answers.
    pub conflicts: u32,
    /// Positions played through.
    pub positions: u32,
}

/// A search for plans, and its memory.
///
/// It plays against every line of the attacker and settles answers when they are first asked for,
/// on top of the attacker's stone if that goes. Where the attacker gets what he must not get, the
/// answers on the way there cannot all stand. The last of them that was settled is changed; when
/// it has no other column left, the answers that spoke against any of its columns contradict each
/// other (conflict-directed backjumping).
#[derive(Debug)]
pub(super) struct Finder {
    field: Field,
    claim: Claim,
    allowed: Answers,
    /// The cells that can be taken at once in the plan's position.
    bases: u64,
    /// The column for each cell, or [`ON_TOP`] while none is settled.
    answers: [u8; 64],
    /// The answers of a plan found before, tried first.
    preferred: [u8; 64],
    /// Keys of positions with the attacker to move that are met, in the order they were.
    seen: FxHashSet<u64>,
    order: Vec<u64>,
    /// Positions with the follower to move that are still to be met.
    agenda: Agenda,
    settled: Vec<Settled>,
    positions: u32,
}

/// The follower to move.
#[derive(Clone, Copy, Debug)]
struct Task {
    /// `own` are the attacker's stones.
    stones: Stones,
    asked: Asked,
    /// The cells whose answers led here.
    reasons: u64,
}

#[derive(Clone, Copy, Debug)]
enum Asked {
    /// This cell completes a line of the attacker.
    Block(u64),
    /// The attacker took this cell, as a bit number.
    Answer(u32),
}

/// A stack that goes back to what it was without copies: tasks taken from it stay where they are
/// as long as some earlier state may come back.
#[derive(Debug, Default)]
struct Agenda {
    /// The tasks, each with its place in the stack: the one below it.
    tasks: Vec<(Task, u32)>,
    /// One past the top; 0 if the stack is empty.
    top: u32,
}

/// What an [`Agenda`] was.
#[derive(Clone, Copy, Debug, Default)]
struct AgendaState {
    tasks: usize,
    top: u32,
}

impl Agenda {
    fn clear(&mut self) {
        self.tasks.clear();
        self.top = 0;
    }

    fn push(&mut self, task: Task) {
        self.tasks.push((task, self.top));
        self.top = self.tasks.len() as u32;
    }

    /// Takes the task on top; those that `kept` holds stay where they are.
    fn pop(&mut self, kept: AgendaState) -> Option<Task> {
        let at = (self.top as usize).checked_sub(1)?;
        let (task, below) = self.tasks[at];
        if at + 1 == self.tasks.len() && at >= kept.tasks {
            self.tasks.pop();
        }
        self.top = below;
        Some(task)
    }

    const fn state(&self) -> AgendaState {
        AgendaState { tasks: self.tasks.len(), top: self.top }
    }

    fn go_back(&mut self, state: AgendaState) {
        self.tasks.truncate(state.tasks);
        self.top = state.top;
    }
}

/// An answer with its alternatives.
#[derive(Debug)]
struct Settled {
    cell: u32,
    /// The columns left to try, as a set of bits.
    left: u32,
    /// What is to be met again with another column.
    agenda: AgendaState,
    seen: usize,
    /// The cells whose answers spoke against the columns tried.
    reasons: u64,
}

/// The cells whose answers cannot all stand.
struct Conflict(u64);

impl Finder {
    pub fn new(field: Field, claim: Claim, allowed: Answers) -> Self {
        Self {
            field,
            claim,
            allowed,
            bases: 0,
            answers: [ON_TOP; 64],
            preferred: [ON_TOP; 64],
            seen: FxHashSet::default(),
            order: Vec::new(),
            agenda: Agenda::default(),
            settled: Vec::new(),
            positions: 0,
        }
    }

    /// A plan without exits for this position, the attacker to move.
    pub fn whole(&mut self, position: Stones, patience: Patience) -> Option<Plan> {
        self.preferred = [ON_TOP; 64];
        let replies = self.field.playable(position.occupied());
        self.find(position, replies, patience).then(|| Plan::of(&self.field, 0, &self.answers))
    }

    /// A plan that meets as many replies as can be found, taken in the given order; the others
    /// are its exits. `first` is a plan to begin from.
    pub fn with_exits(
        &mut self,
        position: Stones,
        order: &[u64],
        first: Option<&Plan>,
        patience: Patience,
    ) -> Plan {
        let mut met = 0;
        self.preferred = [ON_TOP; 64];
        if let Some(plan) = first {
            for (cell, column) in plan.answers() {
                self.preferred[cell as usize] = column as u8;
            }
        }
        let mut table = [ON_TOP; 64];
        for reply in order {
            if self.find(position, met | reply, patience) {
                met |= reply;
                table = self.answers;
                self.preferred = self.answers;
            }
        }
        let replies = self.field.playable(position.occupied());
        let exits = each(replies & !met)
            .fold(0, |exits, cell| exits | 1 << self.field.column_of(cell.trailing_zeros()));
        Plan::of(&self.field, exits, &table)
    }

    /// True if answers are found that meet these replies.
    fn find(&mut self, position: Stones, replies: u64, patience: Patience) -> bool {
        self.answers = [ON_TOP; 64];
        self.seen.clear();
        self.order.clear();
        self.agenda.clear();
        self.settled.clear();
        self.positions = 0;
        self.bases = self.field.playable(position.occupied());
        let mut conflicts = 0;
        if self.meet(position, replies, 0).is_err() {
            return false;
        }
        loop {
            let kept = self.settled.last().map_or_else(AgendaState::default, |last| last.agenda);
            let Some(task) = self.agenda.pop(kept) else { return true };
            self.positions += 1;
            if self.positions > patience.positions {
                return false;
            }
            if let Err(conflict) = self.answer(task) {
                conflicts += 1;
                if conflicts > patience.conflicts || !self.resolve(conflict) {
                    return false;
                }
            }
        }
    }

    /// Puts what the attacker's replies ask on the agenda.
    fn meet(&mut self, position: Stones, replies: u64, reasons: u64) -> Result<(), Conflict> {
        let Self { field, claim, .. } = *self;
        let Stones { own: attacker, other: follower } = position;
        let occupied = attacker | follower;
        let playable = field.playable(occupied);
        let stones = occupied.count_ones();
        if playable == 0 {
            return if claim.bears_draw() { Ok(()) } else { Err(Conflict(reasons)) };
        }
        // Whatever happens from here on is good enough, or nothing is.
        if claim.bears_loss(field.cells, stones + 1) {
            return Ok(());
        }
        if field.completing(attacker) & playable != 0 {
            return Err(Conflict(reasons));
        }
        if !claim.bears_draw() && !claim.wins(field.cells, stones + 2) {
            return Err(Conflict(reasons));
        }
        let wins = field.completing(follower);
        for reply in each(playable & replies) {
            let stones = Stones { own: attacker | reply, other: follower };
            let playable = field.playable(stones.occupied());
            if wins & playable != 0 {
                continue;
            }
            let threats = field.completing(stones.own) & playable;
            let asked = if threats == 0 {
                Asked::Answer(reply.trailing_zeros())
            } else {
                Asked::Block(threats & threats.wrapping_neg())
            };
            self.agenda.push(Task { stones, asked, reasons });
        }
        Ok(())
    }

    fn meet_once(&mut self, position: Stones, reasons: u64) -> Result<(), Conflict> {
        // One number for both masks: the sum tells where each column ends and whose its stones are.
        let key = position.own + position.occupied();
        if !self.seen.insert(key) {
            return Ok(());
        }
        self.order.push(key);
        self.meet(position, u64::MAX, reasons)
    }

    fn answer(&mut self, task: Task) -> Result<(), Conflict> {
        let Task { stones, asked, reasons } = task;
        let played = |cell| Stones { own: stones.own, other: stones.other | cell };
        let occupied = stones.occupied();
        let playable = self.field.playable(occupied);
        if playable == 0 {
            return if self.claim.bears_draw() { Ok(()) } else { Err(Conflict(reasons)) };
        }
        let cell = match asked {
            Asked::Block(cell) => return self.meet_once(played(cell), reasons),
            Asked::Answer(cell) => cell,
        };
        if self.answers[cell as usize] == ON_TOP {
            let left = self.choices(playable, cell);
            let preferred = u32::from(self.preferred[cell as usize]);
            let is_open = preferred < u32::BITS && left >> preferred & 1 == 1;
            let first = if is_open { preferred } else { self.next(left, cell) };
            let (left, seen) = (left & !(1 << first), self.order.len());
            self.agenda.push(task);
            let agenda = self.agenda.state();
            self.agenda.pop(agenda);
            self.settled.push(Settled { cell, left, agenda, seen, reasons: 0 });
            self.answers[cell as usize] = first as u8;
        }
        let answer = answer_in(&self.field, self.answers[cell as usize], occupied, cell);
        self.meet_once(played(answer), reasons | 1 << cell)
    }

    /// The columns to answer this cell in, as a set of bits.
    fn choices(&self, playable: u64, cell: u32) -> u32 {
        let own = self.field.column_of(cell);
        let is_free = match self.allowed {
            Answers::OnTop => false,
            Answers::Bases => self.bases >> cell & 1 == 1,
            Answers::Any => true,
        };
        let on_top = playable & self.field.column(own);
        let open = if is_free || on_top == 0 { playable } else { on_top };
        each(open)
            .fold(0, |columns, cell| columns | 1 << self.field.column_of(cell.trailing_zeros()))
    }

    /// The column of a set that is tried first: the cell's own, else the leftmost.
    fn next(&self, left: u32, cell: u32) -> u32 {
        let own = self.field.column_of(cell);
        if left >> own & 1 == 1 { own } else { left.trailing_zeros() }
    }

    /// Changes the last answer that has to do with a conflict; false if none is left.
    fn resolve(&mut self, Conflict(mut reasons): Conflict) -> bool {
        while let Some(settled) = self.settled.last_mut() {
            let cell = settled.cell;
            if reasons >> cell & 1 == 1 {
                settled.reasons |= reasons;
                if settled.left != 0 {
                    let (left, agenda, seen) = (settled.left, settled.agenda, settled.seen);
                    let column = self.next(left, cell);
                    self.settled.last_mut().expect("just seen").left &= !(1 << column);
                    self.agenda.go_back(agenda);
                    self.forget_down_to(seen);
                    self.answers[cell as usize] = column as u8;
                    return true;
                }
                reasons = settled.reasons & !(1 << cell);
            }
            let seen = settled.seen;
            self.settled.pop();
            self.answers[cell as usize] = ON_TOP;
            self.forget_down_to(seen);
        }
        false
    }

    fn forget_down_to(&mut self, seen: usize) {
        for key in self.order.drain(seen..) {
            self.seen.remove(&key);
        }
    }
}
