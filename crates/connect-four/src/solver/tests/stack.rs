//! Searches on threads with a small stack: the pool of a caller may have less than the 2 MiB of
//! the program's own pool, and a build without optimisation needs much more.
//!
//! A search that overflows its stack ends the test process.

use std::time::Duration;

use super::super::engine::Engine;
use super::super::layout::{AnyLayout, LayoutSource};
use super::super::threads::SearchThreads;
use super::*;
use crate::game::Remoteness;
use crate::games::line::{Fixed, Word};
use crate::processor::Processor;

/// The stack that must be enough for any search.
const STACK: usize = if cfg!(debug_assertions) { 2 << 20 } else { 128 << 10 };

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build().unwrap()
}

fn any_layout<W: Word>(width: u8, height: u8) -> AnyLayout<W> {
    AnyLayout(Layout::new(Size::new(width, height, 4).unwrap()))
}

/// Creates engines for all available processors, without the bounds that end a search early.
fn engines<L: LayoutSource + Copy>(layout: L) -> impl Iterator<Item = Engine<L>> {
    Processor::available().into_iter().map(move |processor| {
        let table = Table::new(layout.geometry(), 8).unwrap();
        Engine::new(layout, table).with_processor(processor).without_static_bounds()
    })
}

fn empty_board<L: LayoutSource>(layout: L) -> Root<L::Word> {
    let l = layout.geometry();
    Root { board: Board::new(l, L::Word::ZERO, L::Word::ZERO), empties: l.cells() }
}

#[test]
fn a_position_is_solved_with_a_small_stack() {
    let solver = Solver::<u64>::without_book(Size::new(7, 6, 4).unwrap(), 8).unwrap();
    let position = parse_moves(solver.game(), "44444326").unwrap();
    let solved = pool(1).install(|| solver.value(position, &Control::default()).unwrap());
    assert_eq!(solved.value, Value::new(Outcome::Draw, Remoteness(34)));
}

/// Searches a board of one column: its only game is a draw, and every ply of it is a node.
fn search_a_column<W: SolverWord>(height: u8) {
    let layout = any_layout::<W>(1, height);
    let (root, control) = (empty_board(layout), Control::default());
    for engine in engines(layout) {
        let alone = || engine.prove(root, all_scores(root.empties), &control, &mut |_| ()).unwrap();
        let (known, nodes) = pool(1).install(alone);
        assert_eq!(known, Interval { lower: 0, upper: 0 }, "{height} cells");
        assert!(nodes >= u64::from(height) - 2);
    }
    for engine in engines(layout) {
        let mut threads = SearchThreads::of_all(&engine, &root, &control, 3);
        let sides = [-1, 0].map(|alpha| pool(3).install(|| threads.search(alpha).unwrap()) > alpha);
        assert_eq!(sides, [true, false], "{height} cells");
    }
}

#[test]
fn the_longest_games_are_searched_with_a_small_stack() {
    search_a_column::<u64>(63);
    search_a_column::<u128>(120);
}

/// Searches an empty board for a while.
fn begin_to_search<L: LayoutSource + Copy>(layout: L) {
    const NODES: u64 = if cfg!(debug_assertions) { 1 << 12 } else { 1 << 17 };
    let root = empty_board(layout);
    for threads in [1, 3] {
        for engine in engines(layout) {
            let (control, pool) = (Control::default(), pool(threads));
            std::thread::scope(|scope| {
                let prove = || engine.prove(root, all_scores(root.empties), &control, &mut |_| ());
                let search = scope.spawn(move || pool.install(prove));
                while control.progress().0 < NODES && !search.is_finished() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                control.stop();
                assert!(search.join().unwrap().is_err(), "solved within so few nodes");
            });
        }
    }
}

#[test]
fn large_boards_are_searched_with_a_small_stack() {
    begin_to_search(Fixed::<7, 6, 4>);
    begin_to_search(any_layout::<u64>(16, 3));
    begin_to_search(any_layout::<u128>(8, 8));
    begin_to_search(any_layout::<u128>(9, 7));
    begin_to_search(any_layout::<u128>(10, 8));
}
