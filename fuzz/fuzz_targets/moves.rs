//! Move strings: refused with a message, or a position that reads back the same.
#![no_main]

mod board;

use board::{Check, on_a_board, round_trip};
use everyply::games::line::LineGame;
use everyply::games::line::notation::parse_moves;
use libfuzzer_sys::fuzz_target;

struct Moves<'t>(&'t str);

impl Check for Moves<'_> {
    fn check<G: LineGame>(&self, game: G) {
        match parse_moves(&game, self.0) {
            Ok(position) => round_trip(&game, position),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fuzz_target!(|input: &[u8]| {
    if let Some((choice, text)) = input.split_first_chunk()
        && let Ok(text) = std::str::from_utf8(text)
    {
        on_a_board(*choice, &Moves(text));
    }
});
