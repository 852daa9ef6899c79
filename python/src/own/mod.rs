//! Games written in Python.
//!
//! Python has the rules and finds the positions, ply by ply and many at a time
//! (`everyply/_game.py`). This module turns them into numbers and a [`Table`] of moves: a game like
//! any other, which needs Python only for pictures.

mod builder;
pub mod keys;

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex, PoisonError};

use everyply::games::table::{Table, TableRows};
use everyply::registry::of_table;
use pyo3::prelude::*;

pub use builder::Builder;

use crate::errors::value_error;
use crate::game::BuiltinGame;
use crate::rules::{Own, Rules};
use keys::Keys;

/// Returns the word for a game, as a string that lives as long as the program.
fn name_of(name: &str) -> PyResult<&'static str> {
    static NAMES: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if name.is_empty() || !name.chars().all(plain) {
        return Err(value_error(format!(
            "name '{name}': the word for a game is made of lower case letters and digits"
        )));
    }
    // Addresses and caches distinguish games by their words.
    let is_taken = everyply::registry::builtin().find(name).is_some();
    let word = if is_taken { format!("own{name}") } else { name.to_owned() };
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(names.get(&*word).copied().unwrap_or_else(|| {
        let new: &'static str = Box::leak(word.into_boxed_str());
        names.insert(new);
        new
    }))
}

/// Returns three numbers that no other table of this process has.
fn parameters() -> [u8; 3] {
    static TABLES: AtomicU32 = AtomicU32::new(0);
    let number = TABLES.fetch_add(1, Relaxed);
    let digit = |place: u32| (number / 255u32.pow(place) % 255 + 1) as u8;
    [digit(0), digit(1), digit(2)]
}

/// Makes the game of a table.
fn game_of(
    name: &str,
    title: String,
    texts: Vec<String>,
    rows: TableRows,
    (keys, key): (Keys, Py<PyAny>),
    painter: Py<PyAny>,
) -> PyResult<BuiltinGame> {
    let paint = move |way: &[u32]| {
        let drawn = Python::try_attach(|py| {
            let drawn = painter.call1(py, (way.to_vec(),))?;
            drawn.extract::<String>(py)
        });
        match drawn {
            Some(Ok(drawn)) => drawn,
            Some(Err(error)) => format!("(no picture: {error})"),
            None => "(no picture: Python has ended)".to_owned(),
        }
    };
    let name = name_of(name)?;
    let table = Table::new(name, title, parameters(), texts, rows, Box::new(paint));
    let table = table.map_err(value_error)?;
    let start = of_table(table.clone()).map_err(value_error)?;
    Ok(BuiltinGame { rules: Rules::new(start, Some(Own { table, keys, key })) })
}

#[pyfunction]
pub fn _available_memory() -> u64 {
    everyply::cli::available_memory() as u64
}
