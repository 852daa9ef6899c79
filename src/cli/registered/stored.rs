//! Which game of the registry a database command is about.

use std::path::PathBuf;

use clap::ArgMatches;

use super::{POSITION, given};
use crate::cli::failure::Failure;
use crate::cli::game_filter::{narrow, one_of, rules_of};
use crate::database::{Database, DatabaseError, GameId};
use crate::game::{Chosen, Key, Symmetric};
use crate::games::line::notation::{position_of_moves, position_of_picture};
use crate::games::line::{Board, Rules};
use crate::registry::{Registry, Study};

/// A database, and a game of it at its start.
type Stored = (Database, Box<dyn Study>);

/// A database, and those of its games that fit the options.
fn fitting(matches: &ArgMatches) -> Option<Result<(Database, Vec<GameId>), DatabaseError>> {
    let path = matches.get_one::<PathBuf>("file")?;
    let name = given::<String>(matches, "game");
    let size = given::<Board>(matches, "size");
    let line = given::<u8>(matches, "line");
    let fits = |game: &GameId| {
        name.is_none_or(|name| *name == game.name)
            && size.is_none_or(|s| (s.width, s.height) == (game.size.width, game.size.height))
            && line.is_none_or(|line| *line == game.size.line)
    };
    let opened = Database::open(path).and_then(|database| Ok((database.games()?, database)));
    Some(opened.map(|(games, database)| (database, games.into_iter().filter(fits).collect())))
}

/// The database and the one game of the registry in it that the options, and the position of a
/// query, mean, at its start; `None` if the command is about something else, or it is not clear
/// what about.
pub(super) fn choose(registry: &Registry, matches: &ArgMatches) -> Option<Result<Stored, Failure>> {
    let asked = given::<String>(matches, "game").and_then(|name| registry.find(name));
    let (database, games) = match fitting(matches)? {
        Ok(found) => found,
        Err(error) if asked.is_some() => return Some(Err(Failure::runtime(error))),
        // What cannot be opened is told by the command itself.
        Err(_) => return None,
    };
    let games = match meant(registry, matches, &database, games) {
        Ok(games) => games,
        Err(error) => return Some(Err(Failure::runtime(error))),
    };
    match &games[..] {
        [one] => {
            let start = start(registry, one)?;
            Some(start.map(|start| (database, start)))
        }
        [] => {
            let entry = asked?;
            let path = database.path().display();
            let why = format!("{path} holds no such game ({})", entry.name);
            Some(Err(among_all(&database, &why)))
        }
        several => {
            let any = several.iter().any(|game| registry.find(&game.name).is_some());
            any.then(|| Err(one_of(&database, &games).expect_err("there are several")))
        }
    }
}

/// What a question can be about; without a position, all games it fits.
fn meant(
    registry: &Registry,
    matches: &ArgMatches,
    database: &Database,
    games: Vec<GameId>,
) -> Result<Vec<GameId>, DatabaseError> {
    if matches.try_contains_id(POSITION).is_err() {
        return Ok(games);
    }
    let text = given::<String>(matches, POSITION);
    let picture = given::<String>(matches, "board");
    let key = |id: &GameId| match (rules_of(id), picture) {
        (Ok(game), Some(picture)) => {
            Some(game.canonical(position_of_picture(&game, picture, "").ok()?).0)
        }
        (Ok(game), None) => {
            let moves = text.map_or("", |text| text);
            Some(game.canonical(position_of_moves(&game, moves, "").ok()?).0)
        }
        (Err(_), Some(_)) => None,
        (Err(_), None) => key_of(&*start(registry, id)?.ok()?, text),
    };
    let is_usual = |id: &GameId| match Rules::of(&id.name) {
        Some(rules) => rules.usual() == id.size,
        None => {
            let usual = registry.find(&id.name).map(|entry| entry.choose(&Chosen::default()));
            usual.is_some_and(|usual| usual.is_ok_and(|usual| usual.game_id() == *id))
        }
    };
    narrow(database, games, &key, &is_usual)
}

fn key_of(start: &dyn Study, text: Option<&String>) -> Option<Key> {
    match text {
        Some(text) => Some(start.read(text).ok()?.canonical().0),
        None => Some(start.canonical().0),
    }
}

/// A stored game of the registry at its start; `None` if it is not there.
pub(in crate::cli) fn start(
    registry: &Registry,
    id: &GameId,
) -> Option<Result<Box<dyn Study>, Failure>> {
    let entry = registry.find(&id.name)?;
    let parameters = [id.size.width, id.size.height, id.size.line];
    Some(entry.of_parameters(parameters).map_err(Failure::usage))
}

fn among_all(database: &Database, why: &str) -> Failure {
    let games = match database.games() {
        Ok(games) => games,
        Err(error) => return Failure::runtime(error),
    };
    let list: String = games.iter().map(|game| format!("\n  {game}")).collect();
    Failure::Usage(format!(
        "{why}; choose by --game, --size (the first two numbers) and --line (the third) among{list}"
    ))
}
