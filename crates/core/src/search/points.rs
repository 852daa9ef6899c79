//! The scores a search compares.

use std::ops::Neg;

use crate::game::{Outcome, Remoteness, Value};
use crate::statistics::Score;

/// A score inside a search, for the side to move: either the whole points of the evaluation before
/// the discount, or a proven win or loss, which outranks them.
///
/// The [discount](crate::game::Evaluate::discount) need not be carried through the search: every
/// position that one depth-limited search evaluates lies on the horizon and has the same number of
/// plies left, so the discount multiplies all of them by the same positive factor and changes no
/// comparison. [`score`](Self::score) applies it once, at the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(pub i32);

impl Points {
    /// A win in no plies. With it, every score fits the 18 bits of a table entry.
    const WON: i32 = 131_000;
    /// The most plies between a position and the end of the game.
    const MOST_PLIES: i32 = 30_000;
    /// A bound above every score.
    pub const INFINITY: Self = Self(131_071);
    pub(super) const BITS: u32 = 18;
    /// The most points an evaluation may give.
    pub(super) const MAX_EVALUATION: i32 = Self::WON - Self::MOST_PLIES - 1;

    /// The score of equal chances, or of a draw.
    pub const ZERO: Self = Self(0);

    /// Returns the score of a loss for the side to move, `plies` plies after the root.
    #[inline(always)]
    pub(super) const fn lost_at(plies: u32) -> Self {
        Self(plies as i32 - Self::WON)
    }

    /// Clamps the points of an evaluation to the range that proven results outrank.
    #[inline(always)]
    pub fn evaluated(points: i32) -> Self {
        Self(points.clamp(-Self::MAX_EVALUATION, Self::MAX_EVALUATION))
    }

    /// Returns true for a proven win or loss.
    #[inline(always)]
    pub const fn is_decided(self) -> bool {
        self.0.abs() > Self::MAX_EVALUATION
    }

    /// Returns the plies to the end of the win or loss that this score proves.
    #[inline(always)]
    pub(super) const fn plies_to_end(self) -> Option<u32> {
        if self.is_decided() { Some((Self::WON - self.0.abs()) as u32) } else { None }
    }

    /// Returns the win or loss that this score proves; `None` if it proves none, or if its plies do
    /// not fit a remoteness.
    pub fn decided(self) -> Option<Value> {
        let remoteness = Remoteness(u8::try_from(self.plies_to_end()?).ok()?);
        let outcome = if self.0 > 0 { Outcome::Win } else { Outcome::Loss };
        Some(Value::new(outcome, remoteness))
    }

    /// Returns the score as counted from a position `plies` below, which is nearer to a proven end.
    #[inline(always)]
    pub(super) const fn seen_from_below(self, plies: u32) -> Self {
        if self.is_decided() { Self(self.0 + self.0.signum() * plies as i32) } else { self }
    }

    /// Returns the score as counted from a position `plies` above.
    #[inline(always)]
    pub(super) const fn seen_from_above(self, plies: u32) -> Self {
        if self.is_decided() { Self(self.0 - self.0.signum() * plies as i32) } else { self }
    }

    /// Returns the score for output; `discount` is the [discount](crate::game::Evaluate::discount)
    /// of the positions evaluated, in percent.
    pub fn score(self, discount: u32) -> Score {
        match self.decided() {
            Some(value) => Score::of_value(value),
            None => Score(self.0 * (100 - discount as i32)),
        }
    }

    /// Returns the score as the lower [`BITS`](Self::BITS) bits of a word.
    #[inline(always)]
    pub(super) const fn to_bits(self) -> u64 {
        (self.0 + (1 << (Self::BITS - 1))) as u64
    }

    /// Returns the score in bits made by [`to_bits`](Self::to_bits).
    #[inline(always)]
    pub(super) const fn from_bits(bits: u64) -> Self {
        Self((bits & ((1 << Self::BITS) - 1)) as i32 - (1 << (Self::BITS - 1)))
    }
}

impl Neg for Points {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_hold_every_score() {
        for points in -131_071..=131_071 {
            assert_eq!(Points::from_bits(Points(points).to_bits()), Points(points));
            assert!(Points(points).to_bits() < 1 << Points::BITS);
        }
    }

    #[test]
    fn a_proven_end_keeps_its_distance() {
        let lost = Points::lost_at(5);
        assert_eq!(lost.decided(), Some(Value::new(Outcome::Loss, Remoteness(5))));
        assert_eq!((-lost).decided(), Some(Value::new(Outcome::Win, Remoteness(5))));
        assert_eq!(lost.seen_from_below(5), Points::lost_at(0));
        assert_eq!(lost.seen_from_below(3).seen_from_above(3), lost);
        assert!(Points::lost_at(4) < lost, "the loser delays");
        assert_eq!(Points(Points::MAX_EVALUATION).decided(), None);
    }

    #[test]
    fn the_discount_is_one_percent_a_stone() {
        assert_eq!(Points(16).score(1).to_string(), "15.84");
        assert_eq!(Points(-500).score(8).to_string(), "-460.00");
    }
}
