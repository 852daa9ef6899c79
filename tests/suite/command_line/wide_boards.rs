//! Boards that do not fit 64 bits.

use everyply::game::{Game, Move, Tiered, Value};
use everyply::games::line::notation::{parse_moves, picture, write_moves};
use everyply::games::line::{LineGame, Size, Stones, Wide};
use predicates::prelude::*;
use predicates::str::contains;

use super::json_alone;
use crate::support::{Place, value};

/// The score on Pons' scale.
fn score(game: &Wide, position: Stones<u128>, value: Value) -> i64 {
    let left = game.plies_left(position) + 2 - u32::from(value.remoteness.0);
    i64::from(left / 2) * i64::from(value.outcome.sign())
}

/// A game that lasts until few cells are empty, by moves at random that neither end it nor
/// let the other side end it.
fn late(game: &Wide, empty: u32, seed: u64) -> Option<Vec<Move>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut position = game.initial();
    let mut played = Vec::new();
    while game.plies_left(position) > empty {
        let is_quiet = |m: &Move| {
            let next = game.play(position, *m);
            game.result(next).is_none() && game.winning_moves(next).is_empty()
        };
        let quiet: Vec<Move> = game.moves(position).into_iter().filter(is_quiet).collect();
        let m = random.choice(quiet)?;
        position = game.play(position, m);
        played.push(m);
    }
    Some(played)
}

fn games(game: &Wide, empty: u32, count: usize) -> Vec<String> {
    let played = (1..).filter_map(|seed| late(game, empty, seed)).take(count);
    played.map(|moves| write_moves(game, &moves)).collect()
}

fn board(width: u8, height: u8) -> Wide {
    Wide::wide(Size::new(width, height, 4).unwrap()).unwrap()
}

#[test]
fn everything_asked_of_a_wide_board_fits_together() {
    let game = board(8, 8);
    for moves in games(&game, 12, 4) {
        let position = parse_moves(&game, &moves).unwrap();
        let exact = value(&game, position);
        let told = json_alone(&format!("connect4 --size 8x8 {moves} --all-moves"));
        assert_eq!((&told["board"], &told["moves"]), (&"8x8".into(), &moves.as_str().into()));
        assert_eq!(told["position"], picture(&game, position));
        assert_eq!(told["exact"], true);
        assert_eq!(told["value"]["outcome"], exact.outcome.word());
        assert_eq!(told["value"]["remoteness"], exact.remoteness.0);
        assert_eq!(told["score"], score(&game, position, exact));
        let rows = told["values"].as_array().unwrap();
        assert_eq!(rows.len(), game.moves(position).len() as usize);
        let mut best = Vec::new();
        for row in rows {
            let m = Move(row["move"].as_u64().unwrap() as u8 - 1);
            let after = value(&game, game.play(position, m)).for_parent();
            assert_eq!(row["outcome"], after.outcome.word(), "{moves} {m:?}");
            assert_eq!(row["remoteness"], after.remoteness.0, "{moves} {m:?}");
            if after == exact {
                best.push(m.number());
            }
        }
        assert_eq!(told["best"], serde_json::json!(best));
        let end = format!("{moves}{}", told["pv"].as_str().unwrap());
        assert_eq!(end.len() - moves.len(), usize::from(exact.remoteness.0));
        assert!(game.result(parse_moves(&game, &end).unwrap()).is_some());

        let drawn = told["position"].as_str().unwrap();
        let from_picture = json_alone(&format!("connect4 --size 8x8 --board {drawn}"));
        assert!(from_picture["moves"].is_null());
        let value_only = json_alone(&format!("connect4 --size 8x8 {moves} --value-only"));
        let outcome_only = json_alone(&format!("connect4 --size 8x8 {moves} --outcome-only"));
        for other in [&from_picture, &value_only] {
            assert_eq!((&other["value"], &other["score"]), (&told["value"], &told["score"]));
        }
        assert_eq!(outcome_only["value"]["outcome"], exact.outcome.word());
        assert!(outcome_only["score"].is_null());
    }
}

#[test]
fn nothing_is_kept_of_a_wide_board_and_a_line_says_so() {
    let game = board(9, 7);
    let moves = &games(&game, 8, 1)[0];
    let place = Place::new();
    let kept = "database   none: the keys of Connect Four 9x7, 4 in a row have more than 64 bits\n";
    place.run(&format!("connect4 --size 9x7 {moves}")).success().stdout(contains(kept));
    place
        .run(&format!("connect4 --size 9x7 {moves} --no-db"))
        .success()
        .stdout(contains(kept).not());
    place.json(&format!("connect4 --size 9x7 {moves}"));
    assert!(place.entries().is_empty(), "{:?}", place.entries());
    place.run(&format!("connect4 --size 9x7 {moves} --all-moves --csv out")).success();
    let rows = place.text("out/connect4-root-moves.csv");
    assert_eq!(
        rows.lines().count(),
        1 + game.moves(parse_moves(&game, moves).unwrap()).len() as usize
    );
}

#[test]
fn wide_boards_are_searched_to_a_depth_and_counted_by_walks() {
    let place = Place::new();
    let told = place.json("connect4 --size 9x7 --depth 5");
    assert_eq!((&told["depth"], told["pv"].as_str().unwrap().len()), (&5.into(), 5));
    let compared = place.json("compare connect4 --size 9x7 --depth 5");
    let rows = compared["rows"].as_array().unwrap();
    let last: Vec<_> = rows.iter().filter(|row| row["depth"] == 5).collect();
    assert!(last.len() > 5 && last.iter().all(|row| row["score"] == told["score"]), "{last:?}");
    let told = place.json("othello --size 8x8 --depth 5 --all-moves");
    let scores: Vec<f64> =
        told["values"].as_array().unwrap().iter().map(|m| m["score"].as_f64().unwrap()).collect();
    assert_eq!(scores, [told["score"].as_f64().unwrap(); 4], "the first moves are images");
    let counted = place.json("count othello --size 8x8 --plies 6 --divide");
    let nodes: Vec<_> =
        counted["plies"].as_array().unwrap().iter().map(|ply| &ply["nodes"]).collect();
    assert_eq!(nodes, [1, 4, 12, 56, 244, 1_396, 8_200]);
    assert_eq!(counted["divide"][0]["nodes"], 2_050);
    let proved = place.run("othello --size 8x8 --timeout 0.3").code(124);
    proved.stdout(contains("value      not proved"));
    assert_eq!(place.entries(), ["everyply.db"], "counts of plies have no keys");
}

#[test]
fn columns_over_nine_are_separated() {
    let place = Place::new();
    std::fs::write(place.path("in.txt"), "10,1,10,1,10,1 40\n10,11\n10,1,10,1,10,1 39\n").unwrap();
    let told = place.run("connect4 --size 10x8 --input in.txt").code(3);
    let rows = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    // X completes the column at once, O with the next move does as well.
    assert!(rows[1].starts_with("[10 1 10 1 10 1],win,1,37,[10],"), "{}", rows[1]);
    assert!(rows[2].starts_with("\"10,11\",,,,,,,\"character 4 ('11') is no move"), "{}", rows[2]);
}
