//! Fuzz targets: sound inputs, mutated in a sequence that a fixed seed determines.
//!
//! Each target runs for a second, or for `EVERYPLY_FUZZ_SECONDS`. A failing input is written to
//! the temporary directory and named; it belongs in a unit test once it is understood.

mod readers;
mod whole_boards;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

/// How long a target runs.
fn time() -> Duration {
    let seconds = std::env::var("EVERYPLY_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(1))
}

/// Calls `check` with mutated inputs, the sound ones themselves first, until the time is over.
pub fn fuzz(target: &str, sound: &[Vec<u8>], mut check: impl FnMut(&[u8])) {
    let mut random = fastrand::Rng::with_seed(0x5eed);
    let started = Instant::now();
    let mut inputs = 0_u64;
    let mut run = |input: &[u8]| {
        inputs += 1;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(input))) {
            let path = std::env::temp_dir().join(format!("everyply-fuzz-{target}-{inputs}"));
            std::fs::write(&path, input).unwrap();
            eprintln!("fuzz target {target}, input {inputs}: see {}", path.display());
            resume_unwind(panic);
        }
    };
    for input in sound {
        run(input);
    }
    while started.elapsed() < time() {
        let mut input = sound[random.usize(..sound.len())].clone();
        for _ in 0..random.usize(1..=4) {
            mutate(&mut input, sound, &mut random);
        }
        run(&input);
    }
    eprintln!("fuzz target {target}: {inputs} inputs");
}

/// Bytes and pieces that readers stumble over.
const PIECES: [&[u8]; 12] = [
    b"\n",
    b"\r\n",
    b"\0",
    b"\xff",
    b"\xff\xff\xff\xff",
    b"-",
    b"0",
    b"9999999999999999999999",
    b" ",
    b",",
    b"\"",
    b"\xf0\x9f\x98\x80",
];

/// Changes an input once.
fn mutate(input: &mut Vec<u8>, sound: &[Vec<u8>], random: &mut fastrand::Rng) {
    let at = random.usize(..=input.len());
    let end = random.usize(at..=input.len());
    match random.u8(..7) {
        // Flip a bit.
        0 | 1 if at < input.len() => input[at] ^= 1 << random.u8(..8),
        // Replace a byte.
        2 if at < input.len() => input[at] = random.u8(..),
        // Cut off the end.
        3 => input.truncate(at),
        // Leave out, or repeat, a part of up to 64 bytes.
        4 => drop(input.drain(at..end.min(at + 64))),
        5 => {
            let part = input[at..end.min(at + 64)].to_vec();
            input.splice(at..at, part);
        }
        // Insert what readers stumble over, or a part of another input.
        _ if random.bool() => {
            let piece = PIECES[random.usize(..PIECES.len())];
            input.splice(at..at, piece.iter().copied());
        }
        _ => {
            let other = &sound[random.usize(..sound.len())];
            let from = random.usize(..=other.len());
            let to = random.usize(from..=other.len()).min(from + 256);
            input.splice(at..at, other[from..to].iter().copied());
        }
    }
}
