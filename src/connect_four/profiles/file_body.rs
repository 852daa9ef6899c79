//! What is behind the header of a file in a work folder: read, checked, or mapped.

use std::io;
use std::path::PathBuf;

use crc32fast::Hasher;

use super::files::{CHECKSUM, COVERED, HEADER, failed};
use super::lane::Lane;
use super::mapped::Mapped;
use super::storage::{Lanes, StorageError, Stored};
use crate::disk::DiskFile;

/// The bytes that are read at a time.
const PIECE: usize = 1 << 20;

/// A file whose header is right.
pub(super) struct Body {
    pub(super) file: Box<dyn DiskFile>,
    pub(super) path: PathBuf,
    pub(super) header: [u8; HEADER],
    /// Bytes behind the header.
    pub(super) bytes: u64,
}

impl Body {
    pub(super) fn damaged(&self, what: &'static str) -> StorageError {
        StorageError::Damaged { path: self.path.clone(), what }
    }

    /// Reads the bytes behind the header in pieces, and refuses them if the checksum is wrong.
    fn read(&self, mut pieces: impl FnMut(u64, &[u8])) -> Result<(), StorageError> {
        let mut checksum = Hasher::new();
        checksum.update(&self.header[COVERED..]);
        let mut piece = vec![0; PIECE.min(self.bytes as usize)];
        let mut at = 0;
        while at < self.bytes {
            let piece_len = (self.bytes - at).min(PIECE as u64) as usize;
            let piece = &mut piece[..piece_len];
            self.fill(piece, at)?;
            checksum.update(piece);
            pieces(at, piece);
            at += piece_len as u64;
        }
        self.compare(checksum)
    }

    /// Reads bytes from a place behind the header.
    fn fill(&self, bytes: &mut [u8], at: u64) -> Result<(), StorageError> {
        self.file.read_exact_at(bytes, HEADER as u64 + at).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("cut while it was read"),
            _ => failed(&self.path)(error),
        })
    }

    fn compare(&self, checksum: Hasher) -> Result<(), StorageError> {
        match self.header[CHECKSUM..COVERED] == checksum.finalize().to_le_bytes() {
            true => Ok(()),
            false => Err(self.damaged("wrong checksum")),
        }
    }

    pub(super) fn check(&self) -> Result<(), StorageError> {
        self.read(|_, _| {})
    }

    /// The 8-byte numbers of a summary.
    pub(super) fn numbers(&self) -> Result<Vec<u64>, StorageError> {
        let mut numbers = Vec::new();
        self.read(|_, piece| {
            let (words, _) = piece.as_chunks::<8>();
            numbers.extend(words.iter().map(|&word| u64::from_le_bytes(word)));
        })?;
        Ok(numbers)
    }

    /// The lanes of a tier, in memory.
    pub(super) fn lanes(&self) -> Result<Lanes, StorageError> {
        let mut lanes = Lanes::zeroed((self.bytes / size_of::<Lane>() as u64) as usize, 0)?;
        let mut checksum = Hasher::new();
        checksum.update(&self.header[COVERED..]);
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut lanes);
        for (i, piece) in bytes.chunks_mut(PIECE).enumerate() {
            self.fill(piece, (i * PIECE) as u64)?;
            checksum.update(piece);
        }
        self.compare(checksum)?;
        for lane in lanes.iter_mut() {
            lane.0 = lane.0.map(u64::from_le);
        }
        Ok(lanes)
    }

    /// The lanes of a tier in its file; in memory where it cannot be mapped.
    pub(super) fn mapped(mut self) -> Result<Stored, StorageError> {
        // Words are stored with their lowest byte first.
        if cfg!(target_endian = "little") {
            self.check()?;
            let length = HEADER as u64 + self.bytes;
            let mapped = Mapped::new(self.file, self.path.clone(), HEADER, length);
            match mapped.map_err(failed(&self.path))? {
                Ok(mapped) => return Ok(Stored::File(mapped)),
                Err(file) => self.file = file,
            }
        }
        self.lanes().map(Stored::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::super::storage::{Content, Storage, TierKey};
    use super::super::{Extent, Files, count};
    use super::*;
    use crate::connect_four::profiles::Board;
    use crate::control::Control;
    use crate::game::Ply;
    use crate::games::line::Size;

    #[test]
    fn a_mapped_tier_is_the_one_that_is_read_and_a_cut_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let board = Board::new(Size::new(4, 3, 4).unwrap()).unwrap();
        let mut files = Files::open(folder.path(), board.size()).unwrap();
        count(&board, Extent::Plies(6), &mut files, &Control::default()).unwrap();
        let key = TierKey { content: Content::NonTerminal, ply: Ply(6) };
        let read = files.read(key).unwrap();
        assert!(matches!(&*read, Stored::Memory(_)));
        files.most_read = 0;
        let mapped = files.read(key).unwrap();
        assert!(matches!(&*mapped, Stored::File(_)) || cfg!(target_endian = "big"));
        assert_eq!(read[..], mapped[..]);
        mapped.check().unwrap();
        drop(mapped);

        // Another tier under this one's name, and less than all of it.
        let path = folder.path().join("alive-06.tier");
        let whole = std::fs::read(&path).unwrap();
        std::fs::copy(folder.path().join("alive-06.summary"), &path).unwrap();
        for most_read in [0, 1 << 20] {
            files.most_read = most_read;
            assert!(matches!(files.read(key), Err(StorageError::Damaged { .. })));
        }
        std::fs::write(&path, &whole[..whole.len() - 64]).unwrap();
        assert!(matches!(files.read(key), Err(StorageError::Damaged { .. })));
        std::fs::write(folder.path().join("alive-05.tier"), &whole).unwrap();
        let other = files.read(TierKey { ply: Ply(5), ..key }).unwrap_err();
        assert!(other.to_string().contains("written for another tier"), "{other}");
    }
}

/// What happens to a file that is cut while it is mapped, by this much.
#[cfg(all(test, unix, target_endian = "little"))]
mod cut {
    use std::sync::Arc;

    use super::super::storage::{Storage, TierKey};
    use super::super::{Extent, Files, count};
    use super::*;
    use crate::connect_four::profiles::Board;
    use crate::control::Control;
    use crate::games::line::Size;

    /// A folder whose files of a kind are cut as soon as they are mapped.
    struct Cut {
        files: Files,
        folder: PathBuf,
        name: &'static str,
        by: u64,
    }

    impl Storage for Cut {
        fn create(&mut self, key: TierKey, lanes: usize) -> Result<(), StorageError> {
            self.files.create(key, lanes)
        }
        fn batch(&self) -> usize {
            self.files.batch()
        }
        fn buffer(&mut self, lanes: usize) -> Result<&mut [Lane], StorageError> {
            self.files.buffer(lanes)
        }
        fn commit(&mut self) -> Result<(), StorageError> {
            self.files.commit()
        }
        fn finish(&mut self, summary: &[u64]) -> Result<(), StorageError> {
            self.files.finish(summary)
        }
        fn summary(&mut self, key: TierKey) -> Result<Option<Vec<u64>>, StorageError> {
            self.files.summary(key)
        }
        fn read(&mut self, key: TierKey) -> Result<Arc<Stored>, StorageError> {
            let stored = self.files.read(key)?;
            let path = self.folder.join(format!("{}-{:02}.tier", key.content, key.ply));
            if path.ends_with(self.name) {
                assert!(matches!(&*stored, Stored::File(_)));
                let file = std::fs::File::options().write(true).open(&path).unwrap();
                let length = file.metadata().unwrap().len();
                file.set_len(length.saturating_sub(self.by)).unwrap();
            }
            Ok(stored)
        }
        fn clear(&mut self) -> Result<(), StorageError> {
            self.files.clear()
        }
        fn discard(&mut self, key: TierKey) -> Result<(), StorageError> {
            self.files.discard(key)
        }
    }

    #[test]
    fn a_file_that_is_cut_while_it_is_mapped_ends_the_run_with_an_error() {
        let board = Board::new(Size::new(4, 4, 4).unwrap()).unwrap();
        let control = Control::default();
        let extent = Extent::WholeWithValues;
        let whole = tempfile::tempdir().unwrap();
        let mut files = Files::open(whole.path(), board.size()).unwrap();
        let expected = count(&board, extent, &mut files, &control).unwrap();
        // Less than a page, some pages, and everything.
        for by in [1, 20_000, u64::MAX] {
            for name in ["alive-07.tier", "alive-10.tier", "values-12.tier"] {
                let place = tempfile::tempdir().unwrap();
                let folder = place.path().to_owned();
                let open = || {
                    let mut files = Files::open(&folder, board.size()).unwrap();
                    files.most_read = 0;
                    files
                };
                let mut cut = Cut { files: open(), folder: folder.clone(), name, by };
                let error = count(&board, extent, &mut cut, &control).unwrap_err().to_string();
                assert!(error.contains(name) && error.contains("while it was read"), "{error}");
                drop(cut);
                // What the message says to do.
                std::fs::remove_file(folder.join(name)).unwrap();
                let again = count(&board, extent, &mut open(), &control).unwrap();
                assert_eq!(again, expected, "{name} cut by {by}");
            }
        }
    }
}
