//! Values of options, for the library's types with a word for each value.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use everyply_connect_four::formats::{LineFormat, ValueFormat};
use everyply_connect_four::strategy::Side;
use everyply_core::games::line::Rules;
use everyply_core::search::{Evaluation, MoveOrder};
use everyply_results::export::{PositionFormat, Scoring};
use everyply_results::opponent::Level;

/// A type with a word for each value.
pub trait Words: Copy + Send + Sync + 'static {
    /// The values, each with its word and help.
    fn words() -> Vec<(Self, PossibleValue)>;
}

pub(super) fn one_of<T: Words>() -> impl TypedValueParser<Value = T> {
    one_of_those::<T>(|_| true)
}

/// Parses a word of a type into its value, among the values that fit.
pub fn one_of_those<T: Words>(fits: fn(&T) -> bool) -> impl TypedValueParser<Value = T> {
    let words = T::words().into_iter().filter(|(value, _)| fits(value)).map(|(_, word)| word);
    PossibleValuesParser::new(words).map(|read| {
        let value = T::words().into_iter().find(|(_, word)| word.matches(&read, false));
        value.expect("only possible values are read").0
    })
}

/// Lets options take the values of a type by their names, each with its help, if any.
macro_rules! values {
    ($type:ty: $($(#[$when:meta])* $value:ident $($help:literal)?,)*) => {
        impl Words for $type {
            fn words() -> Vec<(Self, PossibleValue)> {
                let word = |value: Self| {
                    let help: Option<&'static str> = match value {
                        $($(#[$when])* Self::$value => [$($help)?].first().copied(),)*
                    };
                    (value, PossibleValue::new(value.name()).help(help))
                };
                Self::ALL.iter().copied().map(word).collect()
            }
        }
    };
}

values! { Level:
    Perfect "A best move, always the same: wins as soon as possible, loses as late",
    Varied "One of the best moves, at random",
    Casual "The best of what it sees four plies ahead, at random among equals",
    Beginner "Wins at once where it can, else stops you from that, else any move at random",
}

values! { Scoring:
    Outcome "1, 0, -1",
    Ten "10, 0, -10",
    TenMinusDepth "±(10 - (r - 1)) for an end r plies away, 0 for a draw: quick wins and slow \
        losses count more. On boards of more than 9 cells the 10 becomes cells + 1, so that no \
        sign is lost",
    InverseDepth "±1/r, 0 for a draw",
}

values! { LineFormat:
    Moves1 "Columns as played, counted from 1: 4453",
    Moves0 "Columns as played, counted from 0: 3342",
    Picture "Rows from the top, separated by /: X (first player), O, and . for empty",
    Uci "A row of UCI's connect-4.data: 42 cells of x, o and b, a1 to a6 first, then the class \
        for the first player if it is known (7x6 only); or with --game ttt of tic-tac-toe.data: 9 \
        cells row by row, then positive if X has won, negative if O or neither side has won",
    Pons "A line of Pons' test sets: columns counted from 1, and the score for the side to move",
    Openspiel "OpenSpiel's board text: rows from the top of x (first player), o and ., each \
        ended by \\n, written as these two characters; six lines a board are read as well",
    Kaggle "A Kaggle ConnectX board: [0,0,1,...] row by row from the top, 1 the first player",
    Key "The key of this program's databases, a decimal number",
}

values! { PositionFormat:
    Csv "A table with a header",
    JsonLines "A JSON object a line",
    #[cfg(feature = "parquet")]
    Parquet "Apache Parquet",
    Uci "UCI's connect-4.data: the 67,557 quiet positions of ply 8 and who wins; for tic-tac-toe, \
        tic-tac-toe.data: the 958 boards at the end of a game, positive if X has won",
    Pons "Pons' test lines: moves and score",
}

values! { ValueFormat:
    Uci "UCI's connect-4.data, or tic-tac-toe.data: positive if X has won, negative if O or neither side has won",
    Pons "Pons' test lines, columns counted from 1",
    BitBully8 "BitBully's book_8ply.dat",
    BitBully12 "BitBully's book_12ply.dat",
    BitBully12Distances "BitBully's book_12ply_distances.dat",
}

values! { Side: First, Second, }

values! { MoveOrder:
    Natural "Ascending",
    Best "The best for the side to move first",
    Worst "The worst for the side to move first",
}

values! { Evaluation:
    Own "The game's own: open lines in games of lines",
    None "Every unfinished position scores 0",
}

impl Words for Rules {
    fn words() -> Vec<(Self, PossibleValue)> {
        let word = |rules: Self| {
            let word = PossibleValue::new(rules.word()).aliases(rules.aliases());
            (rules, word.help(rules.about()))
        };
        Self::ALL.map(word).into()
    }
}
