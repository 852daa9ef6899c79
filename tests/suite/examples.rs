//! The examples say what they are to say.

#![allow(dead_code, reason = "the examples have a main of their own")]

#[path = "../../examples/all_moves.rs"]
mod all_moves;
#[path = "../../examples/batch.rs"]
mod batch;
#[path = "../../examples/probe_solution.rs"]
mod probe_solution;
#[path = "../../examples/read_database.rs"]
mod read_database;
#[path = "../../examples/solve.rs"]
mod solve;

#[test]
fn a_position_is_solved() {
    let said = solve::solved("44444326").unwrap();
    for line in [".XOX.O.\n", "value  draw in 34 plies for the side to move\n", "best   3 6\n"] {
        assert!(said.contains(line), "{line} in {said}");
    }
    assert!(solve::solved("48").unwrap_err().to_string().contains("character 2 ('8')"));
}

#[test]
fn every_move_has_its_score() {
    // A position of which every score is published: the second player's first move.
    let said = all_moves::table("4").unwrap();
    let scores: Vec<&str> =
        said.lines().skip(1).map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(scores, ["-4", "-2", "-2", "-1", "-2", "-2", "-4"]);
}

#[test]
fn a_database_is_written_and_read() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ttt.db");
    assert_eq!(read_database::write(&file).unwrap(), 765);
    assert_eq!(
        read_database::read(&file, "12").unwrap(),
        "XO./.../...  win in 5 plies, best 4 5 7"
    );
    // An image of it.
    assert_eq!(
        read_database::read(&file, "98").unwrap(),
        ".../.../.OX  win in 5 plies, best 3 5 6"
    );
}

#[test]
fn a_solution_file_is_probed() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("5x4.solution");
    assert_eq!(probe_solution::write(&file).unwrap(), 3_945_711);
    assert_eq!(probe_solution::probe(&file, "331").unwrap(), "331  win in 17 plies");
    assert!(probe_solution::probe(&file, "6").is_err());
}

#[test]
fn a_batch_keeps_its_order() {
    let asked = ["4455", "48", "44455554221"].map(String::from);
    let said = batch::scores(&asked).unwrap();
    assert_eq!((&said[0][..], &said[2][..]), ("4455,18", "44455554221,-15"));
    assert!(said[1].starts_with("48,,character 2 ('8')"), "{}", said[1]);
}
