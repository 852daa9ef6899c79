//! The format of opening books, and the values of the built-in one.

use super::*;
use crate::book;
use crate::solver::Solver;
use everyply_core::control::Control;
use everyply_core::game::{Keyed, Outcome, Remoteness};
use everyply_core::games::line::ConnectFour;

/// Returns all tiers of a board up to a ply.
fn tiers(size: Size, plies: u8) -> Vec<book::Tier> {
    let game = ConnectFour::new(size).unwrap();
    book::tiers(&game, game.initial(), plies, usize::MAX, &Control::default()).unwrap()
}

#[test]
fn a_book_has_the_positions_that_play_reaches_and_no_others() {
    let size = Size::new(5, 4, 4).unwrap();
    let game = ConnectFour::new(size).unwrap();
    let solver = Solver::without_book(size, 1).unwrap();
    let reached: FxHashMap<Key, Value> = tiers(size, 8)
        .concat()
        .into_iter()
        .filter_map(|key| {
            let position = game.position_of(key).unwrap();
            let is_open = game.result(position).is_none();
            is_open.then(|| (key, solver.value(position, &Control::default()).unwrap().value))
        })
        .collect();
    let book = OpeningBook::new(size, Ply(8), |key| reached.get(&key).copied()).unwrap();
    let read = OpeningBook::from_bytes(&book.to_bytes().unwrap()).unwrap();
    assert_eq!((read.size(), read.plies()), (size, Ply(8)));
    assert_eq!(read.iter().collect::<FxHashMap<_, _>>(), reached);
    let mut strangers = 0;
    for profile in book.starts.keys() {
        for position in book.board.positions(*profile) {
            let key = game.canonical(position).0;
            assert_eq!(read.value(position), reached.get(&key).copied(), "{position:?}");
            strangers += u64::from(!reached.contains_key(&key));
        }
    }
    assert!(strangers > 0, "some positions are reached by no game");
    // One stone more.
    for key in tiers(size, 9).pop().unwrap() {
        assert_eq!(read.value(game.position_of(key).unwrap()), None);
    }
}

#[test]
fn damaged_books_are_refused() {
    let size = Size::new(4, 4, 4).unwrap();
    let draw = |_| Some(Value::new(Outcome::Draw, Remoteness(1)));
    let whole = OpeningBook::new(size, Ply(4), draw).unwrap().to_bytes().unwrap();
    let refusal = |bytes: &[u8]| OpeningBook::from_bytes(bytes).unwrap_err();
    assert_eq!(refusal(b"SQLite format 3"), OpeningError::NotABook);
    for length in 0..whole.len() {
        refusal(&whole[..length]);
    }
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        refusal(&bytes);
    }
    let mut other = whole.clone();
    other[8] = 3;
    assert_eq!(refusal(&other), OpeningError::OtherVersion(3));
    // A right checksum, but a wrong length, or a board that would fill the memory.
    let beyond = [16, 17, 18, 19].into_iter().flat_map(|at| [(at, 0), (at, 255)]);
    for (at, value) in [(19, 5), (19, 60), (16, 200)].into_iter().chain(beyond) {
        // With lines longer than the board there are no wins, but the book is valid.
        if (at, value) == (18, 255) {
            continue;
        }
        let mut bytes = whole.clone();
        bytes[at] = value;
        let checksum = crc32fast::hash(&bytes[COVERED..]).to_le_bytes();
        bytes[12..16].copy_from_slice(&checksum);
        refusal(&bytes);
    }
    let vast = OpeningBook::check(Size::new(7, 6, 4).unwrap(), Ply(30)).unwrap_err();
    assert_eq!(vast, OpeningError::TooLarge(Ply(30)));
}

#[cfg(feature = "book")]
mod builtin {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use everyply_core::game::{Tiered, images};

    fn standard() -> &'static OpeningBook {
        OpeningBook::builtin(Size::new(7, 6, 4).unwrap()).unwrap()
    }

    #[test]
    fn every_value_follows_from_the_next_ply() {
        let book = standard();
        let game = book.board.game();
        let mut parents = 0;
        for (key, value) in book.iter() {
            let position = game.position_of(key).unwrap();
            assert!(u32::from(value.remoteness.0) <= game.plies_left(position));
            if position.ply() == book.plies() {
                continue;
            }
            let children = game.moves(position).into_iter().map(|m| {
                let child = game.play(position, m);
                let over = game.result(child).map(Value::over);
                over.or_else(|| book.value(child)).expect("a child in the book").for_parent()
            });
            assert_eq!(children.max(), Some(value), "{key:?}");
            parents += 1;
        }
        assert!(parents > 300_000, "{parents}");
    }

    #[test]
    fn it_has_every_position_and_the_counted_distances() {
        let book = standard();
        let game = book.board.game();
        let (mut positions, mut reached) = (BTreeMap::<_, u64>::new(), 0);
        for key in tiers(book.size(), book.plies().0).concat() {
            let position = game.position_of(key).unwrap();
            let over = game.result(position).map(Value::over);
            reached += usize::from(over.is_none());
            let value = over.or_else(|| book.value(position)).expect("in the book");
            let of_value = (position.ply().0, value.outcome.word(), value.remoteness.0);
            *positions.entry(of_value).or_default() += images(game, position).len() as u64;
        }
        let text = include_str!("../../../../data/connect4-7x6-distances.csv");
        let rows: BTreeSet<&str> =
            text.lines().filter(|row| !row.starts_with('#')).skip(1).collect();
        let counted = positions.iter().map(|((ply, outcome, remoteness), count)| {
            format!("{ply},{outcome},{remoteness},{count}")
        });
        let counted: Vec<String> = counted.collect();
        assert_eq!(rows, counted.iter().map(String::as_str).collect());
        // As published.
        let published = ["loss", "draw", "win"].map(|outcome| {
            let of_eight = positions.iter().filter(|(of, _)| (of.0, of.1) == (8, outcome));
            of_eight.map(|(_, count)| count).sum::<u64>()
        });
        assert_eq!(published, [44_975, 14_676, 124_624]);
        let known: BTreeSet<Key> = book.iter().map(|(key, _)| key).collect();
        assert_eq!(known.len(), reached);
    }

    #[test]
    fn a_sample_equals_what_the_solver_proves() {
        let step = 50_000;
        let book = standard();
        let solver = Solver::without_book(book.size(), 64).unwrap();
        let game = *solver.game();
        let mut known: Vec<_> = book.iter().collect();
        known.sort_unstable_by_key(|(key, _)| *key);
        known.dedup();
        let mut checked = [0; 3];
        for (key, value) in known.into_iter().skip(step / 2).step_by(step) {
            let position = game.position_of(key).unwrap();
            let solved = solver.value(position, &Control::default()).unwrap();
            assert_eq!(solved.value, value, "{key:?}");
            checked[(value.outcome.sign() + 1) as usize] += 1;
        }
        assert!(checked.iter().all(|count| *count > 0));
        assert_eq!(book.value(game.initial()).unwrap().outcome, Outcome::Win);
    }
}
