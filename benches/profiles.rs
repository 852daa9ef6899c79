//! Whole boards on the profile engine; every run checks its answer.

use criterion::{Criterion, criterion_group, criterion_main};
use everyply::control::Control;
use everyply::exhaustive::profiles::{Board, Extent, Memory, Processor, count};
use everyply::game::Size;

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
                        let mut storage = Memory::new();
                        let counts = count(&board, extent, &mut storage, &Control::default());
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

criterion_group!(benches, whole_boards);
criterion_main!(benches);
