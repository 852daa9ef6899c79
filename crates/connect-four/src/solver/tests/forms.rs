//! The forms of the solver: windows searched by many threads together, from the first node on;
//! searches compiled for different processors, and on threads with a small stack.
//!
//! The pool of a caller may have less stack than the 2 MiB of the program's own pool, and a build
//! without optimisation needs much more. A search that overflows its stack ends the test process.

use std::time::Duration;

use super::super::board::Resolved;
use super::super::engine::Engine;
use super::super::engines::SearchThreads;
use super::super::layout::LayoutSource;
use super::super::score::Interval;
use super::*;
use crate::processor::Processor;
use everyply_core::games::line::{AnySize, Fixed, Word};
use everyply_core::search::BusyTable;

/// Returns a quiet position after `plies` random moves, and its root.
fn quiet_position(solver: &Solver, plies: u32, random: &mut Random) -> (Stones, Root) {
    loop {
        let position = random_position(solver.game(), plies, random);
        let root = solver.root(position);
        let l = solver.engine.layout();
        let wins = root.board.own_threats & l.playable(root.board.occupied());
        if wins == 0 && matches!(root.board.resolve(l, root.empties), Resolved::Quiet(_, 0)) {
            return (position, root);
        }
    }
}

#[test]
fn windows_searched_together_are_on_the_right_side() {
    let size = Size::new(7, 6, 4).unwrap();
    let control = Control::default();
    let alone = Solver::without_book(size, 8).unwrap();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut random = Random::new(23);
    for threads in [2, 8, 16] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // One table for all positions: a wrong entry shows in later positions too.
        let table = Table::new(&Layout::<u64>::new(size), 1).unwrap();
        let engine = Engine::new(Fixed::<7, 6, 4>, table);
        let mut all_nodes = 0;
        for _ in 0..if cfg!(debug_assertions) { 3 } else { 60 } {
            let (position, root) = quiet_position(&alone, 11 + random.below(6), &mut random);
            let value = one.install(|| alone.value(position, &control).unwrap().value);
            let score = score_of(value, root.empties);
            let mut threads = SearchThreads::of_all(&engine, &root, &control, threads);
            // Windows approach the score: bounds of one window help in the next.
            for alpha in (0..8).flat_map(|off| [score - 8 + off, score + 7 - off]) {
                let bound = pool.install(|| threads.search(alpha)).unwrap();
                let is_a_bound = if bound > alpha { bound <= score } else { score <= bound };
                assert!(is_a_bound, "{position:?}: {score}, above {alpha}: {bound}");
            }
            all_nodes += threads.end();
            let mut all = (0..BusyTable::ENTRIES).map(|i| engine.busy.entry(i));
            assert!(all.all(|entry| !entry.is_busy()), "threads that end early leave nothing busy");
        }
        assert!(all_nodes > 10_000);
    }
}

#[test]
fn busy_moves_are_deferred_and_no_entry_stays_busy() {
    let size = Size::new(7, 6, 4).unwrap();
    let control = Control::default();
    let mut random = Random::new(4);
    let solver = Solver::without_book(size, 1).unwrap();
    let (_, root) = quiet_position(&solver, 14, &mut random);
    // One thread, first on its own, then with every second entry marked busy.
    let searched = [0, 1].map(|others| {
        let engine =
            Engine::new(Fixed::<7, 6, 4>, Table::new(&Layout::<u64>::new(size), 1).unwrap());
        let half = (0..others * BusyTable::ENTRIES).step_by(2);
        let marks: Vec<_> = half.map(|i| engine.busy.entry(i).enter()).collect();
        let mut threads = SearchThreads::of_all(&engine, &root, &control, 1);
        let sides = [-3, -1, 0, 2].map(|alpha| threads.search(alpha).unwrap() > alpha);
        for i in 0..BusyTable::ENTRIES {
            assert_eq!(engine.busy.entry(i).is_busy(), others == 1 && i % 2 == 0);
        }
        drop(marks);
        (sides, threads.end())
    });
    assert_eq!(searched[0].0, searched[1].0);
    assert!(searched[0].1 > 1_000, "{searched:?}");
    assert_ne!(searched[0].1, searched[1].1, "the order differs");
}

/// The stack that must be enough for any search.
const STACK: usize = if cfg!(debug_assertions) { 2 << 20 } else { 128 << 10 };

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build().unwrap()
}

fn any_layout<W: Word>(width: u8, height: u8) -> AnySize<Layout<W>> {
    AnySize(Layout::new(Size::new(width, height, 4).unwrap()))
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
    Root { board: Board::new(l, Stones::default()), empties: l.cells() }
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

/// Checks that the searches for all processors visit the same tree: they report the same bounds in
/// the same order, with the same number of nodes.
fn all_search_alike<W: SolverWord, L: LayoutSource<Word = W> + Copy>(
    layout: L,
    mib: u64,
    plies: u32,
) {
    const POSITIONS: u32 = 50;
    let size = layout.geometry().size;
    let solver = Solver::<W>::without_book(size, mib).unwrap();
    let control = Control::default();
    let engines: Vec<_> = Processor::available()
        .into_iter()
        .map(|processor| {
            let table = Table::new(layout.geometry(), mib).unwrap();
            (processor, Engine::new(layout, table).with_processor(processor))
        })
        .collect();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut random = Random::new(100 + u64::from(size.cells()));
    let mut all_nodes = 0;
    for _ in 0..POSITIONS {
        let position = random_position(solver.game(), plies + random.below(4), &mut random);
        let root = solver.root(position);
        let anything = Interval { lower: -64, upper: 64 };
        let mut expected = None;
        for (processor, engine) in &engines {
            let mut steps = Vec::new();
            let mut see = |known| steps.push(known);
            let proof = one.install(|| engine.prove(root, anything, &control, &mut see));
            let search = (proof.unwrap(), steps);
            all_nodes += search.0.1;
            let expected = expected.get_or_insert_with(|| search.clone());
            assert_eq!(*expected, search, "{size} {processor:?} {position:?}");
        }
    }
    assert!(all_nodes > 20 * u64::from(POSITIONS), "{size}: {all_nodes}");
}

#[test]
fn all_processors_search_the_same_tree() {
    all_search_alike(Fixed::<7, 6, 4>, 1, 14);
    all_search_alike(Fixed::<6, 7, 4>, 1, 14);
    all_search_alike(Fixed::<8, 6, 4>, 2, 22);
    let any = |width, height, line, mib, plies| {
        let size = Size { width, height, line };
        all_search_alike(AnySize(Layout::<u64>::new(size)), mib, plies);
    };
    any(7, 6, 3, 1, 2);
    any(6, 6, 5, 1, 16);
    any(9, 5, 4, 1, 22);
    any(10, 5, 6, 1, 32);
    any(12, 4, 4, 1, 28);
    any(5, 8, 4, 1, 14);
    // Keys are narrow in so small a table.
    any(8, 7, 4, 1, 24);
    let size = Size { width: 8, height: 8, line: 4 };
    all_search_alike(AnySize(Layout::<u128>::new(size)), 1, 28);
}
