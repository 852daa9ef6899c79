//! Retrograde analysis: the values of numbered positions, from the ends of the game backwards.
//!
//! K. Thompson, Retrograde analysis of certain endgames, ICCA Journal 9 (1986). A position is won
//! in r + 1 plies as soon as one move leads to a loss in r for the other side; it is lost in r + 1
//! as soon as all its moves are known to lose, which a counter of open moves shows. The positions
//! left when nothing changes any more are drawn.
//!
//! # Draws
//! Among drawn positions only the moves that keep the draw matter. A draw *ends* if these moves
//! cannot last for ever, and its distance is then the length of the longest such play; otherwise it
//! is *endless*. A second pass with the same counters, from the drawn ends of the game backwards,
//! separates the two.
//!
//! # Moves to positions that were solved before
//! Such moves give a position a bound: the best of the values they lead to. A win is due at its
//! distance, unless another move wins sooner; a draw or a loss is the value only once all other
//! moves are known to lose, or to draw. A position with such a draw is never lost, and one with
//! such a win neither lost nor drawn, so that one bound is enough.
//!
//! # Memory
//! Few games state their moves backwards: the moves of all positions are listed once and sorted by
//! the position they lead to, a block of positions at a time. A position takes two bytes of value,
//! a counter, and four bytes for each move (six until they are sorted). A game that does state its
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

/// The number of positions that can be numbered: 31 bits.
pub(super) const MOST: u64 = 1 << 31;

/// The most moves of a position: a byte counts them with one more and one for endless play.
pub(super) const MOST_MOVES: u32 = u8::MAX as u32 - 2;

/// The farthest end in plies: a code holds one ply more, for the move before.
const FARTHEST: u16 = Code::FARTHEST - 1;

/// Positions that one thread works on at a time.
const PART: usize = 1 << 12;

/// A position after a move, by tier and key.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub tier: u32,
    pub key: Key,
    pub keeps_turn: bool,
    /// The bit of the move, if the sets of moves of the game hold it.
    pub bit: u8,
}

/// The moves of a position, or its result.
#[derive(Default)]
pub(super) struct PositionMoves {
    /// The result, a hole, or the best of the moves to positions that were solved before.
    code: Code,
    /// True if a move leads to a position that was solved before as endless play.
    is_open: bool,
    list: Vec<(u32, bool)>,
    /// Room for the children, made once for all positions of a thread.
    pub children: Vec<Child>,
}

impl PositionMoves {
    pub fn over(&mut self, result: Outcome) {
        self.code = Code::new(result, 0);
    }

    pub fn hole(&mut self) {
        self.code = Code::HOLE;
    }

    /// Adds a move to the position of a number.
    #[inline(always)]
    pub fn to(&mut self, number: u32, keeps_turn: bool) {
        self.list.push((number, keeps_turn));
    }

    /// Adds a move to a position that was solved before.
    #[inline(always)]
    pub fn known(&mut self, value: Code, keeps_turn: bool) {
        let value = value.one_ply_earlier(keeps_turn);
        if value.outcome().is_none() {
            self.is_open = true;
            return;
        }
        if self.code.outcome().is_none() || value.preference() > self.code.preference() {
            self.code = value;
        }
    }

    /// Adds the points of a game that is over, or of a move to a position that was solved before.
    #[inline(always)]
    pub fn scores(&mut self, points: i32) {
        if self.code.outcome().is_none() || points > self.code.points() {
            self.code = Code::of_points(points);
        }
    }

    /// Returns the value, if all moves lead to positions that were solved before.
    fn value(&self) -> Code {
        let is_endless = self.is_open && self.code.outcome() != Some(Outcome::Win);
        if is_endless { Code::ENDLESS } else { self.code }
    }
}

/// The function that lists the moves of the position of a number.
pub(super) type MovesOf<'a> = &'a (dyn Fn(usize, &mut PositionMoves) + Sync);

/// Lists the moves of the positions of a part, which begins at a multiple of [`PART`], and calls
/// `see` with each position. Counts one of `passes` over them as progress.
#[inline(always)]
fn each_position(
    part: Range<usize>,
    passes: usize,
    moves_of: MovesOf<'_>,
    control: &Control,
    mut see: impl FnMut(usize, &mut PositionMoves),
) -> Result<(), Stopped> {
    let mut moves = PositionMoves::default();
    for n in part.clone() {
        if n % PART == 0 {
            control.check()?;
            control.advance((PART.min(part.end - n) / passes) as u64);
        }
        (moves.code, moves.is_open) = (Code::ENDLESS, false);
        moves.list.clear();
        moves_of(n, &mut moves);
        see(n, &mut moves);
    }
    Ok(())
}

/// Solves positions whose moves all lead to positions that were solved before.
pub(super) fn forwards(
    count: usize,
    moves_of: MovesOf<'_>,
    control: &Control,
) -> Result<Vec<Code>, SolveError> {
    let parts = parts(count, &|part| {
        let mut codes = Vec::with_capacity(part.len());
        each_position(part, 1, moves_of, control, |_, moves| {
            debug_assert!(moves.list.is_empty(), "the moves lead to positions solved before");
            codes.push(moves.value());
        })?;
        Ok(codes)
    });
    let codes = parts.into_iter().collect::<Result<Vec<_>, Stopped>>()?.concat();
    match codes.iter().any(|code| code.plies() > FARTHEST) {
        true => Err(Unsuited::Distance(FARTHEST).into()),
        false => Ok(codes),
    }
}

/// The predecessors of a position: the positions with a move to it.
#[derive(Default)]
pub(super) struct Predecessors(Vec<Before>);

impl Predecessors {
    pub fn add(&mut self, number: u32, keeps_turn: bool) {
        self.0.push(Before::new(number as usize, keeps_turn));
    }
}

/// The function that lists predecessors, for a game that states them.
pub(super) type PredecessorsOf<'a> = Option<&'a (dyn Fn(usize, &mut Predecessors) + Sync)>;

/// Solves positions that lead to each other.
pub(super) fn backwards(
    count: usize,
    moves_of: MovesOf<'_>,
    predecessors_of: PredecessorsOf<'_>,
    control: &Control,
) -> Result<Vec<Code>, SolveError> {
    let open = Open::of(count, moves_of, predecessors_of.is_none(), control)?;
    let settled = open.pass::<false>(predecessors_of, control)?
        + open.pass::<true>(predecessors_of, control)?;
    open.close(settled, control);
    // The bound of a position with open moves is its value only if it is a win.
    let unsettled = |bound: Code| match bound.outcome() {
        Some(Outcome::Win) => bound,
        _ => Code::ENDLESS,
    };
    Ok(open.codes(unsettled))
}

/// Returns the results of `work` on parts of the numbers below `count`.
pub(super) fn parts<T: Send>(count: usize, work: &(dyn Fn(Range<usize>) -> T + Sync)) -> Vec<T> {
    // Waking other threads takes longer than so little work.
    if count <= PART { vec![work(0..count)] } else { parallel::map_parts(0..count, PART, work) }
}

/// A move in the list of its target: the position before it, and whether it keeps the turn.
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

/// A move that is not sorted yet, with the place of its target in its block. In six bytes, because
/// unsorted moves take most of the memory.
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

/// Positions in a block: moves are sorted a block of targets at a time.
const BLOCK_BITS: u32 = 16;
const BLOCK: usize = 1 << BLOCK_BITS;

/// Groups of blocks: the unsorted moves to a group, a sixteenth of all, are freed once sorted.
const GROUPS: usize = 16;

/// The most blocks of a group.
const GROUP: usize = 128;

/// Positions whose moves to a group are in one list: lists of some 400 KiB, because the process would
/// keep the memory of shorter ones.
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
    /// Sorts the moves to the `positions` of a block, by its `number` in the group.
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
    /// once that settles the position.
    pub open_moves: Vec<AtomicU8>,
    /// The moves by target; empty if the game states its predecessors.
    pub blocks: Vec<Block>,
}

impl Open {
    pub fn of(
        count: usize,
        moves_of: MovesOf<'_>,
        inverts: bool,
        control: &Control,
    ) -> Result<Self, Stopped> {
        let (mut codes, mut open_moves) = (Vec::new(), Vec::new());
        codes.resize_with(count, AtomicU16::default);
        open_moves.resize_with(count, AtomicU8::default);
        let blocks = if inverts { count.div_ceil(BLOCK) } else { 0 };
        let in_group = blocks.div_ceil(GROUPS).clamp(1, GROUP);
        let groups: Vec<Mutex<Vec<_>>> =
            (0..blocks.div_ceil(in_group)).map(|_| Mutex::default()).collect();
        let stopped = parts(count, &|part| {
            let mut into: Vec<Vec<Unsorted>> = vec![Vec::new(); blocks];
            for first in part.clone().step_by(BATCH) {
                let batch = first..part.end.min(first + BATCH);
                each_position(batch, 2, moves_of, control, |n, moves| {
                    if !inverts {
                        // Predecessors are sets.
                        moves.list.sort_unstable();
                        moves.list.dedup();
                    }
                    codes[n].store(moves.code.0, Relaxed);
                    let open = moves.list.len() as u8 + u8::from(moves.is_open);
                    open_moves[n].store(if open == 0 { 0 } else { open + 1 }, Relaxed);
                    for &(to, keeps_turn) in moves.list.iter().filter(|_| inverts) {
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
        Ok(Self { codes, open_moves, blocks: sorted })
    }

    pub fn before<'a>(
        &'a self,
        n: usize,
        predecessors_of: PredecessorsOf<'_>,
        predecessors: &'a mut Predecessors,
    ) -> &'a [Before] {
        if let Some(predecessors_of) = predecessors_of {
            predecessors.0.clear();
            predecessors_of(n, predecessors);
            predecessors.0.sort_unstable();
            predecessors.0.dedup();
            return &predecessors.0;
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

    /// Returns true if the code is the value: a win, or the best of moves that are all known.
    #[inline(always)]
    fn is_settled(&self, n: usize) -> bool {
        self.open_moves[n].load(Acquire) == 0 || self.code(n).outcome() == Some(Outcome::Win)
    }

    /// Returns the codes, in their memory; `unsettled` replaces the bound of a position with open moves.
    pub fn codes(self, unsettled: impl Fn(Code) -> Code) -> Vec<Code> {
        let Self { codes, open_moves, blocks } = self;
        drop(blocks);
        let code = |(code, moves): (AtomicU16, AtomicU8)| match moves.into_inner() {
            0 => Code(code.into_inner()),
            _ => unsettled(Code(code.into_inner())),
        };
        codes.into_iter().zip(open_moves).map(code).collect()
    }

    /// Counts half of each settled position as progress; its visit counted the other half.
    pub fn settled(&self, count: usize, control: &Control) -> u64 {
        let half = count as u64 / 2;
        control.advance(half);
        half
    }

    /// Counts the remaining positions as progress, once no more can be settled.
    pub fn close(&self, settled: u64, control: &Control) {
        let half = self.codes.len().div_ceil(2) as u64;
        control.advance(half.saturating_sub(settled));
    }

    /// Counts a move as known; returns true if it was the last.
    fn is_last(&self, n: usize) -> bool {
        self.open_moves[n].fetch_sub(1, AcqRel) == 2
    }

    /// Settles positions ply by ply, from the settled ones on: wins and losses, and in a
    /// second pass the draws that end. Returns the progress it counted.
    ///
    /// A level stores nothing but values of later levels, and values stored at one place during a
    /// level are equal, so that the order of the threads does not matter. A due bound is a value
    /// only if it is still stored once the position is found settled: the last move stores its own
    /// value first.
    fn pass<const DRAWS: bool>(
        &self,
        predecessors_of: PredecessorsOf<'_>,
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
                let mut predecessors = Predecessors::default();
                for n in part {
                    let code = self.code(n);
                    if (code == due[0] || code == due[1])
                        && self.is_settled(n)
                        && self.code(n) == code
                    {
                        settled += 1;
                        for before in self.before(n, predecessors_of, &mut predecessors) {
                            let value = code.one_ply_earlier(before.keeps_turn());
                            let plies = self.settles::<DRAWS>(before.position(), value);
                            farthest = farthest.max(plies);
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

    /// Records the value of a move for the side that makes it. Returns the plies after which the
    /// move settles its position, or 0.
    #[inline(always)]
    fn settles<const DRAWS: bool>(&self, n: usize, value: Code) -> u16 {
        let code = self.code(n);
        let is_won = code.outcome() == Some(Outcome::Win);
        if value.outcome() == Some(Outcome::Win) {
            if is_won && code.plies() <= value.plies() {
                return 0;
            }
            self.set(n, value);
            return value.plies();
        }
        if is_won || !self.is_last(n) {
            return 0;
        }
        // Losses come in the order of their distance, so the last open move is the longest of them,
        // and only a move to a position solved before may be longer. So do draws.
        let plies = match code.outcome() == value.outcome() && code.plies() >= value.plies() {
            true => code.plies(),
            // It is a draw by a move to a position solved before, settled in the second pass.
            false if !DRAWS && code.outcome() == Some(Outcome::Draw) => 0,
            false => {
                self.set(n, value);
                value.plies()
            }
        };
        self.open_moves[n].store(0, Release);
        plies
    }
}
