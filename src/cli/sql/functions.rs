//! The functions of `analyze sql`: pictures of positions, moves to them, and Pons' score.

use std::sync::Arc;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error};

use crate::connect_four::solver::score_of;
use crate::database::{Database, DatabaseError};
use crate::game::{GameId, Key, MoveSet, Outcome, Remoteness, Value};
use crate::games::line::{Rules, Size};
use crate::registry::{Registry, Study};

/// The games of a database.
#[derive(Clone)]
pub(super) struct Games {
    stored: Arc<Vec<Stored>>,
    registry: Registry,
}

/// A game with its number in the file.
struct Stored {
    number: i64,
    id: GameId,
    /// The start; `None` if this program does not have the game.
    start: Option<Box<dyn Study>>,
}

impl Stored {
    /// The board, of a game of stones and lines.
    fn size(&self) -> Size {
        Size::of_parameters(self.id.parameters)
    }
}

impl Games {
    pub fn of(database: &Database, registry: &Registry) -> Result<Self, DatabaseError> {
        let stored = database.numbered_games()?.into_iter().map(|(number, id)| {
            let start = registry.start_of(&id).and_then(Result::ok);
            Stored { number, id, start }
        });
        Ok(Self { stored: Arc::new(stored.collect()), registry: registry.clone() })
    }

    /// The game that the first argument of a function names.
    fn named(&self, function: &str, context: &Context<'_>) -> Result<&Stored, Error> {
        match context.get_raw(0) {
            ValueRef::Integer(id) => {
                self.stored.iter().find(|game| game.number == id).ok_or_else(|| {
                    refusal(function, &format!("no game of this file has the id {id}"))
                })
            }
            ValueRef::Text(name) => self.of_name(function, &String::from_utf8_lossy(name)),
            _ => Err(refusal(function, "its first argument is a game: a game_id, or a name")),
        }
    }

    fn of_name(&self, function: &str, name: &str) -> Result<&Stored, Error> {
        let named: Vec<&Stored> = self.stored.iter().filter(|game| game.id.name == name).collect();
        match &named[..] {
            [one] => Ok(one),
            [] => Err(refusal(function, &format!("this file has no game '{name}'"))),
            several => {
                several.iter().find(|game| self.registry.is_usual(&game.id)).copied().ok_or_else(
                    || {
                        let list: Vec<String> = several
                            .iter()
                            .map(|game| format!("{} for {}", game.number, game.size().board()))
                            .collect();
                        let list = list.join(", ");
                        refusal(
                            function,
                            &format!("'{name}' has several boards: give a game_id, {list}"),
                        )
                    },
                )
            }
        }
    }
}

/// An error that SQLite reports as that of the query.
fn refusal(function: &str, why: &str) -> Error {
    Error::UserFunctionError(format!("{function}: {why}").into())
}

/// Adds the functions to a connection.
pub(super) fn add(connection: &Connection, games: Games) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let of_study = |name: &'static str, text: fn(&dyn Study) -> Option<String>| {
        let all = games.clone();
        connection.create_scalar_function(name, 2, flags, move |context| {
            of_position(&all, name, context, text)
        })
    };
    of_study("board", |study| Some(study.picture()))?;
    of_study("to_move", |study| study.to_move().map(String::from))?;
    of_study("moves", |study| study.moves_to())?;
    let all = games.clone();
    connection.create_scalar_function("best_moves", 3, flags, move |context| {
        let bits = match context.get_raw(2) {
            ValueRef::Null => return Ok(None),
            ValueRef::Integer(bits) => MoveSet(bits.cast_unsigned()),
            _ => {
                return Err(refusal(
                    "best_moves",
                    "its third argument is the column position.best",
                ));
            }
        };
        of_position(&all, "best_moves", context, |study| Some(study.texts(bits).join(" ")))
    })?;
    connection.create_scalar_function("score", 4, flags, move |context| score(&games, context))
}

/// The result of a function for the position in its arguments, a game and a key.
fn of_position(
    games: &Games,
    function: &str,
    context: &Context<'_>,
    text: impl Fn(&dyn Study) -> Option<String>,
) -> Result<Option<String>, Error> {
    let key = match context.get_raw(1) {
        ValueRef::Null => return Ok(None),
        ValueRef::Integer(key) => key,
        _ => return Err(refusal(function, "its second argument is a key, which is an integer")),
    };
    let game = games.named(function, context)?;
    let Some(start) = &game.start else {
        let why = format!("{} is a game that this program does not know", game.id.name);
        return Err(refusal(function, &why));
    };
    let study = start.of_key(Key(key.cast_unsigned())).ok_or_else(|| {
        let why = format!("{key} is the key of no position of {}", game.id);
        refusal(function, &why)
    })?;
    Ok(text(study.as_ref()))
}

/// Pons' score of a position with this ply, outcome and remoteness.
fn score(games: &Games, context: &Context<'_>) -> Result<Option<i32>, Error> {
    let game = games.named("score", context)?;
    if Rules::of(&game.id.name).is_none_or(|rules| !rules.stones_fall()) {
        return Ok(None);
    }
    let number = |index: usize| match context.get_raw(index) {
        ValueRef::Null => Ok(None),
        ValueRef::Integer(number) => Ok(Some(number)),
        _ => Err(refusal("score", "ply and remoteness are integers")),
    };
    let outcome = match context.get_raw(2) {
        ValueRef::Null => return Ok(None),
        ValueRef::Integer(sign) => Outcome::from_sign(sign),
        ValueRef::Text(word) => std::str::from_utf8(word).ok().and_then(Outcome::of_word),
        _ => None,
    };
    let Some(outcome) = outcome else {
        return Err(refusal("score", "an outcome is 'win', 'draw' or 'loss', or 1, 0 or -1"));
    };
    let (Some(ply), Some(remoteness)) = (number(1)?, number(3)?) else { return Ok(None) };
    let empties = i64::from(game.size().cells()) - ply;
    match u8::try_from(remoteness) {
        Ok(r) if (0..=i64::from(game.size().cells())).contains(&empties) => {
            Ok(Some(score_of(Value::new(outcome, Remoteness(r)), empties as i32)))
        }
        _ => {
            Err(refusal("score", &format!("no position has ply {ply} and remoteness {remoteness}")))
        }
    }
}
