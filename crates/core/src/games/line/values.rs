//! Partial values, completed by the rules of stones and lines.
//!
//! A draw lasts until the board is full. The winner's last stone is the r-th from here, so the
//! remoteness r is odd for a win and even for a loss; and a loss that has not happened yet takes a
//! move of each side.

use crate::game::{Outcome, PartialValue, Remoteness, Value, ValueBounds};

impl PartialValue {
    /// Returns the whole value with `plies_left` empty cells, if it has a remoteness or is a draw.
    pub fn on_board(self, plies_left: u32) -> Option<Value> {
        let drawn = || (self.outcome == Outcome::Draw).then_some(plies_left as u8).map(Remoteness);
        Some(Value::new(self.outcome, self.remoteness.or_else(drawn)?))
    }
}

impl ValueBounds {
    /// Returns the bounds of a position with this partial value, whose game is not over and lasts
    /// at most `plies_left` plies.
    pub fn on_board(known: PartialValue, plies_left: u32) -> Self {
        assert!(plies_left > 0, "the game is over");
        if let Some(value) = known.on_board(plies_left) {
            return Self::exactly(value);
        }
        let at = |plies: u32| Value::new(known.outcome, Remoteness(plies as u8));
        match known.outcome {
            Outcome::Win => Self { worst: at(plies_left - (plies_left + 1) % 2), best: at(1) },
            _ => Self { worst: at(2), best: at((plies_left - plies_left % 2).max(2)) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_the_extremes_of_what_can_be() {
        for left in 2..=64 {
            let possible = |outcome| {
                let fits = move |r: &u32| match outcome {
                    Outcome::Win => !r.is_multiple_of(2),
                    Outcome::Loss => r.is_multiple_of(2),
                    Outcome::Draw => *r == left,
                };
                let plies = (1..=left).filter(fits);
                plies.map(move |r| Value::new(outcome, Remoteness(r as u8)))
            };
            for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
                let bounds = ValueBounds::on_board(PartialValue::of_outcome(outcome), left);
                let (worst, best) = (possible(outcome).min(), possible(outcome).max());
                assert_eq!((Some(bounds.worst), Some(bounds.best)), (worst, best), "{left}");
            }
        }
        let known = PartialValue::from(Value::new(Outcome::Win, Remoteness(3)));
        assert_eq!(ValueBounds::on_board(known, 9).value(), known.exact());
    }
}
