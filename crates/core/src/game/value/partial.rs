//! Values whose distance may be unknown.

use std::cmp::Ordering;
use std::fmt;

use super::{Outcome, Remoteness, Value};
use crate::game::{Move, MoveSet};

/// An outcome, and the remoteness if it is known; for the side to move. A draw without a remoteness
/// is endless in games whose play may be endless.
///
/// ```
/// # use everyply_core as everyply;
/// use everyply::game::{Outcome, PartialValue, Remoteness, Value};
/// let lost = PartialValue::of_outcome(Outcome::Loss);
/// assert_eq!(lost.for_parent(), PartialValue::of_outcome(Outcome::Win));
/// let won_in_3 = PartialValue::from(Value::new(Outcome::Win, Remoteness(3)));
/// // Which of the two wins is quicker is unknown.
/// assert_eq!(won_in_3.preference(lost.for_parent()), None);
/// assert!(won_in_3.agrees(lost.for_parent()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartialValue {
    /// The result under best play.
    pub outcome: Outcome,
    /// Plies to the end under best play; `None` if only the outcome is known.
    pub remoteness: Option<Remoteness>,
}

/// The value of a position, with its best moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueWithBest {
    /// The value.
    pub value: PartialValue,
    /// All best moves of the canonical position, if known.
    pub best: Option<MoveSet>,
}

impl PartialValue {
    /// A value without its distance.
    pub const fn of_outcome(outcome: Outcome) -> Self {
        Self { outcome, remoteness: None }
    }

    /// The value with its distance; `None` if the distance is unknown.
    pub fn exact(self) -> Option<Value> {
        self.remoteness.map(|remoteness| Value::new(self.outcome, remoteness))
    }

    /// The value of an endless draw, and of a draw whose distance is unknown.
    pub const ENDLESS: Self = Self::of_outcome(Outcome::Draw);

    /// The text of a draw by endless play.
    pub const ENDLESS_TEXT: &str = "draw by endless play";

    /// The value, unless it is a win or a loss of unknown distance.
    pub fn whole(self) -> Option<Self> {
        (self.is_exact() || self.outcome == Outcome::Draw).then_some(self)
    }

    /// True if the distance is known.
    pub const fn is_exact(self) -> bool {
        self.remoteness.is_some()
    }

    /// The value of the move that leads here, for the side that makes it.
    #[must_use]
    pub fn for_parent(self) -> Self {
        self.one_ply_earlier(false)
    }

    /// The value one ply earlier, for the side to move there: the other side, unless the move between
    /// them keeps the turn.
    #[must_use]
    pub fn one_ply_earlier(self, keeps_turn: bool) -> Self {
        match self.exact() {
            Some(value) => value.one_ply_earlier(keeps_turn).into(),
            None => Self::of_outcome(if keeps_turn { self.outcome } else { -self.outcome }),
        }
    }

    /// The value in words, with the side it is for: `win in 17 plies for O`, `draw in 9 plies`.
    pub fn words_for(self, side: impl fmt::Display) -> String {
        match (self.outcome, self.remoteness) {
            (Outcome::Draw, _) => self.to_string(),
            (outcome, Some(Remoteness(0))) => format!("{outcome} for {side}, the game is over"),
            _ => format!("{self} for {side}"),
        }
    }

    /// True if both can be values of one position: their outcomes are equal, and so are their distances
    /// if both are known.
    pub fn agrees(self, other: Self) -> bool {
        self.outcome == other.outcome
            && self.remoteness.zip(other.remoteness).is_none_or(|(a, b)| a == b)
    }

    /// The order of two values for the side to move, the preferred one greater; `None` if it is unknown,
    /// because the outcomes are equal and a distance is missing.
    pub fn preference(self, other: Self) -> Option<Ordering> {
        match (self.exact(), other.exact()) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => Some(self.outcome.cmp(&other.outcome)).filter(|order| order.is_ne()),
        }
    }

    /// The better of two values; only the outcome if their order is unknown.
    #[must_use]
    pub fn better(self, other: Self) -> Self {
        match self.preference(other) {
            Some(Ordering::Less) => other,
            Some(_) => self,
            None => Self::of_outcome(self.outcome),
        }
    }

    /// True if a move of this value attains `best`, the value of its position, both for the side that
    /// makes it: only the outcome if the distance of `best` is unknown.
    pub fn attains(self, best: Self) -> bool {
        match best.remoteness {
            Some(_) => self == best,
            None => self.outcome == best.outcome,
        }
    }
}

/// The value of a position from the values of all its moves, and the moves that attain it; `None`
/// if there is no move.
pub fn best_of(
    moves: impl Iterator<Item = (Move, PartialValue)> + Clone,
) -> Option<(PartialValue, MoveSet)> {
    let best = moves.clone().map(|(_, value)| value).reduce(PartialValue::better)?;
    let attaining = moves.filter(|(_, value)| value.attains(best));
    Some((best, attaining.map(|(m, _)| m).collect()))
}

impl From<Value> for PartialValue {
    fn from(value: Value) -> Self {
        Self { outcome: value.outcome, remoteness: Some(value.remoteness) }
    }
}

impl fmt::Display for PartialValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exact() {
            Some(value) => value.fmt(f),
            None => self.outcome.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(outcome: Outcome, plies: u8) -> PartialValue {
        Value::new(outcome, Remoteness(plies)).into()
    }

    fn all() -> Vec<PartialValue> {
        [Outcome::Loss, Outcome::Draw, Outcome::Win]
            .into_iter()
            .flat_map(|o| (0..9).map(move |r| known(o, r)).chain([PartialValue::of_outcome(o)]))
            .collect()
    }

    #[test]
    fn what_is_preferred_is_so_whatever_the_distances_turn_out_to_be() {
        let values = |p: PartialValue| -> Vec<Value> {
            let every = || (0..9).map(|r| Value::new(p.outcome, Remoteness(r))).collect();
            p.exact().map_or_else(every, |value| vec![value])
        };
        for (a, b) in all().into_iter().flat_map(|a| all().into_iter().map(move |b| (a, b))) {
            let mut orders: Vec<Ordering> = Vec::new();
            for x in values(a) {
                orders.extend(values(b).iter().map(|y| x.cmp(y)));
            }
            orders.sort_unstable();
            orders.dedup();
            let only = (orders.len() == 1).then(|| orders[0]);
            assert_eq!(a.preference(b), only, "{a} and {b}");
            // The better of the two is all that holds of every better one.
            let better = a.better(b);
            for x in values(a) {
                assert!(values(b).iter().all(|y| better.agrees(x.max(*y).into())), "{a}, {b}");
            }
            assert_eq!(better, b.better(a));
        }
    }

    #[test]
    fn the_distance_hangs_on_every_move_that_attains_the_outcome() {
        let moves = |values: &[PartialValue]| -> Option<(PartialValue, MoveSet)> {
            best_of(values.iter().enumerate().map(|(i, value)| (Move(i as u8), *value)))
        };
        let bare = PartialValue::of_outcome;
        let won = [known(Outcome::Win, 5), known(Outcome::Win, 3), bare(Outcome::Loss)];
        assert_eq!(moves(&won), Some((won[1], MoveSet(0b010))));
        let some = [known(Outcome::Win, 5), bare(Outcome::Win), known(Outcome::Draw, 9)];
        assert_eq!(moves(&some), Some((bare(Outcome::Win), MoveSet(0b011))));
        let lost = [known(Outcome::Loss, 2), known(Outcome::Loss, 8), known(Outcome::Loss, 8)];
        assert_eq!(moves(&lost), Some((lost[1], MoveSet(0b110))));
        assert_eq!(moves(&[]), None);
    }

    #[test]
    fn endless_play_ranks_between_a_draw_that_ends_and_a_win() {
        let best_first = [
            known(Outcome::Win, 1),
            known(Outcome::Win, 8),
            PartialValue::ENDLESS,
            known(Outcome::Draw, 8),
            known(Outcome::Loss, 8),
        ];
        for (i, a) in best_first.iter().enumerate() {
            assert!(best_first[i..].iter().all(|b| a.better(*b) == *a), "{a}");
        }
    }

    #[test]
    fn stepping_to_the_parent_keeps_what_is_not_known() {
        assert_eq!(known(Outcome::Loss, 2).for_parent(), known(Outcome::Win, 3));
        let drawn = PartialValue::of_outcome(Outcome::Draw);
        assert_eq!(drawn.for_parent(), drawn);
    }
}
