//! The solver in a word of 128 bits: against itself in 64, and on boards that need it.

use super::super::engine::Engine;
use super::super::layout::AnyLayout;
use super::answer::check_answers;
use super::*;
use crate::games::line::{LineGame, Word};

/// Returns the value of a position by an engine made for any layout, and the nodes it took.
fn solved_in<W: SolverWord>(size: Size, position: Stones<W>) -> (Interval, u64) {
    let l = Layout::<W>::new(size);
    let table = Table::new(&l, 8).unwrap();
    let board = Board::new(&l, l.convert_stones(position.own), l.convert_stones(position.other));
    let empties = size.cells() as i32 - i32::from(position.ply().0);
    let engine = Engine::new(AnyLayout(l), table);
    let root = Root { board, empties };
    // Node counts are those of one thread.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let wanted = all_scores(empties);
    pool.install(|| engine.prove(root, wanted, &Control::default(), |_| ()).unwrap())
}

fn widened(position: Stones) -> Stones<u128> {
    Stones { own: position.own.to_u128(), other: position.other.to_u128() }
}

/// Solves random positions of a board that fits both words after `plies` plies.
fn both_words_agree(
    (width, height, line): (u8, u8, u8),
    plies: u32,
    check: impl Fn((Interval, u64), (Interval, u64)),
) {
    let game = board(width, height, line);
    let mut random = Random::new(11);
    for _ in 0..if cfg!(debug_assertions) { 3 } else { 30 } {
        let position = random_position(&game, plies, &mut random);
        check(solved_in(game.size(), position), solved_in(game.size(), widened(position)));
    }
}

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
        both_words_agree(size, plies, |narrow, wide| {
            // Keys are mixed differently, so that larger tables would forget different ones.
            assert!(narrow.1 < 50_000, "{size:?}: {narrow:?}");
            assert_eq!(narrow, wide, "{size:?}");
        });
    }
}

#[test]
fn the_word_changes_no_value_where_the_layout_differs() {
    // In 128 bits columns of at most 7 cells are bytes, in 64 boards of more than 8
    // columns have no room for that.
    for (size, plies) in
        [((9, 3, 4), 6), ((12, 2, 3), 4), ((9, 4, 4), 14), ((10, 5, 4), 26), ((9, 6, 4), 30)]
    {
        both_words_agree(size, plies, |narrow, wide| assert_eq!(narrow.0, wide.0, "{size:?}"));
    }
}

/// Checks all answers of a solver about endgames of a board that does not fit 64 bits.
fn endgames_are_right((width, height, line): (u8, u8, u8), most_empties: u32) {
    let size = Size::new(width, height, line).unwrap();
    let solver =
        Solver::<u128>::without_book(size, Solver::default_table(size, 1).min(32)).unwrap();
    let game = *solver.game();
    let mut random = Random::new(8);
    for _ in 0..if cfg!(debug_assertions) { 5 } else { 60 } {
        let plies = size.cells() - 6 - random.below(most_empties - 5);
        let position = random_position(&game, plies, &mut random);
        let known = &mut FxHashMap::default();
        let value = oracle(&game, position, known);
        let moves: Vec<_> = game
            .moves(position)
            .into_iter()
            .map(|m| (m, oracle(&game, game.play(position, m), known).for_parent()))
            .collect();
        check_answers(&solver, position, value, &moves);
    }
}

#[test]
fn endgames_of_boards_over_64_bits() {
    for (size, most_empties) in [
        ((8, 8, 4), 14),
        ((9, 7, 4), 14),
        ((10, 8, 4), 13),
        ((12, 9, 5), 12),
        ((10, 10, 6), 12),
        ((16, 6, 5), 12),
        ((13, 5, 3), 11),
        ((32, 2, 3), 10),
        ((3, 25, 3), 14),
    ] {
        endgames_are_right(size, most_empties);
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
