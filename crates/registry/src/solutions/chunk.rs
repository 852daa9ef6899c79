//! Chunks of a solution file: keys, outcomes and distances of up to 65,536 positions.

use std::cell::RefCell;
use std::io;

use zstd::bulk::{Decompressor, compress};

use everyply_core::exhaustive::Code;
use everyply_core::game::{Outcome, PartialValue, Remoteness};

/// The positions of a chunk; the last one of a tier may have fewer.
pub(super) use everyply_connect_four::profiles::CHUNK;

/// The level of the compressor: a higher level gains little on this data and takes much longer.
const LEVEL: i32 = 3;

/// The most bytes of a difference of two keys.
const LONGEST: usize = 10;

/// The bits of a code's distance; the outcome is above them.
const OUTCOME: u32 = 14;

pub(super) const fn code_of(value: PartialValue) -> Code {
    match value.remoteness {
        Some(Remoteness(plies)) => Code::new(value.outcome, plies as u16),
        None => Code::ENDLESS,
    }
}

/// Returns the value of a code, without a distance that does not fit a [`Remoteness`]. In a game
/// solved for points the code has the points still to be made, and `lead` those already made.
pub(super) fn value_of(code: Code, lead: Option<i32>) -> PartialValue {
    if let Some(lead) = lead {
        let points = i64::from(lead + code.points());
        return PartialValue::of_outcome(Outcome::from_sign(points.signum()).expect("a sign"));
    }
    let Some(outcome) = code.outcome() else { return PartialValue::ENDLESS };
    PartialValue { outcome, remoteness: u8::try_from(code.plies()).ok().map(Remoteness) }
}

/// A compressed chunk: the streams of keys, outcomes and distances, one after the other.
pub(super) struct Packed {
    pub bytes: Vec<u8>,
    pub lengths: [u32; 3],
}

/// Compresses the positions of a chunk: the codes, and the ascending keys of a game without ranks.
pub(super) fn pack(keys: Option<&[u64]>, codes: &[Code]) -> io::Result<Packed> {
    let mut differences = Vec::new();
    for pair in keys.unwrap_or_default().windows(2) {
        put_number(&mut differences, pair[1] - pair[0]);
    }
    let mut outcomes = vec![0; codes.len().div_ceil(4)];
    for (i, code) in codes.iter().enumerate() {
        outcomes[i / 4] |= ((code.0 >> OUTCOME) as u8) << (2 * (i % 4));
    }
    let decided = || codes.iter().filter(|code| code.outcome().is_some());
    let mut distances: Vec<u8> = decided().map(|code| code.plies() as u8).collect();
    if decided().any(|code| code.plies() >> 8 > 0) {
        distances.extend(decided().map(|code| (code.plies() >> 8) as u8));
    }
    let mut packed = Packed { bytes: Vec::new(), lengths: [0; 3] };
    for (stream, length) in [differences, outcomes, distances].iter().zip(&mut packed.lengths) {
        if !stream.is_empty() {
            let frame = compress(stream, LEVEL)?;
            *length = frame.len() as u32;
            packed.bytes.extend(frame);
        }
    }
    Ok(packed)
}

/// Writes a number in groups of seven bits, the lowest first; all but the last have the eighth bit.
fn put_number(into: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        into.push(number as u8 | 128);
        number >>= 7;
    }
    into.push(number as u8);
}

fn decompress(frame: &[u8], most: usize) -> io::Result<Vec<u8>> {
    thread_local! {
        /// Making a decompressor takes longer than unpacking a small chunk.
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    DECOMPRESSOR.with_borrow_mut(|decompressor| {
        let decompressor = match decompressor {
            Some(decompressor) => decompressor,
            None => decompressor.insert(Decompressor::new()?),
        };
        decompressor.decompress(frame, most)
    })
}

/// An unpacked chunk: codes, and keys in a game without ranks; for a board, bytes.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    pub keys: Vec<u64>,
    pub codes: Vec<Code>,
    pub bytes: Vec<u8>,
}

/// Unpacks the values of a board, one byte each.
pub(super) fn unpack_bytes(packed: &[u8], count: usize) -> Result<Unpacked, String> {
    let bytes =
        decompress(packed, count).map_err(|error| format!("cannot be unpacked: {error}"))?;
    match bytes.len() == count {
        true => Ok(Unpacked { bytes, ..Unpacked::default() }),
        false => Err("has a stream of another length".to_owned()),
    }
}

/// Unpacks a chunk of `count` positions; `first` is the first key of a chunk with keys.
pub(super) fn unpack(
    bytes: &[u8],
    lengths: [u32; 3],
    count: usize,
    first: Option<u64>,
) -> Result<Unpacked, String> {
    let mut rest = bytes;
    let mut stream = |length: u32, most: usize| {
        let (frame, after) = rest.split_at_checked(length as usize).ok_or("is too short")?;
        rest = after;
        if frame.is_empty() {
            return Ok(Vec::new());
        }
        decompress(frame, most).map_err(|error| format!("cannot be unpacked: {error}"))
    };
    let differences = stream(lengths[0], LONGEST * count)?;
    let outcomes = stream(lengths[1], count.div_ceil(4))?;
    let distances = stream(lengths[2], 2 * count)?;

    let mut keys = Vec::from_iter(first);
    let mut at = &differences[..];
    while first.is_some() && keys.len() < count {
        let key = take_number(&mut at).filter(|difference| *difference > 0);
        let key = key.and_then(|difference| keys[keys.len() - 1].checked_add(difference));
        keys.push(key.ok_or("has keys out of order")?);
    }
    if !at.is_empty() || outcomes.len() != count.div_ceil(4) {
        return Err("has a stream of another length".to_owned());
    }
    let outcome = |i: usize| u16::from(outcomes[i / 4] >> (2 * (i % 4)) & 3) << OUTCOME;
    let decided = (0..count).filter(|i| outcome(*i) > 0).count();
    let (low, high) = distances.split_at_checked(decided).ok_or("has too few distances")?;
    if !high.is_empty() && high.len() != decided {
        return Err("has too many distances".to_owned());
    }
    let mut next = 0;
    let code = |i| {
        let outcome = outcome(i);
        if outcome == 0 {
            return Code::ENDLESS;
        }
        let upper = u16::from(high.get(next).copied().unwrap_or(0)) << 8;
        let distance = upper | u16::from(low[next]);
        next += 1;
        Code(outcome | distance & Code::FARTHEST)
    };
    Ok(Unpacked { keys, codes: (0..count).map(code).collect(), bytes: Vec::new() })
}

fn take_number(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..7 * LONGEST as u32).step_by(7) {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        number |= u64::from(byte & 127).checked_shl(shift)?;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}
