//! The game filter: which of the games in a database a command is about.

use std::path::Path;

use super::failure::Failure;
use super::options::BoardOptions;
use crate::database::Database;
use crate::game::GameId;
use crate::games::line::Board;
use crate::registry::{Registry, Study};

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
    /// True if any of the options is given.
    pub fn is_given(&self) -> bool {
        self.game.is_some() || self.board.size.is_some() || self.board.line.is_some()
    }

    /// True if a game fits the options.
    pub fn fits(&self, game: &GameId) -> bool {
        let [width, height, line] = game.parameters;
        let board = Board { width, height };
        self.game.as_ref().is_none_or(|name| *name == game.name)
            && self.board.size.is_none_or(|wanted| wanted == board)
            && self.board.line.is_none_or(|wanted| wanted == line)
    }

    /// The games of the database that fit the options; at least one.
    pub fn all(&self, database: &Database) -> Result<Vec<GameId>, Failure> {
        let games = database.games().map_err(Failure::runtime)?;
        self.fitting(database.path(), &games)
    }

    /// The games of a file that fit the options; at least one.
    fn fitting(&self, file: &Path, games: &[GameId]) -> Result<Vec<GameId>, Failure> {
        let file = file.display();
        let fitting: Vec<GameId> = games.iter().filter(|game| self.fits(game)).cloned().collect();
        match (&fitting[..], games) {
            ([], []) => {
                Err(Failure::Usage(format!("{file} holds no game yet: nothing was written to it")))
            }
            ([], [one]) => Err(Failure::Usage(format!("{file} holds {one} and nothing else"))),
            ([], _) => Err(Failure::Usage(format!(
                "{file} holds no such game; choose one of its games, it holds{}",
                list(games)
            ))),
            _ => Ok(fitting),
        }
    }

    /// The one game of the database that fits the options.
    pub fn choose(&self, database: &Database) -> Result<GameId, Failure> {
        match &self.all(database)?[..] {
            [one] => Ok(one.clone()),
            several => Err(ambiguous(database.path(), several)),
        }
    }

    /// The one game of a file that fits the options and, if several do, fits the question best; of
    /// one game's boards the usual one.
    pub fn choose_for(
        &self,
        file: &Path,
        games: &[GameId],
        registry: &Registry,
        mut fit: impl FnMut(&GameId, &dyn Study) -> Result<Fit, Failure>,
    ) -> Result<(GameId, Box<dyn Study>), Failure> {
        let mut games = self.fitting(file, games)?;
        if games.len() > 1 {
            let fits = games.iter().map(|id| match stored(id, registry) {
                Ok(game) => fit(id, game.as_ref()),
                Err(_) => Ok(Fit::Not),
            });
            let fits = fits.collect::<Result<Vec<Fit>, Failure>>()?;
            let best = fits.iter().copied().max();
            let mut fits = fits.into_iter();
            games.retain(|_| fits.next() == best);
        }
        let Some(id) = registry.meant(&games) else {
            return Err(ambiguous(file, &games));
        };
        Ok((id.clone(), stored(id, registry)?))
    }
}

/// The fit of a game to a question about a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// The game cannot be meant.
    Not,
    /// The game can be meant.
    Possible,
    /// The game can be meant, and the database holds the position.
    Held,
}

impl Fit {
    /// The fit of a game that can be meant.
    pub const fn of(is_held: bool) -> Self {
        if is_held { Self::Held } else { Self::Possible }
    }
}

fn list(games: &[GameId]) -> String {
    games.iter().map(|game| format!("\n  {game}")).collect()
}

/// The failure of a command that could be about several games of a file.
fn ambiguous(file: &Path, games: &[GameId]) -> Failure {
    Failure::Usage(format!(
        "{} holds several games; choose one of its games by --game, --size and --line:{}",
        file.display(),
        list(games)
    ))
}

/// A stored game at its start.
pub(super) fn stored(id: &GameId, registry: &Registry) -> Result<Box<dyn Study>, Failure> {
    let start = registry.start_of(id).ok_or_else(|| unknown(id))?;
    start.map_err(Failure::usage)
}

/// True if a stored game is one that the program has.
pub(super) fn is_known(game: &GameId, registry: &Registry) -> bool {
    registry.find(&game.name).is_some()
}

/// The failure of a stored game that the program does not have.
pub(super) fn unknown(game: &GameId) -> Failure {
    Failure::Usage(format!(
        "{} is a game that this program does not know: `analyze games` lists those it knows, and \
         the program that wrote it may know more",
        game.name
    ))
}
