//! The forms of the solver: words of 64 and 128 bits, and the searches compiled for different
//! processors.

use super::super::driver::Interval;
use super::super::engine::Engine;
use super::super::layout::LayoutSource;
use super::*;
use crate::games::line::{AnySize, Fixed, LineGame, Word};
use crate::processor::Processor;

/// Returns the value of a position by an engine made for any layout, and the nodes it took.
fn solved_in<W: SolverWord>(size: Size, position: Stones<W>) -> (Interval, u64) {
    let l = Layout::<W>::new(size);
    let table = Table::new(&l, 8).unwrap();
    let board = Board::new(&l, l.convert_stones(position.own), l.convert_stones(position.other));
    let empties = size.cells() as i32 - i32::from(position.ply().0);
    let engine = Engine::new(AnySize(l), table);
    let root = Root { board, empties };
    // Node counts are those of one thread.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let wanted = all_scores(empties);
    pool.install(|| engine.prove(root, wanted, &Control::default(), &mut |_| ()).unwrap())
}

/// Solves random positions of boards that fit both words.
#[test]
fn the_word_changes_no_node_where_the_layout_is_the_same() {
    for (size, plies) in [
        ((4, 4, 4), 0),
        ((5, 4, 4), 0),
        ((5, 5, 3), 0),
        ((5, 5, 4), 4),
        ((6, 5, 4), 8),
        ((6, 6, 5), 18),
        ((7, 6, 4), 18),
        ((8, 5, 4), 18),
        ((8, 6, 4), 24),
        ((8, 7, 4), 32),
        ((5, 10, 4), 28),
    ] {
        let (width, height, line) = size;
        let game = board(width, height, line);
        let mut random = Random::new(11);
        for _ in 0..if cfg!(debug_assertions) { 3 } else { 30 } {
            let narrow = random_position(&game, plies, &mut random);
            let wide = Stones { own: narrow.own.to_u128(), other: narrow.other.to_u128() };
            let [narrow, wide] = [solved_in(game.size(), narrow), solved_in(game.size(), wide)];
            // Keys are mixed differently, so that larger tables would forget different ones.
            assert!(narrow.1 < 50_000, "{size:?}: {narrow:?}");
            assert_eq!(narrow, wide, "{size:?}");
        }
    }
}

#[test]
fn boards_and_tables_that_are_refused_in_128_bits() {
    let solver = |width, height, mib| {
        Solver::<u128>::without_book(Size::new(width, height, 4).unwrap(), mib).map(|_| ())
    };
    for (width, height) in [(11, 11), (33, 2), (1, 128), (255, 255)] {
        assert!(matches!(solver(width, height, 64), Err(SolverError::Size(_))));
    }
    for (width, height, mib, least) in [(11, 10, 1, 2), (14, 8, 63, 64), (16, 7, 128, 256)] {
        let error = solver(width, height, mib).unwrap_err();
        assert_eq!(error, SolverError::Table(TableError::Key { mib, least }));
        assert!(error.to_string().contains(&format!("at least {least} MiB")));
        let size = Size::new(width, height, 4).unwrap();
        assert_eq!(Solver::default_table(size, 1), least.max(256));
    }
    assert!(solver(11, 10, 64).is_ok());
}

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
        all_search_alike(AnySize(Layout::<u64>::new(size)), mib, positions, plies);
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
    all_search_alike(AnySize(Layout::<u128>::new(size)), 1, few, 28);
}
