//! `analyze play` in a pipe.

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::{Place, stderr, stdout};

fn played(arguments: &str, input: &str) -> String {
    let place = Place::new();
    let run = place.analyze().args(arguments.split_whitespace()).write_stdin(input).assert();
    let run = run.success();
    let said = stderr(&run);
    assert!(said.lines().all(|line| line == "thinking ..."), "{said}");
    assert!(place.entries().is_empty());
    stdout(&run)
}

#[test]
fn a_whole_game_ends_with_its_moves() {
    // Cell 9 first, then nonsense: the perfect machine takes the centre and then the row.
    let told = played("play ttt", "9\n2\n3\n");
    assert!(told.contains("the machine plays 5"), "{told}");
    assert!(told.ends_with("result  the machine wins\nmoves   952436\n"), "{told}");
    let told = played("play ttt", "5\n3\n4\n8\n9\n");
    assert!(told.contains("result  a draw") || told.contains("unfinished"), "{told}");
}

#[test]
fn hints_values_and_undo() {
    let told = played("play ttt", "1\nvalues\nhint\nundo\nundo\n5\nquit\n");
    assert!(told.contains("the machine plays 5"), "{told}");
    assert!(told.contains("   2  draw in 7 plies\n"), "{told}");
    assert!(told.contains("the best moves are 2 3 4 6 7 8 9\n"), "{told}");
    assert!(told.contains("there is no move of yours to take back"), "{told}");
    assert!(told.ends_with("result  unfinished\nmoves   51\n"), "{told}");
}

#[test]
fn what_cannot_be_played_is_refused_with_the_reason() {
    let told = played("play ttt", "1\n1\n0\n10\nx\n\nhelp\n");
    assert!(told.contains("X to move> 1\nmove 3 ('1', character 3): cell 1 is taken\n"), "{told}");
    for number in [0, 10] {
        let refused = format!("there is no cell {number}: type the number of a cell from 1 to 9\n");
        assert!(told.contains(&refused), "{told}");
    }
    // Four refusals, and the help.
    assert_eq!(told.matches("the number of a cell from 1 to 9").count(), 5, "{told}");
    let told = played("play connect4 --size 2x3 --line 3", &"1\n".repeat(8));
    assert!(told.contains("column 1 is full"), "{told}");
}

#[test]
fn registered_games_are_played_by_their_solved_values() {
    let told = played("play nim 1,2,3", "values\nhint\n1-1\nundo\nx\nquit\n");
    assert!(told.starts_with("Nim, the last stone wins; you are the first player"), "{told}");
    assert!(told.contains("   1-1  loss in 6 plies\n   2-1  loss in 4 plies\n"), "{told}");
    assert!(told.contains("the best moves are 1-1 3-1\n"), "{told}");
    assert!(told.contains("or a move: 1-1 2-1 2-2 3-1 3-2 3-3\n"), "{told}");
    assert!(told.ends_with("result  unfinished\nmoves   \n"), "{told}");
    // The side that begins loses; in the misère game it wins at once.
    let told = played("play nim 1,1 --second", "2-1\n");
    assert!(told.ends_with("result  you win\nmoves   1-1,2-1\n"), "{told}");
    let told = played("play nim 1,1 --second --misere", "2-1\n");
    assert!(told.ends_with("result  the machine wins\nmoves   1-1,2-1\n"), "{told}");
}

#[test]
fn who_wins_a_box_moves_again() {
    // One box: the side that draws the third edge gives it away.
    let told = played("play dots --size 1x1", "1\n4\nundo\n4\n");
    assert!(told.contains("the machine plays 2\n"), "{told}");
    assert!(told.ends_with("result  the machine wins\nmoves   1,2,4,3\n"), "{told}");
    // The third edge of two boxes gives one away, and the machine moves twice.
    let told = played("play dots --size 2x1", "1\n5\nundo\nquit\n");
    assert_eq!(told.matches("the machine plays").count(), 3, "{told}");
    assert!(told.ends_with("result  unfinished\nmoves   1,3\n"), "{told}");
}

#[test]
fn a_game_too_large_to_be_solved_is_played_by_proofs() {
    // Its bound of plies is beyond what solutions take.
    let told = played("play kalah --pits 4 --seeds 3", "hint\nquit\n");
    assert!(told.contains("the best move is 2\n"), "{told}");
}

#[test]
fn what_a_game_cannot_do_is_named() {
    let message = "play of pong may be endless";
    Place::new().refuses("play pong --level casual", 2, message);
    for level in ["perfect", "varied", "beginner"] {
        let told = played(&format!("play pong --second --level {level}"), "");
        assert!(told.contains("the machine plays "), "{told}");
    }
}

#[test]
fn a_game_may_begin_at_any_position() {
    let told = played("play connect4 444444 --size 7x6", "4\n1\nundo\nundo\nquit\n");
    assert!(told.contains("column 4 is full"), "{told}");
    assert!(told.contains("there is no move of yours to take back"), "{told}");
    assert!(told.ends_with("moves   444444\n"), "{told}");
    Place::new().run("play ttt 11").code(2);
}

#[test]
fn the_machine_may_begin_and_every_level_plays() {
    for level in ["perfect", "varied", "casual", "beginner"] {
        for game in ["ttt", "connect4 --size 5x4"] {
            let told = played(&format!("play {game} --second --level {level} --think 0.5"), "");
            assert!(told.contains("the machine plays "), "{told}");
            assert!(told.contains("result  unfinished\nmoves   "), "{told}");
        }
    }
}

#[test]
fn a_machine_that_takes_its_time_says_so() {
    let place = Place::new();
    let run = place.run("play connect4 --size 7x7 --second --think 1").success();
    run.stderr("thinking ...\n").stdout(contains("time was up before it was proved best"));
}

#[test]
fn values_come_from_the_books() {
    let place = Place::new();
    place.run("solve connect4 --size 5x5 --out 5x5.solution").success();
    let values = |book: &str| {
        let line = format!("play connect4 --size 5x5 --think 0.001 {book}");
        let mut run = place.analyze();
        run.args(line.split_whitespace()).write_stdin("values\n").assert().success()
    };
    values("").stdout(contains("not found within"));
    values("--book 5x5.solution").stdout(contains("   3  draw in 25 plies\n"));
    let refused = "play nim 3,5,7 --book no.db";
    place.run(refused).code(1).stderr(contains("--book").and(contains("no.db")));
    std::fs::write(place.path("text.db"), "some text").unwrap();
    place.refuses("play connect4 --book text.db", 1, "text.db");
}

#[test]
fn boards_of_128_bits_are_played() {
    let told = played("play connect4 --size 8x8 --level beginner", "1\nundo\n9\nquit\n");
    assert!(told.starts_with("Connect Four 8x8"), "{told}");
    assert!(told.contains("the number of a column from 1 to 8"), "{told}");
    assert!(told.ends_with("result  unfinished\nmoves   \n"), "{told}");
    // X completes a line at either end.
    let told = played("play connect4 --size 9x7 415161", "hint\n3\n");
    assert!(told.contains("the best moves are 3 7\n"), "{told}");
    assert!(told.ends_with("result  you win\nmoves   4151613\n"), "{told}");
    let told = played("play connect4 --size 8x8 --line 7 112233445566", "7\n");
    assert!(told.contains("you win"), "{told}");
}
