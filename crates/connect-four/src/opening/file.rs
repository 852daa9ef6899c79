//! Files of opening books.

use super::{OpeningBook, OpeningError, VERSION};
use crate::game::Ply;
use crate::games::line::Size;

const MAGIC: [u8; 8] = *b"everbook";
/// Bytes of the header: magic, version, CRC-32 of the rest, columns, rows, line length, plies.
const HEADER: usize = 20;
/// The offset of the first byte that the checksum covers.
pub(super) const COVERED: usize = 16;

impl OpeningBook {
    /// Returns the bytes of the book's file.
    ///
    /// # Errors
    /// If there is no memory to compress it.
    pub fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let Size { width, height, line } = self.size();
        let mut covered = vec![width, height, line, self.plies.0];
        covered.extend(zstd::bulk::compress(&self.values, 19)?);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(crc32fast::hash(&covered).to_le_bytes());
        bytes.extend(covered);
        Ok(bytes)
    }

    /// Reads a book from the bytes of a file.
    ///
    /// # Errors
    /// If the file is no book, of another version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, OpeningError> {
        if bytes.get(..8) != Some(&MAGIC) {
            return Err(OpeningError::NotABook);
        }
        let cut = OpeningError::Damaged("the file was cut");
        let Some(&[width, height, line, plies]) = bytes.get(COVERED..HEADER) else {
            return Err(cut);
        };
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
        if word(8) != VERSION {
            return Err(OpeningError::OtherVersion(word(8)));
        }
        if word(12) != crc32fast::hash(&bytes[COVERED..]) {
            return Err(OpeningError::Damaged("its checksum is wrong"));
        }
        let mut book = Self::empty(Size::new(width, height, line)?, Ply(plies))?;
        let values = zstd::bulk::decompress(&bytes[HEADER..], book.values.len());
        match values {
            Ok(values) if values.len() == book.values.len() => book.values = values,
            _ => return Err(OpeningError::Damaged("its length is wrong")),
        }
        Ok(book)
    }
}
