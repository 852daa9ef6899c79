//! The searches compiled for different processors.

use super::super::driver::Interval;
use super::super::engine::Engine;
use super::super::layout::{AnyLayout, LayoutSource};
use super::*;
use crate::games::line::Fixed;
use crate::processor::Processor;

/// Checks that the searches for all processors visit the same tree: they report the same bounds in
/// the same order, with the same number of nodes.
fn all_search_alike<W: SolverWord, L: LayoutSource<Word = W> + Copy>(
    layout: L,
    mib: u64,
    positions: u32,
    plies: u32,
) {
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
    let mut random = Random::new(size.cells().into());
    let mut all_nodes = 0;
    for _ in 0..positions {
        let position = random_position(solver.game(), plies + random.below(4), &mut random);
        let root = solver.root(position);
        let anything = Interval { lower: -64, upper: 64 };
        let mut expected = None;
        for (processor, engine) in &engines {
            let mut steps = Vec::new();
            let mut see = |known| steps.push(known);
            let proof = one.install(|| engine.prove(root, anything, &control, &mut see));
            let found = (proof.unwrap(), steps);
            all_nodes += found.0.1;
            let expected = expected.get_or_insert_with(|| found.clone());
            assert_eq!(*expected, found, "{size} {processor:?} {position:?}");
        }
    }
    assert!(all_nodes > 20 * u64::from(positions), "{size}: {all_nodes}");
}

#[test]
fn all_processors_search_the_same_tree() {
    let few = if cfg!(debug_assertions) { 2 } else { 50 };
    all_search_alike(Fixed::<7, 6, 4>, 1, few, 14);
    all_search_alike(Fixed::<6, 7, 4>, 1, few, 14);
    all_search_alike(Fixed::<8, 6, 4>, 2, few, 22);
    let any = |width, height, line, mib, positions, plies| {
        let size = Size { width, height, line };
        all_search_alike(AnyLayout(Layout::<u64>::new(size)), mib, positions, plies);
    };
    any(7, 6, 3, 1, few, 2);
    any(6, 6, 5, 1, few, 16);
    any(9, 5, 4, 1, few, 22);
    any(10, 5, 6, 1, few, 32);
    any(12, 4, 4, 1, few, 28);
    any(5, 8, 4, 1, few, 14);
    // Keys are narrow in so small a table.
    any(8, 7, 4, 1, few, 24);
    let size = Size { width: 8, height: 8, line: 4 };
    all_search_alike(AnyLayout(Layout::<u128>::new(size)), 1, few, 28);
}
