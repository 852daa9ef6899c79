//! The search of every game against plain minimax, and its proofs against solutions.

use everyply_core::control::Control;
use everyply_core::game::{Chosen, Move, MoveSet, Outcome};
use everyply_core::random::Random;
use everyply_core::search::{Aim, Evaluation, RootScores, Settings, SharedTable};
use everyply_core::statistics::Score;
use everyply_registry::registry::{Study, builtin};

/// A game with a size, numbers and rules.
type Board =
    (&'static str, Option<(u8, u8)>, &'static [(&'static str, u8)], &'static [&'static str]);

/// The boards of the games that end: the usual one, and those that differ in kind.
fn starts() -> Vec<Box<dyn Study>> {
    let others: &[Board] = &[
        ("connect4", Some((5, 4)), &[], &[]),
        ("connect4", Some((4, 5)), &[("line", 3)], &[]),
        ("ttt", Some((4, 3)), &[], &[]),
        ("ttt", Some((5, 4)), &[("line", 4)], &[]),
        ("ttt", Some((3, 2)), &[("line", 2)], &[]),
        ("kalah", None, &[("pits", 4), ("seeds", 2)], &["empty", "either"]),
        ("nim", None, &[], &["misere"]),
        ("cylinder4", None, &[], &["misere"]),
        ("cylinder4", Some((4, 4)), &[("line", 3)], &[]),
        ("othello", Some((6, 4)), &[], &[]),
        ("hexapawn", Some((4, 4)), &[], &[]),
        ("wild", None, &[], &["misere"]),
        ("qubic", None, &[], &["misere"]),
    ];
    let chosen = others.iter().map(|(name, size, numbers, rules)| {
        let numbers = numbers.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
        let rules = rules.iter().map(|rule| (*rule).to_owned()).collect();
        (*name, Chosen { size: *size, numbers, rules, ..Chosen::default() })
    });
    let games = builtin();
    let usual = games.entries().iter().map(|entry| (entry.name, Chosen::default()));
    let all = usual.chain(chosen).map(|(name, chosen)| {
        let entry = games.find(name).expect("a game of the registry");
        entry.choose(&chosen).unwrap_or_else(|error| panic!("{name}: {error}"))
    });
    let settings = Settings::to_depth(1);
    all.filter(|study| study.search(&settings, None, &Control::default()).is_some()).collect()
}

fn minimax(study: &dyn Study, depth: u32) -> (Score, u64) {
    let attempt = study.minimax(depth, Evaluation::Own, &Control::default());
    let (score, counters) = attempt.expect("the game ends").expect("the control stops nothing");
    (score, counters.nodes)
}

/// The score of a move for the side that makes it, from the score of the position it leads to.
fn for_parent(score: Score, keeps_turn: bool) -> Score {
    let Score(below) = if keeps_turn { score } else { -score };
    // A proven end is a ply further away.
    Score(if score.value().is_some() { below - 100 * below.signum() } else { below })
}

fn agrees_to_depths(start: &dyn Study, positions: u32, seed: u64) -> u32 {
    /// Nodes of minimax after which no greater depth is tried.
    const MOST: u64 = 6_000;
    let tables = [1, 64].map(|mib| SharedTable::new(mib, start.key_bits()).unwrap());
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
            let best = root.branches().into_iter().filter(|branch| {
                for_parent(minimax(branch.to.as_ref(), depth - 1).0, branch.keeps_turn) == score
            });
            let best: MoveSet = best.map(|branch| Move(branch.bit as u8)).collect();
            let pool = &pools[(i % 3) as usize];
            let table = &tables[(i / 3 % 2) as usize];
            let root_scores = if i % 5 == 4 { RootScores::OneBest } else { RootScores::AllBest };
            let settings = Settings {
                split_after: if i % 2 == 0 { 0 } else { u64::MAX },
                deepening: i % 4 < 3,
                root_scores,
                ..Settings::to_depth(depth)
            };
            let report = pool.install(|| root.search(&settings, Some(table), &control)).unwrap();
            let at = format!("{} at {} to depth {depth}", start.title(), root.picture());
            assert_eq!(report.score, score, "{at}");
            if root_scores == RootScores::AllBest && report.depth == depth {
                assert_eq!(report.best, best, "{at}");
            } else {
                assert!(report.best.without(best).is_empty() || report.depth < depth, "{at}");
            }
            compared += 1;
            if nodes > MOST {
                break;
            }
        }
    }
    compared
}

#[test]
fn scores_to_a_depth_are_those_of_minimax() {
    for start in starts() {
        let compared = agrees_to_depths(start.as_ref(), 24, 1);
        assert!(compared > 10, "{}: {compared}", start.title());
    }
}

#[test]
#[ignore = "takes minutes"]
fn scores_of_many_positions_are_those_of_minimax() {
    for start in starts() {
        agrees_to_depths(start.as_ref(), 10_000, 2);
    }
}

/// The most positions of a game that is solved for a test.
const MOST_SOLVED: u64 = 1 << 17;

#[test]
fn proofs_are_those_of_solutions() {
    let (control, mut random, mut proved) = (Control::default(), Random::new(3), 0);
    for start in starts() {
        let Ok(solution) = start.solve(MOST_SOLVED, &control) else { continue };
        let table = SharedTable::new(1, start.key_bits()).unwrap();
        for _ in 0..10 {
            let moves = random.below(start.plies_left().unwrap().min(40));
            let Some(root) = start.random_game(&mut random, &|played, _| played >= moves) else {
                continue;
            };
            let at = format!("{} at {}", start.title(), root.picture());
            let prove = |aim| root.prove((aim, RootScores::AllBest), &table, &control, &mut |_| ());
            let proof = prove(Aim::Value).expect("the game ends");
            let score = proof.bounds.proved().expect("the control stops nothing");
            let key = root.canonical().unwrap().0;
            let value = solution.worth_of(key).unwrap();
            assert_eq!(score.outcome, value.outcome, "{at}");
            assert!(value.outcome == Outcome::Draw || score.value() == value, "{at}");
            let points = prove(Aim::Points).map(|proof| proof.bounds.proved().unwrap().points);
            let expected = solution.points_of(key, &control).unwrap();
            assert_eq!(points.map(Option::unwrap), expected, "{at}");
            proved += 1;
        }
    }
    assert!(proved > 60, "{proved}");
}
