//! A game of the registry as an address names it.

use std::fmt::Write;

use super::pages::model::{Model, PositionLink, Side};
use super::request::{BadRequest, Query, shown};
use crate::game::{Chosen, Unreadable};
use crate::games::line::Board;
use crate::registry::{Course, Entry, Registry, Study};

impl From<Unreadable> for BadRequest {
    fn from(Unreadable(said): Unreadable) -> Self {
        Self(said)
    }
}

/// A game, a start, the moves played from it, and how many of them are on the board.
pub struct Address {
    pub entry: Entry,
    /// The parameters of the start, as they were given.
    chosen: Vec<(String, String)>,
    /// All moves, those taken back included.
    pub moves: Vec<String>,
    /// How many of them are on the board.
    pub at: usize,
    /// The game with all of them.
    pub course: Course,
}

impl Address {
    /// The game of the parameter `game`; `None` if it is none of the registry.
    pub fn of_game(registry: &Registry, query: &mut Query) -> Result<Option<Self>, BadRequest> {
        match query.peek("game").and_then(|name| registry.other(name)).cloned() {
            Some(entry) => {
                query.take("game");
                Self::read(entry, query).map(Some)
            }
            None => Ok(None),
        }
    }

    /// The parameters of a start (`size`, flags, `position`, or `parameters` as databases have
    /// them), `moves` and `at`.
    pub fn read(entry: Entry, query: &mut Query) -> Result<Self, BadRequest> {
        let mut given = Vec::new();
        let mut take = |query: &mut Query, name: &str| {
            let value = query.take(name).filter(|value| !value.is_empty());
            given.extend(value.iter().map(|value| (name.to_owned(), value.clone())));
            value
        };
        let parameters = take(query, "parameters");
        let size = take(query, "size").map(|size| {
            let board = size.parse::<Board>().map_err(|error| {
                BadRequest(format!("invalid value '{}' for 'size': {error}", shown(&size)))
            });
            board.map(|board| (board.width, board.height))
        });
        let mut rules = Vec::new();
        for flag in entry.rules().map(|rule| rule.name) {
            match take(query, flag).as_deref() {
                None | Some("false") => {}
                Some("true") => rules.push(flag.to_owned()),
                Some(other) => {
                    let other = shown(other);
                    return Err(BadRequest(format!(
                        "invalid value '{other}' for '{flag}': true or false"
                    )));
                }
            }
        }
        let position = take(query, "position");
        let chosen = Chosen { size: size.transpose()?, rules, position, ..Chosen::default() };
        let start = match parameters {
            None => entry.position(&chosen)?,
            Some(text) => {
                let numbers: Option<Vec<u8>> = text.split('-').map(|n| n.parse().ok()).collect();
                let numbers = numbers.and_then(|numbers| <[u8; 3]>::try_from(numbers).ok());
                let refused = || {
                    let text = shown(&text);
                    BadRequest(format!(
                        "invalid value '{text}' for 'parameters': three numbers, as 3-3-1"
                    ))
                };
                let start = entry.of_parameters(numbers.ok_or_else(refused)?)?;
                match &chosen.position {
                    Some(text) => start.read(text)?,
                    None => start,
                }
            }
        };
        let text = query.take("moves").unwrap_or_default();
        let moves: Vec<String> =
            text.split(',').filter(|m| !m.is_empty()).map(String::from).collect();
        let at = query.take("at").filter(|at| !at.is_empty());
        let at = at.map_or(Ok(moves.len()), |at| {
            let place = at.parse().ok().filter(|place| *place <= moves.len());
            place.ok_or_else(|| {
                let (at, most) = (shown(&at), moves.len());
                BadRequest(format!("invalid value '{at}' for 'at': 0 to {most}"))
            })
        })?;
        let mut course = Course::new(start);
        for m in &moves {
            course.play(m)?;
        }
        Ok(Self { entry, chosen: given, moves, at, course })
    }

    /// The query of this start with other moves, the first `at` of them on the board.
    pub fn query(&self, moves: &[String], at: usize) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&self.chosen);
        if !moves.is_empty() {
            query.append_pair("moves", &moves.join(","));
        }
        if at < moves.len() {
            query.append_pair("at", &at.to_string());
        }
        query.finish()
    }

    /// The address of the page with other moves, the first `at` of them on the board.
    pub fn url(&self, moves: &[String], at: usize) -> String {
        let mut url = format!("/game/{}", self.entry.name);
        let query = self.query(moves, at);
        if !query.is_empty() {
            let _ = write!(url, "?{query}");
        }
        url
    }

    /// The position on the board.
    pub fn study(&self) -> &dyn Study {
        self.course.study_at(self.at)
    }

    /// The moves on the board.
    pub fn played(&self) -> &[String] {
        &self.moves[..self.at]
    }

    /// The game as the parts of its page show it.
    pub fn model(&self) -> Model {
        let start = self.course.start();
        let place = |at: usize| PositionLink {
            url: self.url(&self.moves, at),
            label: at.checked_sub(1).map_or("start", |before| &self.moves[before]).to_owned(),
            to_move: Side::of(match self.course.study_at(at).to_move() {
                Some(side) => side == 'O',
                None => self.course.is_seconds_turn_at(at),
            }),
        };
        Model {
            positions: (0..=self.moves.len()).map(place).collect(),
            at: self.at,
            sides: match start.to_move() {
                Some(_) => ["X", "O"],
                None => ["the first player", "the second player"],
            },
            visitor: Side::First,
            word: "move",
            plies: start.plies_left().unwrap_or(0),
        }
    }

    /// The address after one move more.
    pub fn playing(&self, text: &str) -> String {
        let mut moves = self.played().to_vec();
        moves.push(text.to_owned());
        let at = moves.len();
        self.url(&moves, at)
    }

    /// The value of a parameter of the start.
    pub fn chosen(&self, name: &str) -> &str {
        let given = self.chosen.iter().find(|(other, _)| other == name);
        given.map_or("", |(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<Address, BadRequest> {
        let mut query = Query::new(Some(query)).unwrap();
        let address = Address::of_game(&crate::registry::builtin(), &mut query)?.expect("a game");
        query.done()?;
        Ok(address)
    }

    #[test]
    fn addresses_hold_everything() {
        for query in [
            "game=nim&misere=true&position=1%2C2&moves=2-1%2C1-1&at=1",
            "game=hexapawn&size=4x4&moves=a1a2",
            "game=dots&parameters=2-1-1&moves=1",
            "game=pong",
        ] {
            let address = read(query).unwrap();
            let (name, rest) = query["game=".len()..].split_once('&').unwrap_or((&query[5..], ""));
            let url = if rest.is_empty() { String::new() } else { format!("?{rest}") };
            let at = address.at;
            assert_eq!(address.url(&address.moves, at), format!("/game/{name}{url}"));
        }
        assert_eq!(read("game=nim&position=1,2&moves=2-1").unwrap().study().picture(), "1,1");
        let mut query = Query::new(Some("game=ttt")).unwrap();
        assert!(Address::of_game(&crate::registry::builtin(), &mut query).unwrap().is_none());
        query.take("game");
        query.done().unwrap();
    }

    #[test]
    fn wrong_parameters_are_refused_by_name() {
        for (query, said) in [
            ("game=nim&size=3x3", "nim has no boards of several sizes"),
            ("game=nim&position=x", "is no number of stones"),
            ("game=nim&misere=yes", "invalid value 'yes' for 'misere': true or false"),
            ("game=nim&parameters=1-2", "three numbers"),
            ("game=pong&moves=3", "move 1, '3', is not possible there: choose one of 4 5"),
            ("game=pong&moves=4&at=2", "invalid value '2' for 'at': 0 to 1"),
            ("game=pong&line=3", "unexpected parameter 'line'"),
            ("game=hexapawn&size=0x0", "invalid value '0x0' for 'size'"),
        ] {
            let refused = read(query).err().expect(query).0;
            assert!(refused.contains(said), "{query}: {refused}");
        }
    }
}
