//! Results do not depend on the division into units, nor on the storage.

use std::fs;
use std::sync::Arc;

use everyply::connect_four::profiles::{
    Board, Content, Cut, Extent, Memory, Objects, Plan, Storage,
};
use everyply::control::Control;
use everyply::game::Ply;
use everyply::solutions::SolutionFile;
use everyply::store::Folder;

use super::{Shelf, assert_same, board, counted, folder, in_memory, objects, solved};

/// Boards with more cells than a block has bits, so that profiles can be cut: even and odd widths,
/// other lines, high and flat ones.
const BOARDS: [(u8, u8, u8); 6] =
    [(4, 4, 4), (5, 3, 4), (3, 5, 3), (2, 8, 4), (8, 2, 4), (6, 3, 3)];

fn boards() -> &'static [(u8, u8, u8)] {
    if cfg!(debug_assertions) { &BOARDS[1..3] } else { &BOARDS }
}

/// The units of one content of a board.
fn units(board: &Board, cut: Cut) -> usize {
    let plan = Plan::new(board, cut, usize::MAX);
    (0..=plan.last_ply().0).map(|ply| plan.units(Content::Values, Ply(ply)).count()).sum()
}

#[test]
fn every_cut_gives_the_same_counts_and_bytes() {
    for &(width, height, line) in boards() {
        let board = board(width, height, line);
        let whole = Memory::with_cut(Cut { lanes: usize::MAX, profiles: false });
        let expected = solved(&board, &whole).unwrap();
        let mut before = units(&board, whole.cut());
        for lanes in [200, 7, 1] {
            for profiles in [false, true] {
                let cut = Cut { lanes, profiles };
                let what = format!("{} in {cut:?}", board.size());
                assert_same(&solved(&board, &Memory::with_cut(cut)).unwrap(), &expected, &what);
            }
            let cut = Cut { lanes, profiles: true };
            let units = units(&board, cut);
            assert!(units >= before, "{units} after {before}");
            before = units;

            let what = format!("{} in objects of {lanes} lanes", board.size());
            let store = Arc::new(Shelf::default());
            let objects = objects(&store, &board, 64 * lanes as u64);
            assert_eq!(objects.cut(), cut);
            assert_same(&solved(&board, &objects).unwrap(), &expected, &what);
            // A second run uses the units of the first.
            assert_same(&solved(&board, &objects).unwrap(), &expected, &what);
        }
    }
}

#[test]
fn random_boards_in_random_units_on_any_number_of_threads_give_the_same() {
    let mut random = fastrand::Rng::with_seed(17);
    let runs = if cfg!(debug_assertions) { 2 } else { 12 };
    for run in 0..runs {
        let (width, height) = loop {
            let (width, height) = (random.u8(1..=8), random.u8(1..=8));
            if (15..=18).contains(&(width * height)) {
                break (width, height);
            }
        };
        let board = board(width, height, random.u8(2..=5));
        // Small units are as frequent as large ones.
        let most = 1 << random.u32(0..8);
        let cut = Cut { lanes: random.usize(most / 2..=most).max(1), profiles: random.bool() };
        let threads = random.usize(1..=8);
        let what = format!("run {run}: {} in {cut:?}, {threads} threads", board.size());
        let control = Control::default();
        let expected = solved(&board, &Memory::new()).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let memory = Memory::with_cut(cut);
            assert_same(&solved(&board, &memory).unwrap(), &expected, &what);
            let store = Arc::new(Shelf::default());
            let objects = objects(&store, &board, 64 * cut.lanes as u64);
            assert_same(&solved(&board, &objects).unwrap(), &expected, &what);
            let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
            fs::write(&path, &expected.file).unwrap();
            let solution = SolutionFile::open(&path).unwrap();
            solution.verify_board(&Memory::with_cut(cut), &control).unwrap();
            let plies = expected.counts.plies.iter().filter_map(|ply| ply.positions);
            assert_eq!(solution.positions(), plies.sum::<u64>());
        });
    }
}

/// Units of several pieces, which are larger than a block.
#[test]
#[cfg_attr(debug_assertions, ignore = "tens of millions of positions: run with --release")]
fn a_larger_board_gives_the_same() {
    let board = board(5, 5, 4);
    let expected = solved(&board, &Memory::new()).unwrap();
    for unit_bytes in [16 << 10, 256 << 10] {
        let objects = objects(&Arc::new(Shelf::default()), &board, unit_bytes);
        assert_same(&solved(&board, &objects).unwrap(), &expected, &format!("{unit_bytes}"));
    }
}

#[test]
fn a_folder_gives_the_same_as_memory_for_every_extent() {
    let board = board(4, 4, 4);
    for unit_bytes in [64, 200, 4096] {
        for extent in [Extent::Whole, Extent::WholeWithValues, Extent::Plies(7)] {
            let expected = in_memory(&board, extent);
            let folder = folder();
            // A second run, which asks for another unit size, uses the units of the first.
            for asked in [unit_bytes, unit_bytes, 1 << 20] {
                let store = Arc::new(Folder::open(folder.path()).unwrap());
                let objects = objects(&store, &board, asked);
                assert_eq!(objects.cut().lanes as u64, unit_bytes / 64);
                assert_eq!(counted(&board, extent, &objects).unwrap(), expected);
            }
        }
    }
}

#[test]
fn units_of_no_bytes_are_units_of_a_lane() {
    let (board, store) = (board(3, 3, 3), Arc::new(Shelf::default()));
    assert_eq!(objects(&store, &board, 0).cut(), Cut { lanes: 1, profiles: true });
    let store = Arc::new(Shelf::default());
    let most = Objects::open(store, board.size(), u64::MAX).unwrap();
    assert_eq!(counted(&board, Extent::Whole, &most).unwrap(), in_memory(&board, Extent::Whole));
}
