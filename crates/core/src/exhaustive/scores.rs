//! Final points of positions that lead to each other, in games that count points: the most first.
//!
//! Let t be the most points that are open. A side *makes* t if a move leads to a position whose other
//! side *yields* t, and a side yields t if all its moves lead to positions whose other side makes t.
//! Moves to positions that were solved before decide some positions; the others follow from these, to
//! a standstill. Then t - 1 is looked at. Positions that are left at t = 0 score nothing: neither side
//! can make more, and endless play makes none.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use super::backwards::{Look, LookBack, Open, Predecessors, parts};
use super::code::Code;
use super::listed;
use crate::control::{Control, Stopped};

pub(super) fn scores(
    count: usize,
    look: &(impl Fn(usize, &mut Look) + Sync),
    look_back: LookBack<'_>,
    control: &Control,
) -> Result<Vec<Code>, Stopped> {
    let open = Open::of(count, look, look_back.is_none(), control)?;
    let most = |part: std::ops::Range<usize>| part.map(|n| open.code(n).points().abs()).max();
    let most = parts(count, &most).into_iter().flatten().max().unwrap_or(0);
    let mut settled = 0;
    for points in (1..=most).rev() {
        let mut newest = open.due(points, control)?;
        while !newest.is_empty() {
            settled += open.settled(newest.len(), control);
            newest = listed::parts(&newest, |part| {
                control.check()?;
                Ok(open.follow(points, part, look_back))
            })?;
        }
    }
    open.close(settled, control);
    Ok(open.points())
}

impl Open {
    fn due(&self, points: i32, control: &Control) -> Result<Vec<u32>, Stopped> {
        let found = parts(self.codes.len(), &|part| {
            control.check()?;
            let is_due = |&n: &usize| match self.code(n).points() {
                here if here == points => true,
                here => here == -points && self.moves[n].load(Relaxed) <= 1,
            };
            let due = part.filter(is_due).inspect(|&n| self.moves[n].store(0, Relaxed));
            Ok(due.map(|n| n as u32).collect::<Vec<_>>())
        });
        Ok(found.into_iter().collect::<Result<Vec<_>, Stopped>>()?.concat())
    }

    /// Settles the positions whose points follow from those of newly settled ones.
    fn follow(&self, points: i32, newest: &[u32], look_back: LookBack<'_>) -> Vec<u32> {
        let (mut next, mut found) = (Vec::new(), Predecessors::default());
        for &n in newest {
            let here = self.code(n as usize).points();
            for before in self.before(n as usize, look_back, &mut found) {
                let there = if before.keeps_turn() { here } else { -here };
                let n = before.position();
                let is_settled = match there > 0 {
                    true => self.moves[n].swap(0, AcqRel) > 0,
                    false => self.is_last_to_yield(n, points),
                };
                if is_settled {
                    self.set(n, Code::of_points(there));
                    next.push(n as u32);
                }
            }
        }
        next
    }

    /// Counts a move that yields this many points; true if it was the last and none is better.
    fn is_last_to_yield(&self, n: usize, points: i32) -> bool {
        // A settled position has no count.
        let less = |open: u8| (open > 1).then(|| open - 1);
        let code = self.code(n);
        let is_better = code.outcome().is_some() && code.points() > -points;
        let is_last = self.moves[n].fetch_update(AcqRel, Acquire, less) == Ok(2);
        // The points of a better move are due later.
        let yields = is_last && !is_better;
        if yields {
            self.moves[n].store(0, Relaxed);
        }
        yields
    }

    /// The points, in the memory that holds them already.
    fn points(self) -> Vec<Code> {
        let Self { codes, moves, blocks } = self;
        drop(blocks);
        let codes = codes.into_iter().zip(moves);
        let points = codes.map(|(code, moves)| match moves.into_inner() {
            0 => Code(code.into_inner()),
            _ => Code::of_points(0),
        });
        points.collect()
    }
}
