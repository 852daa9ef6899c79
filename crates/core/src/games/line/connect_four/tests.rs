//! Connect Four: the laws on boards of many sizes and in both words, keys, refusals.

use super::*;
use crate::game::Outcome;
use crate::games::brute_force::Falling;
use crate::games::line::laws;
use crate::games::line::notation::{picture, side_to_move};

fn board(width: u8, height: u8, line: u8) -> ConnectFour {
    ConnectFour::new(Size::new(width, height, line).unwrap()).unwrap()
}

#[test]
fn the_laws_hold() {
    laws::check(Standard::fixed());
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
        laws::check(board(width, height, line));
    }
}

#[test]
fn constants_and_run_time_sizes_agree() {
    laws::check_same(Standard::fixed(), board(7, 6, 4));
}

fn wide(width: u8, height: u8, line: u8) -> Wide {
    Wide::wide(Size::new(width, height, line).unwrap()).unwrap()
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
        laws::check(wide(width, height, line));
    }
}

#[test]
fn both_words_play_the_same_game() {
    laws::check_same(Standard::fixed(), wide(7, 6, 4));
    for (width, height, line) in [(4, 15, 4), (9, 6, 5), (5, 5, 3), (32, 1, 4), (3, 4, 4)] {
        laws::check_same(board(width, height, line), wide(width, height, line));
        laws::check_same(wide(width, height, line), board(width, height, line));
    }
}

#[test]
fn wide_games_end_where_a_line_can_be_seen() {
    for (width, height, line) in [(8, 8, 4), (10, 8, 4), (9, 7, 5), (12, 9, 3)] {
        let game = wide(width, height, line);
        let rules = Falling::new((width, height), line);
        let mut lines = 0;
        crate::game::laws::random_positions(&game, 200, |p| {
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
fn the_key_worked_out_by_hand() {
    let game = Standard::fixed();
    let position =
        [3, 3, 2].into_iter().fold(game.initial(), |p, column| game.play(p, Move(column)));
    let expected = 0b10 << 14 | 0b110 << 21 | 1 | 1 << 7 | 1 << 28 | 1 << 35 | 1u64 << 42;
    assert_eq!(game.key(position), Key(expected));
}

#[test]
fn boards_over_64_bits_are_refused() {
    for (width, height) in [(8, 8), (10, 6), (1, 64), (33, 1), (255, 255)] {
        let size = Size::new(width, height, 4).unwrap();
        assert!(matches!(ConnectFour::new(size), Err(SizeError::TooLarge { .. })));
    }
}

#[test]
fn boards_over_128_bits_are_refused() {
    for (width, height) in [(12, 10), (33, 1), (1, 128), (255, 255)] {
        let size = Size::new(width, height, 4).unwrap();
        let refused = Wide::wide(size).unwrap_err().to_string();
        assert!(refused.contains("<= 128 and at most 32 columns"), "{refused}");
    }
}
