//! Exhaustive engines on boards of lines, against definitions and published numbers.

use std::collections::HashSet;

use everyply::control::{Control, Stopped};
use everyply::exhaustive::{
    Games, Histories, PositionGraph, Solution, SolvedKey, StrongSolution, Subtree, count_plies,
    walk,
};
use everyply::game::{
    Game, Key, Keyed, Move, Outcome, PartialValue, Ply, Remoteness, Symmetric, Value,
};
use everyply::games::line::notation::parse_moves;
use everyply::games::line::{
    ConnectFour, GraphEstimate, LineGame, Mnk, Size, Standard, Stones, TicTacToe,
};
use everyply::statistics::PlyCounts;

fn solve<G: LineGame>(game: G, root: Stones) -> Solution<G> {
    let control = Control::default();
    Solution::of(PositionGraph::build(game, root, &control).unwrap(), &control).unwrap()
}

/// The definition of a value, with nothing remembered.
fn oracle<G: LineGame>(game: &G, position: Stones) -> Value {
    if let Some(outcome) = game.result(position) {
        return Value::new(outcome, Remoteness(0));
    }
    let moves = game.moves(position).into_iter();
    moves.map(|m| oracle(game, game.play(position, m)).for_parent()).max().unwrap()
}

fn totals(counts: &[PlyCounts]) -> [u64; 3] {
    let sum = |f: fn(&PlyCounts) -> Option<u64>| counts.iter().map(|c| f(c).unwrap()).sum();
    [sum(|c| c.positions), sum(|c| c.canonical), sum(|c| c.terminal)]
}

#[test]
fn tic_tac_toe_whole() {
    let game = TicTacToe::fixed();
    let solution = solve(game, game.initial());
    assert_eq!(totals(solution.counts()), [5478, 765, 958]);
    let positions: Vec<u64> = solution.counts().iter().map(|c| c.positions.unwrap()).collect();
    assert_eq!(positions, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    let control = Control::default();
    let counted = solution.plies(9, &control).unwrap();
    assert_eq!(counted.histories, walk(&game, game.initial(), 9, &control).unwrap());
    let root = solution.entry(game.initial()).unwrap();
    assert_eq!(root.value, Value::new(Outcome::Draw, Remoteness(9)));
    assert_eq!(root.best.len(), 9);
    let whole = solution.subtrees().below(game.initial()).unwrap();
    assert_eq!(whole, Subtree { nodes: 549_946, games: 255_168 });
    let listed: usize = solution.tiers().map(|ply| solution.entries(ply).len()).sum();
    assert_eq!(listed, 5478);
}

#[test]
fn every_position_has_the_value_its_tree_gives_it() {
    fn check<G: LineGame>(game: G, root: Stones) {
        let solution = solve(game, root);
        for ply in solution.tiers() {
            for entry in solution.entries(ply) {
                assert_eq!(entry.value, oracle(&game, entry.position));
                let best = solution.moves(entry.position);
                let best = best.iter().filter(|(.., value)| *value == entry.value.into());
                assert_eq!(entry.best, best.map(|(_, m, _)| *m).collect());
                assert_eq!(solution.entry(entry.position), Some(entry));
            }
        }
        let mut canonical = Vec::new();
        solution.canonical(&mut |part| canonical.extend_from_slice(part));
        assert!(canonical.is_sorted_by(|a, b| a.key < b.key));
        assert_eq!(canonical.len() as u64, totals(solution.counts())[1]);
        for SolvedKey { key, value, best } in canonical {
            let position = game.position_of(key).unwrap();
            assert_eq!(game.canonical(position).0, key);
            let entry = solve(game, position).entry(position).unwrap();
            assert_eq!((PartialValue::from(entry.value), entry.best), (value, best));
        }
    }
    let game = TicTacToe::fixed();
    check(game, game.initial());
    check(game, parse_moves(&game, "12").unwrap());
    let game = ConnectFour::new(Size::new(3, 3, 3).unwrap()).unwrap();
    check(game, game.initial());
    check(game, game.play(game.initial(), Move(0)));
}

#[test]
fn a_root_inside_the_game_counts_only_what_it_leads_to() {
    let game = TicTacToe::fixed();
    for moves in ["1", "5", "12", "159", "1524", "15293"] {
        let root = parse_moves(&game, moves).unwrap();
        let mut seen = vec![HashSet::new(); 10];
        fn collect(game: TicTacToe, p: Stones, seen: &mut [HashSet<Key>]) {
            if seen[p.ply().index()].insert(game.key(p)) && game.result(p).is_none() {
                for m in game.moves(p) {
                    collect(game, game.play(p, m), seen);
                }
            }
        }
        collect(game, root, &mut seen);
        let solution = solve(game, root);
        for counts in solution.counts() {
            let there = &seen[counts.ply.index()];
            assert_eq!(counts.positions, Some(there.len() as u64), "{moves}");
            let canonical: HashSet<Key> =
                there.iter().map(|&key| game.canonical(game.position_of(key).unwrap()).0).collect();
            assert_eq!(counts.canonical, Some(canonical.len() as u64), "{moves}");
        }
    }
}

#[test]
fn other_boards() {
    let game = Mnk::new(Size::new(4, 3, 3).unwrap()).unwrap();
    let solution = solve(game, game.initial());
    assert_eq!(totals(solution.counts())[0], 111_973);
    let histories = solution.plies(12, &Control::default()).unwrap().histories;
    assert_eq!(histories.nodes(), 276_911_233);
    let games = histories.games();
    assert_eq!(
        [games.games, games.first_player_wins, games.second_player_wins, games.draws],
        [151_188_768, 79_797_600, 56_875_968, 14_515_200]
    );
    let game = ConnectFour::new(Size::new(4, 4, 4).unwrap()).unwrap();
    let solution = solve(game, game.initial());
    assert_eq!(totals(solution.counts())[0], 161_029);
    assert_eq!(solution.entry(game.initial()).unwrap().value.outcome, Outcome::Draw);
}

#[test]
fn positions_of_the_standard_board_by_ply() {
    let game = Standard::fixed();
    let tree =
        count_plies(&game, game.initial(), Ply(0), 8, &|_| None, &Control::default()).unwrap();
    let column = |f: fn(&PlyCounts) -> Option<u64>| -> Vec<u64> {
        tree.counts.iter().map(|c| f(c).unwrap()).collect()
    };
    let positions = [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275];
    assert_eq!(column(|c| c.positions), positions);
    assert_eq!(column(|c| c.canonical), [1, 4, 25, 121, 568, 2144, 8231, 27_473, 92_244]);
    assert_eq!(column(|c| c.nodes)[8], 5_673_234);
    assert!(!tree.complete);
}

#[test]
fn estimates_are_upper_bounds_and_not_far_off() {
    let game = Mnk::new(Size::new(4, 3, 4).unwrap()).unwrap();
    let solution = solve(game, game.initial());
    let found = totals(solution.counts())[1] as f64;
    let estimate = GraphEstimate::of_graph(&game, game.initial()).positions;
    assert!(found <= 1.1 * estimate && estimate < 3.0 * found, "{found} {estimate}");
    let game = Standard::fixed();
    let whole = GraphEstimate::of_graph(&game, game.initial());
    assert!(whole.bytes > 1e12);
}

fn walk_all<G: LineGame>(game: &G, root: Stones) -> Histories {
    walk(game, root, u32::MAX, &Control::default()).unwrap()
}

#[test]
fn the_complete_tree_of_tic_tac_toe() {
    let game = TicTacToe::fixed();
    let histories = walk_all(&game, game.initial());
    assert_eq!(histories.nodes(), 549_946);
    let expected = Games {
        games: 255_168,
        first_player_wins: 131_184,
        second_player_wins: 77_904,
        draws: 46_080,
    };
    assert_eq!(histories.games(), expected);
    let ending: Vec<u64> = histories.plies().iter().map(|p| p.games.games).collect();
    assert_eq!(ending, [0, 0, 0, 0, 0, 1440, 5328, 47_952, 72_576, 127_872]);
}

#[test]
fn perft_of_connect_four() {
    let game = Standard::fixed();
    let histories = walk(&game, game.initial(), 9, &Control::default()).unwrap();
    let perft: Vec<u64> = histories.plies().iter().map(|p| p.nodes).collect();
    assert_eq!(perft, [1, 7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572]);
}

#[test]
fn a_walk_from_inside_a_game_ends_where_the_game_ends() {
    let game = TicTacToe::fixed();
    let over = parse_moves(&game, "15293").unwrap();
    let histories = walk_all(&game, over);
    assert_eq!(histories.nodes(), 1);
    assert_eq!(histories.games().after(over.ply()).first_player_wins, 1);
    let full = parse_moves(&game, "123546879").unwrap();
    assert_eq!(walk_all(&game, full).games().draws, 1);
    let last = parse_moves(&game, "12354687").unwrap();
    assert_eq!(walk_all(&game, last).nodes(), 2);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let game = Mnk::new(Size::new(5, 2, 3).unwrap()).unwrap();
    let counted = [1, 2, 8].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| walk_all(&game, game.initial()))
    });
    assert_eq!(counted[0].nodes(), 6_499_037);
    assert_eq!(counted[0].games().games, 2_748_168);
    assert!(counted.iter().all(|c| *c == counted[0]));
}

#[test]
fn a_stopped_walk_says_so() {
    let game = Standard::fixed();
    let control = Control::default();
    control.stop();
    assert_eq!(walk(&game, game.initial(), 9, &control), Err(Stopped));
}
