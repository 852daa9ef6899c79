//! The choice of a game: on the command line, in an address, from a database.

use std::ops::RangeInclusive;

use super::{Drawn, Evaluate, Key, Notation, Symmetric, Unreadable, Word};

/// A parameter of a game, such as its board size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name, in command lines, forms and addresses.
    pub name: &'static str,
    /// The meaning, for help texts.
    pub help: &'static str,
    /// The values that the parameter can have.
    pub kind: ParameterKind,
}

/// The values that a parameter of a game can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// Columns x rows, with the usual ones.
    Size(u8, u8),
    /// A whole number from `least` to `most`.
    Number {
        /// The usual value.
        usual: u8,
        /// The lowest value.
        least: u8,
        /// The highest value.
        most: u8,
    },
    /// A rule that applies only if it is chosen.
    Rule,
}

impl Parameter {
    /// The parameter `size` of a game with boards of several sizes.
    pub const fn size(width: u8, height: u8) -> Self {
        Self { name: "size", help: "Columns x rows", kind: ParameterKind::Size(width, height) }
    }

    /// A number in a range, with its usual value.
    pub const fn number(
        name: &'static str,
        help: &'static str,
        usual: u8,
        range: RangeInclusive<u8>,
    ) -> Self {
        let (least, most) = (*range.start(), *range.end());
        Self { name, help, kind: ParameterKind::Number { usual, least, most } }
    }

    /// A rule that applies only if it is chosen.
    pub const fn rule(name: &'static str, help: &'static str) -> Self {
        Self { name, help, kind: ParameterKind::Rule }
    }

    /// The usual size; `None` if the parameter is not a size.
    pub const fn usual_size(&self) -> Option<(u8, u8)> {
        match self.kind {
            ParameterKind::Size(width, height) => Some((width, height)),
            _ => None,
        }
    }

    /// True if the parameter is a rule.
    pub const fn is_rule(&self) -> bool {
        matches!(self.kind, ParameterKind::Rule)
    }
}

/// Parameters chosen for a game; the others have their usual values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The size: columns x rows.
    pub size: Option<(u8, u8)>,
    /// Numbers, by the names of their parameters.
    pub numbers: Vec<(String, u8)>,
    /// The rules chosen.
    pub rules: Vec<String>,
    /// The position as text, for a game with a board that follows from it.
    pub position: Option<String>,
}

impl Chosen {
    /// The number chosen for a parameter.
    pub fn number(&self, name: &str) -> Option<u8> {
        self.numbers.iter().find(|(given, _)| given == name).map(|(_, number)| *number)
    }

    /// Encodes the choices as [`Registered::choose`] describes. Beside a size and a number, the rules
    /// take the highest bits of the number.
    pub(crate) fn parameters(&self, all: &[Parameter]) -> [u8; 3] {
        let mut numbers: Vec<u8> = Vec::new();
        let (mut rules, mut bit) = (0, 1);
        for parameter in all {
            match parameter.kind {
                ParameterKind::Size(w, h) => {
                    numbers.extend(<[u8; 2]>::from(self.size.unwrap_or((w, h))));
                }
                ParameterKind::Number { usual, .. } => {
                    numbers.push(self.number(parameter.name).unwrap_or(usual));
                }
                ParameterKind::Rule => {
                    rules += if self.has(parameter.name) { bit } else { 0 };
                    bit *= 2;
                }
            }
        }
        if let [width, height, number] = numbers[..] {
            return [width, height, number | (u16::from(rules) << bits_of_number(all)) as u8];
        }
        let mut numbers = numbers.into_iter().chain([1 + rules]);
        [(); 3].map(|()| numbers.next().unwrap_or(1))
    }

    /// Decodes the choices from [`parameters`](Self::parameters).
    pub(crate) fn of_parameters([first, second, third]: [u8; 3], all: &[Parameter]) -> Self {
        let bits = bits_of_number(all);
        let mut numbers = [first, second, third & u8::MAX >> (u8::BITS - bits)].into_iter();
        let mut next = || numbers.next().unwrap_or(1);
        let mut chosen = Self::default();
        let mut rules = (bits < u8::BITS).then(|| third >> bits);
        for Parameter { name, kind, .. } in all {
            match kind {
                ParameterKind::Size(..) => chosen.size = Some((next(), next())),
                ParameterKind::Number { .. } => chosen.numbers.push(((*name).to_owned(), next())),
                ParameterKind::Rule => {
                    let left = rules.unwrap_or_else(|| next().wrapping_sub(1));
                    chosen.rules.extend((left & 1 == 1).then(|| (*name).to_owned()));
                    rules = Some(left >> 1);
                }
            }
        }
        chosen
    }

    /// True if these choices include all choices of `other`.
    pub fn includes(&self, other: &Self) -> bool {
        (other.size.is_none() || other.size == self.size)
            && other.numbers.iter().all(|given| self.numbers.contains(given))
            && other.rules.iter().all(|rule| self.has(rule))
    }

    /// True if a rule was chosen.
    pub fn has(&self, rule: &str) -> bool {
        self.rules.iter().any(|given| given == rule)
    }
}

/// The number of bits of a game's third parameter below the bits of its rules.
fn bits_of_number(all: &[Parameter]) -> u32 {
    let rules = all.iter().filter(|parameter| parameter.is_rule()).count() as u32;
    let is_full = all.iter().any(|p| matches!(p.kind, ParameterKind::Number { .. }))
        && all.iter().any(|p| p.usual_size().is_some());
    u8::BITS - if is_full { rules } else { 0 }
}

/// A key that is a number: of 64 bits, as databases store it, or wider.
pub trait GameKey: Copy + Eq {
    /// The type of the number.
    type Word: Word;

    /// True if databases store such keys.
    const IS_STORED: bool = Self::Word::BITS <= u64::BITS;

    /// Returns the number.
    fn number(self) -> Self::Word;

    /// Returns the number in the widest word.
    fn widest(self) -> u128 {
        self.number().to_u128()
    }

    /// The key of this number; `None` if it is too large.
    fn of_widest(number: u128) -> Option<Self>;

    /// The key as a database stores it, if [`IS_STORED`](Self::IS_STORED).
    fn stored(self) -> Key {
        Key(self.widest() as u64)
    }
}

impl<W: Word> GameKey for Key<W> {
    type Word = W;

    #[inline(always)]
    fn number(self) -> W {
        self.0
    }

    fn of_widest(number: u128) -> Option<Self> {
        Some(Self(W::narrow(number))).filter(|key| key.widest() == number)
    }
}

/// A game with all that a program needs to search, store and show it.
pub trait Shown: Drawn<Position: 'static> + Symmetric<Key: GameKey> + Evaluate + 'static {}

impl<G: Drawn<Position: 'static> + Symmetric<Key: GameKey> + Evaluate + 'static> Shown for G {}

/// A game that can be put into the registry of a program.
pub trait Registered: 'static {
    /// The type of the game: `Self`, unless several games differ in a few rules alone.
    type Game: Shown;

    /// The word for the game on the command line and in databases: lower case letters, digits
    /// and hyphens.
    const NAME: &'static str;

    /// The game in a few words: for help texts.
    const ABOUT: &'static str;

    /// The description of the [text](Notation::POSITION_HELP) of a position.
    const POSITION_HELP: &'static str = <Self::Game as Notation>::POSITION_HELP;

    /// The parameters, in the order in which [`choose`](Self::choose) takes them.
    const PARAMETERS: &'static [Parameter];

    /// The chosen game. By default its [parameters](Notation::parameters) are the choices in their order:
    /// columns and rows of a size, a number, and for all rules together 1 plus a bit for each rule chosen;
    /// 1 for each parameter that the game does not have.
    ///
    /// # Errors
    /// If there is no such game: the rule, and what is possible.
    fn choose(chosen: &Chosen) -> Result<Self::Game, Unreadable> {
        Self::of_parameters(chosen.parameters(Self::PARAMETERS))
    }

    /// The choices for which [`choose`](Self::choose) returns the game, apart from a position. A game
    /// that overrides `choose` overrides this too.
    fn choices(game: &Self::Game) -> Chosen {
        Chosen::of_parameters(game.parameters(), Self::PARAMETERS)
    }

    /// The name of a game, if games of one type have different names.
    fn name(game: &Self::Game) -> &'static str {
        let _ = game;
        Self::NAME
    }

    /// A game with these [parameters](Notation::parameters) that can read the positions of all such
    /// games.
    ///
    /// # Errors
    /// If there is no such game.
    fn of_parameters(parameters: [u8; 3]) -> Result<Self::Game, Unreadable>;
}
