//! Engines against each other, their limits, and what they expect to take.

use super::lines::drops;
use super::{chosen, graph, is_decided, ranked, retrograde, tiers, with_threads};
use crate::control::Control;
use crate::exhaustive::{
    Plies, RankedCost, Solution, SolveError, SolvedTiers, count_plies, listed_bytes, solve_listed,
    walk_plies,
};
use crate::game::{
    Game, Key, Keyed, MoveSet, Notation, Outcome, PartialValue, Ply, Ranked, Registered,
    Remoteness, Symmetric, TierId, Tiered, Unsuited, Value, laws,
};
use crate::games::{
    Awari, Breakthrough, Dao, Dobutsu, Dots, Gobblet, Hexapawn, Kalah, Morris, Neutreeko, Nim,
    Pong, PopOut, Teeko,
};
use crate::search::{Aim, RootScores, Settings, SharedTable, prove, search};
use crate::statistics::PlyCounts;

/// The canonical positions with their values and best moves, by key.
fn canonical(solution: &Solution) -> Vec<(Key, PartialValue, MoveSet)> {
    let mut all = Vec::new();
    solution.canonical(&mut |part| all.extend(part.iter().map(|s| (s.key, s.value, s.best))));
    all.sort_unstable_by_key(|(key, ..)| *key);
    all
}

/// Checks that both engines have the same positions, with the same values, best moves and distances.
fn engines_agree<G: Symmetric<Key = Key> + Tiered>(game: &G) {
    let (graph, retrograde) = (graph(game), retrograde(game));
    let (ours, theirs) = (canonical(&graph), canonical(&retrograde));
    assert_eq!(ours.len(), theirs.len());
    assert!(ours == theirs);
    for (key, value, best) in ours {
        let position = game.position_of(key).unwrap();
        assert_eq!(graph.value_of(key), Some(value));
        assert_eq!(retrograde.best_of(key), best);
        // A value is the best value of its moves, for the side that makes them.
        let moves = graph.moves_of(key);
        let exact = |value: PartialValue| value.exact().expect("these games end");
        match moves.iter().map(|(.., value)| exact(*value)).max() {
            Some(attained) => {
                assert_eq!(PartialValue::from(attained), value);
                let attaining = moves.iter().filter(|(.., child)| *child == value).count();
                assert_eq!(best.len() as usize, attaining);
            }
            None => assert_eq!(value, Value::over(game.result(position).unwrap()).into()),
        }
    }
}

#[test]
fn position_graph_and_retrograde_analysis_agree() {
    for misere in [false, true] {
        engines_agree(&Nim::new(&[3, 5, 7], misere).unwrap());
    }
    ["1x2", "2x2", "3x3", "4x3", "3x4"].map(chosen::<Hexapawn>).iter().for_each(engines_agree);
    ["1x1", "2x1", "1x2", "2x2", "3x1"].map(chosen::<Dots>).iter().for_each(engines_agree);
}

#[test]
fn threads_change_no_value() {
    let game = Dots::new(2, 2).unwrap();
    let solved =
        with_threads(|| [graph(&game), retrograde(&game)].map(|solution| canonical(&solution)));
    assert!(solved.iter().all(|of_threads| of_threads.iter().all(|all| *all == solved[0][0])));
}

/// Checks the values of listed positions, and that the rules decide the positions left out; returns
/// the numbers of both.
fn listed_agree<G: Symmetric<Key = Key>>(game: &G) -> [usize; 2] {
    let whole = retrograde(game);
    let all: Vec<_> = canonical(&whole).into_iter().map(|(key, value, _)| (key, value)).collect();
    let open = all.iter().filter(|(key, _)| !is_decided(game, game.position_of(*key).unwrap()));
    let open: Vec<_> = open.copied().collect();
    let (root, control) = (game.initial(), Control::default());
    let solve = |most| {
        let mut listed = Vec::new();
        let see = &mut |part: &[_]| listed.extend_from_slice(part);
        solve_listed(game.clone(), root, most, &control, see).map(|value| (value, listed))
    };
    for solved in with_threads(|| solve(u64::MAX)) {
        assert!(solved == Ok((whole.value(), open.clone())), "{game:?}");
    }
    let few = open.len() as u64 - 1;
    assert_eq!(solve(few).map(drop), Err(SolveError::Positions(few)));
    [open.len(), all.len() - open.len()]
}

#[test]
fn listed_positions_have_the_values_of_all_positions() {
    assert_eq!(listed_agree(&Pong), [28, 2]);
    assert_eq!(listed_agree(&Dobutsu::from_rows([".L.", ".C.", "...", ".l."])), [726, 930]);
    assert_eq!(listed_agree(&chosen::<PopOut>("3x3 line=3")), [628, 421]);
}

/// Listing and solving take at least twenty bytes a position and seven a move.
fn memory_is_expected<G: Symmetric<Key = Key>>(game: &G) {
    let (mut positions, mut moves) = (0, 0);
    for (key, ..) in canonical(&retrograde(game)) {
        let position = game.position_of(key).unwrap();
        positions += 1;
        if game.result(position).is_none() {
            moves += game.moves(position).into_iter().count() as u64;
        }
    }
    let least = 20 + 7 * moves / positions;
    let bytes = listed_bytes(game, game.initial(), false);
    assert!((least..2 * least).contains(&bytes), "{bytes} expected, {least} at least: {game:?}");
    assert!(listed_bytes(game, game.initial(), true) <= bytes);
}

#[test]
fn the_expected_memory_of_listed_games_follows_from_their_moves() {
    memory_is_expected(&chosen::<Dao>(""));
    memory_is_expected(&chosen::<PopOut>("4x3 line=3"));
    // 155 were measured, 20 of them for the program.
    let neutreeko = chosen::<Neutreeko>("");
    assert!((120..170).contains(&listed_bytes(&neutreeko, neutreeko.initial(), true)));
}

/// The bytes that a run took, without twenty MiB for the program, divided by the ranks.
#[test]
fn the_expected_memory_of_ranked_games_is_at_least_what_they_took() {
    fn expected<G: Ranked + Symmetric<Key = Key>>(game: &G) -> u64 {
        Solution::bytes_per_rank(game, game.initial())
    }
    let all = [
        (expected(&Morris::new(6, false).unwrap()), 28),
        (expected(&Awari::new(6, 1).unwrap()), 118),
        (expected(&chosen::<Dao>("")), 170),
        (expected(&chosen::<Neutreeko>("")), 278),
    ];
    for (expected, took) in all {
        assert!((took..took + 100).contains(&expected), "{expected} expected, {took} taken");
    }
}

/// Checks that ranks and keys give equal values, best moves and counts, for any number of threads.
fn ranks_agree<G: Ranked + Symmetric<Key = Key>>(game: &G) {
    let listed = retrograde(game);
    let (expected, totals) = (canonical(&listed), listed.totals());
    for solution in with_threads(|| ranked(game)) {
        assert!(canonical(&solution) == expected, "{game:?}");
        assert_eq!(solution.totals(), totals);
    }
}

#[test]
fn ranked_solutions_and_retrograde_analysis_agree() {
    ranks_agree(&Morris::new(3, false).unwrap());
    ranks_agree(&Morris::new(3, true).unwrap());
}

#[test]
fn threads_change_no_value_by_rank() {
    let game = Morris::new(4, true).unwrap();
    let solved = with_threads(|| tiers(&game));
    assert!(solved[0].tiers().iter().any(|tier| tier.loops && tier.ranks > 1 << 16));
    for id in (0..solved[0].tiers().len() as u32).map(TierId) {
        assert!(solved.iter().all(|other| other.codes(id) == solved[0].codes(id)), "{id:?}");
    }
}

#[test]
fn a_position_that_play_never_reaches_has_no_rank_and_is_refused() {
    let game = Morris::new(3, false).unwrap();
    // Three stones of the first player on the board, no other stone there or in hand.
    let position = game.position_of(Key(0b111 << 16)).unwrap();
    assert_eq!(game.rank(position), None);
    let refused = SolvedTiers::solve(game, position, u64::MAX, &Control::default()).map(drop);
    assert_eq!(refused, Err(Unsuited::Unranked.into()));
}

#[test]
#[ignore = "solves millions of positions several times: a minute"]
fn ranked_solutions_and_retrograde_analysis_agree_on_larger_games() {
    ranks_agree(&chosen::<Dao>(""));
    ranks_agree(&Morris::new(4, false).unwrap());
    ranks_agree(&Morris::new(4, true).unwrap());
    ranks_agree(&chosen::<Neutreeko>(""));
}

#[test]
fn nim_follows_the_xor_rule() {
    for misere in [false, true] {
        let game = Nim::new(&[7, 7, 7], misere).unwrap();
        let (graph, retrograde) = (graph(&game), retrograde(&game));
        for (a, b, c) in (0..512u32).map(|n| (n / 64, n / 8 % 8, n % 8)) {
            let position = game.parse_position(&format!("{a},{b},{c}")).unwrap();
            let wins = if misere && a.max(b).max(c) <= 1 { a ^ b ^ c == 0 } else { a ^ b ^ c != 0 };
            let expected = if wins { Outcome::Win } else { Outcome::Loss };
            let value = graph.value_of(game.key(position));
            assert_eq!(value.unwrap().outcome, expected, "{a},{b},{c}");
            assert_eq!(retrograde.value_of(game.key(position)), value, "{a},{b},{c}");
        }
    }
}

/// The counts of plies from the start, without values.
fn counted<G: Symmetric<Key = Key>>(game: &G, plies: u32) -> Plies {
    count_plies(game, game.initial(), Ply(0), plies, None, u64::MAX, &Control::default()).unwrap()
}

#[test]
fn counts_per_ply_are_those_of_a_walk() {
    fn agree<G: Symmetric<Key = Key>>(game: &G, plies: u32) {
        let counted = counted(game, plies);
        let walked = walk_plies(game, game.initial(), plies, &Control::default()).unwrap();
        assert_eq!(counted.histories, walked);
        let games: u64 = counted.counts.iter().map(|c| c.games.unwrap()).sum();
        assert_eq!(games, counted.histories.games().games);
    }
    agree(&Nim::new(&[2, 3, 3], true).unwrap(), u32::MAX);
    agree(&chosen::<Hexapawn>("3x3"), u32::MAX);
    agree(&chosen::<Hexapawn>("4x3"), 9);
    agree(&Dots::new(2, 1).unwrap(), u32::MAX);
    agree(&Dots::new(3, 3).unwrap(), 4);
    agree(&Pong, 12);
}

#[test]
fn the_graph_counts_plies_as_a_search_of_its_own_does() {
    fn agree<G: Symmetric<Key = Key> + Tiered>(game: &G) {
        let (graph, control) = (graph(game), Control::default());
        let outcome = |position| graph.value_of(game.key(position)).map(|value| value.outcome);
        let counted =
            count_plies(game, game.initial(), Ply(0), u32::MAX, Some(&outcome), u64::MAX, &control)
                .unwrap();
        assert_eq!(graph.plies(u32::MAX, &control), Ok(counted));
    }
    agree(&Nim::new(&[2, 3, 3], true).unwrap());
    agree(&chosen::<Hexapawn>("4x3"));
    agree(&Dots::new(2, 2).unwrap());
    agree(&Dots::new(3, 1).unwrap());
}

#[test]
fn extra_moves_keep_the_sides_apart() {
    // On one box the fourth edge decides: the side that did not draw the first one draws it, in
    // every order of the edges, and is then to move on a board without a move.
    let games = counted(&Dots::new(1, 1).unwrap(), u32::MAX).histories.games();
    assert_eq!((games.games, games.first_player_wins, games.second_player_wins), (24, 0, 24));
    // Misère: the last stone loses, so the side to move at the end has won.
    let games = counted(&Nim::new(&[1], true).unwrap(), u32::MAX).histories.games();
    assert_eq!((games.first_player_wins, games.second_player_wins), (0, 1));
}

#[test]
fn a_game_that_does_not_fit_is_refused_before_any_work() {
    let game = Nim::new(&[100, 29], false).unwrap();
    let refused = Solution::check(&game, game.initial()).unwrap_err();
    assert!(refused.to_string().contains("129 moves"), "{refused}");
    let refused = Solution::endless(game.clone(), game.initial(), u64::MAX, &Control::default());
    assert!(refused.unwrap_err().to_string().contains("129 moves"));
}

#[test]
fn too_many_positions_are_refused() {
    let game = chosen::<Hexapawn>("3x3");
    let all = graph(&game).totals().canonical;
    let solve = |most| Solution::within(game, game.initial(), most, &Control::default()).map(drop);
    assert_eq!(solve(all), Ok(()));
    assert_eq!(solve(all - 1), Err(SolveError::Positions(all - 1)));
    let solve = |most| Solution::endless(Pong, Pong.initial(), most, &Control::default()).map(drop);
    assert_eq!(solve(100), Ok(()));
    assert_eq!(solve(9), Err(SolveError::Positions(9)));
}

#[cfg(feature = "serde")]
#[test]
fn wins_that_are_too_far_away_are_refused() {
    use crate::games::table::{Table, TableMove, TableRows};
    let line_of = |plies: u32| {
        let mut rows = TableRows::default();
        for to in 1..=plies {
            rows.push(None, [TableMove { text: 0, to, keeps_turn: false }]).unwrap();
        }
        rows.push(Some(Outcome::Loss), []).unwrap();
        let painter = Box::new(|_: &[u32]| String::new());
        Table::new("line", String::new(), [1; 3], vec!["on".into()], rows, painter).unwrap()
    };
    let value = Value::new(Outcome::Loss, Remoteness(254));
    assert_eq!(retrograde(&line_of(254)).value(), value.into());
    let refused = Solution::endless(line_of(255), 0, u64::MAX, &Control::default()).map(drop);
    assert_eq!(refused, Err(Unsuited::Distance(254).into()));
}

/// Progress of games whose play may be endless reaches its total when they are solved, and goes no further.
#[test]
fn progress_ends_at_its_total() {
    fn ranked<G: Ranked>(game: &G) -> Control {
        let (root, control) = (game.initial(), Control::default());
        SolvedTiers::solve(game.clone(), root, u64::MAX, &control).unwrap();
        control
    }
    let popout = chosen::<PopOut>("4x3 line=3");
    let [by_key, listed] = [(); 2].map(|()| Control::default());
    Solution::endless(popout.clone(), popout.initial(), u64::MAX, &by_key).unwrap();
    let mut see = |part: &[_]| listed.advance(part.len() as u64);
    solve_listed(popout.clone(), popout.initial(), u64::MAX, &listed, &mut see).unwrap();
    let (four, awari) = (Morris::new(4, true).unwrap(), Awari::new(3, 3).unwrap());
    for control in [by_key, listed, ranked(&four), ranked(&chosen::<Dao>("")), ranked(&awari)] {
        let (done, total) = control.progress();
        assert!(total > 10_000 && done == total, "{done} of {total}");
    }
}

#[test]
fn totals_count_every_position_once() {
    let totals = retrograde(&Pong).totals();
    assert_eq!(totals.positions, totals.wins + totals.draws + totals.losses);
    assert!(totals.endless > 0 && totals.endless == totals.draws && totals.terminal > 0);
    let dots = Dots::new(2, 1).unwrap();
    for totals in [graph(&dots).totals(), retrograde(&dots).totals()] {
        let plies = counted(&dots, u32::MAX).counts;
        let sum = |f: fn(&PlyCounts) -> Option<u64>| plies.iter().filter_map(f).sum::<u64>();
        assert_eq!(totals.positions, sum(|c| c.positions));
        assert_eq!(totals.canonical, sum(|c| c.canonical));
        assert_eq!(totals.terminal, sum(|c| c.terminal));
    }
}

#[test]
fn engines_stop_when_asked() {
    let control = Control::default();
    control.stop();
    let game = Dots::new(3, 3).unwrap();
    assert!(Solution::within(game.clone(), game.initial(), u64::MAX, &control).is_err());
    assert!(Solution::endless(game.clone(), game.initial(), u64::MAX, &control).is_err());
    assert!(
        count_plies(&game, game.initial(), Ply(0), u32::MAX, None, u64::MAX, &control).is_err()
    );
}

#[test]
fn counts_stay_within_their_memory() {
    let (game, control) = (Dots::new(3, 2).unwrap(), Control::default());
    let count =
        |plies, memory| count_plies(&game, game.initial(), Ply(0), plies, None, memory, &control);
    let all = count(9, u64::MAX).unwrap();
    let mut reached = Vec::new();
    for memory in [10_000, 100_000, 300_000, 600_000] {
        let Err(SolveError::Plies(most)) = count(9, memory) else { panic!("{memory}") };
        assert_eq!(count(most, memory).unwrap().counts, all.counts[..=most as usize]);
        assert_eq!(count(most + 1, memory), Err(SolveError::Plies(most)));
        reached.push(most);
    }
    assert!(reached.is_sorted() && reached[0] < reached[3], "{reached:?}");
}

/// The estimated processor time in seconds of the tiers that a tier of a game leads to, or of the
/// whole game.
fn planned<R: Registered<Game: Ranked>>(words: &str, tier: Option<&str>) -> f64 {
    let game = chosen::<R>(words);
    let first = |name| {
        let id = game.tiers().iter().position(|tier| tier.name == name).unwrap();
        (0..).find_map(|rank| game.unrank(TierId(id as u32), rank)).unwrap()
    };
    let root = tier.map_or(game.initial(), first);
    RankedCost::of(&game, root).unwrap().seconds()
}

#[test]
fn planned_times_are_those_measured_within_a_factor_of_one_and_a_half() {
    let six_pits = "pits=6 seeds=2";
    // Of benches/ranked.md.
    for (game, planned, measured) in [
        ("Dao", planned::<Dao>("", None), 0.09),
        ("Neutreeko", planned::<Neutreeko>("", None), 0.48),
        ("Teeko", planned::<Teeko>("", None), 16.6),
        ("six men's morris", planned::<Morris>("men=6", None), 1.86),
        ("seven men's morris", planned::<Morris>("men=7", None), 23.6),
        ("Gobblet Gobblers", planned::<Gobblet>("", None), 251.0),
        ("awari of 12 seeds", planned::<Awari>(six_pits, Some("seeds-12")), 1.35),
        ("awari of 20 seeds", planned::<Awari>(six_pits, Some("seeds-20")), 195.5),
    ] {
        let factor = planned / measured;
        assert!((1.0 / 1.5..1.5).contains(&factor), "{game}: {planned:.2} s planned, {measured} s");
    }
}

/// With two sizes, tiers are so small that engines invert their moves; with three, most are larger.
#[test]
fn gobblet_has_the_same_values_by_predecessors_and_by_moves() {
    let (game, control) = (chosen::<Gobblet>("sizes=2"), Control::default());
    let solve = |large| {
        let root = game.initial();
        SolvedTiers::tier_by_tier(game.clone(), root, large, &control, None).unwrap()
    };
    let by_moves = solve(u64::MAX);
    let ids = (0..by_moves.tiers().len() as u32).map(TierId);
    for by_predecessors in with_threads(|| solve(0)) {
        assert!(ids.clone().all(|id| by_predecessors.codes(id) == by_moves.codes(id)));
    }
}

#[test]
fn points_are_for_games_that_count_them() {
    let game = Breakthrough::of_parameters([3, 4, 1]).unwrap();
    assert_eq!(graph(&game).points_of(game.key(game.initial())), None);
    let (game, control) = (Kalah::new(2, 2, [false; 2]).unwrap(), Control::default());
    let start = game.initial();
    let later = game.play(start, game.moves(start).into_iter().next().unwrap());
    let solution = Solution::within(game.clone(), later, u64::MAX, &control).unwrap();
    let points = |position| solution.points_of(game.key(position));
    assert!(points(later).is_some() && points(start).is_none());
}

#[test]
fn a_table_serves_proofs_and_searches_to_a_depth() {
    let game = drops(5, 4, 4);
    let (control, table) = (Control::default(), SharedTable::new(1, game.key_bits()).unwrap());
    laws::random_positions(&game, 20, |position| {
        if game.result(position).is_some() || game.plies_left(position) > 14 {
            return;
        }
        let goal = (Aim::Value, RootScores::AllBest);
        let proof = prove(&game, position, goal, &table, &control, &mut |_| ());
        assert!(proof.bounds.proved().is_some(), "{position:?}");
        for depth in 1..=5.min(game.plies_left(position)) {
            let settings = Settings::to_depth(depth);
            let score = |table: Option<&SharedTable>| {
                search(&game, position, &settings, table, &control, &mut |_| ()).score
            };
            assert_eq!(score(Some(&table)), score(None), "{position:?} to depth {depth}");
        }
    });
}
