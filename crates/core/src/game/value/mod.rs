//! The value of a position: outcome and remoteness, always for the side to move.

mod bounds;
mod partial;
mod position_row;
#[cfg(feature = "serde")]
mod row;

pub use bounds::ValueBounds;
pub use partial::{PartialValue, ValueWithBest, best_of};
pub use position_row::PositionRow;
#[cfg(feature = "serde")]
pub use row::ValueRow;

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

/// The number of moves played since the empty board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ply(pub u8);

impl Ply {
    /// True if the second player is to move: the first moves at plies 0, 2, 4, ...
    pub const fn is_second_players_turn(self) -> bool {
        self.0 % 2 == 1
    }

    /// The ply as an index into a per-ply table.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The result of a game under best play, for the side to move. Ordered by preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The side to move loses.
    Loss,
    /// Neither side wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Outcome {
    /// 1 for a win, 0 for a draw, -1 for a loss: the encoding of the database.
    pub const fn sign(self) -> i8 {
        match self {
            Self::Loss => -1,
            Self::Draw => 0,
            Self::Win => 1,
        }
    }

    /// Writes a sentence about the moves that attain the outcome for a side, of `all` moves: the best, and
    /// the `same`, which only attain the outcome. The two words say that these win `later`, and that the
    /// best lose `last`.
    #[must_use]
    pub fn moves_in_words(
        self,
        side: &str,
        best: &[String],
        (same, [later, last]): (&[String], [&str; 2]),
        all: usize,
    ) -> String {
        let attaining = best.len() + same.len();
        let with = match same.is_empty() && attaining == all && all > 1 {
            true => "every move".to_owned(),
            false => best.join(" or "),
        };
        match self {
            Self::Loss if same.is_empty() => format!("{side} loses with {with}."),
            Self::Loss => format!("{side} loses with every move, {last} with {with}."),
            Self::Draw if attaining == all => format!("{side} draws with {with}."),
            Self::Draw => format!("{side} draws with {with}; every other move loses."),
            Self::Win => {
                let later = match same {
                    [] => String::new(),
                    same => format!(", {later} with {}", same.join(" or ")),
                };
                let others = if attaining < all { "; no other move wins" } else { "" };
                format!("{side} wins with {with}{later}{others}.")
            }
        }
    }

    /// The outcome with this [`sign`](Self::sign); `None` for any other number.
    pub const fn from_sign(sign: i64) -> Option<Self> {
        match sign {
            -1 => Some(Self::Loss),
            0 => Some(Self::Draw),
            1 => Some(Self::Win),
            _ => None,
        }
    }

    /// The outcome with this [`word`](Self::word); `None` for any other text.
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Loss, Self::Draw, Self::Win].into_iter().find(|outcome| outcome.word() == word)
    }

    /// `win`, `draw` or `loss`: the word of every text format.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

impl Neg for Outcome {
    type Output = Self;

    /// The result for the other side.
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// Plies to the end of the game when the winner hurries and the loser delays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Remoteness(pub u8);

impl fmt::Display for Remoteness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Outcome and remoteness of a position, for the side to move.
///
/// Ordered by preference: a quick win, a slow win, a draw (a long one first), a slow loss, a quick loss.
///
/// ```
/// # use everyply_core as everyply;
/// use everyply::game::{Outcome, Remoteness, Value};
/// let mated = Value::new(Outcome::Loss, Remoteness(0));
/// let about_to_win = mated.for_parent();
/// assert_eq!(about_to_win, Value::new(Outcome::Win, Remoteness(1)));
/// assert!(about_to_win > Value::new(Outcome::Win, Remoteness(3)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The result for the side to move.
    pub outcome: Outcome,
    /// Plies until the game ends.
    pub remoteness: Remoteness,
}

impl Value {
    /// The value with this outcome and distance.
    pub const fn new(outcome: Outcome, remoteness: Remoteness) -> Self {
        Self { outcome, remoteness }
    }

    /// The value of a game that is over.
    pub const fn over(outcome: Outcome) -> Self {
        Self::new(outcome, Remoteness(0))
    }

    /// The score on Pons' scale of a position with this number of empty cells: a win counts the
    /// winner's stones that are left at the end plus one, a loss is negative, a draw is 0.
    ///
    /// ```
    /// # use everyply_core as everyply;
    /// use everyply::game::{Outcome, Remoteness, Value};
    /// // The empty board of 7x6: won with the first player's last stone but one.
    /// assert_eq!(Value::new(Outcome::Win, Remoteness(41)).pons_score(42), 1);
    /// ```
    #[inline]
    pub const fn pons_score(self, empties: u32) -> i32 {
        let win = (empties as i32 + 2 - self.remoteness.0 as i32) / 2;
        win * self.outcome.sign() as i32
    }

    /// The value of the move that leads here, for the side that makes it: the outcome turns
    /// round and the end is one ply further away.
    #[must_use]
    pub fn for_parent(self) -> Self {
        Self::new(-self.outcome, Remoteness(self.remoteness.0 + 1))
    }

    /// The value after a best move, for the other side: the inverse of
    /// [`for_parent`](Self::for_parent).
    ///
    /// # Panics
    /// If the game is over.
    #[must_use]
    pub fn after_best_move(self) -> Self {
        let Remoteness(plies) = self.remoteness;
        Self::new(-self.outcome, Remoteness(plies.checked_sub(1).expect("the game goes on")))
    }

    /// The value one ply earlier, for the side to move there: the other side, unless the move
    /// between them keeps the turn.
    #[inline(always)]
    #[must_use]
    pub fn one_ply_earlier(self, keeps_turn: bool) -> Self {
        let outcome = if keeps_turn { self.outcome } else { -self.outcome };
        Self::new(outcome, Remoteness(self.remoteness.0 + 1))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.outcome.cmp(&other.outcome).then_with(|| match self.outcome {
            Outcome::Win => other.remoteness.cmp(&self.remoteness),
            // The longer draw first, as in retrograde analysis. If all draws fill the board, the draws
            // of one position never differ in length.
            Outcome::Draw | Outcome::Loss => self.remoteness.cmp(&other.remoteness),
        })
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.remoteness.0 {
            0 => write!(f, "{}, the game is over", self.outcome),
            1 => write!(f, "{} in 1 ply", self.outcome),
            plies => write!(f, "{} in {plies} plies", self.outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Value> {
        [Outcome::Loss, Outcome::Draw, Outcome::Win]
            .into_iter()
            .flat_map(|o| (0..64).map(move |r| Value::new(o, Remoteness(r))))
            .collect()
    }

    #[test]
    fn the_winner_hurries_and_the_loser_delays() {
        let best_first = [
            Value::new(Outcome::Win, Remoteness(1)),
            Value::new(Outcome::Win, Remoteness(3)),
            Value::new(Outcome::Draw, Remoteness(4)),
            Value::new(Outcome::Loss, Remoteness(4)),
            Value::new(Outcome::Loss, Remoteness(2)),
        ];
        assert!(best_first.is_sorted_by(|a, b| a > b));
    }

    #[test]
    fn a_best_move_leads_where_its_value_comes_from() {
        for value in all().into_iter().filter(|value| value.remoteness.0 < 63) {
            assert_eq!(value.for_parent().after_best_move(), value);
        }
    }

    #[test]
    fn stepping_to_the_parent_reverses_the_preference_between_values_of_one_outcome() {
        for a in all() {
            for b in all().into_iter().filter(|b| b.remoteness.0 < 63) {
                if a.remoteness.0 < 63 && a.outcome != Outcome::Draw && a < b {
                    assert!(a.for_parent() > b.for_parent(), "{a} {b}");
                }
            }
        }
    }
}
