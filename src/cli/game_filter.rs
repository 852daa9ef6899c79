//! The choice of a game in a database.

use super::game_options::{Parameters, options_of};
use super::prelude::*;

/// The options that choose a game if a database holds several.
#[derive(Debug, clap::Args)]
pub(super) struct GameFilter {
    /// The game, if the database holds several
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    parameters: Parameters,
}

impl GameFilter {
    pub fn fits(&self, game: &GameId, registry: &Registry) -> bool {
        let parameters = &self.parameters;
        self.game.as_ref().is_none_or(|name| *name == game.name)
            && (!parameters.are_given()
                || stored(game, registry).is_ok_and(|start| parameters.fit(&*start)))
    }

    /// The games of a file that fit the options; at least one.
    pub fn fitting(
        &self,
        file: &Path,
        games: &[GameId],
        registry: &Registry,
    ) -> Result<Vec<GameId>, Failure> {
        let file = file.display();
        let fitting = games.iter().filter(|game| self.fits(game, registry));
        let fitting: Vec<GameId> = fitting.cloned().collect();
        match (&fitting[..], games) {
            ([], []) => Err(usage!("{file} holds no game yet: nothing was written to it")),
            ([], [one]) => Err(usage!("{file} holds {one} and nothing else")),
            ([], _) => Err(usage!(
                "{file} holds no such game; choose one of its games, it holds{}",
                list(games, registry)
            )),
            _ => Ok(fitting),
        }
    }

    /// The game of a file that fits the options and, if several do, fits the question best, on its
    /// usual board.
    pub fn choose_for(
        &self,
        file: &Path,
        games: &[GameId],
        registry: &Registry,
        mut fit: impl FnMut(&GameId, &dyn Position) -> Result<Fit, Failure>,
    ) -> Result<(GameId, Box<dyn Position>), Failure> {
        let mut games = self.fitting(file, games, registry)?;
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
            return Err(ambiguous(file, &games, registry));
        };
        Ok((id.clone(), stored(id, registry)?))
    }
}

/// The fit of a game to a question about a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    Not,
    Possible,
    /// The game can be meant, and the database holds the position.
    Held,
}

impl Fit {
    pub const fn of(is_held: bool) -> Self {
        if is_held { Self::Held } else { Self::Possible }
    }
}

/// A line for each game, with the options that choose it.
fn list(games: &[GameId], registry: &Registry) -> String {
    let line = |id: &GameId| {
        let options = stored(id, registry).map(|start| options_of(&start.info().choices));
        format!("\n  {id}: --game {}{}", id.name, options.unwrap_or_default())
    };
    games.iter().map(line).collect()
}

/// The failure of a command that could be about several games of a file.
pub(super) fn ambiguous(file: &Path, games: &[GameId], registry: &Registry) -> Failure {
    usage!(
        "{} holds several games; choose one of its games:{}",
        file.display(),
        list(games, registry)
    )
}

pub(super) fn stored(id: &GameId, registry: &Registry) -> Result<Box<dyn Position>, Failure> {
    let start = registry.start_of(id).ok_or_else(|| unknown(id))?;
    start.map_err(Failure::usage)
}

pub(super) fn is_known(game: &GameId, registry: &Registry) -> bool {
    registry.find(&game.name).is_some()
}

pub(super) fn unknown(game: &GameId) -> Failure {
    usage!(
        "{} is a game that this program does not know: `analyze games` lists those it knows, and \
         the program that wrote it may know more",
        game.name
    )
}
