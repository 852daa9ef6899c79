//! Boards solved on a disk that fails or loses power at any operation, and many positions looked up.

use std::path::Path;
use std::sync::Arc;

use super::tests::{FOLDER, OUT, survives};
use super::{SolutionError, SolutionFile, WriteError, solve_board};
use everyply_connect_four::profiles::{Board, Memory, Objects, StorageError};
use everyply_core::control::Control;
use everyply_core::game::{Game, MoveSet};
use everyply_core::games::line::{Size, Stones};
use everyply_core::random::Random;
use everyply_files::disk::NewFile;
use everyply_files::store::Folder;
use everyply_test_support::Simulated;

/// Solves a board with a work folder on a simulated disk.
fn solve(disk: &Simulated, board: &Board) -> Result<(), WriteError> {
    let file = NewFile::create_on(Arc::new(disk.clone()), Path::new(OUT));
    let file = file.map_err(SolutionError::from)?;
    let folder = Folder::open_on(Arc::new(disk.clone()), Path::new(FOLDER))
        .map_err(|error| SolutionError::Pass(StorageError::from(error).into()))?;
    let objects = Objects::open(Arc::new(folder), board.size(), 64);
    let objects = objects.map_err(|error| SolutionError::Pass(error.into()))?;
    solve_board(board, &objects, file, &Control::default()).map(drop)
}

fn board(width: u8, height: u8, line: u8) -> Board {
    Board::new(Size::new(width, height, line).unwrap()).unwrap()
}

#[test]
fn a_run_on_a_failing_disk_ends_with_an_error_and_the_next_one_continues() {
    survives(&|disk| solve(disk, &board(2, 3, 3)), 8, 3);
}

#[test]
#[ignore = "every operation, a larger board, and more ways to lose power: a few minutes"]
fn a_larger_board_on_a_failing_disk() {
    survives(&|disk| solve(disk, &board(2, 3, 3)), 1, 3);
    survives(&|disk| solve(disk, &board(4, 3, 4)), 1, 10);
}

#[test]
fn many_values_are_those_of_each() {
    let board = board(5, 4, 4);
    let game = *board.game();
    let mut random = Random::new(5);
    let mut positions: Vec<Stones> = Vec::new();
    while positions.len() < 20_000 {
        let mut position = game.initial();
        while game.result(position).is_none() {
            let moves: MoveSet<u64> = game.moves(position);
            let which = random.below(moves.into_iter().count() as u32) as usize;
            position = game.play(position, moves.into_iter().nth(which).unwrap());
            positions.push(position);
        }
    }
    // Stones of one side on every bit are no position.
    positions.push(Stones { own: u64::MAX, other: 0 });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    let file = NewFile::create(&path).unwrap();
    solve_board(&board, &Memory::new(), file, &Control::default()).unwrap();
    let file = SolutionFile::open(&path).unwrap();
    file.verify_board(&Memory::new(), &Control::default()).unwrap();
    let values = file.values_of_stones(&positions).unwrap();
    assert_eq!(values.last(), Some(&None));
    for (position, value) in positions.iter().zip(&values) {
        assert_eq!(file.value_of_stones(*position).unwrap(), *value, "{position:?}");
    }
}
