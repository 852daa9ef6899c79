//! The search of every game against plain minimax, and its proofs against solutions and the exact solver.
//!
//! `cargo test --release -p everyply-registry --test search -- --ignored --nocapture` compares many more
//! positions, for some hours (benches/search.md has the last results).

#![allow(clippy::print_stdout, reason = "figures are what a long run is for")]

use everyply_core::control::Control;
use everyply_core::exhaustive::Solution;
use everyply_core::game::{Chosen, Key, Move, MoveSet, Outcome, PartialValue};
use everyply_core::random::Random;
use everyply_core::search::{
    Aim, EndBounds, Evaluation, MoveOrder, Pruning, RootScores, Settings, SharedTable,
};
use everyply_core::statistics::{Iteration, Score};
use everyply_registry::registry::{Engine, EngineLimits, Position, builtin};

/// A game with a size, numbers and rules.
type Board =
    (&'static str, Option<(u8, u8)>, &'static [(&'static str, u8)], &'static [&'static str]);

/// Returns the boards of the games that end: the usual one, and those that differ in kind.
fn starts() -> Vec<Box<dyn Position>> {
    let others: &[Board] = &[
        ("connect4", Some((5, 4)), &[], &[]),
        ("connect4", Some((4, 5)), &[("line", 3)], &[]),
        ("ttt", Some((4, 3)), &[], &[]),
        ("ttt", Some((5, 4)), &[("line", 4)], &[]),
        ("ttt", Some((3, 2)), &[("line", 2)], &[]),
        ("ttt", Some((4, 4)), &[("line", 4)], &[]),
        ("connect4", Some((4, 4)), &[("line", 3)], &[]),
        ("connect4", Some((4, 4)), &[], &[]),
        ("misere4", Some((3, 4)), &[("line", 3)], &[]),
        ("misere4", Some((5, 4)), &[], &[]),
        ("cylinder4", Some((4, 3)), &[("line", 3)], &["misere"]),
        ("dots", Some((2, 1)), &[], &[]),
        ("hexapawn", Some((4, 3)), &[], &[]),
        ("breakthrough", Some((2, 5)), &[], &[]),
        ("breakthrough", Some((3, 5)), &[], &[]),
        ("notakto", None, &[("boards", 1)], &[]),
        ("othello", Some((4, 4)), &[], &[]),
        ("kalah", None, &[("pits", 3), ("seeds", 2)], &[]),
        ("kalah", None, &[("pits", 2), ("seeds", 3)], &["empty"]),
        ("kalah", None, &[("pits", 3), ("seeds", 2)], &["either"]),
        ("kalah", None, &[("pits", 4), ("seeds", 2)], &["empty", "either"]),
        ("nim", None, &[], &["misere"]),
        ("cylinder4", None, &[], &["misere"]),
        ("cylinder4", Some((4, 4)), &[("line", 3)], &[]),
        ("othello", Some((6, 4)), &[], &[]),
        ("othello", Some((8, 8)), &[], &[]),
        ("connect4", Some((8, 8)), &[("line", 3)], &[]),
        ("hexapawn", Some((4, 4)), &[], &[]),
        ("wild", None, &[], &["misere"]),
        ("qubic", None, &[], &["misere"]),
        ("qubic", None, &[("side", 4)], &[]),
        ("qubic", None, &[("side", 4)], &["misere"]),
    ];
    let chosen = others.iter().map(|(name, size, numbers, rules)| {
        let numbers = numbers.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
        let rules = rules.iter().map(|rule| (*rule).to_owned()).collect();
        (*name, Chosen { size: *size, numbers, rules, ..Chosen::default() })
    });
    // More than 64 moves, some of which share a label in the table.
    let heaps = ["20,21,25", "9,9,9,9,9,9,9,9"]
        .map(|heaps| ("nim", Chosen { position: Some(heaps.to_owned()), ..Chosen::default() }));
    let games = builtin();
    let usual = games.entries().iter().map(|entry| (entry.name, Chosen::default()));
    let all = usual.chain(chosen).chain(heaps).map(|(name, chosen)| {
        let entry = games.find(name).expect("a game of the registry");
        entry.choose(&chosen).unwrap_or_else(|error| panic!("{name}: {error}"))
    });
    let settings = Settings::to_depth(1);
    all.filter(|position| position.search(&settings, None, &Control::default()).is_some()).collect()
}

fn minimax(position: &dyn Position, depth: u32) -> (Score, u64) {
    let attempt = position.minimax(depth, Evaluation::Own, &Control::default());
    let (score, counters) = attempt.expect("the game ends").expect("the control stops nothing");
    (score, counters.nodes)
}

/// Returns the score of a move for the side that makes it, from the score of the position after it.
fn for_parent(score: Score, keeps_turn: bool) -> Score {
    let Score(below) = if keeps_turn { score } else { -score };
    // A proven end is a ply further away.
    Score(if score.value().is_some() { below - 100 * below.signum() } else { below })
}

/// Returns the score at the end of a line of moves, for the side that begins it.
fn end_of(root: &dyn Position, line: &[Move]) -> Score {
    let Some((m, rest)) = line.split_first() else { return minimax(root, 0).0 };
    let branch = root.branches().into_iter().find(|branch| branch.bit == u32::from(m.0));
    let branch = branch.expect("a move of the position");
    for_parent(end_of(branch.to.as_ref(), rest), branch.keeps_turn)
}

/// Compares scores, moves and lines of random positions with those of minimax, by depth until that
/// takes more than `most` nodes; returns the number of comparisons.
fn agrees_to_depths(start: &dyn Position, positions: u32, most: u64, seed: u64) -> u32 {
    let tables = [1, 64].map(|mib| SharedTable::new(mib, start.info().key_bits).unwrap());
    let pools = [1, 2, 8].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    let mut random = Random::new(seed);
    let (control, mut compared) = (Control::default(), 0);
    for i in 0..positions {
        let moves = random.below(start.plies_left().unwrap().min(60));
        let Some(root) = start.random_game(&mut random, &|played, _| played >= moves) else {
            continue;
        };
        for depth in 1..=6.min(root.plies_left().unwrap()) {
            let (score, nodes) = minimax(root.as_ref(), depth);
            let moves: Vec<(Move, Score)> = root
                .branches()
                .into_iter()
                .map(|branch| {
                    let below = minimax(branch.to.as_ref(), depth - 1).0;
                    (Move(branch.bit as u8), for_parent(below, branch.keeps_turn))
                })
                .collect();
            let best: MoveSet =
                moves.iter().filter(|(_, of_move)| *of_move == score).map(|(m, _)| *m).collect();
            let pool = &pools[(i % 3) as usize];
            let table = Some(&tables[(i / 3 % 2) as usize]);
            let all_scores = [RootScores::OneBest, RootScores::AllBest, RootScores::All];
            let root_scores = all_scores[((i + depth) % 3) as usize];
            let settings = Settings {
                split_after: if i % 2 == 0 { 0 } else { u64::MAX },
                deepening: i % 4 < 3,
                root_scores,
                ..Settings::to_depth(depth)
            };
            let kind = (i / 4 + depth) as usize;
            let prunings = [Pruning::AlphaBeta, Pruning::NullWindows, Pruning::History];
            let textbook = Settings {
                order: MoveOrder::ALL[kind % 3],
                pruning: prunings[kind / 3 % 3],
                ..settings
            };
            let (settings, table) = match i % 4 {
                3 => (textbook, table.filter(|_| kind.is_multiple_of(2))),
                _ => (settings, table),
            };
            let report = pool.install(|| root.search(&settings, table, &control)).unwrap();
            let at = format!("{} at {} to depth {depth}", start.info().title, root.picture());
            assert_eq!(report.score, score, "{at}");
            if root_scores != RootScores::OneBest && report.depth == depth {
                assert_eq!(report.best, best, "{at}");
            } else {
                assert!(report.best.without(best).is_empty() || report.depth < depth, "{at}");
            }
            // A proven root stops the deepening before moves that are not proven get their score.
            for ((m, of_move), found) in moves.iter().zip(&report.root_moves) {
                assert_eq!(found.m, *m, "{at}");
                let is_whole = root_scores == RootScores::All && report.depth == depth;
                if is_whole && found.value.is_some() == of_move.value().is_some() {
                    assert_eq!(found.score, Some(*of_move), "{at}");
                }
            }
            if i % 4 != 3 {
                assert_eq!(end_of(root.as_ref(), report.principal_variation()), score, "{at}");
            }
            // Lines of earlier iterations come from the table.
            for Iteration { depth, line, score, .. } in &report.iterations {
                if line.len() as u32 == *depth {
                    assert_eq!(end_of(root.as_ref(), line), *score, "{at}: {line:?}");
                }
            }
            compared += 1;
            if nodes > most {
                break;
            }
        }
    }
    compared
}

#[test]
fn scores_to_a_depth_are_those_of_minimax() {
    for start in starts() {
        let compared = agrees_to_depths(start.as_ref(), 24, 6_000, 1);
        assert!(compared > 3, "{}: {compared}", start.info().title);
    }
}

#[test]
#[ignore = "takes hours"]
fn scores_of_many_positions_are_those_of_minimax() {
    for start in starts() {
        let compared = agrees_to_depths(start.as_ref(), 10_000, 20_000, 2);
        println!("{}: {compared} scores", start.info().title);
    }
}

/// Compares proofs of positions with their solution, by one, two and eight threads: outcomes, distances,
/// points, all best moves, and of some positions the scores of all moves.
fn proofs_agree(start: &dyn Position, solution: &Solution, keys: &[Key]) {
    let control = Control::default();
    let runs = [1, 2, 8].map(|n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        (pool, SharedTable::new(1, start.info().key_bits).unwrap())
    });
    for (i, &key) in keys.iter().enumerate() {
        let root = start.of_key(key).unwrap();
        let at = || format!("{} at {}", start.info().title, root.picture());
        let value = solution.value_of(key).unwrap();
        let moves: Vec<_> = root
            .branches()
            .into_iter()
            .map(|branch| {
                let there = branch.to.key().unwrap();
                let value = solution.value_of(there).unwrap().one_ply_earlier(branch.keeps_turn);
                let points = solution.points_of(there);
                (branch.bit, value, points.map(|p| if branch.keeps_turn { p } else { -p }))
            })
            .collect();
        let with = |is_best: &dyn Fn(PartialValue, Option<i32>) -> bool| -> MoveSet {
            let best = moves.iter().filter(|(_, value, points)| is_best(*value, *points));
            best.map(|(bit, ..)| Move(*bit as u8)).collect()
        };
        // Draws are equal at any distance.
        let is_equal = |a: PartialValue, b: PartialValue| {
            a.outcome == b.outcome && (a.outcome == Outcome::Draw || a == b)
        };
        for (pool, table) in &runs {
            let prove = |aim, scores| {
                pool.install(|| root.prove((aim, scores), table, &control, &mut |_| ()))
            };
            let scores = if i % 8 == 0 { RootScores::All } else { RootScores::AllBest };
            let proof = prove(Aim::Value, scores).expect("the game ends");
            let proved = |bounds: EndBounds| bounds.proved().expect("the control stops nothing");
            assert!(is_equal(proved(proof.bounds).value(), value), "{}", at());
            assert_eq!(proof.best, with(&|there, _| is_equal(there, value)), "{}", at());
            for ((bit, bounds), (expected, there, _)) in proof.moves.iter().zip(&moves) {
                assert!(bit == expected && is_equal(proved(*bounds).value(), *there), "{}", at());
            }
            let proof = prove(Aim::Outcome, RootScores::AllBest).expect("the game ends");
            assert_eq!(proved(proof.bounds).outcome, value.outcome, "{}", at());
            let best = with(&|there, _| there.outcome == value.outcome);
            assert_eq!(proof.best, best, "{}", at());
            let points = solution.points_of(key);
            let proof = prove(Aim::Points, scores);
            assert_eq!(proof.as_ref().and_then(|p| proved(p.bounds).points), points, "{}", at());
            let Some(proof) = proof else { continue };
            assert_eq!(proof.best, with(&|_, there| there == points), "{}", at());
            for ((bit, bounds), (expected, _, there)) in proof.moves.iter().zip(&moves) {
                assert!(bit == expected && proved(*bounds).points == *there, "{}", at());
            }
        }
    }
}

/// Compares proofs with solutions, on about `some` positions, up to symmetry, of every start that
/// has at most `most`; returns the number compared.
fn proofs_of_all_agree(most: u64, some: usize) -> usize {
    let mut compared = 0;
    for start in starts() {
        let Ok(solution) = start.solve(most, &Control::default()) else { continue };
        let mut keys = Vec::new();
        solution.values(&mut |part| keys.extend(part.iter().map(|(key, _)| *key)));
        let step = keys.len().div_ceil(some);
        let keys: Vec<_> = keys.into_iter().step_by(step).collect();
        println!("{}: {} positions", start.info().title, keys.len());
        proofs_agree(start.as_ref(), &solution, &keys);
        compared += keys.len();
    }
    println!("{compared} positions");
    compared
}

#[test]
fn proofs_are_those_of_solutions() {
    assert!(proofs_of_all_agree(1 << 15, 300) > 5_000);
}

#[test]
#[ignore = "takes hours"]
fn proofs_of_all_positions_are_those_of_solutions() {
    assert!(proofs_of_all_agree(1 << 21, usize::MAX) > 2_000_000);
}

/// Compares proofs of random positions of Connect Four of at least `stones` stones with the exact
/// solver.
fn solver_agrees(positions: usize, stones: u32) {
    let start = builtin().find("connect4").unwrap().choose(&Chosen::default()).unwrap();
    let (control, mut random) = (Control::default(), Random::new(5));
    let limits = EngineLimits { mib: 64, may_solve_all: false };
    let solver = Engine::of(start.as_ref(), limits, &control).unwrap();
    let table = SharedTable::new(64, start.info().key_bits).unwrap();
    let mut compared = 0;
    while compared < positions {
        let moves = stones + random.below(42 - u64::from(stones)) as u32;
        let Some(root) = start.random_game(&mut random, &|played, _| played >= moves) else {
            continue;
        };
        let value = solver.value(root.as_ref(), &control, &mut |_| ()).unwrap().value;
        let asked = (Aim::Value, RootScores::AllBest);
        let proof = root.prove(asked, &table, &control, &mut |_| ()).unwrap();
        let score = proof.bounds.proved().expect("the control stops nothing");
        assert_eq!(root.whole(score.value()), value, "{}", root.picture());
        let best = solver.best(root.as_ref(), value.exact().unwrap(), &control).unwrap();
        assert!(best.is_none_or(|best| best == proof.best), "{}", root.picture());
        compared += 1;
    }
}

#[test]
fn proofs_are_those_of_the_exact_solver() {
    solver_agrees(100, 30);
}

#[test]
#[ignore = "takes half a minute"]
fn proofs_of_many_positions_are_those_of_the_exact_solver() {
    solver_agrees(10_000, 20);
}
