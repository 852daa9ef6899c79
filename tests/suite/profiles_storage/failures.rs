//! Runs that are interrupted, stopped or refused, and runs that continue from their units.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use everyply::connect_four::profiles::{Extent, Objects, PassError, Storage, StorageError};
use everyply::control::Control;
use everyply::solutions::SolutionError;
use everyply::store::Store;

use super::{
    Shelf, Watched, alone, assert_same, board, counted, full_after, in_memory, objects, solved,
    solved_with, writes_of,
};

fn is_full<T>(result: &Result<T, SolutionError>) -> bool {
    matches!(
        result,
        Err(SolutionError::Pass(PassError::Storage(StorageError::Place(error))))
            if error.kind() == io::ErrorKind::StorageFull
    )
}

#[test]
fn a_run_cut_off_anywhere_continues_and_ends_with_the_same_bytes() {
    let (board, unit_bytes) = (board(4, 3, 4), 64);
    let (expected, contents) = alone(&board, unit_bytes);
    let shelf = Arc::new(Shelf::default());
    let writes = writes_of(&shelf, |store| {
        solved(&board, &objects(store, &board, unit_bytes)).unwrap();
    });
    assert!(writes > 300, "{writes}");
    for at in (1..writes).step_by(23) {
        let shelf = Arc::new(Shelf::default());
        let cut_off = solved(&board, &objects(&full_after(&shelf, at), &board, unit_bytes));
        assert!(is_full(&cut_off), "{at} of {writes}: {cut_off:?}");
        let continued = solved(&board, &objects(&shelf, &board, unit_bytes)).unwrap();
        assert_same(&continued, &expected, &format!("cut off after {at} of {writes}"));
        assert!(shelf.contents() == contents, "cut off after {at} of {writes}: other objects");
    }
}

#[test]
fn a_run_that_is_stopped_anywhere_continues() {
    let (board, unit_bytes) = (board(4, 3, 4), 64);
    let (expected, contents) = alone(&board, unit_bytes);
    for writes in [0, 1, 10, 60, 150, 250] {
        let shelf = Arc::new(Shelf::default());
        let control = Arc::new(Control::default());
        let (left, stopping) = (AtomicU32::new(writes), Arc::clone(&control));
        let store = Watched::writes(&shelf, move |_| {
            if left.fetch_sub(1, Ordering::Relaxed) == 0 {
                stopping.stop();
            }
            Ok(())
        });
        let storage = objects(&store, &board, unit_bytes);
        let stopped = solved_with(&board, &storage, &control);
        assert!(matches!(stopped, Err(SolutionError::Pass(PassError::Stopped(_)))), "{writes}");
        let continued = solved(&board, &objects(&shelf, &board, unit_bytes)).unwrap();
        assert_same(&continued, &expected, &format!("stopped after {writes} writes"));
        assert!(shelf.contents() == contents);
    }
}

#[test]
fn progress_ends_at_its_total() {
    let board = board(4, 4, 4);
    for extent in [Extent::Plies(5), Extent::Whole, Extent::WholeWithValues] {
        let storage = objects(&Arc::new(Shelf::default()), &board, 256);
        // In the second round all units exist already.
        for _ in 0..2 {
            let control = Control::default();
            everyply::connect_four::profiles::count(&board, extent, &storage, &control).unwrap();
            let (done, total) = control.progress();
            assert!(total > 0 && done == total, "{extent:?}: {done} of {total}");
        }
    }
}

#[test]
fn a_store_of_another_extent_is_used_as_far_as_it_goes() {
    let board = board(4, 4, 4);
    for before in [Extent::Plies(3), Extent::Whole, Extent::WholeWithValues] {
        for after in [Extent::Plies(9), Extent::Whole, Extent::WholeWithValues] {
            let storage = objects(&Arc::new(Shelf::default()), &board, 256);
            counted(&board, before, &storage).unwrap();
            let counts = counted(&board, after, &storage).unwrap();
            assert_eq!(counts, in_memory(&board, after), "{before:?} {after:?}");
        }
    }
}

/// A run makes discarded units again from the empty board once, not once for every tier.
#[test]
fn a_store_of_another_purpose_costs_one_run_more() {
    let board = board(5, 3, 4);
    let expected = alone(&board, 128).0;
    let once = writes_of(&Arc::new(Shelf::default()), |store| {
        solved(&board, &objects(store, &board, 128)).unwrap();
    });
    let shelf = Arc::new(Shelf::default());
    counted(&board, Extent::WholeWithValues, &objects(&shelf, &board, 128)).unwrap();
    let again = writes_of(&shelf, |store| {
        let found = solved(&board, &objects(store, &board, 128)).unwrap();
        assert_same(&found, &expected, "after counting");
    });
    assert!(again <= once, "{again} writes after {once}");
}

#[test]
fn a_count_gives_up_units_and_keeps_what_a_longer_one_needs() {
    let board = board(4, 4, 4);
    let arrays = |shelf: &Shelf| -> Vec<String> {
        let contents = shelf.contents();
        let names = contents.keys().filter(|name| *name != "plan" && !name.ends_with(".summary"));
        names.cloned().collect()
    };
    let shelf = Arc::new(Shelf::default());
    counted(&board, Extent::Plies(6), &objects(&shelf, &board, 64)).unwrap();
    let left = arrays(&shelf);
    assert!(!left.is_empty() && left.iter().all(|unit| unit.starts_with("alive-06-")), "{left:?}");
    // No earlier unit is made again.
    let store = Watched::writes(&shelf, |name| {
        assert!(!name.ends_with(".summary") || name.starts_with("alive-07-"), "{name}");
        Ok(())
    });
    let counts = counted(&board, Extent::Plies(7), &objects(&store, &board, 64)).unwrap();
    assert_eq!(counts, in_memory(&board, Extent::Plies(7)));
    let left = arrays(&shelf);
    assert!(!left.is_empty() && left.iter().all(|unit| unit.starts_with("alive-07-")), "{left:?}");
    counted(&board, Extent::Whole, &objects(&shelf, &board, 64)).unwrap();
    assert_eq!(arrays(&shelf), [""; 0]);
}

#[test]
fn a_store_of_another_board_is_refused() {
    let shelf = Arc::new(Shelf::default());
    let board_43 = board(4, 3, 4);
    counted(&board_43, Extent::Whole, &objects(&shelf, &board_43, 64)).unwrap();
    let before = shelf.contents();
    for (width, height, line) in [(3, 4, 4), (4, 3, 3), (4, 4, 4)] {
        let size = board(width, height, line).size();
        let refused = Objects::open(Arc::clone(&shelf) as Arc<dyn Store>, size, 64).unwrap_err();
        assert!(matches!(refused, StorageError::OtherBoard { .. }));
        let message = refused.to_string();
        assert!(message.contains("the shelf was made for 4x3, 4 in a row: choose"), "{message}");
    }
    assert!(shelf.contents() == before);
}

#[test]
fn all_who_begin_at_once_agree_on_the_units() {
    let board = board(4, 3, 4);
    for _ in 0..20 {
        let shelf = Arc::new(Shelf::default());
        let start = std::sync::Barrier::new(4);
        let cuts: Vec<_> = std::thread::scope(|scope| {
            let open = |bytes: u64| {
                let (shelf, board, start) = (&shelf, &board, &start);
                move || {
                    start.wait();
                    Storage::cut(&objects(shelf, board, bytes))
                }
            };
            let threads: Vec<_> = (1..5).map(|n| scope.spawn(open(64 * n))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(cuts.iter().all(|cut| *cut == cuts[0]), "{cuts:?}");
    }
}

#[test]
fn a_foreign_or_damaged_plan_is_refused_by_name() {
    let size = board(4, 3, 4).size();
    let shelf = Arc::new(Shelf::default());
    Objects::open(Arc::clone(&shelf) as Arc<dyn Store>, size, 64).unwrap();
    let plan = shelf.contents()["plan"].clone();
    let mut foreign = vec![Vec::new(), b"the plan of something else".to_vec(), vec![0; plan.len()]];
    foreign.extend((0..plan.len()).map(|length| plan[..length].to_vec()));
    foreign.extend((0..8 * plan.len()).map(|bit| {
        let mut flipped = plan.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    }));
    foreign.push([&plan[..], b"x"].concat());
    let refused = |bytes: Vec<u8>| {
        let shelf = Shelf::of(&[("plan".to_owned(), bytes.clone())].into());
        let refused = Objects::open(Arc::clone(&shelf) as Arc<dyn Store>, size, 64).unwrap_err();
        assert!(shelf.contents()["plan"] == bytes);
        refused
    };
    for error in foreign.into_iter().map(refused) {
        assert!(matches!(error, StorageError::Damaged { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains("plan in the shelf is damaged ("), "{message}");
    }
    // The summary of a unit is as sound as a plan, and its array has chunks.
    let other = Arc::new(Shelf::default());
    let board = board(4, 3, 4);
    counted(&board, Extent::Plies(2), &objects(&other, &board, 64)).unwrap();
    let units = other.contents().into_iter().filter(|(name, _)| name != "plan");
    for (name, bytes) in units {
        match refused(bytes) {
            StorageError::OtherGame(_) => assert!(name.ends_with(".summary"), "{name}"),
            error => assert!(matches!(error, StorageError::Damaged { .. }), "{name}: {error}"),
        }
    }
}
