//! Damaged objects: found, and made again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use everyply::connect_four::profiles::{Board, Extent, PassError, StorageError};
use everyply::solutions::SolutionError;
use everyply::store::Folder;

use super::{
    Contents, Shelf, Solved, Watched, alone, assert_same, board, counted, folder, full_after,
    in_memory, objects, solved,
};

const UNIT_BYTES: u64 = 64;

/// The store of a run that was interrupted after some writes.
fn cut_off(board: &Board, writes: u32) -> Contents {
    let shelf = Arc::new(Shelf::default());
    let store = full_after(&shelf, writes);
    solved(board, &objects(&store, board, UNIT_BYTES)).unwrap_err();
    shelf.contents()
}

/// A result, and the content of the store after it.
fn continued(board: &Board, contents: &Contents) -> (Result<Solved, SolutionError>, Contents) {
    let shelf = Shelf::of(contents);
    let found = solved(board, &objects(&shelf, board, UNIT_BYTES));
    (found, shelf.contents())
}

/// Ways to damage an object.
fn damages(bytes: &[u8], other: &[u8], random: &mut fastrand::Rng) -> Vec<Option<Vec<u8>>> {
    let mut damaged = vec![
        None,
        Some(Vec::new()),
        Some(other.to_vec()),
        Some([bytes, b"x"].concat()),
        Some(bytes[..random.usize(..bytes.len())].to_vec()),
        Some(bytes[..bytes.len() - 1].to_vec()),
    ];
    for _ in 0..2 {
        let mut flipped = bytes.to_vec();
        flipped[random.usize(..bytes.len())] ^= 1 << random.u8(..8);
        damaged.push(Some(flipped));
    }
    damaged
}

#[test]
fn whatever_is_damaged_is_made_again() {
    damage_every_object(8);
}

#[test]
#[ignore = "every object in every way: a minute"]
fn whatever_is_damaged_in_any_way_is_made_again() {
    damage_every_object(1);
}

/// Damages each object of a store in one of several ways: objects of a kind take turns, so that
/// every kind is damaged in every way, whatever a run on several threads has written.
fn damage_every_object(one_of: usize) {
    let board = board(3, 3, 3);
    let (expected, whole) = alone(&board, UNIT_BYTES);
    let mut random = fastrand::Rng::with_seed(3);
    let mut turns = BTreeMap::<_, usize>::new();
    let mut kinds = BTreeSet::new();
    // Interrupted in the forward pass, in the first and later tiers of the backward pass, and
    // never.
    let mut states: Vec<Contents> = [40, 110, 160].map(|writes| cut_off(&board, writes)).into();
    states.push(whole.clone());
    for state in &states {
        let names: Vec<&String> = state.keys().filter(|name| *name != "plan").collect();
        for (i, &name) in names.iter().enumerate() {
            let other = &state[names[(i + 1) % names.len()]];
            let damages = damages(&state[name], other, &mut random);
            let kind = (&name[..3], name.ends_with(".summary"));
            let turn = turns.entry(kind).or_default();
            *turn = (*turn + 1) % one_of;
            for (way, damaged) in damages.into_iter().enumerate().skip(*turn).step_by(one_of) {
                kinds.insert((kind, way));
                let mut contents = state.clone();
                let what = format!("{name} of {} objects, damaged in way {way}", names.len());
                match damaged {
                    Some(bytes) => drop(contents.insert(name.clone(), bytes)),
                    None => drop(contents.remove(name)),
                }
                let (found, left) = continued(&board, &contents);
                let found = found.unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_same(&found, &expected, &what);
                assert!(left == whole, "{what}: {:?}", left.keys());
            }
        }
    }
    // Arrays and summaries of positions, of values, and of packed blocks.
    assert_eq!(kinds.len(), 6 * 8, "{kinds:?}");
}

#[test]
fn much_damage_at_once_is_made_again() {
    let board = board(4, 3, 4);
    let (expected, whole) = alone(&board, UNIT_BYTES);
    let mut random = fastrand::Rng::with_seed(4);
    for run in 0..60 {
        let mut contents =
            if run % 4 == 0 { whole.clone() } else { cut_off(&board, random.u32(50..400)) };
        let names: Vec<String> = contents.keys().filter(|name| *name != "plan").cloned().collect();
        for _ in 0..random.usize(1..=names.len() / 2) {
            let name = random.choice(&names).unwrap();
            let other = random.choice(&names).and_then(|other| contents.get(other).cloned());
            let bytes = contents.get(name).filter(|bytes| !bytes.is_empty()).cloned();
            // Some objects are damaged already.
            let (Some(bytes), Some(other)) = (bytes, other) else { continue };
            let mut damages = damages(&bytes, &other, &mut random);
            match damages.swap_remove(random.usize(..damages.len())) {
                Some(bytes) => drop(contents.insert(name.clone(), bytes)),
                None => drop(contents.remove(name)),
            }
        }
        let (found, left) = continued(&board, &contents);
        let found = found.unwrap_or_else(|error| panic!("run {run}: {error}"));
        assert_same(&found, &expected, &format!("run {run}"));
        assert!(left == whole, "run {run}: {:?}", left.keys());
    }
}

#[test]
fn a_damaged_count_gives_up_what_it_made_again() {
    let board = board(4, 3, 4);
    let shelf = Arc::new(Shelf::default());
    counted(&board, Extent::Plies(6), &objects(&shelf, &board, UNIT_BYTES)).unwrap();
    let mut contents = shelf.contents();
    for (_, bytes) in contents.iter_mut().filter(|(name, _)| name.starts_with("alive-06-")) {
        bytes.truncate(bytes.len() / 2);
    }
    let shelf = Shelf::of(&contents);
    let counts = counted(&board, Extent::Whole, &objects(&shelf, &board, UNIT_BYTES)).unwrap();
    assert_eq!(counts, in_memory(&board, Extent::Whole));
    let contents = shelf.contents();
    assert!(contents.keys().all(|name| name == "plan" || name.ends_with(".summary")));
}

/// A store that returns one object damaged, or not at all, however often it is written.
#[test]
fn an_object_that_is_damaged_for_ever_is_named_in_an_error() {
    let board = board(3, 3, 3);
    for name in ["alive-04-00000", "values-05-00000", "packed-03-00000"] {
        for object in [name.to_owned(), format!("{name}.summary")] {
            for is_lost in [false, true] {
                let (damaged, reads) = (object.clone(), AtomicU32::new(0));
                let shelf = Arc::new(Shelf::default());
                let store = Watched::reads(&shelf, move |name, at, bytes| {
                    assert!(reads.fetch_add(1, Ordering::Relaxed) < 100_000, "an endless loop");
                    if name != damaged {
                        return;
                    }
                    if is_lost {
                        *bytes = None;
                    } else if at == 0
                        && let Some(bytes) = bytes
                        && bytes.len() > 30
                    {
                        bytes[30] ^= 1;
                    }
                });
                let what = format!("{object}, lost: {is_lost}");
                match solved(&board, &objects(&store, &board, UNIT_BYTES)) {
                    Err(SolutionError::Pass(PassError::Storage(
                        error @ (StorageError::Damaged { .. } | StorageError::Missing { .. }),
                    ))) => assert!(error.to_string().contains(name), "{what}: {error}"),
                    other => panic!("{what}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_read_is_an_error_and_not_made_again() {
    let board = board(3, 3, 3);
    let folder = folder();
    // A folder in the place of an array.
    std::fs::create_dir(folder.path().join("alive-03-00000")).unwrap();
    let store = Arc::new(Folder::open(folder.path()).unwrap());
    let error = solved(&board, &objects(&store, &board, UNIT_BYTES)).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("alive-03-00000"), "{message}");
    std::fs::write(folder.path().join("a-file"), "").unwrap();
    let refused = Folder::open(&folder.path().join("a-file"));
    assert!(refused.unwrap_err().to_string().contains("not a folder: choose another one"));
}
