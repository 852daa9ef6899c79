//! The solved-position database: positions written in random order, looked up one by one, and the
//! whole file checked as `analyze verify` does.
//!
//! ```sh
//! cargo bench --bench database -- --rows 10000000 [--directory DIR]
//! ```

#![allow(clippy::print_stdout, reason = "the result")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use everyply::database::{Database, DatabaseError, Ending, PositionRow};
use everyply::game::{GameId, Key, MoveSet, Outcome, PartialValue, Ply, Remoteness};
use everyply::games::line::Size;

/// Rows sent at a time, as the engines do.
const BATCH: u64 = 8192;

/// Look-ups timed.
const LOOK_UPS: u64 = 100_000;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let after = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)
    };
    let rows: u64 = after("--rows").map_or(5_000_000, |word| word.parse().expect("a number"));
    let directory = after("--directory").map_or_else(std::env::temp_dir, PathBuf::from);
    let directory = tempfile::tempdir_in(directory).expect("a directory");
    let path = directory.path().join("bench.db");
    let size = Size::new(7, 6, 4).expect("a size");
    let game = GameId::new("connect4", size.parameters());
    let begun = Instant::now();
    let writer = Database::create_or_open(&path)
        .and_then(|database| database.begin_run(&game, "bench", 1))
        .expect("a run");
    let sink = writer.sink();
    for first in (0..rows).step_by(BATCH as usize) {
        let batch = (first..rows.min(first + BATCH)).map(row).collect();
        sink.send(batch).expect("the writer takes it");
    }
    let summary = writer.finish(Ending::Finished).expect("room on the disk");
    let time = begun.elapsed();
    assert_eq!(summary.added, rows);
    let bytes = std::fs::metadata(&path).expect("the file").len();
    println!(
        "{rows} positions written in random order in {:.2} s, committed and closed: {:.0} \
         positions/s, {:.1} bytes each",
        time.as_secs_f64(),
        rows as f64 / time.as_secs_f64(),
        bytes as f64 / rows as f64
    );

    let begun = Instant::now();
    let database = Database::open(&path).expect("the database");
    println!("opened in {:.2} ms", begun.elapsed().as_secs_f64() * 1e3);

    let mut lookup = database.lookup(&game).expect("the game");
    let mut looked_up = |what: &str, count: u64, wanted: &dyn Fn(u64) -> (Key, bool)| {
        let mut times: Vec<Duration> = (0..count)
            .map(|i| {
                let (key, stored) = wanted(i);
                let begun = Instant::now();
                let found = lookup.position(key).expect("a sound file");
                let time = begun.elapsed();
                assert_eq!(found.is_some(), stored);
                time
            })
            .collect();
        times.sort_unstable();
        let at = |share: f64| times[(times.len() as f64 * share) as usize].as_secs_f64() * 1e6;
        println!(
            "{count} random look-ups of positions {what}: median {:.1} us, 99 % under {:.1} us",
            at(0.5),
            at(0.99)
        );
    };
    looked_up("that are there", LOOK_UPS, &|i| (row(spread(!i) % rows).key, true));
    looked_up("that are not", LOOK_UPS / 50, &|i| {
        (Key(row(spread(i) % rows).key.0 | 1 << 50), false)
    });

    let begun = Instant::now();
    let mut read = 0;
    let visited = database.scan::<DatabaseError>(&game, |_| {
        read += 1;
        Ok(())
    });
    visited.expect("a sound file");
    assert_eq!(read, rows);
    println!("all read in {:.2} s", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    database.check().expect("a sound file");
    println!("the whole file checked in {:.2} s", begun.elapsed().as_secs_f64());
}

/// The i-th row: keys of 49 bits in no order, as on the standard board.
fn row(i: u64) -> PositionRow {
    PositionRow {
        key: Key(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & ((1 << 49) - 1)),
        ply: Ply(8 + (i % 8) as u8),
        value: PartialValue {
            outcome: [Outcome::Win, Outcome::Draw, Outcome::Loss][(i % 3) as usize],
            remoteness: Some(Remoteness((i % 34) as u8)),
        },
        best: Some(MoveSet(1 << (i % 7))),
    }
}

/// A well spread number, the same in every run.
fn spread(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
