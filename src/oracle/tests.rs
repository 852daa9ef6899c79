use super::engine::SmallEngine;
use super::*;
use crate::connect_four::solver::Solver;
use crate::exhaustive::{PositionGraph, Solution};
use crate::game::laws::random_positions;
use crate::game::{Game, Outcome, Remoteness};
use crate::games::line::notation::parse_moves;
use crate::games::line::{AnyGame, Board, Rules};

fn oracle() -> Oracle {
    Oracle::new(OracleFiles::default(), 8)
}

fn board(rules: Rules, width: u8, height: u8, line: u8) -> AnyGame {
    AnyGame::new(rules, Some(Board { width, height }), Some(line)).unwrap()
}

#[test]
fn every_engine_gives_the_values_of_the_tree() {
    for game in [
        board(Rules::Mnk, 3, 3, 3),
        board(Rules::Mnk, 4, 3, 3),
        board(Rules::ConnectFour, 4, 3, 3),
        // A line the solver is not made for.
        board(Rules::ConnectFour, 4, 3, 2),
    ] {
        let (oracle, control) = (oracle(), Control::default());
        let tree = PositionGraph::build(game, game.initial(), &control).unwrap();
        let solution = Solution::of(tree, &control).unwrap();
        random_positions(&game, 10, |position| {
            let entry = solution.entry(position).unwrap();
            let value = oracle.value(&game, position, &control).unwrap().value.exact();
            assert_eq!(value, Some(entry.value));
            let mut results = Vec::new();
            let moves = oracle.moves(&game, position, &control, &mut |update| {
                if let Update::Move(m, known) = update {
                    results.push((m, known));
                }
            });
            let moves = moves.unwrap();
            results.sort_unstable_by_key(|(m, _)| *m);
            assert_eq!(moves, results);
            let plain: Vec<_> =
                moves.iter().map(|(m, known)| (*m, known.value.exact().unwrap())).collect();
            assert_eq!(plain, solution.moves(position));
            assert_eq!(oracle.best(&game, position, &control).unwrap(), entry.best);
            let variation = oracle.variation(&game, position, &control).unwrap();
            assert_eq!(variation.len(), usize::from(entry.value.remoteness.0));
        });
    }
}

#[test]
fn a_stopped_search_keeps_what_it_told() {
    let game = board(Rules::Mnk, 5, 5, 5);
    let oracle = oracle();
    let control = Control::default();
    control.limit(Some(std::time::Duration::from_millis(50)));
    let found = oracle.moves(&game, game.initial(), &control, &mut |_| ());
    assert!(matches!(found, Err(OracleError::Stopped(_))));
}

#[test]
fn the_solver_is_shared_and_engines_are_few() {
    let oracle = oracle();
    let control = Control::default();
    let game = board(Rules::ConnectFour, 7, 6, 4);
    let start = |game: &AnyGame| crate::registry::study_of(game, game.initial());
    let solver = oracle.exact_solver::<u64>(start(&game).as_ref()).unwrap();
    let solver = solver.expect("made for this board");
    let position = parse_moves(&game, "44455554221").unwrap();
    let value = Solver::value(&solver, position, &control).unwrap().value;
    assert_eq!(oracle.value(&game, position, &control).unwrap().value.exact(), Some(value));
    for width in 3..9 {
        oracle.engine(&board(Rules::ConnectFour, width, 4, 4), &control).unwrap();
    }
    let small = start(&board(Rules::Mnk, 3, 3, 3));
    assert!(oracle.exact_solver::<u64>(small.as_ref()).unwrap().is_none());
    assert!(oracle.engines.count() <= 4);
}

#[test]
fn engines_in_use_beyond_eight_make_do_with_little() {
    let oracle = oracle();
    let control = Control::default();
    let boards: Vec<_> = (3..9)
        .flat_map(|width| [4, 5].map(|height| board(Rules::ConnectFour, width, height, 4)))
        .collect();
    let held: Vec<_> = boards.iter().map(|game| oracle.engine(game, &control).unwrap()).collect();
    let mib = |engine: &Engine<AnyGame>| match engine {
        Engine::Solver(solver) => solver.table_bytes() >> 20,
        Engine::Other(_) => 0,
    };
    let large = held.iter().filter(|engine| mib(engine) > 4).count();
    assert!(large <= 8, "{large} of {}", held.len());
    // Those that come then are not kept, and answer all the same.
    assert!(!oracle.engines.has_room());
    let game = board(Rules::Mnk, 3, 3, 3);
    assert!(matches!(
        &*oracle.engine(&game, &control).unwrap(),
        Engine::Other(SmallEngine::AlphaBeta(_))
    ));
    let value = oracle.value(&game, game.initial(), &control).unwrap();
    assert_eq!(value.value.exact(), Some(Value::new(Outcome::Draw, Remoteness(9))));
    drop(held);
    assert!(matches!(
        &*oracle.engine(&game, &control).unwrap(),
        Engine::Other(SmallEngine::Tree(_))
    ));
}

#[test]
fn positions_of_any_game_have_the_values_of_the_tree() {
    for game in [
        board(Rules::Mnk, 3, 3, 3),
        board(Rules::Mnk, 4, 3, 3),
        board(Rules::ConnectFour, 4, 3, 3),
        board(Rules::ConnectFour, 4, 3, 2),
    ] {
        let (oracle, control) = (oracle(), Control::default());
        let tree = PositionGraph::build(game, game.initial(), &control).unwrap();
        let solution = Solution::of(tree, &control).unwrap();
        random_positions(&game, 10, |position| {
            let study = crate::registry::study_of(&game, position);
            let study = study.as_ref();
            let entry = solution.entry(position).unwrap();
            let value = oracle.prove(study, &control).unwrap().value.exact();
            assert_eq!(value, Some(entry.value));
            let mut results = Vec::new();
            let moves = oracle.prove_moves(study, &control, &mut |finding| {
                if let Finding::Move(bit, known) = finding {
                    results.push((bit, known));
                }
            });
            let moves = moves.unwrap();
            results.sort_unstable_by_key(|(bit, _)| *bit);
            assert_eq!(results, moves.iter().map(|m| (m.branch.bit, m.value)).collect::<Vec<_>>());
            let plain: Vec<_> =
                moves.iter().map(|m| (m.branch.bit, m.value.value.exact().unwrap())).collect();
            let expected = solution.moves(position).into_iter();
            assert_eq!(plain, expected.map(|(m, value)| (m.0.into(), value)).collect::<Vec<_>>());
            assert_eq!(oracle.best_moves(study, &control).unwrap(), entry.best);
            let play = oracle.best_play(study, &control).unwrap();
            assert_eq!(play.moves.len(), usize::from(entry.value.remoteness.0));
            assert!(oracle.known_best_play(study).unwrap().is_some() && !play.repeats);
        });
    }
}

#[test]
fn play_without_an_end_repeats_itself() {
    let pong = crate::registry::builtin().find("pong").unwrap().choose(&Default::default());
    let (oracle, pong, control) = (oracle(), pong.unwrap(), Control::default());
    assert!(oracle.known(pong.as_ref()).unwrap().is_none());
    let value = oracle.prove(pong.as_ref(), &control).unwrap();
    assert_eq!(value.value, PartialValue::of_outcome(Outcome::Draw));
    let play = oracle.best_play(pong.as_ref(), &control).unwrap();
    assert!(play.repeats);
    assert_eq!(oracle.known(pong.as_ref()).unwrap(), Some(value));
}
