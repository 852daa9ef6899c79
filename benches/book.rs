//! The cost of a book, from a random sample of its last ply: nodes and processor time.
//!
//! ```sh
//! cargo bench --bench book -- --plies 8 --sample 2000 --seed 1 --table 256 --threads 2
//! cargo bench --bench book -- --width 6 --plies 8 --sample 0 --order key --outcome-only
//! ```
//! With `--run N` the sample is made of runs of N neighbours in the order of the book; with
//! `--sample 0` it is the whole ply. Orders are depth-first, key, heights and random.

#![allow(clippy::print_stdout, reason = "the result")]

mod process;

use std::collections::HashMap;
use std::time::Instant;

use everyply::connect_four::book::{BookDetail, depth_first_order, solve_all, tiers};
use everyply::connect_four::solver::Solver;
use everyply::control::Control;
use everyply::game::{Game, Key, Keyed, Outcome};
use everyply::games::line::{ConnectFour, Size, Stones};
use process::processor_seconds;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let has = |name: &str| words.iter().any(|word| word == name);
    let number = |name: &str, default: u64| {
        let at = words.iter().position(|word| word == name);
        at.map_or(default, |at| words[at + 1].parse().expect("a number"))
    };
    let (plies, seed) = (number("--plies", 8) as u8, number("--seed", 1));
    let (sample, run) = (number("--sample", 2000) as usize, number("--run", 1) as usize);
    let (table, threads) = (number("--table", 256), number("--threads", 2) as usize);
    let detail = if has("--outcome-only") { BookDetail::Outcome } else { BookDetail::Exact };
    let size =
        Size::new(number("--width", 7) as u8, number("--height", 6) as u8, 4).expect("a size");
    let game = ConnectFour::new(size).expect("a board");
    let control = Control::default();

    let all = tiers(&game, game.initial(), plies, usize::MAX, &control).expect("nobody stops it");
    let open = |key: &Key| game.result(game.position_of(*key).expect("a key")).is_none();
    let order = words.iter().position(|word| word == "--order").map(|at| words[at + 1].as_str());
    let mut keys = match order {
        Some("key" | "heights" | "random") => all[all.len() - 1].clone(),
        _ => depth_first_order(&game, &all),
    };
    keys.retain(open);
    match order {
        Some("heights") => {
            keys.sort_by_key(|key| game.position_of(*key).map(Stones::occupied));
        }
        Some("random") => keys.sort_by_key(|key| random(key.0)),
        _ => (),
    }
    let total = keys.len();
    // Runs of neighbours, each chosen at random; in the order of the book.
    let runs = total / run;
    let mut chosen: Vec<usize> = (0..runs).collect();
    chosen.sort_by_key(|i| random(seed << 32 ^ *i as u64));
    if sample > 0 {
        chosen.truncate(sample.div_ceil(run));
    }
    chosen.sort_unstable();
    let keys: Vec<Key> =
        chosen.iter().flat_map(|i| keys[i * run..(i + 1) * run].iter().copied()).collect();

    let solver = Solver::without_book(size, table).expect("a table");
    let (begun, cpu) = (Instant::now(), processor_seconds());
    let outcomes = std::sync::Mutex::new(HashMap::new());
    let nodes = solve_all(&solver, &keys, detail, threads, &control, |_, proven| {
        *outcomes.lock().expect("no panic").entry(proven.value.outcome).or_insert(0) += 1;
    })
    .expect("nobody stops it");
    let (wall, cpu) = (begun.elapsed().as_secs_f64(), processor_seconds() - cpu);
    let outcomes = outcomes.into_inner().expect("no panic");
    let of = |outcome| outcomes.get(&outcome).copied().unwrap_or(0);
    let factor = total as f64 / keys.len() as f64;
    println!(
        "{size} ply {plies} {detail:?}: {} of {total} positions (runs of {run}, seed {seed}), \
         {threads} threads, table {table} MiB, order {}\n\
         {} win {} draw {} loss; {nodes} nodes, {:.0} a position; {cpu:.1} s of processor time, \
         {:.1} ms a position; {wall:.1} s\n\
         whole ply: {:.0} min of processor time, {:.0} min on {threads} threads",
        keys.len(),
        order.unwrap_or("depth-first"),
        of(Outcome::Win),
        of(Outcome::Draw),
        of(Outcome::Loss),
        nodes as f64 / keys.len() as f64,
        cpu * 1e3 / keys.len() as f64,
        cpu * factor / 60.0,
        wall * factor / 60.0,
    );
}

/// A well spread number, the same in every run.
fn random(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
