//! Tests of games of stones and lines over random games: the laws of the traits, and their own.

use super::brute_force::falling::Falling;
use super::every_law;
use crate::game::laws::{self, random_positions};
use crate::game::{Game, Key, Keyed, Move, MoveSet, Notation, Outcome, Shown, Symmetry};
use crate::games::line::notation::{
    parse_moves, parse_picture, picture, side_to_move, some_moves_to, write_moves,
};
use crate::games::line::{
    ConnectFour, LineGame, Mnk, Size, SizeError, Standard, Stones, TicTacToe, Wide, Word,
};

fn check<W: Word, G: LineGame<W> + Shown>(game: G) {
    every_law(&game);
    laws::tiered(&game);
    laws::perft(&game);
    laws::urgent(&game);
    random_positions(&game, 60, |p| {
        moves_follow_the_rules(game, p);
        inverses_undo_symmetries(game, p);
        notation_leads_back(game, p);
    });
    assert_eq!(game.position_of(Key(!W::ZERO)), None);
}

/// Checks that two implementations of one board are the same game, perhaps in different words.
fn check_same<V: Word, W: Word, A: LineGame<V> + Notation, B: LineGame<W>>(a: A, b: B) {
    let same = |cells: V| W::narrow(cells.to_u128());
    let positions = |p: Stones<V>| Stones { own: same(p.own), other: same(p.other) };
    random_positions(&a, 200, |p| {
        let q = positions(p);
        assert_eq!(a.moves(p), b.moves(q));
        assert_eq!(a.winning_moves(p), b.winning_moves(q));
        assert_eq!(a.result(p), b.result(q));
        assert_eq!(a.last_moves(p), b.last_moves(q));
        let (key, symmetry) = a.canonical(p);
        assert_eq!((Key(same(key.0)), symmetry), b.canonical(q));
        assert_eq!(picture(&a, p), picture(&b, q));
        if a.result(p).is_none() {
            let completing = a.completing_cells(p.own);
            assert_eq!(same(completing), b.completing_cells(q.own));
            assert_eq!(a.two_plies(p, completing), b.two_plies(q, same(completing)));
            for m in a.moves(p) {
                assert_eq!(positions(a.play(p, m)), b.play(q, m));
            }
        }
    });
    assert_eq!(a.centre_first(), b.centre_first());
    assert_eq!(a.symmetries(), b.symmetries());
}

fn moves_follow_the_rules<W: Word, G: LineGame<W>>(game: G, p: Stones<W>) {
    assert_eq!(game.moves(p).is_empty(), game.plies_left(p) == 0);
    assert!(game.moves(p).into_iter().is_sorted_by(|a, b| a < b));
    let over = game.result(p).is_some();
    let mut winning = MoveSet::EMPTY;
    for m in game.moves(p) {
        let next = game.play(p, m);
        assert_eq!(next.ply().0, p.ply().0 + 1);
        assert_eq!(next.own, p.other);
        assert!(game.last_moves(next).contains(m));
        assert_eq!(game.take_back(next, m), p);
        assert_eq!(next.other & p.own, p.own);
        if game.result(next) == Some(Outcome::Loss) {
            winning = winning.with(m);
        }
    }
    if !over {
        assert_eq!(game.winning_moves(p), winning);
    }
    for tried in (0..=u8::MAX).map(Move) {
        let is_legal = !over && game.moves(p).into_iter().any(|m| m == tried);
        assert_eq!(game.try_play(p, tried).ok(), is_legal.then(|| game.play(p, tried)));
    }
    let mut order = game.centre_first().to_vec();
    order.sort();
    assert!(game.moves(p).into_iter().all(|m| order.contains(&m)));
    order.dedup();
    assert_eq!(order.len(), game.centre_first().len());
}

fn inverses_undo_symmetries<W: Word, G: LineGame<W>>(game: G, p: Stones<W>) {
    for symmetry in (0..game.symmetries()).map(Symmetry) {
        let image = game.position_of(game.image_key(p, symmetry)).unwrap();
        assert_eq!(game.image_key(image, game.inverse(symmetry)), game.key(p));
        assert_eq!(
            MoveSet::from(game.moves(image)),
            game.image_moves(p, game.moves(p).into(), symmetry)
        );
        for m in game.moves(p) {
            let there = game.image_move(m, symmetry);
            assert_eq!(game.image_move(there, game.inverse(symmetry)), m);
        }
    }
}

fn notation_leads_back<W: Word, G: LineGame<W>>(game: G, p: Stones<W>) {
    let moves = some_moves_to(&game, p).unwrap();
    assert_eq!(parse_picture(&game, &picture(&game, p)), Ok((p, moves.clone())));
    assert_eq!(parse_moves(&game, &write_moves(&game, &moves)), Ok(p));
}

pub fn mnk(width: u8, height: u8, line: u8) -> Mnk {
    Mnk::new(Size { width, height, line }).unwrap()
}

pub fn drops(width: u8, height: u8, line: u8) -> ConnectFour {
    ConnectFour::new(Size { width, height, line }).unwrap()
}

fn wide(width: u8, height: u8, line: u8) -> Wide {
    Wide::wide(Size { width, height, line }).unwrap()
}

#[test]
fn the_laws_hold_for_stones_on_any_cell() {
    check(TicTacToe::fixed());
    for (width, height, line) in [
        (3, 3, 3),
        (4, 3, 3),
        (3, 4, 4),
        (5, 2, 3),
        (4, 4, 4),
        (6, 6, 5),
        (8, 5, 4),
        (1, 1, 1),
        (2, 2, 1),
        (40, 1, 3),
        (1, 40, 40),
        (2, 2, 3),
    ] {
        check(mnk(width, height, line));
    }
    check_same(TicTacToe::fixed(), mnk(3, 3, 3));
}

#[test]
fn the_laws_hold_for_stones_that_fall() {
    check(Standard::fixed());
    for (width, height, line) in [
        (7, 6, 4),
        (4, 4, 4),
        (5, 3, 3),
        (1, 63, 4),
        (2, 31, 2),
        (8, 7, 4),
        (9, 6, 5),
        (3, 2, 1),
        (32, 1, 4),
        (3, 9, 4),
    ] {
        check(drops(width, height, line));
    }
    check_same(Standard::fixed(), drops(7, 6, 4));
}

#[test]
fn the_laws_hold_on_wide_boards() {
    for (width, height, line) in [
        (8, 8, 4),
        (9, 7, 4),
        (10, 8, 5),
        (7, 9, 3),
        (10, 11, 6),
        (32, 3, 3),
        (4, 31, 4),
        (1, 127, 4),
        (16, 7, 4),
    ] {
        check(wide(width, height, line));
    }
    check_same(Standard::fixed(), wide(7, 6, 4));
    for (width, height, line) in [(4, 15, 4), (9, 6, 5), (5, 5, 3), (32, 1, 4), (3, 4, 4)] {
        check_same(drops(width, height, line), wide(width, height, line));
        check_same(wide(width, height, line), drops(width, height, line));
    }
}

#[test]
fn wide_games_end_where_a_line_can_be_seen() {
    for (width, height, line) in [(8, 8, 4), (10, 8, 4), (9, 7, 5), (12, 9, 3)] {
        let game = wide(width, height, line);
        let rules = Falling::new((width, height), line);
        let mut lines = 0;
        random_positions(&game, 200, |p| {
            let drawn = picture(&game, p);
            let cells: Vec<u8> = drawn.bytes().filter(|cell| *cell != b'/').collect();
            let seen = [b'X', b'O'].map(|side| rules.has_line(&cells, side));
            lines += u32::from(seen[0] || seen[1]);
            let last = usize::from(side_to_move(p) == 'X');
            assert!(!seen[1 - last], "{drawn}");
            let full = !drawn.contains('.');
            let outcome = match (seen[last], full) {
                (true, _) => Some(Outcome::Loss),
                (false, true) => Some(Outcome::Draw),
                _ => None,
            };
            assert_eq!(game.result(p), outcome, "{drawn}");
        });
        assert!(lines > 100);
    }
}

#[test]
fn the_keys_worked_out_by_hand() {
    let game = Standard::fixed();
    let position =
        [3, 3, 2].into_iter().fold(game.initial(), |p, column| game.play(p, Move(column)));
    let expected = 0b10 << 14 | 0b110 << 21 | 1 | 1 << 7 | 1 << 28 | 1 << 35 | 1u64 << 42;
    assert_eq!(game.key(position), Key(expected));
    // X on the centre (digit 4), O on the top left (digit 0).
    let game = TicTacToe::fixed();
    let position = game.play(game.play(game.initial(), Move(4)), Move(0));
    assert_eq!(game.key(position), Key(81 + 2));
}

#[test]
fn boards_that_do_not_fit_the_word_are_refused() {
    let refused = |(width, height)| {
        let size = Size { width, height, line: 4 };
        let too_large = |error| matches!(error, SizeError::TooLarge { .. });
        [
            Mnk::new(size).is_err_and(too_large),
            ConnectFour::new(size).is_err_and(too_large),
            Wide::wide(size).is_err_and(too_large),
        ]
    };
    assert_eq!(refused((7, 6)), [true, false, false]);
    for board in [(8, 8), (10, 6), (1, 64)] {
        assert_eq!(refused(board), [true, true, false], "{board:?}");
    }
    for board in [(12, 10), (33, 1), (1, 128), (255, 255)] {
        assert!(refused(board)[1..] == [true; 2], "{board:?}");
    }
}
