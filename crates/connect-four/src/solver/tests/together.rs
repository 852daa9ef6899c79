//! Windows searched by many threads together, from the first node on.

use super::super::board::Resolved;
use super::super::engine::Engine;
use super::super::threads::SearchThreads;
use super::*;
use crate::games::line::Fixed;

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
                let found = pool.install(|| threads.search(alpha)).unwrap();
                let is_a_bound = if found > alpha { found <= score } else { score <= found };
                assert!(is_a_bound, "{position:?}: {score}, above {alpha}: {found}");
            }
            all_nodes += threads.end();
            assert!(engine.busy.are_half(0), "threads that end early leave nothing busy");
        }
        assert!(all_nodes > 10_000);
    }
}

#[test]
fn stopped_threads_return_an_error() {
    let size = Size::new(7, 6, 4).unwrap();
    let engine = Engine::new(Fixed::<7, 6, 4>, Table::new(&Layout::<u64>::new(size), 1).unwrap());
    let game = board(7, 6, 4);
    let solver = Solver::without_book(size, 1).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let control = Control::default();
    let root = solver.root(game.initial());
    control.stop();
    let mut threads = SearchThreads::of_all(&engine, &root, &control, 4);
    assert!(pool.install(|| threads.search(0)).is_err());
    assert!(threads.end() < 100_000);
}

#[test]
fn busy_moves_are_deferred_and_no_entry_stays_busy() {
    let size = Size::new(7, 6, 4).unwrap();
    let control = Control::default();
    let mut random = Random::new(4);
    let solver = Solver::without_book(size, 1).unwrap();
    let (_, root) = quiet_position(&solver, 14, &mut random);
    // One thread, first on its own, then with every second position marked busy.
    let searched = [0, 1].map(|others| {
        let engine =
            Engine::new(Fixed::<7, 6, 4>, Table::new(&Layout::<u64>::new(size), 1).unwrap());
        engine.busy.set_half(others);
        let mut threads = SearchThreads::of_all(&engine, &root, &control, 1);
        let sides = [-3, -1, 0, 2].map(|alpha| threads.search(alpha).unwrap() > alpha);
        assert!(engine.busy.are_half(others));
        (sides, threads.end())
    });
    assert_eq!(searched[0].0, searched[1].0);
    assert!(searched[0].1 > 1_000, "{searched:?}");
    assert_ne!(searched[0].1, searched[1].1, "the order differs");
}
