//! The packing of a chunk of lanes.
//!
//! Most places of an array equal the fill. The places at which at least one plane differs from its
//! fill form a mask, and the bits of each plane at these places are moved together. Mask and planes
//! are compressed separately, because their bytes are distributed differently.
//!
//! ```text
//! nothing                        all lanes equal the fill
//! otherwise
//!  0  4  length of the compressed mask
//!  4     mask: the OR of the planes, each XORed with its fill, compressed (LZ4)
//!        planes: of each plane in turn the bits at the ones of the mask, padded with zeros to
//!        whole 64-bit words, compressed (LZ4); nothing if there is one plane, which is the mask
//! ```
//!
//! The compressor gets a third of the bytes and is faster; its output is half as large as from
//! plain lanes (`benches/profiles.md`).

use std::cell::RefCell;
use std::mem::take;

use bytemuck::{cast_slice, cast_slice_mut};
use lz4_flex::block::{compress, decompress_into};

use crate::processor::Processor;
use crate::profiles::Lane;
use crate::profiles::lane::{Machine, on_processor};

/// The buffers that a thread keeps between chunks.
struct Scratch {
    processor: Processor,
    mask: Vec<u64>,
    dense: Vec<u64>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch {
        processor: Processor::detect(),
        mask: Vec::new(),
        dense: Vec::new(),
    });
}

/// Packs whole groups of lanes; there are as many planes as lanes in `fill`.
pub(super) fn pack(lanes: &[Lane], fill: &[Lane]) -> Vec<u8> {
    SCRATCH.with_borrow_mut(|scratch| {
        let (mut mask, mut dense) = (take(&mut scratch.mask), take(&mut scratch.dense));
        on_processor!(
            scratch.processor,
            split,
            (lanes: &[Lane] = lanes, fill: &[Lane] = fill, mask: &mut Vec<u64> = &mut mask,
             dense: &mut Vec<u64> = &mut dense) -> ()
        );
        let mut packed = Vec::new();
        if mask.iter().any(|&word| word != 0) {
            let compress_words = |words: &mut [u64]| {
                words.iter_mut().for_each(|word| *word = word.to_le());
                compress(cast_slice(words))
            };
            let compressed = compress_words(&mut mask);
            packed.extend((compressed.len() as u32).to_le_bytes());
            packed.extend(compressed);
            if fill.len() > 1 {
                packed.extend(compress_words(&mut dense));
            }
        }
        (scratch.mask, scratch.dense) = (mask, dense);
        packed
    })
}

/// Unpacks the bytes of [`pack`] for this number of lanes; `None` if they are invalid.
pub(super) fn unpack(packed: &[u8], fill: &[Lane], out: &mut [Lane]) -> Option<()> {
    if packed.is_empty() {
        out.chunks_mut(fill.len()).for_each(|group| group.copy_from_slice(&fill[..group.len()]));
        return Some(());
    }
    SCRATCH.with_borrow_mut(|scratch| {
        let (length, packed) = packed.split_first_chunk()?;
        let (packed_mask, packed_dense) =
            packed.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let decompress = |packed: &[u8], words: &mut Vec<u64>, length: usize| {
            words.resize(length, 0);
            let bytes = decompress_into(packed, cast_slice_mut(words)).ok()?;
            words.iter_mut().for_each(|word| *word = u64::from_le(*word));
            (bytes == size_of_val(&words[..])).then_some(())
        };
        decompress(packed_mask, &mut scratch.mask, out.len() / fill.len() * 8)?;
        if fill.len() == 1 {
            scratch.dense.clear();
            if !packed_dense.is_empty() {
                return None;
            }
        } else {
            // The words for the bits of one plane at the ones of the mask.
            let bits: u64 = scratch.mask.iter().map(|word| u64::from(word.count_ones())).sum();
            let words = bits.div_ceil(64) as usize * fill.len();
            decompress(packed_dense, &mut scratch.dense, words)?;
        }
        // One more word, so that two words can be read at every place.
        scratch.dense.push(0);
        on_processor!(
            scratch.processor,
            join,
            (mask: &[u64] = &scratch.mask, dense: &[u64] = &scratch.dense,
             fill: &[Lane] = fill, out: &mut [Lane] = out) -> ()
        );
        Some(())
    })
}

#[inline(always)]
fn split<M: Machine>(lanes: &[Lane], fill: &[Lane], mask: &mut Vec<u64>, dense: &mut Vec<u64>) {
    mask.clear();
    dense.clear();
    let planes = fill.len();
    mask.resize(lanes.len() / planes * 8, 0);
    for (group, mask) in lanes.chunks_exact(planes).zip(mask.chunks_exact_mut(8)) {
        let mut differs = Lane::ZERO;
        for p in 0..planes {
            differs = differs | (group[p] ^ fill[p]);
        }
        mask.copy_from_slice(&differs.0);
    }
    if planes == 1 {
        return;
    }
    for p in 0..planes {
        let (mut pending, mut held) = (0u64, 0u32);
        for (i, &mask) in mask.iter().enumerate() {
            if mask == 0 {
                continue;
            }
            let k = i % 8;
            let bits = M::extract(lanes[i / 8 * planes + p].0[k] ^ fill[p].0[k], mask);
            let new = mask.count_ones();
            pending |= bits << held;
            held += new;
            if held >= 64 {
                dense.push(pending);
                held -= 64;
                // The part of `bits` that did not fit.
                pending = if held == 0 { 0 } else { bits >> (new - held) };
            }
        }
        if held > 0 {
            dense.push(pending);
        }
    }
}

#[expect(
    clippy::needless_range_loop,
    reason = "adapters would be calls of code that is compiled without the processor's features"
)]
#[inline(always)]
fn join<M: Machine>(mask: &[u64], dense: &[u64], fill: &[Lane], out: &mut [Lane]) {
    let planes = fill.len();
    if planes == 1 {
        for (mask, lane) in mask.chunks_exact(8).zip(out) {
            for k in 0..8 {
                lane.0[k] = mask[k] ^ fill[0].0[k];
            }
        }
        return;
    }
    let words = (dense.len() - 1) / planes;
    let mut at = 0;
    for (mask, group) in mask.chunks_exact(8).zip(out.chunks_exact_mut(planes)) {
        if mask.iter().all(|&mask| mask == 0) {
            group.copy_from_slice(fill);
            continue;
        }
        for k in 0..8 {
            let (word, shift, mask) = ((at / 64) as usize, at % 64, mask[k]);
            if mask == 0 {
                for p in 0..planes {
                    group[p].0[k] = fill[p].0[k];
                }
                continue;
            }
            for p in 0..planes {
                let (low, high) = (dense[p * words + word], dense[p * words + word + 1]);
                let bits = M::deposit(low >> shift | high << 1 << (63 - shift), mask);
                group[p].0[k] = bits ^ fill[p].0[k];
            }
            at += u64::from(mask.count_ones());
        }
    }
}
