//! The fuzz target of solution files: refused, or right.

use std::fs;

use everyply::connect_four::profiles::Memory;
use everyply::control::Control;
use everyply::game::{Key, Keyed, Value};
use everyply::solutions::SolutionFile;

use super::fuzz;
use crate::profiles::{board, oracle, solve};
use crate::profiles_solution::sign;

/// Corrects the checksums of a mutated file, so that its other fields are tested as well.
fn mend(bytes: &mut [u8]) {
    if bytes.len() < 64 {
        return;
    }
    let length = (bytes.len() as u64).to_le_bytes();
    bytes[48..56].copy_from_slice(&length);
    sign(bytes);
}

#[test]
fn solution_fuzz_target() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    let (board, control) = (board(2, 3, 3), Control::default());
    let game = board.game();
    let positions: Vec<(Key, Value)> = oracle(game).into_iter().flatten().collect();
    solve(&board, &Memory::new(), &path, &control).unwrap();
    let sound = [fs::read(&path).unwrap()];
    fuzz("solution", &sound, |input| {
        let mut mended = input.to_vec();
        mend(&mut mended);
        for (bytes, is_mended) in [(input, false), (&mended, true)] {
            fs::write(&path, bytes).unwrap();
            let Ok(solution) = SolutionFile::open(&path) else { continue };
            let is_right = solution.board().is_some_and(|there| there.size() == board.size())
                && solution.verify_board(&Memory::new(), &control).is_ok();
            assert!(is_mended || !is_right || sound.iter().any(|sound| sound == bytes));
            for &(key, expected) in &positions {
                let position = game.position_of(key).unwrap();
                let value = solution.value_of_stones(position);
                // Only `verify` can judge a value whose checksum matches.
                if is_mended && !is_right {
                    continue;
                }
                assert!(value.is_err() || value.unwrap() == Some(expected));
            }
        }
    });
}
