//! Counters and per-ply tables: one definition, used by every engine, the database and all
//! outputs.

use std::fmt;
use std::iter::Sum;
use std::ops::Neg;
use std::time::Duration;

use crate::game::{Move, Outcome, PartialValue, Ply, Remoteness, Value};

/// Defines a struct of counts and everything that lists its columns, from one list of columns.
macro_rules! counts {
    (
        $(#[$of_struct:meta])* struct $name:ident of $number:ty,
        $(at $(#[$of_place:meta])* $place:ident: $kind:ty,)?
        counts: $($(#[$doc:meta])* $count:ident,)*
    ) => {
        $(#[$of_struct])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
        pub struct $name {
            $($(#[$of_place])* pub $place: $kind,)?
            $($(#[$doc])* pub $count: $number,)*
        }

        impl $name {
            /// The names of the [counts](Self::counts) in every table, file and database.
            pub const NAMES: [&'static str; [$(stringify!($count)),*].len()] =
                [$(stringify!($count)),*];

            /// The counts in the order of their [names](Self::NAMES).
            pub const fn counts(&self) -> [$number; Self::NAMES.len()] {
                [$(self.$count),*]
            }

            /// The row with these counts, in the order of their [names](Self::NAMES).
            pub const fn new($($place: $kind,)? counts: [$number; Self::NAMES.len()]) -> Self {
                let [$($count),*] = counts;
                Self { $($place,)? $($count),* }
            }
        }
    };
}

counts! {
    /// The counts of one ply of a tree. `None` is a count that the run did not find; 0 is never
    /// "unknown".
    struct PlyCounts of Option<u64>,
    at
    /// The number of moves played since the empty board.
    #[cfg_attr(feature = "serde", serde(serialize_with = "as_number"))]
    #[cfg_attr(feature = "serde", schemars(with = "u8"))]
    ply: Ply,
    counts:
    /// Histories of this length from the root: perft.
    nodes,
    /// Histories that end the game at this ply.
    games,
    /// Distinct reachable boards.
    positions,
    /// Distinct reachable boards up to symmetry.
    canonical,
    /// Distinct reachable boards on which the game is over.
    terminal,
    /// Positions won for the side to move.
    wins,
    /// Drawn positions.
    draws,
    /// Positions lost for the side to move.
    losses,
}

#[cfg(feature = "serde")]
fn as_number<S: serde::Serializer>(ply: &Ply, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(ply.0)
}

counts! {
    /// Counts of the work of a search, not results: they may depend on the number of threads.
    struct SearchCounters of u64,
    counts:
    /// Positions visited, the root, finished games and the horizon included.
    nodes,
    /// Positions evaluated at the horizon.
    leaf_evaluations,
    /// Look-ups in the transposition table.
    table_probes,
    /// Look-ups that found the position.
    table_hits,
    /// Entries written to the table.
    table_stores,
    /// Stores that overwrote the entry of another position.
    table_replacements,
    /// Nodes left early because a move reached β.
    cutoffs,
    /// Cutoffs by the first move tried: the closer to all cutoffs, the better the move order.
    first_move_cutoffs,
}

impl SearchCounters {
    /// Adds the counts between two states of other counters.
    pub fn add_difference(&mut self, after: &Self, before: &Self) {
        let mut sums = self.counts();
        for ((sum, after), before) in sums.iter_mut().zip(after.counts()).zip(before.counts()) {
            *sum += after - before;
        }
        *self = Self::new(sums);
    }
}

/// The work of one thread in a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadWork {
    pub nodes: u64,
    /// Nodes of the last iteration.
    pub last_nodes: u64,
    /// Moves deferred because another thread was searching them.
    pub deferrals: u64,
    /// The time in which the thread searched.
    pub busy: Duration,
}

impl ThreadWork {
    pub(crate) fn add(&mut self, more: &Self) {
        self.nodes += more.nodes;
        self.last_nodes = more.last_nodes;
        self.deferrals += more.deferrals;
        self.busy += more.busy;
    }
}

impl Sum for SearchCounters {
    fn sum<I: Iterator<Item = Self>>(counters: I) -> Self {
        let mut sums = Self::default().counts();
        for more in counters {
            sums.iter_mut().zip(more.counts()).for_each(|(sum, more)| *sum += more);
        }
        Self::new(sums)
    }
}

/// The score of a depth-limited search for the side to move, in hundredths of the evaluation's
/// unit, so that it is exact. A proven win in r plies is 1,000,000 - r units, a proven loss the
/// negative, a draw 0. Text has a proven result in words; tables and JSON have no score for it.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

/// The score of a win in no plies: more than any evaluation.
const WON: i32 = 100_000_000;

impl Score {
    pub fn of_value(value: Value) -> Self {
        let win = WON - 100 * i32::from(value.remoteness.0);
        match value.outcome {
            Outcome::Win => Self(win),
            Outcome::Draw => Self(0),
            Outcome::Loss => Self(-win),
        }
    }

    /// The win or loss that the score proves, with the plies to its end.
    pub fn value(self) -> Option<Value> {
        let plies = (WON - self.0.abs()) / 100;
        let outcome = if self.0 > 0 { Outcome::Win } else { Outcome::Loss };
        let remoteness = u8::try_from(plies).ok().map(Remoteness)?;
        Some(Value::new(outcome, remoteness))
    }

    /// The points of an evaluation; `None` for a proven win or loss.
    pub fn points(self) -> Option<f64> {
        self.value().is_none().then(|| self.as_f64())
    }

    /// The score as a decimal with two places, exactly.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    pub fn from_f64(decimal: f64) -> Self {
        Self((decimal * 100.0).round() as i32)
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(value) = self.value() {
            return f.pad(&value.to_string());
        }
        let sign = if self.0 < 0 { "-" } else { "" };
        let hundredths = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Score {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.points().serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Score {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Self::from_f64)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Plies searched below the root.
    pub depth: u32,
    /// The root's score at this depth, for the side to move.
    pub score: Score,
    /// The work of this iteration alone.
    pub counters: SearchCounters,
    /// The time of this iteration alone.
    pub elapsed: Duration,
    /// The threads that searched it.
    pub threads: usize,
    /// The principal variation at this depth, until the table has no entry; of several best moves, any.
    pub line: Vec<Move>,
}

/// The result of a search for one move of its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    pub m: Move,
    /// The proven value of the move for the side that plays it, counted from the root.
    pub value: Option<PartialValue>,
    /// The exact score of the move for the side that plays it; `None` if the search only proved
    /// that another move is better.
    pub score: Option<Score>,
    /// Nodes spent on the move in all iterations.
    pub nodes: u64,
}

pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a number with its noun, given in the singular: `1 node`, `2,000 nodes`, `2 plies`.
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { thing.to_owned() } else { plural(thing) })
}

fn plural(thing: &str) -> String {
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| thing.ends_with(end));
    match thing.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if hisses => format!("{thing}es"),
        _ => format!("{thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn one_thing_has_no_plural() {
        let texts = [0, 1, 1000].map(|number| counted(number, "node"));
        assert_eq!(texts, ["0 nodes", "1 node", "1,000 nodes"]);
        let texts = ["ply", "play", "history", "branch", "position"].map(|thing| counted(2, thing));
        assert_eq!(texts, ["2 plies", "2 plays", "2 histories", "2 branches", "2 positions"]);
        assert_eq!(counted(1, "ply"), "1 ply");
    }

    #[test]
    fn scores_are_exact_decimals() {
        for (hundredths, text) in [(0, "0.00"), (1584, "15.84"), (-5, "-0.05"), (-12345, "-123.45")]
        {
            assert_eq!(Score(hundredths).to_string(), text);
            assert_eq!(format!("{:?}", Score(hundredths)), text);
            assert_eq!(Score::from_f64(Score(hundredths).as_f64()), Score(hundredths));
        }
        let win = Score::of_value(Value::new(Outcome::Win, Remoteness(7)));
        assert_eq!(
            (win.to_string(), (-win).to_string()),
            ("win in 7 plies".into(), "loss in 7 plies".into())
        );
        assert_eq!((win.points(), Score(-5).points()), (None, Some(-0.05)));
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(549_946), "549,946");
        assert_eq!(grouped(1_844_590_828), "1,844,590,828");
    }
}
