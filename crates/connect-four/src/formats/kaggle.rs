//! Boards of Kaggle's ConnectX (`observation.board`): a list of whole numbers row by row from the
//! top left, 0 empty, 1 the first player, 2 the second.

use super::rows::{BoardBuilder, Cell, cell_of, dimensions};
use super::{Record, RecordError};
use crate::games::line::{ConnectFour, Stones};

pub(super) fn read(game: &ConnectFour, text: &str) -> Result<Record, RecordError> {
    let (width, height) = dimensions(game);
    let text = text.trim();
    let inner = match (text.strip_prefix('['), text.ends_with(']')) {
        (Some(rest), true) => rest.strip_suffix(']').unwrap_or(rest),
        (None, false) => text,
        _ => {
            return Err(RecordError::InvalidField {
                what: "list",
                found: text.to_owned(),
                expected: "a board begins with [ and ends with ], or has neither".to_owned(),
            });
        }
    };
    let found = inner.split(',').count();
    if found != width * height {
        return Err(RecordError::Count {
            what: "cells",
            found,
            expected: (width * height).to_string(),
            remedy: "a board is a list of cells row by row from the top, separated by commas",
        });
    }
    let mut board = BoardBuilder::default();
    for (i, found) in inner.split(',').enumerate() {
        let cell = match found.trim() {
            "0" => Cell::Empty,
            "1" => Cell::First,
            "2" => Cell::Second,
            found => {
                return Err(RecordError::NotACell {
                    place: format!("number {}", i + 1),
                    found: found.to_owned(),
                    expected: "0 (empty), 1 (first player) or 2 (second player)",
                });
            }
        };
        board.put(game, i % width, i / width, cell);
    }
    board.record(game)
}

pub(super) fn write(game: &ConnectFour, position: Stones) -> String {
    let (width, height) = dimensions(game);
    let cells: Vec<&str> = (0..width * height)
        .map(|i| match cell_of(game, position, i % width, i / width) {
            Cell::Empty => "0",
            Cell::First => "1",
            Cell::Second => "2",
        })
        .collect();
    format!("[{}]", cells.join(","))
}
