//! The functions of `analyze sql` that make a key readable.

use std::sync::Arc;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error};

use everyply_core::game::{GameId, Key, MoveSet};
use everyply_registry::registry::{Position, Registry};

/// A game of the file.
struct StoredGame {
    /// Its number in the file.
    number: i64,
    id: GameId,
    /// The start; `None` if this program does not have the game.
    start: Option<Box<dyn Position>>,
}

/// Adds the functions to a connection.
pub(super) fn add(
    connection: &Connection,
    games: Vec<(i64, GameId)>,
    registry: &Registry,
) -> rusqlite::Result<()> {
    let games = games.into_iter().map(|(number, id)| {
        let start = registry.start_of(&id).and_then(Result::ok);
        StoredGame { number, id, start }
    });
    let games: Arc<[StoredGame]> = games.collect();
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let add =
        |name: &'static str, arguments, text: fn(&dyn Position, MoveSet) -> Option<String>| {
            let games = Arc::clone(&games);
            connection.create_scalar_function(name, arguments, flags, move |context| {
                let last = context.get::<Option<i64>>(context.len() - 1)?;
                let (Some(key), Some(last)) = (context.get(1)?, last) else { return Ok(None) };
                let study = position(&games, context, key)
                    .map_err(|why| Error::UserFunctionError(format!("{name}: {why}").into()))?;
                Ok(text(&*study, MoveSet(last.cast_unsigned())))
            })
        };
    add("board", 2, |study, _| Some(study.picture()))?;
    add("moves", 2, |study, _| study.moves_to())?;
    add("to_move", 2, |study, _| study.to_move().map(String::from))?;
    add("best_moves", 3, |study, best| Some(study.texts(best).join(" ")))
}

/// The position with this key, of the game in the first argument.
fn position(
    games: &[StoredGame],
    context: &Context<'_>,
    key: i64,
) -> Result<Box<dyn Position>, String> {
    let named = context.get_raw(0);
    let is_named = |game: &&StoredGame| match named {
        ValueRef::Integer(number) => game.number == number,
        ValueRef::Text(name) => game.id.name.as_bytes() == name,
        _ => false,
    };
    let named: Vec<&StoredGame> = games.iter().filter(is_named).collect();
    let [StoredGame { id, start, .. }] = named[..] else {
        return Err(match named.len() {
            0 => "this file has no game of this game_id or name".to_owned(),
            _ => format!("this file has {} games of this name: give a game_id", named.len()),
        });
    };
    let start = start.as_ref().ok_or_else(|| format!("this program does not know {id}"))?;
    let study = start.of_key(Key(key.cast_unsigned()));
    study.ok_or_else(|| format!("{key} is the key of no position of {id}"))
}
