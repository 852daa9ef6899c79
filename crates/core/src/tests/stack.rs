//! Searches of the longest games on threads with little stack.
//!
//! A search that overflows its stack ends the test process.

use super::lines::drops;
use crate::control::Control;
use crate::exhaustive::{count_plies, walk};
use crate::game::{Game, Keyed, Outcome, Remoteness, Value};
use crate::search::{Evaluation, Points, Settings, SharedTable, minimax, search};
use crate::statistics::SearchCounters;

/// The bytes of stack that suffice for every search.
const STACK: usize = if cfg!(debug_assertions) { 2 << 20 } else { 128 << 10 };

/// A board of one column has one game: a draw, with as many plies as a board of 64 bits can have.
#[test]
fn the_longest_game_is_analysed_with_little_stack() {
    let game = drops(1, 63, 4);
    let (root, plies, control) = (game.initial(), 63, Control::default());
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
        pool.build().unwrap().install(|| {
            let mut counters = SearchCounters::default();
            let points =
                minimax(&game, root, plies, Evaluation::Own, &control, &mut counters).unwrap();
            assert_eq!((points, counters.nodes), (Points::ZERO, 64));
            let draw = Some(Value::new(Outcome::Draw, Remoteness(63)));
            let settings =
                Settings { split_after: 0, deepening: false, ..Settings::to_depth(plies) };
            let result = search(&game, root, &settings, None, &control, &mut |_| ());
            assert_eq!(result.value, draw);
            let table = SharedTable::new(1, game.key_bits()).unwrap();
            let result = search(&game, root, &settings, Some(&table), &control, &mut |_| ());
            assert_eq!(result.value, draw);
            assert_eq!(walk(&game, root, plies, &control).unwrap().nodes(), 64);
            let tree =
                count_plies(&game, root, root.ply(), plies, None, u64::MAX, &control).unwrap();
            assert_eq!(tree.counts.len(), 64);
        });
    }
}
