//! The options that choose a game of the registry and a position of it.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, FromArgMatches, Id};

use super::failure::{Failure, usage};
use super::options::{PositionOptions, number};
use everyply_core::game::{Chosen, Parameter, ParameterKind};
use everyply_core::games::line::Board;
use everyply_registry::registry::{Course, Entry, Position, Registry, TextForm};

/// The game of a command, and the position to start from.
#[derive(Debug, clap::Args)]
pub(super) struct GameOptions {
    /// The game
    #[arg(id = "game", value_name = "GAME")]
    name: String,
    #[command(flatten)]
    pub position: PositionOptions,
    #[command(flatten)]
    parameters: Parameters,
}

impl GameOptions {
    pub fn position(&self, registry: &Registry) -> Result<Box<dyn Position>, Failure> {
        let entry = registry.find(&self.name).expect("the parser knows the names");
        self.parameters.position(entry, &self.position)
    }

    /// The chosen position, with the moves from the start if the command line has them.
    pub fn course(&self, registry: &Registry) -> Result<Course, Failure> {
        let position = self.position(registry)?;
        let start = position.start();
        let moves = match (&self.position.moves, &self.position.board) {
            (Some(moves), _) => start.parse_line(moves),
            (None, Some(picture)) => start
                .read_as(TextForm::Picture, picture)
                .map(|(_, moves)| moves.unwrap_or_default()),
            (None, None) => Ok(Vec::new()),
        };
        // A position without moves that lead to it is a start of its own.
        let is_there =
            |moves: &Vec<String>| !moves.is_empty() || position.identity() == start.identity();
        let Some(moves) = moves.ok().filter(is_there) else { return Ok(Course::new(position)) };
        let mut course = Course::new(start);
        moves.iter().try_for_each(|m| course.play(m)).map_err(Failure::usage)?;
        Ok(course)
    }
}

/// The parameters of a game on a command line. The registry defines them: see [`with_parameters`].
#[derive(Debug, Default)]
pub(super) struct Parameters {
    chosen: Chosen,
    given: Vec<String>,
}

/// The group of the parameters among the options of a command.
const GROUP: &str = "parameters";

impl clap::Args for Parameters {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for Parameters {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut parameters = Self::default();
        parameters.update_from_arg_matches(matches)?;
        Ok(parameters)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let given = matches.try_get_many::<Id>(GROUP).ok().flatten();
        for name in given.into_iter().flatten().map(Id::as_str) {
            self.given.push(name.to_owned());
            if let Ok(Some(board)) = matches.try_get_one::<Board>(name) {
                self.chosen.size = Some((board.width, board.height));
            } else if let Ok(Some(number)) = matches.try_get_one::<u8>(name) {
                self.chosen.numbers.push((name.to_owned(), *number));
            } else {
                self.chosen.rules.push(name.to_owned());
            }
        }
        Ok(())
    }
}

impl Parameters {
    pub fn are_given(&self) -> bool {
        !self.given.is_empty()
    }

    /// True if a game has these parameters.
    pub fn fit(&self, game: &dyn Position) -> bool {
        game.info().choices.includes(&self.chosen)
    }

    pub fn position(
        &self,
        entry: &Entry,
        position: &PositionOptions,
    ) -> Result<Box<dyn Position>, Failure> {
        let has = |name: &&String| entry.parameters.iter().any(|own| own.name == **name);
        if let Some(other) = self.given.iter().find(|name| !has(name)) {
            return Err(usage!("--{other}: {} has no such option", entry.name));
        }
        let text = position.moves.clone().filter(|moves| !moves.is_empty());
        let chosen = Chosen { position: text, ..self.chosen.clone() };
        let start = entry.choose(&chosen).map_err(|error| {
            let size = chosen.size.map(|(width, height)| format!("--size {width}x{height}: "));
            usage!("{}{error}", size.unwrap_or_default())
        })?;
        position.read(start)
    }
}

pub(super) fn names(registry: &Registry) -> impl TypedValueParser<Value = String> {
    let value =
        |entry: &Entry| PossibleValue::new(entry.name).aliases(entry.aliases).help(entry.about);
    let values: Vec<_> = registry.entries().iter().map(value).collect();
    let games = registry.clone();
    let named = move |word: String| games.called(&word).map_or(word, |game| game.name.into());
    PossibleValuesParser::new(values).map(named)
}

/// Adds the games of a registry to a command that takes a database and the name of one of its games.
pub(super) fn on_a_database(command: Command, registry: &Registry) -> Command {
    let command = command.mut_arg("game", |game| game.value_parser(names(registry)));
    parameters_with(command, registry.entries(), &|name| help(name, registry.entries()))
}

/// Adds the games of a registry to a command that takes any game as its first argument.
pub(super) fn with_a_game(command: Command, registry: &Registry) -> Command {
    // A changed argument moves to the end, so it gets its index again.
    let command = command
        .mut_arg("game", |game| game.value_parser(names(registry)).index(1))
        .mut_arg("moves", |position| position.index(2));
    with_parameters(command, registry.entries())
}

/// Adds the parameters of games, each once, with the usual values.
pub(super) fn with_parameters(command: Command, entries: &[Entry]) -> Command {
    let with_usual = |name: &str| {
        let usual = |entry: &Entry| {
            let parameter = entry.parameters.iter().find(|own| own.name == name)?;
            let value = usual(parameter)?;
            Some(if entries.len() > 1 { format!("{value} for {}", entry.name) } else { value })
        };
        let usual: Vec<String> = entries.iter().filter_map(usual).collect();
        let help = help(name, entries);
        if usual.is_empty() { help } else { format!("{help} [default: {}]", usual.join(", ")) }
    };
    parameters_with(command, entries, &with_usual)
}

/// Adds the parameters of games, each once, with the help that `help` makes of its name.
fn parameters_with(
    mut command: Command,
    entries: &[Entry],
    help: &dyn Fn(&str) -> String,
) -> Command {
    command = command.group(ArgGroup::new(GROUP).multiple(true));
    let all: Vec<&Parameter> = entries.iter().flat_map(|entry| entry.parameters).collect();
    for (i, parameter) in all.iter().enumerate() {
        let name = parameter.name;
        if all[..i].iter().any(|before| before.name == name) {
            continue;
        }
        let arg = Arg::new(name).long(name).help(help(name)).group(GROUP);
        command = command.arg(match parameter.kind {
            ParameterKind::Size(..) => {
                arg.value_name("WxH").value_parser(clap::value_parser!(Board))
            }
            ParameterKind::Number { least, most, .. } => {
                let range = i64::from(least)..=i64::from(most);
                arg.value_name("K").value_parser(number::<u8>(range))
            }
            ParameterKind::Rule => arg.action(ArgAction::SetTrue),
        });
    }
    command
}

/// The help of a parameter; if it differs between games, each text with its games.
fn help(name: &str, entries: &[Entry]) -> String {
    let mut helps: Vec<(&str, Vec<&str>)> = Vec::new();
    for entry in entries {
        let Some(found) = entry.parameters.iter().find(|own| own.name == name) else {
            continue;
        };
        match helps.iter_mut().find(|(help, _)| *help == found.help) {
            Some((_, games)) => games.push(entry.name),
            None => helps.push((found.help, vec![entry.name])),
        }
    }
    if let [(help, _)] = helps[..] {
        return help.to_owned();
    }
    let each = |(help, games): &(&str, Vec<&str>)| format!("{help} ({})", games.join(", "));
    helps.iter().map(each).collect::<Vec<_>>().join(". ")
}

pub(super) fn options_of(chosen: &Chosen) -> String {
    let size = chosen.size.map(|(width, height)| format!(" --size {width}x{height}"));
    let numbers = chosen.numbers.iter().map(|(name, number)| format!(" --{name} {number}"));
    let rules = chosen.rules.iter().map(|rule| format!(" --{rule}"));
    size.into_iter().chain(numbers).chain(rules).collect()
}

fn usual(parameter: &Parameter) -> Option<String> {
    match parameter.kind {
        ParameterKind::Size(width, height) => Some(format!("{width}x{height}")),
        ParameterKind::Number { usual, .. } => Some(usual.to_string()),
        ParameterKind::Rule => None,
    }
}
