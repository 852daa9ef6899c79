use super::*;
use everyply_connect_four::solver::Solver;
use everyply_core::control::Control;
use everyply_core::game::{MoveSet, Outcome, Remoteness, Value};
use everyply_core::games::line::notation::parse_moves;
use everyply_core::games::line::{Rules, Size};
use everyply_core::random::Random;
use everyply_registry::registry::{self, Position};

fn oracle() -> Oracle {
    Oracle::new(OracleFiles::default(), 8)
}

fn start(rules: Rules, width: u8, height: u8, line: u8) -> Box<dyn Position> {
    registry::board(rules, Size { width, height, line }).unwrap()
}

#[test]
fn a_stopped_search_is_an_error() {
    let start = start(Rules::Mnk, 5, 5, 5);
    let control = Control::default();
    control.limit(Some(std::time::Duration::ZERO));
    let found = oracle().prove_moves(start.as_ref(), &control, &mut |_| ());
    assert!(matches!(found, Err(OracleError::Stopped(_))));
}

#[test]
fn the_solver_is_shared_and_engines_are_few() {
    let oracle = oracle();
    let control = Control::default();
    let empty = start(Rules::ConnectFour, 7, 6, 4);
    let solver = oracle.exact_solver(empty.as_ref()).unwrap();
    let solver = solver.expect("made for this board");
    let stones = parse_moves(solver.game(), "44455554221").unwrap();
    let value = Solver::value(&solver, stones, &control).unwrap().value;
    let position = empty.read("44455554221").unwrap();
    assert_eq!(oracle.prove(position.as_ref(), &control).unwrap().value.exact(), Some(value));
    for width in 3..9 {
        let other = start(Rules::ConnectFour, width, 4, 4);
        oracle.engines.get(other.as_ref(), &control).unwrap();
    }
    let small = start(Rules::Mnk, 3, 3, 3);
    assert!(oracle.exact_solver(small.as_ref()).unwrap().is_none());
    assert!(oracle.engines.count() <= 4);
}

#[test]
fn engines_in_use_beyond_eight_are_small_and_not_kept() {
    let oracle = oracle();
    let control = Control::default();
    let boards =
        (3..9).flat_map(|width| [4, 5].map(|height| start(Rules::ConnectFour, width, height, 4)));
    let held: Vec<_> =
        boards.map(|start| oracle.engines.get(start.as_ref(), &control).unwrap()).collect();
    let is_large = |engine: &&std::sync::Arc<registry::Engine>| {
        let solver = engine.exact();
        solver.is_some_and(|solver| solver.table_bytes() >> 20 > 4)
    };
    let large = held.iter().filter(is_large).count();
    assert!(large <= 8, "{large} of {}", held.len());
    assert!(!oracle.engines.has_room());
    let start = start(Rules::Mnk, 3, 3, 3);
    assert!(!oracle.engines.get(start.as_ref(), &control).unwrap().is_solution());
    let value = oracle.prove(start.as_ref(), &control).unwrap();
    assert_eq!(value.value.exact(), Some(Value::new(Outcome::Draw, Remoteness(9))));
    drop(held);
    assert!(oracle.engines.get(start.as_ref(), &control).unwrap().is_solution());
}

#[test]
fn positions_of_any_game_have_the_values_of_the_tree() {
    for start in [
        start(Rules::Mnk, 3, 3, 3),
        start(Rules::Mnk, 4, 3, 3),
        start(Rules::ConnectFour, 4, 3, 3),
        start(Rules::ConnectFour, 4, 3, 2),
    ] {
        let (oracle, control, mut random) = (oracle(), Control::default(), Random::new(1));
        let solved = start.solve(u64::MAX, &control).unwrap();
        let value_of = |at: &dyn Position| solved.value_of(at.key().unwrap()).unwrap();
        let mut compared = 0;
        while compared < 60 {
            let plies = random.below(12u32);
            let position = start.random_game(&mut random, &|moves, _| moves == plies);
            let Some(position) = position else { continue };
            let position = position.as_ref();
            let value = value_of(position);
            assert_eq!(oracle.prove(position, &control).unwrap().value, value);
            let mut results = Vec::new();
            let moves = oracle.prove_moves(position, &control, &mut |finding| {
                if let Finding::Move(bit, known) = finding {
                    results.push((bit, known));
                }
            });
            let moves = moves.unwrap();
            results.sort_unstable_by_key(|(bit, _)| *bit);
            assert_eq!(results, moves);
            let branches = position.branches();
            let expected = branches.iter().map(|branch| {
                (branch.bit, value_of(&*branch.to).one_ply_earlier(branch.keeps_turn))
            });
            let expected: Vec<_> = expected.collect();
            assert_eq!(moves.iter().map(|m| (m.0, m.1.value)).collect::<Vec<_>>(), expected);
            let best = expected.iter().filter(|(_, there)| *there == value).map(|(bit, _)| *bit);
            let best = MoveSet::of_bits(best).unwrap();
            assert_eq!(oracle.best_moves(position, &control).unwrap(), best);
            let play = oracle.best_play(position, &control).unwrap();
            assert_eq!(play.moves.len(), usize::from(value.remoteness.unwrap().0));
            assert!(oracle.known_best_play(position).unwrap().is_some() && !play.repeats);
            compared += 1;
        }
    }
}

#[test]
fn a_game_for_points_has_a_value_and_no_line_of_best_play() {
    let position = registry::builtin().find("awari").unwrap().choose(&Default::default());
    let (oracle, position, control) = (oracle(), position.unwrap(), Control::default());
    let value = oracle.prove(&*position, &control).unwrap().value;
    assert_eq!(value, PartialValue::of_outcome(Outcome::Win));
    assert_eq!(position.texts(oracle.best_moves(&*position, &control).unwrap()), ["2"]);
    let play = oracle.best_play(&*position, &control).unwrap();
    assert!(play.moves.is_empty() && !play.repeats);
}

#[test]
fn play_without_an_end_repeats_itself() {
    let pong = registry::builtin().find("pong").unwrap().choose(&Default::default());
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
    let nim = registry::builtin().find("nim").unwrap().choose(&Default::default()).unwrap();
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
