//! The values that a position can have if a part of its value is known.

use std::cmp::Ordering;

use everyply_core::game::{Outcome, PartialValue, Remoteness, Value};
use everyply_core::statistics::counted;
use everyply_registry::registry::{Facts, State};

#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// An upper bound on the plies to the end, if there is one.
    pub plies_left: Option<u32>,
    /// The plies to a draw, if all draws take equally many.
    pub plies_to_draw: Option<u32>,
    /// True if the sides alternate and no move loses the game.
    pub last_move_wins: bool,
}

/// A value with its distance, or endless play: quick wins rank before slow ones; among draws endless
/// ones first, then long ones; slow losses before quick ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole(pub PartialValue);

impl Ord for Whole {
    fn cmp(&self, other: &Self) -> Ordering {
        let endless_first = || other.0.is_exact().cmp(&self.0.is_exact());
        self.0.preference(other.0).unwrap_or_else(endless_first)
    }
}

impl PartialOrd for Whole {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The values from the worst to the best, both included, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub worst: Whole,
    pub best: Whole,
}

impl Range {
    pub fn value(self) -> Option<PartialValue> {
        (self.worst == self.best).then_some(self.worst.0)
    }
}

impl Ends {
    pub const fn of(position: &Facts, last_move_wins: bool) -> Self {
        let State { plies_left, plies_to_draw, .. } = position.state;
        Self { plies_left, plies_to_draw, last_move_wins }
    }

    /// Returns the values that fit a partial value of a position whose game is not over.
    pub fn range(self, known: PartialValue) -> Range {
        let at = |plies: u32| Whole(Value::new(known.outcome, Remoteness(plies as u8)).into());
        let one = |value| Range { worst: value, best: value };
        if let Some(value) = known.exact() {
            return one(Whole(value.into()));
        }
        let most = self.plies_left.unwrap_or(u8::MAX.into()).clamp(1, u8::MAX.into());
        let step = u32::from(self.last_move_wins);
        match (known.outcome, self.plies_to_draw, self.plies_left) {
            (Outcome::Draw, Some(plies), _) => one(at(plies)),
            (Outcome::Draw, None, None) => one(Whole(PartialValue::ENDLESS)),
            (Outcome::Draw, None, Some(_)) => Range { worst: at(1), best: at(most) },
            // Wins take an odd number of plies, losses an even number.
            (Outcome::Win, ..) => Range { worst: at(most - step * ((most + 1) % 2)), best: at(1) },
            (Outcome::Loss, ..) => {
                Range { worst: at(1 + step), best: at((most - step * (most % 2)).max(1 + step)) }
            }
        }
    }

    /// Returns the reason why a position whose game is not over cannot have a value.
    pub fn refuse(self, value: PartialValue) -> Option<String> {
        let plies = u32::from(value.remoteness?.0);
        let fits = match value.outcome {
            _ if plies == 0 || self.plies_left.is_some_and(|left| plies > left) => false,
            Outcome::Draw => self.plies_to_draw.is_none_or(|needed| needed == plies),
            Outcome::Win => !self.last_move_wins || plies % 2 == 1,
            Outcome::Loss => !self.last_move_wins || plies.is_multiple_of(2),
        };
        (!fits).then(|| match self.plies_left {
            Some(left) => {
                let left = counted(left.into(), "ply");
                format!("no {} can be so far from the end, with at most {left} left", value.outcome)
            }
            None => format!("no {} can be so far from the end", value.outcome),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyply_core::game::ValueBounds;

    #[test]
    fn ranges_are_the_extremes_of_the_values_that_are_not_refused() {
        for (left, last_move_wins, all_draws_alike) in (2..=63)
            .flat_map(|left| [(left, true, true), (left, false, true), (left, false, false)])
        {
            let plies_to_draw = all_draws_alike.then_some(left);
            let ends = Ends { plies_left: Some(left), plies_to_draw, last_move_wins };
            for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
                let known = PartialValue::of_outcome(outcome);
                let all = (0..=64).map(|plies| Value::new(outcome, Remoteness(plies)));
                let fits = all.filter(|value| ends.refuse((*value).into()).is_none());
                let fits: Vec<Value> = fits.collect();
                let range = ends.range(known);
                let extremes = [fits.iter().min(), fits.iter().max()];
                let extremes = extremes.map(|value| Whole((*value.unwrap()).into()));
                assert_eq!([range.worst, range.best], extremes, "{ends:?}, {outcome}");
                if last_move_wins {
                    let bounds = ValueBounds::on_board(known, left);
                    assert_eq!(range.worst, Whole(bounds.worst.into()));
                    assert_eq!(range.best, Whole(bounds.best.into()));
                }
            }
        }
        let endless = Ends { plies_left: None, plies_to_draw: None, last_move_wins: false };
        let drawn = endless.range(PartialValue::of_outcome(Outcome::Draw));
        assert_eq!(drawn.value(), Some(PartialValue::ENDLESS));
    }
}
