//! Searches that continue from checkpoints.

use std::collections::HashSet;
use std::time::Duration;

use super::*;
use crate::solver::board::{KeyKind, key_of};
use crate::solver::checkpoint::widened;

const SO_FAR: Checkpoint =
    Checkpoint { bounds: None, nodes: 123_456_789_012, elapsed: Duration::from_millis(98_765) };

fn solver_of<W: SolverWord>(size: (u8, u8), mib: u64) -> Solver<W> {
    Solver::without_book(Size::new(size.0, size.1, 4).unwrap(), mib).unwrap()
}

#[test]
fn a_stopped_search_continues_with_a_table_of_any_size() {
    let size = (6, 6);
    let whole = solver_of::<u64>(size, 8);
    let root = whole.game().initial();
    let expected = whole.value(root, &Control::default()).unwrap();
    let mut fewest = u64::MAX;
    for (share, mib) in [(4, 8), (2, 1), (2, 8), (1, 32)] {
        let first = solver_of::<u64>(size, 8);
        let control = Control::default();
        let at_node = expected.nodes * share / 5;
        let _ = until_node(&control, at_node, || first.value(root, &control));
        let mut second = solver_of::<u64>(size, mib);
        assert_eq!(second.resume(root, &first.checkpoint(root, &SO_FAR)).unwrap(), SO_FAR);
        let solved = second.value(root, &Control::default()).unwrap();
        assert_eq!(solved.value, expected.value);
        fewest = fewest.min(solved.nodes);
    }
    assert!(fewest < expected.nodes / 2, "{fewest} of {}", expected.nodes);
}

#[test]
fn proved_bounds_are_not_searched_again() {
    let first = solver_of::<u128>((5, 5), 1);
    let root = first.game().initial();
    let value = first.value(root, &Control::default()).unwrap().value;
    let so_far = Checkpoint { bounds: Some(ValueBounds::exactly(value)), ..SO_FAR };
    let mut second = solver_of::<u128>((5, 5), 1);
    assert_eq!(second.resume(root, &first.checkpoint(root, &so_far)).unwrap(), so_far);
    assert_eq!(second.value(root, &Control::default()).unwrap(), Solved { value, nodes: 0 });
}

#[test]
fn a_checkpoint_has_the_entries_of_the_table() {
    let first = solver_of::<u64>((5, 5), 1);
    let root = first.game().initial();
    first.value(root, &Control::default()).unwrap();
    let mut second = solver_of::<u64>((5, 5), 1);
    second.resume(root, &first.checkpoint(root, &SO_FAR)).unwrap();
    let entries = |solver: &Solver| -> HashSet<_> {
        let entries = solver.engine.table().entries(solver.engine.layout(), 0);
        entries.map(|(key, known, work)| (key, known.lower, known.upper, work)).collect()
    };
    assert_eq!(entries(&first), entries(&second));
    assert!(entries(&first).len() > 1_000);
}

/// Checks that narrow keys are converted to the wide keys of the same positions.
fn narrow_keys_are_widened<W: SolverWord>(width: u8, height: u8) {
    let solver = Solver::<W>::without_book(Size::new(width, height, 4).unwrap(), 1).unwrap();
    let (game, l) = (solver.game(), solver.engine.layout());
    let mut random = Random::new(5);
    for plies in (0..game.size().cells() - 8).cycle().take(200) {
        let position = random_position(game, plies, &mut random);
        let board = solver.root(position).board;
        let [narrow, wide] = [KeyKind::Narrow, KeyKind::Wide].map(|kind| key_of(l, kind, &board));
        assert_eq!(widened(l, narrow.own), Some(wide), "{}", game.size());
    }
    assert_eq!(widened(l, W::ZERO), None);
}

#[test]
fn a_table_with_more_room_takes_the_keys_of_one_with_less() {
    narrow_keys_are_widened::<u64>(7, 6);
    narrow_keys_are_widened::<u64>(9, 6);
    narrow_keys_are_widened::<u128>(8, 8);

    let late = |solver: &Solver| random_position(solver.game(), 34, &mut Random::new(1));
    let narrow = solver_of::<u64>((9, 6), 1);
    let position = late(&narrow);
    let value = narrow.value(position, &Control::default()).unwrap().value;
    let mut wide = solver_of::<u64>((9, 6), 64);
    wide.resume(position, &narrow.checkpoint(position, &SO_FAR)).unwrap();
    assert_eq!(wide.value(position, &Control::default()).unwrap().value, value);

    let mut narrow = solver_of::<u64>((9, 6), 32);
    let error = narrow.resume(position, &wide.checkpoint(position, &SO_FAR)).unwrap_err();
    assert!(matches!(error, CheckpointError::Table(64)), "{error}");
}

#[test]
fn checkpoints_of_other_searches_are_refused() {
    let solver = solver_of::<u64>((4, 4), 1);
    let bytes = solver.checkpoint(solver.game().initial(), &SO_FAR);
    let read = |height, line, plies: u32, bytes: &[u8]| {
        let size = Size { width: 4, height, line };
        let mut solver = Solver::<u64>::without_book(size, 1).unwrap();
        let position = random_position(solver.game(), plies, &mut Random::new(1));
        solver.resume(position, bytes)
    };
    assert_eq!(read(4, 4, 0, &bytes).unwrap(), SO_FAR);
    assert!(matches!(read(5, 4, 0, &bytes), Err(CheckpointError::OtherBoard(_))));
    assert!(matches!(read(4, 3, 0, &bytes), Err(CheckpointError::OtherBoard(_))));
    assert!(matches!(read(4, 4, 1, &bytes), Err(CheckpointError::OtherPosition(_))));
    for text in ["", "hello\n", "moves,score\n4453,0\n"] {
        let read = read(4, 4, 0, text.as_bytes());
        assert!(matches!(read, Err(CheckpointError::NotACheckpoint)), "{text:?}");
    }
}

#[test]
fn damage_anywhere_is_found() {
    let first = solver_of::<u64>((5, 4), 1);
    let root = first.game().initial();
    first.value(root, &Control::default()).unwrap();
    let bytes = first.checkpoint(root, &SO_FAR);
    assert!(bytes.len() > 200);
    let mut second = solver_of::<u64>((5, 4), 1);
    let mut read = |bytes: &[u8]| second.resume(root, bytes);
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length]).is_err(), "cut after {length}");
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            assert!(read(&damaged).is_err(), "bit {bit} of byte {at}");
        }
    }
    assert!(read(&[&bytes[..], b"x"].concat()).is_err());
    // The scores, and the scores and work of the first entry, beyond their limits under a right
    // checksum: a word of a key has five bytes.
    for at in [48, 49, 60, 61, 62] {
        let mut beyond = bytes[..bytes.len() - 4].to_vec();
        beyond[at] = 0x7f;
        beyond[at + 1] |= 0x80;
        beyond.extend(crc32fast::hash(&beyond).to_le_bytes());
        assert!(matches!(read(&beyond), Err(CheckpointError::Damaged(_))), "byte {at}");
    }
    assert!(read(&bytes).is_ok());
}
