//! The books of BitBully: an encoder of the documented format, and the reader that verification uses.

use std::collections::{BTreeMap, HashSet};

use everyply::connect_four::formats::bit_bully::{BitBullyBook, BookRecords};
use everyply::connect_four::formats::{Record, ValueFile, ValueFormat, uci};
use everyply::game::laws::random_positions;
use everyply::game::{
    Game, Keyed, Outcome, PartialValue, Remoteness, Symmetric, Symmetry, Tiered, Value,
};
use everyply::games::line::{ConnectFour, LineGame, Stones};

use crate::support::{Place, connect_four};

/// The number of a position in the format.
fn code(game: &ConnectFour, position: Stones) -> u32 {
    let (_, second) = position.by_player();
    let mut code = 0;
    for column in 0..uci::SIZE.width.into() {
        let cells = (0..uci::SIZE.height.into()).rev().map(|row| game.cell(column, row));
        for cell in cells.take_while(|cell| position.occupied() & cell != 0) {
            code = code << 2 | 0b10 | u32::from(second & cell != 0);
        }
        code <<= 1;
    }
    code << 1
}

/// Encodes a book of these positions with their values: sorted, each in the image with the lower
/// code, without positions that the book leaves out or that are of other plies.
pub fn encode(
    book: BitBullyBook,
    game: &ConnectFour,
    positions: impl IntoIterator<Item = (Stones, Value)>,
) -> Vec<u8> {
    let order = |code: u32| match book {
        BitBullyBook::Ply8 => i64::from(code),
        _ => i64::from(code.cast_signed()),
    };
    let mut records = BTreeMap::new();
    for (position, value) in positions {
        let absent = PartialValue::from(value).agrees(book.absent());
        if position.ply() != book.ply() || game.result(position).is_some() || absent {
            continue;
        }
        let image = game.position_of(game.image_key(position, Symmetry(1))).unwrap();
        let codes = [position, image].map(|position| code(game, position));
        let code = codes.into_iter().min_by_key(|code| order(*code)).unwrap();
        records.insert(order(code), (code, value));
    }
    let record = |(code, value): (u32, Value)| match book {
        BitBullyBook::Ply12Distances => {
            let distance = value.outcome.sign() * (100 - value.remoteness.0 as i8);
            [&code.to_be_bytes()[..], &[distance.cast_unsigned()]].concat()
        }
        _ => {
            let word = code | u32::from(value.outcome == Outcome::Loss);
            word.to_be_bytes()[4 - book.record()..].to_vec()
        }
    };
    records.into_values().flat_map(record).collect()
}

/// A value that a position with this many empties can have; a loss needs a ply at least.
fn some_value(random: &mut fastrand::Rng, left: u32) -> Value {
    let kind = random.u8(..3);
    let mut plies = |least: u32| Remoteness((least + 2 * random.u32(..=(left - least) / 2)) as u8);
    match kind {
        0 => Value::new(Outcome::Win, plies(1)),
        1 => Value::new(Outcome::Loss, plies(2)),
        _ => Value::new(Outcome::Draw, Remoteness(left as u8)),
    }
}

/// Different positions of a ply, also up to symmetry, each with some value.
fn some_book(book: BitBullyBook) -> Vec<(Stones, Value)> {
    let game = connect_four(7, 6, 4);
    let mut random = fastrand::Rng::with_seed(5);
    let (mut positions, mut seen) = (Vec::new(), HashSet::new());
    random_positions(&game, 400, |position| {
        let wanted = position.ply() == book.ply() && game.result(position).is_none();
        if wanted && seen.insert(game.canonical(position).0) {
            let left = game.plies_left(position);
            positions.push((position, some_value(&mut random, left)));
        }
    });
    positions
}

#[test]
fn books_are_read_as_they_were_written() {
    let game = connect_four(7, 6, 4);
    for book in BitBullyBook::ALL {
        let positions = some_book(book);
        assert!(positions.len() > 200);
        let bytes = encode(book, &game, positions.clone());
        let read: Vec<(u64, Record)> =
            BookRecords::new(&game, book, "b.dat", &bytes[..]).map(Result::unwrap).collect();
        assert_eq!(read.len() * book.record(), bytes.len());
        // Records have the value written, absent positions the value that the format gives them.
        for (position, value) in positions {
            let canonical = game.canonical(position).0;
            let found = read.iter().find(|(_, r)| game.canonical(r.position).0 == canonical);
            let known = found.map_or(book.absent(), |(_, record)| record.value.unwrap());
            assert!(known.agrees(value.into()), "{known} {value}");
        }
        let again = encode(
            book,
            &game,
            read.iter().map(|(_, record)| {
                let left = game.plies_left(record.position);
                let value = record.value.unwrap().on_board(left);
                let lost = Value::new(Outcome::Loss, Remoteness(2));
                (record.position, value.unwrap_or(lost))
            }),
        );
        assert_eq!(again, bytes);
    }
}

#[test]
fn books_that_are_wrong_say_where() {
    let game = connect_four(7, 6, 4);
    for book in BitBullyBook::ALL {
        let bytes = encode(book, &game, some_book(book));
        let said = |bytes: &[u8]| {
            BookRecords::new(&game, book, "b.dat", bytes)
                .find_map(Result::err)
                .map(|error| error.to_string())
                .unwrap_or_default()
        };
        let length = book.record();
        assert_eq!(said(&bytes), "");
        assert!(said(&bytes[..bytes.len() - 1]).contains("no whole number of records"));
        let mut swapped = bytes.clone();
        swapped[..2 * length].rotate_left(length);
        assert!(said(&swapped).starts_with("b.dat, record 2: it is not above"));
        let twice = [&bytes[..length], &bytes].concat();
        assert!(said(&twice).starts_with("b.dat, record 2: it is not above"));
        let mut zeros = vec![0; length];
        assert!(said(&zeros).starts_with("b.dat, record 1: its bits (000000"), "{}", said(&zeros));
        zeros.fill(0xff);
        assert!(said(&zeros).contains("its bits (ffffff"));
        let mut value = bytes[..length].to_vec();
        *value.last_mut().unwrap() =
            if book == BitBullyBook::Ply12Distances { 98 } else { value[length - 1] | 3 };
        assert!(said(&value).contains("is no value"), "{}", said(&value));
    }
}

#[test]
fn a_book_is_recognised_by_its_records() {
    let (game, place) = (connect_four(7, 6, 4), Place::new());
    let formats =
        [ValueFormat::BitBully8, ValueFormat::BitBully12, ValueFormat::BitBully12Distances];
    for (book, format) in BitBullyBook::ALL.into_iter().zip(formats) {
        std::fs::write(place.path("b.dat"), encode(book, &game, some_book(book))).unwrap();
        let opened = ValueFile::open(&place.path("b.dat"), None, &game).unwrap();
        assert_eq!(opened.format(), format);
    }
}
