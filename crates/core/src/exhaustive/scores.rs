//! Final points of positions that lead to each other, in games that count points: the most first.
//!
//! Let t be the most points that are open. A side *makes* t if a move leads to a position whose
//! other side *yields* t, and a side yields t if all its moves lead to positions whose other side
//! makes t. Moves to positions that were solved before decide some positions; others follow from
//! these, until nothing changes. Then comes t - 1. Positions that remain at t = 0 score nothing:
//! neither side can make more, and endless play makes no points.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use super::backwards::{MovesOf, Open, Predecessors, PredecessorsOf, parts};
use super::code::Code;
use super::listed;
use crate::control::{Control, Stopped};

pub(super) fn scores(
    count: usize,
    moves_of: MovesOf<'_>,
    predecessors_of: PredecessorsOf<'_>,
    control: &Control,
) -> Result<Vec<Code>, Stopped> {
    let open = Open::of(count, moves_of, predecessors_of.is_none(), control)?;
    let most = |part: std::ops::Range<usize>| part.map(|n| open.code(n).points().abs()).max();
    let most = parts(count, &most).into_iter().flatten().max().unwrap_or(0);
    let mut settled = 0;
    for points in (1..=most).rev() {
        let mut newest = open.due(points, control)?;
        while !newest.is_empty() {
            settled += open.settled(newest.len(), control);
            newest = listed::parts(&newest, |part| {
                control.check()?;
                Ok(open.follow(points, part, predecessors_of))
            })?;
        }
    }
    open.close(settled, control);
    Ok(open.codes(|_| Code::of_points(0)))
}

impl Open {
    fn due(&self, points: i32, control: &Control) -> Result<Vec<u32>, Stopped> {
        let due = parts(self.codes.len(), &|part| {
            control.check()?;
            let is_due = |&n: &usize| match self.code(n).points() {
                own if own == points => true,
                own => own == -points && self.open_moves[n].load(Relaxed) <= 1,
            };
            let due = part.filter(is_due).inspect(|&n| self.open_moves[n].store(0, Relaxed));
            Ok(due.map(|n| n as u32).collect::<Vec<_>>())
        });
        Ok(due.into_iter().collect::<Result<Vec<_>, Stopped>>()?.concat())
    }

    /// Settles the positions whose points follow from newly settled ones.
    fn follow(&self, points: i32, newest: &[u32], predecessors_of: PredecessorsOf<'_>) -> Vec<u32> {
        let (mut next, mut predecessors) = (Vec::new(), Predecessors::default());
        for &n in newest {
            let own = self.code(n as usize).points();
            for before in self.before(n as usize, predecessors_of, &mut predecessors) {
                let gained = if before.keeps_turn() { own } else { -own };
                let n = before.position();
                let is_settled = match gained > 0 {
                    true => self.open_moves[n].swap(0, AcqRel) > 0,
                    false => self.is_last_to_yield(n, points),
                };
                if is_settled {
                    self.set(n, Code::of_points(gained));
                    next.push(n as u32);
                }
            }
        }
        next
    }

    /// Counts a move that yields points; returns true if it was the last and none is better.
    fn is_last_to_yield(&self, n: usize, points: i32) -> bool {
        // A settled position has no count.
        let less = |open: u8| (open > 1).then(|| open - 1);
        let code = self.code(n);
        let is_better = code.outcome().is_some() && code.points() > -points;
        let is_last = self.open_moves[n].fetch_update(AcqRel, Acquire, less) == Ok(2);
        // The points of a better move are due later.
        let yields = is_last && !is_better;
        if yields {
            self.open_moves[n].store(0, Relaxed);
        }
        yields
    }
}
