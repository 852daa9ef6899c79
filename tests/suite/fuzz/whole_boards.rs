//! Fuzz targets of solution files and work folders: refused, or right.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everyply::connect_four::profiles::{
    Board, Extent, Folder, Memory, Objects, PassError, SolutionDetail, SolutionFile, StorageError,
    count, solve,
};
use everyply::control::Control;
use everyply::game::{Key, Keyed, Value};
use everyply::games::line::Size;

use super::fuzz;
use crate::profiles::oracle;

fn board() -> Board {
    Board::new(Size::new(2, 3, 3).unwrap()).unwrap()
}

/// Corrects the checksums of a mutated file, so that its other fields are tested as well.
fn mend(bytes: &mut [u8]) {
    if bytes.len() < 64 {
        return;
    }
    let length = (bytes.len() as u64).to_le_bytes();
    bytes[48..56].copy_from_slice(&length);
    let tables = u64::from_le_bytes(std::array::from_fn(|i| bytes[40 + i]));
    if let Some(tables) = usize::try_from(tables).ok().and_then(|at| bytes.get(at..)) {
        let checksum = crc32fast::hash(tables).to_le_bytes();
        bytes[56..60].copy_from_slice(&checksum);
    }
    let checksum = crc32fast::hash(&bytes[16..64]).to_le_bytes();
    bytes[12..16].copy_from_slice(&checksum);
}

#[test]
fn solution_fuzz_target() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    let (board, control) = (board(), Control::default());
    let game = board.game();
    let positions: Vec<(Key, Value)> = oracle(game).into_iter().flatten().collect();
    let sound = [SolutionDetail::Remoteness, SolutionDetail::Outcome].map(|detail| {
        solve(&board, detail, &Memory::new(), &path, &control).unwrap();
        fs::read(&path).unwrap()
    });
    fuzz("solution", &sound, |input| {
        let mut mended = input.to_vec();
        mend(&mut mended);
        for (bytes, is_mended) in [(input, false), (&mended, true)] {
            fs::write(&path, bytes).unwrap();
            let Ok(solution) = SolutionFile::open(&path) else { continue };
            let is_right = solution.board().size() == board.size()
                && solution.verify(&Memory::new(), &control).is_ok();
            assert!(is_mended || !is_right || sound.iter().any(|sound| sound == bytes));
            for &(key, expected) in &positions {
                let position = game.position_of(key).unwrap();
                let value = solution.value(position);
                let partial = solution.partial_value(position);
                // Only `verify` can judge a value whose checksum matches.
                if is_mended && !is_right {
                    continue;
                }
                assert!(value.is_err() || value.unwrap() == Some(expected));
                let outcome = partial.map(|found| found.map(|value| value.outcome));
                assert!(outcome.is_err() || outcome.unwrap() == Some(expected.outcome));
            }
        }
    });
}

#[test]
fn work_folder_fuzz_target() {
    let folder = tempfile::tempdir().unwrap();
    let board = board();
    let run = |folder: &Path, extent| {
        let store = Arc::new(Folder::open(folder).map_err(StorageError::from)?);
        let objects = Objects::open(store, board.size(), 64)?;
        count(&board, extent, &objects, &Control::default())
    };
    run(folder.path(), Extent::Plies(4)).unwrap();
    let sound: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    let expected =
        count(&board, Extent::WholeWithValues, &Memory::new(), &Control::default()).unwrap();
    // The first byte chooses the file; the other bytes are its content.
    let inputs: Vec<Vec<u8>> =
        (0..).zip(&sound).map(|(i, (_, bytes))| [&[i][..], bytes].concat()).collect();
    fuzz("work-folder", &inputs, |input| {
        let Some((&number, damaged)) = input.split_first() else { return };
        for entry in fs::read_dir(folder.path()).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (path, bytes) in &sound {
            fs::write(path, bytes).unwrap();
        }
        let (path, _) = &sound[usize::from(number) % sound.len()];
        fs::write(path, damaged).unwrap();
        match run(folder.path(), Extent::WholeWithValues) {
            Ok(counts) => assert_eq!(counts, expected),
            // The plan is the only object that is not made again.
            Err(PassError::Storage(error @ StorageError::Damaged { .. })) => {
                assert!(path.ends_with("plan"), "{}: {error}", path.display());
                let named = format!("plan in {} is damaged", folder.path().display());
                assert!(error.to_string().contains(&named), "{error}");
            }
            Err(error) => panic!("{}: {error}", path.display()),
        }
    });
}
