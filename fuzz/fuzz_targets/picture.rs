//! Board pictures: refused with a message, or a position that reads back the same.
//!
//! A text of random bytes seldom has the right number of rows, so the bytes become the cells of a
//! board (three in four of the inputs), or are read as they are.
#![no_main]

mod board;

use board::{Check, on_a_board, round_trip};
use everyply::games::line::LineGame;
use everyply::games::line::notation::{parse_picture, picture};
use libfuzzer_sys::fuzz_target;

struct Picture<'t>(&'t [u8]);

impl Picture<'_> {
    fn text<G: LineGame>(&self, game: &G) -> Option<String> {
        let (mode, bytes) = self.0.split_first()?;
        if mode % 4 == 0 {
            return String::from_utf8(bytes.to_vec()).ok();
        }
        let size = game.size();
        let cell = |i: usize| match bytes.get(i / 4).map_or(0, |byte| byte >> (2 * (i % 4)) & 3) {
            1 => 'X',
            2 => 'O',
            _ => '.',
        };
        let (width, height) = (usize::from(size.width), usize::from(size.height));
        let row = |y: usize| (0..width).map(|x| cell(y * width + x)).collect::<String>();
        Some((0..height).map(row).collect::<Vec<_>>().join("/"))
    }
}

impl Check for Picture<'_> {
    fn check<G: LineGame>(&self, game: G) {
        let Some(text) = self.text(&game) else { return };
        match parse_picture(&game, &text) {
            Ok((position, _)) => {
                assert_eq!(picture(&game, position), text);
                round_trip(&game, position);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fuzz_target!(|input: &[u8]| {
    if let Some((choice, text)) = input.split_first_chunk() {
        on_a_board(*choice, &Picture(text));
    }
});
