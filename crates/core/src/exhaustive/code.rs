//! A value in two bytes, as engines keep it for millions of positions.

use crate::game::{Outcome, PartialValue, Remoteness, Unsuited};

/// Outcome and distance: the outcome in the upper two bits (1 loss, 2 draw, 3 win, for the side to
/// move), the plies to the end in the lower fourteen. Without an outcome: [`ENDLESS`](Self::ENDLESS)
/// or [`HOLE`](Self::HOLE).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Code(pub u16);

const DISTANCE_BITS: u32 = 14;

impl Code {
    /// A draw by endless play; an unknown value while positions are being solved.
    pub const ENDLESS: Self = Self(0);
    /// A rank without a position.
    pub const HOLE: Self = Self(1);
    pub const FARTHEST: u16 = (1 << DISTANCE_BITS) - 1;

    /// Creates the code of an outcome at most [`FARTHEST`](Self::FARTHEST) plies away.
    pub const fn new(outcome: Outcome, plies: u16) -> Self {
        debug_assert!(plies <= Self::FARTHEST);
        Self(((outcome.sign() + 2) as u16) << DISTANCE_BITS | plies)
    }

    /// Returns the outcome; `None` for endless play and for a hole.
    pub const fn outcome(self) -> Option<Outcome> {
        match self.0 >> DISTANCE_BITS {
            1 => Some(Outcome::Loss),
            2 => Some(Outcome::Draw),
            3 => Some(Outcome::Win),
            _ => None,
        }
    }

    /// Returns the plies to the end; 0 without an outcome.
    pub const fn plies(self) -> u16 {
        match self.outcome() {
            Some(_) => self.0 & Self::FARTHEST,
            None => 0,
        }
    }

    /// Creates a code of the points still to be made, in place of the plies.
    pub const fn of_points(points: i32) -> Self {
        let outcome = match points {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        };
        Self::new(outcome, points.unsigned_abs() as u16)
    }

    /// Returns the points of a [code](Self::of_points) for the side to move; 0 without an outcome.
    pub const fn points(self) -> i32 {
        match self.outcome() {
            Some(Outcome::Loss) => -(self.plies() as i32),
            _ => self.plies() as i32,
        }
    }

    /// Returns the value a ply earlier, for the side to move then: the other side, unless the move
    /// keeps the turn. Endless play stays endless.
    #[must_use]
    pub const fn one_ply_earlier(self, keeps_turn: bool) -> Self {
        match self.outcome() {
            None => Self::ENDLESS,
            Some(Outcome::Win) if !keeps_turn => Self::new(Outcome::Loss, self.plies() + 1),
            Some(Outcome::Loss) if !keeps_turn => Self::new(Outcome::Win, self.plies() + 1),
            Some(outcome) => Self::new(outcome, self.plies() + 1),
        }
    }

    /// Refuses distances too long for a [`Remoteness`], with one ply more for the move before.
    pub(super) fn check_near<'a>(
        mut codes: impl Iterator<Item = &'a Self>,
    ) -> Result<(), Unsuited> {
        const FARTHEST: u16 = u8::MAX as u16 - 1;
        match codes.any(|code| code.plies() > FARTHEST) {
            true => Err(Unsuited::Distance(FARTHEST)),
            false => Ok(()),
        }
    }

    /// Returns a number that is greater the more the side to move prefers the value: values in
    /// their order, endless play above every draw that ends.
    pub const fn preference(self) -> u32 {
        let plies = self.plies() as u32;
        match self.outcome() {
            Some(Outcome::Loss) => plies,
            Some(Outcome::Draw) => (1 << 16) + plies,
            None => 2 << 16,
            Some(Outcome::Win) => (4 << 16) - plies,
        }
    }

    /// Returns the value; `None` for a hole.
    ///
    /// # Panics
    /// If the end is more plies away than a [`Remoteness`] holds.
    pub fn value(self) -> Option<PartialValue> {
        let remoteness = || Remoteness(u8::try_from(self.plies()).expect("a near end"));
        match self.outcome() {
            Some(outcome) => Some(PartialValue { outcome, remoteness: Some(remoteness()) }),
            None => (self == Self::ENDLESS).then_some(PartialValue::ENDLESS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_holds_points() {
        for points in [-48, -1, 0, 1, 48] {
            assert_eq!(Code::of_points(points).points(), points);
        }
        assert_eq!(Code::of_points(-3), Code::new(Outcome::Loss, 3));
        assert_eq!([Code::ENDLESS, Code::HOLE].map(Code::points), [0; 2]);
    }

    #[test]
    fn a_code_holds_every_value() {
        assert_eq!(Code::default(), Code::ENDLESS);
        let mut seen = vec![Code::ENDLESS, Code::HOLE];
        for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
            for plies in [0, 1, 254, Code::FARTHEST] {
                let code = Code::new(outcome, plies);
                assert_eq!((code.outcome(), code.plies()), (Some(outcome), plies));
                assert!(!seen.contains(&code));
                seen.push(code);
                if plies < Code::FARTHEST {
                    assert_eq!(code.one_ply_earlier(true), Code::new(outcome, plies + 1));
                    assert_eq!(code.one_ply_earlier(false), Code::new(-outcome, plies + 1));
                }
            }
        }
        assert_eq!(Code::ENDLESS.one_ply_earlier(false), Code::ENDLESS);
        for (a, b) in seen.iter().flat_map(|a| seen.iter().map(move |b| (*a, *b))) {
            let is_near = |code: Code| code.plies() < 255 && code != Code::HOLE;
            if a != b && is_near(a) && is_near(b) {
                let best = if a.preference() > b.preference() { a } else { b };
                assert_eq!(best.value(), Some(a.value().unwrap().better(b.value().unwrap())));
            }
        }
        assert_eq!(Code::ENDLESS.value(), Some(PartialValue::ENDLESS));
        assert_eq!(Code::HOLE.value(), None);
        let lost = PartialValue { outcome: Outcome::Loss, remoteness: Some(Remoteness(254)) };
        assert_eq!(Code::new(Outcome::Loss, 254).value(), Some(lost));
    }
}
