//! A soak test of the solver: millions of random positions of random boards, solved by methods that
//! have as little in common as possible.
//!
//! ```text
//! cargo test --release --lib soak -- --ignored --nocapture
//! ```
//!
//! `EVERYPLY_SOAK_MINUTES` is the duration (60), `EVERYPLY_SOAK_SEED` the first seed (1), and
//! `RAYON_NUM_THREADS` the number of threads (all cores).
//!
//! Positions come in batches. A batch has a board, most from 4x4 to 10x8 with lines of 3 to 6, and a
//! [`Reference`], with which all forms of the solver are compared, for any [`Goal`]. All of this
//! follows from the seed of the batch. A disagreement panics with the seed; a run of 0 minutes with
//! that first seed repeats it.

#![allow(clippy::print_stderr, reason = "figures are what the run is for")]

mod reference;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use reference::{Reference, SolverAnswer, ValuedMove, best, is_about_moves};

use super::super::engine::Engine;
use super::*;
use crate::processor::Processor;
use everyply_core::game::Symmetry;
use everyply_core::games::line::notation::picture;
use everyply_core::games::line::{AnySize, Wide, Word};

/// Converts stones to another word.
fn in_word<V: Word, W: Word>(position: Stones<V>) -> Stones<W> {
    let Stones { own, other } = position;
    Stones { own: W::narrow(own.to_u128()), other: W::narrow(other.to_u128()) }
}

fn engine<W: SolverWord>(size: Size, table_mib: u64) -> Engine<AnySize<Layout<W>>> {
    let layout = Layout::new(size);
    let table = Table::new(&layout, table_mib).unwrap();
    Engine::new(AnySize(layout), table)
}

fn solver<W: SolverWord>(engine: Engine<AnySize<Layout<W>>>) -> Solver<W> {
    let game = W::game(engine.layout().size).unwrap();
    Solver { game, book: FxHashMap::default(), engine: Box::new(engine), opening: None }
}

/// Returns the size of a table in MiB: mostly so small that it soon forgets entries. Boards of 63
/// and 64 bits have narrow keys in small tables and wide keys in the large ones; other boards have
/// one kind of key in both.
fn table_mib<W: Word>(size: Size, random: &mut Random) -> u64 {
    let is_large = random.below(4u32) == 0;
    match (W::BITS, u32::from(size.width) * (u32::from(size.height) + 1)) {
        (64, 63) if is_large => 64,
        (64, 64) if is_large => 256,
        _ => 1 << random.below(2u32),
    }
}

/// Returns the forms of the solver with their names: the usual one, and one for each processor with
/// a layout made at run time.
fn forms<W: SolverWord>(size: Size, random: &mut Random) -> Vec<(String, Solver<W>)> {
    let usual = Solver::without_book(size, table_mib::<W>(size, random)).unwrap();
    let mut forms = vec![("usual solver".to_owned(), usual)];
    for processor in Processor::available() {
        let engine = engine(size, table_mib::<W>(size, random)).with_processor(processor);
        forms.push((format!("{processor:?} solver"), solver(engine)));
    }
    forms
}

/// Returns a position with a number of empty cells, after random moves that complete no line;
/// `None` if there was no such move. The share of careful moves differs from game to game: careful
/// moves, which leave the other side no win, lead to positions full of threats.
fn played(game: &Wide, empties: u32, random: &mut Random) -> Option<Stones<u128>> {
    let mut position = game.initial();
    let care = random.below(5u32);
    while game.plies_left(position) > empties {
        let quiet = game.moves(position).without(game.winning_moves(position));
        let leaves_no_win = |m: &Move| game.winning_moves(game.play(position, *m)).is_empty();
        let careful: MoveSet<u64> = quiet.into_iter().filter(leaves_no_win).collect();
        let is_careful = random.below(4u32) < care && !careful.is_empty();
        let moves = if is_careful { careful } else { quiet };
        let nth = random.below(moves.len()) as usize;
        position = game.play(position, moves.into_iter().nth(nth)?);
    }
    Some(position)
}

/// Teaches a solver true bounds of a position, as a book does.
fn teach<W: SolverWord>(
    solver: &mut Solver<W>,
    position: Stones<W>,
    value: Value,
    moves: &[ValuedMove],
    random: &mut Random,
) {
    let empties = solver.empties(position);
    let score = score_of(value, empties);
    let (least, most) = scores(empties).into_inner();
    let (lower, upper) =
        [(score, score), (least, score), (score, most)][random.below(3u32) as usize];
    solver.learn(position, Interval { lower, upper }.bounds(empties));
    if lower == upper {
        assert_eq!(solver.known(position), Some(ValueBounds::exactly(value)), "learnt bounds");
    }
    if !moves.is_empty() {
        solver.learn_best(position, value, best(value, moves));
    }
}

/// Returns a random position and its value, if play leads to one and the reference can afford it.
/// `most` is the most empty cells of the position; it is adapted to the limit of the reference.
fn drawn(
    game: &Wide,
    reference: &mut Reference,
    most: &mut u32,
    random: &mut Random,
) -> Option<(Stones<u128>, Value)> {
    // Positions near the end of the game are for the other references.
    let least = if reference.is_search() { *most / 2 } else { 0 };
    let empties = least + 1 + random.below(*most - least);
    let may_rise = empties == *most && empties < game.size().cells();
    let Some(position) = played(game, empties, random) else {
        // With short lines no game is long, so that a search can start early.
        *most += u32::from(may_rise && reference.is_search());
        return None;
    };
    reference.forget();
    let Some(value) = reference.value(game, position) else {
        *most = (*most - 1).max(1);
        return None;
    };
    *most += u32::from(may_rise);
    Some((position, value))
}

/// The numbers of positions compared, by a property of theirs.
type Counts = BTreeMap<String, u64>;

/// Compares all forms of the solver with a reference on random positions of a board.
fn compare<W: SolverWord>(
    size: Size,
    mut reference: Reference,
    positions: u64,
    random: &mut Random,
) -> Counts {
    let game = Wide::wide(size).unwrap();
    let mut forms = forms::<W>(size, random);
    let mut counts = Counts::new();
    let mut count = |property: String| *counts.entry(property).or_default() += 1;
    let (mut compared, mut most) = (0, reference.first_empties(size));
    for _ in 0..16 * positions {
        if compared == positions {
            break;
        }
        let drawn = drawn(&game, &mut reference, &mut most, random);
        let Some((position, value)) = drawn else { continue };
        // The solver gets the position or its mirror image, which has the same value.
        let symmetry = Symmetry((random.below(4u32) == 0).into());
        let position = game.position_of(game.image_key(position, symmetry)).unwrap();
        let goal = match random.below(12u32) {
            0..6 => Goal::Value,
            6..10 => Goal::Outcome,
            10 => Goal::BestMoves,
            _ => Goal::AllMoves,
        };
        let is_about_moves = is_about_moves(goal);
        let moves =
            if is_about_moves { reference.moves(&game, position) } else { Some(Vec::new()) };
        let Some(moves) = moves else { continue };
        let place = format!("{size}, {}, {}", picture(&game, position), reference.name());
        let most_of_moves = moves.iter().map(|(_, value)| *value).max();
        assert!(!is_about_moves || most_of_moves == Some(value), "{place}: the best move");
        let right = SolverAnswer::right(goal, value, &moves);
        for (name, solver) in &mut forms {
            let position = in_word(position);
            if random.below(8u32) == 0 {
                teach(solver, position, value, &moves, random);
            }
            assert_eq!(SolverAnswer::of(solver, position, goal, value), right, "{name}, {place}");
            count(format!("keys: {:?}", solver.engine.table().key_kind()));
        }
        compared += 1;
        count(format!("compared with: {}", reference.name()));
        count(format!("goal: {goal:?}"));
        count(format!("word: {} bits", W::BITS));
        count(format!("board: {}x{}", size.width, size.height));
    }
    counts
}

/// Boards with an engine of their own, and boards of other forms than the random ones.
const SPECIAL_BOARDS: [(u8, u8, u8); 10] = [
    (7, 6, 4),
    (7, 7, 4),
    (6, 7, 4),
    (8, 6, 4),
    (12, 9, 5),
    (10, 10, 6),
    (16, 6, 5),
    (13, 5, 3),
    (32, 2, 3),
    (3, 25, 3),
];

/// Runs a batch, which is determined by the seed and the number of positions.
fn batch(positions: u64, seed: u64) -> Counts {
    let random = &mut Random::new(seed);
    let [width, height, line] =
        [(4, 7), (4, 5), (3, 4)].map(|(least, choices): (u8, u8)| least + random.below(choices));
    let mut size = Size { width, height, line };
    let reference = if random.below(3u32) == 0 {
        let special = SPECIAL_BOARDS.get(random.below(2 * SPECIAL_BOARDS.len() as u32) as usize);
        size = special.map_or(size, |&(width, height, line)| Size { width, height, line });
        Reference::brute_force()
    } else {
        let processors = Processor::available();
        let processor = processors[random.below(processors.len() as u32) as usize];
        Reference::rules_off(size, processor)
    };
    if ConnectFour::new(size).is_ok() && random.below(4u32) > 0 {
        compare::<u64>(size, reference, positions, random)
    } else {
        compare::<u128>(size, reference, positions, random)
    }
}

/// Runs batches of a number of positions on all threads as long as `more`, called with the number
/// of batches begun, returns true.
fn soak(positions: u64, first_seed: u64, more: impl Fn(u64) -> bool + Sync) -> Counts {
    let (begun, all) = (AtomicU64::new(0), Mutex::new(Counts::new()));
    let work = || {
        let numbers = std::iter::repeat_with(|| begun.fetch_add(1, Relaxed));
        for number in numbers.take_while(|number| more(*number)) {
            let seed = first_seed.wrapping_add(number);
            let counts = catch_unwind(AssertUnwindSafe(|| batch(positions, seed)));
            for (property, number) in counts.unwrap_or_else(|_| panic!("seed {seed}")) {
                *all.lock().unwrap().entry(property).or_default() += number;
            }
        }
    };
    // Pools of one thread: searches of several threads differ from run to run.
    let pool = || rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|| pool().install(work));
        }
    });
    all.into_inner().unwrap()
}

#[test]
fn a_few_thousand_random_positions() {
    let batches = if cfg!(debug_assertions) { 6 } else { 100 };
    let counts = soak(30, 1, |begun| begun < batches);
    // Rare properties occur too.
    let rare = ["brute force", "AllMoves", "Narrow", "Wide", "128 bits", "10x8", "12x9"];
    let has = |what: &&str| counts.keys().any(|property| property.ends_with(what));
    assert!(cfg!(debug_assertions) || rare.iter().all(has), "{counts:?}");
    let words = counts.iter().filter(|(property, _)| property.starts_with("word"));
    assert!(words.map(|(_, number)| number).sum::<u64>() > 20 * batches, "{counts:?}");
}

fn number(name: &str, default: u64) -> u64 {
    let Ok(text) = std::env::var(name) else { return default };
    text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not {text}"))
}

#[test]
#[ignore = "an hour, or EVERYPLY_SOAK_MINUTES: run with --release"]
fn ten_million_random_positions() {
    let limit = Duration::from_secs(60 * number("EVERYPLY_SOAK_MINUTES", 60));
    let started = Instant::now();
    let more = |begun| begun == 0 || started.elapsed() < limit;
    let counts = soak(1000, number("EVERYPLY_SOAK_SEED", 1), more);
    eprintln!("{counts:#?}");
}
