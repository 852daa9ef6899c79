//! The same alpha-beta search over two transposition tables: the atomic-word [`SharedTable`], and a
//! `DashMap` that forgets nothing, locks its shards and grows as it fills.
//!
//! Every run starts from an empty table, made before the measurement; the time for touching new
//! pages, growing and rehashing is included.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main,
};
use dashmap::DashMap;
use everyply::control::Control;
use everyply::game::{Key, Keyed};
use everyply::games::line::notation::parse_moves;
use everyply::games::line::{Standard, Stones};
use everyply::search::{Settings, SharedTable, TableEntry, TranspositionTable, search};
use everyply::statistics::Score;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::FxBuildHasher;

/// The size in MiB: room for every position of these searches, so that both tables hold the same.
const TABLE_MIB: u64 = 64;

#[derive(Default)]
struct MapTable(DashMap<Key, TableEntry, FxBuildHasher>);

impl TranspositionTable for MapTable {
    fn probe(&self, key: Key) -> Option<TableEntry> {
        self.0.get(&key).map(|entry| *entry)
    }

    fn store(&self, key: Key, entry: TableEntry) {
        self.0.insert(key, entry);
    }
}

/// A search, and its score for the side to move.
#[derive(Clone, Copy)]
struct Search {
    root: Stones,
    depth: u32,
    score: Score,
}

impl Search {
    fn bench<T: TranspositionTable + Send>(
        self,
        group: &mut BenchmarkGroup<'_, WallTime>,
        name: &str,
        pool: &ThreadPool,
        new_table: fn() -> T,
    ) {
        let game = Standard::fixed();
        let threads = pool.current_num_threads();
        // Two threads share every iteration, even short ones, since the table is measured.
        let split_after = if threads > 1 { 0 } else { u64::MAX };
        let settings = Settings { split_after, ..Settings::to_depth(self.depth) };
        group.bench_function(BenchmarkId::new(name, threads), |b| {
            b.iter_batched(
                new_table,
                |table| {
                    let control = Control::default();
                    let root = black_box(self.root);
                    let report = pool.install(|| {
                        search(&game, root, &settings, Some(&table), None, &control, &mut |_| ())
                    });
                    assert_eq!(report.score, self.score);
                    table
                },
                BatchSize::PerIteration,
            );
        });
    }
}

fn tables(c: &mut Criterion) {
    let game = Standard::fixed();
    for (moves, depth, score) in
        [("", 12, Score(-7_920)), ("4453", 11, Score(36_550)), ("12345676", 12, Score(-38_400))]
    {
        let search = Search { root: parse_moves(&game, moves).expect("legal"), depth, score };
        let name = if moves.is_empty() { "empty" } else { moves };
        let mut group = c.benchmark_group(format!("table/{name} to depth {depth}"));
        group.sample_size(10).warm_up_time(Duration::from_millis(500));
        for threads in [1, 2] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            search.bench(&mut group, "atomic words", &pool, || {
                SharedTable::new(TABLE_MIB, Standard::fixed().key_bits()).expect("64 MiB")
            });
            search.bench(&mut group, "DashMap", &pool, MapTable::default);
        }
        group.finish();
    }
}

criterion_group!(benches, tables);
criterion_main!(benches);
