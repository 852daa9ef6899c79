//! Options that several commands share, and how they become a game and a position.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;

use super::failure::Failure;
use crate::game::notation::{parse_moves, parse_picture};
use crate::game::{Board, ConnectFour, Game, Mnk, Size, Standard, Stones, TicTacToe};

/// A number of threads from 1 to 1024.
fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=1024)
}

/// How to run, and how to say it.
#[derive(Debug, clap::Args)]
pub(super) struct Running {
    /// Worker threads [default: all]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<usize>,
    /// Write one JSON document to stdout, and nothing else
    #[arg(long)]
    pub json: bool,
    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// Where results are kept.
#[derive(Debug, clap::Args)]
pub(super) struct Keeping {
    /// Solved-position database to write to; made if it is not there
    #[arg(long, value_name = "FILE", default_value = "everyply.db", conflicts_with = "no_db")]
    pub db: PathBuf,
    /// Write no database
    #[arg(long)]
    pub no_db: bool,
    /// Write CSV files into this directory; made if it is not there
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
}

impl Keeping {
    pub fn database(&self) -> Option<&PathBuf> {
        (!self.no_db).then_some(&self.db)
    }
}

/// The board.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct BoardOptions {
    /// Columns x rows [default: 3x3 for ttt, 7x6 for connect4]
    #[arg(long, value_name = "WxH")]
    pub size: Option<Board>,
    /// How many in a row win [default: 3 for ttt, 4 for connect4]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub line: Option<u8>,
}

/// The position to start from.
#[derive(Debug, clap::Args)]
pub(super) struct PositionOptions {
    /// Moves played, counted from 1: columns (4453) or cells row by row from the top left
    /// (159); separated by commas on boards with more than nine [default: the empty board]
    #[arg(value_name = "POSITION", conflicts_with = "board")]
    pub moves: Option<String>,
    /// The position as a picture: X (moves first), O and . for empty, rows separated by /,
    /// top row first
    #[arg(long, value_name = "PICTURE")]
    pub board: Option<String>,
}

impl PositionOptions {
    /// The position asked for.
    pub fn position<G: Game>(&self, game: &G) -> Result<Stones, Failure> {
        match (&self.moves, &self.board) {
            (Some(moves), _) if moves.is_empty() => {
                Err(Failure::usage("POSITION is empty: leave it out for the empty board"))
            }
            (Some(moves), _) => parse_moves(game, moves)
                .map_err(|error| Failure::Usage(format!("POSITION '{}': {error}", shown(moves)))),
            (None, Some(picture)) => parse_picture(game, picture)
                .map_err(|error| Failure::Usage(format!("--board '{}': {error}", shown(picture)))),
            (None, None) => Ok(game.initial()),
        }
    }
}

/// The beginning of an argument that may be of any length.
fn shown(text: &str) -> String {
    const MOST: usize = 80;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}

/// The games of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum GameName {
    /// Tic-tac-toe and other m,n,k boards
    Ttt,
    /// Connect Four
    Connect4,
}

impl GameName {
    const ALL: [Self; 2] = [Self::Ttt, Self::Connect4];

    /// The word for the game in databases: [`Game::name`].
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ttt => "ttt",
            Self::Connect4 => "connect4",
        }
    }

    /// The game with this word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| name.word() == word)
    }
}

/// A game on a board. Common boards have their own type, so that engines are compiled for them
/// with all masks known.
#[derive(Clone, Copy, Debug)]
pub(super) enum AnyGame {
    TicTacToe(TicTacToe),
    Mnk(Mnk),
    Standard(Standard),
    ConnectFour(ConnectFour),
}

/// Runs an expression with the game in an [`AnyGame`], compiled for each of them.
macro_rules! with_game {
    ($any:expr, $game:ident => $body:expr) => {
        match $any {
            $crate::cli::options::AnyGame::TicTacToe($game) => $body,
            $crate::cli::options::AnyGame::Mnk($game) => $body,
            $crate::cli::options::AnyGame::Standard($game) => $body,
            $crate::cli::options::AnyGame::ConnectFour($game) => $body,
        }
    };
}
pub(super) use with_game;

impl BoardOptions {
    /// The game on the board asked for.
    pub fn game(&self, name: GameName) -> Result<AnyGame, Failure> {
        let (board, line) = match name {
            GameName::Ttt => (Board { width: 3, height: 3 }, 3),
            GameName::Connect4 => (Board { width: 7, height: 6 }, 4),
        };
        let board = self.size.unwrap_or(board);
        let size = Size::new(board.width, board.height, self.line.unwrap_or(line));
        let size = size.map_err(Failure::usage)?;
        let refused = |error| Failure::Usage(format!("--size {}: {error}", size.board()));
        Ok(match (name, size) {
            (GameName::Ttt, Size { width: 3, height: 3, line: 3 }) => {
                AnyGame::TicTacToe(TicTacToe::fixed())
            }
            (GameName::Ttt, _) => AnyGame::Mnk(Mnk::new(size).map_err(refused)?),
            (GameName::Connect4, Size { width: 7, height: 6, line: 4 }) => {
                AnyGame::Standard(Standard::fixed())
            }
            (GameName::Connect4, _) => {
                AnyGame::ConnectFour(ConnectFour::new(size).map_err(refused)?)
            }
        })
    }
}
