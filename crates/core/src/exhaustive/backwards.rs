//! Values found backwards: from the ends of the game, ply by ply, over positions that have numbers.
//!
//! K. Thompson, Retrograde analysis of certain endgames, ICCA Journal 9 (1986). A position is won
//! in r + 1 plies as soon as one move leads to a loss in r for the other side; it is lost in r + 1
//! as soon as all its moves are known to lose, which a counter of open moves shows. The positions
//! left when nothing changes any more are drawn.
//!
//! # Draws
//! Among drawn positions only the moves that keep the draw matter. A draw *ends* if these moves
//! cannot last for ever, and its distance is then that of the longest such play, as it is in the
//! position graph; otherwise it is *endless*. A second pass with the same counters, from the drawn
//! ends of the game backwards, separates the two.
//!
//! # Moves to positions that were solved before
//! They give a position a bound: the best of what they lead to. A win is due at its distance,
//! unless another move wins sooner; a draw or a loss is the value only once all other moves are
//! known to lose, or to draw. A position with such a draw is never lost, and one with such a win
//! neither lost nor drawn, so that one bound is enough.
//!
//! # Memory
//! A game states no moves backwards: the moves of all positions are listed once and sorted by the
//! position they lead to, a block of positions at a time. A position takes two bytes of value, a
//! counter, and four bytes for each move (six until they are sorted). A game that does state its
//! moves backwards needs the three bytes alone.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicU8, AtomicU16,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use super::code::Code;
use super::error::SolveError;
use crate::control::{Control, Stopped};
use crate::game::{Key, Outcome, Unsuited};
use crate::parallel;

/// The numbers that positions may have: 31 bits.
pub(super) const MOST: u64 = 1 << 31;

/// The most moves a position may have: a counter has one more, and endless play beside them.
pub(super) const MOST_MOVES: u32 = u8::MAX as u32 - 2;

/// The farthest end: the move before it is as many plies away as a code holds.
const FARTHEST: u16 = Code::FARTHEST - 1;

/// Positions that one thread works on at a time.
const PART: usize = 1 << 12;

/// A position after a move, by tier and key.
#[derive(Clone, Copy)]
pub(super) struct Below {
    pub tier: u32,
    pub key: Key,
    pub keeps_turn: bool,
}

/// A position as it is looked at: its result, or its moves.
#[derive(Default)]
pub(super) struct Look {
    /// The result, a hole, or the best of the moves to positions that were solved before.
    code: Code,
    /// True if a move leads to endless play in such a position.
    is_open: bool,
    moves: Vec<(u32, bool)>,
    /// Room for the children, made once for all positions of a thread.
    pub below: Vec<Below>,
}

impl Look {
    pub fn over(&mut self, result: Outcome) {
        self.code = Code::new(result, 0);
    }

    pub fn hole(&mut self) {
        self.code = Code::HOLE;
    }

    /// A move leads to another number, and may keep the turn.
    #[inline(always)]
    pub fn to(&mut self, number: u32, keeps_turn: bool) {
        self.moves.push((number, keeps_turn));
    }

    /// A move leads to a position that was solved before.
    #[inline(always)]
    pub fn known(&mut self, there: Code, keeps_turn: bool) {
        let there = there.one_ply_earlier(keeps_turn);
        if there.outcome().is_none() {
            self.is_open = true;
            return;
        }
        if self.code.outcome().is_none() || there.preference() > self.code.preference() {
            self.code = there;
        }
    }

    /// The points of a game that is over, or of a move to a position that was solved before.
    #[inline(always)]
    pub fn scores(&mut self, points: i32) {
        if self.code.outcome().is_none() || points > self.code.points() {
            self.code = Code::of_points(points);
        }
    }

    /// The value, if all moves lead to positions that were solved before.
    fn value(&self) -> Code {
        let is_endless = self.is_open && self.code.outcome() != Some(Outcome::Win);
        if is_endless { Code::ENDLESS } else { self.code }
    }
}

/// Looks at the positions of a part, which begins at a multiple of [`PART`], and hands each over.
/// Counts one of `passes` over them as progress.
#[inline(always)]
fn look_through(
    part: Range<usize>,
    passes: usize,
    look: &(impl Fn(usize, &mut Look) + Sync),
    control: &Control,
    mut see: impl FnMut(usize, &mut Look),
) -> Result<(), Stopped> {
    let mut at = Look::default();
    for n in part.clone() {
        if n % PART == 0 {
            control.check()?;
            control.advance((PART.min(part.end - n) / passes) as u64);
        }
        (at.code, at.is_open) = (Code::ENDLESS, false);
        at.moves.clear();
        look(n, &mut at);
        see(n, &mut at);
    }
    Ok(())
}

/// The values of positions all of whose moves lead to positions that were solved before.
pub(super) fn forwards(
    count: usize,
    look: &(impl Fn(usize, &mut Look) + Sync),
    control: &Control,
) -> Result<Vec<Code>, SolveError> {
    let parts = parts(count, &|part| {
        let mut codes = Vec::with_capacity(part.len());
        look_through(part, 1, look, control, |_, at| {
            debug_assert!(at.moves.is_empty(), "the moves lead to positions solved before");
            codes.push(at.value());
        })?;
        Ok(codes)
    });
    let codes = parts.into_iter().collect::<Result<Vec<_>, Stopped>>()?.concat();
    match codes.iter().any(|code| code.plies() > FARTHEST) {
        true => Err(Unsuited::Distance(FARTHEST).into()),
        false => Ok(codes),
    }
}

/// The positions from which a move leads to one.
#[derive(Default)]
pub(super) struct Predecessors(Vec<Before>);

impl Predecessors {
    pub fn add(&mut self, number: u32, keeps_turn: bool) {
        self.0.push(Before::new(number as usize, keeps_turn));
    }
}

/// Moves backwards, by a game that states them.
pub(super) type LookBack<'a> = Option<&'a (dyn Fn(usize, &mut Predecessors) + Sync)>;

/// The values of positions that lead to each other.
pub(super) fn backwards(
    count: usize,
    look: &(impl Fn(usize, &mut Look) + Sync),
    look_back: LookBack<'_>,
    control: &Control,
) -> Result<Vec<Code>, SolveError> {
    let open = Open::of(count, look, look_back.is_none(), control)?;
    let settled =
        open.pass::<false>(look_back, control)? + open.pass::<true>(look_back, control)?;
    open.close(settled, control);
    Ok(open.values())
}

/// The results of `work` on parts of the numbers below `count`.
pub(super) fn parts<T: Send>(count: usize, work: &(dyn Fn(Range<usize>) -> T + Sync)) -> Vec<T> {
    // To wake other threads for little work takes longer than the work.
    if count <= PART { vec![work(0..count)] } else { parallel::map_parts(0..count, PART, work) }
}

/// A move, listed under the position it leads to: the position it is a move of, and whether it
/// keeps the turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Before(u32);

impl Before {
    const fn new(position: usize, keeps_turn: bool) -> Self {
        Self((position as u32) << 1 | keeps_turn as u32)
    }

    pub const fn position(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub const fn keeps_turn(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A move that is not sorted yet, with the place in its block of the position it leads to. In six
/// bytes, because these are what most memory is needed for.
#[derive(Clone, Copy)]
struct Unsorted {
    to: u16,
    before: [u16; 2],
}

impl Unsorted {
    const fn new(to: u32, Before(before): Before) -> Self {
        Self { to: to as u16, before: [before as u16, (before >> 16) as u16] }
    }

    const fn before(self) -> Before {
        Before((self.before[1] as u32) << 16 | self.before[0] as u32)
    }
}

/// Positions in a block: moves are sorted for a block of positions they lead to at a time.
const BLOCK_BITS: u32 = 16;
const BLOCK: usize = 1 << BLOCK_BITS;

/// Groups of blocks whose unsorted moves are kept together: those of a group go back to the system once
/// they are sorted, a sixteenth of all.
const GROUPS: usize = 16;

/// The most blocks of a group, and positions whose moves to them are kept together: lists of some
/// 400 KiB. Shorter ones would stay with the process.
const GROUP: usize = 128;
const BATCH: usize = 1 << 18;

/// Unsorted moves to the blocks of a group, block by block.
struct Batch {
    ends: Vec<usize>,
    moves: Vec<Unsorted>,
}

impl Batch {
    /// Takes the moves to the blocks of a group, but not the memory of their lists.
    fn of(blocks: &mut [Vec<Unsorted>]) -> Self {
        let mut moves = Vec::with_capacity(blocks.iter().map(Vec::len).sum());
        let ends = blocks.iter_mut().map(|block| {
            moves.append(block);
            moves.len()
        });
        Self { ends: ends.collect(), moves }
    }

    fn block(&self, i: usize) -> &[Unsorted] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.moves[start..self.ends[i]]
    }
}

/// The moves that lead to the positions of one block, sorted by position.
pub(super) struct Block {
    /// The index of the first move into each position, and the length of the list.
    from: Vec<u32>,
    list: Vec<Before>,
}

impl Block {
    /// Sorts the moves to a block of this many positions, the one of this number in its group.
    fn of(positions: usize, number: usize, batches: &[Batch]) -> Self {
        let moves = || batches.iter().flat_map(|batch| batch.block(number));
        let mut from = vec![0u32; positions + 1];
        for m in moves() {
            from[usize::from(m.to)] += 1;
        }
        let mut sum = 0;
        for first in &mut from {
            sum += *first;
            *first = sum;
        }
        // Each place holds the end of its moves and is counted down to their beginning.
        let mut list = vec![Before(0); sum as usize];
        for m in moves() {
            let place = &mut from[usize::from(m.to)];
            *place -= 1;
            list[*place as usize] = m.before();
        }
        Self { from, list }
    }
}

pub(super) struct Open {
    /// Values of settled positions, and bounds of others.
    pub codes: Vec<AtomicU16>,
    /// One more than the number of moves not yet known to lose or, in the second pass, to draw; 0
    /// once the position is settled by that.
    pub moves: Vec<AtomicU8>,
    /// The moves by the position they lead to; none if the game states them.
    pub blocks: Vec<Block>,
}

impl Open {
    pub fn of(
        count: usize,
        look: &(impl Fn(usize, &mut Look) + Sync),
        inverts: bool,
        control: &Control,
    ) -> Result<Self, Stopped> {
        let (mut codes, mut moves) = (Vec::new(), Vec::new());
        codes.resize_with(count, AtomicU16::default);
        moves.resize_with(count, AtomicU8::default);
        let blocks = if inverts { count.div_ceil(BLOCK) } else { 0 };
        let in_group = blocks.div_ceil(GROUPS).clamp(1, GROUP);
        let groups: Vec<Mutex<Vec<_>>> =
            (0..blocks.div_ceil(in_group)).map(|_| Mutex::default()).collect();
        let stopped = parts(count, &|part| {
            let mut into: Vec<Vec<Unsorted>> = vec![Vec::new(); blocks];
            for first in part.clone().step_by(BATCH) {
                let batch = first..part.end.min(first + BATCH);
                look_through(batch, 2, look, control, |n, at| {
                    if !inverts {
                        // Predecessors are sets.
                        at.moves.sort_unstable();
                        at.moves.dedup();
                    }
                    codes[n].store(at.code.0, Relaxed);
                    let open = at.moves.len() as u8 + u8::from(at.is_open);
                    moves[n].store(if open == 0 { 0 } else { open + 1 }, Relaxed);
                    for &(to, keeps_turn) in at.moves.iter().filter(|_| inverts) {
                        let before = Before::new(n, keeps_turn);
                        into[to as usize >> BLOCK_BITS].push(Unsorted::new(to, before));
                    }
                })?;
                for (group, into) in groups.iter().zip(into.chunks_mut(in_group)) {
                    group.lock().expect("no thread panicked").push(Batch::of(into));
                }
            }
            Ok(())
        });
        stopped.into_iter().collect::<Result<(), Stopped>>()?;
        let mut sorted = Vec::with_capacity(blocks);
        for (group, batches) in groups.into_iter().enumerate() {
            let batches = batches.into_inner().expect("no thread panicked");
            let first = group * in_group;
            let sort = |i: usize| Block::of(BLOCK.min(count - (first + i) * BLOCK), i, &batches);
            match in_group.min(blocks - first) {
                1 => sorted.push(sort(0)),
                several => sorted.extend(parallel::map(several, &sort)),
            }
        }
        Ok(Self { codes, moves, blocks: sorted })
    }

    pub fn before<'a>(
        &'a self,
        n: usize,
        look_back: LookBack<'_>,
        found: &'a mut Predecessors,
    ) -> &'a [Before] {
        if let Some(look_back) = look_back {
            found.0.clear();
            look_back(n, found);
            found.0.sort_unstable();
            found.0.dedup();
            return &found.0;
        }
        let block = &self.blocks[n >> BLOCK_BITS];
        let i = n % BLOCK;
        &block.list[block.from[i] as usize..block.from[i + 1] as usize]
    }

    #[inline(always)]
    pub fn code(&self, n: usize) -> Code {
        Code(self.codes[n].load(Relaxed))
    }

    #[inline(always)]
    pub fn set(&self, n: usize, code: Code) {
        self.codes[n].store(code.0, Relaxed);
    }

    /// True if the code is the value: a win, or the best of moves that are all known.
    #[inline(always)]
    fn is_settled(&self, n: usize) -> bool {
        self.moves[n].load(Acquire) == 0 || self.code(n).outcome() == Some(Outcome::Win)
    }

    /// The values, in the memory that holds them already.
    fn values(self) -> Vec<Code> {
        let Self { codes, moves, blocks } = self;
        drop(blocks);
        let value = |(n, code): (usize, AtomicU16)| {
            let (code, is_known) = (Code(code.into_inner()), moves[n].load(Relaxed) == 0);
            // Bounds of positions whose other moves stayed open are no values.
            let is_settled = is_known || code.outcome() == Some(Outcome::Win);
            if is_settled { code } else { Code::ENDLESS }
        };
        codes.into_iter().enumerate().map(value).collect()
    }

    /// Counts settled positions as progress: half a unit each, the other half was counted when they were visited.
    pub fn settled(&self, count: usize, control: &Control) -> u64 {
        let half = count as u64 / 2;
        control.advance(half);
        half
    }

    /// Counts the positions that are left as progress, once nothing more is settled.
    pub fn close(&self, settled: u64, control: &Control) {
        let half = self.codes.len().div_ceil(2) as u64;
        control.advance(half.saturating_sub(settled));
    }

    /// Counts a move as known; true if it was the last.
    fn is_last(&self, n: usize) -> bool {
        self.moves[n].fetch_sub(1, AcqRel) == 2
    }

    /// Settles positions ply by ply, from those that are settled already: wins and losses, and in
    /// a second pass the draws that end. Gives what it has counted as progress.
    ///
    /// A level stores nothing but values of later levels, and values stored at one place during a
    /// level are equal, so that the order of the threads does not matter. A bound that is due is a
    /// value only if it still is there once the position is seen to be settled: the last move
    /// stores its own value first.
    fn pass<const DRAWS: bool>(
        &self,
        look_back: LookBack<'_>,
        control: &Control,
    ) -> Result<u64, SolveError> {
        let outcomes = match DRAWS {
            true => [Outcome::Draw; 2],
            false => [Outcome::Win, Outcome::Loss],
        };
        let count = self.codes.len();
        let plies = |n| {
            let code = self.code(n);
            let counts = code.outcome().is_some_and(|outcome| outcomes.contains(&outcome));
            (counts && self.is_settled(n)).then_some(code.plies())
        };
        let farthest = parts(count, &|part| part.filter_map(plies).max());
        let Some(mut last) = farthest.into_iter().flatten().max() else { return Ok(0) };
        let (mut level, mut counted) = (0, 0);
        while level <= last {
            if last > FARTHEST {
                return Err(Unsuited::Distance(FARTHEST).into());
            }
            let due = outcomes.map(|outcome| Code::new(outcome, level));
            let farthest = parts(count, &|part| {
                control.check()?;
                let (mut farthest, mut settled) = (0, 0);
                let mut found = Predecessors::default();
                for n in part {
                    let code = self.code(n);
                    if (code == due[0] || code == due[1])
                        && self.is_settled(n)
                        && self.code(n) == code
                    {
                        settled += 1;
                        for before in self.before(n, look_back, &mut found) {
                            let there = code.one_ply_earlier(before.keeps_turn());
                            let set = self.settles::<DRAWS>(before.position(), there);
                            farthest = farthest.max(set);
                        }
                    }
                }
                Ok((farthest, settled))
            });
            let parts = farthest.into_iter().collect::<Result<Vec<(u16, usize)>, Stopped>>()?;
            last = parts.iter().fold(last, |last, (farthest, _)| last.max(*farthest));
            counted += self.settled(parts.iter().map(|(_, settled)| settled).sum(), control);
            level += 1;
        }
        Ok(counted)
    }

    /// Takes in that a move has this value for the side that makes it: the plies after which its
    /// position is settled by that, or 0.
    #[inline(always)]
    fn settles<const DRAWS: bool>(&self, n: usize, there: Code) -> u16 {
        let code = self.code(n);
        let is_won = code.outcome() == Some(Outcome::Win);
        if there.outcome() == Some(Outcome::Win) {
            if is_won && code.plies() <= there.plies() {
                return 0;
            }
            self.set(n, there);
            return there.plies();
        }
        if is_won || !self.is_last(n) {
            return 0;
        }
        // Losses come in the order of their distance, so the last open move is the longest of
        // them, and only one to a position solved before may be longer. Draws alike.
        let plies = match code.outcome() == there.outcome() && code.plies() >= there.plies() {
            true => code.plies(),
            // It is a draw by a move to a position solved before, settled in the second pass.
            false if !DRAWS && code.outcome() == Some(Outcome::Draw) => 0,
            false => {
                self.set(n, there);
                there.plies()
            }
        };
        self.moves[n].store(0, Release);
        plies
    }
}
