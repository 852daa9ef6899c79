//! The game filter: which of the games in a database a command is about.

use super::failure::Failure;
use super::options::{AnyGame, BoardOptions};
use crate::database::{Database, GameId};
use crate::games::line::{Board, Rules};
use crate::registry::Registry;

/// The filter that chooses a game where a database holds several.
#[derive(Debug, clap::Args)]
pub(super) struct GameFilter {
    /// The game, where the database holds several
    #[arg(long, value_enum, value_name = "GAME")]
    game: Option<Rules>,
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
        self.game.is_none_or(|name| name.word() == game.name)
            && self.board.size.is_none_or(|wanted| wanted == board)
            && self.board.line.is_none_or(|line| line == size.line)
    }

    /// The one game of the database that fits the options.
    pub fn choose(&self, database: &Database) -> Result<GameId, Failure> {
        let games = database.games().map_err(Failure::runtime)?;
        let list =
            |games: &[GameId]| games.iter().map(|game| format!("\n  {game}")).collect::<String>();
        let path = database.path().display();
        let fitting: Vec<GameId> = games.iter().filter(|game| self.fits(game)).cloned().collect();
        match &fitting[..] {
            [game] => Ok(game.clone()),
            [] if games.is_empty() => {
                Err(Failure::Usage(format!("{path} holds no game yet: nothing was written to it")))
            }
            [] => Err(Failure::Usage(format!(
                "{path} holds no such game; choose one of its games, it holds{}",
                list(&games)
            ))),
            several => Err(Failure::Usage(format!(
                "{path} holds several games; choose one of its games by --game, --size and --line:{}",
                list(several)
            ))),
        }
    }
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
