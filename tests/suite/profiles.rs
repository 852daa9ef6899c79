//! The bit-array engine against a slow, obvious enumeration and against published counts.

use std::collections::HashMap;
use std::path::Path;

use everyply::connect_four::profiles::{Board, Counts, Extent, Memory, Processor, Storage, count};
use everyply::control::Control;
use everyply::disk::NewFile;
use everyply::game::{Game, Key, Keyed, Outcome, Ply, Remoteness, Symmetric, Value};
use everyply::games::line::{ConnectFour, LineGame, Size, Stones};
use everyply::solutions::{SolutionError, SolutionFile, WriteError, solve_board};

use crate::known_answers::rows;

pub fn board(width: u8, height: u8, line: u8) -> Board {
    Board::new(Size::new(width, height, line).unwrap()).unwrap()
}

fn counted(board: &Board, extent: Extent) -> Counts {
    count(board, extent, &Memory::new(), &Control::default()).unwrap()
}

/// Solves a board into a file; gives its counts.
pub fn solve(
    board: &Board,
    storage: &dyn Storage,
    path: &Path,
    control: &Control,
) -> Result<Counts, SolutionError> {
    let written = solve_board(board, storage, NewFile::create(path)?, control);
    let written = written.map_err(|error| match error {
        WriteError::File(error) => error,
        error => panic!("{error}"),
    })?;
    assert_eq!(written.bytes, path.metadata().unwrap().len());
    Ok(written.counts.unwrap())
}

fn solved(board: &Board) -> (SolutionFile, Counts) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("values");
    let counts = solve(board, &Memory::new(), &path, &Control::default()).unwrap();
    (SolutionFile::open(&path).unwrap(), counts)
}

fn total(counts: &Counts) -> u64 {
    counts.plies.iter().map(|ply| ply.positions.unwrap()).sum()
}

/// Every reachable position with its value: move by move forwards, best child backwards.
pub fn oracle(game: &ConnectFour) -> Vec<HashMap<Key, Value>> {
    let mut tiers: Vec<HashMap<Key, Value>> = Vec::new();
    let mut tier: Vec<Stones> = vec![game.initial()];
    while !tier.is_empty() {
        let mut next = HashMap::new();
        for &position in tier.iter().filter(|&&p| game.result(p).is_none()) {
            for m in game.moves(position) {
                let child = game.play(position, m);
                next.insert(game.key(child), child);
            }
        }
        let unknown = Value::new(Outcome::Draw, Remoteness(u8::MAX));
        tiers.push(tier.iter().map(|&p| (game.key(p), unknown)).collect());
        tier = next.into_values().collect();
    }
    for ply in (0..tiers.len()).rev() {
        let keys: Vec<Key> = tiers[ply].keys().copied().collect();
        for key in keys {
            let position = game.position_of(key).unwrap();
            let value = match game.result(position) {
                Some(outcome) => Value::new(outcome, Remoteness(0)),
                None => game
                    .moves(position)
                    .into_iter()
                    .map(|m| tiers[ply + 1][&game.key(game.play(position, m))].for_parent())
                    .max()
                    .unwrap(),
            };
            tiers[ply].insert(key, value);
        }
    }
    tiers
}

/// Compares every position and every count of a board with the oracle.
fn compare(width: u8, height: u8, line: u8) {
    let board = board(width, height, line);
    let game = board.game();
    let tiers = oracle(game);
    let (file, counts) = solved(&board);
    let values = counts.values.as_ref().unwrap();
    file.verify_board(&Memory::new(), &Control::default()).unwrap();
    assert_eq!(file.positions(), total(&counts));
    let mut branching = (0, 0);
    for (ply, counts) in counts.plies.iter().enumerate() {
        let empty = HashMap::new();
        let tier = tiers.get(ply).unwrap_or(&empty);
        let at = format!("{width}x{height}, {line} in a row, ply {ply}");
        let mut expected: HashMap<Value, u64> = HashMap::new();
        let (mut canonical, mut terminal, mut outcomes) = (0, 0, [0; 3]);
        for (&key, &value) in tier {
            let position = game.position_of(key).unwrap();
            assert_eq!(file.value_of_stones(position).unwrap(), Some(value), "{at}: {key:?}");
            *expected.entry(value).or_default() += 1;
            canonical += u64::from(game.canonical(position).0 == key);
            outcomes[(value.outcome.sign() + 1) as usize] += 1;
            if game.result(position).is_some() {
                terminal += 1;
            } else {
                branching.0 += 1;
                branching.1 += u64::from(game.moves(position).len());
            }
        }
        assert_eq!(counts.ply, Ply(ply as u8), "{at}");
        assert_eq!(counts.positions, Some(tier.len() as u64), "{at}");
        assert_eq!(counts.canonical, Some(canonical), "{at}");
        assert_eq!(counts.terminal, Some(terminal), "{at}");
        assert_eq!([counts.losses, counts.draws, counts.wins], outcomes.map(Some), "{at}");
        let mut expected: Vec<_> = expected.into_iter().collect();
        expected.sort_unstable_by_key(|&(value, _)| std::cmp::Reverse(value));
        assert_eq!(values.plies[ply], expected, "{at}");
    }
    assert_eq!((counts.branching.positions, counts.branching.moves), branching);
    assert_eq!(values.start, tiers[0][&game.key(game.initial())]);
    for (outcome, longest) in
        [(Outcome::Win, values.longest_win), (Outcome::Loss, values.longest_loss)]
    {
        let open = |key: &Key| game.result(game.position_of(*key).unwrap()).is_none();
        let of_outcome = tiers.iter().flatten().filter(|(_, value)| value.outcome == outcome);
        let slowest =
            of_outcome.filter(|(key, _)| open(key)).map(|(_, value)| value.remoteness).max();
        assert_eq!(longest.map(|l| l.value.remoteness), slowest);
        if let Some(longest) = longest {
            let tier = &tiers[usize::from(longest.position.ply().0)];
            assert_eq!(tier.get(&game.key(longest.position)), Some(&longest.value));
        }
    }
}

#[test]
fn every_position_of_small_boards_agrees_with_the_oracle() {
    for width in 1..=4 {
        for height in 1..=3 {
            compare(width, height, 4);
        }
    }
    for (width, height) in [(5, 1), (5, 2), (6, 2), (7, 2), (12, 1), (2, 8), (3, 4), (1, 20)] {
        compare(width, height, 4);
    }
}

#[test]
fn every_position_of_boards_with_other_lines_agrees_with_the_oracle() {
    for (width, height) in [(1, 1), (2, 3), (3, 2), (3, 3), (4, 3), (3, 4)] {
        for line in [1, 2, 3, 5] {
            compare(width, height, line);
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of positions: run with --release")]
fn every_position_of_middle_boards_agrees_with_the_oracle() {
    for (width, height) in [(4, 4), (5, 3), (3, 6)] {
        compare(width, height, 4);
    }
    for (width, height) in [(4, 4), (5, 3), (3, 5)] {
        compare(width, height, 3);
    }
}

#[test]
#[ignore = "millions of positions in tables: run with --release"]
fn every_position_of_larger_boards_agrees_with_the_oracle() {
    for (width, height) in [(4, 5), (5, 4), (6, 3)] {
        compare(width, height, 4);
    }
    for (width, height) in [(5, 4), (4, 5), (6, 3), (5, 5)] {
        compare(width, height, 3);
    }
}

#[test]
fn stones_that_are_no_position_have_no_value() {
    for (width, height, line) in [(3, 3, 3), (4, 3, 4), (3, 4, 3), (4, 2, 2)] {
        let board = board(width, height, line);
        let game = board.game();
        let (file, _) = solved(&board);
        // A floating stone, both sides on one cell, too many of one side.
        let low = game.cell(0, u32::from(height) - 1);
        let floating = Stones { own: 0, other: game.cell(0, 0) };
        for nonsense in [floating, Stones { own: low, other: low }, Stones { own: low, other: 0 }] {
            assert_eq!(file.value_of_stones(nonsense).unwrap(), None);
        }
    }
}

/// Counts every published board with at most `most` positions.
fn published(most: u64) {
    let mut boards = 0;
    for (width, height, positions) in rows::<(u8, u8, u64)>("connect4-positions.csv") {
        // Other boards do not fit a 64-bit word.
        if positions <= most && u32::from(width) * (u32::from(height) + 1) <= 64 {
            let board = board(width, height, 4);
            assert_eq!(total(&counted(&board, Extent::Whole)), positions, "{width}x{height}");
            boards += 1;
        }
    }
    assert!(boards > 30);
}

#[test]
fn whole_boards_have_the_published_numbers_of_positions() {
    published(if cfg!(debug_assertions) { 300_000 } else { 400_000_000 });
}

#[test]
#[ignore = "a minute and gigabytes: run with --release"]
fn large_boards_have_the_published_numbers_of_positions() {
    published(15_000_000_000);
}

#[test]
fn the_first_plies_of_the_standard_board_have_the_published_numbers() {
    let plies = if cfg!(debug_assertions) { 10 } else { 15 };
    let counts = counted(&board(7, 6, 4), Extent::Plies(plies));
    assert_eq!(counts.plies.len(), usize::from(plies) + 1);
    for (counts, row) in counts.plies.iter().zip(rows::<Vec<u64>>("connect4-7x6-plies.csv")) {
        assert_eq!(u64::from(counts.ply.0), row[0]);
        assert_eq!([counts.positions, counts.terminal], [Some(row[4]), Some(row[5])]);
    }
}

#[test]
fn all_processors_and_numbers_of_threads_give_the_same() {
    let sizes: &[_] = if cfg!(debug_assertions) {
        &[(4, 4, 4), (5, 3, 3), (3, 6, 4)]
    } else {
        &[(4, 5, 4), (5, 4, 3), (6, 3, 4), (8, 2, 4), (7, 3, 5)]
    };
    for &(width, height, line) in sizes {
        let size = Size::new(width, height, line).unwrap();
        let mut results = Vec::new();
        for processor in Processor::available() {
            for threads in [1, 2, 8] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let board = Board::new(size).unwrap().with_processor(processor);
                results.push(pool.install(|| counted(&board, Extent::WholeWithValues)));
            }
        }
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{size}");
    }
}
