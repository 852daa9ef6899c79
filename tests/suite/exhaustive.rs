//! Exhaustive engines on boards of lines, against definitions and published numbers.

use std::collections::HashSet;

use everyply::control::Control;
use everyply::exhaustive::{Histories, Solution, SolvedKey, walk};
use everyply::game::{Game, Key, Keyed, Move, Symmetric, images};
use everyply::games::line::notation::parse_moves;
use everyply::games::line::{GraphEstimate, LineGame, Standard, Stones, TicTacToe};

use crate::support::{connect_four, mnk, value as tree_value};

fn solve<G: LineGame>(game: G, root: Stones) -> Solution {
    let control = Control::default();
    Solution::within(game, root, u64::MAX, &control).unwrap()
}

#[test]
fn every_position_has_the_value_its_tree_gives_it() {
    fn check<G: LineGame>(game: G, root: Stones) {
        let solution = solve(game, root);
        let mut canonical = Vec::new();
        solution.canonical(&mut |part| canonical.extend_from_slice(part));
        assert!(canonical.is_sorted_by(|a, b| a.key < b.key));
        assert_eq!(canonical.len() as u64, solution.totals().canonical);
        for SolvedKey { key, value, best, .. } in canonical {
            let position = game.position_of(key).unwrap();
            assert_eq!(game.canonical(position).0, key);
            let below = solve(game, position);
            assert_eq!((below.value_of(key), below.best_of(key)), (Some(value), best));
            for (image, _) in images(&game, position) {
                let Some(value) = solution.value_of(image) else { continue };
                let tree_value = tree_value(&game, game.position_of(image).unwrap());
                assert_eq!(value.exact(), Some(tree_value));
                let best = solution.moves_of(image).into_iter().filter(|(_, m)| *m == value);
                assert_eq!(solution.best_of(image), best.map(|(bit, _)| Move(bit as u8)).collect());
            }
        }
    }
    let game = TicTacToe::fixed();
    check(game, game.initial());
    check(game, parse_moves(&game, "12").unwrap());
    let game = connect_four(3, 3, 3);
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
        for counts in solution.plies(u32::MAX, &Control::default()).unwrap().counts {
            let there = &seen[counts.ply.index()];
            assert_eq!(counts.positions, Some(there.len() as u64), "{moves}");
            let canonical: HashSet<Key> =
                there.iter().map(|&key| game.canonical(game.position_of(key).unwrap()).0).collect();
            assert_eq!(counts.canonical, Some(canonical.len() as u64), "{moves}");
        }
    }
}

#[test]
fn estimates_are_upper_bounds_and_not_far_off() {
    let game = mnk(4, 3, 4);
    let solution = solve(game, game.initial());
    let found = solution.totals().canonical as f64;
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
