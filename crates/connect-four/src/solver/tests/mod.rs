//! The solver against the exhaustive engine and known values.

mod checkpoint;
mod forms;
#[cfg(feature = "solutions")]
mod soak;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::*;
use crate::profiles::{self, visit::visit};
use everyply_core::game::{Keyed, Remoteness};
use everyply_core::games::line::notation::parse_moves;
use everyply_core::games::line::{ConnectFour, LineGame};
use everyply_core::random::Random;

/// Columns, rows and line length of boards with few positions.
pub(super) const SMALL_BOARDS: [(u8, u8, u8); 10] = [
    (4, 4, 4),
    (4, 4, 3),
    (3, 4, 3),
    (3, 5, 3),
    (4, 3, 3),
    (5, 3, 3),
    (6, 3, 3),
    (3, 6, 3),
    (6, 2, 3),
    (3, 7, 4),
];

/// Solves one in `share` positions of a whole board, and compares them with the exhaustive engine.
fn agree_on_a_share((width, height, line): (u8, u8, u8), share: u64, threads: usize) {
    let size = Size::new(width, height, line).unwrap();
    let board = profiles::Board::new(size).unwrap();
    let solver = Solver::without_book(size, 8).unwrap();
    let solved = AtomicU64::new(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        visit(&board, |position, value| {
            let key = board.game().key(position).0;
            if (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20).is_multiple_of(share) {
                let answer = solver.value(position, &Control::default()).unwrap().value;
                assert_eq!(answer, value, "{size}: {position:?}");
                solved.fetch_add(1, Relaxed);
            }
        });
    });
    assert!(solved.into_inner() > 0);
}

#[test]
fn a_search_that_has_just_begun_stops_at_once() {
    // Each of its first nodes may touch a new page of a large table.
    let solver = Solver::<u64>::without_book(Size::new(7, 7, 4).unwrap(), 1).unwrap();
    let control = Control::default();
    let root = solver.game().initial();
    let searched = solver.value_with_progress(root, &control, |_| control.stop());
    assert!(searched.is_err());
    assert!((1..500).contains(&control.progress().0), "{} nodes", control.progress().0);
}

#[test]
fn every_position_of_small_boards() {
    for size in SMALL_BOARDS.into_iter().chain([(1, 9, 4)]) {
        agree_on_a_share(size, 1, 1);
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of positions: run with --release")]
fn random_positions_of_whole_boards() {
    agree_on_a_share((5, 4, 4), 300, 2);
    agree_on_a_share((4, 6, 4), 300, 8);
}

#[test]
fn bounds_close_in_on_the_value() {
    let solver = Solver::<u64>::without_book(Size::new(5, 4, 4).unwrap(), 1).unwrap();
    let start = solver.game().initial();
    let mut seen = Vec::new();
    let value =
        solver.value_with_progress(start, &Control::default(), |b| seen.push(b)).unwrap().value;
    assert!(seen.iter().all(|b| b.worst <= value && value <= b.best));
    assert!(seen.is_sorted_by(|a, b| a.worst <= b.worst && a.best >= b.best));
    let last = seen.last().unwrap();
    assert_eq!((last.worst, last.best), (value, value));
}

/// Boards that a test solves within seconds in release mode, the first three also in debug mode.
const SOON: [(u8, u8); 12] = [
    (4, 4),
    (5, 4),
    (4, 5),
    (6, 4),
    (5, 5),
    (4, 6),
    (7, 4),
    (5, 6),
    (6, 5),
    (4, 7),
    (7, 5),
    (6, 6),
];

/// A row of `data/connect4-values.csv`: a board, its value, and the nodes if one thread solved it
/// with the default table.
struct Row {
    size: Size,
    value: Value,
    nodes: Option<u64>,
}

impl Row {
    fn new(line: &str) -> Self {
        let fields: Vec<_> = line.split(',').collect();
        let [width, height, line, plies] = [0, 1, 2, 4].map(|i| fields[i].parse().unwrap());
        let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss];
        let outcome = outcomes.into_iter().find(|outcome| outcome.word() == fields[3]).unwrap();
        let size = Size { width, height, line };
        let default = Solver::default_table(size, 1).to_string();
        let is_usual = fields[8] == "1" && fields[9] == default;
        let nodes = is_usual.then(|| fields[6].parse().unwrap());
        Self { size, value: Value::new(outcome, Remoteness(plies)), nodes }
    }

    fn is_soon(&self) -> bool {
        let Size { width, height, line } = self.size;
        line == 4 && SOON.contains(&(width, height))
    }

    /// Checks the nodes and the value of the board.
    fn check(&self) {
        fn value<W: SolverWord>(solver: &Solver<W>) -> Solved {
            let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let root = solver.game().initial();
            one.install(|| solver.value(root, &Control::default()).unwrap())
        }
        let mib = Solver::default_table(self.size, 1);
        let solved = match Solver::<u64>::without_book(self.size, mib) {
            Ok(solver) => value(&solver),
            Err(_) => value(&Solver::<u128>::without_book(self.size, mib).unwrap()),
        };
        assert_eq!(solved.value, self.value, "{}", self.size);
        assert_eq!(Some(solved.nodes), self.nodes, "nodes of {}", self.size);
    }
}

/// Returns the whole boards that one thread solved with the default table.
fn whole_boards() -> impl Iterator<Item = Row> {
    let known = include_str!("../../../../../data/connect4-values.csv").lines();
    let rows = known.filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).map(Row::new);
    rows.filter(|row| row.nodes.is_some())
}

#[test]
fn small_whole_boards() {
    let affordable = if cfg!(debug_assertions) { 3 } else { SOON.len() };
    let rows = whole_boards().filter(Row::is_soon).take(affordable);
    assert_eq!(rows.inspect(Row::check).count(), affordable);
}

#[test]
#[ignore = "twenty-five minutes in release mode"]
fn large_whole_boards() {
    let most = Some(400_000_000);
    let rows = whole_boards().filter(|row| !row.is_soon() && row.nodes < most);
    assert!(rows.inspect(Row::check).count() > 30);
}

#[test]
fn the_work_of_threads_adds_up() {
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let solver = Solver::<u64>::without_book(Size::new(7, 6, 4).unwrap(), 1).unwrap();
        let position = parse_moves(solver.game(), "3432554").unwrap();
        let control = Control::default();
        let solved = pool.install(|| solver.value(position, &control).unwrap());
        assert_eq!(control.progress().0, solved.nodes, "{threads} threads");
        let SearchCounters { nodes, table_probes, table_hits, table_stores, .. } = solver.work();
        assert!(nodes == solved.nodes && 0 < table_hits && table_hits < table_probes);
        assert!(0 < table_stores && table_stores <= nodes);
    }
}

/// Does work that may end by itself, and stops it once the control has counted `at_node` nodes.
fn until_node<T>(control: &Control, at_node: u64, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while control.progress().0 < at_node && !control.is_stopped() {
                std::thread::yield_now();
            }
            control.stop();
        });
        let done = work();
        control.stop();
        done
    })
}

/// Returns a position after `plies` random moves, none of which ends the game.
pub(super) fn random_position<W: SolverWord>(
    game: &ConnectFourIn<W>,
    plies: u32,
    random: &mut Random,
) -> Stones<W> {
    'again: loop {
        let mut position = game.initial();
        for _ in 0..plies {
            let quiet = game.moves(position).without(game.winning_moves(position));
            let moves: Vec<_> = quiet.into_iter().collect();
            if moves.is_empty() {
                continue 'again;
            }
            position = game.play(position, moves[random.below(moves.len() as u32) as usize]);
        }
        return position;
    }
}
