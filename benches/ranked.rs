//! Games that number their positions, solved in four ways: by tier and rank, the same with all
//! reachable positions or with their number alone, and by key. Prints processor time and memory.
//! `cargo bench --bench ranked -- morris-6 ranked`; without arguments small games only.

#![allow(clippy::print_stdout, reason = "the result")]

mod process;

use std::time::Instant;

use everyply::control::Control;
use everyply::exhaustive::{Code, Solution, SolvedTiers};
use everyply::game::{Key, Ranked, Registered, Symmetric};
use everyply::games::{Dao, Gobblet, Morris, Neutreeko, Teeko};
use process::processor_seconds;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        [game, way] => run(game, way),
        _ => ["dao", "morris-3", "morris-4"].into_iter().for_each(|game| run(game, "ranked")),
    }
}

fn run(game: &str, way: &str) {
    match game {
        "dao" => solve(&Dao::of_parameters([1; 3]).expect("the game"), game, way),
        "neutreeko" => solve(&Neutreeko::of_parameters([1; 3]).expect("the game"), game, way),
        "teeko" => solve(&Teeko::of_parameters([1; 3]).expect("the game"), game, way),
        "gobblet-2" | "gobblet-3" => {
            let sizes = game.as_bytes()[game.len() - 1] - b'0';
            solve(&Gobblet::of_parameters([sizes, 1, 1]).expect("sizes"), game, way);
        }
        _ => {
            let men = game.trim_start_matches("morris-").trim_end_matches("-flying");
            let men = men.parse().expect("a game is morris-N, morris-N-flying, or another's name");
            solve(&Morris::new(men, game.ends_with("-flying")).expect("a board"), game, way);
        }
    }
}

#[expect(clippy::print_stdout, reason = "the result of the benchmark")]
fn solve<G: Ranked + Symmetric<Key = Key>>(game: &G, name: &str, way: &str) {
    let (root, control) = (game.initial(), Control::default());
    let (wall, before) = (Instant::now(), processor_seconds());
    let (count, value) = match way {
        "ranked" => {
            let solved = SolvedTiers::solve(game.clone(), root, u64::MAX, &control).unwrap();
            let ranks: u64 = solved.tiers().iter().map(|tier| tier.ranks).sum();
            (ranks, solved.code(root).and_then(Code::value))
        }
        "reached" => {
            let solved = Solution::ranked(game.clone(), root, u64::MAX, &control).unwrap();
            (solved.totals().canonical, Some(solved.value()))
        }
        "counted" => {
            let solved = SolvedTiers::solve(game.clone(), root, u64::MAX, &control).unwrap();
            (solved.reached(root, &control).unwrap(), solved.code(root).and_then(Code::value))
        }
        "keys" => {
            let solved = Solution::endless(game.clone(), root, u64::MAX, &control).unwrap();
            (solved.totals().canonical, Some(solved.value()))
        }
        other => panic!("{other}: the ways are ranked, reached, counted and keys"),
    };
    let (processor, wall) = (processor_seconds() - before, wall.elapsed().as_secs_f64());
    println!(
        "{name} {way}: {count} positions, {value:?}, {processor:.2} s of processor time, \
         {:.0} ns each, {wall:.2} s, {} MiB at most",
        processor * 1e9 / count as f64,
        status("VmHWM:").unwrap_or(0) >> 10,
    );
}

/// A number of KiB in this process's status.
fn status(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
