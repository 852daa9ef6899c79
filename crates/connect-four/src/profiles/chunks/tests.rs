//! Lanes and bytes as objects: reading gives the written content, or an error.

use std::io;
use std::ops::Range;
use std::sync::Mutex;

use super::{CHUNK, Chunks, encode};
use crate::profiles::Lane;
use everyply_files::store::Store;
use everyply_files::store::sealed::{ChunkError, HEADER, Identity, seal, unseal};

const NAME: &str = "x";
const IDENTITY: Identity = *b"of a board, some tier...";

/// A store that holds one object and records the ranges read.
#[derive(Debug, Default)]
struct One {
    object: Option<Vec<u8>>,
    reads: Mutex<Vec<Range<u64>>>,
}

impl One {
    fn of(object: &[u8]) -> Self {
        Self { object: Some(object.to_vec()), reads: Mutex::default() }
    }
}

impl Store for One {
    fn read(&self, _: &str, range: Range<u64>) -> io::Result<Option<Vec<u8>>> {
        self.reads.lock().unwrap().push(range.clone());
        let Some(object) = &self.object else { return Ok(None) };
        let end = object.len().min(usize::try_from(range.end).unwrap_or(usize::MAX));
        Ok(Some(object.get(range.start as usize..end).unwrap_or_default().to_vec()))
    }
    fn len(&self, _: &str) -> io::Result<Option<u64>> {
        Ok(self.object.as_ref().map(|object| object.len() as u64))
    }
    fn put(&self, _: &str, _: &[u8]) -> io::Result<()> {
        unreachable!("only read")
    }
    fn put_new(&self, _: &str, _: &[u8]) -> io::Result<bool> {
        unreachable!("only read")
    }
    fn remove(&self, _: &str) -> io::Result<()> {
        unreachable!("only read")
    }
    fn list(&self, _: &str) -> io::Result<Vec<String>> {
        unreachable!("only read")
    }
    fn place(&self) -> String {
        "memory".into()
    }
}

/// Random lanes, in which some words differ from the fill.
fn lanes(random: &mut fastrand::Rng, groups: usize, fill: &[Lane]) -> Vec<Lane> {
    let (words, bits) = (random.f64(), random.u32(0..4));
    let mut lanes = fill.repeat(groups);
    for lane in &mut lanes {
        for word in &mut lane.0 {
            if random.f64() < words {
                *word ^= (0..bits).fold(random.u64(..), |word, _| word & random.u64(..));
            }
        }
    }
    lanes
}

fn fill(random: &mut fastrand::Rng, planes: usize) -> Vec<Lane> {
    let words = [0, !0, random.u64(..)];
    (0..planes).map(|_| Lane([words[random.usize(..3)]; 8])).collect()
}

/// Returns all lanes of an object.
fn decode(object: &[u8], fill: &[Lane]) -> Result<Vec<Lane>, ChunkError> {
    let store = One::of(object);
    let chunks = Chunks::open(&store, NAME, &IDENTITY)?;
    let mut out = vec![Lane::ONES; chunks.lanes()];
    chunks.read(&store, NAME, 0, fill, &mut out)?;
    Ok(out)
}

#[test]
fn any_range_of_any_lanes_is_read() {
    for seed in 0..256 {
        let random = &mut fastrand::Rng::with_seed(seed);
        let (planes, groups) = (random.usize(1..7), random.usize(0..60));
        let fill = fill(random, planes);
        let lanes = lanes(random, groups, &fill);
        let object = encode(&lanes, &fill, &IDENTITY, random.usize(1..40));
        let store = One::of(&object);
        let chunks = Chunks::open(&store, NAME, &IDENTITY).unwrap();
        assert_eq!(chunks.lanes(), lanes.len(), "seed {seed}");
        for _ in 0..10 {
            let first = random.usize(0..=lanes.len());
            let end = random.usize(first..=lanes.len());
            let mut out = vec![Lane::ONES; end - first];
            chunks.read(&store, NAME, first, &fill, &mut out).unwrap();
            assert!(out == lanes[first..end], "seed {seed}: lanes {first} to {end}");
        }
    }
}

#[test]
fn lanes_that_equal_the_fill_take_eight_bytes_a_chunk() {
    let fill = [Lane::ONES, Lane::ZERO, Lane([5; 8])];
    let lanes = fill.repeat(10_000);
    let object = encode(&lanes, &fill, &IDENTITY, CHUNK);
    assert_eq!(object.len(), HEADER + lanes.len().div_ceil(4095) * 8);
    assert!(decode(&object, &fill).unwrap() == lanes);
}

#[test]
fn every_flipped_bit_and_every_cut_is_found() {
    let random = &mut fastrand::Rng::with_seed(2);
    let fill = fill(random, 3);
    let mut lanes = lanes(random, 4, &fill);
    lanes[0].0[0] = !fill[0].0[0];
    let object = encode(&lanes, &fill, &IDENTITY, 6);
    assert!(decode(&object, &fill).unwrap() == lanes);
    let sealed = seal(b"a summary", &IDENTITY);
    type Read<'a> = &'a dyn Fn(&[u8]) -> Result<(), ChunkError>;
    let read_lanes = |object: &[u8]| decode(object, &fill).map(drop);
    let read_bytes = |object: &[u8]| unseal(&One::of(object), NAME, &IDENTITY).map(drop);
    for (object, read) in [(object, &read_lanes as Read<'_>), (sealed, &read_bytes)] {
        read(&object).unwrap();
        let damaged = |bytes: &[u8], what: String| match read(bytes) {
            Err(ChunkError::Damaged(_)) => {}
            other => panic!("{what}: {other:?}"),
        };
        for bit in 0..object.len() * 8 {
            let mut flipped = object.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            damaged(&flipped, format!("bit {bit}"));
        }
        for length in 0..object.len() {
            damaged(&object[..length], format!("cut to {length}"));
        }
        damaged(&[&object[..], &[0]].concat(), "a byte more".into());
        assert!(matches!(read(b""), Err(ChunkError::Damaged(_))));
    }
}

#[test]
fn an_object_with_another_identity_is_not_damaged() {
    let fill = [Lane::ZERO];
    let other = *b"of another board, a tier";
    let objects = [encode(&[Lane::ONES; 3], &fill, &other, CHUNK), seal(b"x", &other)];
    let lanes = Chunks::open(&One::of(&objects[0]), NAME, &IDENTITY).map(drop).unwrap_err();
    let bytes = unseal(&One::of(&objects[1]), NAME, &IDENTITY).map(drop).unwrap_err();
    for error in [lanes, bytes] {
        assert!(matches!(error, ChunkError::Other(found) if found == other), "{error:?}");
    }
    // An object of one kind is refused as one of the other kind.
    let error = Chunks::open(&One::of(&objects[1]), NAME, &other).map(drop).unwrap_err();
    assert!(matches!(error, ChunkError::Damaged(_)), "{error:?}");
    let error = unseal(&One::of(&objects[0]), NAME, &other).map(drop).unwrap_err();
    assert!(matches!(error, ChunkError::Damaged(_)), "{error:?}");
    let error = Chunks::open(&One::default(), NAME, &other).map(drop).unwrap_err();
    assert!(matches!(error, ChunkError::Missing), "{error:?}");
}

#[test]
fn missing_lanes_and_wrong_planes_are_errors() {
    let fill = [Lane::ZERO; 2];
    let store = One::of(&encode(&[Lane::ONES; 8], &fill, &IDENTITY, CHUNK));
    let chunks = Chunks::open(&store, NAME, &IDENTITY).unwrap();
    let mut out = [Lane::ZERO; 9];
    for (first, lanes, fill) in
        [(0, 9, &fill[..]), (8, 1, &fill), (usize::MAX, 1, &fill), (0, 1, &fill[..1])]
    {
        let error = chunks.read(&store, NAME, first, fill, &mut out[..lanes]).unwrap_err();
        assert!(matches!(error, ChunkError::Damaged(_)), "{error:?}");
    }
}

#[test]
fn a_header_with_excessive_sizes_takes_no_memory() {
    let fill = [Lane::ZERO];
    let object = encode(&[Lane::ONES; 3], &fill, &IDENTITY, CHUNK);
    for (at, bytes) in [(48, u64::MAX / 64 * 64), (48, 1 << 50), (40, u64::MAX), (40, 1 << 60)] {
        let mut claims = object.clone();
        claims[at..at + 8].copy_from_slice(&bytes.to_le_bytes());
        let store = One::of(&claims);
        let error = Chunks::open(&store, NAME, &IDENTITY).map(drop).unwrap_err();
        assert!(matches!(error, ChunkError::Damaged(_)), "{error:?}");
        let reads = store.reads.lock().unwrap();
        assert!(reads.iter().all(|read| read.end <= 64 << 10), "{reads:?}");
    }
}
