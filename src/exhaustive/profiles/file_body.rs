//! What is behind the header of a file in a work folder: read, checked, or mapped.

use std::io;
use std::path::PathBuf;

use crc32fast::Hasher;
use memmap2::Mmap;

use super::files::{CHECKSUM, COVERED, HEADER, failed};
use super::lane::Lane;
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

    /// The lanes of a tier in its file.
    pub(super) fn mapped(&self) -> Result<Option<Stored>, StorageError> {
        let Some(file) = self.file.system_file().filter(|_| cfg!(target_endian = "little")) else {
            return Ok(None);
        };
        // Read, not looked at through the map: a file that is cut or a disk that fails is an error
        // here, and would be a signal there.
        self.check()?;
        // SAFETY: the folder is locked against other runs, and this run never changes a file after
        // it has its final name. If somebody cuts the file all the same while it is mapped, this
        // run is killed by a signal, which harms nothing: the next one continues from the last
        // complete tier. Reading such tiers into memory would bound the boards by it.
        let map = unsafe { Mmap::map(file) }.map_err(failed(&self.path))?;
        if map.len() as u64 != HEADER as u64 + self.bytes {
            return Err(self.damaged("cut while it was read"));
        }
        Ok(Some(Stored::File(map, HEADER)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::storage::{Content, Storage, TierKey};
    use super::super::{Extent, Files, count};
    use super::*;
    use crate::control::Control;
    use crate::exhaustive::profiles::Board;
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
        assert!(matches!(&*mapped, Stored::File(..)) || cfg!(target_endian = "big"));
        assert_eq!(read[..], mapped[..]);
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
