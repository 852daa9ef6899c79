//! Comparisons of static bounds with the exact values of all positions of whole boards.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::super::driver::Interval;
use super::super::engine::Engine;
use super::super::question::Root;
use super::super::score::{Score, score_of};
use super::super::table::Table;
use super::*;
use crate::control::Control;
use crate::exhaustive::{PositionGraph, Solution};
use crate::game::laws::Random;
use crate::game::{Game, Keyed, Outcome, Tiered};
use crate::games::line::{ConnectFour, Fixed, Size, Stones};
use crate::profiles::{self, visit::visit};

/// The numbers of positions, of bounds found, and of bounds equal to the score.
#[derive(Debug, Default)]
struct Found {
    positions: u64,
    bounds: u64,
    tight: u64,
}

fn laid_out(l: &Layout, position: Stones) -> Board {
    Board::new(l, l.convert_stones(position.own), l.convert_stones(position.other))
}

/// Checks the bound of every position of a board, for every window; `bound` is called with alpha.
fn check_everywhere(
    (width, height, line): (u8, u8, u8),
    bound: impl Fn(&Layout, &Board, i32, Score) -> Option<Score>,
) -> Found {
    let size = Size::new(width, height, line).unwrap();
    let game = ConnectFour::new(size).unwrap();
    let l = Layout::new(size);
    let control = Control::default();
    let tree = PositionGraph::build(game, game.initial(), &control).unwrap();
    let solution = Solution::of(tree, &control).unwrap();
    let mut found = Found::default();
    for entry in solution.canonical_entries().flatten() {
        if game.result(entry.position).is_some() {
            continue;
        }
        found.positions += 1;
        let empties = game.plies_left(entry.position) as i32;
        let score = score_of(entry.value, empties);
        let board = laid_out(&l, entry.position);
        let mut best = Score::MAX;
        for alpha in -(empties / 2) - 1..=empties / 2 + 1 {
            if let Some(upper) = bound(&l, &board, empties, alpha) {
                assert!(upper <= alpha);
                assert!(
                    score <= upper,
                    "{size}: bound {upper} for {alpha}, score {score}: {:?}",
                    crate::games::line::notation::picture(&game, entry.position)
                );
                best = best.min(upper);
            }
        }
        found.bounds += u64::from(best != Score::MAX && entry.value.outcome != Outcome::Win);
        found.tight += u64::from(best == score);
    }
    found
}

const SMALL: [(u8, u8, u8); 9] = [
    (4, 4, 4),
    (4, 4, 3),
    (3, 4, 3),
    (3, 5, 3),
    (4, 3, 3),
    (5, 3, 3),
    (3, 6, 3),
    (6, 2, 3),
    (3, 7, 4),
];

const LARGER: [(u8, u8, u8); 5] = [(5, 4, 4), (4, 5, 4), (5, 4, 3), (4, 5, 3), (4, 6, 4)];

fn check(
    bound: impl Fn(&Layout, &Board, i32, Score) -> Option<Score> + Copy,
    boards: &[(u8, u8, u8)],
) {
    for &size in boards {
        let found = check_everywhere(size, bound);
        assert!(0 < found.tight && found.tight <= found.bounds, "{size:?}: {found:?}");
        assert!(found.bounds < found.positions);
    }
}

#[test]
fn claimeven_on_small_boards() {
    check(|l, b, _, alpha| claimeven_bound(l, b, alpha, Effort::Quick), &SMALL);
    check(|l, b, _, alpha| claimeven_bound(l, b, alpha, Effort::Full), &SMALL);
}

#[test]
#[ignore = "a minute: every window of every position of 5x4, 4x5 and 4x6"]
fn claimeven_on_larger_boards() {
    check(|l, b, _, alpha| claimeven_bound(l, b, alpha, Effort::Quick), &LARGER);
    check(|l, b, _, alpha| claimeven_bound(l, b, alpha, Effort::Full), &LARGER);
}

/// Checks one in `share` positions of a whole board, with every effort, for the windows right below
/// and at its score, and for one far from it.
fn check_whole_board(width: u8, height: u8, share: u64) {
    let size = Size::new(width, height, 4).unwrap();
    let board = profiles::Board::new(size).unwrap();
    let game = *board.game();
    let l = Layout::new(size);
    let (asked, tight) = (AtomicU64::new(0), AtomicU64::new(0));
    visit(&board, |position, value| {
        // A cheap hash selects the positions.
        let number = game.key(position).0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let empties = game.plies_left(position) as i32;
        if empties == 0 || !number.is_multiple_of(share) {
            return;
        }
        let score = score_of(value, empties);
        let solver_board = laid_out(&l, position);
        let far = (number % 9) as i32 - 4;
        let mut found = false;
        for alpha in [score - 1, score, far] {
            for effort in [Effort::Quick, Effort::Full] {
                let Some(upper) = claimeven_bound(&l, &solver_board, alpha, effort) else {
                    continue;
                };
                assert!(
                    score <= upper && upper <= alpha,
                    "{size}: bound {upper} for {alpha}, score {score}: {}",
                    crate::games::line::notation::picture(&game, position)
                );
                found |= upper == score;
            }
        }
        asked.fetch_add(1, Relaxed);
        tight.fetch_add(u64::from(found), Relaxed);
    });
    let (asked, tight) = (asked.into_inner(), tight.into_inner());
    assert!(0 < tight && tight < asked, "{size}: {tight} of {asked}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of positions: run with --release")]
fn claimeven_on_every_position_of_whole_boards() {
    check_whole_board(5, 4, 1);
    check_whole_board(4, 6, 1);
    check_whole_board(5, 5, 1);
}

#[test]
#[ignore = "half an hour and gigabytes: every position of 6x4, 4x7 and 5x6; run with --release"]
fn claimeven_on_every_position_of_large_boards() {
    check_whole_board(6, 4, 1);
    check_whole_board(4, 7, 1);
    check_whole_board(5, 6, 1);
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
        let mut position = game.initial();
        for _ in 0..plies {
            let moves: Vec<_> = game.moves(position).into_iter().collect();
            position = game.play(position, moves[random.below(moves.len() as u32) as usize]);
            if game.result(position).is_some() {
                break;
            }
        }
        if game.result(position).is_some() {
            continue;
        }
        positions += 1;
        let empties = game.plies_left(position) as i32;
        let board = laid_out(&l, position);
        let root = Root { board, empties };
        let anything = Interval { lower: -32, upper: 32 };
        let (known, _) = engine.prove(root, anything, &Control::default(), |_| ()).unwrap();
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
