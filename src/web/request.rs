//! Queries of requests.

use crate::connect_four::solver::Solver;
use crate::game::Move;
use crate::games::line::notation::{given_moves, given_picture};
use crate::games::line::{AnyGame, Board, Rules, Size, SizeError, Stones, Wide};
use crate::oracle::Valued;

/// An error in the input, in the words of the command line except for names of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRequest(pub String);

/// A board of lines of any size.
#[derive(Clone, Copy, Debug)]
pub enum AnyBoard {
    /// Of 64 bits.
    Narrow(AnyGame),
    /// Connect Four of up to 128.
    Wide(Wide),
}

/// Runs an expression with the game of an [`AnyBoard`], compiled for both words.
macro_rules! with_board {
    ($board:expr, $game:ident => $body:expr) => {
        match $board {
            $crate::web::request::AnyBoard::Narrow($game) => $body,
            $crate::web::request::AnyBoard::Wide($game) => $body,
        }
    };
}
pub(in crate::web) use with_board;

impl AnyBoard {
    /// The board of a game.
    pub fn of<G: Valued>(game: &G) -> Result<Self, BadRequest> {
        let Size { width, height, line } = game.size();
        Self::new(game.rules(), Some(Board { width, height }), Some(line))
    }

    /// The board of these rules, with usual values for parameters that are left out.
    fn new(rules: Rules, board: Option<Board>, line: Option<u8>) -> Result<Self, BadRequest> {
        let refused = |error: SizeError| BadRequest(error.to_string());
        let size = rules.size(board, line).map_err(refused)?;
        match AnyGame::of_size(rules, size) {
            Ok(game) => Ok(Self::Narrow(game)),
            Err(_) if rules.stones_fall() => {
                let wide = Wide::wide(size).map_err(refused)?;
                if !Solver::supports(size) {
                    let (board, boards) = (size.board(), Solver::BOARDS);
                    return Err(BadRequest(format!(
                        "invalid value '{}' for 'line': the solver is made for {boards}, and \
                         no other engine searches a board as large as {board}",
                        size.line
                    )));
                }
                Ok(Self::Wide(wide))
            }
            Err(error) => Err(refused(error)),
        }
    }
}

/// Most bytes of a query; a move string of any board is far shorter.
const LONGEST: usize = 4096;

/// The parameters of a request; each may be taken once.
#[derive(Debug)]
pub struct Query(Vec<(String, String)>);

impl Query {
    pub fn new(query: Option<&str>) -> Result<Self, BadRequest> {
        let query = query.unwrap_or_default();
        if query.len() > LONGEST {
            return Err(BadRequest(format!("the query is longer than {LONGEST} bytes")));
        }
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if pairs.iter().any(|(other, _)| *other == name) {
                return Err(BadRequest(format!("the parameter '{}' is given twice", shown(&name))));
            }
            pairs.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self(pairs))
    }

    /// The value of a parameter, which stays in the query.
    pub fn peek(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| &value[..])
    }

    /// Removes a parameter and returns its value, if the query has it.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(other, _)| other == name)?;
        Some(self.0.swap_remove(at).1)
    }

    /// A parameter that is `true` or `false`.
    pub fn flag(&mut self, name: &str) -> Result<bool, BadRequest> {
        match self.take(name).as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => Err(BadRequest(format!(
                "invalid value '{}' for '{name}': true or false",
                shown(other)
            ))),
        }
    }

    /// Refuses parameters that were not taken.
    pub fn done(self) -> Result<(), BadRequest> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => Err(BadRequest(format!("unexpected parameter '{}'", shown(name)))),
        }
    }

    /// The game of the parameters `game`, `size` and `line`.
    pub fn game(&mut self) -> Result<AnyBoard, BadRequest> {
        let words = Rules::ALL.map(Rules::word).join(" or ");
        let Some(name) = self.take("game") else {
            return Err(BadRequest(format!("the parameter 'game' is missing: {words}")));
        };
        let rules = Rules::of(&name).ok_or_else(|| {
            BadRequest(format!("invalid value '{}' for 'game': {words}", shown(&name)))
        });
        self.board(rules?)
    }

    /// The game of these rules and the parameters `size` and `line`.
    pub fn board(&mut self, rules: Rules) -> Result<AnyBoard, BadRequest> {
        let board = self.take("size").filter(|size| !size.is_empty()).map(|size| {
            size.parse::<Board>().map_err(|error| {
                BadRequest(format!("invalid value '{}' for 'size': {error}", shown(&size)))
            })
        });
        let line = self.take("line").filter(|line| !line.is_empty()).map(|line| {
            line.parse::<u8>().ok().filter(|line| (1..=64).contains(line)).ok_or_else(|| {
                BadRequest(format!("invalid value '{}' for 'line': 1 to 64", shown(&line)))
            })
        });
        let (board, line) = (board.transpose()?, line.transpose()?);
        AnyBoard::new(rules, board, line)
    }

    /// The position of the parameters `moves` or `board`, still as text.
    pub fn given(&mut self) -> Result<PositionInput, BadRequest> {
        match (self.take("moves"), self.take("board")) {
            (Some(_), Some(_)) => Err(BadRequest("give moves or board, not both".into())),
            (None, Some(board)) => Ok(PositionInput::Picture(board)),
            (moves, None) => Ok(PositionInput::Moves(moves.unwrap_or_default())),
        }
    }
}

/// A position input: a position as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionInput {
    Moves(String),
    /// Read as a search: the proof that a game reaches a picture may take long.
    Picture(String),
}

impl PositionInput {
    /// A pasted text: a picture if it has its characters, else moves.
    pub fn pasted(text: &str) -> Self {
        let text = text.trim();
        if text.contains(['/', '.', 'X', 'O', 'x', 'o', '\n']) {
            let rows: Vec<&str> = text.split(['/', '\n']).map(str::trim).collect();
            let rows: Vec<&str> = rows.into_iter().filter(|row| !row.is_empty()).collect();
            return Self::Picture(rows.join("/").to_uppercase());
        }
        Self::Moves(text.split_whitespace().collect())
    }

    /// The moves as a user writes them; `None` for a picture.
    pub fn into_moves(self) -> Option<String> {
        match self {
            Self::Moves(moves) => Some(moves),
            Self::Picture(_) => None,
        }
    }

    /// Reads the position, and the moves that lead to it: for a picture, some order of them.
    pub fn read<G: Valued>(&self, game: &G) -> Result<(Stones<G::Word>, Vec<Move>), BadRequest> {
        match self {
            Self::Moves(moves) => given_moves(game, moves, "moves"),
            Self::Picture(picture) => given_picture(game, picture, "board"),
        }
        .map_err(BadRequest)
    }
}

/// The board of a game and moves played on it.
#[derive(Clone, Debug)]
pub struct Record<G> {
    pub game: G,
    pub moves: Vec<Move>,
}

impl<G: Valued> Record<G> {
    pub fn position_at(&self, ply: usize) -> Stones<G::Word> {
        let played = self.moves.iter().take(ply);
        played.fold(self.game.initial(), |position, &m| self.game.play(position, m))
    }
}

/// The beginning of a client's text, for errors.
pub fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::line::LineGame;

    fn refused<T: std::fmt::Debug>(result: Result<T, BadRequest>) -> String {
        result.unwrap_err().0
    }

    #[test]
    fn queries_are_read_once_and_whole() {
        let mut query = Query::new(Some("game=connect4&size=6x5&moves=4%34&x=1")).unwrap();
        let board = query.game().unwrap();
        assert_eq!(with_board!(board, game => game.size()).to_string(), "6x5, 4 in a row");
        assert_eq!(query.given().unwrap(), PositionInput::Moves("44".into()));
        assert_eq!(refused(query.done()), "unexpected parameter 'x'");
        assert!(refused(Query::new(Some("a=1&a=2"))).contains("twice"));
        assert!(refused(Query::new(Some(&"a".repeat(9999)))).contains("longer than"));
        let mut query = Query::new(Some("game=chess")).unwrap();
        assert!(refused(query.game()).contains("invalid value 'chess' for 'game'"));
        let mut query = Query::new(Some("game=ttt&size=7x6")).unwrap();
        assert!(refused(query.game()).contains("at most 40 cells"));
    }

    #[test]
    fn pasted_text_is_a_picture_or_moves() {
        assert_eq!(PositionInput::pasted(" 44 53\n"), PositionInput::Moves("4453".into()));
        let picture = PositionInput::Picture("X.O/.X./..O".into());
        assert_eq!(PositionInput::pasted("x.o/.x./..o"), picture);
        assert_eq!(PositionInput::pasted("X.O\n.X.\n..O\n"), picture);
        let game = AnyGame::new(Rules::Mnk, None, None).unwrap();
        assert_eq!(picture.read(&game).unwrap().1.len(), 4);
    }
}
