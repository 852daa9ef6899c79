use super::*;
use everyply_connect_four::solver::Solver;
use everyply_core::control::Control;
use everyply_core::exhaustive::{Solution, StrongSolution};
use everyply_core::game::laws::random_positions;
use everyply_core::game::{Game, Outcome, Remoteness, Value};
use everyply_core::games::line::notation::parse_moves;
use everyply_core::games::line::{AnyGame, Board, Rules};
use everyply_registry::registry::{Position, position_of};

fn oracle() -> Oracle {
    Oracle::new(OracleFiles::default(), 8)
}

fn board(rules: Rules, width: u8, height: u8, line: u8) -> AnyGame {
    AnyGame::new(rules, Some(Board { width, height }), Some(line)).unwrap()
}

fn start(game: &AnyGame) -> Box<dyn Position> {
    position_of(game, game.initial())
}

#[test]
fn a_stopped_search_is_an_error() {
    let start = start(&board(Rules::Mnk, 5, 5, 5));
    let control = Control::default();
    control.limit(Some(std::time::Duration::from_millis(50)));
    let found = oracle().prove_moves(start.as_ref(), &control, &mut |_| ());
    assert!(matches!(found, Err(OracleError::Stopped(_))));
}

#[test]
fn the_solver_is_shared_and_engines_are_few() {
    let oracle = oracle();
    let control = Control::default();
    let game = board(Rules::ConnectFour, 7, 6, 4);
    let solver = oracle.exact_solver(start(&game).as_ref()).unwrap();
    let solver = solver.expect("made for this board");
    let stones = parse_moves(&game, "44455554221").unwrap();
    let value = Solver::value(&solver, stones, &control).unwrap().value;
    let position = position_of(&game, stones);
    assert_eq!(oracle.prove(position.as_ref(), &control).unwrap().value.exact(), Some(value));
    for width in 3..9 {
        let other = start(&board(Rules::ConnectFour, width, 4, 4));
        oracle.engines.get(other.as_ref(), &control).unwrap();
    }
    let small = start(&board(Rules::Mnk, 3, 3, 3));
    assert!(oracle.exact_solver(small.as_ref()).unwrap().is_none());
    assert!(oracle.engines.count() <= 4);
}

#[test]
fn engines_in_use_beyond_eight_are_small_and_not_kept() {
    let oracle = oracle();
    let control = Control::default();
    let boards =
        (3..9).flat_map(|width| [4, 5].map(|height| board(Rules::ConnectFour, width, height, 4)));
    let held: Vec<_> =
        boards.map(|game| oracle.engines.get(start(&game).as_ref(), &control).unwrap()).collect();
    let is_large = |engine: &&std::sync::Arc<everyply_registry::registry::Engine>| {
        let solver = engine.exact();
        solver.is_some_and(|solver| solver.table_bytes() >> 20 > 4)
    };
    let large = held.iter().filter(is_large).count();
    assert!(large <= 8, "{large} of {}", held.len());
    assert!(!oracle.engines.has_room());
    let start = start(&board(Rules::Mnk, 3, 3, 3));
    assert!(!oracle.engines.get(start.as_ref(), &control).unwrap().is_solution());
    let value = oracle.prove(start.as_ref(), &control).unwrap();
    assert_eq!(value.value.exact(), Some(Value::new(Outcome::Draw, Remoteness(9))));
    drop(held);
    assert!(oracle.engines.get(start.as_ref(), &control).unwrap().is_solution());
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
        let solution = Solution::within(game, game.initial(), u64::MAX, &control).unwrap();
        random_positions(&game, 10, |stones| {
            let position = position_of(&game, stones);
            let position = position.as_ref();
            let entry = solution.entry(stones).unwrap();
            let value = oracle.prove(position, &control).unwrap().value.exact();
            assert_eq!(value, Some(entry.value));
            let mut results = Vec::new();
            let moves = oracle.prove_moves(position, &control, &mut |finding| {
                if let Finding::Move(bit, known) = finding {
                    results.push((bit, known));
                }
            });
            let moves = moves.unwrap();
            results.sort_unstable_by_key(|(bit, _)| *bit);
            assert_eq!(results, moves);
            let plain: Vec<_> = moves.iter().map(|(bit, known)| (*bit, known.value)).collect();
            let expected = solution.moves(stones).into_iter();
            assert_eq!(plain, expected.map(|(bit, _, value)| (bit, value)).collect::<Vec<_>>());
            assert_eq!(oracle.best_moves(position, &control).unwrap(), entry.best);
            let play = oracle.best_play(position, &control).unwrap();
            assert_eq!(play.moves.len(), usize::from(entry.value.remoteness.0));
            assert!(oracle.known_best_play(position).unwrap().is_some() && !play.repeats);
        });
    }
}

#[test]
fn a_game_for_points_has_a_value_and_no_line_of_best_play() {
    let position =
        everyply_registry::registry::builtin().find("awari").unwrap().choose(&Default::default());
    let (oracle, position, control) = (oracle(), position.unwrap(), Control::default());
    let value = oracle.prove(&*position, &control).unwrap().value;
    assert_eq!(value, PartialValue::of_outcome(Outcome::Win));
    assert_eq!(position.texts(oracle.best_moves(&*position, &control).unwrap()), ["2"]);
    let play = oracle.best_play(&*position, &control).unwrap();
    assert!(play.moves.is_empty() && !play.repeats);
}

#[test]
fn play_without_an_end_repeats_itself() {
    let pong =
        everyply_registry::registry::builtin().find("pong").unwrap().choose(&Default::default());
    let (oracle, pong, control) = (oracle(), pong.unwrap(), Control::default());
    assert!(oracle.known(pong.as_ref()).unwrap().is_none());
    let value = oracle.prove(pong.as_ref(), &control).unwrap();
    assert_eq!(value.value, PartialValue::of_outcome(Outcome::Draw));
    let play = oracle.best_play(pong.as_ref(), &control).unwrap();
    assert!(play.repeats);
    assert_eq!(oracle.known(pong.as_ref()).unwrap(), Some(value));
}

#[test]
fn solutions_serve_all_positions_that_they_cover_and_stay_beside_each_other() {
    let nim = everyply_registry::registry::builtin()
        .find("nim")
        .unwrap()
        .choose(&Default::default())
        .unwrap();
    let (oracle, control) = (oracle(), Control::default());
    // Neither of the first two leads to the other.
    let [first, second, below] = ["3,5,0", "0,5,7", "1,2,0"].map(|text| nim.read(text).unwrap());
    oracle.prepare(first.as_ref(), &control).unwrap();
    assert!(oracle.known(below.as_ref()).unwrap().is_some());
    assert!(oracle.known(second.as_ref()).unwrap().is_none());
    oracle.prepare(second.as_ref(), &control).unwrap();
    for position in [&first, &second, &below] {
        assert!(oracle.known(position.as_ref()).unwrap().is_some(), "{}", position.picture());
    }
}
