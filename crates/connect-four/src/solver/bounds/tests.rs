//! Comparisons of static bounds with the exact values of all positions of whole boards.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::super::engine::{Engine, Root};
use super::super::engines::AnyEngine;
use super::super::score::{Interval, score_of};
use super::super::table::Table;
use super::super::tests::{SMALL_BOARDS, random_position};
use super::*;
use crate::profiles::{self, visit::visit};
use everyply_core::control::Control;
use everyply_core::game::{Keyed, Tiered};
use everyply_core::games::line::{ConnectFour, Fixed, Size};
use everyply_core::random::Random;

/// Checks the positions of a whole board, with every effort, for the windows right below and at the
/// score, and for one far from it; on small boards for every window.
fn check_whole_board(width: u8, height: u8, line: u8) {
    let size = Size::new(width, height, line).unwrap();
    let board = profiles::Board::new(size).unwrap();
    let game = *board.game();
    let l = Layout::new(size);
    let (positions, tight) = (AtomicU64::new(0), AtomicU64::new(0));
    visit(&board, |position, value| {
        // A cheap hash selects a window.
        let number = game.key(position).0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let empties = game.plies_left(position) as i32;
        if empties == 0 {
            return;
        }
        let score = score_of(value, empties);
        let solver_board = Board::new(&l, position);
        let far = (number % 9) as i32 - 4;
        let mut is_tight = false;
        let mut windows = vec![score - 1, score, far];
        if size.cells() <= 21 {
            windows = (-(empties / 2) - 1..=empties / 2 + 1).collect();
        }
        for alpha in windows {
            for effort in [Effort::Quick, Effort::Full] {
                let Some(upper) = claimeven_bound(&l, &solver_board, alpha, effort) else {
                    continue;
                };
                assert!(
                    score <= upper && upper <= alpha,
                    "{size}: bound {upper} for {alpha}, score {score}: {}",
                    everyply_core::games::line::notation::picture(&game, position)
                );
                is_tight |= upper == score;
            }
        }
        positions.fetch_add(1, Relaxed);
        tight.fetch_add(u64::from(is_tight), Relaxed);
    });
    let (positions, tight) = (positions.into_inner(), tight.into_inner());
    assert!(0 < tight && tight < positions, "{size}: {tight} of {positions}");
}

#[test]
fn claimeven_on_every_position_of_small_boards() {
    for (width, height, line) in SMALL_BOARDS {
        check_whole_board(width, height, line);
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of positions: run with --release")]
fn claimeven_on_every_position_of_whole_boards() {
    check_whole_board(5, 4, 4);
    check_whole_board(4, 6, 4);
}

#[test]
#[ignore = "half an hour and gigabytes: every position of 5x5 to 5x6; run with --release"]
fn claimeven_on_every_position_of_large_boards() {
    check_whole_board(5, 5, 4);
    check_whole_board(6, 4, 4);
    check_whole_board(4, 7, 4);
    check_whole_board(5, 6, 4);
}

/// Compares the bounds of random standard positions with a search without static bounds.
#[test]
fn claimeven_on_random_standard_positions() {
    let size = Size::new(7, 6, 4).unwrap();
    let game = ConnectFour::new(size).unwrap();
    let l = Layout::new(size);
    let table = Table::new(&l, 8).unwrap();
    let engine = Engine::new(Fixed::<7, 6, 4>, table).without_static_bounds();
    let mut random = Random::new(2024);
    let wanted = if cfg!(debug_assertions) { 100 } else { 6000 };
    let (mut positions, mut bounds) = (0, 0);
    while positions < wanted {
        let plies = 20 + random.below(16);
        let position = random_position(&game, plies, &mut random);
        positions += 1;
        let empties = game.plies_left(position) as i32;
        let board = Board::new(&l, position);
        let root = Root { board, empties };
        let anything = Interval { lower: -32, upper: 32 };
        let (known, _) = engine.prove(root, anything, &Control::default(), &mut |_| ()).unwrap();
        for alpha in -4..=4 {
            for effort in [Effort::Quick, Effort::Full] {
                if let Some(upper) = claimeven_bound(&l, &board, alpha, effort) {
                    assert!(known.upper <= upper && upper <= alpha, "{position:?}");
                    bounds += 1;
                }
            }
        }
    }
    assert!(bounds > wanted / 10, "{bounds} bounds");
}
