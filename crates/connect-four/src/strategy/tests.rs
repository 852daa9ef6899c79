//! Strategies of small boards against exact values, files, and damage.

use super::finder::{AllowedAnswers, PlanBudget, PlanFinder};
use super::graph::SearchParameters;
use super::grid::Grid;
use super::make::{make_in, reachable_positions};
use super::*;
use crate::profiles::{self, visit::visit};
use crate::solver::{Solver, score_of};
use everyply_core::control::Control;
use everyply_core::game::{Game, Keyed, Move, Tiered};
use everyply_core::games::line::ConnectFour;
use everyply_core::games::line::notation::{some_moves_to, write_moves};
use everyply_core::random::Random;
use std::collections::BTreeMap;
use std::sync::Mutex;

fn size(width: u8, height: u8) -> Size {
    Size::new(width, height, 4).unwrap()
}

/// Returns a strategy, made once for all tests of a run.
pub(super) fn made(
    width: u8,
    height: u8,
    side: Side,
    at_least: i32,
    moves: &str,
) -> Result<Strategy, MakeError> {
    static MADE: Mutex<BTreeMap<String, &'static Mutex<Option<Strategy>>>> =
        Mutex::new(BTreeMap::new());
    let question = format!("{width}x{height} {side:?} {at_least} {moves}");
    let one: &Mutex<_> =
        MADE.lock().unwrap().entry(question).or_insert_with(|| Box::leak(Box::default()));
    let mut strategy = one.lock().unwrap();
    if strategy.is_none() {
        let solver = Solver::new(size(width, height), 16).unwrap();
        let options = MakeOptions::of(Claim { side, at_least }, moves.to_owned());
        *strategy = Some(make(&solver, &options, &Control::default(), |_| ())?);
    }
    Ok(strategy.clone().expect("it was made"))
}

/// Plays a random game of this many stones; `None` if it ends before.
pub(super) fn random_position(
    game: &ConnectFour,
    stones: u32,
    random: &mut Random,
) -> Option<Stones> {
    let mut position = game.initial();
    for _ in 0..stones {
        let moves: Vec<Move> = game.moves(position).into_iter().collect();
        position = game.play(position, moves[random.below(moves.len() as u32) as usize]);
        if game.result(position).is_some() {
            return None;
        }
    }
    Some(position)
}

fn checked(strategy: &Strategy) -> Result<CheckSummary, Fault> {
    check(strategy, &Control::default())
}

/// Every plan found for any position of a whole board promises no more than the exact score, and
/// keeps its promise against every line.
fn plans_of_a_whole_board(width: u8, height: u8, share: u64) {
    let board = profiles::Board::new(size(width, height)).unwrap();
    let game = *board.game();
    let grid = Grid::new(size(width, height)).unwrap();
    let (mut searches, mut plans) = (0, 0);
    let positions = std::sync::Mutex::new(Vec::new());
    visit(&board, |position, value| {
        let number = game.key(position).0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        if number.is_multiple_of(share) {
            let score = -score_of(value, game.plies_left(position) as i32);
            positions.lock().unwrap().push((position, score));
        }
    });
    for (position, score) in positions.into_inner().unwrap() {
        if game.result(position).is_some() || grid.canonical(position).1 {
            continue;
        }
        let side = Side::to_move(position).opponent();
        for at_least in [score - 1, score, score + 1] {
            searches += 1;
            let claim = Claim { side, at_least };
            let budget = PlanBudget { conflicts: 20, positions: 2000 };
            let Some(plan) =
                PlanFinder::new(grid, claim, AllowedAnswers::Any).without_exits(position, budget)
            else {
                continue;
            };
            plans += 1;
            let shown = everyply_core::games::line::notation::picture(&game, position);
            assert!(at_least <= score, "{shown}: {at_least}, and the score is {score}");
            let judged = check::check_plan(size(width, height), claim, position, &plan);
            assert!(judged.is_ok(), "{shown}: {judged:?}");
        }
    }
    assert!(searches / 10 < plans && plans < searches, "{plans} of {searches}");
}

#[test]
fn plans_keep_what_they_promise_on_whole_boards() {
    let share = if cfg!(debug_assertions) { 50 } else { 1 };
    plans_of_a_whole_board(4, 4, share);
    plans_of_a_whole_board(5, 4, 20 * share);
}

#[test]
#[ignore = "minutes: every position of 5x4 and 4x6, some of 5x5; run with --release"]
fn plans_keep_what_they_promise_on_larger_boards() {
    plans_of_a_whole_board(5, 4, 1);
    plans_of_a_whole_board(4, 6, 1);
    plans_of_a_whole_board(5, 5, 20);
}

/// The second player needs a single plan to draw 4x4 and 5x6, and nothing but answers on top to
/// draw where no line is long enough.
#[test]
fn one_plan_can_be_enough() {
    for (width, height) in [(4, 4), (5, 6)] {
        let strategy = made(width, height, Side::Second, 0, "").unwrap();
        assert_eq!((strategy.positions.len(), strategy.settled()), (1, 1));
        checked(&strategy).unwrap();
    }
    let strategy = made(3, 4, Side::Second, 0, "").unwrap();
    assert_eq!(strategy.positions[0].plan, Plan::default());
    checked(&strategy).unwrap();
}

#[test]
fn the_memory_limit_is_kept() {
    let solver = Solver::new(size(6, 5), 16).unwrap();
    let claim = Claim { side: Side::Second, at_least: 0 };
    let options = MakeOptions { memory: 1 << 12, ..MakeOptions::of(claim, String::new()) };
    let failed = make(&solver, &options, &Control::default(), |_| ());
    assert!(matches!(failed, Err(MakeError::Memory(_, 4096))), "{failed:?}");
}

#[test]
fn both_sides_hold_the_draw() {
    for (width, height) in [(4, 5), (5, 5), (5, 4)] {
        for side in [Side::First, Side::Second] {
            let strategy = made(width, height, side, 0, "").unwrap();
            let checked = checked(&strategy).unwrap();
            assert_eq!(checked.positions, strategy.positions.len() as u64);
            assert_eq!(checked.settled, strategy.settled() as u64);
            assert!(matches!(made(width, height, side, 1, ""), Err(MakeError::DoesNotHold(_))));
        }
    }
}

/// Two strategies in one hold positions that neither needs: the follower takes the leftmost move
/// that either knows.
#[test]
fn unreachable_positions_are_left_out() {
    let size = size(6, 4);
    let grid = Grid::new(size).unwrap();
    let solver = Solver::new(size, 16).unwrap();
    let claim = Claim { side: Side::Second, at_least: 1 };
    let made = |conflicts| {
        let usual = SearchParameters::of(24);
        let budget = PlanBudget { conflicts, ..usual.budget };
        let options = MakeOptions::of(claim, String::new());
        let parameters = SearchParameters { budget, ..usual };
        make_in(parameters, &solver, &options, &Control::default(), |_| ()).unwrap()
    };
    let (mut both, other) = (made(300), made(3));
    let known: Vec<_> = both.positions.iter().map(|entry| entry.position).collect();
    both.positions.extend(other.positions.into_iter().filter(|e| !known.contains(&e.position)));
    both.positions.sort_by_key(|entry| (entry.position.other, entry.position.own));
    let fault = checked(&both).unwrap_err().to_string();
    assert!(fault.ends_with(": never reached"), "{fault}");
    let all = both.positions.len();
    both.positions = reachable_positions(&grid, claim, Stones::default(), both.positions);
    assert!(both.positions.len() < all);
    checked(&both).unwrap();
}

/// The search of large boards solves positions late, takes a quick strategy and refines it.
#[test]
fn a_quick_strategy_is_refined() {
    let parameters = SearchParameters {
        eager_empties: 8,
        shrink_factor: 4.0,
        is_quick: true,
        budget: PlanBudget { conflicts: 20, positions: 2000 },
        last_conflicts: 64_000,
    };
    for (width, height, side, at_least) in [(5, 5, Side::First, 0), (6, 4, Side::Second, 1)] {
        let solver = Solver::new(size(width, height), 16).unwrap();
        let made = |at_least, improve_for| {
            let options = MakeOptions::of(Claim { side, at_least }, String::new());
            let options = MakeOptions { improve_for, ..options };
            make_in(parameters, &solver, &options, &Control::default(), |_| ())
        };
        let first = made(at_least, Some(std::time::Duration::ZERO)).unwrap();
        let refined = made(at_least, Some(std::time::Duration::from_millis(500))).unwrap();
        let [first, refined] =
            [first, refined].map(|strategy| checked(&strategy).unwrap().positions);
        assert!(refined <= first, "{width}x{height}: {refined} of {first}");
        assert!(matches!(made(at_least + 1, None), Err(MakeError::DoesNotHold(_))));
    }
}

/// The parameters of boards above 42 cells separate good moves from bad ones: with estimates far
/// too high, and plans given up early, the first strategy of 5x9 had 3,823 positions.
#[test]
#[ignore = "14 seconds: run with --release"]
fn the_first_strategy_of_a_large_board_is_small() {
    let strategy = made(5, 9, Side::First, 0, "").unwrap();
    let positions = checked(&strategy).unwrap().positions;
    assert!(positions <= 250, "{positions}");
}

/// Without a limit of time the improvement ends by itself, with the same strategy for any number of
/// threads. On 4x6 one plan settles the whole board for the second player; without the replacement
/// of parts 5x5 takes 32 positions.
#[test]
fn improved_strategies_are_small() {
    for (width, height, claim, most) in [
        (4, 6, Claim { side: Side::First, at_least: 0 }, 2),
        (4, 6, Claim { side: Side::Second, at_least: 0 }, 1),
        (5, 5, Claim { side: Side::Second, at_least: 0 }, 30),
    ] {
        let solver = Solver::new(size(width, height), 16).unwrap();
        let options = MakeOptions { improve_for: None, ..MakeOptions::of(claim, String::new()) };
        let parameters = SearchParameters {
            last_conflicts: 1000,
            ..SearchParameters::of(u32::from(width) * u32::from(height))
        };
        let made_by = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let make = || make_in(parameters, &solver, &options, &Control::default(), |_| ());
            pool.install(make).unwrap()
        };
        let strategy = made_by(1);
        let positions = checked(&strategy).unwrap().positions;
        assert!(positions <= most, "{width}x{height} {}: {positions}", claim.side.name());
        assert_eq!(made_by(3), strategy);
    }
}

/// Both sides prove an exact value: at least the score, and at least its negative.
#[test]
fn exact_scores_of_positions() {
    let solver = Solver::new(size(6, 5), 16).unwrap();
    let mut random = Random::new(18);
    let mut done = 0;
    while done < if cfg!(debug_assertions) { 2 } else { 12 } {
        let stones = 10 + random.below(6);
        let Some(position) = random_position(solver.game(), stones, &mut random) else { continue };
        let moves = some_moves_to(solver.game(), position).unwrap();
        let moves = write_moves(solver.game(), &moves);
        let value = solver.value(position, &Control::default()).unwrap().value;
        let score = score_of(value, solver.game().plies_left(position) as i32);
        let side = Side::to_move(position);
        for (side, at_least) in [(side, score), (side.opponent(), -score)] {
            let strategy = made(6, 5, side, at_least, &moves).unwrap();
            checked(&strategy).unwrap();
            let more = made(6, 5, side, at_least + 1, &moves);
            assert!(matches!(more, Err(MakeError::DoesNotHold(s)) if s == side), "{moves}");
        }
        done += 1;
    }
}

#[test]
fn files_are_read_as_they_were_written() {
    let strategies =
        [made(5, 5, Side::First, 0, "").unwrap(), made(5, 4, Side::Second, 0, "33").unwrap()];
    let mut bytes = Vec::new();
    write(&strategies, &mut bytes).unwrap();
    assert_eq!(read(&bytes[..]).unwrap(), strategies);
    // No flipped bit changes the strategies that are read, and a missing end is noticed.
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        // Two zstd frames can hold the same text.
        assert!(read(&flipped[..]).is_ok_and(|s| s == strategies) || read(&flipped[..]).is_err());
        assert!(read(&bytes[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn invalid_lines_are_named() {
    let good = "everyply strategy 1\nboard 4x4\nline 4\nside second\nscore 0\nmoves \n\
                positions 2\n/// a\nxo/// - b1c c1b\n";
    let read_text = |text: &str| read(&zstd::encode_all(text.as_bytes(), 1).unwrap()[..]);
    assert_eq!(read_text(good).unwrap()[0].positions.len(), 2);
    for (from, to, message) in [
        ("strategy 1", "strategy 2", "line 1: expected `everyply strategy 1`"),
        ("4x4", "4x400", "line 2: expected `board` and a size"),
        ("board 4x4", "board 40x40", "line 3: expected a board that fits"),
        ("line 4", "line 0", "line 3: expected a board that fits"),
        ("side second", "side both", "line 4: expected `side first` or"),
        ("score 0", "score 900", "line 5: expected a score"),
        ("positions 2", "positions 3", "line 10: expected another position"),
        ("positions 2", "positions 99999999999", "line 7: expected at most"),
        ("positions 2", "positions 1", "line 9: expected `everyply strategy 1`"),
        ("xo///", "xo////", "line 9: expected a position:"),
        ("xo///", "xxxxx///", "line 9: expected a position:"),
        (" a\n", " e\n", "line 8: expected a position:"),
        (" a\n", " aa\n", "line 8: expected a position:"),
        (" a\n", "\n", "line 8: expected a position:"),
        (" a\n", " \n", "line 8: expected a position:"),
        ("b1c c1b", "c1b b1c", "line 9: expected a position:"),
        ("b1c", "b1b", "line 9: expected a position:"),
        ("b1c", "b01c", "line 9: expected a position:"),
        ("b1c", "a1b", "line 9: expected a position:"),
        ("b1c", "b5c", "line 9: expected a position:"),
        ("/// a\nxo///", "xo/// a\nxo///", "line 9: expected positions in order"),
    ] {
        let error = read_text(&good.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.starts_with(message), "{to}: {error}");
    }
    assert!(read(&b"everyply strategy 1\n"[..]).is_err());
    // A number, and moves, have one form.
    for (from, to) in [
        ("4x4", "04x4"),
        ("4x4", "4x+4"),
        ("line 4", "line 04"),
        ("line 4", "line 100"),
        ("score 0", "score -0"),
        ("score 0", "score +0"),
        ("positions 2", "positions 02"),
        ("moves ", "moves \t"),
        ("moves ", "moves \r"),
        ("moves ", "moves 1,1"),
        ("moves ", "moves 1 1"),
    ] {
        assert!(read_text(&good.replacen(from, to, 1)).is_err(), "{to:?}");
    }
}

/// Few bytes of a compressed file can hold many lines.
#[test]
fn a_small_file_of_many_lines_is_refused_before_it_fills_the_memory() {
    let section = "everyply strategy 1\nboard 4x4\nline 4\nside second\nscore 0\nmoves \n\
                   positions 0\n";
    let bytes = zstd::encode_all(section.repeat(400_000).as_bytes(), 1).unwrap();
    assert!(bytes.len() < 50_000, "{}", bytes.len());
    let error = read(&bytes).unwrap_err().to_string();
    assert!(error.contains("at most 65536 positions and 4 for each byte"), "{error}");
    let some = zstd::encode_all(section.repeat(60_000).as_bytes(), 1).unwrap();
    assert_eq!(read(&some).unwrap().len(), 60_000);
}

/// After an exit that ends the game no answer is needed.
#[test]
fn an_exit_that_ends_the_game_is_judged_by_the_claim() {
    // Stones in the lower row of 2x2, where two in a row win.
    let check_text = |score: i32, moves: &str, position: &str| {
        let text = format!(
            "everyply strategy 1\nboard 2x2\nline 2\nside second\nscore {score}\nmoves {moves}\n\
             positions 1\n{position}\n"
        );
        let strategies = read(&zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap();
        check(&strategies[0], &Control::default())
    };
    assert!(check_text(-1, "11", "xo/ b").is_ok());
    let lost = check_text(0, "11", "xo/ b").unwrap_err().to_string();
    assert!(lost.contains("the plan allows 2, which ends in a win of the attacker"), "{lost}");
}

/// A random change is found wrong, or the strategy is right after it: then an answer was changed
/// for one that is as good.
#[test]
fn random_corruptions_are_found() {
    let strategies =
        [made(5, 5, Side::First, 0, "").unwrap(), made(5, 5, Side::Second, 0, "").unwrap()];
    let mut random = Random::new(1000);
    let mut as_good = 0;
    let changes = if cfg!(debug_assertions) { 50 } else { 300 };
    for change in 0..changes {
        let mut strategy = strategies[change % 2].clone();
        let grid = Grid::new(strategy.size).unwrap();
        let at = random.below(strategy.positions.len() as u32) as usize;
        let kind = random.below(4u32);
        let entry = &mut strategy.positions[at];
        match kind {
            0 => drop(strategy.positions.remove(at)),
            1 if entry.plan.exits != 0 => entry.plan.exits &= entry.plan.exits - 1,
            2 if entry.position.occupied() != 0 => {
                // Two stones of different colours change places.
                let Stones { own, other } = entry.position;
                let (a, b) = (own & own.wrapping_neg(), other & other.wrapping_neg());
                entry.position =
                    grid.canonical(Stones { own: own ^ a ^ b, other: other ^ a ^ b }).0;
                strategy.positions.sort_unstable_by_key(|e| (e.position.other, e.position.own));
            }
            _ => {
                let empty = (0..64).filter(|c| {
                    grid.column(grid.column_of(*c).min(grid.width - 1)) >> c & 1 == 1
                        && entry.position.occupied() >> c & 1 == 0
                });
                let empty: Vec<u32> = empty.collect();
                let cell = empty[random.below(empty.len() as u32) as usize];
                let column = random.below(grid.width);
                let is_new = !entry.plan.answers().contains(&(cell, column));
                if column == grid.column_of(cell) || !is_new {
                    continue;
                }
                entry.plan.set(cell, column);
            }
        }
        if checked(&strategy).is_ok() {
            let before = &strategies[change % 2];
            assert_eq!(strategy.positions.len(), before.positions.len());
            assert_eq!(strategy.positions[at].position, before.positions[at].position);
            assert_ne!(strategy.positions[at].plan, before.positions[at].plan);
            as_good += 1;
        }
    }
    assert!(as_good * 5 < changes, "{as_good} of {changes} changes are as good");
}
