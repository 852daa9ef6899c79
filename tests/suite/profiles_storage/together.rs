//! Several runs on one store at once.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use everyply::connect_four::profiles::{Extent, Memory};
use everyply::store::Folder;

use super::{
    Shelf, Watched, alone, assert_same, board, counted, folder, in_memory, objects, solved,
    writes_of,
};

#[test]
fn runs_of_several_purposes_share_a_folder() {
    let board = board(4, 4, 4);
    let expected = solved(&board, &Memory::new()).unwrap();
    let folder = folder();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let store = Arc::new(Folder::open(folder.path()).unwrap());
                let found = solved(&board, &objects(&store, &board, 1024)).unwrap();
                assert_same(&found, &expected, "of several purposes");
            });
        }
        // A count discards units that the others read: they make these units again.
        for extent in [Extent::Whole, Extent::Plies(8)] {
            let (folder, board) = (folder.path(), &board);
            scope.spawn(move || {
                let store = Arc::new(Folder::open(folder).unwrap());
                let counts = counted(board, extent, &objects(&store, board, 1024)).unwrap();
                assert_eq!(counts, in_memory(board, extent));
            });
        }
    });
}

#[test]
fn a_run_joined_anywhere_gives_the_same_and_does_little_twice() {
    let board = board(5, 3, 4);
    let (expected, contents) = alone(&board, 128);
    let whole = writes_of(&Arc::new(Shelf::default()), |store| {
        solved(&board, &objects(store, &board, 128)).unwrap();
    });
    let mut most = 0;
    for tenth in 0..10 {
        let at = whole * tenth / 10;
        let shelf = Arc::new(Shelf::default());
        let (began, begin) = mpsc::channel();
        let counted = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&counted);
        let store = Watched::writes(&shelf, move |_| {
            if counter.fetch_add(1, Ordering::Relaxed) == at {
                began.send(()).unwrap();
            }
            Ok(())
        });
        thread::scope(|scope| {
            let first = scope.spawn(|| solved(&board, &objects(&store, &board, 128)).unwrap());
            begin.recv().unwrap();
            let second = solved(&board, &objects(&store, &board, 128)).unwrap();
            assert_same(&second, &expected, &format!("joined after {at} writes"));
            assert_same(&first.join().unwrap(), &expected, "the first");
        });
        assert!(shelf.contents() == contents);
        most = most.max(counted.load(Ordering::Relaxed));
    }
    eprintln!("{whole} writes and removals alone, at most {most} of two runs together");
    // At worst each run makes every unit.
    assert!(most <= 2 * whole + whole / 4, "{most} of {whole}");
}
