//! Connect Four to a depth from the empty board, by the crate `minimax` and by our search in turn: same rules, same
//! evaluation, one thread, a table of 64 MiB each. Scores have to be equal.
//!
//! `cargo run --release --manifest-path benches/peers/minimax/Cargo.toml -- [DEPTH] [RUNS]`

use std::time::Instant;

use everyply_core::control::Control;
use everyply_core::game::{Evaluate, Game as _, Keyed, Move, Outcome};
use everyply_core::games::line::{Standard, Stones};
use everyply_core::search::{Points, Settings, SharedTable, search};
use minimax::{Evaluation, Evaluator, Game, IterativeOptions, IterativeSearch, Strategy, Winner};

const TABLE_MIB: u64 = 64;

/// A position with the hash that the crate requires, computed anew for every position by a cheap product: a table of
/// random numbers for cells was no faster.
#[derive(Clone, Copy)]
struct State {
    stones: Stones,
    hash: u64,
}

impl State {
    fn of(stones: Stones) -> Self {
        let own = stones.own.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let other = stones.other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let hash = (own ^ own >> 32).wrapping_add(other ^ other >> 29);
        Self { stones, hash: (hash ^ hash >> 31).wrapping_mul(0xd6e8_feb8_6659_fd93) }
    }
}

struct ConnectFour;

impl Game for ConnectFour {
    type S = State;
    type M = Move;

    fn generate_moves(state: &State, moves: &mut Vec<Move>) -> Option<Winner> {
        let winner = Self::get_winner(state);
        if winner.is_none() {
            moves.extend(Standard::fixed().in_order(state.stones).map(|(_, m)| m));
        }
        winner
    }

    fn apply(state: &mut State, m: Move) -> Option<State> {
        Some(State::of(Standard::fixed().play(state.stones, m)))
    }

    fn get_winner(state: &State) -> Option<Winner> {
        Some(match Standard::fixed().result(state.stones)? {
            Outcome::Draw => Winner::Draw,
            Outcome::Loss => Winner::PlayerJustMoved,
            Outcome::Win => Winner::PlayerToMove,
        })
    }

    fn zobrist_hash(state: &State) -> u64 {
        state.hash
    }

    fn table_index(m: Move) -> u16 {
        m.0.into()
    }

    fn max_table_index() -> u16 {
        63
    }
}

struct OpenFours;

impl Evaluator for OpenFours {
    type G = ConnectFour;

    fn evaluate(&self, state: &State) -> Evaluation {
        let points = Standard::fixed().evaluate(state.stones);
        points.clamp(-32_000, 32_000) as Evaluation
    }
}

/// Nodes, score and time of a search.
type Run = (u64, i32, f64);

fn theirs(depth: u32) -> Run {
    let options = IterativeOptions::new()
        .with_table_byte_size((TABLE_MIB << 20) as usize)
        .with_countermoves();
    let mut strategy = IterativeSearch::new(OpenFours, options);
    strategy.set_max_depth(depth as u8);
    let mut start = State::of(Standard::fixed().initial());
    let begun = Instant::now();
    strategy.choose_move(&start).expect("a move");
    let seconds = begun.elapsed().as_secs_f64();
    let said = strategy.stats(&mut start);
    let nodes =
        said.split("Explored ").nth(1).and_then(|rest| rest.split(' ').next()).expect("nodes");
    (nodes.parse().expect("a number"), strategy.root_value().into(), seconds)
}

fn ours(depth: u32) -> Run {
    let game = Standard::fixed();
    let table = SharedTable::new(TABLE_MIB, game.key_bits()).expect("a table");
    table.touch();
    let begun = Instant::now();
    let settings = Settings::to_depth(depth);
    let report =
        search(&game, game.initial(), &settings, Some(&table), &Control::default(), &mut |_| ());
    let seconds = begun.elapsed().as_secs_f64();
    // Before the discount of a percent a stone, as the crate's score is.
    let points = (-32_000..=32_000).find(|points| Points(*points).score(depth) == report.score);
    (report.counters().nodes, points.expect("a score of the evaluation"), seconds)
}

fn main() {
    let number = |at: usize, usual: u32| match std::env::args().nth(at) {
        Some(text) => text.parse().unwrap_or_else(|_| panic!("{text}: not a number")),
        None => usual,
    };
    let (depth, runs) = (number(1, 16), number(2, 5));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut ratios = Vec::new();
    for _ in 0..runs {
        let (theirs, ours) = (theirs(depth), pool.install(|| ours(depth)));
        assert_eq!(theirs.1, ours.1, "the scores differ");
        for (name, (nodes, points, seconds)) in [("minimax", theirs), ("everyply", ours)] {
            println!(
                "{name:8}  depth {depth}  points {points:5}  {nodes:>11} nodes  {seconds:.3} s"
            );
        }
        ratios.push(theirs.2 / ours.2);
    }
    ratios.sort_by(f64::total_cmp);
    println!("everyply is {:.1} times as fast (median of {runs})", ratios[ratios.len() / 2]);
}
