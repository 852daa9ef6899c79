//! Published values and counts of games.

use std::collections::HashMap;

use super::lines::mnk;
use super::{chosen, graph, is_decided, points, ranked, tiers};
use crate::control::Control;
use crate::exhaustive::{Code, SolvedTiers, Totals, solve_listed};
use crate::game::{
    Evaluate, Game, Key, Keyed, Notation, Outcome, PartialValue, Ranked, Remoteness, Symmetric,
    Tier, TierId, Value, branches, images, parse_moves,
};
use crate::games::ranks::compositions;
use crate::games::{Awari, Dao, Dobutsu, Dots, Gobblet, Kalah, Morris, Neutreeko, Qubic, Teeko};
use crate::search::{Settings, SharedTable, search};

/// Solves a game whose play may be endless: totals, value at the start, and the longest win.
fn endless<G: Ranked + Symmetric<Key = Key>>(game: &G) -> (Totals, PartialValue, u8) {
    let solution = ranked(game);
    let mut longest = 0;
    solution.canonical(&mut |part| {
        let wins = part.iter().filter(|solved| solved.value.outcome == Outcome::Win);
        longest = wins.filter_map(|win| Some(win.value.remoteness?.0)).fold(longest, u8::max);
    });
    (solution.totals(), solution.value(), longest)
}

/// Published: a draw (D. De Clercq: the deepest position is won in 11), some 110,000 positions up to
/// symmetry and the side to move (D. desJardins).
#[test]
fn dao_is_a_draw() {
    let (totals, value, longest) = endless(&chosen::<Dao>(""));
    assert_eq!((totals.canonical, value, longest), (221_734, PartialValue::ENDLESS, 11));
}

/// Published by J. K. Haugland: a draw, a win of 51 plies, and three positions of a hundred drawn.
#[test]
#[ignore = "solves millions of positions: half a minute"]
fn neutreeko_is_a_draw_and_its_longest_win_has_51_plies() {
    let (totals, value, longest) = endless(&chosen::<Neutreeko>(""));
    assert_eq!((value, longest), (PartialValue::ENDLESS, 51));
    assert_eq!((totals.positions, totals.draws), (6_935_248, 209_296));
}

/// Published by G. L. Steele: a draw.
#[test]
#[ignore = "solves tens of millions of positions up to symmetry: minutes, 3 GiB"]
fn teeko_is_a_draw() {
    let (_, value, _) = endless(&chosen::<Teeko>(""));
    assert_eq!(value, PartialValue::ENDLESS);
}

/// Published by G. L. Steele: with squares of any size the first player wins in 13 plies, but only with
/// the middle as the first cell.
#[test]
#[ignore = "solves tens of millions of positions up to symmetry: a minute, 1 GiB"]
fn advanced_teeko_is_won_by_the_first_player() {
    let game = chosen::<Teeko>("advanced");
    let (root, solved) = (game.initial(), tiers(&game));
    let value = |position| solved.code(position).unwrap();
    assert_eq!(value(root), Code::new(Outcome::Win, 13));
    for m in game.moves(root) {
        let is_middle = game.write_move(m) == "c3";
        let expected = if is_middle { Code::new(Outcome::Loss, 12) } else { Code::ENDLESS };
        assert_eq!(value(game.play(root, m)), expected);
    }
    let wins = solved.tiers().iter().zip(0..).flat_map(|(_, tier)| solved.codes(TierId(tier)));
    let wins = wins.filter(|code| code.outcome() == Some(Outcome::Win));
    assert_eq!(wins.map(|code| code.plies()).max(), Some(59));
}

#[test]
fn three_mens_morris_is_won_unless_stones_fly() {
    let value = |flying| endless(&Morris::new(3, flying).unwrap()).1;
    let win = Value { outcome: Outcome::Win, remoteness: Remoteness(9) };
    assert_eq!([value(false), value(true)], [win.into(), PartialValue::ENDLESS]);
}

/// The counts of four to six men, colours and ends included, agree with B. Liou's tablebase of
/// six men's morris (github.com/brianhliou/game-solver); all are draws.
fn morris_is_drawn(cases: &[(u8, bool, u64, u8)]) {
    for &(men, flying, positions, plies) in cases {
        let (totals, value, longest) = endless(&Morris::new(men, flying).unwrap());
        let counts = (totals.positions, value, longest);
        assert_eq!(counts, (positions, PartialValue::ENDLESS, plies), "{men} men");
    }
}

#[test]
fn four_mens_morris_has_its_published_counts_and_is_a_draw() {
    morris_is_drawn(&[(4, false, 4_111_151, 39)]);
}

#[test]
#[ignore = "solves millions of positions up to symmetry: a minute"]
fn more_mens_morris_has_its_published_counts_and_is_a_draw() {
    morris_is_drawn(&[
        (4, true, 4_111_327, 9),
        (5, true, 17_846_785, 29),
        (5, false, 17_844_721, 73),
        (6, true, 42_383_945, 131),
        (6, false, 42_372_745, 119),
    ]);
}

/// Published: the first player wins in 25 plies, and loses if the first stone is not in the middle.
#[test]
#[ignore = "solves 37 million ranks twice: a minute"]
fn seven_mens_morris_is_won_from_the_middle_only() {
    for flying in [false, true] {
        let game = Morris::new(7, flying).unwrap();
        let (root, solved) = (game.initial(), tiers(&game));
        assert_eq!(solved.code(root), Some(Code::new(Outcome::Win, 25)));
        let ids = (0..).map(TierId).zip(solved.tiers());
        let all = ids.flat_map(|(id, tier)| (0..tier.ranks).map(move |rank| (id, rank)));
        let open = all
            .filter_map(|(id, rank)| game.unrank(id, rank))
            .filter(|p| game.result(*p).is_none());
        assert_eq!(open.map(|p| game.moves(p).len()).max(), Some(64), "as many as a set holds");
        let moves = game.moves(root).into_iter();
        let losing = moves
            .filter(|m| solved.code(game.play(root, *m)).unwrap().outcome() == Some(Outcome::Win));
        assert_eq!(losing.map(|m| game.write_move(m)).filter(|m| m != "c3").count(), 16);
    }
}

/// Wins, draws, losses and the longest win or loss of nine men's morris with flying, by another
/// program.
#[test]
#[ignore = "solves 170 million ranks, some of them thrice: minutes"]
fn nine_mens_morris_with_ten_stones_has_the_values_of_another_program() {
    let expected = [
        ("3-3", [140_621, 269, 28_736, 26]),
        ("3-4", [177_678, 1_340_023, 3_095, 33]),
        ("4-4", [159, 3_225_409, 29, 9]),
        ("3-5", [586_961, 4_564_142, 9_677, 31]),
        ("4-5", [9_940, 20_609_534, 1_518, 29]),
        ("3-6", [2_752_371, 10_806_269, 192_000, 7]),
        ("5-5", [28_819, 30_881_316, 4_289, 57]),
        ("4-6", [5_985_315, 43_896_293, 1_649_976, 157]),
        ("3-7", [13_411_581, 9_074_011, 6_965_784, 31]),
    ];
    let game = Morris::new(9, true).unwrap();
    let mut by_tier = HashMap::new();
    for name in ["3-7", "4-6", "5-5"] {
        let tier = game.tiers().iter().position(|tier| tier.name == name).unwrap();
        let root = game.unrank(TierId(tier as u32), 0).unwrap();
        let mut see = |_: TierId, tier: &Tier, codes: &[Code]| {
            let mut counts = [0u64; 4];
            for code in codes.iter().filter(|code| **code != Code::HOLE) {
                counts[match code.outcome() {
                    Some(Outcome::Win) => 0,
                    None | Some(Outcome::Draw) => 1,
                    Some(Outcome::Loss) => 2,
                }] += 1;
                counts[3] = counts[3].max(code.plies().into());
            }
            by_tier.insert(tier.name.clone(), counts);
            Ok(())
        };
        SolvedTiers::solve_each(game.clone(), root, &Control::default(), &mut see).unwrap();
    }
    for (name, counts) in expected {
        assert_eq!(by_tier[name], counts, "{name}");
    }
}

/// In seventeen arrangements of the animals all moves end the game though the other lion cannot be taken.
/// Moves taken back lead from ten of them to at most 39 positions, and never to the start; these are the
/// other seven.
#[test]
fn seven_positions_of_dobutsu_shogi_are_decided_by_a_lion_that_has_to_arrive() {
    let boards = [
        ["...", "CCg", "LGE", ".El"],
        ["..g", ".CC", "EGL", "lE."],
        ["..g", "CC.", "LGE", ".El"],
        ["..g", "CCl", "LGE", ".E."],
        ["..g", "lCC", "EGL", ".E."],
        [".g.", ".CC", "EGL", "lE."],
        [".g.", "CCl", "LGE", ".E."],
    ];
    for rows in boards {
        let game = Dobutsu::from_rows(rows);
        let start = game.initial();
        assert!(game.result(start).is_none() && is_decided(&game, start), "{rows:?}");
        for m in game.moves(start) {
            let picture = game.picture(game.play(start, m));
            assert!(picture.contains('L') && picture.contains('l'), "{picture}");
        }
    }
}

/// Published: won by the second player in 78 plies, the longest win in 173; 99,485,568 positions that
/// the rules do not decide, 56,474,473 of them won, 2,682,700 drawn, 40,328,395 lost (T. Tanaka 2009).
/// Seven fewer are won here: the positions of the test above, in which every move ends the game, are left
/// out too.
#[test]
#[ignore = "solves a hundred million positions: minutes, 7 GiB"]
fn dobutsu_shogi_is_won_by_the_second_player() {
    let game = Dobutsu::default();
    let (root, control) = (game.initial(), Control::default());
    let (mut outcomes, mut longest) = ([0; 3], 0);
    let value = solve_listed(game, root, u64::MAX, &control, &mut |part| {
        for (_, value) in part {
            outcomes[(1 - value.outcome.sign()) as usize] += 1;
            longest = value.remoteness.map_or(longest, |plies| longest.max(plies.0));
        }
    });
    let value = value.unwrap().exact().unwrap();
    assert_eq!((value.outcome, value.remoteness.0, longest), (Outcome::Loss, 78, 173));
    assert_eq!(outcomes, [56_474_466, 2_682_700, 40_328_395]);
}

/// Checks the points of the first player under our usual rules, or under the rules of the program of G.
/// Irving, J. Donkers and J. Uiterwijk, against their table.
fn kalah_points(published: bool, cases: &[(u8, u8, i32)]) {
    for &(pits, seeds, expected) in cases {
        let game = Kalah::new(pits, seeds, [published; 2]).unwrap();
        let best = graph(&game).points_of(game.key(game.initial()));
        assert_eq!(best, Some(expected), "kalah({pits},{seeds})");
    }
}

#[test]
fn kalah_has_its_published_winners() {
    kalah_points(false, &[(1, 5, 0), (2, 2, -2), (3, 1, 0), (3, 2, 4), (3, 3, 2), (4, 1, 2)]);
    kalah_points(true, &[(1, 5, 2), (2, 2, -2), (5, 2, 0)]);
    assert_eq!(points(&Kalah::new(3, 2, [false; 2]).unwrap()), 4);
}

#[test]
#[ignore = "looks at millions of positions: half a minute"]
fn larger_kalah_has_its_published_winners() {
    kalah_points(false, &[(3, 4, 2), (3, 5, 6), (3, 6, -8), (4, 2, 6), (4, 3, 6)]);
    kalah_points(true, &[(3, 4, 2), (3, 6, -10), (4, 3, 8)]);
}

/// Counted by J. W. Romein and H. E. Bal: 889,063,398,406 positions with up to 48 seeds.
#[test]
fn awari_has_its_published_number_of_positions() {
    let game = Awari::new(6, 4).unwrap();
    let tiers = game.tiers();
    // A rank is a hole if no pit of the other side is empty.
    let holes = |seeds: u32| seeds.checked_sub(6).map_or(0, |more| compositions(more, 12));
    let seeds = (0..47).chain([48]);
    let positions = seeds.clone().zip(&tiers).map(|(seeds, tier)| tier.ranks - holes(seeds));
    assert_eq!(positions.sum::<u64>() + 1, 889_063_398_406);
    for (tier, seeds) in (0..9).map(TierId).zip(seeds) {
        let ranks = 0..tiers[tier.index()].ranks;
        let count = ranks.filter(|&rank| game.unrank(tier, rank).is_none()).count();
        assert_eq!(count as u64, holes(seeds), "{seeds} seeds");
    }
}

/// The example of the database of J. W. Romein, H. E. Bal and K. Verstoep (doi 10.48338/vu01-11wjke):
/// the points of a board, and of its moves for the side that makes them.
#[test]
#[ignore = "solves 30 million positions: half a minute"]
fn awari_has_the_points_of_a_published_database() {
    let game = Awari::new(6, 2).unwrap();
    let mut root = game.initial();
    root.sides = [[1, 1, 1, 1, 1, 2, 4], [4, 2, 3, 0, 0, 0, 4]];
    let solved = SolvedTiers::solve(game.clone(), root, u64::MAX, &Control::default()).unwrap();
    let moves = branches(&game, root).map(|(.., child)| -solved.points(child).unwrap());
    assert_eq!(solved.points(root), Some(0));
    assert_eq!(moves.collect::<Vec<_>>(), [-1, -1, -2, -2, -2, 0]);
}

/// The positions up to symmetry and the sides are published at possiblywrong.wordpress.com (June 2024),
/// the winner by several programs.
#[test]
#[ignore = "solves 443 million ranks, and counts those that play reaches: seven minutes of a core, 1.8 GiB"]
fn gobblet_has_its_published_number_of_positions_and_is_won_by_the_first_player() {
    let game = chosen::<Gobblet>("");
    let (root, solved) = (game.initial(), tiers(&game));
    assert_eq!(solved.code(root).and_then(Code::outcome), Some(Outcome::Win));
    assert_eq!(solved.reached(root, &Control::default()), Ok(341_024_631));
}

#[test]
#[ignore = "solves boards of 22 and 24 edges: a minute"]
fn larger_dots_are_won_by_the_published_margins() {
    for (width, height, margin) in [(4, 2, 2), (3, 3, -3)] {
        assert_eq!(points(&Dots::new(width, height).unwrap()), margin, "{width}x{height}");
    }
}

/// Checks in all positions of a board that [`Evaluate::enough`] holds a best edge, and that positions with one
/// key for points have the same boxes to come; returns the number of edges left out.
fn few_edges_are_enough(width: u32, height: u32) -> u64 {
    let game = Dots::new(width, height).unwrap();
    let all = (1usize << game.most_moves()) - 1;
    let position = |edges: usize| {
        let lead = |lead| game.position_of(Key((edges as u64) << 7 | lead));
        [64, 65].into_iter().find_map(lead).unwrap()
    };
    // The boxes that the side to move wins over the other, by edges drawn.
    let (mut won, mut left_out) = (vec![0i32; all + 1], 0);
    for edges in (0..all).rev() {
        let p = position(edges);
        let (enough, lead) = (game.enough(p), game.points_key(p).2);
        let mut best = [i32::MIN; 2];
        for (bit, m, keeps_turn, next) in branches(&game, p) {
            let sign = if keeps_turn { 1 } else { -1 };
            let points = sign * (game.points_key(next).2 + won[edges | 1 << m]) - lead;
            best[0] = best[0].max(points);
            if enough.has(bit) {
                best[1] = best[1].max(points);
            } else {
                left_out += 1;
            }
        }
        assert_eq!(best[0], best[1], "{}", game.picture(p));
        won[edges] = best[0];
    }
    for edges in 0..all {
        let (key, ..) = game.points_key(position(edges));
        assert_eq!(won[edges], won[(key.0 >> 7) as usize], "{}", game.picture(position(edges)));
    }
    left_out
}

#[test]
fn few_edges_of_small_boards_are_enough() {
    for (width, height) in [(3, 1), (2, 2), (1, 5), (3, 2)] {
        assert!(few_edges_are_enough(width, height) > 0, "{width}x{height}");
    }
}

#[test]
#[ignore = "all sets of 22 and 24 edges: half a minute"]
fn few_edges_of_larger_boards_are_enough() {
    for (width, height) in [(7, 1), (2, 4), (4, 2), (3, 3)] {
        assert!(few_edges_are_enough(width, height) > 0, "{width}x{height}");
    }
}

/// Qubic: 49 rows, all images of a position under the 48 symmetries of the cube, and a win in 7.
#[test]
fn qubic_is_won_in_seven_plies() {
    let game = chosen::<Qubic>("");
    let position = parse_moves(&game, game.initial(), "1,2,6").unwrap();
    assert_eq!(images(&game, position).len(), 48);
    let control = Control::default();
    let (start, table) = (game.initial(), SharedTable::new(4, game.key_bits()).unwrap());
    let settings = Settings::to_depth(7);
    let result = search(&game, start, &settings, Some(&table), &control, &mut |_| ());
    assert_eq!(result.value, Some(Value::new(Outcome::Win, Remoteness(7))));
}

/// Checks [`Evaluate::possible`] in all positions of m,n,k boards.
#[test]
fn only_impossible_outcomes_are_left_out() {
    for size in [(3, 3, 3), (4, 3, 3), (4, 4, 3), (4, 4, 4), (5, 3, 3), (4, 3, 4)] {
        let game = mnk(size.0, size.1, size.2);
        let mut left_out = 0;
        graph(&game).canonical(&mut |part| {
            for solved in part {
                let p = game.position_of(solved.key).unwrap();
                let [worst, best] = game.possible(p);
                let is_possible = (worst..=best).contains(&solved.value.outcome);
                assert!(is_possible, "{}: {:?}", game.picture(p), (worst, best, solved.value));
                left_out += u32::from((worst, best) != (Outcome::Loss, Outcome::Win));
            }
        });
        assert!(left_out > 0, "{size:?}");
    }
}
