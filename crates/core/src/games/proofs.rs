//! Proofs by search against whole solutions, on every position of small games.

use super::tests::{chosen, graph, with_threads};
use super::{
    Breakthrough, CylinderFour, Dots, Hexapawn, Kalah, Misere, MisereFour, Nim, Notakto, Othello,
    Qubic, Wild,
};
use crate::control::Control;
use crate::exhaustive::{BestPoints, StrongSolution};
use crate::game::{
    Evaluate, Game, Key, Keyed, Move, MoveSet, Notation, Outcome, Symmetric, Tiered, branches, laws,
};
use crate::games::line::{ConnectFour, Mnk, Size};
use crate::search::{Aim, EndBounds, Proof, RootScores, Settings, SharedTable, prove, search};

/// Positions that are compared at most; of more than that, some.
const MOST: usize = if cfg!(debug_assertions) { 500 } else { 4_000 };

/// Proves positions of a game by one, two and eight threads, and compares values, distances, points and
/// best moves with its solution.
fn agree<G: Symmetric<Key = Key> + Tiered + Evaluate + Notation>(game: &G) {
    laws::urgent(game);
    let solution = graph(game);
    let mut keys = Vec::new();
    solution.canonical(&mut |part| keys.extend(part.iter().map(|solved| solved.key)));
    let step = keys.len().div_ceil(MOST);
    let keys: Vec<_> = keys.into_iter().step_by(step).collect();
    with_threads(|| {
        let table = SharedTable::new(1, game.key_bits()).unwrap();
        for (i, key) in keys.iter().enumerate() {
            let position = game.position_of(*key).unwrap();
            // All scores for some positions: they take longer.
            let scores = if i % 8 == 0 { RootScores::All } else { RootScores::AllBest };
            let value = proved(game, position, (Aim::Value, scores), &table);
            check_value(&solution, position, &value);
            let outcome = proved(game, position, (Aim::Outcome, RootScores::AllBest), &table);
            check_outcome(&solution, position, &outcome);
        }
    });
    let Some(mut points) = BestPoints::of(game.clone(), u64::MAX) else { return };
    let mut expected = Vec::new();
    for key in keys {
        let (position, control) = (game.position_of(key).unwrap(), Control::default());
        let best = points.best(position, &control).unwrap();
        let over = game.result(position).is_some();
        let moves = if over { Vec::new() } else { points.moves(position, &control).unwrap() };
        expected.push((position, best, moves));
    }
    with_threads(|| {
        let table = SharedTable::new(1, game.key_bits()).unwrap();
        for (position, best, moves) in &expected {
            let proof = proved(game, *position, (Aim::Points, RootScores::All), &table);
            let points = |bounds: EndBounds| bounds.proved().unwrap().points.unwrap();
            assert_eq!(points(proof.bounds), *best, "{game:?} {position:?}");
            let found = proof.moves.iter().map(|&(bit, bounds)| (bit, points(bounds)));
            assert_eq!(&found.collect::<Vec<_>>(), moves, "{game:?} {position:?}");
            let all = moves.iter().filter(|(_, points)| points == best);
            assert_eq!(proof.best, all.map(|(bit, _)| Move(*bit as u8)).collect());
        }
    });
}

fn proved<G: Symmetric<Key = Key> + Tiered + Evaluate>(
    game: &G,
    position: G::Position,
    asked: (Aim, RootScores),
    table: &SharedTable,
) -> Proof {
    let mut before: Option<EndBounds> = None;
    let proof = prove(game, position, asked, table, &Control::default(), &mut |bounds| {
        if let (Some(before), Some(now)) = (before.and_then(EndBounds::worst), bounds.worst()) {
            assert!(before.outcome <= now.outcome, "bounds become narrower");
        }
        before = Some(*bounds);
    });
    assert!(!proof.stopped);
    proof
}

fn check_value<G: Symmetric<Key = Key> + Tiered + Evaluate>(
    solution: &impl StrongSolution<G>,
    position: G::Position,
    proof: &Proof,
) {
    let (game, value) = (solution.game(), solution.worth(position).unwrap());
    let score = proof.bounds.proved().unwrap();
    let at = format!("{game:?} {position:?}");
    assert_eq!(score.outcome, value.outcome, "{at}");
    let best = solution.best(position);
    if value.outcome == Outcome::Draw {
        // Draws are worth the same, whenever they come.
        assert!(best.without(proof.best).is_empty(), "{at}");
    } else {
        assert_eq!(score.value(), value, "{at}");
        assert_eq!(proof.best, best, "{at}");
    }
    for &(bit, bounds) in &proof.moves {
        let m = game.move_of_bit(position, bit).unwrap();
        let there = solution.worth(game.play(position, m)).unwrap();
        let there = there.one_ply_earlier(game.keeps_turn(position, m));
        let score = bounds.proved().unwrap();
        assert_eq!(score.outcome, there.outcome, "{at} {m:?}");
        if there.outcome != Outcome::Draw {
            assert_eq!(score.value(), there, "{at} {m:?}");
        }
    }
}

fn check_outcome<G: Symmetric<Key = Key> + Tiered + Evaluate>(
    solution: &impl StrongSolution<G>,
    position: G::Position,
    proof: &Proof,
) {
    let (game, value) = (solution.game(), solution.worth(position).unwrap());
    assert_eq!(proof.bounds.proved().unwrap().outcome, value.outcome, "{game:?} {position:?}");
    if game.result(position).is_some() {
        return;
    }
    let all = branches(game, position).filter(|&(.., keeps, next)| {
        let there = solution.worth(next).unwrap().one_ply_earlier(keeps);
        there.outcome == value.outcome
    });
    let all: MoveSet = all.map(|(bit, ..)| Move(bit as u8)).collect();
    assert_eq!(proof.best, all, "{game:?} {position:?}");
}

#[test]
fn proofs_of_heaps_pawns_and_boxes_are_those_of_solutions() {
    agree(&Nim::new(&[1, 3, 4], false).unwrap());
    agree(&Nim::new(&[1, 3, 4], true).unwrap());
    agree(&Hexapawn::new(3, 3).unwrap());
    agree(&Hexapawn::new(4, 3).unwrap());
    agree(&chosen::<Breakthrough>(Some((2, 5)), &[], &[]));
    agree(&Dots::new(2, 1).unwrap());
    agree(&Dots::new(2, 2).unwrap());
}

#[test]
fn proofs_of_lines_are_those_of_solutions() {
    for (width, height, line) in [(3, 3, 3), (4, 2, 2), (4, 3, 3), (3, 3, 2), (3, 2, 4)] {
        agree(&Mnk::new(Size::new(width, height, line).unwrap()).unwrap());
    }
    for (width, height, line) in [(3, 4, 3), (4, 4, 4), (4, 3, 3), (5, 2, 2), (4, 4, 3)] {
        agree(&ConnectFour::new(Size::new(width, height, line).unwrap()).unwrap());
    }
    agree(&chosen::<CylinderFour>(Some((4, 3)), &[("line", 3)], &[]));
    agree(&chosen::<CylinderFour>(Some((4, 3)), &[("line", 3)], &["misere"]));
    agree(&chosen::<MisereFour>(Some((3, 4)), &[("line", 3)], &[]));
}

#[test]
fn proofs_of_marks_are_those_of_solutions() {
    agree(&chosen::<Wild>(None, &[], &[]));
    agree(&chosen::<Wild>(None, &[], &["misere"]));
    agree(&chosen::<Misere>(None, &[], &[]));
    agree(&chosen::<Notakto>(None, &[("boards", 1)], &[]));
}

#[test]
fn proofs_of_points_are_those_of_solutions() {
    for (pits, seeds, rules) in
        [(2, 2, &[][..]), (3, 1, &[]), (2, 3, &["empty"]), (3, 2, &["either"])]
    {
        agree(&chosen::<Kalah>(None, &[("pits", pits), ("seeds", seeds)], rules));
    }
    agree(&chosen::<Othello>(Some((4, 4)), &[], &[]));
}

#[test]
fn a_table_serves_proofs_and_searches_to_a_depth() {
    let game = ConnectFour::new(Size::new(5, 4, 4).unwrap()).unwrap();
    let (control, table) = (Control::default(), SharedTable::new(1, game.key_bits()).unwrap());
    laws::random_positions(&game, 20, |position| {
        if game.result(position).is_some() || game.plies_left(position) > 14 {
            return;
        }
        proved(&game, position, (Aim::Value, RootScores::AllBest), &table);
        for depth in 1..=5.min(game.plies_left(position)) {
            let settings = Settings::to_depth(depth);
            let score = |table: Option<&SharedTable>| {
                search(&game, position, &settings, table, &control, &mut |_| ()).score
            };
            assert_eq!(score(Some(&table)), score(None), "{position:?} to depth {depth}");
        }
    });
}

#[test]
#[ignore = "takes minutes"]
fn proofs_of_larger_games_are_those_of_solutions() {
    agree(&chosen::<Kalah>(None, &[("pits", 4), ("seeds", 2)], &[]));
    agree(&chosen::<Breakthrough>(Some((4, 4)), &[], &[]));
    agree(&chosen::<CylinderFour>(Some((5, 4)), &[], &[]));
    agree(&chosen::<MisereFour>(Some((5, 4)), &[], &[]));
    agree(&Mnk::new(Size::new(4, 4, 4).unwrap()).unwrap());
    agree(&ConnectFour::new(Size::new(5, 4, 4).unwrap()).unwrap());
    agree(&chosen::<Qubic>(None, &[], &["misere"]));
}
