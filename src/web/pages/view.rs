//! What a page shows; all of it is in its address, so that it can be shared.

use std::fmt::Write;

use super::model::{Model, PositionLink, Side};
use crate::game::{Move, Symmetry};
use crate::games::line::notation::{side_to_move, write_moves};
use crate::games::line::{Size, Stones};
use crate::opponent::Level;
use crate::oracle::Valued;
use crate::web::api;
use crate::web::request::{BadRequest, PositionInput, Query, Record, shown};

/// A game, a place in it, and how it is looked at.
#[derive(Clone, Debug)]
pub struct View<G> {
    pub game: G,
    /// All moves, those taken back included.
    pub moves: Vec<Move>,
    /// How many of them are on the board.
    pub at: usize,
    /// The visitor plays O.
    pub second: bool,
    /// Values are shown.
    pub hints: bool,
    /// The machine's level; `None` while two people play.
    pub level: Option<Level>,
}

impl<G: Valued> View<G> {
    /// The empty board.
    pub fn of(game: G) -> Self {
        Self { game, moves: Vec::new(), at: 0, second: false, hints: true, level: None }
    }

    /// The parameters `moves`, `at`, `side`, `hints` and `level`.
    pub fn read(game: G, query: &mut Query) -> Result<Self, BadRequest> {
        let given = PositionInput::Moves(query.take("moves").unwrap_or_default());
        let (_, moves) = given.read(&game)?;
        let choice =
            |query: &mut Query, name: &str, [no, yes]: [&str; 2]| match query.take(name).as_deref()
            {
                None | Some("") => Ok(None),
                Some(word) if word == no => Ok(Some(false)),
                Some(word) if word == yes => Ok(Some(true)),
                Some(other) => {
                    let other = shown(other);
                    Err(BadRequest(format!("invalid value '{other}' for '{name}': {no} or {yes}")))
                }
            };
        let at = match query.take("at").filter(|at| !at.is_empty()) {
            None => moves.len(),
            Some(at) => match at.parse() {
                Ok(at) if at <= moves.len() => at,
                _ => {
                    let (at, most) = (shown(&at), moves.len());
                    return Err(BadRequest(format!("invalid value '{at}' for 'at': 0 to {most}")));
                }
            },
        };
        Ok(Self {
            game,
            at,
            second: choice(query, "side", ["first", "second"])?.unwrap_or(false),
            hints: choice(query, "hints", ["off", "on"])?.unwrap_or(true),
            level: api::level(query)?,
            moves,
        })
    }

    /// The board.
    pub fn position(&self) -> Stones<G::Word> {
        self.record().position_at(self.at)
    }

    pub fn record(&self) -> Record<G> {
        Record { game: self.game, moves: self.moves.clone() }
    }

    /// The game as the parts of its page show it.
    pub fn model(&self) -> Model {
        let place = |at: usize| PositionLink {
            url: self.at(at).url(),
            label: match at.checked_sub(1) {
                Some(before) => self.moves[before].number().to_string(),
                None => "start".to_owned(),
            },
            to_move: Side::of(at % 2 == 1),
        };
        Model {
            positions: (0..=self.moves.len()).map(place).collect(),
            at: self.at,
            sides: ["X", "O"],
            visitor: Side::of(self.second),
            word: if self.game.rules().stones_fall() { "column" } else { "cell" },
            plies: self.game.size().cells(),
        }
    }

    /// True if the machine plays the side to move, and the game is not over.
    pub fn is_machines_turn(&self) -> bool {
        let position = self.position();
        self.level.is_some()
            && self.game.result(position).is_none()
            && position.ply().is_second_players_turn() != self.second
    }

    /// True if the machine should move now: not while moves are taken back to look at them.
    pub fn machine_moves_now(&self) -> bool {
        self.at == self.moves.len() && self.is_machines_turn()
    }

    /// After one move more.
    pub fn playing(&self, m: Move) -> Self {
        let mut moves = self.moves[..self.at].to_vec();
        moves.push(m);
        self.with_moves(moves)
    }

    /// With other moves, all on the board.
    pub fn with_moves(&self, moves: Vec<Move>) -> Self {
        Self { at: moves.len(), moves, ..self.clone() }
    }

    /// The same moves up to another place.
    pub fn at(&self, at: usize) -> Self {
        Self { at, ..self.clone() }
    }

    /// The place undo leads to: the ply before, and against the machine the visitor's turn before,
    /// since from any other only the machine could go on.
    pub fn before(&self) -> Option<Self> {
        (0..self.at).rev().map(|at| self.at(at)).find(|view| !view.is_machines_turn())
    }

    /// The place redo leads to: the ply after, and against the machine the visitor's next turn or
    /// the last move.
    pub fn after(&self) -> Option<Self> {
        let last = self.moves.len();
        let mut later = (self.at + 1..=last).map(|at| self.at(at));
        later.find(|view| view.at == last || !view.is_machines_turn())
    }

    /// The game without the moves that were taken back.
    pub fn ending_here(&self) -> Self {
        self.with_moves(self.moves[..self.at].to_vec())
    }

    /// Left and right exchanged.
    pub fn mirrored(&self) -> Self {
        let image = |&m: &Move| self.game.image_move(m, Symmetry(1));
        Self { moves: self.moves.iter().map(image).collect(), ..self.clone() }
    }

    /// Path of the game's page.
    pub fn path(&self) -> String {
        format!("/{}", self.game.name())
    }

    /// True if the board is the usual one of the game.
    fn is_usual(&self) -> bool {
        self.game.size() == self.game.rules().usual()
    }

    /// The parameters of the board.
    pub fn board_query(&self) -> String {
        let Size { line, .. } = self.game.size();
        format!("game={}&size={}&line={line}", self.game.name(), self.game.size().board())
    }

    /// All parameters but those of the board.
    pub fn rest_query(&self) -> String {
        let mut query = String::new();
        if !self.moves.is_empty() {
            let _ = write!(query, "&moves={}", write_moves(&self.game, &self.moves));
        }
        if self.at < self.moves.len() {
            let _ = write!(query, "&at={}", self.at);
        }
        if self.second {
            query.push_str("&side=second");
        }
        if !self.hints {
            query.push_str("&hints=off");
        }
        if let Some(level) = self.level {
            let _ = write!(query, "&level={}", level.name());
        }
        query
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        let mut query = String::new();
        if !self.is_usual() {
            let _ =
                write!(query, "&size={}&line={}", self.game.size().board(), self.game.size().line);
        }
        query.push_str(&self.rest_query());
        match query.strip_prefix('&') {
            Some(query) => format!("{}?{query}", self.path()),
            None => self.path(),
        }
    }

    /// The query of a question to the API about the moves on the board.
    pub fn api_query(&self) -> String {
        let moves = write_moves(&self.game, &self.moves[..self.at]);
        format!("{}&moves={moves}", self.board_query())
    }

    /// The name of the game.
    pub fn name(&self) -> &'static str {
        self.game.rules().name(self.game.size())
    }

    /// The title of the page.
    pub fn title(&self) -> String {
        let moves = write_moves(&self.game, &self.moves[..self.at]);
        let moves = if moves.is_empty() { "empty board".to_owned() } else { moves };
        format!("{} {}: {moves}", self.name(), self.game.size())
    }

    /// `X` or `O`.
    pub fn side_to_move(&self) -> char {
        side_to_move(self.position())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::line::{AnyGame, Rules};
    use crate::web::request::AnyBoard;

    fn read(rules: Rules, query: &str) -> Result<View<AnyGame>, BadRequest> {
        let mut query = Query::new(Some(query)).unwrap();
        let AnyBoard::Narrow(game) = query.board(rules)? else { panic!("a board of 64 bits") };
        let view = View::read(game, &mut query)?;
        query.done()?;
        Ok(view)
    }

    #[test]
    fn addresses_hold_everything() {
        for (rules, query) in [
            (Rules::Mnk, "moves=15&at=1&side=second&hints=off&level=casual"),
            (Rules::Mnk, "size=4x4&line=3&moves=16,1,2&level=varied"),
            (Rules::ConnectFour, "moves=4453"),
            (Rules::ConnectFour, "size=6x5&line=4&moves=1&side=second"),
        ] {
            let view = read(rules, query).unwrap();
            assert_eq!(view.url(), format!("{}?{query}", view.path()));
        }
        assert_eq!(read(Rules::Mnk, "").unwrap().url(), "/ttt");
    }

    #[test]
    fn wrong_parameters_are_refused_by_name() {
        for (query, said) in [
            ("moves=11", "cell 1 is taken"),
            ("moves=1&at=2", "invalid value '2' for 'at': 0 to 1"),
            ("side=left", "invalid value 'left' for 'side': first or second"),
            ("level=godlike", "invalid value 'godlike' for 'level'"),
            ("colour=red", "unexpected parameter 'colour'"),
        ] {
            let refused = read(Rules::Mnk, query).unwrap_err().0;
            assert!(refused.contains(said), "{refused}");
        }
    }

    #[test]
    fn undo_against_the_machine_leads_to_the_visitors_own_turn() {
        let places = |query: &str| {
            let view = read(Rules::Mnk, query).unwrap();
            (view.before().map(|view| view.at), view.after().map(|view| view.at))
        };
        assert_eq!(places("moves=1524&at=3"), (Some(2), Some(4)));
        assert_eq!(places("moves=1524&level=perfect"), (Some(2), None));
        assert_eq!(places("moves=1524&at=2&level=perfect"), (Some(0), Some(4)));
        assert_eq!(places("moves=15243&level=perfect"), (Some(4), None), "the visitor's last move");
        assert_eq!(places("moves=15&at=1&level=perfect"), (Some(0), Some(2)));
        // The first move is the machine's: nothing of the visitor's is to be taken back.
        assert_eq!(places("moves=1&level=perfect&side=second"), (None, None));
        assert_eq!(places("moves=152&level=perfect&side=second"), (Some(1), None));
        assert_eq!(places("moves=1523&at=0&level=perfect&side=second"), (None, Some(1)));
        let view = read(Rules::Mnk, "moves=152&at=1&level=perfect").unwrap();
        assert!(!view.machine_moves_now() && view.ending_here().machine_moves_now());
    }

    #[test]
    fn the_machine_moves_on_its_turn_only() {
        let turn = |query: &str| read(Rules::Mnk, query).unwrap().machine_moves_now();
        assert!(!turn("moves=1"));
        assert!(turn("moves=1&level=perfect"));
        assert!(!turn("moves=15&level=perfect"));
        assert!(turn("level=perfect&side=second"));
        assert!(!turn("moves=152&at=1&level=perfect"), "only looking back");
        assert!(!turn("moves=14253&level=perfect"), "the game is over");
    }
}
