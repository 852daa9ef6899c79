//! Arrays of lanes as objects: packed chunks that can be read separately.
//!
//! The module `everyply_files::store::sealed` defines the layout of the object, `codec` the layout
//! of a chunk. Lanes of several planes are interleaved, lane `i` of plane `p` at `i * planes + p`, and
//! a chunk has whole groups of lanes.

mod codec;
#[cfg(test)]
mod tests;

use std::ops::Range;

use rayon::prelude::*;

use codec::{pack, unpack};
use everyply_files::store::Store;
use everyply_files::store::sealed::{ChunkError, ENTRY, HEADER, Header, Identity, LANE_BYTES};

use super::Lane;

const _: () = assert!(size_of::<Lane>() as u64 == LANE_BYTES);

/// The usual lanes of a chunk, or a few fewer for whole groups: 256 KiB.
pub(in crate::profiles) const CHUNK: usize = 4096;
/// The most bytes read from the store at a time: enough for a network file system, whose requests
/// have latency, and few enough for the processor's cache and for a share for every thread.
const READ: u64 = 4 << 20;
/// The bytes of the first read, which usually cover the table.
const FIRST_READ: u64 = 64 << 10;

/// Encodes lanes as an object, in chunks of at most `most` lanes.
///
/// `fill` is a group of lanes, one per plane. Groups equal to `fill` take no room: meaningless
/// places should hold it.
pub(in crate::profiles) fn encode(
    lanes: &[Lane],
    fill: &[Lane],
    identity: &Identity,
    most: usize,
) -> Vec<u8> {
    let chunk = (most / fill.len()).max(1) * fill.len();
    let packed: Vec<_> = lanes.par_chunks(chunk).map(|lanes| pack(lanes, fill)).collect();
    let mut table = Vec::with_capacity(packed.len() * ENTRY);
    for chunk in &packed {
        table.extend((chunk.len() as u32).to_le_bytes());
        table.extend(crc32fast::hash(chunk).to_le_bytes());
    }
    let bytes = HEADER + table.len() + packed.iter().map(Vec::len).sum::<usize>();
    let header = Header {
        identity: *identity,
        object: bytes as u64,
        content: size_of_val(lanes) as u64,
        chunk: chunk as u32,
        planes: fill.len() as u8,
    };
    let mut object = Vec::with_capacity(bytes);
    object.extend(header.bytes(&table));
    object.extend(table);
    for chunk in packed {
        object.extend(chunk);
    }
    object
}

#[derive(Clone, Copy, Debug)]
struct PackedChunk {
    /// The offset of its end, which is the start of the next chunk.
    end: u64,
    checksum: u32,
}

/// The table of an object that holds lanes.
#[derive(Debug)]
pub(in crate::profiles) struct Chunks {
    header: Header,
    begin: u64,
    chunks: Vec<PackedChunk>,
}

impl Chunks {
    /// Reads and checks the table of an object.
    pub(in crate::profiles) fn open(
        store: &dyn Store,
        name: &str,
        identity: &Identity,
    ) -> Result<Self, ChunkError> {
        let mut start = store.read(name, 0..FIRST_READ)?.ok_or(ChunkError::Missing)?;
        let header = Header::read(&start)?;
        let length = store.len(name)?.ok_or(ChunkError::Missing)?;
        if header.object != length {
            return Err(ChunkError::Damaged("not of its full length"));
        }
        let begin = header.table_end().filter(|&end| end <= length);
        let begin = begin.ok_or(ChunkError::Damaged("its header contradicts itself"))?;
        if begin > start.len() as u64 {
            let read = start.len() as u64;
            start.extend(store.read(name, read..begin)?.ok_or(ChunkError::Missing)?);
        }
        let cut = ChunkError::Damaged("not of its full length");
        let table = start.get(HEADER..begin as usize).ok_or(cut)?;
        header.check(&start, table, identity)?;

        let mut chunks = Vec::new();
        chunks.try_reserve_exact(table.len() / ENTRY).map_err(|_| ChunkError::Memory)?;
        let mut end = begin;
        for entry in table.as_chunks::<ENTRY>().0 {
            let [a, b, c, d, checksum @ ..] = *entry;
            end += u64::from(u32::from_le_bytes([a, b, c, d]));
            chunks.push(PackedChunk { end, checksum: u32::from_le_bytes(checksum) });
        }
        match end == length {
            true => Ok(Self { header, begin, chunks }),
            false => Err(ChunkError::Damaged("its table contradicts its length")),
        }
    }

    pub(in crate::profiles) fn lanes(&self) -> usize {
        (self.header.content / size_of::<Lane>() as u64) as usize
    }

    /// Fills `out` with lanes from `first` on; `fill` must be the fill of the encoding.
    pub(in crate::profiles) fn read(
        &self,
        store: &dyn Store,
        name: &str,
        first: usize,
        fill: &[Lane],
        out: &mut [Lane],
    ) -> Result<(), ChunkError> {
        if fill.len() != usize::from(self.header.planes) {
            return Err(ChunkError::Damaged("of another number of planes"));
        }
        if first.checked_add(out.len()).is_none_or(|end| end > self.lanes()) {
            return Err(ChunkError::Damaged("not of its full length"));
        }
        let pieces = self.pieces(first, out).into_par_iter().with_max_len(1);
        pieces.try_for_each(|piece| self.read_piece(store, name, fill, piece))
    }

    /// Cuts a range into pieces, each read in one request.
    fn pieces<'a>(&self, first: usize, mut out: &'a mut [Lane]) -> Vec<ChunkRange<'a>> {
        let chunk = self.header.chunk as usize;
        let mut pieces = Vec::new();
        let mut first = first;
        // Small ranges are shared by all threads as well.
        let most = out.len().div_ceil(chunk).div_ceil(2 * rayon::current_num_threads()).max(1);
        while !out.is_empty() {
            let from = first / chunk;
            let wanted = (first + out.len()).div_ceil(chunk);
            let most_chunks = (from + 1..=wanted).take(most);
            let fits = |&to: &usize| to == from + 1 || self.bytes(from..to) <= READ;
            let to = most_chunks.take_while(fits).last().unwrap_or(from + 1);
            let lanes = (to * chunk - first).min(out.len());
            let (piece, rest) = out.split_at_mut(lanes);
            pieces.push(ChunkRange { chunks: from..to, first, out: piece });
            (out, first) = (rest, first + lanes);
        }
        pieces
    }

    fn begin(&self, chunk: usize) -> u64 {
        chunk.checked_sub(1).map_or(self.begin, |before| self.chunks[before].end)
    }

    fn bytes(&self, chunks: Range<usize>) -> u64 {
        self.begin(chunks.end) - self.begin(chunks.start)
    }

    fn read_piece(
        &self,
        store: &dyn Store,
        name: &str,
        fill: &[Lane],
        piece: ChunkRange<'_>,
    ) -> Result<(), ChunkError> {
        let ChunkRange { chunks, mut first, mut out } = piece;
        let (start, end) = (self.begin(chunks.start), self.begin(chunks.end));
        let packed = match start == end {
            true => Vec::new(),
            false => store.read(name, start..end)?.ok_or(ChunkError::Missing)?,
        };
        if packed.len() as u64 != end - start {
            return Err(ChunkError::Damaged("not of its full length"));
        }
        let chunk = self.header.chunk as usize;
        for number in chunks {
            let range = self.begin(number) - start..self.chunks[number].end - start;
            let packed = &packed[range.start as usize..range.end as usize];
            if crc32fast::hash(packed) != self.chunks[number].checksum {
                return Err(ChunkError::Damaged("a chunk has a wrong checksum"));
            }
            let lanes = chunk.min(self.lanes() - number * chunk);
            let skipped = first - number * chunk;
            let wanted = (lanes - skipped).min(out.len());
            let (now, later) = out.split_at_mut(wanted);
            let unpacked = if wanted == lanes {
                unpack(packed, fill, now)
            } else {
                let mut whole = vec![Lane::ZERO; lanes];
                unpack(packed, fill, &mut whole)
                    .map(|()| now.copy_from_slice(&whole[skipped..skipped + wanted]))
            };
            unpacked.ok_or(ChunkError::Damaged("a chunk contradicts itself"))?;
            (out, first) = (later, first + wanted);
        }
        Ok(())
    }
}

/// Adjoining chunks, and the memory for the lanes read from them.
struct ChunkRange<'a> {
    chunks: Range<usize>,
    /// The first lane of `out`.
    first: usize,
    out: &'a mut [Lane],
}
