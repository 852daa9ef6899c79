//! Visiting everything: walking the tree, counting paths over positions, solving whole boards.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use everyply::control::Control;
use everyply::exhaustive::{Solution, count_plies, walk};
use everyply::game::Outcome;
use everyply::game::Ply;
use everyply::games::line::{ConnectFour, LineGame, Mnk, Size, Standard, TicTacToe};
use rayon::{ThreadPool, ThreadPoolBuilder};

fn threads(n: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(n).build().expect("threads")
}

/// Histories of a board up to a ply, counted by walking.
fn walked<G: LineGame>(game: &G, plies: u32) -> u64 {
    walk(game, game.initial(), plies, &Control::default()).expect("nobody stops it").nodes()
}

/// The same, counted as paths over distinct positions.
fn counted<G: LineGame>(game: G, plies: u32) -> u64 {
    let tree =
        count_plies(&game, game.initial(), Ply(0), plies, None, u64::MAX, &Control::default());
    tree.expect("nobody stops it").histories.nodes()
}

fn tic_tac_toe(c: &mut Criterion) {
    const NODES: u64 = 549_946;
    let game = TicTacToe::fixed();
    let pool = threads(1);
    let mut group = c.benchmark_group("ttt 3x3, the complete tree");
    group.throughput(Throughput::Elements(NODES)).warm_up_time(Duration::from_millis(500));
    group.bench_function("walk", |b| {
        b.iter(|| assert_eq!(pool.install(|| walked(black_box(&game), u32::MAX)), NODES));
    });
    group.bench_function("path counts", |b| {
        b.iter(|| assert_eq!(pool.install(|| counted(black_box(game), u32::MAX)), NODES));
    });
    group.finish();
}

fn connect_four(c: &mut Criterion) {
    // Plies; the sum of perft 0 to that ply.
    for (plies, nodes) in [(9, 46_028_599), (10, 314_060_245)] {
        let game = Standard::fixed();
        let mut group = c.benchmark_group(format!("connect4 7x6 to ply {plies}"));
        group.throughput(Throughput::Elements(nodes));
        group.sample_size(10).warm_up_time(Duration::from_millis(500));
        for n in [1, 2] {
            let pool = threads(n);
            group.bench_function(format!("walk/{n}"), |b| {
                b.iter(|| assert_eq!(pool.install(|| walked(black_box(&game), plies)), nodes));
            });
            group.bench_function(format!("path counts/{n}"), |b| {
                b.iter(|| assert_eq!(pool.install(|| counted(black_box(game), plies)), nodes));
            });
        }
        group.finish();
    }
}

/// Distinct positions of a board and the outcome of the empty one, from a whole solution.
fn solved<G: LineGame>(game: G) -> (u64, Outcome) {
    let control = Control::default();
    let solution =
        Solution::within(game, game.initial(), u64::MAX, &control).expect("nobody stops it");
    let positions = solution.totals().positions;
    (positions, solution.value().outcome)
}

fn solving(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    group.sample_size(10).warm_up_time(Duration::from_millis(500));
    let size = |width, height| Size::new(width, height, 4).expect("a board");
    let ttt = Mnk::new(size(4, 3)).expect("12 cells");
    let four = ConnectFour::new(size(5, 4)).expect("25 bits");
    for n in [1, 2] {
        let pool = threads(n);
        group.bench_function(format!("ttt 4x3, 4 in a row/{n}"), |b| {
            b.iter(|| assert_eq!(pool.install(|| solved(ttt)), (142_231, Outcome::Draw)));
        });
        group.bench_function(format!("connect4 5x4/{n}"), |b| {
            b.iter(|| assert_eq!(pool.install(|| solved(four)), (3_945_711, Outcome::Draw)));
        });
    }
    group.finish();
}

criterion_group!(benches, tic_tac_toe, connect_four, solving);
criterion_main!(benches);
