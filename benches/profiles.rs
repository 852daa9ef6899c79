//! Whole boards on the bit-array engine; every run checks its answer.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use everyply::connect_four::profiles::{Board, Extent, Memory, Processor, count};
use everyply::control::Control;
use everyply::games::line::Size;

/// Columns, rows, positions (`data/connect4-positions.csv`).
const BOARDS: [(u8, u8, u64); 3] = [(4, 5, 1_706_255), (5, 5, 69_763_700), (6, 4, 94_910_577)];

fn whole_boards(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("profiles");
    group.sample_size(10);
    for (width, height, positions) in BOARDS {
        for processor in Processor::available() {
            for extent in [Extent::Whole, Extent::WholeWithValues] {
                let name = format!("{width}x{height} {extent:?} {processor:?}");
                let size = Size::new(width, height, 4).expect("a board");
                let board = Board::new(size).expect("a board").with_processor(processor);
                group.bench_function(name, |bencher| {
                    bencher.iter(|| {
                        let storage = Memory::new();
                        let counts = count(&board, extent, &storage, &Control::default());
                        let plies = counts.expect("enough memory").plies;
                        let total: u64 = plies.iter().filter_map(|ply| ply.positions).sum();
                        assert_eq!(total, positions);
                    });
                });
            }
        }
    }
    group.finish();
}

/// The speed of copying memory, for comparison with the passes.
fn memory(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("memory");
    let from = vec![1u64; 1 << 25];
    let mut to = vec![0u64; 1 << 25];
    // Each byte is read and written.
    group.throughput(Throughput::Bytes(2 * size_of_val(&from[..]) as u64));
    group.bench_function("copy 256 MiB", |bencher| {
        bencher.iter(|| black_box(&mut to[..]).copy_from_slice(black_box(&from)));
    });
    group.finish();
}

criterion_group!(benches, whole_boards, memory);
criterion_main!(benches);
