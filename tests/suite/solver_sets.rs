//! The exact solver on sets of positions with known scores, from outside the repository.
//!
//! Set `EVERYPLY_SETS` to a directory with files of lines `moves score`: moves as 1-based columns
//! on the standard board, the score on Pons' scale (the six sets of his benchmark have this
//! format). Then run
//!
//! ```text
//! EVERYPLY_SETS=path cargo test --release --test suite solver_sets -- --ignored --nocapture
//! ```
//!
//! `EVERYPLY_SETS_LINES` limits the lines of each file, `EVERYPLY_TABLE_MIB` is the size of the
//! table (8), `EVERYPLY_THREADS` that of the thread pool (1).

#![allow(clippy::print_stderr, reason = "figures are what the run is for")]

use std::path::PathBuf;
use std::time::Instant;

use everyply::connect_four::solver::Solver;
use everyply::control::Control;
use everyply::game::{Tiered, Value};
use everyply::games::line::notation::parse_moves;
use everyply::games::line::{Size, Standard, Stones};

fn number(name: &str, default: usize) -> usize {
    let Ok(text) = std::env::var(name) else { return default };
    text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not {text}"))
}

fn score(value: Value, plies_left: u32) -> i64 {
    let win = (i64::from(plies_left) + 2 - i64::from(value.remoteness.0)) / 2;
    win * i64::from(value.outcome.sign())
}

struct Line {
    text: String,
    position: Stones,
    score: i64,
}

fn lines_of(path: &PathBuf, most: usize) -> Vec<Line> {
    let text = std::fs::read_to_string(path).expect("the set can be read");
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(most);
    lines
        .map(|line| {
            let (moves, score) = line.split_once(' ').expect("a line is `moves score`");
            let position = parse_moves(&Standard::fixed(), moves).expect("the moves are legal");
            let score = score.trim().parse().expect("the score is a number");
            Line { text: line.to_owned(), position, score }
        })
        .collect()
}

#[test]
#[ignore = "needs EVERYPLY_SETS; an hour for the six sets of 1,000 lines"]
fn every_line_has_its_score() {
    let directory = std::env::var_os("EVERYPLY_SETS").expect("EVERYPLY_SETS names a directory");
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .expect("the directory can be read")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there are sets to check");
    let most = number("EVERYPLY_SETS_LINES", usize::MAX);
    let mib = number("EVERYPLY_TABLE_MIB", 8) as u64;
    let threads = number("EVERYPLY_THREADS", 1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    let game = Standard::fixed();
    for file in files {
        let lines = lines_of(&file, most);
        let solver =
            Solver::without_book(Size::new(7, 6, 4).expect("a size"), mib).expect("a solver");
        let (mut nodes, started) = (0, Instant::now());
        for line in &lines {
            solver.start_generation();
            let solved = pool
                .install(|| solver.value(line.position, &Control::default()))
                .expect("nobody stops it");
            nodes += solved.nodes;
            let found = score(solved.value, game.plies_left(line.position));
            assert_eq!(found, line.score, "{} in {}", line.text, file.display());
        }
        let count = lines.len().max(1) as f64;
        eprintln!(
            "{:20} {:5} lines, mean {:10.1} us, {:12.1} nodes",
            file.file_stem().unwrap_or_default().to_string_lossy(),
            lines.len(),
            started.elapsed().as_secs_f64() * 1e6 / count,
            nodes as f64 / count,
        );
    }
}
