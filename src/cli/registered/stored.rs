//! Which game of the registry a database command is about.

use std::path::PathBuf;

use clap::ArgMatches;

use super::given;
use crate::cli::failure::Failure;
use crate::database::{Database, GameId};
use crate::games::line::Board;
use crate::registry::{Registry, Study};

/// A database, and a game of it at its start.
type Stored = (Database, Box<dyn Study>);

/// The database and the one game of the registry in it that fits the options, at its start;
/// `None` if the command is about something else, or it is not clear what about.
pub(super) fn choose(registry: &Registry, matches: &ArgMatches) -> Option<Result<Stored, Failure>> {
    let path = matches.get_one::<PathBuf>("file")?;
    let name = given::<String>(matches, "game");
    let asked = name.and_then(|name| registry.find(name));
    // What cannot be opened is told by the command itself.
    let games = Database::open(path).and_then(|database| Ok((database.games()?, database)));
    let (games, database) = match (games, asked) {
        (Ok(found), _) => found,
        (Err(error), Some(_)) => return Some(Err(Failure::runtime(error))),
        (Err(_), None) => return None,
    };
    let size = given::<Board>(matches, "size");
    let line = given::<u8>(matches, "line");
    let fits = |game: &&GameId| {
        name.is_none_or(|name| *name == game.name)
            && size.is_none_or(|s| (s.width, s.height) == (game.size.width, game.size.height))
            && line.is_none_or(|line| *line == game.size.line)
    };
    let fitting: Vec<&GameId> = games.iter().filter(fits).collect();
    match (&fitting[..], asked) {
        ([one], _) => {
            let entry = registry.find(&one.name)?;
            let parameters = [one.size.width, one.size.height, one.size.line];
            let start = entry.of_parameters(parameters).map_err(Failure::usage);
            Some(start.map(|start| (database, start)))
        }
        (_, None) => None,
        (several, Some(entry)) => {
            let list: String = games.iter().map(|game| format!("\n  {}", words(game))).collect();
            let what =
                if several.is_empty() { "no such game" } else { "several games of that name" };
            Some(Err(Failure::Usage(format!(
                "{} holds {what} ({}); choose by --game, --size (the first two numbers) and \
                 --line (the third) among{list}",
                database.path().display(),
                entry.name
            ))))
        }
    }
}

fn words(game: &GameId) -> String {
    let size = game.size;
    format!("{} {}x{}, {}", game.name, size.width, size.height, size.line)
}
