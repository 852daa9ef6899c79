//! The game filter: which of the games in a database a command is about.

use super::failure::Failure;
use super::options::{AnyGame, BoardOptions, PositionOptions};
use crate::database::{Database, DatabaseError, GameId};
use crate::game::{Key, Symmetric};
use crate::games::line::{Board, Rules};
use crate::registry::Registry;

/// The filter that chooses a game where a database holds several.
#[derive(Debug, clap::Args)]
pub(super) struct GameFilter {
    /// The game, where the database holds several
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    board: BoardOptions,
}

impl GameFilter {
    /// True if any of the options is there.
    pub fn is_given(&self) -> bool {
        self.game.is_some() || self.board.size.is_some() || self.board.line.is_some()
    }

    /// True if a game is what the options say.
    pub fn fits(&self, game: &GameId) -> bool {
        let size = game.size;
        let board = Board { width: size.width, height: size.height };
        self.game.as_ref().is_none_or(|name| *name == game.name)
            && self.board.size.is_none_or(|wanted| wanted == board)
            && self.board.line.is_none_or(|line| line == size.line)
    }

    /// The games of the database that fit the options; at least one.
    pub fn all(&self, database: &Database) -> Result<Vec<GameId>, Failure> {
        let games = database.games().map_err(Failure::runtime)?;
        let path = database.path().display();
        let fitting: Vec<GameId> = games.iter().filter(|game| self.fits(game)).cloned().collect();
        match &fitting[..] {
            [] if games.is_empty() => {
                Err(Failure::Usage(format!("{path} holds no game yet: nothing was written to it")))
            }
            [] => Err(Failure::Usage(format!(
                "{path} holds no such game; choose one of its games, it holds{}",
                list(&games)
            ))),
            _ => Ok(fitting),
        }
    }

    /// The one game of the database that fits the options.
    pub fn choose(&self, database: &Database) -> Result<GameId, Failure> {
        one_of(database, &self.all(database)?)
    }

    /// The one game of the database that fits the options and a position.
    pub fn choose_for(
        &self,
        position: &PositionOptions,
        database: &Database,
    ) -> Result<GameId, Failure> {
        let key = |id: &GameId| {
            let game = rules_of(id).ok()?;
            Some(game.canonical(position.position(&game).ok()?).0)
        };
        let is_usual = |id: &GameId| Rules::of(&id.name).is_some_and(|r| r.usual() == id.size);
        let fitting = narrow(database, self.all(database)?, &key, &is_usual);
        one_of(database, &fitting.map_err(Failure::runtime)?)
    }
}

fn list(games: &[GameId]) -> String {
    games.iter().map(|game| format!("\n  {game}")).collect()
}

/// The only one of the games of a database that a command can be about.
pub(super) fn one_of(database: &Database, games: &[GameId]) -> Result<GameId, Failure> {
    match games {
        [game] => Ok(game.clone()),
        several => Err(Failure::Usage(format!(
            "{} holds several games; choose one of its games by --game, --size and --line:{}",
            database.path().display(),
            list(several)
        ))),
    }
}

/// Of several games those that a question about a position can mean: those that have such a
/// position, `key` its canonical key; of these those of which the database holds it; and if that
/// leaves several, the one of the usual size.
pub(super) fn narrow(
    database: &Database,
    games: Vec<GameId>,
    key: &dyn Fn(&GameId) -> Option<Key>,
    is_usual: &dyn Fn(&GameId) -> bool,
) -> Result<Vec<GameId>, DatabaseError> {
    if games.len() < 2 {
        return Ok(games);
    }
    let (mut possible, mut holding) = (Vec::new(), Vec::new());
    for game in &games {
        let Some(key) = key(game) else { continue };
        possible.push(game.clone());
        if database.lookup(game)?.position(key)?.is_some() {
            holding.push(game.clone());
        }
    }
    let left = [holding, possible, games].into_iter().find(|some| !some.is_empty());
    let left = left.unwrap_or_default();
    let usual: Vec<GameId> = left.iter().filter(|game| is_usual(game)).cloned().collect();
    Ok(if left.len() > 1 && usual.len() == 1 { usual } else { left })
}

/// The rules of a stored game.
pub(super) fn rules_of(game: &GameId) -> Result<AnyGame, Failure> {
    let name = Rules::of(&game.name).ok_or_else(|| unknown(game))?;
    let size = game.size;
    let board = Board { width: size.width, height: size.height };
    BoardOptions { size: Some(board), line: Some(size.line) }.game(name)
}

/// True if a stored game is one that the program has.
pub(super) fn is_known(game: &GameId, registry: &Registry) -> bool {
    Rules::of(&game.name).is_some() || registry.find(&game.name).is_some()
}

/// What is said of a stored game that the program does not have.
pub(super) fn unknown(game: &GameId) -> Failure {
    Failure::Usage(format!(
        "{} is a game that this program does not know: `analyze games` lists those it knows, and \
         the program that wrote it may know more",
        game.name
    ))
}
