//! Searches that are refused, stopped, or have nothing to search; the search of every game against
//! minimax is tested in `crates/registry/tests/search.rs`.

use everyply::control::Control;
use everyply::game::{Game, Keyed, Outcome, Remoteness, Value};
use everyply::games::line::notation::parse_moves;
use everyply::games::line::{Standard, TicTacToe};
use everyply::search::{Evaluation, Points, Settings, SharedTable, minimax, search};
use everyply::statistics::{Iteration, SearchCounters};

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
