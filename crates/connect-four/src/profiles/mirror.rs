//! The array of a profile, computed from the array of its mirror image.
//!
//! Mirrored cells are neighbours in the numbering of [`Board`], so the mirror image of a profile
//! has the same array except for an exchange of index bits: if both cells of a pair are occupied,
//! the colourings with 01 in them change places with the colourings with 10. Above the blocks these
//! are two neighbouring ranges of the same length:
//!
//! ```text
//!  00 | 01 | 10 | 11      the ranges under the two bits of a pair
//!  00 | 10 | 01 | 11      in the mirror image
//! ```
//!
//! Inside a block they are ranges too, but of bits. For the upper pairs of a block the ranges are
//! long enough to be moved as ranges, all in one pass. For the lower pairs, the rank of a string is
//! the number of lower strings, so that a string with 10 at bits i + 1 and i and with k ones below
//! them comes C(i, k) places after the same string with 01: the exchange is one shift under a mask
//! for every distance that occurs ([`Exchanges`](super::combinadic::Exchanges)), and lower pairs
//! have few distances.

use std::cell::RefCell;
use std::ops::Deref;
use std::sync::OnceLock;

use super::board::Board;
use super::code::MAX_PLANES;
use super::combinadic::choose;
use super::lane::{Lane, Machine, on_processor};
use super::lanes::{Pool, Pooled};
use super::piece::{Geometry, Piece};
use super::unit::StorageError;
use everyply_core::parallel;

/// The number of lanes above which a range is split between threads.
const SPLIT_LANES: usize = 4096;

/// The most words of a block, and the most words that an exchange shifts by: a block has up to 14
/// index bits, so C(14, 7) = 3432 and C(12, 6) = 924 bits.
const BLOCK_WORDS: usize = 56;
const SHIFT_WORDS: usize = 16;

/// The array of a profile: as stored, or computed from the array of its mirror image.
pub(super) enum View<'t> {
    Stored(&'t [Lane]),
    Mirrored(Pooled<'t>),
}

impl Deref for View<'_> {
    type Target = [Lane];

    fn deref(&self) -> &[Lane] {
        match self {
            Self::Stored(lanes) => lanes,
            Self::Mirrored(pooled) => &pooled.lanes,
        }
    }
}

/// Computes the array of a piece from the array of its mirror image.
pub(super) fn mirrored<'p>(
    board: &Board,
    pool: &'p Pool,
    piece: &Piece,
    planes: usize,
    source: &[Lane],
) -> Result<Pooled<'p>, StorageError> {
    let mut mirrored = pool.lend(source.len())?;
    let geometry = Geometry::new(board, piece.profile);
    let ones = piece.ones(&geometry).unwrap_or(0);
    let pairs = geometry.pairs(board);
    let lower = LOWER + (pairs >> (LOWER - 1) & 1) as usize;
    let segments = Default::default();
    let mirror = Mirror { board, planes, block: geometry.block, pairs, lower, segments };
    mirror.range(piece.left, ones, source, &mut mirrored.lanes);
    Ok(mirrored)
}

/// The number of lowest bits of a block whose pairs are exchanged by shifts; one more if that would
/// cut a pair.
const LOWER: usize = 8;

struct Mirror<'a> {
    board: &'a Board,
    planes: usize,
    block: usize,
    pairs: u64,
    lower: usize,
    /// The ranges that the pairs above the lowest bits move, by the number of ones of a block.
    segments: [OnceLock<Vec<Segment>>; MAX_BLOCK + 1],
}

const MAX_BLOCK: usize = 14;

/// A range of bits in a block, and its place in the mirrored block.
#[derive(Clone, Copy, Debug)]
struct Segment {
    from: u32,
    to: u32,
    bits: u32,
}

impl Mirror<'_> {
    /// Mirrors the range under decided bits; `left` bits with `ones` ones are open.
    fn range(&self, left: usize, ones: usize, source: &[Lane], out: &mut [Lane]) {
        if out.is_empty() {
            return;
        }
        if self.pairs & ((1 << left) - 1) == 0 {
            return out.copy_from_slice(source);
        }
        if left == self.block {
            return BUFFERS.with_borrow_mut(|buffers| {
                on_processor!(
                    self.board.processor,
                    exchange,
                    (
                        this: &Mirror<'_> = self,
                        n: usize = ones,
                        b: &mut [[Words; MAX_PLANES]; 2] = buffers,
                        s: &[Lane] = source,
                        o: &mut [Lane] = out
                    ) -> ()
                );
            });
        }
        let size = |left, ones: Option<usize>| {
            let ones = ones.map(|ones| self.board.sizes.lanes(self.block, left, ones));
            ones.unwrap_or(0) * self.planes
        };
        let paired = left >= 2 && self.pairs >> (left - 2) & 1 == 1;
        if !paired {
            let at = size(left - 1, Some(ones));
            let ((s0, s1), (o0, o1)) = (source.split_at(at), out.split_at_mut(at));
            return self.both(
                s0.len() + s1.len(),
                || self.range(left - 1, ones, s0, o0),
                || self.range(left - 1, ones.saturating_sub(1), s1, o1),
            );
        }
        let left = left - 2;
        let (zeros, mixed) = (size(left, Some(ones)), size(left, ones.checked_sub(1)));
        let (s00, rest) = source.split_at(zeros);
        let (s01, rest) = rest.split_at(mixed);
        let (s10, s11) = rest.split_at(mixed);
        let (o00, rest) = out.split_at_mut(zeros);
        let (o01, rest) = rest.split_at_mut(mixed);
        let (o10, o11) = rest.split_at_mut(mixed);
        let (one, two) = (ones.saturating_sub(1), ones.saturating_sub(2));
        self.both(
            source.len(),
            || {
                self.range(left, ones, s00, o00);
                self.range(left, one, s10, o01);
            },
            || {
                self.range(left, one, s01, o10);
                self.range(left, two, s11, o11);
            },
        );
    }

    /// Adds the segments of the bits under decided index bits. They come next in the block, and go
    /// to the places from `to` on.
    fn segment(&self, left: usize, ones: Option<usize>, to: u64, segments: &mut Vec<Segment>) {
        let Some(ones) = ones.filter(|ones| *ones <= left) else { return };
        if left <= self.lower || (self.pairs & ((1 << left) - 1)) >> self.lower == 0 {
            let from = segments.last().map_or(0, |last| last.from + last.bits);
            segments.push(Segment { from, to: to as u32, bits: choose(left, ones) as u32 });
            return;
        }
        let fewer = ones.checked_sub(1);
        if self.pairs >> (left - 2) & 1 == 0 {
            self.segment(left - 1, Some(ones), to, segments);
            return self.segment(left - 1, fewer, to + choose(left - 1, ones), segments);
        }
        let left = left - 2;
        let (zeros, mixed) = (choose(left, ones), fewer.map_or(0, |ones| choose(left, ones)));
        self.segment(left, Some(ones), to, segments);
        self.segment(left, fewer, to + zeros + mixed, segments);
        self.segment(left, fewer, to + zeros, segments);
        self.segment(left, ones.checked_sub(2), to + zeros + 2 * mixed, segments);
    }

    fn both(&self, lanes: usize, mut a: impl FnMut() + Send, mut b: impl FnMut() + Send) {
        if lanes > SPLIT_LANES * self.planes {
            parallel::join(&mut a, &mut b);
        } else {
            a();
            b();
        }
    }
}

/// The words of a block, padded on both sides with words that shifts read and masks exclude.
type Words = [u64; SHIFT_WORDS + BLOCK_WORDS + SHIFT_WORDS];

thread_local! {
    /// A block of every plane, before and after a step.
    static BUFFERS: RefCell<Box<[[Words; MAX_PLANES]; 2]>> =
        RefCell::new(Box::new([[[0; SHIFT_WORDS + BLOCK_WORDS + SHIFT_WORDS]; MAX_PLANES]; 2]));
}

/// Exchanges the bits of every pair in a block: the kernel.
#[inline(always)]
fn exchange<M: Machine>(
    this: &Mirror<'_>,
    ones: usize,
    buffers: &mut [[Words; MAX_PLANES]; 2],
    source: &[Lane],
    out: &mut [Lane],
) {
    let exchanges = &this.board.exchanges;
    let (planes, length) = (this.planes, this.block);
    let size = source.len() / planes;
    // If all bits of a plane are equal, as in most blocks of large boards, no bit changes places.
    let first = &source[..planes];
    if first.iter().all(|&lane| lane == Lane::ZERO || lane == Lane::ONES)
        && source.chunks_exact(planes).all(|group| group == first)
    {
        out.copy_from_slice(source);
        return;
    }
    // Each step is made for all planes before the next, since a step waits for the stores of the
    // last one.
    let [now, next] = buffers;
    let (mut now, mut next) = (&mut now[..planes], &mut next[..planes]);
    for (plane, block) in now.iter_mut().enumerate() {
        for lane in 0..size {
            *lane_mut(block, lane) = source[lane * planes + plane].0;
        }
    }
    let mut pairs = this.pairs & ((1 << length) - 1);
    if pairs >> this.lower != 0 {
        let segments = this.segments[ones].get_or_init(|| {
            let mut segments = Vec::new();
            this.segment(length, Some(ones), 0, &mut segments);
            segments
        });
        for (from, to) in now.iter().zip(next.iter_mut()) {
            to[SHIFT_WORDS..SHIFT_WORDS + size * 8].fill(0);
            for segment in segments {
                copy_bits(from, to, segment);
            }
        }
        std::mem::swap(&mut now, &mut next);
        pairs &= (1 << this.lower) - 1;
    }
    while pairs != 0 {
        let bit = pairs.trailing_zeros() as usize;
        pairs &= pairs - 1;
        for step in exchanges.steps(length, ones, bit) {
            let (front, back) = exchanges.masks[step.masks..][..2 * size].split_at(size);
            for (plane, from) in now.iter().enumerate() {
                shift(from, &mut next[plane], step.distance, front, back);
            }
            std::mem::swap(&mut now, &mut next);
        }
    }
    for (plane, block) in now.iter().enumerate() {
        for lane in 0..size {
            out[lane * planes + plane].0 = *words(block, SHIFT_WORDS + lane * 8);
        }
    }
}

/// Copies a range of bits to a place that holds zeros.
#[inline(always)]
fn copy_bits(source: &Words, to: &mut Words, segment: &Segment) {
    let Segment { from, to: at, bits } = *segment;
    let mut done = 0;
    while done < bits {
        let (from, at) = ((from + done) as usize, (at + done) as usize);
        let count = (bits - done).min(64);
        let pair = words::<2>(source, SHIFT_WORDS + from / 64);
        let mut word = pair[0] >> (from % 64) | pair[1] << 1 << (63 - from % 64);
        if count < 64 {
            word &= (1 << count) - 1;
        }
        let place = SHIFT_WORDS + at / 64;
        to[place] |= word << (at % 64);
        to[place + 1] |= word >> 1 >> (63 - at % 64);
        done += count;
    }
}

/// Exchanges the bits at `front` with those at `back`, `distance` places later.
#[inline(always)]
fn shift(from: &Words, to: &mut Words, distance: u32, front: &[Lane], back: &[Lane]) {
    let (far, near) = ((distance / 64) as usize, distance % 64);
    assert!(far + 1 < SHIFT_WORDS && front.len() * 8 <= BLOCK_WORDS);
    for (lane, front) in front.iter().enumerate() {
        let back = &back[lane];
        let at = SHIFT_WORDS + lane * 8;
        let here = words::<8>(from, at);
        let (behind, before) = (words::<9>(from, at + far), words::<9>(from, at - far - 1));
        let out = lane_mut(to, lane);
        for j in 0..8 {
            let (front, back) = (front.0[j], back.0[j]);
            let behind = behind[j] >> near | behind[j + 1] << 1 << (63 - near);
            let before = before[j + 1] << near | before[j] >> 1 >> (63 - near);
            out[j] = (here[j] & !(front | back)) | (behind & front) | (before & back);
        }
    }
}

#[inline(always)]
fn lane_mut(words: &mut Words, lane: usize) -> &mut [u64; 8] {
    words[SHIFT_WORDS + lane * 8..].first_chunk_mut().expect("a lane of a block")
}

#[inline(always)]
fn words<const N: usize>(words: &Words, at: usize) -> &[u64; N] {
    words[at..].first_chunk().expect("words in front of the last shift")
}
