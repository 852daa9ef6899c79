//! The search for plans.

use rustc_hash::FxHashSet;

use super::grid::{Grid, each_cell};
use super::plan::{Claim, ON_TOP, Plan, answer_in};
use everyply_core::games::line::Stones;

/// The answers that plans may have in columns other than the attacker's, besides answers to cells
/// of a full column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AllowedAnswers {
    /// Answers to cells that can be taken at once in the plan's position: baseinverses.
    Bases,
    Any,
}

/// Limits of the search for one plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanBudget {
    pub conflicts: u32,
    /// Positions with the follower to move that are played through.
    pub positions: u32,
}

/// A search for plans, and its memory.
///
/// The search plays against every line of the attacker. It decides on an answer when the answer is
/// first needed: on top of the attacker's stone if that is allowed. If the attacker breaks the
/// claim, the answers on the way to that position cannot all stand. The latest of these decisions
/// is changed. If it has no column left, the answers that ruled out its columns contradict each
/// other (conflict-directed backjumping).
#[derive(Debug)]
pub(super) struct PlanFinder {
    grid: Grid,
    claim: Claim,
    allowed: AllowedAnswers,
    /// The cells that can be taken at once in the plan's position.
    bases: u64,
    /// The column for each cell, or [`ON_TOP`] before a decision on it.
    answers: [u8; 64],
    /// The answers of an earlier plan, tried first.
    preferred: [u8; 64],
    /// Keys of the positions with the attacker to move that were played, as a set and in order.
    seen: FxHashSet<u64>,
    order: Vec<u64>,
    /// Positions with the follower to move that are still to be played.
    agenda: Agenda,
    decisions: Vec<Decision>,
    positions: u32,
}

/// A position with the follower to move, still to be played.
#[derive(Clone, Copy, Debug)]
struct Task {
    /// `own` are the attacker's stones.
    stones: Stones,
    demand: Demand,
    /// The cells whose answers led to the position.
    reasons: u64,
}

#[derive(Clone, Copy, Debug)]
enum Demand {
    /// To block this cell, which completes a line of the attacker.
    Block(u64),
    /// To answer this cell, as a bit number, which the attacker took.
    Answer(u32),
}

/// A stack that rolls back to an earlier state without copies: a task taken from the stack keeps
/// its place as long as a mark that holds it may be restored.
#[derive(Debug, Default)]
struct Agenda {
    /// The tasks, each with the value of `top` for the task below it in the stack.
    tasks: Vec<(Task, u32)>,
    /// One past the top; 0 if the stack is empty.
    top: u32,
}

/// An earlier state of an [`Agenda`].
#[derive(Clone, Copy, Debug, Default)]
struct AgendaMark {
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

    /// Takes the task on top. Tasks that the mark `newest` holds keep their places.
    fn pop(&mut self, newest: AgendaMark) -> Option<Task> {
        let at = (self.top as usize).checked_sub(1)?;
        let (task, below) = self.tasks[at];
        if at + 1 == self.tasks.len() && at >= newest.tasks {
            self.tasks.pop();
        }
        self.top = below;
        Some(task)
    }

    const fn mark(&self) -> AgendaMark {
        AgendaMark { tasks: self.tasks.len(), top: self.top }
    }

    fn roll_back(&mut self, mark: AgendaMark) {
        self.tasks.truncate(mark.tasks);
        self.top = mark.top;
    }
}

/// An answer that was chosen, with its alternatives.
#[derive(Debug)]
struct Decision {
    cell: u32,
    /// The columns left to try, as a set of bits.
    left: u32,
    /// The agenda at the decision, restored for another column.
    agenda: AgendaMark,
    seen: usize,
    /// The cells whose answers ruled out the columns tried.
    reasons: u64,
}

/// The cells whose answers cannot all stand.
struct Conflict(u64);

impl PlanFinder {
    pub fn new(grid: Grid, claim: Claim, allowed: AllowedAnswers) -> Self {
        Self {
            grid,
            claim,
            allowed,
            bases: 0,
            answers: [ON_TOP; 64],
            preferred: [ON_TOP; 64],
            seen: FxHashSet::default(),
            order: Vec::new(),
            agenda: Agenda::default(),
            decisions: Vec::new(),
            positions: 0,
        }
    }

    /// Looks for a plan without exits for this position. The attacker is to move.
    pub fn without_exits(&mut self, position: Stones, budget: PlanBudget) -> Option<Plan> {
        self.preferred = [ON_TOP; 64];
        let replies = self.grid.playable(position.occupied());
        self.find(position, replies, budget).then(|| Plan::of(&self.grid, 0, &self.answers))
    }

    /// Finds a plan that meets as many replies as possible, tried in the given order; the other
    /// replies are its exits. `first` is a plan to begin from.
    pub fn with_exits(
        &mut self,
        position: Stones,
        order: &[u64],
        first: Option<&Plan>,
        budget: PlanBudget,
    ) -> Plan {
        let mut met = 0;
        self.preferred = first.map_or([ON_TOP; 64], |plan| plan.answers);
        let mut table = [ON_TOP; 64];
        for reply in order {
            if self.find(position, met | reply, budget) {
                met |= reply;
                table = self.answers;
                self.preferred = self.answers;
            }
        }
        let replies = self.grid.playable(position.occupied());
        let exits = each_cell(replies & !met)
            .fold(0, |exits, cell| exits | 1 << self.grid.column_of(cell.trailing_zeros()));
        Plan::of(&self.grid, exits, &table)
    }

    /// Looks for answers that meet these replies; returns true on success.
    fn find(&mut self, position: Stones, replies: u64, budget: PlanBudget) -> bool {
        self.answers = [ON_TOP; 64];
        self.seen.clear();
        self.order.clear();
        self.agenda.clear();
        self.decisions.clear();
        self.positions = 0;
        self.bases = self.grid.playable(position.occupied());
        let mut conflicts = 0;
        if self.play(position, replies, 0).is_err() {
            return false;
        }
        loop {
            let newest = self.decisions.last().map_or_else(AgendaMark::default, |last| last.agenda);
            let Some(task) = self.agenda.pop(newest) else { return true };
            self.positions += 1;
            if self.positions > budget.positions {
                return false;
            }
            if let Err(conflict) = self.answer(task) {
                conflicts += 1;
                if conflicts > budget.conflicts || !self.backjump(conflict) {
                    return false;
                }
            }
        }
    }

    /// Puts the positions after the attacker's replies on the agenda.
    fn play(&mut self, position: Stones, replies: u64, reasons: u64) -> Result<(), Conflict> {
        let Self { grid, claim, .. } = *self;
        let Stones { own: attacker, other: follower } = position;
        let occupied = attacker | follower;
        let playable = grid.playable(occupied);
        let stones = occupied.count_ones();
        if playable == 0 {
            return if claim.met_by_draw() { Ok(()) } else { Err(Conflict(reasons)) };
        }
        // Even the attacker's win with the next stone would meet the claim.
        if claim.met_by_loss(grid.cells, stones + 1) {
            return Ok(());
        }
        if grid.completing(attacker) & playable != 0 {
            return Err(Conflict(reasons));
        }
        if !claim.met_by_draw() && !claim.met_by_win(grid.cells, stones + 2) {
            return Err(Conflict(reasons));
        }
        let wins = grid.completing(follower);
        for reply in each_cell(playable & replies) {
            let stones = Stones { own: attacker | reply, other: follower };
            let playable = grid.playable(stones.occupied());
            if wins & playable != 0 {
                continue;
            }
            let threats = grid.completing(stones.own) & playable;
            let demand = if threats == 0 {
                Demand::Answer(reply.trailing_zeros())
            } else {
                Demand::Block(threats & threats.wrapping_neg())
            };
            self.agenda.push(Task { stones, demand, reasons });
        }
        Ok(())
    }

    fn play_once(&mut self, position: Stones, reasons: u64) -> Result<(), Conflict> {
        // One number for both masks: the sum determines the height of each column and the owner of
        // each stone.
        let key = position.own + position.occupied();
        if !self.seen.insert(key) {
            return Ok(());
        }
        self.order.push(key);
        self.play(position, u64::MAX, reasons)
    }

    fn answer(&mut self, task: Task) -> Result<(), Conflict> {
        let Task { stones, demand, reasons } = task;
        let played = |cell| Stones { own: stones.own, other: stones.other | cell };
        let occupied = stones.occupied();
        let playable = self.grid.playable(occupied);
        if playable == 0 {
            return if self.claim.met_by_draw() { Ok(()) } else { Err(Conflict(reasons)) };
        }
        let cell = match demand {
            Demand::Block(cell) => return self.play_once(played(cell), reasons),
            Demand::Answer(cell) => cell,
        };
        if self.answers[cell as usize] == ON_TOP {
            let left = self.choices(playable, cell);
            let preferred = u32::from(self.preferred[cell as usize]);
            let is_open = preferred < u32::BITS && left >> preferred & 1 == 1;
            let first = if is_open { preferred } else { self.next(left, cell) };
            let (left, seen) = (left & !(1 << first), self.order.len());
            self.agenda.push(task);
            let agenda = self.agenda.mark();
            self.agenda.pop(agenda);
            self.decisions.push(Decision { cell, left, agenda, seen, reasons: 0 });
            self.answers[cell as usize] = first as u8;
        }
        let answer = answer_in(&self.grid, self.answers[cell as usize], occupied, cell);
        self.play_once(played(answer), reasons | 1 << cell)
    }

    /// Returns the columns to answer this cell in, as a set of bits.
    fn choices(&self, playable: u64, cell: u32) -> u32 {
        let own = self.grid.column_of(cell);
        let is_free = match self.allowed {
            AllowedAnswers::Bases => self.bases >> cell & 1 == 1,
            AllowedAnswers::Any => true,
        };
        let on_top = playable & self.grid.column(own);
        let open = if is_free || on_top == 0 { playable } else { on_top };
        each_cell(open)
            .fold(0, |columns, cell| columns | 1 << self.grid.column_of(cell.trailing_zeros()))
    }

    /// Returns the column of a set that is tried first: the cell's own, else the leftmost.
    fn next(&self, left: u32, cell: u32) -> u32 {
        let own = self.grid.column_of(cell);
        if left >> own & 1 == 1 { own } else { left.trailing_zeros() }
    }

    /// Changes the latest decision that takes part in a conflict; returns false if none is left.
    fn backjump(&mut self, Conflict(mut reasons): Conflict) -> bool {
        while let Some(decision) = self.decisions.last_mut() {
            let cell = decision.cell;
            if reasons >> cell & 1 == 1 {
                decision.reasons |= reasons;
                if decision.left != 0 {
                    let (left, agenda, seen) = (decision.left, decision.agenda, decision.seen);
                    let column = self.next(left, cell);
                    self.decisions.last_mut().expect("just seen").left &= !(1 << column);
                    self.agenda.roll_back(agenda);
                    self.forget_after(seen);
                    self.answers[cell as usize] = column as u8;
                    return true;
                }
                reasons = decision.reasons & !(1 << cell);
            }
            let seen = decision.seen;
            self.decisions.pop();
            self.answers[cell as usize] = ON_TOP;
            self.forget_after(seen);
        }
        false
    }

    fn forget_after(&mut self, seen: usize) {
        for key in self.order.drain(seen..) {
            self.seen.remove(&key);
        }
    }
}
