//! Work folders: cut off at any moment, damaged, foreign, in use, or full.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use everyply::connect_four::profiles::{
    Board, Counts, Extent, Files, Lane, Memory, PassError, Storage, StorageError, Stored, TierKey,
    count,
};
use everyply::control::Control;
use everyply::games::line::Size;

fn board(width: u8, height: u8) -> Board {
    Board::new(Size::new(width, height, 4).unwrap()).unwrap()
}

fn in_memory(board: &Board, extent: Extent) -> Counts {
    count(board, extent, &Memory::new(), &Control::default()).unwrap()
}

/// Opens a folder that another run in this process may just have left: a program that another test
/// starts at that moment holds a copy of the lock until it has been loaded.
fn open(folder: &Path, size: Size) -> Result<Files, StorageError> {
    for _ in 0..1000 {
        match Files::open(folder, size) {
            Err(StorageError::InUse { .. }) => std::thread::sleep(Duration::from_millis(2)),
            opened => return opened,
        }
    }
    Files::open(folder, size)
}

fn in_folder(board: &Board, extent: Extent, folder: &Path) -> Result<Counts, PassError> {
    let mut files = open(folder, board.size())?;
    count(board, extent, &mut files, &Control::default())
}

/// The files of a folder and what is in them.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())
        })
        .collect()
}

/// A work folder on a disk that is full after some writes, and a run that dies of it.
struct Full {
    files: Files,
    writes_left: u32,
}

impl Full {
    fn write(&mut self) -> Result<(), StorageError> {
        self.writes_left = self.writes_left.checked_sub(1).ok_or_else(|| StorageError::File {
            path: "work".into(),
            source: io::ErrorKind::StorageFull.into(),
        })?;
        Ok(())
    }
}

impl Storage for Full {
    fn create(&mut self, key: TierKey, lanes: usize) -> Result<(), StorageError> {
        self.write()?;
        self.files.create(key, lanes)
    }

    /// Small batches, so that tiers are cut off in the middle as well.
    fn batch(&self) -> usize {
        16
    }

    fn buffer(&mut self, lanes: usize) -> Result<&mut [Lane], StorageError> {
        self.files.buffer(lanes)
    }

    fn commit(&mut self) -> Result<(), StorageError> {
        self.write()?;
        self.files.commit()
    }

    fn finish(&mut self, summary: &[u64]) -> Result<(), StorageError> {
        self.write()?;
        self.files.finish(summary)
    }

    fn summary(&mut self, key: TierKey) -> Result<Option<Vec<u64>>, StorageError> {
        self.files.summary(key)
    }

    fn read(&mut self, key: TierKey) -> Result<Arc<Stored>, StorageError> {
        self.files.read(key)
    }

    fn clear(&mut self) -> Result<(), StorageError> {
        self.files.clear()
    }

    fn discard(&mut self, key: TierKey) -> Result<(), StorageError> {
        self.write()?;
        self.files.discard(key)
    }
}

#[test]
fn a_folder_gives_the_same_as_memory() {
    let folder = tempfile::tempdir().unwrap();
    for extent in [Extent::Whole, Extent::WholeWithValues, Extent::Plies(7)] {
        let board = board(4, 4);
        let expected = in_memory(&board, extent);
        let folder = folder.path().join(format!("{extent:?}"));
        assert_eq!(in_folder(&board, extent, &folder).unwrap(), expected);
        // Once more, from what is there.
        assert_eq!(in_folder(&board, extent, &folder).unwrap(), expected);
    }
}

#[test]
fn a_run_cut_off_anywhere_continues_and_ends_with_the_same_bytes() {
    let board = board(4, 3);
    let expected = in_memory(&board, Extent::WholeWithValues);
    let whole = tempfile::tempdir().unwrap();
    in_folder(&board, Extent::WholeWithValues, whole.path()).unwrap();
    let mut cut_off = 0;
    for step in [1, 2, 7, 30, 1000] {
        // Cut off after `step` writes, again and again until it is through.
        let folder = tempfile::tempdir().unwrap();
        let mut runs = 0;
        let counts = loop {
            let files = open(folder.path(), board.size()).unwrap();
            let mut full = Full { files, writes_left: step + runs };
            let control = Control::default();
            match count(&board, Extent::WholeWithValues, &mut full, &control) {
                Ok(counts) => break counts,
                Err(PassError::Storage(error @ StorageError::File { .. })) => {
                    assert!(error.to_string().contains("continues from the last complete tier"));
                    runs += 1;
                }
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(counts, expected);
        assert_eq!(contents(folder.path()), contents(whole.path()));
        cut_off += runs;
    }
    assert!(cut_off > 20, "{cut_off}");
}

#[test]
fn progress_ends_at_its_total() {
    let folder = tempfile::tempdir().unwrap();
    let board = board(4, 4);
    for extent in [Extent::Plies(5), Extent::Whole, Extent::WholeWithValues] {
        let mut files = open(&folder.path().join(format!("{extent:?}")), board.size()).unwrap();
        // The second time everything is there already.
        for _ in 0..2 {
            let control = Control::default();
            count(&board, extent, &mut files, &control).unwrap();
            let (done, total) = control.progress();
            assert!(total > 0 && done == total, "{extent:?}: {done} of {total}");
        }
    }
}

#[test]
fn a_stopped_run_continues() {
    let folder = tempfile::tempdir().unwrap();
    let board = board(4, 4);
    let control = Control::default();
    control.stop();
    let mut files = open(folder.path(), board.size()).unwrap();
    let stopped = count(&board, Extent::WholeWithValues, &mut files, &control);
    assert!(matches!(stopped, Err(PassError::Stopped(_))));
    drop(files);
    let counts = in_folder(&board, Extent::WholeWithValues, folder.path()).unwrap();
    assert_eq!(counts, in_memory(&board, Extent::WholeWithValues));
}

#[test]
fn a_folder_of_another_extent_is_used_as_far_as_it_goes() {
    let board = board(4, 4);
    for before in [Extent::Plies(3), Extent::Whole, Extent::WholeWithValues] {
        for after in [Extent::Plies(9), Extent::Whole, Extent::WholeWithValues] {
            let folder = tempfile::tempdir().unwrap();
            in_folder(&board, before, folder.path()).unwrap();
            let counts = in_folder(&board, after, folder.path()).unwrap();
            assert_eq!(counts, in_memory(&board, after), "{before:?} {after:?}");
        }
    }
}

#[test]
fn a_damaged_file_is_found_and_named() {
    let board = board(4, 3);
    let folder = tempfile::tempdir().unwrap();
    // A run cut off in the backward pass leaves files of all kinds.
    let files = open(folder.path(), board.size()).unwrap();
    let mut full = Full { files, writes_left: 90 };
    count(&board, Extent::WholeWithValues, &mut full, &Control::default()).unwrap_err();
    drop(full);
    let whole = contents(folder.path());
    for kind in ["alive-05.tier", "alive-05.summary", "values-", ".summary"] {
        assert!(whole.keys().any(|name| name.contains(kind)), "{kind} in {:?}", whole.keys());
    }
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut found = 0;
    for (name, bytes) in whole.iter().filter(|(name, _)| name.ends_with("y") || name.ends_with("r"))
    {
        let path = folder.path().join(name);
        let mut damaged = vec![bytes[..bytes.len() - 1].to_vec(), bytes[..30].to_vec(), Vec::new()];
        for _ in 0..4 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let bit = (seed >> 33) as usize % (8 * bytes.len());
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            damaged.push(flipped);
        }
        for damaged in damaged {
            fs::write(&path, &damaged).unwrap();
            // A tier that is not needed any more may be read or not, but is never believed.
            match in_folder(&board, Extent::WholeWithValues, folder.path()) {
                Err(PassError::Storage(error @ StorageError::Damaged { .. })) => {
                    assert!(error.to_string().contains(name), "{error}");
                    found += 1;
                }
                Ok(counts) => assert_eq!(counts, in_memory(&board, Extent::WholeWithValues)),
                Err(error) => panic!("{name}: {error}"),
            }
            for (name, bytes) in &whole {
                fs::write(folder.path().join(name), bytes).unwrap();
            }
        }
    }
    assert!(found > 50, "{found}");
    // With the file removed, the same call computes it anew.
    fs::remove_file(folder.path().join("alive-05.tier")).unwrap();
    let counts = in_folder(&board, Extent::WholeWithValues, folder.path()).unwrap();
    assert_eq!(counts, in_memory(&board, Extent::WholeWithValues));
}

#[test]
fn a_folder_of_another_board_or_another_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    in_folder(&board(4, 3), Extent::Whole, folder.path()).unwrap();
    let other = in_folder(&board(3, 4), Extent::Whole, folder.path());
    let Err(PassError::Storage(error @ StorageError::OtherBoard { .. })) = other else {
        panic!("{other:?}");
    };
    assert!(error.to_string().contains("was made for 4x3, 4 in a row"), "{error}");

    let _files = Files::open(folder.path(), board(4, 3).size()).unwrap();
    let second = Files::open(folder.path(), board(4, 3).size());
    assert!(matches!(second, Err(StorageError::InUse { .. })));

    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let not_a_folder = Files::open(&file, board(4, 3).size());
    assert!(matches!(not_a_folder, Err(StorageError::File { .. })));
}
