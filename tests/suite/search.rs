//! Fast searches against plain minimax, and their proofs against whole solutions.

use everyply::control::Control;
use everyply::game::{Game, Keyed, Move, MoveSet, Outcome, Remoteness, Value, branches};
use everyply::games::line::notation::parse_moves;
use everyply::games::line::{Standard, TicTacToe};
use everyply::games::{Dots, Hexapawn, Nim};
use everyply::search::{
    Evaluation, MoveOrder, Points, Pruning, Report, RootScores, Searchable, Settings, SharedTable,
    minimax, search,
};
use everyply::statistics::{Iteration, Score, SearchCounters};
use fastrand::Rng;

use crate::support::{connect_four, mnk};

fn random_position<G: Searchable>(game: &G, random: &mut Rng) -> G::Position {
    let mut position = game.initial();
    for _ in 0..random.u32(..game.plies_left(position)) {
        let moves: Vec<_> = game.moves(position).into_iter().collect();
        let next = game.play(position, moves[random.usize(..moves.len())]);
        if game.result(next).is_some() {
            break;
        }
        position = next;
    }
    position
}

fn oracle<G: Searchable>(game: &G, position: G::Position, depth: u32) -> Points {
    let mut counters = SearchCounters::default();
    minimax(game, position, depth, Evaluation::Own, &Control::default(), &mut counters).unwrap()
}

/// A score from the side that moved, a ply further from a proven end.
fn for_parent(points: Points, keeps_turn: bool) -> Points {
    let nearer_to_zero = if points.is_decided() { points.0.signum() } else { 0 };
    let points = Points(points.0 - nearer_to_zero);
    if keeps_turn { points } else { -points }
}

/// Searches `positions` random positions in every way, and compares score, best moves, the score
/// of every move and the end of the principal variation with the oracle's.
fn agree<G: Searchable>(game: &G, positions: u32, deepest: u32) {
    let tables = [1, 3, 64].map(|mib| SharedTable::new(mib, game.key_bits()).unwrap());
    let pools = [1, 2, 8].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    let mut random = Rng::with_seed(u64::from(game.plies_left(game.initial()) + deepest));
    for i in 0..positions {
        let root = random_position(game, &mut random);
        let depth = random.u32(1..=deepest).min(game.plies_left(root));
        let true_points = oracle(game, root, depth);
        let below = |(bit, _, keeps, next)| {
            (Move(bit as u8), for_parent(oracle(game, next, depth - 1), keeps))
        };
        let true_moves: Vec<_> = branches(game, root).map(below).collect();
        let true_best = true_moves.iter().filter(|(_, p)| *p == true_points).map(|(m, _)| *m);
        let true_best: MoveSet = true_best.collect();
        let discount = game.discount(game.plies_left(root) - depth);

        let control = Control::default();
        let is_textbook = i % 4 == 3;
        let pool = &pools[i as usize % 3];
        let table = &tables[(i / 3) as usize % 3];
        for root_scores in [RootScores::OneBest, RootScores::AllBest, RootScores::All] {
            let settings = Settings { root_scores, split_after: 0, ..Settings::to_depth(depth) };
            let report = pool.install(|| {
                if is_textbook {
                    let kind = i as usize / 4;
                    let order = MoveOrder::ALL[kind % 3];
                    let prunings = [Pruning::AlphaBeta, Pruning::NullWindows, Pruning::History];
                    let pruning = prunings[kind / 3 % 3];
                    let table = Some(table).filter(|_| kind / 9 % 2 == 1);
                    let plain =
                        Settings { order, pruning, deepening: kind.is_multiple_of(2), ..settings };
                    search(game, root, &plain, table, &control, &mut |_| ())
                } else {
                    search(game, root, &settings, Some(table), &control, &mut |_| ())
                }
            });
            assert!(!report.stopped);
            assert_eq!(report.score, true_points.score(discount), "{game:?} {root:?} {depth}");
            if let Some(value) = true_points.decided() {
                assert_eq!(report.value, Some(value));
            }
            if root_scores == RootScores::OneBest {
                assert!(!report.best.is_empty() && report.best.without(true_best).is_empty());
            } else {
                assert_eq!(report.best, true_best);
            }
            for ((m, points), told) in true_moves.iter().zip(&report.root_moves) {
                assert_eq!(told.m, *m);
                // A proven root stops the deepening early: moves that are not proven by then
                // are told at that depth.
                let comparable = report.depth == depth || points.is_decided();
                let exact = root_scores == RootScores::All && comparable;
                if exact && told.value.map(|v| v.outcome) == points.decided().map(|v| v.outcome) {
                    assert_eq!(told.score, Some(points.score(discount)));
                }
                if let Some(value) = told.value.filter(|v| v.outcome != Outcome::Draw) {
                    assert_eq!(value.exact(), points.decided());
                }
            }
            if !is_textbook {
                check_variation(game, root, &report);
            }
        }
    }
}

/// The principal variation ends in a position of the score it promises.
fn check_variation<G: Searchable>(game: &G, root: G::Position, report: &Report) {
    let (mut position, mut turns) = (root, Vec::new());
    for &m in report.principal_variation() {
        let m = game.move_of_bit(position, m.0.into()).unwrap();
        turns.push(game.keeps_turn(position, m));
        position = game.play(position, m);
    }
    if let Some(outcome) = game.result(position) {
        let value =
            turns.iter().rev().fold(Value::over(outcome), |v, keeps| v.one_ply_earlier(*keeps));
        return assert_eq!(report.score, Score::of_value(value));
    }
    assert_eq!(turns.len() as u32, report.depth);
    let end = Points(game.evaluate(position));
    let end = turns.iter().fold(end, |points, keeps| if *keeps { points } else { -points });
    assert_eq!(report.score, end.score(game.discount(game.plies_left(root) - report.depth)));
}

#[test]
fn games_that_keep_the_turn_or_that_the_last_move_loses() {
    agree(&Nim::new(&[1, 3, 4], false).unwrap(), 60, 8);
    agree(&Nim::new(&[1, 3, 4], true).unwrap(), 60, 8);
    agree(&Hexapawn::new(3, 3).unwrap(), 60, 12);
    agree(&Dots::new(2, 2).unwrap(), 60, 6);
}

#[test]
fn boards_with_gravity() {
    for (width, height, line, positions, deepest) in [
        (4, 4, 4, 300, 6),
        (4, 5, 3, 200, 6),
        (5, 4, 4, 300, 6),
        (1, 7, 2, 60, 6),
        (5, 5, 4, 200, 6),
        (6, 5, 4, 200, 5),
        (6, 6, 5, 150, 5),
        (8, 7, 4, 60, 4),
    ] {
        agree(&connect_four(width, height, line), positions, deepest);
    }
}

#[test]
fn the_standard_board() {
    agree(&Standard::fixed(), 600, 6);
}

#[test]
fn boards_without_gravity() {
    agree(&mnk(3, 3, 3), 300, 6);
    agree(&mnk(4, 3, 3), 200, 5);
    agree(&mnk(5, 4, 4), 60, 4);
}

/// Keys that it cannot tell apart would give wrong scores.
#[test]
#[should_panic(expected = "make it for 49 bits of key")]
fn a_table_made_for_another_game_is_refused() {
    let (game, table) = (Standard::fixed(), SharedTable::new(16, 32).unwrap());
    let settings = Settings::to_depth(2);
    search(&game, game.initial(), &settings, Some(&table), &Control::default(), &mut |_| ());
}

#[test]
fn a_finished_game_has_no_moves_to_search() {
    let game = Standard::fixed();
    let root = parse_moves(&game, "1212121").unwrap();
    let settings = Settings::to_depth(8);
    let report = search(&game, root, &settings, None, &Control::default(), &mut |_| ());
    assert_eq!(report.value.map(|v| (v.outcome, v.remoteness.0)), Some((Outcome::Loss, 0)));
    assert!(report.iterations.is_empty() && report.root_moves.is_empty());
}

#[test]
fn a_stopped_search_reports_what_it_has() {
    let game = Standard::fixed();
    let control = Control::default();
    let table = SharedTable::new(4, game.key_bits()).unwrap();
    let (root, settings) = (game.initial(), Settings::to_depth(42));
    let mut stop = |i: &Iteration| {
        if i.depth == 9 {
            control.stop();
        }
    };
    let report = search(&game, root, &settings, Some(&table), &control, &mut stop);
    assert!(report.stopped);
    assert_eq!(report.iterations.len() as u32, report.depth);
    assert!(report.depth >= 9 && report.depth < 42);
}

#[test]
fn to_the_end_minimax_gives_the_exact_value() {
    let game = TicTacToe::fixed();
    let control = Control::default();
    let mut counters = SearchCounters::default();
    let root = minimax(&game, game.initial(), 9, Evaluation::Own, &control, &mut counters).unwrap();
    assert_eq!((root, counters.nodes, counters.leaf_evaluations), (Points::ZERO, 549_946, 0));
    let edge = parse_moves(&game, "12").unwrap();
    let edge = minimax(&game, edge, 7, Evaluation::Own, &control, &mut counters).unwrap();
    assert_eq!(edge.decided(), Some(Value::new(Outcome::Win, Remoteness(5))));
}
