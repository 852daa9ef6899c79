//! The ladder from plain minimax up, one idea a rung, at one depth: the same rungs as `analyze
//! compare`, which also counts their nodes, and principal variation search.

use everyply::game::Keyed;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use everyply::control::Control;
use everyply::games::line::notation::parse_moves;
use everyply::games::line::{Standard, Stones};
use everyply::search::{
    Evaluation, MoveOrder, Pruning, RootScores, Settings, SharedTable, TableUse, minimax, search,
};
use everyply::statistics::{Score, SearchCounters};
use rayon::ThreadPoolBuilder;

const DEPTH: u32 = 8;

/// The settings for one best move and its score, as plain alpha-beta gives them.
const PLAIN: Settings = Settings {
    pruning: Pruning::AlphaBeta,
    order: MoveOrder::Natural,
    deepening: false,
    table_use: TableUse::MoveOnly,
    root_scores: RootScores::OneBest,
    split_after: u64::MAX,
    principal_variation: false,
    ..Settings::to_depth(DEPTH)
};
const ORDERED: Settings = Settings { order: MoveOrder::Best, ..PLAIN };
const DEEPENING: Settings = Settings { deepening: true, ..ORDERED };
const TABLE: Settings = Settings { table_use: TableUse::MoveAndScore, ..DEEPENING };
const PRINCIPAL: Settings = Settings { pruning: Pruning::PrincipalVariation, ..TABLE };
const THREADS: Settings = Settings { split_after: 0, ..PRINCIPAL };

fn score(root: Stones, settings: &Settings, table: Option<&SharedTable>) -> Score {
    let control = Control::default();
    search(&Standard::fixed(), root, settings, table, &control, &mut |_| ()).score
}

/// An empty table of the size that `analyze compare` uses.
fn table() -> SharedTable {
    SharedTable::new(64, Standard::fixed().key_bits()).expect("64 MiB")
}

fn ladder(c: &mut Criterion) {
    let game = Standard::fixed();
    for (moves, expected) in [("", Score(-5_980)), ("12345676", Score(-41_160))] {
        let root = parse_moves(&game, moves).expect("a legal position");
        let name = if moves.is_empty() { "empty" } else { moves };
        let mut group = c.benchmark_group(format!("ladder/{name} to depth {DEPTH}"));
        group.sample_size(10).warm_up_time(Duration::from_millis(500));
        group.bench_function("minimax", |b| {
            b.iter(|| {
                let mut counters = SearchCounters::default();
                let control = Control::default();
                let points = minimax(
                    &game,
                    black_box(root),
                    DEPTH,
                    Evaluation::Own,
                    &control,
                    &mut counters,
                );
                let stones = u32::from(root.ply().0) + DEPTH;
                assert_eq!(points.expect("nobody stops it").score(stones), expected);
            });
        });
        for (rung, settings) in [("alpha-beta", PLAIN), ("centre first", ORDERED)] {
            group.bench_function(rung, |b| {
                b.iter(|| {
                    assert_eq!(score(black_box(root), &settings, None), expected);
                });
            });
        }
        let rungs =
            [("deepening", DEEPENING), ("table", TABLE), ("principal variation", PRINCIPAL)];
        for (rung, settings) in rungs {
            group.bench_function(rung, |b| {
                b.iter(|| assert_eq!(score(black_box(root), &settings, Some(&table())), expected));
            });
        }
        let pool = ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        group.bench_function("2 threads", |b| {
            let search = || score(black_box(root), &THREADS, Some(&table()));
            b.iter(|| assert_eq!(pool.install(search), expected));
        });
        group.finish();
    }
}

criterion_group!(benches, ladder);
criterion_main!(benches);
