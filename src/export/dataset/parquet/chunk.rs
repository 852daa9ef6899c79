//! The values of a column in a group of rows, and their pages.

use rustc_hash::FxHashMap;

use super::metadata::{PLAIN, RLE_DICTIONARY, dictionary_header, values_header, varint};

/// Values as they stand in a page without dictionary, one after the other.
pub(super) struct Chunk {
    bytes: Vec<u8>,
    /// Where each value ends.
    ends: Vec<usize>,
    /// Of each row, 1 if it has a value; `None` where each has.
    present: Option<Vec<u32>>,
}

/// Bytes of a file; the dictionary may be empty.
pub(super) struct Pages {
    pub dictionary: Vec<u8>,
    pub values: Vec<u8>,
}

impl Chunk {
    pub fn new(nullable: bool) -> Self {
        Self { bytes: Vec::new(), ends: Vec::new(), present: nullable.then(Vec::new) }
    }

    pub fn rows(&self) -> usize {
        self.present.as_ref().map_or(self.ends.len(), Vec::len)
    }

    /// Adds a row with a number's bytes, the lowest first, or with no value.
    pub fn push(&mut self, value: Option<&[u8]>) {
        if let Some(value) = value {
            self.bytes.extend_from_slice(value);
            self.ends.push(self.bytes.len());
        }
        if let Some(present) = &mut self.present {
            present.push(u32::from(value.is_some()));
        }
    }

    /// Adds a row with a text.
    pub fn push_text(&mut self, text: &str) {
        self.bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.push(Some(text.as_bytes()));
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        if let Some(present) = &mut self.present {
            present.clear();
        }
    }

    /// The pages, with a dictionary if they are smaller by it.
    pub fn pages(&self) -> Pages {
        let mut page = Vec::new();
        if let Some(present) = &self.present {
            let mut levels = Vec::new();
            packed(&mut levels, present, 1);
            page.extend_from_slice(&(levels.len() as u32).to_le_bytes());
            page.extend_from_slice(&levels);
        }
        let mut dictionary = Vec::new();
        let encoding = match self.dictionary() {
            Some((distinct, places, values)) => {
                dictionary = dictionary_header(distinct, values.len());
                dictionary.extend_from_slice(&values);
                page.extend_from_slice(&places);
                RLE_DICTIONARY
            }
            None => {
                page.extend_from_slice(&self.bytes);
                PLAIN
            }
        };
        let mut values = values_header(self.rows(), encoding, page.len());
        values.extend_from_slice(&page);
        Pages { dictionary, values }
    }

    /// The number of distinct values, for each value its place among them as it stands in a page,
    /// and the distinct values in the order in which they come up.
    fn dictionary(&self) -> Option<(usize, Vec<u8>, Vec<u8>)> {
        let mut places = FxHashMap::default();
        let mut indices = Vec::with_capacity(self.ends.len());
        let (mut values, mut begin) = (Vec::new(), 0);
        for &end in &self.ends {
            let value = &self.bytes[begin..end];
            let next = places.len() as u32;
            indices.push(*places.entry(value).or_insert_with(|| {
                values.extend_from_slice(value);
                next
            }));
            begin = end;
        }
        // One bit at least: not every reader knows numbers of none.
        let bits = u32::BITS - (places.len().saturating_sub(1) as u32 | 1).leading_zeros();
        let mut page = vec![bits as u8];
        packed(&mut page, &indices, bits);
        let smaller = page.len() + values.len() < self.bytes.len();
        smaller.then_some((places.len(), page, values))
    }
}

/// Numbers of so many bits in the hybrid encoding: eight or more equal ones as a run, the others in
/// groups of eight, packed from the lowest bit.
fn packed(to: &mut Vec<u8>, numbers: &[u32], bits: u32) {
    let mut at = 0;
    let mut loose = 0;
    while at < numbers.len() {
        let run = numbers[at..].iter().take_while(|&&number| number == numbers[at]).count();
        if run >= 8 {
            pack_groups(to, &numbers[loose..at], bits);
            varint(to, (run as u64) << 1);
            to.extend_from_slice(&numbers[at].to_le_bytes()[..bits.div_ceil(8) as usize]);
            at += run;
            loose = at;
        } else {
            at = (at + 8).min(numbers.len());
        }
    }
    pack_groups(to, &numbers[loose..], bits);
}

/// Groups of eight; only the last numbers of all may be fewer, and are filled up with zeros.
fn pack_groups(to: &mut Vec<u8>, numbers: &[u32], bits: u32) {
    if numbers.is_empty() {
        return;
    }
    varint(to, (numbers.len().div_ceil(8) as u64) << 1 | 1);
    let (mut word, mut filled) = (0_u64, 0);
    for i in 0..numbers.len().next_multiple_of(8) {
        word |= u64::from(numbers.get(i).copied().unwrap_or(0)) << filled;
        filled += bits;
        while filled >= 8 {
            to.push(word as u8);
            word >>= 8;
            filled -= 8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(numbers: &[u32], bits: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        packed(&mut bytes, numbers, bits);
        bytes
    }

    #[test]
    fn numbers_are_packed_as_the_specification_shows() {
        // Its example: the numbers 0 to 7 in three bits each.
        assert_eq!(
            encoded(&[0, 1, 2, 3, 4, 5, 6, 7], 3),
            [3, 0b1000_1000, 0b1100_0110, 0b1111_1010]
        );
        // A run of nine, then a group that is not full.
        assert_eq!(
            encoded(&[5, 5, 5, 5, 5, 5, 5, 5, 5, 1, 0, 1], 3),
            [18, 5, 3, 0b0100_0001, 0, 0]
        );
        // A run may begin where a group ends, and not before.
        let numbers = [[1, 0, 1, 0, 1, 0, 1, 1], [1; 8]].concat();
        assert_eq!(encoded(&numbers, 1), [3, 0b1101_0101, 16, 1]);
        assert!(encoded(&[], 1).is_empty());
        // Groups of more than 128 bits.
        let wide = encoded(&[0x1_ffff, 0, 0x1_ffff, 0, 0, 0, 0, 0x1_0000], 17);
        assert_eq!(wide.len(), 1 + 17);
        assert_eq!((wide[1..4].to_vec(), wide[17]), (vec![0xff, 0xff, 1], 0x80));
    }

    #[test]
    fn a_dictionary_is_used_where_it_saves_bytes() {
        let mut chunk = Chunk::new(true);
        for i in 0..100_u32 {
            chunk.push((i % 2 == 0).then(|| (i % 8).to_le_bytes()).as_ref().map(|b| &b[..]));
        }
        assert_eq!(chunk.rows(), 100);
        assert!(!chunk.pages().dictionary.is_empty());
        chunk.clear();
        for i in 0..100_u64 {
            chunk.push(Some(&i.to_le_bytes()));
        }
        assert!(chunk.pages().dictionary.is_empty());
        chunk.clear();
        chunk.push(None);
        assert_eq!((chunk.rows(), chunk.pages().dictionary.len()), (1, 0));
    }
}
