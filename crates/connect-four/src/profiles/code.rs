//! Values as small integers, compared and complemented on bit planes.
//!
//! A value is coded by the *ply at which the game ends*, not by the distance, so its number is the
//! same in every tier and only the side changes. For the side to move, from worst to best:
//!
//! ```text
//! loss at the earliest end .. loss at the latest | draw draw' | win at the latest .. at the earliest
//!          0               ..                      2^(p-1) - 1, 2^(p-1)           ..      2^p - 1
//! ```
//!
//! An end at ply e has the number (e >> 1) - base: at one ply all losses end at plies of its parity
//! and all wins at plies of the other, so the number identifies e. The code of a win is the
//! complement of the code of the loss that the other side sees. So
//!
//! > value of a position = complement of the least value among the positions its moves lead to,
//!
//! one comparison for outcome and distance together. The two codes of a draw are complements as
//! well; at one ply only one of them occurs.

use everyply_core::game::{Outcome, Ply, Remoteness, Value};
use everyply_core::games::line::Size;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Codes {
    planes: u32,
    /// The earliest end, halved.
    base: u8,
    last_ply: u8,
}

/// The most bits of a code: ends at 64 different plies and draws need 7.
pub(super) const MAX_PLANES: usize = 7;

impl Codes {
    pub(super) fn new(size: Size) -> Self {
        let last_ply = size.cells() as u8;
        // The side that completes a line of k has k stones, the other side at least k - 1.
        let line = usize::from(size.line);
        let base = ((2 * line - 1).min(usize::from(last_ply)) / 2) as u8;
        let losses = u32::from(last_ply / 2 - base) + 1;
        // Half of the codes are for losses and one draw.
        let planes = (losses + 1).next_power_of_two().trailing_zeros() + 1;
        Self { planes, base, last_ply }
    }

    /// Returns the number of bits of a code, which is the number of planes of a value array.
    pub(super) const fn planes(self) -> usize {
        self.planes as usize
    }

    const fn ones(self) -> u8 {
        ((1u16 << self.planes) - 1) as u8
    }

    pub(super) const fn draw(self, ply: usize) -> u8 {
        let lower = self.ones() / 2;
        if (self.last_ply as usize - ply).is_multiple_of(2) { lower } else { lower + 1 }
    }

    /// Returns the code of a loss that ends at a ply.
    pub(super) const fn loss(self, end: usize) -> u8 {
        (end as u8 / 2).saturating_sub(self.base)
    }

    pub(super) fn value(self, ply: Ply, code: u8) -> Value {
        let lower = self.ones() / 2;
        let end = |number: u8, parity: u8| {
            let end = 2 * (number + self.base) + parity % 2;
            Remoteness(end.saturating_sub(ply.0))
        };
        if code == lower || code == lower + 1 {
            Value::new(Outcome::Draw, Remoteness(self.last_ply - ply.0))
        } else if code < lower {
            Value::new(Outcome::Loss, end(code, ply.0))
        } else {
            Value::new(Outcome::Win, end(self.ones() - code, ply.0 + 1))
        }
    }

    /// Marks the codes at `ply` of values that the rules alone give within `depth` plies.
    pub(super) fn nearest(self, ply: Ply, depth: u8) -> [bool; 1 << MAX_PLANES] {
        let mut nearest = [false; 1 << MAX_PLANES];
        for remoteness in 1..=depth.min(self.last_ply - ply.0) {
            let outcome = if remoteness % 2 == 1 { Outcome::Win } else { Outcome::Loss };
            let end = ply.0 + remoteness;
            if end / 2 >= self.base {
                let code = self.code(ply, Value::new(outcome, Remoteness(remoteness)));
                nearest[usize::from(code)] = true;
            }
        }
        nearest
    }

    /// Iterates over the values at `ply` of the codes that occur, each with its count.
    pub(super) fn tabulate(self, ply: Ply, counts: &[u64]) -> impl Iterator<Item = (Value, u64)> {
        let occurring = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        occurring.map(move |(code, &count)| (self.value(ply, code as u8), count))
    }

    /// Returns the codes of the slowest win and loss that occur, the codes nearest the draws.
    pub(super) fn slowest(self, counts: &[u64]) -> [Option<u8>; 2] {
        let upper = self.ones() / 2 + 1;
        let occurs = |code: &u8| counts[usize::from(*code)] > 0;
        [(upper + 1..=self.ones()).find(occurs), (0..upper - 1).rev().find(occurs)]
    }

    pub(super) const fn is_slower(self, a: u8, b: u8) -> bool {
        let upper = self.ones() / 2 + 1;
        if a > upper { a < b } else { a > b }
    }

    pub(super) const fn code(self, ply: Ply, value: Value) -> u8 {
        let end = ply.0 as usize + value.remoteness.0 as usize;
        match value.outcome {
            Outcome::Loss => self.loss(end),
            Outcome::Draw => self.draw(ply.0 as usize),
            Outcome::Win => self.ones() - self.loss(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_keep_values_and_their_order_and_change_sides_by_complement() {
        for (width, height, line) in
            [(7, 6, 4), (5, 5, 4), (4, 4, 3), (3, 3, 4), (8, 7, 1), (1, 1, 1)]
        {
            let size = Size::new(width, height, line).unwrap();
            let codes = Codes::new(size);
            assert!(codes.planes() <= MAX_PLANES);
            let last = size.cells() as u8;
            let first = (2 * line - 1).min(last);
            for ply in 0..=last {
                let mut values = vec![Value::new(Outcome::Draw, Remoteness(last - ply))];
                for end in first.max(ply)..=last {
                    let outcome = if (end - ply) % 2 == 0 { Outcome::Loss } else { Outcome::Win };
                    values.push(Value::new(outcome, Remoteness(end - ply)));
                }
                for &a in &values {
                    let code = codes.code(Ply(ply), a);
                    assert_eq!(codes.value(Ply(ply), code), a);
                    for &b in &values {
                        assert_eq!(code.cmp(&codes.code(Ply(ply), b)), a.cmp(&b));
                    }
                    if ply > 0 {
                        assert_eq!(codes.code(Ply(ply - 1), a.for_parent()), codes.ones() - code);
                    }
                }
            }
        }
    }
}
