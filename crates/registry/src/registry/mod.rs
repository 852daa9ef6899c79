//! All games by name, each with the engines that can solve it.
//!
//! The capabilities of a game choose its engine, which is compiled for the game when the game is
//! put into the registry. Callers reach it through [`Position`] and `Solution`, which cost one
//! indirect call a command and none a node.
//!
//! `docs/adding-a-game.md` shows how a program puts a game of its own into a registry; with
//! `everyply::cli::run(&games)` as its `main`, it has the whole command line for it.

#![deny(missing_docs)]

mod ahead;
// The tests of this crate take the few games that they need: each adds a second to the build.
#[cfg(not(test))]
mod all;
mod builtin;
mod counts;
mod course;
mod engine;
mod game_position;
mod info;
mod method;
mod points;
mod position;
mod random_games;
mod ranks;
mod reasons;
mod stored;
mod tiers;
#[cfg(not(test))]
mod workload;

use std::fmt;
use std::sync::Arc;

pub use ahead::{Finding, look_ahead};
#[cfg(not(test))]
pub use all::builtin;
pub use builtin::board;
pub use course::Course;
pub use engine::{Engine, EngineError, EngineLimits, Proved, See};
pub use info::{Capability, GameInfo};
pub use points::Points;
pub use position::{
    Attempt, Branch, Drawing, Facts, Position, PossibleMove, ShownBoard, Solves, State, Successor,
    TextForm, Walks, WayOfKey,
};
pub use random_games::{GameLength, RandomGames};
pub use ranks::{RankedMove, Ranks};
pub use reasons::{Fork, Reasons, Values, WinStep, valued_branches};
#[cfg(not(test))]
pub use workload::WORKLOAD;

use everyply_core::game::{
    Chosen, Key, MoveStyle, Notation, Parameter, ParameterKind, Ranked, Registered, Symmetric,
    Tiered, Unreadable, check_moves,
};
use everyply_core::games::line::{Board, Rules};
use everyply_core::games::table::Table;
use game_position::{GamePosition, Kind};
use method::{Ending, Endless, Numbered, TooWide};

/// The rules of all games, a section each.
const RULES: &str = include_str!("rules.md");

/// A game at its start, or the reason why there is none.
type Start = Result<Box<dyn Position>, Unreadable>;

/// A game of the registry.
#[derive(Clone)]
pub struct Entry {
    /// The word for the game.
    pub name: &'static str,
    /// Other words that people try for it.
    pub aliases: &'static [&'static str],
    /// The game in a few words.
    pub about: &'static str,
    /// The choices between games of this entry.
    pub parameters: &'static [Parameter],
    /// The description of the text of a position.
    pub position_help: &'static str,
    /// The thing that a move chooses, and the way it is written.
    pub move_style: MoveStyle,
    choose: Arc<dyn Fn(&Chosen) -> Start + Send + Sync>,
    of_parameters: Arc<dyn Fn([u8; 3]) -> Start + Send + Sync>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Entry {
    /// Creates the entry of a game that these functions make.
    fn of<R: Registered>(
        choose: impl Fn(&Chosen) -> Start + Send + Sync + 'static,
        of_parameters: impl Fn([u8; 3]) -> Start + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: R::NAME,
            aliases: &[],
            about: R::ABOUT,
            parameters: R::PARAMETERS,
            position_help: R::POSITION_HELP,
            move_style: R::Game::MOVE_STYLE,
            choose: Arc::new(choose),
            of_parameters: Arc::new(of_parameters),
        }
    }

    /// Returns the rules in words, if the game comes with the program.
    pub fn rules(&self) -> Option<&'static str> {
        let (_, after) = RULES.split_once(&format!("\n## {}\n", self.name))?;
        after.split("\n## ").next().map(str::trim_end)
    }

    /// Returns the usual size, if there are boards of several sizes.
    pub fn usual_size(&self) -> Option<(u8, u8)> {
        self.parameters.iter().find_map(Parameter::usual_size)
    }

    /// Reads the choice of a parameter, and adds it to others: 7x6 for a size, true for a rule.
    ///
    /// # Errors
    /// If the text is not a choice: the possible texts.
    pub fn read_choice(
        chosen: &mut Chosen,
        parameter: &Parameter,
        text: &str,
    ) -> Result<(), String> {
        let name = parameter.name.to_owned();
        match parameter.kind {
            ParameterKind::Size(..) => {
                let board = text.parse::<Board>().map_err(|error| error.to_string())?;
                chosen.size = Some((board.width, board.height));
            }
            ParameterKind::Number { least, most, .. } => {
                let number = text.parse().ok().filter(|number| (least..=most).contains(number));
                let possible = || format!("a whole number from {least} to {most}");
                chosen.numbers.push((name, number.ok_or_else(possible)?));
            }
            ParameterKind::Rule => match text {
                "true" => chosen.rules.push(name),
                "false" => {}
                _ => return Err("true or false".to_owned()),
            },
        }
        Ok(())
    }

    /// Returns the game chosen, at its start.
    pub fn choose(&self, chosen: &Chosen) -> Result<Box<dyn Position>, Unreadable> {
        Self::checked((self.choose)(chosen)?)
    }

    /// Returns the position of the chosen text, or the start of the game chosen.
    ///
    /// # Errors
    /// If there is no such game, or the text is no position of it.
    pub fn position(&self, chosen: &Chosen) -> Result<Box<dyn Position>, Unreadable> {
        if let (Some((width, height)), None) = (chosen.size, self.usual_size()) {
            let name = self.name;
            return Err(Unreadable(format!(
                "{width}x{height}: {name} has no boards of several sizes"
            )));
        }
        let start = self.choose(chosen)?;
        match &chosen.position {
            Some(text) => start.read(text),
            None => Ok(start),
        }
    }

    /// Returns the game of a database with these parameters, at its start.
    pub fn of_parameters(&self, parameters: [u8; 3]) -> Result<Box<dyn Position>, Unreadable> {
        Self::checked((self.of_parameters)(parameters)?)
    }

    /// Refuses a game whose sets of moves do not fit a word.
    fn checked(start: Box<dyn Position>) -> Start {
        let info = start.info();
        match &info.move_sets {
            Err(error) => Err(Unreadable(format!("{}: {error}", info.title))),
            Ok(()) => Ok(start),
        }
    }
}

/// Panics in the build for a page, so that the compiler drops the body of a method that no page
/// calls. It cannot drop the method, which is in the vtable of each game.
fn native_only() {
    if cfg!(everyply_page) {
        unreachable!(
            "a page neither counts positions nor solves games into files or for points, nor plays at random"
        );
    }
}

/// Returns a game at its start, with its published counts of positions.
fn start<R, M>(game: R::Game, published_counts: &'static str) -> Start
where
    R: Registered,
    M: Kind<R::Game>,
    GamePosition<R::Game, M>: Solves,
{
    Ok(GamePosition::<R::Game, M>::at_the_start::<R>(game, published_counts))
}

/// Returns a game that is given as a table, at its start.
///
/// # Errors
/// If sets of the game's moves do not fit a word.
pub fn of_table(table: Table) -> Result<Box<dyn Position>, Unreadable> {
    /// Longer play is solved as if it were endless: only best play has to fit.
    const LONGEST: u32 = 63;
    check_moves(&table).map_err(|error| Unreadable(format!("{}: {error}", table.title())))?;
    match table.longest_play() {
        Some(0..=LONGEST) => start::<Table, Ending>(table, ""),
        _ => start::<Table, Endless>(table, ""),
    }
}

/// The games of a program. Adding a game panics if its name has other characters than lower case
/// letters, digits and hyphens.
#[derive(Clone, Debug)]
pub struct Registry {
    entries: Vec<Entry>,
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl Registry {
    /// Creates a registry of the games of stones and lines, which every program has.
    pub fn new() -> Self {
        Self { entries: builtin::entries().into() }
    }

    /// Adds a game that ends whatever the sides do.
    #[must_use]
    pub fn with<R: Registered<Game: Symmetric<Key = Key> + Tiered>>(self) -> Self {
        self.solved_by::<R, Ending>()
    }

    /// Adds a game that ends, with a type of wider keys for its larger boards.
    #[must_use]
    pub fn with_wide<R, Wide>(self) -> Self
    where
        R: Registered<Game: Symmetric<Key = Key> + Tiered>,
        Wide: Registered<Game: Tiered>,
    {
        self.and(Entry::of::<R>(
            |chosen| match R::choose(chosen) {
                Ok(game) => start::<R, Ending>(game, ""),
                Err(_) => start::<Wide, TooWide>(Wide::choose(chosen)?, ""),
            },
            |parameters| match R::of_parameters(parameters) {
                Ok(game) => start::<R, Ending>(game, ""),
                Err(_) => start::<Wide, TooWide>(Wide::of_parameters(parameters)?, ""),
            },
        ))
    }

    /// Adds a game whose positions may repeat.
    #[must_use]
    pub fn with_endless<R: Registered<Game: Symmetric<Key = Key>>>(self) -> Self {
        self.solved_by::<R, Endless>()
    }

    /// Adds a game that numbers its positions, which may repeat.
    #[must_use]
    pub fn with_ranked<R: Registered<Game: Symmetric<Key = Key> + Ranked>>(self) -> Self {
        self.solved_by::<R, Numbered>()
    }

    fn solved_by<R: Registered, M: Kind<R::Game>>(self) -> Self
    where
        GamePosition<R::Game, M>: Solves,
    {
        self.and(Entry::of::<R>(
            |chosen| start::<R, M>(R::choose(chosen)?, ""),
            |parameters| start::<R, M>(R::of_parameters(parameters)?, ""),
        ))
    }

    /// Adds a game given as a table. It has one start, and reads positions as moves.
    #[must_use]
    pub fn with_table(self, table: Table) -> Self {
        let (name, again) = (Table::name(&table), table.clone());
        let entry = Entry::of::<Table>(
            move |_| of_table(table.clone()),
            move |parameters| match again.parameters() == parameters {
                true => of_table(again.clone()),
                false => Err(Unreadable(format!("another game is called '{name}' here"))),
            },
        );
        self.and(Entry { name, ..entry })
    }

    /// Adds an entry, which replaces an entry of its name.
    fn and(mut self, entry: Entry) -> Self {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let is_name = !entry.name.is_empty() && entry.name.chars().all(is_plain);
        assert!(is_name, "a name is lower case letters, digits and hyphens: '{}'", entry.name);
        self.entries.retain(|other| other.name != entry.name);
        self.entries.push(entry);
        self
    }

    /// Returns the games, in the order they were added.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the game of this name, if it is not one of stones and lines.
    pub fn other(&self, name: &str) -> Option<&Entry> {
        self.find(name).filter(|entry| Rules::of(entry.name).is_none())
    }

    /// Returns the game of this name.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// Finds the game that a word means: its name, or another word for it.
    #[must_use]
    pub fn called(&self, word: &str) -> Option<&Entry> {
        let is_alias = |entry: &&Entry| entry.aliases.contains(&word);
        self.find(word).or_else(|| self.entries.iter().find(is_alias))
    }

    /// Returns the games that have a position of this text on their usual board.
    pub fn with_position<'r>(&'r self, text: &'r str) -> impl Iterator<Item = &'r Entry> {
        let chosen = Chosen { position: Some(text.to_owned()), ..Chosen::default() };
        self.entries.iter().filter(move |entry| entry.position(&chosen).is_ok())
    }
}
